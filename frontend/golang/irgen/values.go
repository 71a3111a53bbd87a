package irgen

import (
	"go/types"

	"whoop/ir"
)

// Value is a Go value as its leaves.
type Value []ir.Expr

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

func BoolConst(b bool) ir.Expr {
	if b {
		return ir.IntConst(BoolT, 1)
	}
	return ir.IntConst(BoolT, 0)
}

// Cond is a Go bool as a condition.
func Cond(e ir.Expr) ir.Expr {
	if c, ok := e.(ir.Cast); ok && ir.Equal(c.X.Type(), ir.Bool{}) {
		return c.X
	}
	if c, ok := e.(ir.Const); ok {
		return ir.BoolConst(c.Val.Sign() != 0)
	}
	return ir.Cast{X: e, T: ir.Bool{}}
}

// Truth is a condition as a Go bool.
func Truth(c ir.Expr) ir.Expr { return ir.Cast{X: c, T: BoolT} }

func Bin(op string, a, b ir.Expr) ir.Expr { return ir.Binary{Op: op, X: a, Y: b} }

func Not(c ir.Expr) ir.Expr { return ir.Unary{Op: "lnot", X: c} }

// IsNil says that the scalar is the null pointer, or the number 0.
func IsNil(e ir.Expr) ir.Expr {
	if p, ok := e.Type().(ir.Ptr); ok {
		return Bin("eq", e, ir.Null{T: p})
	}
	return Bin("eq", e, ir.IntConst(e.Type().(ir.Int), 0))
}

// Size counts the nodes of an expression.
func Size(e ir.Expr) int {
	n := 0
	ir.WalkExpr(e, func(ir.Expr) bool { n++; return true })
	return n
}

// Foreign stands for the dynamic types that the program does not know.
var Foreign = types.Typ[types.UnsafePointer]
