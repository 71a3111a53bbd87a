package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"whoop/analysis/alias"
	"whoop/analysis/contexts"
	"whoop/analysis/mhp"
	"whoop/diag"
	"whoop/ir"
	"whoop/lockset"
)

// Tiers. What tells the calls of a function apart (package contexts), and one thread from
// the next (alias.Disjoint), makes a program several times as large, and most accesses of
// a large program are decided without it. So a large program is proved twice: first as it
// is, then with all that, but only what is open, pair by pair (lockset.Open). Each tier
// is a proof of its own about the whole program, and two accesses are apart if one of
// them says so.
//
// A race of the first tier is one if the second does not exclude it. Where that one was
// cut short, what the first has found is reported.

// large is how many instructions the copied program has of which a first tier is worth
// its time.
const large = 20000

// tier is one proof about a program.
type tier struct {
	of    map[ir.Instr]ir.Instr // the instructions that those of its program are copies of; nil: they are none
	proof *lockset.Proof        // nil where a stage before it was cut short
	rep   *diag.Report
}

// proveTiers is Prove for a program without Awaits.
func proveTiers(ctx context.Context, p *ir.Program, opt Options) (*diag.Report, error) {
	start := time.Now()
	q, of := contexts.Split(p, contexts.Options{})
	if sizeOf(q) < large {
		t, err := prove(ctx, q, of, opt, nil)
		if err != nil {
			return nil, err
		}
		return t.rep, nil
	}
	within, cancel := halfOf(ctx)
	defer cancel()
	first, err := prove(within, p, nil, opt, nil)
	if err != nil {
		return nil, err
	}
	if first.rep.Proved() {
		return first.rep, nil
	}
	second, err := prove(ctx, q, of, opt, lockset.NewOpen(first.rep, of))
	if err != nil {
		return nil, err
	}
	rep := merge(ctx, first, second)
	rep.Seconds = time.Since(start).Seconds()
	return rep, nil
}

// sizeOf is how many instructions a program has.
func sizeOf(p *ir.Program) int {
	n := 0
	for _, f := range p.Funcs {
		for range f.Instrs() {
			n++
		}
	}
	return n
}

// merge is what two tiers say together.
func merge(ctx context.Context, first, second *tier) *diag.Report {
	type key [2]string
	pairs := func(rep *diag.Report) map[key]diag.Pair {
		out := map[key]diag.Pair{}
		for _, p := range rep.Pairs {
			out[key{p.First, p.Second}] = p
		}
		return out
	}
	a, b := first.rep, second.rep
	late := pairs(b)
	var cut []string
	for _, p := range a.Pairs {
		if p.Verdict == diag.Racy && late[key{p.First, p.Second}].Cut {
			cut = append(cut, p.First+","+p.Second)
		}
	}
	of, again := a.Pairs, map[key]diag.Pair{}
	if len(cut) > 0 {
		a = first.proof.Report(ctx, cut)
		again = pairs(a)
	} else {
		a = &diag.Report{Assumptions: a.Assumptions, Disciplined: a.Disciplined, Counters: a.Counters, Stages: a.Stages}
	}
	ps := []diag.Pair{}
	for _, p := range of {
		k := key{p.First, p.Second}
		if q, ok := again[k]; ok {
			ps = append(ps, q)
		} else if p.Verdict == diag.RaceFree {
			ps = append(ps, p)
		} else if q, ok := late[k]; ok {
			ps = append(ps, q)
		} // else it is excluded
	}
	chosen := b.Chosen
	a.Entries, a.Pairs, a.Excluded, b.Pairs = nil, nil, nil, ps
	a.Regions.Total, a.Disciplined = 0, a.Disciplined || b.Disciplined
	b.Disciplined = a.Disciplined
	b.Join(a)
	b.Chosen = chosen
	return b
}

// halfOf is the context with half of the time that is left.
func halfOf(ctx context.Context) (context.Context, context.CancelFunc) {
	end, ok := ctx.Deadline()
	if !ok {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, end.Add(-time.Until(end)/2))
}

// queryTime bounds a query where nothing else is said.
const queryTime = 30 * time.Second

// prove proves what is open in a program without Awaits, nil: all, within the context's
// time. Only then what threads have for themselves is found out.
func prove(ctx context.Context, p *ir.Program, of map[ir.Instr]ir.Instr, opt Options, open *lockset.Open) (*tier, error) {
	t := &tier{of: of}
	var stages []alias.Stage
	undecided := func(what string, err error) (*tier, error) {
		t.rep = lockset.Undecided(p, fmt.Sprintf("%s in time: %v", what, err))
		t.finish(stages)
		return t, nil
	}
	al, err := alias.AnalyzeContext(ctx, p, alias.Options{Note: func(x alias.Stage) { stages = append(stages, x) }})
	if err != nil {
		return undecided("the points-to analysis did not end", err)
	}
	mh, err := mhp.AnalyzeContext(ctx, p, al)
	if err != nil {
		return undecided("what may run in parallel was not found out", err)
	}
	o := lockset.Options{Open: open, Jobs: opt.Jobs, EntryTimeout: opt.Timeout / 4,
		Joint: of == nil, MaxSize: opt.MaxSize, Uniprocessor: opt.Uniprocessor, Pairs: opt.Pairs,
		ProveLockUsage: opt.ProveLockUsage, DumpSMT: opt.DumpSMT, Progress: opt.Progress,
		Solvers: solvers(opt.Solver, cmp.Or(opt.QueryTimeout, queryTime))}
	if of != nil {
		within, cancel := halfOf(ctx)
		o.Apart, err = al.Separate(within)
		cancel()
		if err != nil {
			o.Together = fmt.Sprintf("what threads have for themselves was not found out in time: %v", err)
		}
	}
	if t.proof, err = lockset.Prove(ctx, p, al, mh, o); err != nil {
		return nil, err
	}
	t.rep = t.proof.Report(ctx, opt.Pairs)
	t.rep.Looked.Unseen = append(t.rep.Looked.Unseen, unseenCalls(p, al)...)
	t.finish(stages)
	return t, nil
}

// finish makes the report one about the program that was not copied.
func (t *tier) finish(stages []alias.Stage) {
	for _, x := range stages {
		t.rep.Took(diag.Stage(x))
	}
	if t.of != nil {
		renamed(t.rep, t.of)
	}
}
