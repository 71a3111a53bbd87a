package vm

import (
	"slices"

	"whoop/ir"
)

// lazyRegs finds registers that one Havoc alone sets and one assignment behind it alone
// reads, with nothing but assignments between the two: the value is asked for only where
// the assignment needs it.
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

// unusedResults are the functions whose results nothing uses: threads run them, whose
// results no join takes, and calls that take none.
func unusedResults(p *ir.Program) map[*ir.Func]bool {
	out := map[*ir.Func]bool{}
	for _, f := range p.Funcs {
		out[f] = true
	}
	used := func(f *ir.Func) {
		if out[f] = false; f == nil { // it may be any
			clear(out)
		}
	}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch i := in.(type) {
				case *ir.Call:
					if i.Dst != nil {
						used(direct(i.Callee))
					}
				case *ir.Join:
					if i.Dst != nil {
						used(nil)
					}
				}
			}
		}
	}
	return out
}

// direct is the function that a call names; nil where it may be any.
func direct(e ir.Expr) *ir.Func {
	if a, ok := e.(ir.FuncAddr); ok {
		return a.Func
	}
	return nil
}

// onlyReturned are the registers that are set once, and read once, by a return.
func onlyReturned(f *ir.Func) map[*ir.Reg]bool {
	defs, reads, returned := map[*ir.Reg]int{}, map[*ir.Reg]int{}, map[*ir.Reg]bool{}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, r := range ir.Defs(in) {
				defs[r]++
			}
			for _, e := range ir.Operands(in) {
				for _, r := range regsOf(e) {
					reads[r]++
				}
			}
			if w, ok := in.(*ir.Await); ok {
				for _, r := range regsOf(w.Cond) {
					reads[r]++
				}
			}
		}
		for _, e := range ir.TermOperands(b.Term) {
			for _, r := range regsOf(e) {
				reads[r]++
			}
		}
		if t, ok := b.Term.(*ir.Return); ok {
			if r, ok := t.Val.(ir.Use); ok {
				returned[r.Reg] = true
			}
		}
	}
	for r := range returned {
		returned[r] = defs[r] == 1 && reads[r] == 1
	}
	return returned
}

// readBehind reports whether an assignment reads a register, with nothing but assignments
// and Havocs before it.
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
