package alias

import (
	"slices"

	"whoop/ir"
)

// What a thread hands out at the very end of an entry point is its own until then: a
// connection that Dial makes, fills in and returns. For each allocation whose objects
// leave an entry so, there are two objects: those of the run that is under way, and those
// that runs which are over made (Object.past). The last stores of an entry hand out the
// latter, so code not seen, and other threads, know no others. What holds of the ones
// when they are handed out holds of the others: pointers in them lead to objects of runs
// that are over.
//
// That is right only if nothing of an unfinished run can be reached from what other
// threads know. Whether that is so is seen when the points-to sets are known: where an
// object of a run can be reached from elsewhere than its thread, its allocation has one
// object after all (see uniteStrays).
//
// Regions do not tell the two apart: only accesses by addresses of objects of the own run
// are fresh.

// lastStores finds the stores by which entries of a type-safe program hand out what they
// made: stores to variables of code not seen after which the entry only returns. Nothing
// in the program calls the entry: the thread ends with it, or uses what it gets as others
// do.
func lastStores(p *ir.Program) map[ir.Instr]bool {
	out := map[ir.Instr]bool{}
	if !p.TypeSafe || slices.ContainsFunc(p.Globals, keepsOfThread) {
		return out // a thread may find an object again there in a later run
	}
	called := mentions(p)
	for _, e := range p.Entries {
		if e.Func == nil || e.Spawned || e.Kind == "main" || called[e.Func] > 0 {
			continue
		}
		for _, b := range e.Func.Blocks {
			noteLast(b, e.Init, out)
		}
	}
	return out
}

// keepsOfThread reports whether a variable may hold an object for the thread that it
// belongs to.
func keepsOfThread(g *ir.Global) bool {
	_, number := g.Type.(ir.Int)
	return g.ThreadLocal && !number
}

// noteLast adds the last stores of a block that returns. Other threads run after the
// initialisation only.
func noteLast(b *ir.Block, init bool, out map[ir.Instr]bool) {
	if _, ok := b.Term.(*ir.Return); !ok {
		return
	}
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		switch in := b.Instrs[i].(type) {
		case *ir.Assign:
		case *ir.Register:
			if !init || in.Fn != nil || in.Obj != nil || len(in.Args) > 0 {
				return
			}
		case *ir.Store:
			g, ok := in.Addr.(ir.GlobalAddr)
			if !ok || !g.Global.Extern || !ir.IsPtr(in.Val.Type()) {
				return
			}
			out[in] = true
		default:
			return
		}
	}
}

// mentions counts where the program calls functions, or has them as values.
func mentions(p *ir.Program) map[*ir.Func]int {
	out := map[*ir.Func]int{}
	look := func(e ir.Expr) {
		ir.WalkExpr(e, func(x ir.Expr) bool {
			if f, ok := x.(ir.FuncAddr); ok {
				out[f.Func]++
			}
			return true
		})
	}
	for _, f := range p.Funcs {
		for e := range f.Exprs() {
			look(e)
		}
	}
	for _, g := range p.Globals {
		for _, c := range g.Init {
			look(c.Value)
		}
	}
	return out
}

// pastCon sits at the node of what is handed out at the end of a run: objects of the run
// become those of one that is over.
type pastCon struct{ dst int32 }

func (l pastCon) fire(s *solver, c int32) {
	if c >= numSpecial {
		x := s.cells[c]
		if o := s.pastOf(x.obj); o != x.obj {
			if x.any {
				c = s.cellAny(o)
			} else {
				c = s.cellAt(o, x.off)
			}
		}
	}
	s.put(l.dst, c)
}

// pastOf returns the object of runs that are over for one of the run under way; others
// are what they are.
func (s *solver) pastOf(o *object) *object {
	switch {
	case o.Alloc == nil || o.of != nil || s.strayed[s.siteOf(o)]:
		return o
	case o.past != nil:
		return o.past
	}
	x := s.newObject(o.Object)
	id := x.ID
	x.Object = o.Object
	x.ID = id
	x.raw, x.sized, x.ctx, x.of = o.raw, o.sized, o.ctx, o
	o.past = x
	for _, p := range o.received {
		s.receive(x, p)
	}
	for _, p := range o.pieces {
		s.addPiece(x, p)
	}
	for _, c := range append([]int32(nil), o.content...) {
		s.linkPast(c)
	}
	if o.storeAny != 0 {
		s.linkAny(o)
	}
	return x
}

// linkPast makes what a cell of an object of this run holds be, when the run is over,
// what that of one of earlier runs holds.
func (s *solver) linkPast(c int32) {
	x := s.cells[c]
	switch {
	case x.obj.past != nil:
		s.on(x.node, pastCon{s.content(s.cellAt(x.obj.past, x.off))})
	case x.obj.of != nil:
		s.content(s.cellAt(x.obj.of, x.off)) // links the two
	}
}

// linkAny does the same for what is stored at unknown offsets.
func (s *solver) linkAny(o *object) {
	s.on(o.storeAny, pastCon{s.storeNode(s.cellAny(o.past))})
}

// madeAt names an allocation in all computations: the instruction, and the calls of the
// allocation wrappers that lead to it.
type madeAt struct {
	in    *ir.Alloc
	calls [maxCloneDepth]ir.Instr
}

func (s *solver) siteOf(o *object) madeAt {
	m := madeAt{in: o.Alloc}
	for i, c := 0, o.ctx; c != 0 && i < len(m.calls); i, c = i+1, s.ctxs[c].parent {
		m.calls[i] = s.ctxs[c].call
	}
	return m
}

// maxStrayRounds bounds how often objects turn out to be known to others; then no
// allocation has two objects. Precision only.
const maxStrayRounds = 8

// uniteStrays makes the two objects of an allocation one where those of unfinished runs
// can be reached by others than their thread: each set with a cell of the one has that of
// the other. It reports whether there were any. What an allocation has had two objects
// for is not computed again: whatever follows from a cell of runs that are over follows
// from its twin, too, and of later ones no more are made.
func (s *solver) uniteStrays(all bool) bool {
	for _, o := range s.objs {
		if o.past != nil && (o.Shared || all) {
			s.strayed[s.siteOf(o)] = true
		}
	}
	twins := map[int32]int32{}
	var cs set
	for _, o := range s.objs {
		if o.past == nil || o.past.united || !s.strayed[s.siteOf(o)] {
			continue
		}
		o.past.united = true
		for _, c := range o.past.list {
			twins[c] = s.cellAt(o, s.cells[c].off)
		}
		if c := o.past.anyCell; c != 0 {
			twins[c] = s.cellAny(o)
		}
	}
	for c := range twins {
		cs.add(c)
	}
	for n := range s.nodes {
		if s.rep[n] == int32(n) {
			in := s.nodes[n].pts.and(&cs)
			in.each(func(c int32) { s.put(int32(n), twins[c]) })
		}
	}
	return len(twins) > 0
}

// own reports whether an object is one that only the thread that made it knows: until the
// end of its run, which then hands it out, or for good.
func (s *solver) own(o *object) bool {
	return o.past != nil && !o.past.united || s.prog.TypeSafe && o.Alloc != nil && o.of == nil && !o.Shared
}

// same is the object that stands for both, in regions.
func (o *object) same() *object {
	if o.of != nil {
		return o.of
	}
	return o
}

// joinPast says of objects what holds of either of the two.
func (s *solver) joinPast() {
	for _, o := range s.objs {
		if o.past != nil {
			o.Shared = o.Shared || o.past.Shared
		}
	}
}
