package check

import (
	"slices"
	"strings"
	"testing"
)

// TestRungs: what the user bounds is not exceeded, and where both bounds are given the
// ladder ends with them.
func TestRungs(t *testing.T) {
	for _, c := range []struct {
		csb, unroll int
		first, last bound
	}{
		{0, 0, ladder[0], ladder[len(ladder)-1]},
		{3, 0, bound{3, 1, 1, 2}, bound{3, 100, 200, 60}},
		{3, 1, bound{3, 1, 1, 2}, bound{3, 1, 1, 2}},
		{3, 2, bound{3, 1, 1, 2}, bound{3, 2, 5, 3}},
		{2, 4, bound{2, 1, 1, 2}, bound{2, 4, 12, 6}},
		{2, 500, bound{2, 1, 1, 2}, bound{2, 500, 200, 60}},
		{0, 2, bound{1, 1, 1, 2}, bound{16, 2, 5, 3}},
	} {
		o := Options{CSB: c.csb, Unroll: c.unroll}
		r := o.rungs()
		if r[0] != c.first || r[len(r)-1] != c.last {
			t.Errorf("csb %d, unroll %d: %v", c.csb, c.unroll, r)
		}
		if !slices.IsSortedFunc(r, func(a, b bound) int { return a.unroll - b.unroll }) {
			t.Errorf("csb %d, unroll %d: iterations shrink: %v", c.csb, c.unroll, r)
		}
	}
}

// TestBothBounds: with --csb and --unroll bmc ends there. Two of the many threads show
// the first program's bug; they used to be unfolded by twenty at once, for which there
// was no time. The second one's shows in the fourth iteration only.
func TestBothBounds(t *testing.T) {
	const head = `#include <pthread.h>
extern void reach_error(void);
int n; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
`
	many := head + `void *add(void *a) { int v; pthread_mutex_lock(&m); v = n; pthread_mutex_unlock(&m); pthread_mutex_lock(&m); n = v + 1; pthread_mutex_unlock(&m); return 0; }
int main(void) { pthread_t t[1000]; for (int i = 0; i < 1000; i++) pthread_create(&t[i], 0, add, 0); if (n > 1) reach_error(); return 0; }`
	late := head + `void *add(void *a) { for (;;) { pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); } }
int main(void) { pthread_t t; pthread_create(&t, 0, add, 0); pthread_mutex_lock(&m); if (n == 4) reach_error(); pthread_mutex_unlock(&m); return 0; }`
	for _, c := range []struct {
		src         string
		csb, unroll int
		want        string
	}{
		{many, 1, 2, "FALSE"},
		{late, 1, 2, "UNKNOWN(no bug within csb=1, unroll=2"},
		{late, 1, 5, "FALSE"},
		{late, 1, 0, "FALSE"},
	} {
		r := run1(t, c.src, Options{Property: Unreach, CSB: c.csb, Unroll: c.unroll, Engines: []string{"bmc"}})
		if v := r.Verdict(); !strings.HasPrefix(v, c.want) {
			t.Errorf("csb %d, unroll %d: %s, want %s", c.csb, c.unroll, v, c.want)
		}
	}
}
