package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"whoop/analysis/alias"
	"whoop/analysis/contexts"
	"whoop/analysis/crowd"
	"whoop/analysis/mhp"
	"whoop/diag"
	"whoop/internal/late"
	"whoop/internal/live"
	"whoop/ir"
	"whoop/lockset"
)

// Tiers. What the users of a library may call, and what code not seen may call, are
// hundreds of entries that reach nearly the same functions: the first tiers prove a
// program in which such entries are one (package crowd).
//
// What tells one thread from the next (alias.Disjoint), and the calls of a function apart
// (package contexts), makes a program several times as large, and most accesses of a large
// program are decided without. So a large program in Go is proved several times: first as
// it is, with entries that are alike together (lockset.Options.Joint), then with threads
// told apart, then with calls told apart, each time only what is open by then, pair by
// pair (lockset.Open). Each tier is a proof of its own about the whole program, and two
// accesses are apart if one of them says so.
//
// A race of one tier is one if no later one excludes it. Where these were cut short for a
// pair, what was found before is reported.

// large is how many instructions the program with calls told apart has of which the other
// tiers are worth their time.
const large = 20000

// largeTogether is how many the entries of that program may have together, each with all
// that it reaches, for the last tier: more would take longer than anybody waits.
const largeTogether = 300_000

// largeCrowd is how many instructions a program with merged entries has of which the
// proof with threads told apart takes longer than it is worth: for gin (58,000), half a
// minute and 50 million members of sets for four pairs of 80,000; for zap (47,000), 36
// million members.
//
// fewAlike is how many entries at least are others' members for it to be worth proving
// these together; largeApart how many instructions the members may have together, each
// with all that it reaches, for a proof of each by itself.
const (
	fewAlike   = 20
	largeApart = 500_000
	largeCrowd = 40_000
)

// proof is one proof about a program.
type proof struct {
	// found is nil where a stage before it was cut short, and where nobody asks it for a
	// report again: it is a large part of the memory. ended: it is not for the former.
	found *lockset.Proof
	ended bool
	rep   *diag.Report
	// of gives the instructions that those of its program are copies of; nil: they are
	// none.
	of map[ir.Instr]ir.Instr
	// members: its entries stand for others.
	members bool
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
	locks        bool // locks alone: see lockset.Options
	limit        int
}

// proveTiers is Prove for a program without Awaits.
func proveTiers(ctx context.Context, p *ir.Program, opt Options) (*diag.Report, error) {
	v := &prover{opt: opt}
	if !p.TypeSafe || sizeOf(p) < large {
		q, of := contexts.Split(p, contexts.Options{})
		if p.TypeSafe && (sizeOf(q) >= large || opt.tiers) {
			return v.inTiers(ctx, p)
		}
		x, err := v.prove(ctx, &task{p: q, of: of}, means{apart: true})
		if err != nil {
			return nil, err
		}
		v.took(x.rep)
		return x.rep, nil
	}
	return v.inTiers(ctx, p)
}

// inTiers is proveTiers for a large program.
func (v *prover) inTiers(ctx context.Context, p *ir.Program) (*diag.Report, error) {
	start, t := time.Now(), &tiers{}
	more, err := v.together(ctx, p, t)
	if err != nil {
		return nil, err
	}
	if more {
		err = v.apart(ctx, p, t)
	}
	if err != nil {
		return nil, err
	}
	rep := t.report(ctx, v.opt)
	v.took(rep)
	rep.Seconds = time.Since(start).Seconds()
	return rep, nil
}

