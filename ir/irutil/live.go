package irutil

import "whoop/ir"

// LiveDefs finds the instructions that set a register which is read before it is set
// again.
func LiveDefs(f *ir.Func) map[ir.Instr]bool {
	live := map[ir.Instr]bool{}
	liveIn(f, live)
	return live
}

// LiveBefore tells of each instruction and terminator which registers may be read from
// there on before they are set. The map is valid until at returns.
func LiveBefore(f *ir.Func, at func(at any, live map[*ir.Reg]bool)) {
	in := liveIn(f, map[ir.Instr]bool{})
	for _, b := range f.Blocks {
		backward(b, liveOut(b, in), map[ir.Instr]bool{}, at)
	}
}

// liveIn finds the registers that are read before they are set from each block on, and
// notes in live which instructions set one that is read.
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
			backward(b, cur, live, func(any, map[*ir.Reg]bool) {})
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

// backward turns the live registers at the end of a block into those at its beginning; at
// is told those before each instruction and the terminator.
func backward(b *ir.Block, cur map[*ir.Reg]bool, live map[ir.Instr]bool, at func(any, map[*ir.Reg]bool)) {
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
	at(b.Term, cur)
	for i := len(b.Instrs) - 1; i >= 0; i-- {
		x := b.Instrs[i]
		before(x, cur, read, live)
		at(x, cur)
	}
}

// before turns the live registers after an instruction into those before it.
func before(x ir.Instr, cur map[*ir.Reg]bool, read func(ir.Expr), live map[ir.Instr]bool) {
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
		return
	}
	if w, ok := x.(*ir.Await); ok {
		for _, e := range w.Addrs {
			read(e)
		}
		return
	}
	for _, e := range ir.Operands(x) {
		read(e)
	}
}

// ReadParams tells which parameters of a function with a body may be read before they are
// set.
func ReadParams(f *ir.Func) []bool {
	in := liveIn(f, map[ir.Instr]bool{})
	out := make([]bool, len(f.Params))
	for i, r := range f.Params {
		out[i] = in[f.Blocks[0]][r]
	}
	return out
}

// Uninitialised reports whether some register may be read before it is set.
func Uninitialised(f *ir.Func) bool {
	in := liveIn(f, map[ir.Instr]bool{})
	for _, r := range f.Regs {
		if in[f.Blocks[0]][r] {
			return true
		}
	}
	return false
}
