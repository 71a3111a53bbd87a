package bmc

import (
	"fmt"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/smt/bv"
	"whoop/smt/irterm"
)

// width is the number of bits of a value of type t; 0 for conditions.
func width(t ir.Type) int {
	switch t := t.(type) {
	case ir.Bool:
		return 0
	case ir.Int:
		return t.Bits
	case ir.Ptr:
		return 64
	}
	return int(8 * max(t.Size(), 1))
}

// eval is the value of an expression.
func (x *exec) eval(e ir.Expr, st *state) *bv.Term {
	b := x.b
	switch e := e.(type) {
	case ir.Const:
		return x.constant(e)
	case ir.BoolConst:
		return b.Bool(bool(e))
	case ir.Null:
		return b.Num(64, 0)
	case ir.Use:
		return x.reg(e.Reg, st)
	case ir.GlobalAddr:
		o := x.w.global(e.Global, x.t.key)
		if e.Global.IsSelf() {
			o.self, o.extern = uint64(x.t.num+1), false
		}
		return b.Num(64, makeAddr(o.id, 0))
	case ir.FuncAddr:
		return b.Num(64, makeAddr(fnBase+x.number(e.Func), 0))
	case ir.FieldAddr:
		return b.Add(x.eval(e.Base, st), b.Num(64, uint64(e.S.Fields[e.Index].Offset)))
	case ir.IndexAddr:
		i := x.extend(x.eval(e.Idx, st), e.Idx.Type(), 64)
		return b.Add(x.eval(e.Base, st), b.Mul(i, b.Num(64, uint64(e.Stride))))
	case ir.Unary:
		v := x.eval(e.X, st)
		switch e.Op {
		case "neg":
			return b.Neg(v)
		case "not":
			return b.BNot(v)
		}
		return b.Not(v)
	case ir.Binary:
		return x.binary(e, st)
	case ir.Cast:
		return x.cast(e, st)
	case ir.Select:
		return b.Ite(x.eval(e.C, st), x.eval(e.X, st), x.eval(e.Y, st))
	case ir.OpaqueConst:
		if bits, ok := interp.FloatBits(e); ok {
			return b.Num(width(e.T), bits)
		}
		return x.named("const:"+e.Text+":"+e.T.String(), width(e.T))
	}
	panic(fmt.Sprintf("bmc: expression %T", e))
}

func (x *exec) constant(c ir.Const) *bv.Term {
	v := c.Val
	low := func(sh uint) uint64 {
		var r uint64
		for i := range 64 {
			r |= uint64(v.Bit(int(sh)+i)) << i // Bit is of two's complement
		}
		return r
	}
	if c.T.Bits <= 64 {
		return x.b.Num(c.T.Bits, low(0))
	}
	return x.b.Concat(x.b.Num(c.T.Bits-64, low(64)), x.b.Num(64, low(0)))
}

// reg is a register's value. One that was never written is taken as 0 (see limits).
func (x *exec) reg(r *ir.Reg, st *state) *bv.Term {
	i, ok := x.stack[len(x.stack)-1].info.reg[r]
	if !ok {
		return x.named("ghost:"+r.Name, width(r.Type))
	}
	if v := st.regs[i]; v != nil {
		return v
	}
	x.note("uninitialised", declared(x.stack[len(x.stack)-1].f, r), "the variable %s is used before it has a value: taken as 0", r.Name)
	if w := width(r.Type); w > 0 {
		return x.b.Num(w, 0)
	}
	return x.b.False
}

func (x *exec) setReg(r *ir.Reg, v *bv.Term, st *state) {
	if r == nil {
		return
	}
	if i, ok := x.stack[len(x.stack)-1].info.reg[r]; ok {
		st.regs[i] = v
	}
}

// named is the one variable of that name: values that are equal where their names are.
func (x *exec) named(name string, w int) *bv.Term {
	v := x.b.Var(name, w)
	x.vals[v] = &values{any: true}
	return v
}

// fresh is an arbitrary value.
func (x *exec) fresh(prefix string, w int) *bv.Term {
	v := x.b.Fresh(prefix, w)
	x.vals[v] = &values{any: true}
	return v
}

