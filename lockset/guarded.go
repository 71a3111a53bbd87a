package lockset

import "whoop/ir"

// guarded says roughly where some lock may be held, before it is known which: flags whose
// plain accesses are under no lock at all are not worth a try. Precision only.
type guarded struct {
	// held where the function starts, or ends when it started without
	starts, ends map[*ir.Func]bool
	at           map[*ir.Func]map[*ir.Block]bool // held where the block starts
	of           map[ir.Instr]*ir.Func
}

func findGuarded(p *ir.Program) *guarded {
	g := &guarded{starts: map[*ir.Func]bool{}, ends: map[*ir.Func]bool{}, at: map[*ir.Func]map[*ir.Block]bool{}, of: map[ir.Instr]*ir.Func{}}
	for _, f := range p.Funcs {
		g.at[f] = map[*ir.Block]bool{}
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				g.of[in] = f
			}
		}
	}
	for again := true; again; {
		again = false
		note := func(m map[*ir.Func]bool, f *ir.Func) {
			if !m[f] {
				m[f], again = true, true
			}
		}
		for _, f := range p.Funcs {
			for i, b := range f.Blocks {
				held := g.at[f][b] || i == 0 && g.starts[f]
				for _, in := range b.Instrs {
					if c, ok := in.(*ir.Call); ok && held {
						if fa, ok := c.Callee.(ir.FuncAddr); ok {
							note(g.starts, fa.Func)
						}
					}
					held = g.after(in, held)
				}
				if !held {
					continue
				}
				if _, ok := b.Term.(*ir.Return); ok {
					note(g.ends, f)
				}
				for _, s := range b.Succs() {
					if !g.at[f][s] {
						g.at[f][s], again = true, true
					}
				}
			}
		}
	}
	return g
}

// after says whether a lock may be held behind an instruction.
func (g *guarded) after(in ir.Instr, held bool) bool {
	switch in := in.(type) {
	case *ir.Lock, *ir.AtomicBegin, *ir.SemWait, *ir.Await, *ir.CondWait:
		return true
	case *ir.Unlock, *ir.AtomicEnd, *ir.SemPost:
		return false
	case *ir.Call:
		if fa, ok := in.Callee.(ir.FuncAddr); ok {
			return held || g.ends[fa.Func]
		}
	}
	return held
}

// there says whether a lock may be held at an instruction.
func (g *guarded) there(at ir.Instr) bool {
	f := g.of[at]
	if f == nil {
		return false
	}
	for i, b := range f.Blocks {
		held := g.at[f][b] || i == 0 && g.starts[f]
		for _, in := range b.Instrs {
			if in == at {
				return held
			}
			held = g.after(in, held)
		}
	}
	return false
}
