package alias

import (
	"context"
	"maps"
	"slices"
	"strings"

	"whoop/ir"
)

// Analyze computes the facts about p.
func Analyze(p *ir.Program, opt Options) *Result {
	r, err := AnalyzeContext(context.Background(), p, opt)
	if err != nil {
		panic(err) // nothing ends the background
	}
	return r
}

// AnalyzeContext is Analyze that gives up when ctx ends, with its error.
func AnalyzeContext(ctx context.Context, p *ir.Program, opt Options) (r *Result, err error) {
	defer gaveUp(&err)
	s := solveProgram(ctx, p, opt)
	r = &Result{prog: p, opt: opt, s: s, accesses: map[ir.Instr][]Access{}}
	opt.stage(StageRegions, &r.s, new(int), func() {
		s.joinPast()
		s.markSingle()
		r.fresh = freshAccesses(s)
		r.buildAccesses()
	})
	if s.effective {
		s.assume("effective-type", ir.Pos{}, "no object is accessed as a struct of which it is none, nor holds one, nor begins like one, where no cast says so, and container_of is given members")
	}
	r.assumptions = s.assumes
	s.ctx = context.Background()                    // queries later on are small
	s.recs, s.recOrder = map[ir.Instr][]*rec{}, nil // the accesses say it all
	return r, nil
}

// Targets is AnalyzeContext for those that ask only what runs where: Callees, Registered,
// Funcs, Known, RunsUnseen and Reachable. Of accesses the result knows nothing.
func Targets(ctx context.Context, p *ir.Program) (r *Result, err error) {
	defer gaveUp(&err)
	r = &Result{prog: p, s: solveProgram(ctx, p, Options{})}
	r.s.ctx = context.Background()
	return r, nil
}

// gaveUp turns the panic by which the analysis gives up into an error.
func gaveUp(err *error) {
	if e := recover(); e != nil {
		c, ok := e.(canceled)
		if !ok {
			panic(e)
		}
		*err = c.error
	}
}

// canceled is the panic by which the analysis gives up.
type canceled struct{ error }

// tick is called in the loops that may run long.
func (s *solver) tick() {
	if s.ticks++; s.ticks%64 == 0 {
		s.check()
	}
}

// check gives up where there is no more time.
func (s *solver) check() {
	if err := s.ctx.Err(); err != nil {
		panic(canceled{err})
	}
}

// solveProgram finds the points-to sets. Where the program keeps what a call was thought
// to have for itself, they are computed again.
func solveProgram(ctx context.Context, p *ir.Program, opt Options) (s *solver) {
	name, rounds := StageSets, 0
	if opt.worlds {
		name = StageApart
	}
	opt.stage(name, &s, &rounds, func() { solveRounds(ctx, p, opt, &s, &rounds) })
	return s
}

// solveRounds is solveProgram that leaves in s what it has so far.
func solveRounds(ctx context.Context, p *ir.Program, opt Options, at **solver, rounds *int) {
	wrappers := map[*ir.Func]bool{}
	if !opt.NoHeapCloning {
		wrappers = findWrappers(p)
	}
	var extra []*ir.Struct
	kept := map[string]bool{}
	if opt.first != nil {
		extra = slices.Clone(opt.first.extra)
		maps.Copy(kept, opt.first.kept)
	}
	last, strayed := lastStores(p), map[madeAt]bool{}
	var waited map[*ir.Spawn]bool
	if opt.worlds && len(last) > 0 {
		waited = waitedFor(p)
	}
	coarse := opt.first != nil && opt.first.coarse
	for round := 0; ; round++ {
		*rounds = round + 1
		if err := ctx.Err(); err != nil {
			panic(canceled{err})
		}
		s := newSolver(p, opt)
		*at = s
		s.coarse = coarse
		if opt.worlds {
			s.addWorlds()
		}
		s.kept, s.extra = kept, extra
		s.ctx, s.last, s.strayed, s.waited = ctx, last, strayed, waited
		s.wrappers, s.known = wrappers, interfaceTypes(p, extra)
		keeps, large := s.once()
		if large {
			coarse = true
			continue
		}
		if len(keeps) == 0 {
			return
		}
		extra = s.extra
		for _, t := range keeps {
			kept[t] = true
		}
	}
}

