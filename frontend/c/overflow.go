package c

import (
	"fmt"
	"math/big"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// Tags of the assertions that Options.Overflow makes.
const (
	// TagOverflow: the result of a signed operation fits its type. The condition compares
	// the exact result, computed in a wider type, with the limits of the type: land(ge(r,
	// MIN), le(r, MAX)); for a division it is lor(ne(y, -1), ne(x, MIN)).
	TagOverflow = "overflow"
	// TagUnclear: the operation has a result at all. Where it has none, C leaves the
	// behaviour undefined, and whether that is an overflow is a matter of taste: a shift
	// by a negative amount or by too much, a shift of a negative number to the left, MIN
	// % -1.
	TagUnclear = "overflow-unclear"
)

// signs are the operators in C.
var signs = map[string]string{"add": "+", "sub": "-", "mul": "*", "div": "/", "rem": "%", "shl": "<<", "shr": ">>", "neg": "-"}

// check asserts a condition about the operation op in type t, unless it holds in any
// case.
func (l *lowerer) check(n cc.Node, tag, op string, t ir.Int, cond ir.Expr) {
	if cond == ir.BoolConst(true) {
		return
	}
	if l.static { // a constant expression that does not fit: compilers refuse it, or warn
		l.p.Assume("constant-overflow", pos(n.Position()), "a constant expression that does not fit its type")
		return
	}
	msg := fmt.Sprintf("the result of %s fits a signed integer of %d bits", signs[op], t.Bits)
	if tag == TagUnclear {
		msg = fmt.Sprintf("%s has a result", signs[op])
	}
	l.emit(&ir.Assert{Base: at(n), Cond: cond, Tag: tag, Msg: msg})
}

// fits asserts that x op y, of type t after the usual conversions, does not overflow.
func (l *lowerer) fits(n cc.Node, op string, t ir.Int, x, y ir.Expr) {
	if !l.opts.Overflow || !t.Signed {
		return
	}
	lo, hi := limits(t)
	switch op {
	case "add", "sub", "mul":
		l.check(n, TagOverflow, op, t, l.between(n, op, t, x, y, lo, hi))
	case "div", "rem":
		tag := TagOverflow
		if op == "rem" {
			tag = TagUnclear
		}
		xr, yr := rangeOf(x), rangeOf(y)
		if xr.lo.Cmp(lo) > 0 || yr.lo.Cmp(big.NewInt(-1)) > 0 || yr.hi.Cmp(big.NewInt(-1)) < 0 {
			return
		}
		l.check(n, tag, op, t, ir.Binary{Op: "lor", X: ir.Binary{Op: "ne", X: y, Y: ir.IntConst(t, -1)}, Y: ir.Binary{Op: "ne", X: x, Y: ir.Const{T: t, Val: lo}}})
	}
}

// wraps asserts that an operator on an _Atomic place did not overflow: C says neither
// that it wraps around, as atomic_fetch_add does, nor that it does not.
func (l *lowerer) wraps(n cc.Node, op string, x, y ir.Expr) {
	t, ok := x.Type().(ir.Int)
	if !l.opts.Overflow || !ok || !t.Signed || t.Bits < 32 || op != "add" && op != "sub" {
		return
	}
	lo, hi := limits(t)
	l.check(n, TagUnclear, op, t, l.between(n, op, t, x, y, lo, hi))
}

// fitsShift asserts that x shifted by y, each of its own promoted type, has a result that
// fits.
func (l *lowerer) fitsShift(n cc.Node, op string, x, y ir.Expr) {
	if !l.opts.Overflow {
		return
	}
	t, yt := x.Type().(ir.Int), y.Type().(ir.Int)
	yr := rangeOf(y)
	top := big.NewInt(int64(t.Bits - 1))
	if yr.lo.Sign() < 0 || yr.hi.Cmp(top) > 0 {
		bits := ir.Binary{Op: "le", X: y, Y: ir.IntConst(yt, int64(t.Bits-1))}
		l.check(n, TagUnclear, op, t, ir.Binary{Op: "land", X: ir.Binary{Op: "ge", X: y, Y: ir.IntConst(yt, 0)}, Y: bits})
	}
	if op != "shl" || !t.Signed {
		return
	}
	lo, hi := limits(t)
	l.check(n, TagOverflow, op, t, l.between(n, op, t, x, y, lo, hi))
	if rangeOf(x).lo.Sign() < 0 {
		l.check(n, TagUnclear, op, t, ir.Binary{Op: "ge", X: x, Y: ir.IntConst(t, 0)})
	}
}

// between is the condition that the exact result of x op y lies between lo and hi, a
// constant where the operands' types and constants decide it.
func (l *lowerer) between(n cc.Node, op string, t ir.Int, x, y ir.Expr, lo, hi *big.Int) ir.Expr {
	r := exact(op, rangeOf(x), rangeOf(y), t.Bits)
	if r.lo.Cmp(lo) >= 0 && r.hi.Cmp(hi) <= 0 {
		return ir.BoolConst(true)
	}
	if r.hi.Cmp(lo) < 0 || r.lo.Cmp(hi) > 0 {
		return ir.BoolConst(false)
	}
	w := ir.Int{Bits: t.Bits + 1, Signed: true}
	if op == "mul" || op == "shl" {
		w.Bits = 2 * t.Bits
	}
	if w.Bits > 128 {
		l.p.Assume("wide-overflow", pos(n.Position()), "overflow of integers of %d bits is not looked for", t.Bits)
		return ir.BoolConst(true)
	}
	v := ir.Binary{Op: op, X: widen(x, w), Y: widen(y, w)}
	return ir.Binary{Op: "land", X: ir.Binary{Op: "ge", X: v, Y: ir.Const{T: w, Val: lo}}, Y: ir.Binary{Op: "le", X: v, Y: ir.Const{T: w, Val: hi}}}
}

func widen(x ir.Expr, w ir.Int) ir.Expr {
	if c, ok := x.(ir.Const); ok {
		return ir.Const{T: w, Val: ir.Wrap(w, c.Val)}
	}
	return ir.Cast{X: x, T: w}
}

// limits are the least and the greatest value of a type.
func limits(t ir.Int) (lo, hi *big.Int) {
	if !t.Signed {
		hi = new(big.Int).Lsh(big.NewInt(1), uint(t.Bits))
		return new(big.Int), hi.Sub(hi, big.NewInt(1))
	}
	hi = new(big.Int).Lsh(big.NewInt(1), uint(t.Bits-1))
	lo = new(big.Int).Neg(hi)
	return lo, hi.Sub(hi, big.NewInt(1))
}

// interval is a set of integers that contains an expression's values.
type interval struct{ lo, hi *big.Int }

// rangeOf is what the types and constants in an integer expression say of its value.
func rangeOf(e ir.Expr) interval {
	t, ok := e.Type().(ir.Int)
	if !ok {
		return interval{new(big.Int), big.NewInt(1)} // a Bool
	}
	lo, hi := limits(t)
	all := interval{lo, hi}
	within := func(r interval) interval {
		if r.lo.Cmp(lo) < 0 || r.hi.Cmp(hi) > 0 {
			return all // it wraps around
		}
		return r
	}
	switch e := e.(type) {
	case ir.Const:
		return interval{e.Val, e.Val}
	case ir.Cast:
		switch e.X.Type().(type) {
		case ir.Int, ir.Bool:
			return within(rangeOf(e.X))
		}
	case ir.Binary:
		x, y := rangeOf(e.X), rangeOf(e.Y)
		switch e.Op {
		case "add", "sub", "mul":
			return within(exact(e.Op, x, y, t.Bits))
		case "and":
			if y.lo.Sign() < 0 {
				x, y = y, x
			}
			if y.lo.Sign() >= 0 {
				return interval{new(big.Int), y.hi}
			}
		case "rem":
			if y.lo.Sign() > 0 && x.lo.Sign() >= 0 {
				return interval{new(big.Int), new(big.Int).Sub(y.hi, big.NewInt(1))}
			}
		}
	}
	return all
}

// exact is the interval of x op y among all integers; amounts of shifts are taken to be
// in range.
func exact(op string, x, y interval, bits int) interval {
	n := func(a, b *big.Int) *big.Int {
		r := new(big.Int)
		switch op {
		case "add":
			return r.Add(a, b)
		case "sub":
			return r.Sub(a, b)
		case "mul":
			return r.Mul(a, b)
		}
		s := 0
		if b.Sign() > 0 {
			s = bits - 1
			if b.IsInt64() {
				s = int(min(b.Int64(), int64(bits-1)))
			}
		}
		return r.Lsh(a, uint(s))
	}
	out := interval{n(x.lo, y.lo), n(x.lo, y.lo)}
	for _, v := range []*big.Int{n(x.lo, y.hi), n(x.hi, y.lo), n(x.hi, y.hi)} {
		if v.Cmp(out.lo) < 0 {
			out.lo = v
		}
		if v.Cmp(out.hi) > 0 {
			out.hi = v
		}
	}
	return out
}
