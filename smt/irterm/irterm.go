// Package irterm writes expressions of the intermediate representation down as terms over
// bit vectors.
//
//	ev := irterm.Evaluator{B: b, Reg: regs, Address: addresses, Any: unknown}
//	t := ev.Eval(e) // nil where the type is not one of bit vectors
//
// An expression and what is known of registers go in, a term comes out; what is not
// followed becomes an unknown value.
package irterm

import (
	"fmt"
	"math/big"

	"whoop/ir"
	"whoop/smt/bv"
)

// Evaluator makes terms of expressions.
type Evaluator struct {
	B *bv.Builder
	// Reg is a register's value; nil where its type is none of bit vectors.
	Reg func(*ir.Reg) *bv.Term
	// Address is the address of a global or a function, by a name of its own.
	Address func(name string) *bv.Term
	// Any is a value of which nothing is known.
	Any func(width int) *bv.Term
}

// Width is that of a type's values as bit vectors; 0: Boolean.
func Width(t ir.Type) (int, bool) {
	switch t := t.(type) {
	case ir.Bool:
		return 0, true
	case ir.Int:
		return t.Bits, t.Bits <= 64
	case ir.Ptr:
		return 64, true
	}
	return 0, false
}

// Int is the type of integers that a type's values are written down in.
func Int(t ir.Type) (ir.Int, bool) {
	switch t := t.(type) {
	case ir.Int:
		return t, t.Bits <= 64
	case ir.Bool:
		return ir.Int{Bits: 1}, true
	case ir.Ptr:
		return ir.U64, true
	}
	return ir.Int{}, false
}

// GlobalName is the name of a global's address.
func GlobalName(g *ir.Global) string { return fmt.Sprintf("&%p", g) }

// Eval is an expression as a term; what is not known of it is a new variable. It is nil
// for types that are not followed.
func (v *Evaluator) Eval(e ir.Expr) *bv.Term {
	w, ok := Width(e.Type())
	if !ok {
		return nil
	}
	if t := v.expr(e, w); t != nil {
		return t
	}
	return v.Any(w)
}

func (v *Evaluator) expr(e ir.Expr, w int) *bv.Term {
	b := v.B
	switch e := e.(type) {
	case ir.Const:
		return b.Num(w, Low(e.Val))
	case ir.BoolConst:
		return b.Bool(bool(e))
	case ir.Null:
		return b.Num(w, 0)
	case ir.Use:
		return v.Reg(e.Reg)
	case ir.GlobalAddr:
		if e.Global.ThreadLocal { // each thread has one of its own
			return nil
		}
		return v.Address(GlobalName(e.Global))
	case ir.FuncAddr:
		return v.Address(fmt.Sprintf("&%p", e.Func))
	case ir.IndexAddr:
		i := v.Eval(e.Idx)
		if i == nil || i.Width == 0 || i.Width > 64 {
			return nil
		}
		if t, _ := Int(e.Idx.Type()); t.Signed {
			i = b.SExt(i, 64)
		} else {
			i = b.ZExt(i, 64)
		}
		return b.Add(v.Eval(e.Base), b.Mul(i, b.Num(64, uint64(e.Stride))))
	case ir.FieldAddr:
		return b.Add(v.Eval(e.Base), b.Num(64, uint64(e.S.Fields[e.Index].Offset)))
	case ir.Unary:
		x := v.Eval(e.X)
		if x == nil {
			return nil
		}
		switch e.Op {
		case "lnot":
			return b.Not(x)
		case "neg":
			return b.Neg(x)
		case "not":
			return b.BNot(x)
		}
	case ir.Binary:
		return v.binary(e)
	case ir.Cast:
		return v.cast(e, w)
	case ir.Select:
		c, p, q := v.Eval(e.C), v.Eval(e.X), v.Eval(e.Y)
		if p == nil || q == nil {
			return nil
		}
		return b.Ite(c, p, q)
	}
	return nil
}

// Low is the number's lower 64 bits.
func Low(v *big.Int) uint64 { return ir.Wrap(ir.U64, v).Uint64() }

func (v *Evaluator) binary(e ir.Binary) *bv.Term {
	b := v.B
	t, ok := Int(e.X.Type())
	p, q := v.Eval(e.X), v.Eval(e.Y)
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
	c, _ := e.Y.(ir.Const)
	switch e.Op {
	case "div", "rem":
		if c.Val == nil || c.Val.Sign() <= 0 {
			return nil
		}
	case "shl", "shr":
		if c.Val == nil || c.Val.Sign() <= 0 || c.Val.Cmp(big.NewInt(int64(t.Bits))) >= 0 {
			return nil
		}
	}
	return Arith(b, e.Op, t.Signed, p, q)
}

// Arith is an operation on two integers. Divisions by 0 and shifts by too much are as in
// SMT-LIB.
func Arith(b *bv.Builder, op string, signed bool, p, q *bv.Term) *bv.Term {
	lt, le, div, rem, shr := b.ULt, b.ULe, b.UDiv, b.URem, b.LShr
	if signed {
		lt, le, div, rem, shr = b.SLt, b.SLe, b.SDiv, b.SRem, b.AShr
	}
	switch op {
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
	case "shl":
		return b.Shl(p, q)
	case "shr":
		return shr(p, q)
	case "div":
		return div(p, q)
	case "rem":
		return rem(p, q)
	}
	panic("irterm: no operator " + op)
}

func (v *Evaluator) cast(e ir.Cast, w int) *bv.Term {
	b := v.B
	x := v.Eval(e.X)
	f, ok := Int(e.X.Type())
	if x == nil || !ok {
		return nil
	}
	_, toBool := e.T.(ir.Bool)
	switch {
	case toBool && x.Width == 0:
		return x
	case toBool:
		return b.Not(b.Eq(x, b.Num(x.Width, 0)))
	case x.Width == 0:
		return b.Ite(x, b.Num(w, 1), b.Num(w, 0))
	case w == x.Width:
		return x
	case w < x.Width:
		return b.Extract(x, w-1, 0)
	case f.Signed:
		return b.SExt(x, w)
	}
	return b.ZExt(x, w)
}

// Update is what a read-modify-write with an operator of package ir writes where old was
// there; nil: anything, as where old or v is.
func Update(b *bv.Builder, op string, old, v *bv.Term) *bv.Term {
	if old == nil || v == nil {
		return nil
	}
	switch op {
	case "xchg":
		return v
	case "add":
		return b.Add(old, v)
	case "sub":
		return b.Sub(old, v)
	case "and":
		return b.BAnd(old, v)
	case "or":
		return b.BOr(old, v)
	case "xor":
		return b.BXor(old, v)
	case "nand":
		return b.BNot(b.BAnd(old, v))
	}
	return nil
}