// settle goes on as long as private types turn out to be of the interface, or objects of
// unfinished runs to be known to others. It finds what threads share.
func (s *solver) settle() {
	for n := 0; ; {
		if more := s.orphans(); len(more) > 0 {
			s.extra = append(s.extra, more...)
			s.publish(interfaceTypes(s.prog, s.extra))
			s.solve()
			continue
		}
		s.markShared()
		if !s.uniteStrays(n > maxStrayRounds) {
			return
		}
		n++
		s.solve()
	}
}

// touched are the classes of one address operand.
type touched struct{ rest, own []*class }

// classify finds the classes of all address operands, and which of these are to memory
// that nobody else knows.
func (b *regionBuilder) classify(s *solver) map[*rec]*touched {
	out := map[*rec]*touched{}
	add := func(to *[]*class, c *class) {
		if c != nil && !slices.Contains(*to, c) {
			*to = append(*to, c)
		}
	}
	for _, in := range s.recOrder {
		for _, x := range s.recs[in] {
			t := &touched{}
			for _, n := range x.nodes {
				s.tick()
				cs := b.classOf(x, n, in.At())
				add(&t.rest, cs.rest)
				add(&t.own, cs.own)
			}
			_, isCall := in.(*ir.Call)
			switch {
			case len(t.own) == 0:
			case isCall || x.mode != deep && len(t.rest) > 0: // several contexts
				for _, c := range t.own {
					x.mixed = append(x.mixed, c.spans...)
				}
				t.rest, t.own = append(t.rest, t.own...), nil
			case len(t.rest) == 0:
				x.fresh, t.rest, t.own = true, t.own, nil
			}
			for _, c := range t.rest {
				c.live = c.live || !x.fresh
				x.mixed = append(x.mixed, c.mixed...)
			}
			out[x] = t
		}
	}
	return out
}

// buildAccesses makes the regions and the accesses.
func (r *Result) buildAccesses() {
	s := r.s
	b := newRegionBuilder(s)
	classes := b.classify(s)
	b.buildRegions()
	r.regions, r.written = b.regions, map[int][]span{}
	for _, in := range s.recOrder {
		for _, x := range s.recs[in] {
			for _, c := range slices.Concat(classes[x].rest, classes[x].own) {
				r.noteWritten(x, c)
			}
		}
	}
	for _, in := range s.recOrder {
		r.noteFresh(in)
		_, ends := in.(*ir.Free)
		for i, x := range s.recs[in] {
			t := classes[x]
			if len(t.own) > 0 {
				r.accesses[in] = append(r.accesses[in], Access{Addr: x.addr, Write: x.write, Order: x.order, Ends: ends, Unseen: true, Fresh: true, Regions: regionsOf(t.own), operand: i})
			}
			a := Access{Addr: x.addr, Size: x.size, Write: x.write, Order: x.order, Ends: ends, Unseen: x.mode == deep, Fresh: x.fresh, Mixed: !x.fresh && r.changes(x.mixed), operand: i}
			if x.mode == deep || x.size == wholeObject {
				a.Size = 0
			}
			if len(t.rest) > 0 && !slices.ContainsFunc(t.rest, func(c *class) bool { return !c.nothing }) {
				continue
			}
			a.Null = !slices.ContainsFunc(x.nodes, func(n int32) bool { return !s.onlyNull(n) })
			a.Unknown = slices.ContainsFunc(t.rest, func(c *class) bool { return c.unknown })
			a.Regions = regionsOf(t.rest)
			r.accesses[in] = append(r.accesses[in], a)
		}
	}
}

// changes reports whether something writes to one of the spans.
func (r *Result) changes(spans []objSpan) bool {
	return slices.ContainsFunc(spans, func(x objSpan) bool {
		return slices.ContainsFunc(r.written[x.obj.ID], func(p span) bool {
			return p == everywhere || p.folded || x.span == everywhere || x.folded || p.lo < x.hi && x.lo < p.hi
		})
	})
}

// noteFresh notes an instruction of which all accesses are to memory that nobody else
// knows.
func (r *Result) noteFresh(in ir.Instr) {
	switch in.(type) {
	case *ir.Call, *ir.Spawn:
		return
	}
	if rs := r.s.recs[in]; len(rs) > 0 && !slices.ContainsFunc(rs, func(x *rec) bool { return !x.fresh }) {
		r.fresh[in] = true
	}
}

