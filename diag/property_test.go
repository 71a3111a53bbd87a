package diag_test

import (
	"slices"
	"testing"

	"whoop/diag"
	"whoop/ir"
)

// TestByProperty: a bug of one property says nothing of the others, of which as much is
// known as was covered.
func TestByProperty(t *testing.T) {
	race := diag.Bug{Kind: "race"}
	whole := diag.Run{CSB: 2, AllRounds: true, Exhaustive: true, Unrolled: true}
	with := func(x diag.Run, change func(*diag.Run)) diag.Run { change(&x); return x }
	for _, c := range []struct {
		name           string
		run            diag.Run
		race, deadlock diag.Answer
	}{
		{"a race, all executions", with(whole, func(x *diag.Run) { x.Bugs = []diag.Bug{race} }), diag.HasBug, diag.NoBug},
		{"a race, and not all iterations", with(whole, func(x *diag.Run) { x.Bugs, x.Unrolled = []diag.Bug{race}, false }), diag.HasBug, diag.Bounded},
		{"ended with the first bug", with(whole, func(x *diag.Run) { x.Bugs, x.CSB = []diag.Bug{race}, 0 }), diag.HasBug, diag.Undecided},
		{"no bug at all", whole, diag.NoBug, diag.NoBug},
		{"something is not covered", with(whole, func(x *diag.Run) { x.Assumptions = []ir.Assumption{{Kind: "undefined"}} }), diag.Partial, diag.Partial},
		{"something is not covered that deadlocks are about", with(whole, func(x *diag.Run) { x.Assumptions = []ir.Assumption{{Kind: "waits"}} }), diag.NoBug, diag.Partial},
		{"arbitrary values", with(whole, func(x *diag.Run) { x.Assumptions = []ir.Assumption{{Kind: "opaque"}} }), diag.NoBug, diag.NoBug},
		{"a race only if", with(whole, func(x *diag.Run) { x.Bugs = []diag.Bug{{Kind: "race", Guesses: []ir.Pos{{Line: 1}}}} }), diag.Possible, diag.NoBug},
		{"not run", diag.Run{CSB: -1, Skipped: true, Assumptions: []ir.Assumption{{Kind: "init"}}}, diag.Partial, diag.NoBug},
		{"proved race-free, and out of time", diag.Run{CSB: -1, Proved: true, Reason: "out of time"}, diag.NoBug, diag.Undecided},
	} {
		r := &diag.BoundedReport{CSB: 2, Properties: []string{"race", "deadlock"}, Runs: []diag.Run{whole, c.run}}
		got := r.ByProperty()
		if got[0].Answer != c.race || got[1].Answer != c.deadlock {
			t.Errorf("%s: %v", c.name, got)
		}
		if c.race == diag.HasBug && !slices.Equal(got[0].Bugs, []int{1}) {
			t.Errorf("%s: bugs %v", c.name, got[0].Bugs)
		}
	}
}
