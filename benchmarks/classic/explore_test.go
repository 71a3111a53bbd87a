package classic

import (
	"testing"

	"whoop/explore"
)

// maxStates bounds the explorer, which must come to the end within it.
const maxStates = 1_000_000

// TestExplore holds the explorer, which goes through schedules one by one, against the same answers: with any number of preemptions
// and of iterations, no kind of bug exists at less cost than is said, and no other kind at all.
func TestExplore(t *testing.T) {
	each(t, func(t *testing.T, file string, e *expectation) {
		m, h := compiled(t, file)
		r, err := explore.Exhaustive(m, h, explore.Options{Bound: e.explore, Cache: true, MaxStates: maxStates})
		if err != nil {
			t.Fatal(err)
		}
		if !r.Complete {
			t.Fatalf("not complete after %d states: %s", r.States, r.Reason)
		}
		t.Log(r.States, "states")
		got := map[string]int{}
		for _, f := range r.Findings {
			if c, ok := got[kindOf(f.Kind)]; !ok || f.Cost < c {
				got[kindOf(f.Kind)] = f.Cost
			}
			if err := explore.Replay(m, h, f); err != nil {
				t.Errorf("%s: %v", f, err)
			}
		}
		compare(t, "explore", got, e.least)
	})
}
