testdata/sample.c:11:2: warning: mu is held at a receive [lock-held-blocking]
testdata/sample.c:8:5: note: mu is taken here
