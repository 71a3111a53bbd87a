package interp

import "whoop/ir"

// markFuncs notes the functions whose address is a value somewhere: candidates for arbitrary function pointers.
func (c *fc) markFuncs() {
	mark := func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			if fa, ok := e.(ir.FuncAddr); ok {
				c.m.fnOf[fa.Func].addrTaken = true
			}
			return true
		})
	}
	for _, b := range c.x.f.Blocks {
		for _, in := range b.Instrs {
			ops := ir.Operands(in)
			if call, ok := in.(*ir.Call); ok {
				if _, direct := call.Callee.(ir.FuncAddr); direct {
					ops = call.Args
				}
			}
			for _, e := range ops {
				mark(e)
			}
		}
		for _, e := range ir.TermOperands(b.Term) {
			mark(e)
		}
	}
}

// localPointers finds registers that only ever hold the address of the function's own locals and are used for nothing
// but to access them: no other thread can reach those objects.
func localPointers(f *ir.Func) map[*ir.Reg]bool {
	local := map[*ir.Reg]bool{}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if a, ok := in.(*ir.Alloc); ok && a.Kind == "stack" {
				local[a.Dst] = true
			}
		}
	}
	leak := func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			if u, ok := e.(ir.Use); ok {
				delete(local, u.Reg)
			}
			return true
		})
	}
	address := func(e ir.Expr) { // the root may be local, indices may not leak it
		for {
			switch x := e.(type) {
			case ir.FieldAddr:
				e = x.Base
				continue
			case ir.IndexAddr:
				leak(x.Idx)
				e = x.Base
				continue
			case ir.Cast:
				if ir.IsPtr(x.T) && ir.IsPtr(x.X.Type()) {
					e = x.X
					continue
				}
			case ir.Use:
				return
			}
			leak(e)
			return
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			switch i := in.(type) {
			case *ir.Alloc:
				leak(i.Count)
				continue
			case *ir.Load:
				address(i.Addr)
			case *ir.Store:
				address(i.Addr)
				leak(i.Val)
			case *ir.MemCopy:
				address(i.Dst)
				address(i.Src)
				leak(i.Size)
			case *ir.MemSet:
				address(i.Dst)
				leak(i.Val)
				leak(i.Size)
			case *ir.Touch:
				address(i.Addr)
			default:
				for _, e := range ir.Operands(in) {
					leak(e)
				}
			}
			for _, r := range ir.Defs(in) { // set by something else too
				delete(local, r)
			}
		}
		for _, e := range ir.TermOperands(b.Term) {
			leak(e)
		}
	}
	return local
}

// own reports whether an address is of a local that no one else knows.
func (c *fc) own(e ir.Expr) bool {
	for {
		switch x := e.(type) {
		case ir.FieldAddr:
			e = x.Base
		case ir.IndexAddr:
			e = x.Base
		case ir.Cast:
			e = x.X
		case ir.Use:
			return c.local[x.Reg]
		case ir.GlobalAddr:
			return x.Global.ThreadLocal || x.Global.Const && !x.Global.Extern
		default:
			return false
		}
	}
}

// visible reports whether other threads may notice the instruction, or it others.
func (c *fc) visible(in ir.Instr) bool {
	if c.m.cfg.Visible != nil {
		return c.m.cfg.Visible(in)
	}
	switch i := in.(type) {
	case *ir.Assign, *ir.Havoc, *ir.Assume, *ir.Call, *ir.Alloc:
		return false
	case *ir.Load:
		return !c.own(i.Addr)
	case *ir.Store:
		return !c.own(i.Addr)
	case *ir.MemCopy:
		return !c.own(i.Dst) || !c.own(i.Src)
	case *ir.MemSet:
		return !c.own(i.Dst)
	case *ir.Touch:
		return !c.own(i.Addr)
	}
	return true
}

// liveness finds the registers that may be read before they are written, and those live before each op.
func (c *fc) liveness() {
	x := c.x
	n := (x.slots + 63) / 64
	set := func(b []uint64, st slotType, on bool) {
		if st.slot < 0 {
			return
		}
		for k := st.slot; k < st.slot+st.n; k++ {
			if on {
				b[k/64] |= 1 << (k % 64)
			} else {
				b[k/64] &^= 1 << (k % 64)
			}
		}
	}
	uses := func(b []uint64, es []ir.Expr) {
		for _, e := range es {
			ir.WalkExpr(e, func(e ir.Expr) bool {
				if u, ok := e.(ir.Use); ok {
					set(b, c.slots[u.Reg], true)
				}
				return true
			})
		}
	}
	x.live = make([][]uint64, len(x.code))
	back := make([]uint64, n*len(x.code))
	for i := range x.live {
		x.live[i] = back[i*n : i*n+n]
	}
	cur := make([]uint64, n)
	for changed := true; changed; {
		changed = false
		for bi := len(x.f.Blocks) - 1; bi >= 0; bi-- {
			b := x.f.Blocks[bi]
			clear(cur)
			for _, t := range b.Term.Succs() {
				for k, w := range x.live[c.start[t]] {
					cur[k] |= w
				}
			}
			pc := c.start[b] + len(b.Instrs)
			uses(cur, ir.TermOperands(b.Term))
			copy(x.live[pc], cur)
			for i := len(b.Instrs) - 1; i >= 0; i-- {
				pc--
				for _, r := range ir.Defs(b.Instrs[i]) {
					set(cur, c.slots[r], false)
				}
				uses(cur, ir.Operands(b.Instrs[i]))
				for k, w := range cur {
					if x.live[pc][k] != w {
						x.live[pc][k], changed = w, true
					}
				}
			}
		}
	}
	if len(x.code) == 0 {
		return
	}
	for _, r := range x.f.Regs {
		st := c.slots[r]
		if x.live[0][st.slot/64]>>(st.slot%64)&1 != 0 {
			x.arbitrary = append(x.arbitrary, st)
		}
	}
}
