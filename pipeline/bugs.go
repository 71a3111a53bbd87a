package pipeline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"whoop/bmc"
	"whoop/diag"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/trace"
)

// showBugs turns a check's bugs into traces: shortened, and run again. What does not
// replay is an internal error and not a bug.
func showBugs(p *ir.Program, j *job, res *bmc.Result, opt BMCOptions, run *diag.Run) error {
	m := j.shared.Compiled()
	hash := trace.Hash(p)
	inOrder(res.Bugs)
	for i := range res.Bugs {
		b := &res.Bugs[i]
		if again(res.Bugs[:i], b) {
			continue
		}
		t := traceOf(p, j, b, opt)
		t.Program = hash
		h, err := t.Harness(p)
		if err != nil {
			return err
		}
		x, err := trace.Shortest(m, h, t)
		if err != nil {
			run.Reason = strings.TrimPrefix(run.Reason+fmt.Sprintf("; internal error: the %s at %s does not replay: %v", b.Kind, b.At, err), "; ")
			continue
		}
		t = x.Trace
		bug := diag.Bug{Kind: b.Kind, Message: b.Msg, CSB: b.CSB, Execution: x, Preemptions: x.Preemptions, Lost: x.Lost}
		if j.h.Main {
			for _, g := range x.Guesses {
				if g.By == nil || !b.Idle[g.By] {
					bug.Guesses = append(bug.Guesses, g.Pos)
				}
			}
		}
		if b.Perhaps {
			at := b.At
			if t, ok := b.OtherIn.(*ir.Touch); ok && t.Perhaps {
				at = b.Other
			}
			bug.Guesses = append(bug.Guesses, at)
			bug.Message = strings.TrimSpace(bug.Message + " (of what code not seen gets there, it is not known whether it accesses all)")
		}
		if !j.h.Main && b.Kind == "assert" { // which may be an assertion about what the caller does
			bug.Message = strings.TrimSpace(bug.Message + " (what entry points are given, and the memory it leads to, is arbitrary here)")
		}
		if b.CSB < 0 {
			bug.CSB = x.Preemptions
			if !opt.Unbounded { // none has fewer
				bug.CSB = max(bug.CSB, opt.CSB+1)
			}
		}
		bug.Place = diag.BugPlace{Function: b.Func, Pos: b.At, Thread: name(x.Threads, b.Thread)}
		if b.Kind == "race" {
			bug.Other = diag.BugPlace{Function: b.OtherFunc, Pos: b.Other, Thread: name(x.Threads, b.OtherThread)}
		}
		if b.Kind == "deadlock" || b.Kind == bmc.Leak {
			deadlock(&bug, t, x)
		}
		run.Bugs = append(run.Bugs, bug)
	}
	return nil
}

// Confirmed is the bug that a trace of a program with a main function shows, shortened
// and run again; an error where it does not replay.
func Confirmed(p *ir.Program, t *trace.Trace) (*diag.Bug, error) {
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		return nil, err
	}
	h, err := t.Harness(p)
	if err != nil {
		return nil, err
	}
	x, err := trace.Shortest(m, h, t)
	if err != nil {
		return nil, err
	}
	t = x.Trace
	bug := &diag.Bug{Kind: t.Bug.Kind, Message: t.Bug.Message, CSB: x.Preemptions, Execution: x, Preemptions: x.Preemptions, Lost: x.Lost}
	bug.Place = diag.BugPlace{Pos: t.Bug.At.Pos(), Thread: name(x.Threads, t.Bug.Thread)}
	if t.Bug.Kind == "race" {
		bug.Other = diag.BugPlace{Pos: t.Bug.AtToo.Pos(), Thread: name(x.Threads, t.Bug.Other)}
	}
	if t.Bug.Kind == "deadlock" || t.Bug.Kind == bmc.Leak {
		deadlock(bug, t, x)
	}
	for _, g := range x.Guesses {
		bug.Guesses = append(bug.Guesses, g.Pos)
	}
	return bug, nil
}

// deadlock says who waits for what: the places are those of the first two threads that
// wait.
func deadlock(bug *diag.Bug, t *trace.Trace, x *trace.Execution) {
	bug.Message = x.Deadlock()
	t.Bug.Message = bug.Message
	for i := range x.Waits {
		w := &x.Waits[i]
		out := diag.BugWait{BugPlace: diag.BugPlace{Thread: name(x.Threads, w.Thread), Function: w.Func, Pos: w.Pos}, Does: w.String(), Held: w.Held}
		bug.Waits = append(bug.Waits, out)
		switch i {
		case 0:
			bug.Place = out.BugPlace
			t.Bug.At, t.Bug.Thread = trace.PlaceOf(w.Pos), w.Thread
		case 1:
			bug.Other = out.BugPlace
			t.Bug.AtToo, t.Bug.Other = trace.PlaceOf(w.Pos), w.Thread
		}
	}
}

func name(names []string, id interp.ThreadID) string {
	if id >= 0 && int(id) < len(names) {
		return names[id]
	}
	return ""
}

func traceOf(p *ir.Program, j *job, b *bmc.Bug, opt BMCOptions) *trace.Trace {
	t := &trace.Trace{Schema: trace.Schema, Tool: "whoop", Input: p.Name, Options: append([]string{}, opt.Flags...), Main: j.h.Main, Stays: j.h.Stays,
		Init: []string{}, Roots: []string{}, Schedule: b.Schedule, Inputs: b.Inputs}
	for _, r := range j.h.Init {
		t.Init = append(t.Init, r.Entry.Name)
	}
	for _, r := range j.h.Roots {
		t.Roots = append(t.Roots, r.Entry.Name)
	}
	t.Bug = trace.Bug{Kind: b.Kind, Message: b.Msg, Thread: b.Thread, Other: b.OtherThread, At: trace.PlaceOf(b.At), AtToo: trace.PlaceOf(b.Other)}
	return t
}

// again reports whether a race at the same two places was found before: a statement may
// be several accesses (x++).
func again(before []bmc.Bug, b *bmc.Bug) bool {
	for i := range before {
		if o := &before[i]; b.Kind == "race" && o.Kind == b.Kind && (o.At == b.At && o.Other == b.Other || o.At == b.Other && o.Other == b.At) {
			return true
		}
	}
	return false
}

// inOrder sorts bugs by their preemptions (those beyond the bound last), the properties
// and their places: which of them the solver found first is chance.
func inOrder(bugs []bmc.Bug) {
	slices.SortStableFunc(bugs, func(a, b bmc.Bug) int {
		if c := cmp.Compare(uint(a.CSB), uint(b.CSB)); c != 0 {
			return c
		}
		if c := cmp.Compare(slices.Index(Properties, a.Kind), slices.Index(Properties, b.Kind)); c != 0 {
			return c
		}
		return a.At.Compare(b.At)
	})
}
