package pipeline

import (
	"cmp"
	"context"
	"slices"
	"time"

	"whoop/diag"
	"whoop/explore/strategy"
	"whoop/internal/live"
	"whoop/ir"
)

// Before formulas are made of a program with a main function, executions are drawn for a
// moment: bugs that need few preemptions mostly show in the first hundred, where formulas
// may take a minute. drawRuns and drawSteps end that alike on every machine; drawTime is
// for programs whose steps are slow.
//
// What is drawn is shortened and replayed like any other bug. How many preemptions it
// takes is then known from above only, and other bugs may be there: formulas look for
// these, with drawnWork units of the solvers' work (some seconds), or as long as the user gave.
const (
	drawRuns, drawSteps = 3_000, 600_000
	drawTime            = 2 * time.Second
	drawnWork           = 5_000_000
)

// drawnReason is why a check did not get to its bounds where bugs were drawn.
const drawnReason = "a bug was found by running executions at random; formulas looked for further bugs for a few seconds only (--timeout 5m lets them go on)"

// draw draws executions and returns the bugs that they show; each is one that bmc would
// report. A nil *states draws nothing.
func (x *states) draw() []diag.Bug {
	if x == nil || x.opt.Undrawn {
		return nil
	}
	live.On(x.ctx).Engine("executions by chance", "")
	ctx, cancel := context.WithTimeout(x.ctx, drawTime)
	defer cancel()
	o := strategy.Options{Strategy: strategy.Walk, Context: ctx, Seed: 1, Executions: drawRuns,
		Work: drawSteps, MaxEvents: drawSteps, NoRaces: !x.wants("race"),
		KeepGoing: !x.opt.FirstBug || len(x.opt.Properties) > 0, // the first need not be wanted
		Progress:  func(p strategy.Progress) { live.On(ctx).Set("executions", p.Executions) }}
	if looseLocks(x.p) {
		o.Ignore = []string{"double-lock", "unlock-not-held"}
	}
	r, err := strategy.Run(x.p, o)
	if err != nil {
		return nil
	}
	var out []diag.Bug
	for _, t := range r.Traces {
		if !slices.Contains(Properties, t.Bug.Kind) || !x.wants(t.Bug.Kind) || has(out, t) {
			continue
		}
		t.Options = append([]string{}, x.opt.Flags...)
		b, err := Confirmed(x.p, t)
		if err != nil || len(b.Guesses) > 0 {
			continue
		}
		b.Place.Function, b.Other.Function = functionAt(x.p, b.Place.Pos), functionAt(x.p, b.Other.Pos)
		out = append(out, *b)
	}
	slices.SortStableFunc(out, func(a, b diag.Bug) int {
		return cmp.Or(cmp.Compare(a.CSB, b.CSB), cmp.Compare(slices.Index(Properties, a.Kind), slices.Index(Properties, b.Kind)),
			ir.Pos.Compare(a.Place.Pos, b.Place.Pos), ir.Pos.Compare(a.Other.Pos, b.Other.Pos))
	})
	return out
}

// wants reports whether a kind of bug is looked for.
func (x *states) wants(kind string) bool {
	return len(x.opt.Properties) == 0 || slices.Contains(x.opt.Properties, kind)
}

// functionAt is the name of the function that has an instruction at a place.
func functionAt(p *ir.Program, at ir.Pos) string {
	for _, f := range p.Funcs {
		if at.Line > 0 && anyInstr(f, func(in ir.Instr) bool { return in.At() == at }) {
			return f.Name
		}
	}
	return ""
}

// drawnRun is the run of a check that ends with the first bug, which was drawn.
func (x *states) drawnRun(bugs []diag.Bug) diag.Run {
	return diag.Run{Threads: x.j.names, Bugs: bugs[:1], CSB: -1, Counters: map[string]int{}}
}

// addDrawn adds the bugs that were drawn to those of a run. One that the run has found,
// too, has the least number of preemptions there.
func addDrawn(run *diag.Run, bugs []diag.Bug) {
	for _, b := range bugs {
		if !has(run.Bugs, b.Execution.Trace) {
			run.Bugs = append(run.Bugs, b)
		}
	}
}
