package classic

import (
	"maps"
	"testing"

	"whoop/explore"
	"whoop/ir"
	"whoop/ir/interp"
)

// maxStates bounds the explorer, which must come to the end within it.
const maxStates = 1_000_000

// peeked are programs in which the explorer finds a bug at less cost than docs/csb.md says, by kind: two threads are about to race in
// the first step of one of them, and a thread's start is no step of its own for the explorer.
var peeked = map[string]map[string]int{
	"double_checked_plain": {"race": 0},
}

// testExplore holds the explorer, which goes through schedules one by one, against the answers: with any number of preemptions (but see
// explore= in EXPECT comments) and of iterations, no kind of bug exists at less cost than is said, and no other kind at all.
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
		note(got, f.Kind, f.Cost)
		if err := explore.Replay(m, h, f); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
	want := maps.Clone(e.least)
	maps.Copy(want, peeked[name])
	compare(t, got, want)
	if e.explore < 0 && r.BoundHit {
		t.Error("schedules were left out without a bound")
	}
}
