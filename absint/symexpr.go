package absint

import (
	"fmt"
	"math/big"

	"whoop/ir"
	"whoop/smt/bv"
)

// eval is an expression as a term; what is not known of it is a new variable. It is nil for types that are not followed.
func (x *path) eval(e ir.Expr) *bv.Term {
	w, ok := width(e.Type())
	if !ok {
		return nil
	}
	if v := x.expr(e, w); v != nil {
		return v
	}
	return x.iv.b.Fresh("any", w)
}

func (x *path) expr(e ir.Expr, w int) *bv.Term {
	b := x.iv.b
	switch e := e.(type) {
	case ir.Const:
		return b.Num(w, low(e.Val))
	case ir.BoolConst:
		return b.Bool(bool(e))
	case ir.Null:
		return b.Num(w, 0)
	case ir.Use:
		return x.reg(e.Reg)
	case ir.GlobalAddr:
		if e.Global.ThreadLocal { // each thread has one of its own
			return nil
		}
		return x.iv.address(fmt.Sprintf("&%p", e.Global))
	case ir.FuncAddr:
		return x.iv.address(fmt.Sprintf("&%p", e.Func))
	case ir.IndexAddr:
		i := x.eval(e.Idx)
		if i == nil || i.Width == 0 || i.Width > 64 {
			return nil
		}
		if t, _ := intType(e.Idx.Type()); t.Signed {
			i = b.SExt(i, 64)
		} else {
			i = b.ZExt(i, 64)
		}
		return b.Add(x.eval(e.Base), b.Mul(i, b.Num(64, uint64(e.Stride))))
	case ir.FieldAddr:
		return b.Add(x.eval(e.Base), b.Num(64, uint64(e.S.Fields[e.Index].Offset)))
	case ir.Unary:
		v := x.eval(e.X)
		if v == nil {
			return nil
		}
		switch e.Op {
		case "lnot":
			return b.Not(v)
		case "neg":
			return b.Neg(v)
		case "not":
			return b.BNot(v)
		}
	case ir.Binary:
		return x.binary(e)
	case ir.Cast:
		return x.cast(e, w)
	case ir.Select:
		c, p, q := x.eval(e.C), x.eval(e.X), x.eval(e.Y)
		if p == nil || q == nil {
			return nil
		}
		return b.Ite(c, p, q)
	}
	return nil
}

// low is the number's lower 64 bits.
func low(v *big.Int) uint64 { return ir.Wrap(ir.U64, v).Uint64() }

func (x *path) binary(e ir.Binary) *bv.Term {
	b := x.iv.b
	t, ok := intType(e.X.Type())
	p, q := x.eval(e.X), x.eval(e.Y)
	if !ok || p == nil || q == nil {
		return nil
	}
	switch e.Op {
	case "eq":
		return b.Eq(p, q)
	case "ne":
		return b.Not(b.Eq(p, q))
	case "land":
		return b.And(p, q)
	case "lor":
		return b.Or(p, q)
	}
	if ir.IsPtr(e.X.Type()) || p.Width == 0 {
		return nil
	}
	lt, le, div, rem := b.ULt, b.ULe, b.UDiv, b.URem
	if t.Signed {
		lt, le, div, rem = b.SLt, b.SLe, b.SDiv, b.SRem
	}
	switch e.Op {
	case "lt":
		return lt(p, q)
	case "le":
		return le(p, q)
	case "gt":
		return lt(q, p)
	case "ge":
		return le(q, p)
	case "add":
		return b.Add(p, q)
	case "sub":
		return b.Sub(p, q)
	case "mul":
		return b.Mul(p, q)
	case "and":
		return b.BAnd(p, q)
	case "or":
		return b.BOr(p, q)
	case "xor":
		return b.BXor(p, q)
	}
	if c, ok := e.Y.(ir.Const); ok && c.Val.Sign() > 0 {
		switch e.Op {
		case "div":
			return div(p, q)
		case "rem":
			return rem(p, q)
		case "shl":
			if c.Val.Cmp(big.NewInt(int64(t.Bits))) < 0 {
				return b.Shl(p, q)
			}
		case "shr":
			if c.Val.Cmp(big.NewInt(int64(t.Bits))) < 0 && t.Signed {
				return b.AShr(p, q)
			} else if c.Val.Cmp(big.NewInt(int64(t.Bits))) < 0 {
				return b.LShr(p, q)
			}
		}
	}
	return nil
}

func (x *path) cast(e ir.Cast, w int) *bv.Term {
	b := x.iv.b
	v := x.eval(e.X)
	f, ok := intType(e.X.Type())
	if v == nil || !ok {
		return nil
	}
	_, toBool := e.T.(ir.Bool)
	switch {
	case toBool && v.Width == 0:
		return v
	case toBool:
		return b.Not(b.Eq(v, b.Num(v.Width, 0)))
	case v.Width == 0:
		return b.Ite(v, b.Num(w, 1), b.Num(w, 0))
	case w == v.Width:
		return v
	case w < v.Width:
		return b.Extract(v, w-1, 0)
	case f.Signed:
		return b.SExt(v, w)
	}
	return b.ZExt(v, w)
}

// address is the address of a global or a function: not null.
func (iv *invariants) address(name string) *bv.Term {
	v := iv.b.Var(name, 64)
	if !iv.known[v] {
		iv.known[v] = true
		iv.axioms = append(iv.axioms, iv.b.Not(iv.b.Eq(v, iv.b.Num(64, 0))))
	}
	return v
}
