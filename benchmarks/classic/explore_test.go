package classic

import (
	"testing"

	"whoop/explore"
	"whoop/ir"
	"whoop/ir/interp"
)

// maxStates bounds the explorer, which must come to the end within it.
const maxStates = 1_000_000

// testExplore holds the explorer, which goes through schedules one by one, against the
// answers: with any number of preemptions (but see explore= in EXPECT comments) and of
// iterations, no kind of bug exists at less cost than is said, and no other kind at all.
func testExplore(t *testing.T, name string, p *ir.Program, e *expectation) {
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	h := interp.MainOf(p.FuncByName("main"))
	r, err := explore.Exhaustive(m, h, explore.Options{Bound: e.explore, Cache: true, MaxStates: maxStates})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete {
		t.Fatalf("not complete after %d states: %s", r.States, r.Reason)
	}
	got := map[string]int{}
	for _, f := range r.Findings {
		note(got, f.Kind, f.Preemptions)
		if err := explore.Replay(m, h, f); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
	compare(t, got, e.least)
	if e.explore < 0 && r.BoundHit {
		t.Error("schedules were left out without a bound")
	}
}
