package pipeline

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whoop/diag"
)

// TestOnlyUnseenStarts: a thread that main starts once does not race with itself only
// because main calls a function that is not understood, which might start another: that
// is not known. What threads that are seen to be started do is.
func TestOnlyUnseenStarts(t *testing.T) {
	const pre = "#include <setjmp.h>\n#include <pthread.h>\njmp_buf b; int g; void *t(void *a) { g++; return 0; } void odd(void) { setjmp(b); }\n"
	for _, c := range []struct {
		name, main string
		want       diag.Verdict
		reason     string
	}{
		{"one thread", "int main(void) { pthread_t h; pthread_create(&h, 0, t, 0); odd(); pthread_join(h, 0); return 0; }", diag.Unknown, "is not understood, and may start threads: setjmp returns again"},
		{"two threads", "int main(void) { pthread_t h, k; pthread_create(&h, 0, t, 0); odd(); pthread_create(&k, 0, t, 0); return 0; }", diag.Racy, ""},
	} {
		path := filepath.Join(t.TempDir(), "c.c")
		if err := os.WriteFile(path, []byte(pre+c.main+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		rep, err := Verify(context.Background(), path, Options{Jobs: 1})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for _, p := range rep.Pairs {
			if p.First == "t" && p.Second == "t" && (p.Verdict != c.want || !strings.Contains(p.Reason, c.reason)) {
				t.Errorf("%s: %s, %q", c.name, p.Verdict, p.Reason)
			}
		}
	}
}
