package mhp

import "whoop/ir"

// cell is a place that holds a thread handle: the register reg itself (direct), or the
// memory at base + off + idx*stride. It is comparable: equal cells are the same place as
// long as the registers in it keep their values.
type cell struct {
	global *ir.Global
	reg    *ir.Reg // base register, where global is nil
	direct bool
	off    int64
	idx    string // printed index expression, "" for none; "#" is the loop counter
	stride int64
	owner  *ir.Func // the function whose registers occur, nil for none
	// via: the base is the pointer in this global at viaOff (global and reg are nil).
	via    *ir.Global
	viaOff int64
	// size is the number of bytes of a handle in memory, 0 for a register.
	size int64
}

// expand replaces the registers in e, at instruction at of b, by what they were assigned
// before in the same block (or by their only assignment in the function, if that reads
// nothing that changes), as far as the meaning stays the same.
func (w *world) expand(b *ir.Block, at int, e ir.Expr) ir.Expr { return w.expandN(b, at, e, 20) }

func (w *world) expandN(b *ir.Block, at int, e ir.Expr, fuel int) ir.Expr {
	if fuel == 0 {
		return e
	}
	return ir.MapExpr(e, func(x ir.Expr) ir.Expr {
		u, ok := x.(ir.Use)
		if !ok {
			return x
		}
		def, j := lastDef(b, at, u.Reg)
		if def == nil {
			return w.stable(u, fuel)
		}
		a, ok := def.(*ir.Assign)
		if !ok {
			return x
		}
		y := w.expandN(b, j, a.X, fuel-1)
		for k := j; k < at; k++ {
			for _, d := range ir.Defs(b.Instrs[k]) {
				if ir.UsesReg(y, d) {
					return x
				}
			}
		}
		return y
	})
}

// stable replaces a register assigned only once, from an expression over registers never
// assigned.
func (w *world) stable(u ir.Use, fuel int) ir.Expr {
	ds := w.defs[u.Reg]
	if len(ds) != 1 {
		return u
	}
	a, ok := ds[0].(*ir.Assign)
	if !ok {
		return u
	}
	constant := true
	ir.WalkExpr(a.X, func(x ir.Expr) bool {
		if v, ok := x.(ir.Use); ok && (len(w.defs[v.Reg]) > 0 || v.Reg.Ghost) {
			constant = false
		}
		return constant
	})
	if !constant {
		return u
	}
	return a.X
}

// lastDef returns the last instruction before at in b that assigns r, and its index.
func lastDef(b *ir.Block, at int, r *ir.Reg) (ir.Instr, int) {
	for j := at - 1; j >= 0; j-- {
		for _, d := range ir.Defs(b.Instrs[j]) {
			if d == r {
				return b.Instrs[j], j
			}
		}
	}
	return nil, -1
}

// sized is the cell with handles of that size; nil stays nil.
func (c *cell) sized(size int64) *cell {
	if c != nil {
		c.size = size
	}
	return c
}

// handleSize is the number of bytes that a spawn stores at its HandleAddr.
func handleSize(in *ir.Spawn) int64 {
	if p, ok := in.HandleAddr.Type().(ir.Ptr); ok && p.Elem.Size() > 0 {
		return min(p.Elem.Size(), 8)
	}
	return 8
}

// place reads an expanded address as a cell; counter (may be nil) is printed as "#". It
// returns nil where the address has another form.
func (w *world) place(f *ir.Func, e ir.Expr, counter *ir.Reg) *cell {
	c := &cell{}
	for {
		switch x := e.(type) {
		case ir.Cast:
			if !ir.IsPtr(x.T) || !ir.IsPtr(x.X.Type()) {
				return nil
			}
			e = x.X
		case ir.GlobalAddr:
			if x.Global.ThreadLocal {
				return nil
			}
			c.global = x.Global
			return c
		case ir.Use:
			if x.Reg.Ghost || x.Reg == counter {
				return nil
			}
			c.reg, c.owner = x.Reg, f
			return c
		case ir.FieldAddr:
			c.off += x.S.Fields[x.Index].Offset
			e = x.Base
		case ir.IndexAddr:
			if k, ok := x.Idx.(ir.Const); ok && k.Val.IsInt64() {
				c.off += k.Val.Int64() * x.Stride
			} else if c.idx != "" || !c.index(f, x, counter) {
				return nil
			}
			e = x.Base
		default:
			return nil
		}
	}
}

// index sets the cell's index from x.
func (c *cell) index(f *ir.Func, x ir.IndexAddr, counter *ir.Reg) bool {
	idx := x.Idx
	for counter != nil {
		k, ok := idx.(ir.Cast)
		if !ok || !widens(k) {
			break
		}
		idx = k.X
	}
	c.stride = x.Stride
	if u, ok := idx.(ir.Use); ok && u.Reg == counter && counter != nil {
		c.idx = "#"
		return true
	}
	if counter != nil && ir.UsesReg(idx, counter) {
		return false
	}
	c.idx, c.owner = ir.ExprString(x.Idx), f
	return true
}

// widens reports whether the cast keeps all integer values apart.
func widens(c ir.Cast) bool {
	to, ok := c.T.(ir.Int)
	from, ok2 := c.X.Type().(ir.Int)
	return ok && ok2 && to.Bits >= from.Bits
}

// extent returns the bytes that handles in the cell take, where the offsets are known; in
// a loop, of all iterations.
func (c *cell) extent(l *counted) (from, to int64, ok bool) {
	if c == nil || c.direct {
		return 0, 0, false
	}
	from, to = c.off, c.off+c.size
	if c.idx == "" {
		return from, to, true
	}
	lo, hi, ok := spanOf(l)
	const limit = 1 << 30 // no overflow below
	if !ok || c.idx != "#" || max(lo, -lo, hi, -hi, c.stride, -c.stride) > limit {
		return 0, 0, false
	}
	x, y := c.off+c.stride*lo, c.off+c.stride*hi
	return min(x, y), max(x, y) + c.size, true
}

// apart reports whether handles in two cells (in the loops l and m, if any) cannot
// overlap, though the alias analysis has one region for them.
func apart(a *cell, l *counted, b *cell, m *counted) bool {
	f, t, ok := a.extent(l)
	f2, t2, ok2 := b.extent(m)
	if !ok || !ok2 || a.global != b.global || a.reg != b.reg || a.via != b.via || a.viaOff != b.viaOff {
		return false
	}
	return t <= f2 || t2 <= f
}

// through replaces a base that is a pointer loaded from a global, right before in the
// same block, by that global.
func (w *world) through(b *ir.Block, at int, c *cell) *cell {
	if c == nil || c.reg == nil || c.direct {
		return c
	}
	def, j := lastDef(b, at, c.reg)
	ld, ok := def.(*ir.Load)
	if !ok || ld.Order != ir.Plain {
		return c
	}
	for _, in := range b.Instrs[j:at] {
		if !quiet(in) {
			return c
		}
	}
	p := w.place(w.cg.fnOf(ld), w.expand(b, j, ld.Addr), nil)
	if p == nil || p.global == nil || p.idx != "" {
		return c
	}
	out := *c
	out.reg, out.via, out.viaOff = nil, p.global, p.off
	if out.idx == "" || out.idx == "#" {
		out.owner = nil
	}
	return &out
}
