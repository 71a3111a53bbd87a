package confirm

import (
	"context"
	"fmt"
	"slices"
	"time"

	"whoop/diag"
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
// code that is not seen, callbacks that are not followed, arbitrary numbers of which a few
// were tried, atomic accesses that are weaker than sequential consistency, and errors that
// end the program before other threads go on.
func (r *run) explore() {
	if slices.ContainsFunc(r.rep.Entries, outside) ||
		!slices.ContainsFunc(r.rep.Entries, isMain) || r.large() {
		return
	}
	in := r.opt.Input
	if in.Timeout > 0 { // that of the whole run
		in.Timeout -= time.Duration(r.rep.Seconds * float64(time.Second))
		if in.Timeout <= 0 {
			return
		}
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
	if whole(x, "deadlock", "race") {
		r.refute(x)
	}
}

// refute takes out the races that no execution shows, where the executions are all that
// there are and nothing goes wrong in them but races and deadlocks: such an execution goes
// on behind a race. Where what they show is at other places than the races of the report,
// it is not known which of these it is.
func (r *run) refute(x *diag.Exploration) {
	rep := r.rep
	known := func(b diag.Bug) bool {
		return slices.ContainsFunc(rep.Races, func(y diag.Race) bool { return shows(&b, &y) })
	}
	if rep.Cut > 0 || slices.ContainsFunc(x.Bugs, func(b diag.Bug) bool { return b.Kind == "race" && !known(b) }) ||
		slices.ContainsFunc(rep.Races, func(y diag.Race) bool { return len(y.Among) > 0 }) {
		return
	}
	rep.Races = slices.DeleteFunc(rep.Races, func(y diag.Race) bool {
		return (y.Kind == "" || y.Kind == diag.DataRace) &&
			!slices.ContainsFunc(x.Bugs, func(b diag.Bug) bool { return shows(&b, &y) })
	})
	for i := range rep.Pairs {
		p := &rep.Pairs[i]
		if isOpen(*p) && !slices.ContainsFunc(rep.Races, func(y diag.Race) bool { return between(&y, p) }) {
			r.proved(p, fmt.Sprintf("explore: none of %d executions shows a race", x.Executions))
		}
	}
	regions, fields := map[string]bool{}, map[string]bool{}
	for _, y := range rep.Races {
		regions[y.Region], fields[y.Field] = true, true
	}
	rep.Guards = slices.DeleteFunc(rep.Guards, func(g diag.Guard) bool { return !fields[g.Field] })
	rep.Regions.Racy = len(regions)
	rep.Assumptions = append(rep.Assumptions, x.Assumptions...)
	rep.Finish()
}

// shows reports whether an execution shows a race of the report.
func shows(b *diag.Bug, x *diag.Race) bool {
	return b.Kind == "race" && (same(x, b.Place, b.Other) || same(x, b.Other, b.Place))
}

// between reports whether a race is one of a pair.
func between(x *diag.Race, p *diag.Pair) bool {
	is := func(name string) bool { return name == p.First+","+p.Second || name == p.Second+","+p.First }
	return is(x.First.Entry+","+x.Second.Entry) || slices.ContainsFunc(x.Pairs, is)
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
func all(x *diag.Exploration) bool { return whole(x, "deadlock") }

// whole is the same where something of some kinds may go wrong.
func whole(x *diag.Exploration, kinds ...string) bool {
	return x.Complete && x.Exact && !x.BoundHit && len(x.Open) == 0 && x.Weak == nil &&
		!slices.ContainsFunc(x.Bugs, func(b diag.Bug) bool { return !slices.Contains(kinds, b.Kind) })
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
	p, err := pipeline.Load(r.path, r.opt.Input)
	if err != nil || p.TypeSafe {
		return
	}
	res, err := check.Run(r.ctx, p, check.Options{Property: check.DataRace, Engines: []string{"verify", "states"}, Brief: true})
	if err == nil && res.Answer == "TRUE" && len(res.Steps) > 0 {
		r.prove("check, by "+res.Steps[len(res.Steps)-1].Engine, res.Assumptions)
	}
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
