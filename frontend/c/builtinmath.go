package c

import (
	"math/big"
	"math/bits"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// mathBuiltin lowers the compiler's functions that count bits and that compute with a
// check for overflow; ok is false for others.
func (l *lowerer) mathBuiltin(x *cc.PostfixExpression, name string, as []cc.ExpressionNode) (ir.Expr, bool) {
	name = strings.TrimPrefix(name, "__builtin_")
	if op, ok := strings.CutSuffix(name, "_overflow"); ok && len(as) == 3 {
		return l.overflowing(x, op, as, false)
	}
	if op, ok := strings.CutSuffix(name, "_overflow_p"); ok && len(as) == 3 {
		return l.overflowing(x, op, as, true)
	}
	op := strings.TrimRight(name, "l")
	t, ok := l.sized(name[len(op):], false)
	if !ok || len(as) != 1 || !slices.Contains([]string{"popcount", "parity", "clz", "ctz", "ffs"}, op) {
		return nil, false
	}
	return l.countBits(x, op, t, l.expr(as[0]))
}

// countBits computes popcount, parity, clz, ctz or ffs of a number of type t; ok is false
// where that is no constant, and one is wanted.
func (l *lowerer) countBits(x *cc.PostfixExpression, op string, t ir.Int, of ir.Expr) (ir.Expr, bool) {
	to := l.types.Type(x.Type().Decay())
	v := l.conv(x, of, t)
	if c, ok := v.(ir.Const); ok {
		if n, ok := counted(op, c); ok {
			return l.conv(x, ir.IntConst(ir.I32, n), to), true
		}
	}
	if l.static {
		return nil, false
	}
	b := bitwise{l, x, t}
	v = b.hold(v)
	zero, one := ir.IntConst(t, 0), ir.IntConst(t, 1)
	below := func() ir.Expr { // the ones of the zeros below the lowest one
		return b.count(ir.Binary{Op: "and", X: ir.Unary{Op: "not", X: v}, Y: ir.Binary{Op: "sub", X: v, Y: one}})
	}
	var r ir.Expr
	switch op {
	case "popcount":
		r = b.count(v)
	case "parity":
		r = ir.Binary{Op: "and", X: b.count(v), Y: one}
	case "ffs":
		r = ir.Select{C: ir.Binary{Op: "eq", X: v, Y: zero}, X: zero, Y: ir.Binary{Op: "add", X: below(), Y: one}}
	case "ctz":
		r = b.defined(v, below())
	case "clz":
		s := v
		for n := int64(1); n < int64(t.Bits); n *= 2 {
			s = b.hold(ir.Binary{Op: "or", X: s, Y: ir.Binary{Op: "shr", X: s, Y: ir.IntConst(t, n)}})
		}
		r = b.defined(v, ir.Binary{Op: "sub", X: ir.IntConst(t, int64(t.Bits)), Y: b.count(s)})
	}
	return l.conv(x, l.conv(x, r, ir.I32), to), true
}

// sized is the type of arguments that the end of a function's name says: int, long (l) or
// long long (ll).
func (l *lowerer) sized(end string, signed bool) (ir.Int, bool) {
	t := ir.Int{Bits: 64, Signed: signed}
	if end == "" || end == "l" && l.opts.DataModel == "ILP32" {
		t.Bits = 32
	}
	return t, end == "" || end == "l" || end == "ll"
}

// counted is the result for a constant; ok is false where there is none.
func counted(op string, c ir.Const) (n int64, ok bool) {
	v, most := c.Val.Uint64(), 64-c.T.Bits
	switch {
	case op == "popcount":
		return int64(bits.OnesCount64(v)), true
	case op == "parity":
		return int64(bits.OnesCount64(v) % 2), true
	case v != 0 && op == "clz":
		return int64(bits.LeadingZeros64(v) - most), true
	case v != 0 && op == "ctz":
		return int64(bits.TrailingZeros64(v)), true
	case op == "ffs" && v != 0:
		return int64(bits.TrailingZeros64(v) + 1), true
	}
	return 0, op == "ffs"
}

// bitwise computes with unsigned integers of type t.
type bitwise struct {
	l *lowerer
	n cc.Node
	t ir.Int
}

func (b bitwise) hold(v ir.Expr) ir.Expr { return b.l.hold(b.n, v) }

// count is how many bits of v are ones: sums of two neighbours, of four, and so on, side
// by side.
func (b bitwise) count(v ir.Expr) ir.Expr {
	v = b.hold(v)
	for n := 1; n < b.t.Bits; n *= 2 {
		mask := new(big.Int)
		for i := 0; i < b.t.Bits; i++ {
			if i/n%2 == 0 {
				mask.SetBit(mask, i, 1)
			}
		}
		half := func(v ir.Expr) ir.Expr { return ir.Binary{Op: "and", X: v, Y: ir.Const{T: b.t, Val: mask}} }
		v = b.hold(ir.Binary{Op: "add", X: half(v), Y: half(ir.Binary{Op: "shr", X: v, Y: ir.IntConst(b.t, int64(n))})})
	}
	return v
}

// defined is r where v is not zero, and a value that is not known where it is: the
// functions have no result there.
func (b bitwise) defined(v, r ir.Expr) ir.Expr {
	return ir.Select{C: ir.Binary{Op: "eq", X: v, Y: ir.IntConst(b.t, 0)}, X: b.l.havoc(b.n, b.t), Y: r}
}

// overflowing is __builtin_add_overflow and its kin: the exact result is wrapped into the
// type that the third argument points to (of the _p forms: that it has); the value tells
// whether it did not fit.
func (l *lowerer) overflowing(x *cc.PostfixExpression, name string, as []cc.ExpressionNode, only bool) (ir.Expr, bool) {
	if l.static {
		return nil, false
	}
	op, operand := name, ir.Int{}
	if len(op) >= 4 && (op[0] == 's' || op[0] == 'u') {
		var ok bool
		if operand, ok = l.sized(op[4:], op[0] == 's'); !ok {
			return nil, false
		}
		op = op[1:4]
	}
	if op != "add" && op != "sub" && op != "mul" {
		return nil, false
	}
	rt := as[2].Type().Decay()
	if p, ok := rt.(*cc.PointerType); ok && !only {
		rt = p.Elem()
	}
	res, ok := l.types.Type(rt).(ir.Int)
	if !ok || rt.Kind() == cc.Bool || res.Bits > 64 {
		return nil, false
	}
	var vs [2]ir.Expr
	unsigned, most := true, 0
	for i := range vs {
		if t, isInt := l.types.Type(as[i].Type().Decay()).(ir.Int); !isInt || t.Bits > 64 {
			return nil, false
		}
	}
	for i := range vs {
		vs[i] = l.expr(as[i])
		if operand.Bits > 0 {
			vs[i] = l.conv(x, vs[i], operand)
		}
		t := vs[i].Type().(ir.Int)
		unsigned, most = unsigned && !t.Signed, max(most, t.Bits)
		vs[i] = l.hold(x, vs[i])
	}
	w := ir.Int{Bits: max(most, res.Bits) + 2, Signed: true}
	if op == "mul" {
		w = ir.Int{Bits: 128, Signed: !unsigned} // -2^63 * (2^64-1) is in it
	}
	v := l.hold(x, ir.Binary{Op: op, X: widen(vs[0], w), Y: widen(vs[1], w)})
	lo, hi := limits(res)
	if !w.Signed {
		lo = new(big.Int)
	}
	over := l.hold(x, ir.Binary{Op: "lor", X: ir.Binary{Op: "lt", X: v, Y: ir.Const{T: w, Val: lo}}, Y: ir.Binary{Op: "gt", X: v, Y: ir.Const{T: w, Val: hi}}})
	if only {
		l.effect(as[2])
	} else {
		l.emit(&ir.Store{Base: at(x), Addr: l.expr(as[2]), Val: ir.Cast{X: v, T: res}, Order: ir.Plain})
	}
	return ir.Cast{X: over, T: ir.I32}, true
}
