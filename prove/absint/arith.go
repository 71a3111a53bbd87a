package absint

import (
	"math/big"

	"whoop/ir"
)

// binary is the result of an integer operator on values of type t; exact tells that no
// result is beyond the type, so that nothing wraps around.
func binary(op string, t ir.Int, x, y Value) (v Value, exact bool) {
	if x.empty() || y.empty() {
		return nothing, true
	}
	if x.set != nil && y.set != nil && len(x.set)*len(y.set) <= maxSet*4 {
		return pointwise(op, t, x, y)
	}
	xl, xh := x.bounds(t)
	yl, yh := y.bounds(t)
	switch op {
	case "add":
		v, exact = wrapped(t, sum(xl, yl), sum(xh, yh))
		if c, ok := y.single(); ok && exact {
			v = shifted(v, x, c)
		}
		return v, exact
	case "sub":
		v, exact = wrapped(t, diff(xl, yh), diff(xh, yl))
		if c, ok := y.single(); ok && exact {
			v = shifted(v, x, -c)
		}
		return v, exact
	case "mul":
		return corners(t, xl, xh, yl, yh, func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) })
	case "div":
		if yl.Sign() > 0 || yh.Sign() < 0 {
			return corners(t, xl, xh, yl, yh, func(a, b *big.Int) *big.Int { return new(big.Int).Quo(a, b) })
		}
		m := magnitude(xl, xh)
		return wrapped(t, new(big.Int).Neg(m), m)
	case "rem":
		return remainder(t, xl, xh, yl, yh), true
	case "and", "or", "xor":
		return bits(op, t, xl, xh, yl, yh), true
	case "shl", "shr":
		return shift(op, t, x, y)
	}
	return full(t), false
}

// shifted keeps the values left out of an interval to which a constant is added.
func shifted(v, x Value, c int64) Value {
	for _, n := range x.not {
		if s := n + c; (s > n) == (c > 0) {
			v = v.without(s)
		}
	}
	return v
}

func sum(a, b *big.Int) *big.Int  { return new(big.Int).Add(a, b) }
func diff(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }

func smaller(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

func greater(a, b *big.Int) *big.Int {
	if a.Cmp(b) > 0 {
		return a
	}
	return b
}

// magnitude is the greatest absolute value between two numbers.
func magnitude(lo, hi *big.Int) *big.Int {
	return greater(new(big.Int).Abs(lo), new(big.Int).Abs(hi))
}

// corners is a function that is monotone in each argument (in either direction) over two
// intervals.
func corners(t ir.Int, xl, xh, yl, yh *big.Int, f func(a, b *big.Int) *big.Int) (Value, bool) {
	lo := f(xl, yl)
	hi := lo
	for _, c := range []*big.Int{f(xl, yh), f(xh, yl), f(xh, yh)} {
		lo, hi = smaller(lo, c), greater(hi, c)
	}
	return wrapped(t, lo, hi)
}

// remainder: the sign is the dividend's, the magnitude below the divisor's. A division by
// zero has no result.
func remainder(t ir.Int, xl, xh, yl, yh *big.Int) Value {
	m := magnitude(yl, yh)
	if m.Sign() > 0 {
		m = diff(m, big.NewInt(1))
	}
	lo, hi := new(big.Int), new(big.Int)
	if xl.Sign() < 0 {
		lo = greater(xl, new(big.Int).Neg(m))
	}
	if xh.Sign() > 0 {
		hi = smaller(xh, m)
	}
	v, _ := wrapped(t, lo, hi)
	return v
}

// bits is and, or, xor of intervals: something is known where no operand is negative.
func bits(op string, t ir.Int, xl, xh, yl, yh *big.Int) Value {
	top := func(x *big.Int) *big.Int {
		return diff(new(big.Int).Lsh(big.NewInt(1), uint(x.BitLen())), big.NewInt(1))
	}
	zero := new(big.Int)
	xp, yp := xl.Sign() >= 0, yl.Sign() >= 0
	switch {
	case op == "and" && xp && yp:
		return between(0, clip(smaller(xh, yh)))
	case op == "and" && xp:
		return between(0, clip(xh))
	case op == "and" && yp:
		return between(0, clip(yh))
	case op != "and" && xp && yp:
		lo := zero
		if op == "or" {
			lo = greater(xl, yl)
		}
		return between(clip(lo), clip(smaller(top(greater(xh, yh)), second(limits(t)))))
	}
	return full(t)
}

func second(_, b *big.Int) *big.Int { return b }

// shift is shl or shr. Counts that are not within the width have results that depend on
// who is asked: any.
func shift(op string, t ir.Int, x, y Value) (Value, bool) {
	xl, xh := x.bounds(t)
	yl, yh := y.bounds(t)
	if yl.Sign() < 0 || yh.Cmp(big.NewInt(int64(t.Bits))) >= 0 {
		return full(t), false
	}
	a, b := uint(yl.Uint64()), uint(yh.Uint64())
	if op == "shl" {
		return corners(t, xl, xh, new(big.Int).Lsh(big.NewInt(1), a), new(big.Int).Lsh(big.NewInt(1), b),
			func(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) })
	}
	return corners(t, xl, xh, yl, yh, func(a, b *big.Int) *big.Int { return new(big.Int).Rsh(a, uint(b.Uint64())) })
}

