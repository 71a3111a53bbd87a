package report

import (
	"fmt"
	"strings"

	"whoop/diag"
	"whoop/ir"
)

// nothing says that nothing runs concurrently, and what was looked at.
func nothing(r *diag.Report) string {
	l := r.Looked
	s := "nothing here runs concurrently"
	if n := len(l.Unseen); n > 0 {
		s += ", as far as is seen: " + l.Unseen[0] + ", and may start threads"
		if n > 1 {
			s += fmt.Sprintf(" (and %d more)", n-1)
		}
	}
	s += "; looked at " + plural(l.Functions, "function")
	if l.Packages > 0 {
		s += " of " + plural(l.Packages, "package")
	}
	s += ", " + plural(len(r.Entries), "entry point")
	if len(r.Entries) > 1 {
		s += ", no two of which can overlap"
	}
	callbacks := "no functions"
	if l.Callbacks > 0 {
		callbacks = "functions at " + plural(l.Callbacks, "place")
	}
	s += ", code that is not seen gets " + callbacks
	if k := r.Warnings(); k > 0 {
		s += ", " + plural(k, "warning")
	}
	return s
}

// maxLeft is how many of the types that were left out the summary names.
const maxLeft = 5

// leftOut names the exported types that were not looked at, for the summary.
func leftOut(r *diag.Report) string {
	types := r.LeftTypes()
	if len(types) == 0 {
		return ""
	}
	var names []string
	for _, l := range types[:min(len(types), maxLeft)] {
		names = append(names, l.Name)
	}
	s := fmt.Sprintf("; not looked at: %s (%s", plural(len(types), "exported type"), strings.Join(names, ", "))
	if n := len(types) - len(names); n > 0 {
		s += fmt.Sprintf(" and %d more", n)
	}
	return s + "; --all says why)"
}

// left lists what no entry point is about: in a line, or with --all one by one.
func (t *text) left(ls []ir.Left) {
	if len(ls) == 0 {
		return
	}
	n := map[string]int{}
	for _, l := range ls {
		n[l.Kind]++
	}
	t.printf("\nno entry point is about %s and %s that are exported", plural(n["type"], "type"), plural(n["function"], "function"))
	if !t.opt.All {
		t.printf(" (--all has their names)\n")
		return
	}
	t.printf("\n")
	for _, l := range ls {
		t.printf("  %s %s, %s: %s\n", l.Kind, l.Name, l.Pos, l.Why)
	}
}