// together proves a program in which entries that are alike are one, first as it is, then
// with threads told apart. more: something is open, and the entries by themselves are not
// too many.
func (v *prover) together(ctx context.Context, p *ir.Program, t *tiers) (more bool, err error) {
	if len(v.opt.Pairs) > 0 {
		return true, nil
	}
	m := crowd.Merge(p)
	if len(m.Members) == 0 || len(p.Entries)-len(m.Program.Entries) < fewAlike && !v.opt.tiers {
		return true, nil
	}
	known, err := v.pointsTo(ctx, m.Program)
	if err != nil {
		t.add(&proof{rep: lockset.Undecided(p, err.Error())})
		return false, nil
	}
	more = sumOf(m, known.al) <= largeApart
	var open *lockset.Open
	large := sizeOf(m.Program) > largeCrowd
	for _, by := range []means{{joint: true, locks: true}, {apart: true, joint: true}} {
		if by.apart && large {
			break
		}
		within, cancel := ctx, context.CancelFunc(func() {})
		if more || !by.apart && !large { // something comes after it
			within, cancel = halfOf(ctx)
		}
		x, err := v.proveOpen(within, &task{p: m.Program, of: m.Of, open: open, known: known,
			members: m.Members, named: p.Entries}, by)
		cancel()
		if err != nil {
			return false, err
		}
		t.add(x)
		if t.proved() {
			return false, nil
		}
		if ctx.Err() != nil {
			if more || !by.apart && !large {
				t.outOfTime()
			}
			return false, nil
		}
		// nil where it was cut before any pair was compared
		if open = nil; !by.apart && !large && x.found.Whole() != nil {
			open = lockset.NewOpen(x.found.Whole(), nil)
		}
		x.found = nil // see report
	}
	return more, nil
}

// sumOf is how many instructions the entries have that others stand for, each with all
// that it reaches.
func sumOf(m *crowd.Merged, al *alias.Result) int {
	calls, n := map[*ir.Func][]*ir.Func{}, 0
	for _, of := range m.Members {
		for f := range of {
			seen, work := map[*ir.Func]bool{f: true}, []*ir.Func{f}
			for len(work) > 0 {
				g := work[len(work)-1]
				work = work[:len(work)-1]
				if _, known := calls[g]; !known {
					calls[g] = al.CalledBy(g)
				}
				n += lengthOf(g)
				for _, h := range calls[g] {
					if !seen[h] {
						seen[h] = true
						work = append(work, h)
					}
				}
			}
		}
	}
	return n
}

// apart proves what is open with each entry by itself: the program as it is, with threads
// told apart, and with calls told apart.
func (v *prover) apart(ctx context.Context, p *ir.Program, t *tiers) error {
	var known *pointsTo
	var split *task // with calls told apart
	byThreads := means{apart: true, joint: true}
	for i, by := range []means{{joint: true}, byThreads, {apart: true, limit: largeTogether}} {
		within, cancel := ctx, context.CancelFunc(func() {})
		x := &task{p: p, known: known}
		last := i == 2
		if i > 0 && split == nil {
			q, of := contexts.Split(p, contexts.Options{})
			split = &task{p: q, of: of}
		}
		if last {
			x = split
		} else if i == 1 && known != nil {
			// what entries reach grows as the program does: no time is kept for what is
			// too large anyway
			last = known.al.Size()*sizeOf(split.p) > largeTogether*sizeOf(p)
		}
		if !last {
			within, cancel = halfOf(ctx)
		}
		x.open = t.open(x.of)
		found, err := v.prove(within, x, by)
		cancel()
		if err != nil {
			return err
		}
		if found == nil { // too large
			return v.again(ctx, &task{p: p, known: known}, byThreads, t)
		}
		known = x.known
		t.add(found)
		if t.proved() || last {
			return nil
		}
		if ctx.Err() != nil {
			if i < 2 {
				t.outOfTime()
			}
			return nil
		}
	}
	return nil
}

// again proves with all the time that is left what was cut short with a share of it.
func (v *prover) again(ctx context.Context, x *task, by means, t *tiers) error {
	if len(t.late) == 0 || ctx.Err() != nil {
		return nil
	}
	x.open = t.open(nil)
	found, err := v.prove(ctx, x, by)
	if err != nil {
		return err
	}
	t.add(found)
	return nil
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
	// pairs are those of the first, with what is said of each in the end; by is which
	// proof says it. number are their positions.
	pairs  []diag.Pair
	by     []int
	number map[pairKey]int
	// late are the pairs that a later proof did not get to the end of, by their positions.
	late map[int]bool
}

