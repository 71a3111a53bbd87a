package vm

import (
	"slices"

	"whoop/ir"
)

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
