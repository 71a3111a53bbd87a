package vm

import (
	"slices"

	"whoop/ir"
)

// localPointers finds registers that only ever hold the address of one local variable of the function, and are
// used for nothing but to access it, or to have a new thread's handle stored there.
func localPointers(f *ir.Func) map[*ir.Reg]bool {
	local := map[*ir.Reg]bool{}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if a, ok := in.(*ir.Alloc); ok && a.Kind == "stack" {
				local[a.Dst] = true
			}
		}
	}
	leaks(f, func(e ir.Expr) {
		if u, ok := e.(ir.Use); ok {
			delete(local, u.Reg)
		}
	})
	return local
}

// sharedLocals finds the thread-local variables whose address is used for anything but to access them.
func sharedLocals(p *ir.Program) map[*ir.Global]bool {
	shared := map[*ir.Global]bool{}
	for _, f := range p.Funcs {
		leaks(f, func(e ir.Expr) {
			if g, ok := e.(ir.GlobalAddr); ok && g.Global.ThreadLocal {
				shared[g.Global] = true
			}
		})
	}
	return shared
}

// leaks calls leaf for each leaf of the function's expressions whose value is used for anything but as the root of
// an address that is accessed, and for each register that is set by something else than an allocation.
func leaks(f *ir.Func, leaf func(ir.Expr)) {
	leak := func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			leaf(e)
			return true
		})
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			addrs, values := addresses(in)
			for _, a := range addrs {
				root(a, leak)
			}
			for _, v := range values {
				leak(v)
			}
			if _, ok := in.(*ir.Alloc); !ok {
				for _, r := range ir.Defs(in) {
					leaf(ir.Use{Reg: r})
				}
			}
		}
		for _, e := range ir.TermOperands(b.Term) {
			leak(e)
		}
	}
}

// addresses splits the operands of an instruction into the addresses that it accesses, and the rest.
func addresses(in ir.Instr) (addrs, values []ir.Expr) {
	switch i := in.(type) {
	case *ir.Load:
		return []ir.Expr{i.Addr}, nil
	case *ir.Store:
		return []ir.Expr{i.Addr}, []ir.Expr{i.Val}
	case *ir.MemCopy:
		return []ir.Expr{i.Dst, i.Src}, []ir.Expr{i.Size}
	case *ir.MemSet:
		return []ir.Expr{i.Dst}, []ir.Expr{i.Val, i.Size}
	case *ir.Free:
		if i.Scope {
			return []ir.Expr{i.Addr}, nil
		}
	case *ir.Spawn:
		if i.HandleAddr != nil {
			return []ir.Expr{i.HandleAddr}, append([]ir.Expr{i.Fn}, i.Args...)
		}
	case *ir.Touch:
		return []ir.Expr{i.Addr}, []ir.Expr{i.Size}
	}
	return nil, ir.Operands(in)
}

// root calls leak for all of an address but its root.
func root(e ir.Expr, leak func(ir.Expr)) {
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
		case ir.Use, ir.GlobalAddr:
			return
		}
		leak(e)
		return
	}
}

// isOwn reports whether an address is of a local that no one else knows, or of a constant.
func (c *fc) isOwn(e ir.Expr) bool {
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
			return x.Global.ThreadLocal && !c.m.sharedLocals[x.Global] || x.Global.Const && !x.Global.Extern
		default:
			return false
		}
	}
}

// liveDefs finds the instructions that set a register which is read before it is set again.
func liveDefs(f *ir.Func) map[ir.Instr]bool {
	live := map[ir.Instr]bool{}
	liveIn(f, live)
	return live
}

// liveIn finds the registers that are read before they are set from each block on, and notes in live which
// instructions set one that is read.
func liveIn(f *ir.Func, live map[ir.Instr]bool) map[*ir.Block]map[*ir.Reg]bool {
	in := map[*ir.Block]map[*ir.Reg]bool{}
	for _, b := range f.Blocks {
		in[b] = map[*ir.Reg]bool{}
	}
	for changed := true; changed; {
		changed = false
		for i := len(f.Blocks) - 1; i >= 0; i-- {
			b := f.Blocks[i]
			cur := liveOut(b, in)
			backward(b, cur, live)
			for r := range cur {
				if !in[b][r] {
					in[b][r], changed = true, true
				}
			}
		}
	}
	return in
}

func liveOut(b *ir.Block, in map[*ir.Block]map[*ir.Reg]bool) map[*ir.Reg]bool {
	cur := map[*ir.Reg]bool{}
	for _, s := range b.Term.Succs() {
		for r := range in[s] {
			cur[r] = true
		}
	}
	return cur
}

