package lockset

import (
	"testing"

	"whoop/diag"
	"whoop/ir"
)

// TestUndecided: a run that was cut short proves nothing.
func TestUndecided(t *testing.T) {
	p := &ir.Program{Entries: []*ir.Entry{{Name: "a"}, {Name: "b"}}}
	rep := Undecided(p, "too late")
	if rep.Verdict != diag.Unknown || len(rep.Pairs) != 3 {
		t.Fatalf("%s with %d pairs; want unknown with 3", rep.Verdict, len(rep.Pairs))
	}
	for _, pr := range rep.Pairs {
		if pr.Verdict != diag.Unknown || !pr.AllMayRace || pr.Reason != "too late" {
			t.Errorf("%s and %s: %s (%s)", pr.First, pr.Second, pr.Verdict, pr.Reason)
		}
	}
}