// regionsOf lists the regions of classes.
func regionsOf(cs []*class) []*Region {
	var out []*Region
	for _, c := range cs {
		out = mergeRegions(out, c.regions)
	}
	return out
}

// onlyNull reports whether a node holds the null pointer and nothing else.
func (s *solver) onlyNull(n int32) bool {
	p := s.pts(n)
	return len(p.blk) == 1 && p.blk[0].idx == 0 && p.blk[0].bits&^(1<<cellTrue) == 1<<cellNull
}

// mergeRegions returns the union of two lists ordered by ID; it may return one of them.
func mergeRegions(a, b []*Region) []*Region {
	if len(a) == 0 {
		return b
	}
	out := slices.Concat(a, b)
	slices.SortFunc(out, func(x, y *Region) int { return x.ID - y.ID })
	return slices.Compact(out)
}

// Accesses returns the memory accesses of an instruction; those of synchronisation
// objects are had from Target.
func (r *Result) Accesses(in ir.Instr) []Access {
	as := r.accesses[in]
	if len(as) == 0 {
		return nil
	}
	switch in := in.(type) {
	case *ir.Load, *ir.Store, *ir.RMW, *ir.CmpXchg, *ir.Free, *ir.MemCopy, *ir.MemSet, *ir.Touch, *ir.Spawn:
		return as
	case *ir.Call:
		if r.seen(in) {
			return nil
		}
		var out []Access
		for _, a := range as {
			if len(a.Regions) > 0 || a.Unknown && ir.IsPtr(a.Addr.Type()) {
				out = append(out, a)
			}
		}
		return out
	}
	return nil
}

// Uses returns how an instruction uses synchronisation objects, as accesses: who takes,
// waits for or posts one reads it, atomically; who destroys one writes it. What releases
// a lock does not count: who takes it next may destroy it.
func (r *Result) Uses(in ir.Instr) []Access {
	order, write := ir.SeqCst, false
	switch in := in.(type) {
	case *ir.Lock:
		if ir.MadeUp(in.Class) {
			return nil
		}
	case *ir.CondWait, *ir.CondSignal, *ir.SemWait, *ir.SemPost, *ir.BarrierWait:
	case *ir.LockInit:
		if !in.Destroy {
			return nil
		}
		order, write = ir.Plain, true
	default:
		return nil
	}
	out := slices.Clone(r.accesses[in])
	for i := range out {
		out[i].Order, out[i].Write, out[i].Use, out[i].Ends = order, write, true, write
	}
	return out
}

// Conflict reports whether two accesses are a race if nothing orders them: one writes and
// one is not atomic. The use of what synchronises conflicts with its end.
func (a Access) Conflict(b Access) bool {
	if (a.Use || b.Use) && !a.Ends && !b.Ends {
		return false
	}
	return (a.Write || b.Write) && !(a.Order.Atomic() && b.Order.Atomic())
}

// seen tells whether all functions that c may call have bodies.
func (r *Result) seen(c *ir.Call) bool {
	fns, complete := r.Callees(c)
	for _, f := range fns {
		complete = complete && len(f.Blocks) > 0
	}
	return complete
}

// Target returns the regions of the lock, condition, semaphore, barrier or once address
// of a synchronisation instruction (for CondWait those of the mutex); unknown tells that
// there may be others.
func (r *Result) Target(in ir.Instr) (regions []*Region, unknown bool) {
	as := r.accesses[in]
	if len(as) == 0 {
		return nil, true
	}
	if _, ok := in.(*ir.CondWait); ok {
		return as[1].Regions, as[1].Unknown
	}
	return as[0].Regions, as[0].Unknown
}

// CondTarget returns the regions of the condition variable of a CondWait.
func (r *Result) CondTarget(in *ir.CondWait) (regions []*Region, unknown bool) {
	as := r.accesses[in]
	if len(as) == 0 {
		return nil, true
	}
	return as[0].Regions, as[0].Unknown
}

