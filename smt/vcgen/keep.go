package vcgen

import (
	"slices"
	"strings"

	"whoop/ir"
	"whoop/smt"
)

// kept is a Keep with the value that the ghost had before.
type kept struct {
	Keep
	before *smt.Term
}

// enterLoop notes the ghosts' values at a loop's entry, of those that the loop may
// change.
func (g *gen) enterLoop(head *ir.Block, body map[*ir.Block]bool, st *state) {
	if g.o.LoopKeep == nil {
		return
	}
	var rs []*ir.Reg
	for _, b := range g.g.order {
		if !body[b] {
			continue
		}
		for _, in := range b.Instrs {
			for _, r := range g.defs(in) {
				if r.Ghost && !slices.Contains(rs, r) {
					rs = append(rs, r)
				}
			}
		}
	}
	slices.SortFunc(rs, func(a, b *ir.Reg) int { return strings.Compare(a.Name, b.Name) })
	for _, r := range rs {
		before := g.tr.reg(st, r)
		if before == g.b.False {
			continue
		}
		if k, ok := g.o.LoopKeep(head, r); ok {
			g.kept[head] = append(g.kept[head], kept{k, before})
		}
	}
}

// assumeKept adds, where the candidates are believed, that what was true before still is.
func (g *gen) assumeKept(st *state, ks []kept) {
	if len(ks) == 0 {
		return
	}
	facts := []*smt.Term{st.reach}
	for _, k := range ks {
		g.used[k.ID] = true
		facts = append(facts, g.b.Implies(Guard(g.b, k.ID), g.b.Implies(k.before, g.tr.reg(st, k.Reg))))
	}
	st.reach = g.name("kept", g.b.And(facts...))
}

// proveKept adds the obligations for the candidates.
func (g *gen) proveKept(st *state, ks []kept, at ir.Pos) {
	for _, k := range ks {
		v := g.b.And(st.reach, k.before, g.b.Not(g.tr.reg(st, k.Reg)))
		if v != g.b.False {
			g.vc.Obligations = append(g.vc.Obligations, Obligation{k.ID, v, at})
		}
	}
}
