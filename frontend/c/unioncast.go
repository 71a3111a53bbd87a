package c

import (
	"modernc.org/cc/v4"

	"whoop/ir"
)

// castToUnion makes a union of a value (GNU C): the member of the value's type has it. A
// struct stays as it is; so does what is one though cc does not know it, an atomic
// function's result.
func (l *lowerer) castToUnion(x *cc.CastExpression, t cc.Type) ir.Expr {
	e := x.CastExpression
	from := e.Type()
	v := l.expr(e)
	if p, ok := v.Type().(ir.Ptr); ok && isStructType(p.Elem) && (isStruct(from) || from.Kind() != cc.Ptr) {
		if isStruct(from) && !sameType(from, t) {
			return l.unionOf(x, t, from, v)
		}
		return v
	}
	return l.unionOf(x, t, from, v)
}

// unionOf is a union whose member of a type has a value.
func (l *lowerer) unionOf(x *cc.CastExpression, t, from cc.Type, v ir.Expr) ir.Expr {
	for _, f := range fieldsOf(t) {
		if t.Kind() != cc.Union || f.IsBitfield() || !sameType(from, f.Type().Decay()) {
			continue
		}
		a := l.stack("union", l.types.Type(t), pos(x.Position()))
		member := l.conv(x, a, l.types.ptr(l.types.Type(f.Type())))
		l.store(x, lvalue{addr: member, ct: f.Type(), order: ir.Plain, at: pos(x.Position())}, v)
		return a
	}
	l.fail(x, "a cast to %s, which has no member of type %s", t, from)
	return nil
}

// castOff is an initialiser of a union's member in place of one of the union that is a
// cast.
func castOff(lf leaf) leaf {
	x, ok := unparen(lf.e).(*cc.CastExpression)
	if !ok || x.Case != cc.CastExpressionCast || x.TypeName.Type().Kind() != cc.Union || isStruct(x.CastExpression.Type()) {
		return lf
	}
	for _, f := range fieldsOf(x.TypeName.Type()) {
		if !f.IsBitfield() && sameType(x.CastExpression.Type(), f.Type().Decay()) {
			lf.e, lf.ct = x.CastExpression, f.Type()
			return lf
		}
	}
	return lf
}

// isStructType reports whether a type of the IR is a struct or a union.
func isStructType(t ir.Type) bool {
	_, ok := t.(*ir.Struct)
	return ok
}
