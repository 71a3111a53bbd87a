package alias

import (
	"slices"

	"whoop/ir"
)

// callContext is an instance of an allocation wrapper at a call site; number 0 is
// everything else.
type callContext struct {
	fn     *ir.Func
	call   ir.Instr
	parent int32
	depth  int
	world  int32 // see instances.go
}

type (
	ctxKey struct {
		fn     *ir.Func
		call   ir.Instr
		parent int32
	}
	regKey struct {
		ctx int32
		reg *ir.Reg
		web int
	}
	instKey struct {
		fn  *ir.Func
		ctx int32
	}
	bindKey struct {
		in  ir.Instr
		ctx int32 // of in
		fn  *ir.Func
	}
)

// calleeSet collects what an instruction may call.
type calleeSet struct {
	fns        []*ir.Func
	incomplete bool
	any        bool // in programs that are not type-safe: the pointer may be of any function
}

// Modes of a rec.
const (
	narrow byte = iota // one scalar
	wide               // a range of bytes
	deep               // the object and all that is reachable from it
	target             // a lock or the like: its address matters
)

// look is where code not seen looks that goes from one object to the next.
type look byte

const (
	everything look = iota
	named           // not into hidden members
	typed           // nor into constant ones
	core            // not at extern objects
	asPrinted       // into hidden members, but not along pointers to structs there
)

func lookOf(in *ir.Touch) look {
	switch {
	case in.Core:
		return core
	case in.Printed && !in.Write:
		return asPrinted
	case in.Typed:
		return typed
	case in.Named:
		return named
	}
	return everything
}

// A rec is one address operand of an instruction, with its node in every context.
type rec struct {
	addr  ir.Expr
	nodes []int32
	ctxs  []int32 // those that the nodes are in
	size  int64
	mode  byte
	write bool
	// look is how far deep ones look.
	look look
	// inner: of deep ones, what is at the address does not count.
	inner bool
	// pointee is the struct that the address is taken to be of; nil: of anything.
	pointee *ir.Struct
	order   ir.Order
	// fresh: to memory that no other thread can know yet (other operands of the
	// instruction may not be).
	fresh bool
	// mixed is such memory, where it may be to that or to other.
	mixed []objSpan
}

// reg returns the node of a web of a register; web 0 holds the parameters.
func (s *solver) reg(r *ir.Reg, ctx int32, web int) int32 {
	if !s.carries(r.Type) {
		return 0
	}
	if r.Ghost {
		ctx = -1
	}
	k := regKey{ctx, r, web}
	n, ok := s.regs[k]
	if !ok {
		n = s.newNode()
		s.regs[k] = n
		all := regKey{ctx, r, -1}
		s.regWebs[all] = append(s.regWebs[all], n)
	}
	return n
}

// use returns the node of a register that is read at the present site; without one all
// webs are meant.
func (s *solver) use(r *ir.Reg, ctx int32) int32 {
	if s.site != nil {
		return s.reg(r, ctx, s.webOf[webKey{s.site, r, false}])
	}
	n := int32(0)
	for _, w := range s.regWebs[regKey{ctx, r, -1}] {
		n = s.both(n, w)
	}
	return n
}

// def returns the node of a register that is assigned at the present site.
func (s *solver) def(r *ir.Reg, ctx int32) int32 {
	return s.reg(r, ctx, s.webOf[webKey{s.site, r, true}])
}

func (s *solver) ret(f *ir.Func, ctx int32) int32 {
	if f.Result == nil || !s.keeps(f.Result) {
		return 0
	}
	k := instKey{f, ctx}
	n, ok := s.rets[k]
	if !ok {
		n = s.newNode()
		s.rets[k] = n
	}
	return n
}

// reach generates the constraints of a function in a context, once.
func (s *solver) reach(f *ir.Func, ctx int32) {
	k := instKey{f, ctx}
	if s.insts[k] {
		return
	}
	s.insts[k] = true
	if !s.isReached[f] {
		s.isReached[f] = true
		s.reached = append(s.reached, f)
		s.same[f] = sameAs(f)
		s.splitWebs(f)
	}
	outer := s.site
	defer func() { s.site = outer }()
	g := &generator{s, f, ctx}
	if s.worlds != nil {
		if len(f.Blocks) > 0 {
			g.reachBlock(f.Blocks[0])
		}
		return
	}
	for _, b := range f.Blocks {
		g.block(b)
	}
}

