package alias

import "whoop/ir"

// Flags. With worlds the solver follows one more thing than addresses: whether a value of
// one byte, or of type bool, may be other than zero. A set with anything but null in it
// says that it may. Reading from where nothing was ever stored but zero, in objects that
// begin as zeros, yields zero, and a branch on that is never taken. As for pointers the
// order of things does not matter: what may be stored at all counts.

// isFlag reports whether values of a type are followed so.
func (s *solver) isFlag(t ir.Type) bool {
	if s.worlds == nil {
		return false
	}
	switch t := t.(type) {
	case ir.Bool:
		return true
	case ir.Int:
		return t.Bits == 8
	}
	return false
}

// flag is the node of an expression of such a type; 0 where it is zero.
func (s *solver) flag(e ir.Expr, ctx int32) int32 {
	switch e := e.(type) {
	case ir.Use:
		return s.use(e.Reg, ctx)
	case ir.Const:
		if e.Val.Sign() == 0 {
			return 0
		}
	case ir.BoolConst:
		if !bool(e) {
			return 0
		}
	case ir.Cast:
		if s.isFlag(e.X.Type()) {
			return s.flag(e.X, ctx)
		}
	case ir.Select:
		return s.both(s.flag(e.X, ctx), s.flag(e.Y, ctx))
	}
	return s.constant(cellTrue)
}

// arbitraryFlags makes arbitrary what an instruction sets that does not say what to.
func (g *generator) arbitraryFlags(in ir.Instr) {
	s := g.s
	switch in.(type) {
	case *ir.Assign, *ir.Load, *ir.Call:
		return
	}
	for _, r := range ir.Defs(in) {
		if s.isFlag(r.Type) {
			s.put(s.def(r, g.ctx), cellTrue)
		}
	}
	if x, ok := in.(*ir.RMW); ok && s.isFlag(x.Val.Type()) {
		s.storeTo(g.eval(x.Addr), s.constant(cellTrue), nil)
	}
}

// setFlags makes the bytes at the cells of a node arbitrary.
func (s *solver) setFlags(addr int32) {
	if s.worlds != nil {
		s.storeTo(addr, s.constant(cellTrue), nil)
	}
}

// loadFlag makes what a cell holds flow to a node.
func (s *solver) loadFlag(c, dst int32) {
	if c == cellNull {
		return // the program ends
	}
	if c < numSpecial || s.cells[c].any || s.cells[c].obj.raw || s.cells[c].obj.Kind == KindFunc {
		s.put(dst, cellTrue)
		return
	}
	if s.valid(c, 1) {
		s.edge(s.content(c), dst)
	}
}

// isFlagCell reports whether a cell is one byte that its object's type declares.
func (s *solver) isFlagCell(c cell) bool {
	if s.worlds == nil || c.any || c.obj.raw || c.obj.Type == nil {
		return false
	}
	for _, t := range scalarsAt(c.obj.Type, c.off) {
		if s.isFlag(t) {
			return true
		}
	}
	return false
}

// flagAtBirth reports whether a byte may be other than zero when its object is made.
func (s *solver) flagAtBirth(c cell) bool {
	if s.worlds == nil || !s.isFlagCell(c) {
		return false
	}
	switch o := c.obj; o.Kind {
	case KindGlobal:
		return o.Global.Extern || len(o.Global.Init) > 0
	case KindHeap, KindStack:
		return !o.Alloc.Zero
	}
	return true
}

// blockKey names a block in a context.
type blockKey struct {
	b   *ir.Block
	ctx int32
}

// reachBlock generates the constraints of a block, and of those after it, once, as far as
// branches may be taken.
func (g *generator) reachBlock(first *ir.Block) {
	s := g.s
	outer := s.site
	defer func() { s.site = outer }()
	for work := []*ir.Block{first}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if k := (blockKey{b, g.ctx}); s.blocks[k] {
			continue
		} else {
			s.blocks[k] = true
		}
		g.block(b)
		if b.Term == nil {
			continue
		}
		t, ok := b.Term.(*ir.Branch)
		if !ok {
			work = append(work, b.Term.Succs()...)
			continue
		}
		cond, then, other := t.Cond, t.Then, t.Else
		for {
			u, ok := cond.(ir.Unary)
			if !ok || u.Op != "lnot" {
				break
			}
			cond, then, other = u.X, other, then
		}
		s.site = b.Term
		var holds int32
		if p, equal := nullTest(cond); p != nil && s.prog.TypeSafe {
			if equal {
				then, other = other, then
			}
			if holds = s.eval(p, g.ctx); holds == 0 { // of which nothing is known
				work = append(work, then)
			}
		} else {
			holds = s.eval(cond, g.ctx)
		}
		work = append(work, other)
		s.on(holds, takenCon{g, then})
	}
}

// nullTest is the pointer that a condition compares with null: it may be another one only
// where the pointer may be. equal: the condition holds where it is null. In type-safe
// programs alone: elsewhere error codes are not told from null.
func nullTest(cond ir.Expr) (p ir.Expr, equal bool) {
	c, ok := cond.(ir.Binary)
	if !ok || c.Op != "eq" && c.Op != "ne" {
		return nil, false
	}
	for _, e := range [][2]ir.Expr{{c.X, c.Y}, {c.Y, c.X}} {
		if _, null := e[1].(ir.Null); null && ir.IsPtr(e[0].Type()) {
			return e[0], c.Op == "eq"
		}
	}
	return nil, false
}

// takenCon sits at the node of a condition: once it may hold, the block is reached.
type takenCon struct {
	g *generator
	b *ir.Block
}

func (l takenCon) fire(_ *solver, c int32) {
	if c != cellNull {
		l.g.reachBlock(l.b)
	}
}