// Callees returns what a call may call; complete is false when there may be others.
func (r *Result) Callees(c *ir.Call) (fns []*ir.Func, complete bool) {
	cs := r.s.callees[c]
	if cs == nil {
		if f := ir.FuncOf(c.Callee); f != nil {
			return []*ir.Func{f}, true
		}
		return nil, false
	}
	return cs.fns, cs.complete()
}

// RunsUnseen reports whether a call that is reached, or what starts a thread or runs a
// function once, may be of code that is not seen, and that nothing in the program stands
// for.
func (r *Result) RunsUnseen(in ir.Instr) bool {
	cs := r.s.callees[in]
	return cs != nil && cs.incomplete && !cs.complete()
}

// complete reports whether a call is one of these functions: where code not seen may be
// called, one stands for all of it.
func (cs *calleeSet) complete() bool {
	outside := func(f *ir.Func) bool { return strings.HasPrefix(f.Title(), ir.OutsideFunc) }
	return len(cs.fns) > 0 && !cs.any && (!cs.incomplete || slices.ContainsFunc(cs.fns, outside))
}

// Registered returns what a call registers, complete is false when there may be others.
func (r *Result) Registered(in *ir.Register) (fns []*ir.Func, complete bool) {
	cs := r.s.callees[in]
	if cs == nil {
		return nil, true // nothing runs it
	}
	return cs.fns, !cs.any && !cs.incomplete
}

// Funcs returns the values of a function-pointer expression in function in, in program
// order.
func (r *Result) Funcs(e ir.Expr, in *ir.Func) []*ir.Func {
	if f := ir.FuncOf(e); f != nil {
		return []*ir.Func{f}
	}
	found := map[*ir.Func]bool{}
	for ctx := range r.s.ctxs {
		if ctx != 0 && r.s.ctxs[ctx].fn != in {
			continue
		}
		n := r.s.eval(e, int32(ctx))
		r.s.solve()
		r.s.pts(n).each(func(c int32) {
			if c >= numSpecial && r.s.cells[c].obj.Func != nil {
				found[r.s.cells[c].obj.Func] = true
			}
		})
	}
	var out []*ir.Func
	for _, f := range r.prog.Funcs {
		if found[f] {
			out = append(out, f)
		}
	}
	return out
}

// Known tells whether code not seen may have the address of f, and so may call it.
func (r *Result) Known(f *ir.Func) bool { return r.s.leakedFunc(f) }

// Fresh tells whether the access is to an object that this invocation of the function
// allocated and that no other thread can reach yet at this point, on any path.
func (r *Result) Fresh(in ir.Instr) bool { return r.fresh[in] }

// Regions returns all regions, ordered by ID.
func (r *Result) Regions() []*Region { return r.regions }

// Objects returns all abstract objects, ordered by ID.
func (r *Result) Objects() []*Object {
	out := make([]*Object, len(r.s.objs))
	for i, o := range r.s.objs {
		out[i] = &o.Object
	}
	return out
}

// Reachable returns the functions an entry may execute: its own and what calls and Once
// lead to; spawned threads and registered callbacks are entries of their own.
func (r *Result) Reachable(e *ir.Entry) []*ir.Func {
	if e.Func == nil {
		return nil
	}
	seen := map[*ir.Func]bool{e.Func: true}
	out := []*ir.Func{e.Func}
	for i := 0; i < len(out); i++ {
		for _, f := range r.CalledBy(out[i]) {
			if !seen[f] {
				seen[f] = true
				out = append(out, f)
			}
		}
	}
	return out
}

// CalledBy returns the functions that calls and Onces in a function may run, each once.
func (r *Result) CalledBy(f *ir.Func) []*ir.Func {
	var out []*ir.Func
	seen := map[*ir.Func]bool{}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, g := range r.calledBy(in) {
				if !seen[g] {
					seen[g] = true
					out = append(out, g)
				}
			}
		}
	}
	return out
}

func (r *Result) calledBy(in ir.Instr) []*ir.Func {
	switch in := in.(type) {
	case *ir.Call:
		fns, _ := r.Callees(in)
		return fns
	case *ir.Once:
		if cs := r.s.callees[in]; cs != nil {
			return cs.fns
		}
	}
	return nil
}

// Assumptions returns what the analysis took for granted.
func (r *Result) Assumptions() []ir.Assumption { return r.assumptions }
