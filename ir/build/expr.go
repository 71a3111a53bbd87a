package build

import "whoop/ir"

// Typed converts between pointer types where a cell's type matters.
func Typed(e ir.Expr, t ir.Type) ir.Expr {
	if ir.Equal(e.Type(), t) {
		return e
	}
	if n, ok := e.(ir.Null); ok && ir.IsPtr(t) {
		n.T = t.(ir.Ptr)
		return n
	}
	return ir.Cast{X: e, T: t}
}

func Bin(op string, a, b ir.Expr) ir.Expr { return ir.Binary{Op: op, X: a, Y: b} }

func Not(c ir.Expr) ir.Expr { return ir.Unary{Op: "lnot", X: c} }

// IsNil says that the scalar is the null pointer, or the number 0.
func IsNil(e ir.Expr) ir.Expr {
	if p, ok := e.Type().(ir.Ptr); ok {
		return Bin("eq", e, ir.Null{T: p})
	}
	return Bin("eq", e, ir.IntConst(e.Type().(ir.Int), 0))
}
