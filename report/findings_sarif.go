package report

import (
	"github.com/owenrumney/go-sarif/v2/sarif"

	"whoop/diag"
)

// findingRules describe the kinds of findings.
var findingRules = [][2]string{
	{"lock-copy", "A value that contains a lock is copied: the copy is a lock of its own."},
	{"lock-held-blocking", "A lock is held at an operation that may wait for another goroutine."},
	{"waitgroup-add", "A goroutine adds to a WaitGroup that may be waited for already."},
	{"close-send", "A channel is closed while another goroutine may send to it."},
	{"double-close", "Two goroutines close the same channel."},
	{"nil-channel", "A send to, or a receive from, a channel that is never made."},
	{"ignore-without-reason", "A whoop:ignore comment gives no reason, so it is not followed."},
	{"unused-ignore", "A whoop:ignore comment is where nothing is reported."},
}

// addFindings adds the rules of the findings that occur, and a result for each finding.
func addFindings(run *sarif.Run, r *diag.Report) {
	occurs := map[string]bool{}
	for _, f := range r.Findings {
		occurs[f.Kind] = true
	}
	for _, a := range r.Accepted {
		if a.Finding != nil {
			occurs[a.Finding.Kind] = true
		}
	}
	for _, x := range findingRules {
		if occurs[x[0]] {
			run.AddRule(x[0]).WithDescription(x[1])
		}
	}
	for _, f := range r.Findings {
		run.AddResult(findingResult(f))
	}
}

// addAccepted adds what does not count: as suppressed where a comment says so, as
// unchanged where the baseline knows it.
func addAccepted(run *sarif.Run, as []diag.Acceptance) {
	for _, a := range as {
		var res *sarif.Result
		if a.Race != nil {
			res = raceResult(raceGroup{field: fieldOf(*a.Race), races: []diag.Race{*a.Race}})
		} else {
			res = findingResult(*a.Finding)
		}
		if a.By == "comment" {
			res.AddSuppression(sarif.NewSuppression("inSource").WithStatus("accepted").WithJustifcation(a.Reason).WithLocation(location(a.Pos, a.Reason)))
		} else {
			res.WithBaselineState("unchanged")
			res.AddSuppression(sarif.NewSuppression("external").WithStatus("accepted").WithJustifcation(a.Reason))
		}
		run.AddResult(res)
	}
}

// findingResult is one finding.
func findingResult(f diag.Finding) *sarif.Result {
	res := sarif.NewRuleResult(f.Kind).WithLevel(string(f.Level)).WithMessage(sarif.NewTextMessage(f.Message)).
		WithLocations([]*sarif.Location{location(f.Pos, f.Message)})
	var related []*sarif.Location
	for i, r := range f.Related {
		related = append(related, location(r.Pos, r.Message).WithId(i+1))
	}
	if len(related) > 0 {
		res.WithRelatedLocations(related)
	}
	return res
}
