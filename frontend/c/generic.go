package c

import (
	"modernc.org/cc/v4"

	"whoop/ir"
)

// genericSelection lowers _Generic. cc chooses among the associations, and looks at no
// more than the chosen one. It takes pointers for compatible that are not, and
// enumerations for others than their integer types; where its choice is not the
// standard's, it cannot be corrected.
func (l *lowerer) genericSelection(x *cc.PrimaryExpression) ir.Expr {
	g := x.GenericSelection
	if g == nil || g.Associated() == nil {
		l.fail(x, "expression %s", x.Case)
	}
	control := g.AssignmentExpression.Type().Decay()
	for a := g.GenericAssociationList; a != nil; a = a.GenericAssociationList {
		is := a.GenericAssociation
		if is.Case == cc.GenericAssociationDefault {
			continue
		}
		chosen := is == g.Associated()
		if compatible(control, is.TypeName.Type()) != chosen {
			l.fail(x, "a choice by _Generic among %s, for a value of type %s", is.TypeName.Type(), control)
		}
		if chosen {
			break // cc has not looked at the others
		}
	}
	return l.expr(g.Associated().AssignmentExpression)
}

// compatible reports whether a value of type v chooses an association of type t.
func compatible(v, t cc.Type) bool {
	return !t.Attributes().IsConst() && !t.Attributes().IsVolatile() && sameType(v, t)
}

// sameType is C's compatibility of types, with the qualifiers of what they point to and
// not with their own.
func sameType(a, b cc.Type) bool {
	ea, isEnum := a.(*cc.EnumType)
	eb, bothEnum := b.(*cc.EnumType)
	switch {
	case isEnum && bothEnum:
		ta, tb := ea.Tag(), eb.Tag()
		return a == b || ta.SrcStr() != "" && ta.SrcStr() == tb.SrcStr()
	case isEnum:
		return ea.UnderlyingType().Kind() == b.Kind()
	case bothEnum:
		return a.Kind() == eb.UnderlyingType().Kind()
	case a.Kind() != b.Kind():
		return false
	}
	p, ok := a.(*cc.PointerType)
	q, both := b.(*cc.PointerType)
	if !ok || !both {
		return a.IsCompatible(b)
	}
	x, y := p.Elem().Attributes(), q.Elem().Attributes()
	return x.IsConst() == y.IsConst() && x.IsVolatile() == y.IsVolatile() && sameType(p.Elem(), q.Elem())
}