// backward turns the live registers at the end of a block into those at its beginning.
func backward(b *ir.Block, cur map[*ir.Reg]bool, live map[ir.Instr]bool) {
	read := func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			if u, ok := e.(ir.Use); ok {
				cur[u.Reg] = true
			}
			return true
		})
	}
	for _, e := range ir.TermOperands(b.Term) {
		read(e)
	}
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		x := b.Instrs[i]
		used := false
		for _, r := range ir.Defs(x) {
			used = used || cur[r]
		}
		if w, ok := x.(*ir.Await); ok {
			read(w.Cond)
		}
		for _, r := range ir.Defs(x) {
			delete(cur, r)
		}
		_, assign := x.(*ir.Assign)
		_, havoc := x.(*ir.Havoc)
		if used {
			live[x] = true
		}
		if (assign || havoc) && !used {
			continue
		}
		if w, ok := x.(*ir.Await); ok {
			for _, e := range w.Addrs {
				read(e)
			}
			continue
		}
		for _, e := range ir.Operands(x) {
			read(e)
		}
	}
}

// lazyRegs finds registers that one Havoc alone sets and one assignment behind it alone reads, with nothing but
// assignments between the two: the value is asked for only where the assignment needs it.
func lazyRegs(f *ir.Func) []*ir.Reg {
	defs, reads := map[*ir.Reg]int{}, map[*ir.Reg]int{}
	count := func(e ir.Expr) {
		for _, r := range regsOf(e) {
			reads[r]++
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, r := range ir.Defs(in) {
				defs[r]++
			}
			for _, e := range ir.Operands(in) {
				count(e)
			}
			if w, ok := in.(*ir.Await); ok {
				count(w.Cond)
			}
		}
		for _, e := range ir.TermOperands(b.Term) {
			count(e)
		}
	}
	var out []*ir.Reg
	for _, b := range f.Blocks {
		for i, in := range b.Instrs {
			h, ok := in.(*ir.Havoc)
			if ok && !ir.IsPtr(h.Dst.Type) && defs[h.Dst] == 1 && reads[h.Dst] == 1 && readBehind(b.Instrs[i+1:], h.Dst) {
				out = append(out, h.Dst)
			}
		}
	}
	return out
}

// readBehind reports whether an assignment reads a register, with nothing but assignments and Havocs before it.
func readBehind(ins []ir.Instr, r *ir.Reg) bool {
	for _, in := range ins {
		switch i := in.(type) {
		case *ir.Assign:
			if ir.UsesReg(i.X, r) {
				return true
			}
		case *ir.Havoc:
		default:
			return false
		}
	}
	return false
}

// regsOf lists the registers of an expression, each once.
func regsOf(e ir.Expr) []*ir.Reg {
	var out []*ir.Reg
	ir.WalkExpr(e, func(e ir.Expr) bool {
		if u, ok := e.(ir.Use); ok && !slices.Contains(out, u.Reg) {
			out = append(out, u.Reg)
		}
		return true
	})
	return out
}

// uninitialised reports whether some register may be read before it is set.
func uninitialised(f *ir.Func) bool {
	in := liveIn(f, map[ir.Instr]bool{})
	for _, r := range f.Regs {
		if in[f.Blocks[0]][r] {
			return true
		}
	}
	return false
}

// unread finds a register of e that was made arbitrary before in the block and not read since, and values to try.
func unread(prior []ir.Instr, e ir.Expr) (r *ir.Reg, values []uint64) {
	var consts []uint64
	ir.WalkExpr(e, func(e ir.Expr) bool {
		switch e := e.(type) {
		case ir.Const:
			if e.Val.IsInt64() {
				consts = append(consts, uint64(e.Val.Int64()))
			}
		case ir.Use:
			if r == nil && !ir.IsPtr(e.Reg.Type) && narrowEnough(e.Reg.Type) && madeArbitrary(prior, e.Reg) {
				r = e.Reg
			}
		}
		return true
	})
	if r == nil {
		return nil, nil
	}
	b, s := norm(r.Type)
	for _, k := range append([]uint64{0}, consts...) {
		for _, v := range []uint64{k, k + 1, k - 1} {
			values = append(values, normalise(v, b, s))
		}
	}
	return r, values
}

func madeArbitrary(prior []ir.Instr, r *ir.Reg) bool {
	for k := len(prior) - 1; k >= 0; k-- {
		in := prior[k]
		if h, ok := in.(*ir.Havoc); ok && h.Dst == r {
			return true
		}
		for _, d := range ir.Defs(in) {
			if d == r {
				return false
			}
		}
		for _, e := range ir.Operands(in) {
			if ir.UsesReg(e, r) {
				return false
			}
		}
	}
	return false
}
