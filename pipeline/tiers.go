package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"whoop/analysis/alias"
	"whoop/analysis/contexts"
	"whoop/analysis/mhp"
	"whoop/diag"
	"whoop/ir"
	"whoop/lockset"
)

// Tiers. What tells one thread from the next (alias.Disjoint), and the calls of a
// function apart (package contexts), makes a program several times as large, and most
// accesses of a large program are decided without. So a large program in Go is proved
// several times: first as it is, with entries that are alike together
// (lockset.Options.Joint), then with threads told apart, then with calls told apart, each
// time only what is open by then, pair by pair (lockset.Open). Each tier is a proof of its
// own about the whole program, and two accesses are apart if one of them says so.
//
// A race of one tier is one if no later one excludes it. Where these were cut short for a
// pair, what was found before is reported.

// large is how many instructions the program with calls told apart has of which the other
// tiers are worth their time.
const large = 20000

// largeTogether is how many the entries of that program may have together, each with all
// that it reaches, for the last tier: more would take longer than anybody waits.
const largeTogether = 300_000

// proof is one proof about a program.
type proof struct {
	found *lockset.Proof // nil where a stage before it was cut short
	rep   *diag.Report
	// of gives the instructions that those of its program are copies of; nil: they are
	// none.
	of    map[ir.Instr]ir.Instr
	known *pointsTo // nil where it was cut short
}

// pointsTo is what tiers about the same program have in common.
type pointsTo struct {
	al *alias.Result
	mh *mhp.Result
}

// means is what a tier uses. limit is how many instructions the entries have at most, each
// with all that it reaches; 0: any number.
type means struct {
	apart, joint bool
	limit        int
}

// proveTiers is Prove for a program without Awaits.
func proveTiers(ctx context.Context, p *ir.Program, opt Options) (*diag.Report, error) {
	start := time.Now()
	v := &prover{opt: opt}
	q, of := contexts.Split(p, contexts.Options{})
	if !p.TypeSafe || sizeOf(q) < large && !opt.tiers {
		x, err := v.prove(ctx, q, of, nil, means{apart: true}, nil)
		if err != nil {
			return nil, err
		}
		v.took(x.rep)
		return x.rep, nil
	}
	t := &tiers{}
	var known *pointsTo
	for i, next := range []means{{joint: true}, {apart: true, joint: true},
		{apart: true, limit: largeTogether}} {
		within, cancel := ctx, context.CancelFunc(func() {})
		what, copies := p, map[ir.Instr]ir.Instr(nil)
		if i == 2 {
			what, copies, known = q, of, nil
		} else {
			within, cancel = halfOf(ctx)
		}
		x, err := v.prove(within, what, copies, t.open(copies), next, known)
		cancel()
		if err != nil {
			return nil, err
		}
		if x == nil {
			break // too large
		}
		known = x.known
		if t.add(x); t.proved() || ctx.Err() != nil {
			break
		}
	}
	rep := t.report(ctx, opt)
	v.took(rep)
	rep.Seconds = time.Since(start).Seconds()
	return rep, nil
}

// sizeOf is how many instructions a program has.
func sizeOf(p *ir.Program) int {
	n := 0
	for _, f := range p.Funcs {
		n += lengthOf(f)
	}
	return n
}

func lengthOf(f *ir.Func) int {
	n := 0
	for range f.Instrs() {
		n++
	}
	return n
}

// pairKey names a pair of entry points.
type pairKey struct{ first, second string }

// tiers is what several proofs about a program say.
type tiers struct {
	all []*proof
	// order are the pairs of the first, of what each says in the end, and by which.
	order []pairKey
	of    map[pairKey]diag.Pair
	by    map[pairKey]int
}

// add adds a proof of what was open.
func (t *tiers) add(x *proof) {
	n := len(t.all)
	t.all = append(t.all, x)
	if n == 0 {
		t.of, t.by = map[pairKey]diag.Pair{}, map[pairKey]int{}
	}
	now, excluded := map[pairKey]diag.Pair{}, map[pairKey]bool{}
	for _, e := range x.rep.Excluded {
		excluded[pairKey{e.A, e.B}] = true
	}
	for _, p := range x.rep.Pairs {
		k := pairKey{p.First, p.Second}
		if now[k] = p; n == 0 {
			t.order = append(t.order, k)
			t.of[k] = p
		}
	}
	for _, k := range t.order {
		p, ok := now[k]
		switch {
		case t.of[k].Verdict == diag.RaceFree:
		case !ok && !excluded[k]: // nobody asked: a run that was cut short names all pairs
		case !ok: // it cannot overlap
			p = diag.Pair{First: k.first, Second: k.second, Verdict: diag.RaceFree}
			fallthrough
		case !p.Cut || t.of[k].Verdict != diag.Racy:
			t.of[k], t.by[k] = p, n
		}
	}
}

