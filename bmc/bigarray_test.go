package bmc_test

import (
	"slices"
	"strings"
	"testing"

	"whoop/diag"
	"whoop/ir"
)

// TestBigArray: of an array that has too many elements the first ones are followed from
// where the index is added to; that others are not is said.
func TestBigArray(t *testing.T) {
	const spawns = `
static void *w(void *p) { THREAD return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); MAIN pthread_join(t, 0); return 0; }`
	for _, c := range []struct {
		decls, thread, main, bugs string
		whole                     bool
	}{
		{"int a[5000]; extern unsigned n(void);", "unsigned i = n(); if (i < 5000) a[i] = 1;", "a[7] = 2;", "race 1", false},
		{"int a[5000]; extern unsigned n(void);", "unsigned i = n(); if (i < 5000) a[i] = 1;", "a[4900] = 2;", "", false},
		{"int a[5000]; extern unsigned n(void); pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;",
			"unsigned i = n(); pthread_mutex_lock(&m); if (i < 5000) a[i] = 1; pthread_mutex_unlock(&m);",
			"pthread_mutex_lock(&m); assert(!a[3]); assert(!a[4900]); pthread_mutex_unlock(&m);", "assert 1", false},
		// A member that lies behind more elements than are followed: the index is known
		// to be in it.
		{"struct { char big[5000]; char small[20]; } s; extern unsigned n(void);", "unsigned i = n(); if (i < 20) s.small[i] = 1;", "s.small[3] = 2;", "race 1", true},
		{"struct { char big[5000]; char small[20]; } s; extern unsigned n(void);", "unsigned i = n(); if (i < 20) s.small[i] = 1;", "s.big[3] = 2;", "", true},
		// What comes behind the access is followed, too.
		{"int a[5000], x; extern unsigned n(void);", "unsigned i = n(); if (i < 5000) { a[i] = 1; x = 1; }", "x = 2;", "race 1", false},
	} {
		bugs, rep := check(t, c.decls+strings.NewReplacer("THREAD", c.thread, "MAIN", c.main).Replace(spawns), 2, 2)
		r := rep.Runs[0]
		open := slices.ContainsFunc(r.Assumptions, func(a ir.Assumption) bool { return a.Kind == "array" })
		if bugs != c.bugs || open == c.whole || bugs == "" && (r.Answer == diag.NoBug) != c.whole {
			t.Errorf("%s: %q, want %q; %s; not covered: %v", c.thread, bugs, c.bugs, r.Answer, open)
		}
	}
}
