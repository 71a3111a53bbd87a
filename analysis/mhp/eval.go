package mhp

import (
	"math/big"

	"whoop/ir"
)

// implies reports whether no value of r makes cond equal to side while made holds: then
// cond = side means not made. Both must be comparisons of r with constants, and logic
// over these: such a condition changes only next to one of the constants, so that trying
// those (and the ends of r's type) tries everything.
func implies(cond ir.Expr, side bool, made ir.Expr, r *ir.Reg) bool {
	var tries []ir.Expr
	switch t := r.Type.(type) {
	case ir.Bool:
		tries = []ir.Expr{ir.BoolConst(false), ir.BoolConst(true)}
	case ir.Int:
		if !comparesOnly(cond, r) || !comparesOnly(made, r) {
			return false
		}
		for _, k := range append(constants(cond), constants(made)...) {
			for d := int64(-1); d <= 1; d++ {
				tries = append(tries, ir.Const{T: t, Val: ir.Wrap(t, new(big.Int).Add(k, big.NewInt(d)))})
			}
		}
		half := new(big.Int).Lsh(big.NewInt(1), uint(t.Bits-1))
		for _, k := range []*big.Int{half, new(big.Int).Sub(half, big.NewInt(1)), big.NewInt(0), big.NewInt(-1)} {
			tries = append(tries, ir.Const{T: t, Val: ir.Wrap(t, k)})
		}
	default:
		return false
	}
	for _, v := range tries {
		m, ok := evalBool(with(made, r, v))
		if ok && !m {
			continue
		}
		c, ok2 := evalBool(with(cond, r, v))
		if !ok || !ok2 || c == side {
			return false
		}
	}
	return true
}

// comparesOnly reports whether r occurs only as one side of a comparison with a constant,
// or as a truth value.
func comparesOnly(e ir.Expr, r *ir.Reg) bool {
	ok := true
	ir.WalkExpr(e, func(x ir.Expr) bool {
		switch x := x.(type) {
		case ir.Use:
			ok = ok && x.Reg == r
		case ir.Cast:
			u, isUse := x.X.(ir.Use)
			ok = ok && (!isUse || u.Reg == r && (widens(x) && sameSign(x) || ir.Equal(x.T, ir.Bool{})))
		case ir.Unary:
			ok = ok && x.Op == "lnot"
		case ir.Binary:
			switch x.Op {
			case "eq", "ne", "lt", "le", "gt", "ge", "land", "lor":
			default:
				ok = false
			}
		case ir.Const, ir.BoolConst, ir.Select:
		default:
			ok = false
		}
		return ok
	})
	return ok
}

func sameSign(c ir.Cast) bool { return c.T.(ir.Int).Signed == c.X.Type().(ir.Int).Signed }

func constants(e ir.Expr) []*big.Int {
	var out []*big.Int
	ir.WalkExpr(e, func(x ir.Expr) bool {
		if k, ok := x.(ir.Const); ok {
			out = append(out, k.Val)
		}
		return true
	})
	return out
}

// with replaces the register r in e.
func with(e ir.Expr, r *ir.Reg, v ir.Expr) ir.Expr {
	return ir.MapExpr(e, func(x ir.Expr) ir.Expr {
		if u, isUse := x.(ir.Use); isUse && u.Reg == r {
			return v
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
