package report

import (
	"fmt"
	"io"
	"strings"

	"whoop/diag"
	"whoop/trace"
)

// answerClass is the colour of an answer on the page.
func answerClass(a diag.Answer) string {
	switch a {
	case diag.HasBug:
		return "bug"
	case diag.NoBug, diag.Bounded:
		return "no"
	}
	return "open"
}

// BoundedHTML prints what bmc found as one self-contained page.
func BoundedHTML(w io.Writer, r *diag.BoundedReport) error {
	p := newWebPage("bmc", r.Input, r.Version)
	t := &text{src: p.src}
	p.Verdict, p.Class, p.Summary = string(r.Answer()), answerClass(r.Answer()), t.conclusion(r)
	p.Seconds = fmt.Sprintf("%.2f s", r.Seconds)
	n, same := 0, alike(r)
	runs := webTable{Title: "What was checked", Head: []string{"threads", "answer", "covered", "seconds"}}
	for i := range r.Runs {
		x := &r.Runs[i]
		for k := range x.Bugs {
			n++
			p.Bugs = append(p.Bugs, p.bug(n, x.Threads, &x.Bugs[k], same[keyOf(&x.Bugs[k])]))
		}
		name := strings.Join(x.Threads, " | ")
		if x.Proved {
			name += " (proved race-free)"
		}
		runs.Rows = append(runs.Rows, []string{name, t.open(x.Answer, notFollowed(r, x)), covered(r, x), fmt.Sprintf("%.2f", x.Seconds)})
		if x.Reason != "" {
			p.Undecided = append(p.Undecided, name+": "+x.Reason)
		}
	}
	props := webTable{Title: "Properties", Head: []string{"property", "answer"}}
	for _, a := range r.ByProperty() {
		props.Rows = append(props.Rows, []string{a.Property, t.open(a.Answer, a.NotFollowed)})
	}
	p.Tables, p.Notes = []webTable{props, runs}, r.Notes
	p.Undecided = append(p.Undecided, notCovered(r)...)
	p.assume(r.Assumptions)
	return p.write(w)
}

// notCovered says what runs did not follow, each once.
func notCovered(r *diag.BoundedReport) []string {
	var out []string
	seen := map[string]bool{}
	for i := range r.Runs {
		for _, a := range r.Runs[i].Assumptions {
			s := fmt.Sprintf("not covered (%s): %s: %s", a.Kind, a.Pos, a.Text)
			if !seen[s] {
				seen[s] = true
				out = append(out, s)
			}
		}
	}
	return out
}

// ExplorationHTML prints what explore found as one self-contained page.
func ExplorationHTML(w io.Writer, x *diag.Exploration) error {
	p := newWebPage("explore", x.Input, x.Version)
	p.Verdict, p.Class = "not complete", "open"
	switch {
	case len(x.Bugs) > 0:
		p.Verdict, p.Class = plural(len(x.Bugs), "error"), "bug"
	case x.Complete:
		p.Verdict, p.Class = "no error", "no"
	}
	p.Summary = Conclusion(x) + " (" + strings.Join(work(x), ", ") + ")"
	for i := range x.Bugs {
		p.Bugs = append(p.Bugs, p.bug(i+1, inPair(x, i).Threads, &x.Bugs[i], inPairs(x, i)))
	}
	if len(x.Pairs) > 0 {
		t := webTable{Title: "Pairs of entry points", Head: []string{"threads", "answer", "executions", "states"}}
		for i := range x.Pairs {
			q := &x.Pairs[i]
			t.Rows = append(t.Rows, []string{pairName(q), pairAnswer(q, x.Bugs), fmt.Sprint(q.Executions), fmt.Sprint(q.States)})
		}
		p.Tables = []webTable{t}
	}
	for _, a := range x.Open {
		p.Undecided = append(p.Undecided, fmt.Sprintf("not covered (%s): %s: %s", a.Kind, a.Pos, a.Text))
	}
	p.Notes = x.Notes
	p.assume(x.Assumptions)
	return p.write(w)
}

// ExecutionHTML prints one execution, which was run again, as a self-contained page.
func ExecutionHTML(w io.Writer, x *trace.Execution) error {
	b := &x.Trace.Bug
	p := newWebPage("replay", x.Trace.Input, x.Trace.Version)
	p.Verdict, p.Class, p.Summary = words(b.Kind), "bug", b.Message
	bug := diag.Bug{Kind: b.Kind, Message: b.Message, CSB: x.Preemptions, Execution: x, Preemptions: x.Preemptions}
	bug.Place = diag.BugPlace{Thread: threadName(x, int(b.Thread)), Pos: b.At.Pos()}
	if b.Kind == "race" {
		bug.Other = diag.BugPlace{Thread: threadName(x, int(b.Other)), Pos: b.AtToo.Pos()}
	}
	p.Bugs = []webBug{p.bug(1, nil, &bug, nil)}
	return p.write(w)
}
