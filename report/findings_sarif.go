package report

import (
	"slices"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"whoop/diag"
	"whoop/report/accept"
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
func (s *sarifRun) addFindings(r *diag.Report) {
	for _, x := range findingRules {
		if slices.ContainsFunc(r.Findings, func(f diag.Finding) bool { return f.Kind == x[0] }) ||
			slices.ContainsFunc(r.Accepted, func(a diag.Acceptance) bool { return a.Finding != nil && a.Finding.Kind == x[0] }) {
			s.rule(x[0], x[1], "warning", "medium")
		}
	}
	for _, f := range r.Findings {
		s.run.AddResult(s.findingResult(f))
	}
}

// addAccepted adds what does not count: as suppressed where a comment says so, as
// unchanged where the baseline knows it.
func (s *sarifRun) addAccepted(as []diag.Acceptance) {
	for _, a := range as {
		var res *sarif.Result
		if a.Race != nil {
			res = s.raceResult(raceGroup{field: fieldOf(*a.Race), races: []diag.Race{*a.Race}})
		} else {
			res = s.findingResult(*a.Finding)
		}
		by := sarif.NewSuppression().WithKind("external").WithStatus("accepted").WithJustification(a.Reason)
		if a.By == "comment" {
			by.WithKind("inSource").WithLocation(s.location(a.Pos, a.Reason))
		} else {
			res.WithBaselineState("unchanged")
		}
		s.run.AddResult(res.AddSuppression(by))
	}
}

// findingResult is one finding.
func (s *sarifRun) findingResult(f diag.Finding) *sarif.Result {
	res := s.result(f.Kind, string(f.Level), f.Message, accept.FindingFingerprint(f)).AddLocation(s.location(f.Pos, f.Message))
	for i, r := range f.Related {
		res.AddRelatedLocation(s.location(r.Pos, r.Message).WithID(i + 1))
	}
	return res
}