// generator makes the constraints of one function instance.
type generator struct {
	s   *solver
	fn  *ir.Func
	ctx int32
}

// block generates the constraints of a block.
func (g *generator) block(b *ir.Block) {
	s := g.s
	for _, in := range b.Instrs {
		s.fnOf[in] = g.fn
		s.site = in
		g.instr(in)
	}
	s.site = b.Term
	switch t := b.Term.(type) {
	case *ir.Return:
		if t.Val != nil {
			g.returns(g.eval(t.Val))
		}
	case *ir.Stop:
		if t.Val != nil {
			s.edge(g.eval(t.Val), s.threadRet)
			s.edge(s.threadRet, s.shareRoot) // who joins the thread gets it
		}
	}
}

func (g *generator) eval(e ir.Expr) int32 {
	if e == nil {
		return 0
	}
	return g.s.eval(e, g.ctx)
}

// touch records an address operand; i is its number in the instruction.
func (g *generator) touch(in ir.Instr, i int, r rec) int32 {
	s := g.s
	n := g.eval(r.addr)
	if i == 0 && s.recs[in] == nil {
		s.recOrder = append(s.recOrder, in)
	}
	for len(s.recs[in]) <= i {
		c := r
		s.recs[in] = append(s.recs[in], &c)
	}
	x := s.recs[in][i]
	x.nodes, x.ctxs = append(x.nodes, n), append(x.ctxs, g.ctx)
	return n
}

func (g *generator) instr(in ir.Instr) {
	s := g.s
	g.arbitraryFlags(in)
	switch in := in.(type) {
	case *ir.Assign:
		g.set(in, in.Dst, g.eval(in.X))
	case *ir.Load:
		n := g.touch(in, 0, rec{addr: in.Addr, size: in.Dst.Type.Size(), order: in.Order})
		if s.keeps(in.Dst.Type) {
			g.set(in, in.Dst, s.loaded(n, in.Dst.Type))
		}
	case *ir.Store:
		g.store(in, 0, in.Addr, in.Val, in.Order)
	case *ir.RMW:
		g.rmw(in)
	case *ir.CmpXchg:
		n := g.store(in, 0, in.Addr, in.New, in.Order)
		if in.Dst != nil && s.keeps(in.Dst.Type) {
			s.loadFrom(n, s.def(in.Dst, g.ctx), in.Dst.Type)
		}
	case *ir.Alloc:
		o := s.allocObject(in, g.fn, g.ctx)
		s.put(s.def(in.Dst, g.ctx), s.cellAt(o, 0))
		if in.MayFail {
			s.put(s.def(in.Dst, g.ctx), cellNull)
		}
	case *ir.Havoc:
		if ir.IsPtr(in.Dst.Type) && (in.Input || havocUsed(g.fn, in)) {
			if in.Outside {
				s.edge(s.resultNode(in.Dst.Type), s.def(in.Dst, g.ctx))
				break
			}
			s.put(s.def(in.Dst, g.ctx), cellUnknown)
		}
	case *ir.Free, *ir.MemCopy, *ir.MemSet, *ir.Touch:
		g.ranges(in)
	case *ir.Call, *ir.Once, *ir.Spawn, *ir.Register:
		g.calls(in)
	case *ir.Unregister:
	case *ir.Join:
		if in.Dst != nil {
			s.edge(s.threadRet, s.def(in.Dst, g.ctx))
		}
	default:
		g.sync(in)
	}
}

// store handles an instruction that writes the value val at addr.
func (g *generator) store(in ir.Instr, i int, addr, val ir.Expr, order ir.Order) int32 {
	s := g.s
	size := val.Type().Size()
	n := g.touch(in, i, rec{addr: addr, size: size, write: true, order: order})
	if s.keeps(val.Type()) && !(s.last[in] && s.singledOut(g.fn, g.ctx)) {
		v := g.eval(val)
		if s.last[in] && v != 0 {
			out := s.newNode()
			s.on(v, pastCon{out})
			v = out
		}
		s.storeTo(n, v, val.Type())
	}
	if !ir.IsPtr(val.Type()) {
		if v, ok := constOf(val); !ok || v != 0 {
			s.on(n, pieceCon{size})
		}
	}
	return n
}

