package c

import (
	"maps"
	"slices"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// computedGoto is a block that ends with goto *v (a GNU extension).
type computedGoto struct {
	from *ir.Block
	v    ir.Expr
	at   ir.Pos
}

// labelAddress is &&label: a small number as a pointer, which only a computed goto has a
// use for.
func (l *lowerer) labelAddress(x *cc.UnaryExpression) ir.Expr {
	name := x.Token2.SrcStr()
	if !l.static {
		l.label(name)
	}
	id, ok := l.labelIDs[name]
	if !ok {
		id = int64(len(l.labelIDs)) + 1
		l.labelIDs[name] = id
	}
	return l.conv(x, ir.IntConst(ir.I64, id), l.types.ptr(ir.Void{}))
}

// dispatch makes computed gotos go to the label whose address they are given; there is
// none elsewhere.
func (l *lowerer) dispatch() {
	for _, g := range l.computed {
		b := g.from
		for _, name := range slices.Sorted(maps.Keys(l.labelIDs)) {
			to := l.labels[name]
			if to == nil {
				continue
			}
			next := l.block("label")
			l.f.Blocks = append(l.f.Blocks, next)
			c := ir.Binary{Op: "eq", X: g.v, Y: l.conv(nil, ir.IntConst(ir.I64, l.labelIDs[name]), ir.VPtr)}
			b.Term = &ir.Branch{TermBase: ir.TermBase{Pos: g.at}, Cond: c, Then: to, Else: next}
			b = next
		}
		b.Term = &ir.Stop{TermBase: ir.TermBase{Pos: g.at}, Kind: "unreachable"}
	}
}
