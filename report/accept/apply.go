package accept

import (
	"fmt"

	"whoop/diag"
	"whoop/ir"
)

// byComment is diag.Acceptance.By of what a comment accepts.
const byComment = "comment"

// kindBare is the kind of the finding about a comment without a reason.
const kindBare = "ignore-without-reason"

// Apply takes the races and warnings at lines with a comment out of the report. A comment
// without a reason takes nothing out and is a warning. One that nothing matches is a
// note, unless something of the run is undecided or left out (whole is false): then what
// it is about may be just that.
func (s *Set) Apply(rep *diag.Report, whole bool) {
	at := map[ir.Pos]*Comment{}
	for _, c := range s.all {
		if c.Reason != "" && c.Line > 0 {
			at[ir.Pos{File: c.Pos.File, Line: c.Line}] = c
		}
	}
	take := func(places ...ir.Pos) *diag.Acceptance {
		var first *Comment
		for _, p := range places {
			if c := at[ir.Pos{File: p.File, Line: p.Line}]; c != nil {
				c.used = true
				if first == nil {
					first = c
				}
			}
		}
		if first == nil {
			return nil
		}
		return &diag.Acceptance{By: byComment, Reason: first.Reason, Pos: first.Pos}
	}
	rep.Accept(func(x diag.Race) *diag.Acceptance { return take(x.First.Pos, x.Second.Pos) },
		func(f diag.Finding) *diag.Acceptance { return take(f.Pos) })
	rep.AddFindings(s.findings(whole && complete(rep))...)
}

// findings is what is wrong with the comments themselves.
func (s *Set) findings(whole bool) []diag.Finding {
	var out []diag.Finding
	for _, c := range s.all {
		switch {
		case c.Reason == "":
			out = append(out, diag.Finding{Kind: kindBare, Level: diag.Warning, Pos: c.Pos, Subject: marker,
				Message: "this comment is not followed because it gives no reason: write //" + marker + " REASON"})
		case whole && !c.used:
			out = append(out, diag.Finding{Kind: "unused-ignore", Level: diag.Note, Pos: c.Pos, Subject: marker,
				Message: "no race and no warning is reported where this comment is: it can go" + c.where()})
		}
	}
	return out
}

func (c *Comment) where() string {
	if c.Line == 0 {
		return " (it belongs to no line of code: put it on the line it is about, or right above)"
	}
	return fmt.Sprintf(" (it is about line %d)", c.Line)
}

// complete reports whether everything was decided and nothing left out.
func complete(rep *diag.Report) bool {
	for _, p := range rep.Pairs {
		if p.Verdict == diag.Unknown || p.Doubt != "" {
			return false
		}
	}
	return rep.Cut == 0
}