// pointwise computes each pair.
func pointwise(op string, t ir.Int, x, y Value) (Value, bool) {
	var out []int64
	exact := true
	for _, a := range x.set {
		for _, b := range y.set {
			r, defined := concrete(op, t, big.NewInt(a), big.NewInt(b))
			if r == nil {
				if defined {
					return full(t), false
				}
				continue // there is no result
			}
			w := ir.Wrap(t, r)
			if w.Cmp(r) != 0 {
				exact = false
			}
			if !w.IsInt64() {
				return full(t), exact
			}
			out = append(out, w.Int64())
		}
	}
	return listed(out...), exact
}

// concrete is the result before it is cut to the type; nil where there is none (not
// defined), or it is not known.
func concrete(op string, t ir.Int, a, b *big.Int) (r *big.Int, defined bool) {
	r = new(big.Int)
	switch op {
	case "add":
		return r.Add(a, b), true
	case "sub":
		return r.Sub(a, b), true
	case "mul":
		return r.Mul(a, b), true
	case "div":
		if b.Sign() == 0 {
			return nil, false
		}
		return r.Quo(a, b), true
	case "rem":
		if b.Sign() == 0 {
			return nil, false
		}
		return r.Rem(a, b), true
	case "and":
		return r.And(a, b), true
	case "or":
		return r.Or(a, b), true
	case "xor":
		return r.Xor(a, b), true
	}
	if b.Sign() < 0 || b.Cmp(big.NewInt(int64(t.Bits))) >= 0 {
		return nil, true
	}
	if op == "shl" {
		return r.Lsh(a, uint(b.Uint64())), true
	}
	return r.Rsh(a, uint(b.Uint64())), true
}

// compare is the truth of x op y.
func compare(op string, x, y Value) Value {
	if x.empty() || y.empty() {
		return nothing
	}
	switch op {
	case "eq":
		a, ok1 := x.single()
		b, ok2 := y.single()
		switch {
		case ok1 && ok2 && a == b:
			return truth
		case x.meet(y).empty():
			return falsity
		}
		return boolean
	case "ne":
		return negated(compare("eq", x, y))
	case "lt":
		switch {
		case x.hi < y.lo:
			return truth
		case x.lo >= y.hi && x.lo != negInf && y.hi != posInf:
			return falsity
		}
		return boolean
	case "le":
		switch {
		case x.hi <= y.lo && x.hi != posInf && y.lo != negInf:
			return truth
		case x.lo > y.hi:
			return falsity
		}
		return boolean
	case "gt":
		return compare("lt", y, x)
	case "ge":
		return compare("le", y, x)
	}
	return boolean
}

// negated is the logical not.
func negated(v Value) Value {
	switch {
	case v.empty():
		return nothing
	case v.equal(truth):
		return falsity
	case v.equal(falsity):
		return truth
	}
	return boolean
}

// below is what of x can be less than something of y (or equal to it).
func below(x, y Value, strict bool) Value {
	h := y.hi
	if strict && h != posInf {
		if h == negInf {
			return x // only in types of more than 64 bits
		}
		h--
	}
	return x.meet(Value{lo: negInf, hi: h})
}

// above is what of x can be greater than something of y (or equal to it).
func above(x, y Value, strict bool) Value {
	l := y.lo
	if strict && l != negInf {
		if l == posInf {
			return x
		}
		l++
	}
	return x.meet(Value{lo: l, hi: posInf})
}
