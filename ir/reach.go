package ir

import (
	"maps"
	"slices"
)

// reachable are the functions that may run when f does: calls, threads and registered callbacks included. A call through a pointer may be one of any
// function of taken.
func reachable(taken []*Func, from *Func) map[*Func]bool {
	seen := map[*Func]bool{}
	all := false
	var visit func(f *Func)
	visit = func(f *Func) {
		if f == nil || seen[f] {
			return
		}
		seen[f] = true
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				call, _ := in.(*Call)
				for _, e := range Operands(in) {
					WalkExpr(e, func(e Expr) bool {
						if fa, ok := e.(FuncAddr); ok {
							visit(fa.Func)
						}
						return true
					})
				}
				if call == nil || all {
					continue
				}
				if _, direct := call.Callee.(FuncAddr); !direct && call.Callee != nil {
					all = true
					for _, g := range taken {
						visit(g)
					}
				}
			}
		}
	}
	visit(from)
	return seen
}

// AddressTaken lists the functions whose address is a value somewhere, in the program's order: a pointer of the environment may lead to those.
func AddressTaken(p *Program) []*Func {
	taken := map[*Func]bool{}
	mark := func(e Expr) {
		WalkExpr(e, func(e Expr) bool {
			if fa, ok := e.(FuncAddr); ok {
				taken[fa.Func] = true
			}
			return true
		})
	}
	for _, g := range p.Globals {
		for _, c := range g.Init {
			mark(c.Value)
		}
	}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				ops := Operands(in)
				if c, ok := in.(*Call); ok {
					if _, direct := c.Callee.(FuncAddr); direct {
						ops = c.Args
					}
				}
				for _, e := range ops {
					mark(e)
				}
			}
			for _, e := range TermOperands(b.Term) {
				mark(e)
			}
		}
	}
	var out []*Func
	for _, f := range p.Funcs {
		if taken[f] {
			out = append(out, f)
		}
	}
	return out
}

// Registrations are the kinds of entry points that each entry which is no init entry may register. What init entries register they register themselves.
type Registrations map[*Entry]map[string]bool

// RegistrationsOf looks through all that the entries may run.
func RegistrationsOf(p *Program) Registrations {
	taken := AddressTaken(p)
	out := Registrations{}
	for _, e := range p.Entries {
		if e.Init {
			continue
		}
		out[e] = map[string]bool{}
		for f := range reachable(taken, e.Func) {
			registeredIn(f, out[e])
		}
	}
	return out
}

// registeredIn adds the kinds that a function registers.
func registeredIn(f *Func, kinds map[string]bool) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			r, ok := in.(*Register)
			if !ok || r.Fn != nil {
				continue
			}
			if len(r.Kinds) == 0 {
				kinds[""] = true
			}
			for _, k := range r.Kinds {
				kinds[k] = true
			}
		}
	}
}

// Before lists the kinds, sorted, that something may have registered before entries run together: another entry, or one of them that may overlap
// itself, and so may have run before.
func (r Registrations) Before(entries ...*Entry) []string {
	kinds := map[string]bool{}
	for e, ks := range r {
		if e.Multi || !slices.Contains(entries, e) {
			maps.Copy(kinds, ks)
		}
	}
	return slices.Sorted(maps.Keys(kinds))
}
