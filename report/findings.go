package report

import (
	"fmt"

	"whoop/diag"
)

// findings prints what was noticed besides races.
func (t *text) findings(fs []diag.Finding) {
	for _, f := range fs {
		t.printf("\n%s\n", t.paint(headingColor, fmt.Sprintf("%s (%s)", f.Level, f.Kind)))
		t.printf("  %s: %s\n", f.Pos, f.Message)
		t.source(f.Pos)
		for _, r := range f.Related {
			t.printf("  %s: %s\n", r.Pos, r.Message)
		}
	}
}

// accepted lists what does not count, by what says so.
func (t *text) accepted(as []diag.Acceptance) {
	for _, by := range []struct{ name, text string }{{"comment", "ignored by comments"}, {"baseline", "known by the baseline"}} {
		n := tally(as, by.name)
		if n == "" {
			continue
		}
		t.printf("\n%s %s\n", n, by.text)
		for _, a := range as {
			if a.By == by.name {
				t.printf("  %s\n", acceptedLine(a))
			}
		}
	}
}

// tally counts the races and warnings that were accepted by something: "1 race and 2
// warnings", "" for none.
func tally(as []diag.Acceptance, by string) string {
	races, warnings := 0, 0
	for _, a := range as {
		switch {
		case a.By != by:
		case a.Race != nil:
			races++
		default:
			warnings++
		}
	}
	switch {
	case races > 0 && warnings > 0:
		return plural(races, "race") + " and " + plural(warnings, "warning")
	case races > 0:
		return plural(races, "race")
	case warnings > 0:
		return plural(warnings, "warning")
	}
	return ""
}

// acceptedLine is an accepted race or finding in one line.
func acceptedLine(a diag.Acceptance) string {
	s := ""
	if x := a.Race; x != nil {
		s = fmt.Sprintf("race on %s: %s at %s, %s at %s", x.Region, x.First.Kind, x.First.Pos, x.Second.Kind, x.Second.Pos)
	} else {
		s = fmt.Sprintf("%s at %s", a.Finding.Kind, a.Finding.Pos)
	}
	if a.By == "comment" {
		s += fmt.Sprintf(" (%s: %s)", a.Pos, a.Reason)
	}
	return s
}

// acceptedRaces counts the races among what was accepted.
func acceptedRaces(as []diag.Acceptance) int {
	n := 0
	for _, a := range as {
		if a.Race != nil {
			n++
		}
	}
	return n
}