func (g *generator) rmw(in *ir.RMW) {
	s := g.s
	n := g.store(in, 0, in.Addr, in.Val, in.Order)
	t := in.Val.Type()
	if !s.keeps(t) {
		return
	}
	old := s.newNode()
	s.loadFrom(n, old, t)
	if in.Dst != nil {
		s.edge(old, s.def(in.Dst, g.ctx))
	}
	if in.Op != "xchg" {
		s.storeTo(n, s.xnode(old, xform{op: opAnywhere}, nil), t)
	}
}

// ranges handles the instructions that touch ranges of bytes.
func (g *generator) ranges(in ir.Instr) {
	s := g.s
	switch in := in.(type) {
	case *ir.Free:
		g.touch(in, 0, rec{addr: in.Addr, size: wholeObject, mode: wide, write: true, order: ir.Plain})
	case *ir.MemCopy:
		size := sizeOf(in.Size)
		if in.Fit { // it may be less
			size = 0
		}
		d := g.touch(in, 0, rec{addr: in.Dst, size: size, mode: wide, write: true, order: in.Order})
		x := g.touch(in, 1, rec{addr: in.Src, size: size, mode: wide, order: in.Order})
		if s.prog.TypeSafe && in.Elem != nil && !hasUnion(in.Elem) {
			g.copyPointers(in.Elem, ir.Cast{X: in.Dst, T: ir.Ptr{Elem: in.Elem}}, ir.Cast{X: in.Src, T: ir.Ptr{Elem: in.Elem}})
		} else {
			s.copyBytes(d, x, size)
		}
		// the members of an assigned struct are copied as they are
		if t, ok := in.Elem.(*ir.Struct); !ok || hasUnion(t) || t.Size() != size {
			s.on(d, pieceCon{size}) // what was piecewise there is so here
		}
	case *ir.MemSet:
		n := g.touch(in, 0, rec{addr: in.Dst, size: sizeOf(in.Size), mode: wide, write: true, order: in.Order})
		if v, ok := constOf(in.Val); !ok || v != 0 {
			s.on(n, pieceCon{sizeOf(in.Size)})
			s.setFlags(n)
		}
	case *ir.Touch:
		r := rec{addr: in.Addr, mode: wide, order: ir.Plain}
		if in.Size != nil {
			r.size = sizeOf(in.Size)
		} else if in.Pointee {
			r.pointee = pointeeStruct(in.Addr.Type())
		}
		if in.Deep {
			r.mode, r.look, r.inner = deep, lookOf(in), in.Inner
		}
		i := 0
		if in.Read || !in.Write {
			n := g.touch(in, i, r)
			if in.Deep && in.Named { // a method of a user's
				s.showOthers(n, g.ctx)
			}
			if in.Deep && !in.Write && !s.prog.TypeSafe {
				s.on(n, shownCon{alone(g.fn, in)})
			}
			i++
		}
		if in.Write {
			r.write = true
			n := g.touch(in, i, r)
			if in.Inner {
				break // another instruction hands the address over
			}
			s.on(n, pieceCon{r.size})
			if !in.Deep && s.hasMain() {
				s.on(n, receivedCon{r.size})
			}
			s.setFlags(n)
			if in.Deep && in.Borrow && in.Makes {
				break // what it writes is stored by what follows
			}
			if in.Deep && in.Borrow {
				s.edge(n, s.lend)
			} else if in.Deep {
				s.handOver(n, !alone(g.fn, in))
				if s.byEffective && (s.forgets(in.Addr.Type()) || registersAt(g.fn, in.Pos)) {
					s.edge(n, s.back)
				}
			}
		}
	}
}

// alone reports whether a call hands over one address only, returns none, and gets no
// functions: it cannot store that in what another one leads to, nor give it to anybody.
func alone(f *ir.Func, t *ir.Touch) bool {
	n := 0
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch x := in.(type) {
			case *ir.Touch:
				if x.Pos == t.Pos && !x.Inner {
					n++
				}
			case *ir.Havoc:
				if x.Pos == t.Pos && x.Outside && ir.IsPtr(x.Dst.Type) {
					n++
				}
			}
		}
	}
	return n == 1 && !registersAt(f, t.Pos)
}

// registersAt reports whether a call at a position, of code not seen, gets functions to
// call: what else it gets are their arguments.
func registersAt(f *ir.Func, pos ir.Pos) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if r, ok := in.(*ir.Register); ok && r.Pos == pos && len(r.Args) == 0 {
				return true
			}
		}
	}
	return false
}

