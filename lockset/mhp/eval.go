package mhp

import (
	"math/big"

	"whoop/ir"
)

// withOK replaces the register r in e by a truth value.
func withOK(e ir.Expr, r *ir.Reg, ok bool) ir.Expr {
	return ir.MapExpr(e, func(x ir.Expr) ir.Expr {
		if u, isUse := x.(ir.Use); isUse && u.Reg == r {
			return ir.BoolConst(ok)
		}
		return x
	})
}

// evalBool evaluates a condition over constants.
func evalBool(e ir.Expr) (value, ok bool) {
	b, ok := reduce(e).(ir.BoolConst)
	return bool(b), ok
}

// reduce evaluates as much of e as is constant.
func reduce(e ir.Expr) ir.Expr { return ir.MapExpr(e, reduceNode) }

func reduceNode(e ir.Expr) ir.Expr {
	switch x := e.(type) {
	case ir.Select:
		if c, ok := x.C.(ir.BoolConst); ok {
			if c {
				return x.X
			}
			return x.Y
		}
	case ir.Cast:
		return reduceCast(x)
	case ir.Unary:
		if b, ok := x.X.(ir.BoolConst); ok && x.Op == "lnot" {
			return !b
		}
	case ir.Binary:
		return reduceBinary(x)
	}
	return e
}

func reduceCast(x ir.Cast) ir.Expr {
	to, isInt := x.T.(ir.Int)
	switch v := x.X.(type) {
	case ir.BoolConst:
		if isInt && bool(v) {
			return ir.IntConst(to, 1)
		} else if isInt {
			return ir.IntConst(to, 0)
		} else if ir.Equal(x.T, ir.Bool{}) {
			return v
		}
	case ir.Const:
		if isInt {
			return ir.Const{T: to, Val: ir.Wrap(to, v.Val)}
		} else if ir.Equal(x.T, ir.Bool{}) {
			return ir.BoolConst(v.Val.Sign() != 0)
		}
	}
	return x
}

func reduceBinary(x ir.Binary) ir.Expr {
	a, ok := x.X.(ir.Const)
	b, ok2 := x.Y.(ir.Const)
	if ok && ok2 {
		return compare(x, a.Val, b.Val)
	}
	p, ok := x.X.(ir.BoolConst)
	q, ok2 := x.Y.(ir.BoolConst)
	switch {
	case x.Op == "land" && (ok && !bool(p) || ok2 && !bool(q)):
		return ir.BoolConst(false)
	case x.Op == "lor" && (ok && bool(p) || ok2 && bool(q)):
		return ir.BoolConst(true)
	case !ok || !ok2:
		return x
	}
	switch x.Op {
	case "eq":
		return ir.BoolConst(p == q)
	case "ne":
		return ir.BoolConst(p != q)
	case "land":
		return p && q
	case "lor":
		return p || q
	}
	return x
}

func compare(x ir.Binary, a, b *big.Int) ir.Expr {
	c := a.Cmp(b)
	switch x.Op {
	case "eq":
		return ir.BoolConst(c == 0)
	case "ne":
		return ir.BoolConst(c != 0)
	case "lt":
		return ir.BoolConst(c < 0)
	case "le":
		return ir.BoolConst(c <= 0)
	case "gt":
		return ir.BoolConst(c > 0)
	case "ge":
		return ir.BoolConst(c >= 0)
	}
	return x
}
