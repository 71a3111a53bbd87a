package irgen

import (
	"go/types"

	"whoop/ir"
	"whoop/ir/build"
)

// Bin, Not, IsNil and Typed are those of package build.
var (
	Bin   = build.Bin
	Not   = build.Not
	IsNil = build.IsNil
	Typed = build.Typed
)

// Value is a Go value as its leaves.
type Value []ir.Expr

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

// Size counts the nodes of an expression.
func Size(e ir.Expr) int {
	n := 0
	ir.WalkExpr(e, func(ir.Expr) bool { n++; return true })
	return n
}

// Foreign stands for the dynamic types that the program does not know.
var Foreign = types.Typ[types.UnsafePointer]