// pointeeStruct is the struct that pointers of a type lead to, nil where it is none, or
// one that goes on behind its end.
func pointeeStruct(t ir.Type) *ir.Struct {
	p, ok := t.(ir.Ptr)
	if !ok {
		return nil
	}
	st, ok := p.Elem.(*ir.Struct)
	if !ok || st.Size() <= 0 || flexible(st) {
		return nil
	}
	return st
}

func sizeOf(e ir.Expr) int64 {
	if v, ok := constOf(e); ok && v > 0 {
		return v
	}
	return 0
}

// sync records the addresses of synchronisation objects.
func (g *generator) sync(in ir.Instr) {
	t := func(i int, e ir.Expr) { g.touch(in, i, rec{addr: e, size: 1, mode: target}) }
	switch in := in.(type) {
	case *ir.Lock:
		t(0, in.Lock)
	case *ir.Unlock:
		t(0, in.Lock)
	case *ir.LockInit:
		g.touch(in, 0, rec{addr: in.Lock, size: 1, mode: target, write: in.Destroy})
	case *ir.CondWait:
		t(0, in.Cond)
		t(1, in.Mutex)
	case *ir.CondSignal:
		t(0, in.Cond)
	case *ir.SemInit:
		t(0, in.Sem)
	case *ir.SemWait:
		t(0, in.Sem)
	case *ir.SemPost:
		t(0, in.Sem)
	case *ir.BarrierInit:
		t(0, in.Barrier)
	case *ir.BarrierWait:
		t(0, in.Barrier)
	}
}

// havocUsed tells whether the arbitrary value may be used before the register is assigned
// again.
func havocUsed(f *ir.Func, h *ir.Havoc) bool {
	for _, b := range f.Blocks {
		for i, in := range b.Instrs {
			if in == ir.Instr(h) {
				return usedFrom(b, i+1, h.Dst, map[*ir.Block]bool{})
			}
		}
	}
	return true
}

// usedFrom tells whether r may be read, from instruction i of b on, before it is
// assigned.
func usedFrom(b *ir.Block, i int, r *ir.Reg, seen map[*ir.Block]bool) bool {
	for _, in := range b.Instrs[i:] {
		for _, e := range ir.Operands(in) {
			if ir.UsesReg(e, r) {
				return true
			}
		}
		if slices.Contains(ir.Defs(in), r) {
			return false
		}
	}
	if b.Term == nil {
		return false
	}
	for _, e := range ir.TermOperands(b.Term) {
		if ir.UsesReg(e, r) {
			return true
		}
	}
	for _, n := range b.Term.Succs() {
		if !seen[n] {
			seen[n] = true
			if usedFrom(n, 0, r, seen) {
				return true
			}
		}
	}
	return false
}

// copyPointers copies the pointers in values of type t from src to dst. In a program in
// which only what is declared so holds pointers, these are all that matters, and going
// through one node for each of them costs the sum of the sizes of both points-to sets,
// where copying objects costs their product.
func (g *generator) copyPointers(t ir.Type, dst, src ir.Expr) {
	switch x := t.(type) {
	case ir.Array:
		at := func(e ir.Expr) ir.Expr {
			return ir.IndexAddr{Base: e, Idx: ir.IntConst(ir.I64, 0), Stride: x.Elem.Size(), T: ir.Ptr{Elem: x.Elem}}
		}
		if x.Elem.Size() > 0 {
			g.copyPointers(x.Elem, at(dst), at(src))
		}
	case *ir.Struct:
		for i := range x.Fields {
			g.copyPointers(x.Fields[i].Type, ir.FieldAddr{Base: dst, S: x, Index: i}, ir.FieldAddr{Base: src, S: x, Index: i})
		}
	default:
		if !g.s.keeps(t) {
			return
		}
		n := g.s.newNode()
		g.s.loadFrom(g.eval(src), n, t)
		g.s.storeTo(g.eval(dst), n, t)
	}
}

func hasUnion(t ir.Type) bool {
	switch x := t.(type) {
	case ir.Array:
		return hasUnion(x.Elem)
	case *ir.Struct:
		return x.Union || slices.ContainsFunc(x.Fields, func(f ir.Field) bool { return hasUnion(f.Type) })
	}
	return false
}
