package alias

import (
	"slices"
	"strings"

	"whoop/ir"
)

// Variables that are the same (offline variable substitution: Rountev and Chandra, PLDI
// 2000): a register that one instruction sets is no more than a name for the node of the
// value, and so are the parameters of a function with one call, and the result of one
// with one return. Nothing else ever flows to them, and each such node less is one set
// less, with what it costs to fill it. Most registers of Go programs are of this kind,
// and most functions, since functions are copied for each call (package contexts).

// name makes a register, in a context, another name for a node; false where the register
// has a node already.
func (s *solver) name(r *ir.Reg, ctx, n int32) bool {
	k := regKey{ctx, r, 0}
	if _, ok := s.regs[k]; ok || n == 0 || r.Ghost || !s.carries(r.Type) {
		return false
	}
	s.regs[k] = n
	all := regKey{ctx, r, -1}
	s.regWebs[all] = append(s.regWebs[all], n)
	return true
}

// setOnce reports whether one instruction alone sets a register.
func (s *solver) setOnce(f *ir.Func, r *ir.Reg, in ir.Instr) bool {
	return s.onlyDef(f, r) == in && !slices.Contains(f.Params, r)
}

// set makes a value flow to the register that an instruction sets.
func (g *generator) set(in ir.Instr, r *ir.Reg, val int32) {
	s := g.s
	if !s.setOnce(g.fn, r, in) || !s.name(r, g.ctx, val) {
		s.edge(val, s.def(r, g.ctx))
	}
}

// returns makes a value flow to what the function returns.
func (g *generator) returns(val int32) {
	s, k := g.s, instKey{g.fn, g.ctx}
	if _, ok := s.rets[k]; ok || val == 0 || g.fn.Result == nil || !s.keeps(g.fn.Result) || !returnsOnce(g.fn) {
		s.edge(val, s.ret(g.fn, g.ctx))
		return
	}
	s.rets[k] = val
}

// returnsOnce reports whether one return alone has a value.
func returnsOnce(f *ir.Func) bool {
	n := 0
	for _, b := range f.Blocks {
		if t, ok := b.Term.(*ir.Return); ok && t.Val != nil {
			n++
		}
	}
	return n == 1
}

// nameParams makes the parameters of a function names for the arguments, where the call
// is the only one: nothing else in the program mentions the function, and its context has
// no other calls.
func (l callCon) nameParams(s *solver, f *ir.Func, ctx int32) {
	root := s.worldOf(l.ctx)
	if s.mentions[f] != 1 || s.entryFns[f] || strings.HasPrefix(f.Title(), ir.OutsideFunc) || ctx == root && l.ctx != root {
		return
	}
	for i, p := range f.Params {
		if i < len(l.args) && s.keeps(p.Type) && s.neverSet(f, p) {
			s.name(p, ctx, l.args[i])
		}
	}
}

// neverSet reports whether no instruction of a function sets a parameter of it.
func (s *solver) neverSet(f *ir.Func, p *ir.Reg) bool {
	s.onlyDef(f, p)
	_, set := s.defs[f][p]
	return !set
}