// add adds a proof of what was open.
func (t *tiers) add(x *proof) {
	n := len(t.all)
	t.all = append(t.all, x)
	if n == 0 {
		t.pairs, t.by = x.rep.Pairs, make([]int, len(x.rep.Pairs))
		t.late = map[int]bool{}
		x.rep.Pairs = nil // they are ours now: there may be a million
		return
	}
	if t.number == nil {
		t.number = make(map[pairKey]int, len(t.pairs))
		for i, p := range t.pairs {
			t.number[pairKey{p.First, p.Second}] = i
		}
	}
	now, excluded := map[int]diag.Pair{}, map[int]bool{}
	for _, e := range x.rep.Excluded {
		if i, ok := t.number[pairKey{e.A, e.B}]; ok {
			excluded[i] = true
		}
	}
	for _, p := range x.rep.Pairs {
		if i, ok := t.number[pairKey{p.First, p.Second}]; ok {
			now[i] = p
		}
	}
	for i, old := range t.pairs {
		p, ok := now[i]
		switch {
		case old.Verdict == diag.RaceFree:
		case !ok && !excluded[i]: // nobody asked: a run that was cut short names all pairs
		case !ok: // it cannot overlap
			p = diag.Pair{First: old.First, Second: old.Second, Verdict: diag.RaceFree}
			fallthrough
		case !p.Cut || old.Verdict != diag.Racy || p.Verdict == diag.Racy && p.Firm:
			t.pairs[i], t.by[i] = p, n
			delete(t.late, i)
		default:
			t.late[i] = true
		}
	}
}

// outOfTime notes that another proof would come now, had it the time.
func (t *tiers) outOfTime() {
	for i := range t.pairs {
		t.late[i] = true
	}
}

// undecide makes those racy pairs unknown that were not looked at to the end, and might
// have been proved. Where no lock can be held they stay.
func (t *tiers) undecide() (some bool) {
	for i := range t.late {
		if p := &t.pairs[i]; p.Verdict == diag.Racy && !p.Firm {
			p.Verdict, p.Cut = diag.Unknown, true
			p.Reason = "time was up before it was looked at in more detail"
			p.Doubt, some = p.Reason, true
		}
	}
	return some
}

func (t *tiers) proved() bool {
	return !slices.ContainsFunc(t.pairs, func(p diag.Pair) bool { return p.Verdict != diag.RaceFree })
}

// open is what the proofs have left open, for a program of which each instruction is a
// copy of another, or itself; nil: all.
func (t *tiers) open(of map[ir.Instr]ir.Instr) *lockset.Open {
	if len(t.all) == 0 {
		return nil
	}
	return lockset.NewOpen(t.pairs, of)
}

