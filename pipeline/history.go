package pipeline

import (
	"context"

	"whoop/bmc"
	"whoop/diag"
	"whoop/ir"
)

// What is asked of races that take more than a pair: executions with at most historyCSB
// preemptions, in which arrays have at most historyCells elements and loops that end by
// constants at most historyTurns iterations, and of each query at most historyConflicts
// conflicts. Longer formulas take minutes where few more races show.
const historyCSB, historyConflicts, historyCells, historyTurns = 2, 4_000, 256, 32

// afterOthers looks for the races of a pair that take more than the pair: where verify
// does not prove it free of races, each other entry may have run before, once or as often
// as Before says, and calls may fail. What has been shown already is not looked for
// again. It adds to the bugs of the run, and says nothing where it finds none: what it
// looks for takes other entry points than the run is about.
func afterOthers(ctx context.Context, p *ir.Program, j *job, res *bmc.Result, opt BMCOptions, run *diag.Run) error {
	o := j.bounds(opt)
	if j.history == nil || j.proved || opt.FirstBug || opt.LalRepsOnly || opt.Clean || run.Reason != "" || o.Properties != nil && !o.Properties["race"] {
		return nil
	}
	type pair struct{ a, b ir.Instr }
	known := map[pair]bool{}
	for _, b := range res.Bugs {
		if b.Kind == "race" {
			known[pair{b.Instr, b.OtherIn}], known[pair{b.OtherIn, b.Instr}] = true, true
		}
	}
	o.Properties = map[string]bool{"race": true}
	o.Known = func(a, b ir.Instr) bool { return known[pair{a, b}] }
	o.CSB = min(o.CSB, historyCSB)
	o.MaxConflicts = historyConflicts
	o.Failures, o.MaxCells, o.FewCells, o.MaxVisible = true, historyCells, -1, historyTurns
	more, err := bmc.Check(ctx, p, *j.history, o, Solver(opt.Memory))
	if err != nil {
		return err
	}
	for _, u := range more.Unconfirmed {
		run.Reason = "internal error: an execution was found that the interpreter does not confirm: " + u
	}
	after := *j
	after.h = *j.history
	return showBugs(p, &after, more, opt, run)
}
