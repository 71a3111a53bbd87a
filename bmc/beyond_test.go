package bmc_test

import (
	"strings"
	"testing"
)

// TestLeastBeyondTheBound: of bugs with more preemptions than were asked for, an
// execution with as few as can be is shown.
func TestLeastBeyondTheBound(t *testing.T) {
	for _, src := range []string{`static volatile int s;
static void *w(void *p) { if (s == 1) s = 2; if (s == 3) s = 4; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); s = 1; if (s == 2) s = 3; assert(s != 4); pthread_join(t, 0); return 0; }`,
		`static int x;
static void *w(void *q) { x = 1; x = 2; x = 3; return 0; }
int main(void) { pthread_t a; pthread_create(&a, 0, w, 0); int p = x; int q = x; assert(p != 1 || q != 3); pthread_join(a, 0); return 0; }`,
	} {
		if bugs, _ := check(t, src, 2, 1); !strings.Contains(bugs, "assert 3") {
			t.Errorf("%s: want an assertion at csb 3\n%s", bugs, src)
		}
	}
}