func isSigned(t ir.Type) bool {
	i, ok := t.(ir.Int)
	return ok && i.Signed
}

// extend makes v, of type t, w bits wide.
func (x *exec) extend(v *bv.Term, t ir.Type, w int) *bv.Term {
	switch {
	case v.Width == 0:
		return x.b.Ite(v, x.b.Num(w, 1), x.b.Num(w, 0))
	case v.Width > w:
		return x.b.Extract(v, w-1, 0)
	case isSigned(t):
		return x.b.SExt(v, w)
	}
	return x.b.ZExt(v, w)
}

func (x *exec) binary(e ir.Binary, st *state) *bv.Term {
	b := x.b
	p, q := x.eval(e.X, st), x.eval(e.Y, st)
	switch e.Op {
	case "land":
		return b.And(p, q)
	case "lor":
		return b.Or(p, q)
	case "eq":
		return x.equal(p, q)
	case "ne":
		return b.Not(x.equal(p, q))
	}
	if _, opaque := e.X.Type().(ir.Opaque); opaque {
		return x.opaqueOp(e, p, q)
	}
	if e.Op == "div" || e.Op == "rem" {
		x.nonZero(q, st)
	}
	return irterm.Arith(b, e.Op, isSigned(e.X.Type()), p, q)
}

// nonZero ends executions that divide by zero.
func (x *exec) nonZero(q *bv.Term, st *state) {
	z := x.b.Eq(q, x.b.Num(q.Width, 0))
	if z == x.b.False {
		return
	}
	x.valid(st, x.b.Not(z), nil, x.at, false)
}

func (x *exec) equal(p, q *bv.Term) *bv.Term {
	// Pointers that are variables with few values are compared with the literals only
	// where they may be equal.
	if n, ok := q.IsNum(); ok && q.Width == 64 && p.Op == bv.OpVar {
		if vs := x.valuesOf(p); !vs.any && len(vs.arrays) == 0 && !vs.nums[n] {
			return x.b.False
		}
	}
	return x.b.Eq(p, q)
}

// opaqueOp is an operation on values that are not looked into: a function of its
// operands.
func (x *exec) opaqueOp(e ir.Binary, p, q *bv.Term) *bv.Term {
	x.note("opaque", ir.Pos{}, "operations on floating point and other opaque values are arbitrary")
	return x.named(fmt.Sprintf("op:%s:%d:%d", e.Op, p.ID(), q.ID()), width(e.Type()))
}

func (x *exec) cast(e ir.Cast, st *state) *bv.Term {
	v := x.eval(e.X, st)
	from, w := e.X.Type(), width(e.T)
	_, fo := from.(ir.Opaque)
	_, to := e.T.(ir.Opaque)
	if t, ok := e.T.(ir.Int); ok && t.Bits <= 32 && ir.IsNarrow(from) {
		return x.extend(x.pointerToInt(v, st), ir.I32, t.Bits)
	}
	if t, ok := from.(ir.Int); ok && t.Bits == 32 && ir.IsNarrow(e.T) {
		return x.intToPointer(v)
	}
	if fo && to && v.Width == w {
		return v
	}
	if fo || to {
		x.note("opaque", ir.Pos{}, "conversions of floating point and other opaque values are arbitrary")
		return x.named(fmt.Sprintf("cast:%s:%d", e.T, v.ID()), w)
	}
	if w == 0 {
		if v.Width == 0 {
			return v
		}
		return x.b.Not(x.equal(v, x.b.Num(v.Width, 0)))
	}
	return x.extend(v, from, w)
}

// number numbers functions for their addresses.
func (u *unrolling) number(f *ir.Func) int {
	n, ok := u.fnNum[f]
	if !ok {
		n = len(u.fnList)
		u.fnNum[f] = n
		u.fnList = append(u.fnList, f)
	}
	return n
}

// function is the one that is at an address, nil for none: an integer that becomes a
// pointer may have any value.
func (u *unrolling) function(a uint64) *ir.Func {
	if n := objectOf(a) - fnBase; n >= 0 && n < len(u.fnList) && offsetOf(a) == 0 {
		return u.fnList[n]
	}
	return nil
}
