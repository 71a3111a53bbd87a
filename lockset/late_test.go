package lockset

import (
	"context"
	"strings"
	"testing"

	"whoop/diag"
	"whoop/ir"
)

// TestLate checks that a pair is unknown whose accesses were not all compared when the
// time was up.
func TestLate(t *testing.T) {
	s := &summary{entry: &ir.Entry{Name: "e"}}
	j := &comparer{f: &facts{}, grouped: map[*summary]*grouping{s: {all: []*group{{}}}}, late: func() error { return context.DeadlineExceeded }}
	p := j.pair(s, s)
	if p.Verdict != diag.Unknown || !p.AllMayRace || !strings.Contains(p.Reason, "not compared to the end") {
		t.Errorf("%+v", p)
	}
}

// TestTogether checks that without what tells threads' places apart, proofs stay and what
// may be a race is unknown.
func TestTogether(t *testing.T) {
	rep := &diag.Report{Pairs: []diag.Pair{{First: "a", Second: "a", Verdict: diag.RaceFree}, {First: "a", Second: "b", Verdict: diag.Racy}},
		Races: []diag.Race{{}}, Regions: diag.Regions{Total: 2, Racy: 1}}
	undecide(rep, "no time")
	rep.Finish()
	if rep.Verdict != diag.Unknown || rep.Pairs[0].Verdict != diag.RaceFree || rep.Pairs[1].Verdict != diag.Unknown || rep.Pairs[1].Reason != "no time" || len(rep.Races) > 0 || rep.Regions.Racy > 0 {
		t.Errorf("%+v", rep)
	}
}
