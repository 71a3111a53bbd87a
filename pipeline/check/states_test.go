package check

import (
	"context"
	"testing"
	"time"

	"whoop/pipeline"
)

// TestStates: going over the states decides these of our own tasks by itself, and shows
// the violations.
func TestStates(t *testing.T) {
	for name, want := range map[string]string{
		"condvar/meet_often":     "TRUE",
		"loops-bounded/leapfrog": "TRUE", "loops-bounded/leapfrog_short": "FALSE(unreach-call)",
		"loops-bounded/ring_copy": "TRUE", "loops-bounded/ring_copy_off": "FALSE(unreach-call)", "loops-bounded/pile_code": "FALSE(unreach-call)",
		"own-locks/ticket_ring": "TRUE", "own-locks/ticket_ring_overrun": "FALSE(unreach-call)",
		"thread-arrays/lock_in_row": "TRUE", "thread-arrays/lock_in_row_rounded": "FALSE(unreach-call)",
		"threads-unbounded/high_water": "TRUE", "threads-unbounded/high_water_overwritten": "FALSE(unreach-call)",
		"threads-unbounded/records": "TRUE", "threads-unbounded/records_second": "FALSE(unreach-call)",
	} {
		p, err := pipeline.Load("../../benchmarks/svcomp/"+name+".c", pipeline.Options{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(context.Background(), p, Options{Property: Unreach, Engines: []string{"states"}, Timeout: 5 * time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict() != want {
			t.Errorf("%s: %s, want %s: %+v", name, r.Verdict(), want, r.Steps)
		}
		if want != "TRUE" && (r.Bug == nil || r.Bug.Execution == nil) {
			t.Errorf("%s: no execution is shown", name)
		}
	}
}

// TestStatesKeepsOut: where what is assumed leaves executions out, or a violation depends
// on code that is not seen, going over the states gives no answer.
func TestStatesKeepsOut(t *testing.T) {
	for name, src := range map[string]string{
		"inline assembly": `int x; int main(void) { __asm__ volatile ("" : "=m" (x)); if (x) reach_error(); }`,
		"code not seen":   `int peer(int *); int main(void) { int x = 0; peer(&x); if (x) reach_error(); }`,
		"a recursive lock": `pthread_mutex_t m; int main(void) { pthread_mutexattr_t a; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
 pthread_mutex_init(&m, &a); pthread_mutex_lock(&m); pthread_mutex_lock(&m); reach_error(); }`,
	} {
		if r := run1(t, head+src, Options{Property: Unreach, Engines: []string{"states"}}); r.Answer != "UNKNOWN" {
			t.Errorf("%s: %s", name, r.Verdict())
		}
	}
}