func (t *tiers) proved() bool {
	return !slices.ContainsFunc(t.order, func(k pairKey) bool { return t.of[k].Verdict != diag.RaceFree })
}

// open is what the proofs have left open, for a program of which each instruction is a
// copy of another, or itself; nil: all.
func (t *tiers) open(of map[ir.Instr]ir.Instr) *lockset.Open {
	if len(t.all) == 0 {
		return nil
	}
	var ps []diag.Pair
	for _, k := range t.order {
		ps = append(ps, t.of[k])
	}
	return lockset.NewOpen(ps, of)
}

// report is the report of the last proof, with what others say of pairs.
func (t *tiers) report(ctx context.Context, opt Options) *diag.Report {
	last := len(t.all) - 1
	out := t.all[last].rep
	racy := make([][]string, last+1)
	for _, k := range t.order {
		if i := t.by[k]; t.of[k].Verdict == diag.Racy {
			racy[i] = append(racy[i], k.first+","+k.second)
		}
	}
	chosen := len(opt.Pairs) > 0
	// each tier divides memory into regions of its own: those count that most races are in
	regions, most := out.Regions, len(racy[last])
	for i, x := range t.all[:last] {
		rep := &diag.Report{}
		if n := len(racy[i]); n > 0 {
			rep = x.found.Report(ctx, racy[i])
			if n > most {
				regions, most = rep.Regions, n
			}
		}
		rep.Pairs, rep.Entries, rep.Excluded, rep.Orders = nil, nil, nil, nil
		rep.Assumptions, rep.Counters = x.rep.Assumptions, x.rep.Counters
		rep.Disciplined = x.rep.Disciplined || out.Disciplined
		out.Disciplined = rep.Disciplined
		out.Join(rep)
	}
	out.Pairs = nil
	for _, k := range t.order {
		out.Pairs = append(out.Pairs, t.of[k])
	}
	out.Chosen, out.Excluded, out.Regions = chosen, t.all[0].rep.Excluded, regions
	for i := last; i >= 0; i-- {
		if t.all[i].found != nil {
			out.Orders = t.all[i].rep.Orders
			break
		}
	}
	out.Finish()
	return out
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

// prover proves programs, and notes what the stages of the points-to analysis took.
type prover struct {
	opt    Options
	stages []alias.Stage
}

// took enters the stages in a report.
func (v *prover) took(rep *diag.Report) {
	for _, s := range v.stages {
		rep.Took(diag.Stage(s))
	}
}

// prove proves what is open in a program without Awaits, nil: all, within the context's
// time. of are the instructions that those of the program are copies of; nil: they are
// none. It is nil where the program is too large. known is what is known of the program
// already, nil: nothing.
func (v *prover) prove(ctx context.Context, p *ir.Program, of map[ir.Instr]ir.Instr,
	open *lockset.Open, by means, known *pointsTo) (*proof, error) {
	opt := v.opt
	x := &proof{of: of, known: known}
	undecided := func(what string, err error) (*proof, error) {
		x.rep = lockset.Undecided(p, fmt.Sprintf("%s in time: %v", what, err))
		x.finish()
		return x, nil
	}
	if known == nil {
		al, err := alias.AnalyzeContext(ctx, p,
			alias.Options{Note: func(s alias.Stage) { v.stages = append(v.stages, s) }})
		if err != nil {
			return undecided("the points-to analysis did not end", err)
		}
		if by.limit > 0 && al.Size() > by.limit {
			return nil, nil
		}
		mh, err := mhp.AnalyzeContext(ctx, p, al)
		if err != nil {
			return undecided("what may run in parallel was not found out", err)
		}
		x.known = &pointsTo{al, mh}
	}
	al, mh := x.known.al, x.known.mh
	var err error
	o := lockset.Options{Open: open, Joint: by.joint, Jobs: opt.Jobs, EntryTimeout: opt.Timeout / 4,
		MaxSize: opt.MaxSize, Uniprocessor: opt.Uniprocessor, Pairs: opt.Pairs,
		ProveLockUsage: opt.ProveLockUsage, DumpSMT: opt.DumpSMT, Progress: opt.Progress,
		Solvers: solvers(opt.Solver, cmp.Or(opt.QueryTimeout, queryTime))}
	if by.apart {
		within, cancel := halfOf(ctx)
		o.Apart, err = al.Separate(within)
		cancel()
		if err != nil {
			o.Together = fmt.Sprintf("what threads have for themselves was not found out in time: %v", err)
		}
	}
	if x.found, err = lockset.Prove(ctx, p, al, mh, o); err != nil {
		return nil, err
	}
	x.rep = x.found.Report(ctx, opt.Pairs)
	x.rep.Looked.Unseen = append(x.rep.Looked.Unseen, unseenCalls(p, al)...)
	x.finish()
	return x, nil
}

// finish makes the report one about the program that was not copied.
func (x *proof) finish() {
	if x.of != nil {
		renamed(x.rep, x.of)
	}
}
