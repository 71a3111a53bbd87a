package absint

import "whoop/ir"

// relevance is what the question about races depends on: which paths threads take, and
// which addresses they access there.
type relevance struct {
	iv    *invariants
	regs  map[*ir.Reg]bool
	cells map[int]bool
	defs  map[*ir.Reg][]ir.Instr
	sets  map[int][]ir.Instr // the instructions that write a cell
	todo  []ir.Instr
	seen  map[ir.Instr]bool
}

// findRelevant finds the registers and cells that races depend on: those of conditions
// and of the addresses of accesses that may race, and what these are computed from.
func (iv *invariants) findRelevant() {
	r := &relevance{iv: iv, regs: map[*ir.Reg]bool{}, cells: map[int]bool{}, defs: map[*ir.Reg][]ir.Instr{}, sets: map[int][]ir.Instr{}, seen: map[ir.Instr]bool{}}
	iv.relevant = r
	for _, t := range iv.a.threads {
		for _, b := range t.cfg.RPO {
			for _, in := range b.Instrs {
				for _, d := range ir.Defs(in) {
					r.defs[d] = append(r.defs[d], in)
				}
				for _, x := range iv.a.alias.Accesses(in) {
					for _, reg := range x.Regions {
						if x.Write {
							r.sets[reg.ID] = append(r.sets[reg.ID], in)
						}
					}
				}
			}
		}
	}
	for _, t := range iv.a.threads {
		for _, b := range t.cfg.RPO {
			for _, in := range b.Instrs {
				if a, ok := in.(*ir.Assume); ok {
					r.use(a.Cond)
				}
				if iv.racy[in] {
					for _, x := range iv.a.alias.Accesses(in) {
						r.use(x.Addr)
					}
				}
			}
			for _, e := range ir.TermOperands(b.Term) {
				if _, ok := b.Term.(*ir.Branch); ok {
					r.use(e)
				}
			}
		}
	}
	for len(r.todo) > 0 {
		in := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		r.source(in)
	}
}

// use makes the registers of an expression relevant.
func (r *relevance) use(e ir.Expr) {
	if e == nil {
		return
	}
	ir.WalkExpr(e, func(e ir.Expr) bool {
		if u, ok := e.(ir.Use); ok && !r.regs[u.Reg] {
			r.regs[u.Reg] = true
			r.add(r.defs[u.Reg])
		}
		return true
	})
}

func (r *relevance) add(ins []ir.Instr) {
	for _, in := range ins {
		if !r.seen[in] {
			r.seen[in] = true
			r.todo = append(r.todo, in)
		}
	}
}

// source makes relevant what an instruction computes its results, or what it writes,
// from.
func (r *relevance) source(in ir.Instr) {
	for _, e := range ir.Operands(in) {
		r.use(e)
	}
	for _, x := range r.iv.a.alias.Accesses(in) {
		for _, reg := range x.Regions {
			if !r.cells[reg.ID] {
				r.cells[reg.ID] = true
				r.add(r.sets[reg.ID])
			}
		}
	}
}

// matters reports whether a cell is one that the question depends on.
func (iv *invariants) matters(c int) bool { return iv.relevant == nil || iv.relevant.cells[c] }