// report is the report of the last proof, with what others say of pairs.
func (t *tiers) report(ctx context.Context, opt Options) *diag.Report {
	undecided := t.undecide()
	last := len(t.all) - 1
	out := t.all[last].rep
	racy := make([][]string, last+1)
	for i, p := range t.pairs {
		if n := t.by[i]; p.Verdict == diag.Racy && (last > 0 || undecided) {
			racy[n] = append(racy[n], p.First+","+p.Second)
		}
	}
	if undecided {
		looked := out.Looked
		out = lockset.Only(out, racy[last])
		out.Looked = looked
	}
	chosen := len(opt.Pairs) > 0
	// each tier divides memory into regions of its own: those count that most races are in
	regions, most := out.Regions, len(racy[last])
	for i, x := range t.all[:last] {
		rep := &diag.Report{}
		if n := len(racy[i]); n > 0 {
			if x.members {
				rep = lockset.Only(x.rep, racy[i])
			} else {
				rep = x.found.Report(ctx, racy[i])
			}
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
	out.Pairs = t.pairs
	out.Chosen, out.Excluded, out.Regions = chosen, t.all[0].rep.Excluded, regions
	for i := last; i >= 0; i-- {
		if t.all[i].ended {
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
	return late.Watch(context.WithDeadline(ctx, end.Add(-time.Until(end)/2)))
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

// task is a program without Awaits, and what is to be proved of it.
type task struct {
	p *ir.Program
	// of are the instructions that those of the program are copies of; nil: they are none.
	of    map[ir.Instr]ir.Instr
	open  *lockset.Open // nil: all
	known *pointsTo     // nil: nothing
	// members and named are what entries stand for: see lockset.Options.
	members map[*ir.Entry]map[*ir.Func]*ir.Entry
	named   []*ir.Entry
}

// pointsTo finds out what is known of a program before anything is proved.
func (v *prover) pointsTo(ctx context.Context, p *ir.Program) (*pointsTo, error) {
	al, err := alias.AnalyzeContext(ctx, p,
		alias.Options{Note: func(s alias.Stage) { v.stages = append(v.stages, s) }})
	if err != nil {
		return nil, fmt.Errorf("the points-to analysis did not end in time: %w", err)
	}
	mh, err := mhp.AnalyzeContext(ctx, p, al)
	if err != nil {
		return nil, fmt.Errorf("what may run in parallel was not found out in time: %w", err)
	}
	return &pointsTo{al, mh}, nil
}

// prove is proveOpen that finds out first what is known, within the context's time. It is
// nil where the program is too large.
func (v *prover) prove(ctx context.Context, t *task, by means) (*proof, error) {
	if t.known == nil {
		var err error
		live.On(ctx).Engine("what pointers lead to", "")
		if t.known, err = v.pointsTo(ctx, t.p); err != nil {
			x := &proof{of: t.of, rep: lockset.Undecided(t.p, err.Error())}
			x.finish()
			return x, nil
		}
		if by.limit > 0 && t.known.al.Size() > by.limit {
			return nil, nil
		}
	}
	return v.proveOpen(ctx, t, by)
}

// proveOpen proves what is open in a program, within the context's time.
func (v *prover) proveOpen(ctx context.Context, t *task, by means) (*proof, error) {
	opt := v.opt
	x := &proof{of: t.of, members: t.members != nil}
	al, mh := t.known.al, t.known.mh
	var err error
	o := lockset.Options{Open: t.open, Members: t.members, Named: t.named,
		Joint: by.joint, LocksAlone: by.locks, Layouts: tellsLayouts(t.p, al),
		Jobs: opt.Jobs, EntryTimeout: opt.Timeout / 4, MaxSize: opt.MaxSize,
		Uniprocessor: opt.Uniprocessor, Pairs: opt.Pairs, ProveLockUsage: opt.ProveLockUsage,
		DumpSMT: opt.DumpSMT, Known: opt.known, Progress: onBoard(ctx, opt.Progress),
		Solvers: solvers(opt.Solver, cmp.Or(opt.QueryTimeout, queryTime))}
	if t.members != nil {
		o.EntryTimeout = 0 // there are few entries, and all is about them
	}
	if by.apart {
		within, cancel := halfOf(ctx)
		o.Apart, err = al.Separate(within)
		cancel()
		if err != nil {
			o.Together = fmt.Sprintf("what threads have for themselves was not found out in time: %v", err)
		}
	}
	live.On(ctx).Engine("locks", "")
	if x.found, err = lockset.Prove(ctx, t.p, al, mh, o); err != nil {
		return nil, err
	}
	x.ended, x.rep = true, x.found.Report(ctx, opt.Pairs)
	x.rep.Looked.Unseen = append(x.rep.Looked.Unseen, unseenCalls(t.p, al)...)
	x.finish()
	return x, nil
}

// onBoard is a progress function that also writes on the context's board; tell is told of
// entry points alone, and may be nil.
func onBoard(ctx context.Context, tell func(done, total int, what string)) func(int, int, string) {
	board := live.On(ctx)
	return func(done, total int, what string) {
		board.Part(what, done, total)
		if tell != nil && what == "entry points" {
			tell(done, total, what)
		}
	}
}

// finish makes the report one about the program that was not copied.
func (x *proof) finish() {
	if x.of != nil {
		renamed(x.rep, x.of)
	}
}
