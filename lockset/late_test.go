package lockset

import (
	"context"
	"strings"
	"testing"

	"whoop/diag"
	"whoop/ir"
)

// TestLate checks that a pair is unknown whose accesses were not all compared when the time was up.
func TestLate(t *testing.T) {
	s := &summary{entry: &ir.Entry{Name: "e"}}
	j := &judge{f: &facts{}, grouped: map[*summary]*grouping{s: {all: []*group{{}}}}, late: func() error { return context.DeadlineExceeded }}
	p := j.pair(s, s)
	if p.Verdict != diag.Unknown || !p.AllMayRace || !strings.Contains(p.Reason, "not compared to the end") {
		t.Errorf("%+v", p)
	}
}
