testdata/sample.c:4:2: warning: write in count (entry point dev_write, holding no locks) races with read at testdata/sample.c:11:9 on dev.stats: nothing orders dev_write and dev_read [data-race]
testdata/sample.c:11:9: note: the other access: read in dev_read (entry point dev_read, holding dev.lock, rtnl)
