package confirm

import (
	"context"
	"fmt"
	"slices"
	"time"

	"whoop/diag"
	"whoop/internal/late"
	"whoop/ir"
	"whoop/pipeline"
	"whoop/pipeline/check"
)

// Bounds of what is explored without being asked for. They are numbers of things and not
// of seconds, so that the answer is the same on every machine.
const (
	// longest is how many events an execution may have.
	longest = 500
	// work is how many steps all executions have together, those that look ahead included:
	// what is proved of the corpora takes a hundredth of it.
	work = 1_000_000
	// largest is how many instructions the functions of a program may have: larger ones
	// take long to read again, and have too many executions.
	largest = 20_000
)

// explore goes through the executions of a program with a main function. Where it comes
// to the end of all, and none goes wrong, there is no race.
//
// It is a proof since package strategy runs one execution at least of each class of
// equivalent ones (optimal DPOR, Abdulla et al., POPL 2014), and a race shows in each
// execution of its class, by happens-before. What the executions leave out makes it none:
// code that is not seen, by whatever way it is called, callbacks that are not followed,
// what depends on where objects lie, arbitrary numbers of which a few were tried, atomic
// accesses that are weaker than sequential consistency, and errors that end the program
// before other threads go on. A race that was foreseen and never confirmed makes it none,
// too.
func (r *run) explore() {
	if slices.ContainsFunc(r.rep.Entries, outside) ||
		!slices.ContainsFunc(r.rep.Entries, isMain) || r.large() {
		return
	}
	in := r.opt.Input
	if in.Timeout = r.left(); in.Timeout < 0 {
		return
	}
	x, err := explored(r.ctx, r.path, in, r.opt.Executions)
	if err != nil {
		return // such programs are not explored: several main functions, say
	}
	if all(x) {
		by := fmt.Sprintf("explore: each of %d executions", x.Executions)
		if x.Executions == 1 {
			by = "explore: the one execution that there is"
		}
		r.prove(by, x.Assumptions)
		return
	}
	for i := range x.Bugs {
		r.confirm(&x.Bugs[i])
	}
	// Races that no execution shows stay: what another race orders is one, too, and those
	// are looked for that nothing comes between.
}

// explored runs so many executions of a program.
func explored(ctx context.Context, path string, in pipeline.Options,
	executions int64) (*diag.Exploration, error) {
	return pipeline.Explore(ctx, path, pipeline.ExploreOptions{Options: in,
		Strategy: "optimal-dpor", Bound: -1, Seed: 1,
		Executions: executions, Work: work, MaxEvents: longest, KeepGoing: true,
		Failures: true, FastOnly: true})
}

// all reports whether an exploration has covered all that a program can do, and nothing
// went wrong in it. A deadlock cuts nothing off: no thread can go on.
func all(x *diag.Exploration) bool {
	return x.Complete && x.Exact && !x.BoundHit && len(x.Open) == 0 && x.Weak == nil &&
		!slices.ContainsFunc(x.Bugs, func(b diag.Bug) bool { return b.Kind != "deadlock" })
}

// viewed is how many instructions a program may have of whose threads pairs are looked at.
const viewed = 1000

// views goes over the states of each two threads of a small C program with a main
// function, those of further threads being anything that such pairs allow. It proves locks
// of several words, whose loops have executions without end.
func (r *run) views() {
	if r.larger(viewed) || slices.ContainsFunc(r.rep.Entries, outside) || !slices.ContainsFunc(r.rep.Entries, isMain) ||
		slices.ContainsFunc(r.rep.Races, func(x diag.Race) bool { return x.Confirmed != nil }) {
		return
	}
	ctx, left := r.ctx, r.left()
	if left < 0 {
		return
	}
	if left > 0 {
		var cancel context.CancelFunc
		ctx, cancel = late.Watch(context.WithTimeout(ctx, left))
		defer cancel()
	}
	p, err := pipeline.Load(r.path, r.opt.Input)
	if err != nil || p.TypeSafe {
		return
	}
	res, err := check.Run(ctx, p, check.Options{Property: check.DataRace, Engines: []string{"verify", "states"}, Brief: true})
	if err == nil && res.Answer == "TRUE" && len(res.Steps) > 0 {
		r.prove("check, by "+res.Steps[len(res.Steps)-1].Engine,
			append(res.Assumptions, unfailing(p)...))
	}
}

// left is what is left of the time of the whole run: 0 where that has no end, below 0
// where it is up.
func (r *run) left() time.Duration {
	all := r.opt.Input.Timeout
	if all <= 0 {
		return 0
	}
	left := all - time.Duration(r.rep.Seconds*float64(time.Second)) - time.Since(r.start)
	if left <= 0 {
		return -1
	}
	return left
}

// large reports whether the functions that the entry points reach by calls of known
// functions have more than largest instructions.
func (r *run) large() bool { return r.larger(largest) }

func (r *run) larger(most int) bool {
	n := 0
	seen := map[*ir.Func]bool{}
	var visit func(f *ir.Func)
	visit = func(f *ir.Func) {
		if f == nil || seen[f] || n > most {
			return
		}
		seen[f] = true
		for _, b := range f.Blocks {
			n += len(b.Instrs)
			for _, in := range b.Instrs {
				if c, ok := in.(*ir.Call); ok {
					if a, ok := c.Callee.(ir.FuncAddr); ok {
						visit(a.Func)
					}
				}
			}
		}
	}
	for _, e := range r.rep.Entries {
		visit(e.Func)
	}
	return n > most
}
