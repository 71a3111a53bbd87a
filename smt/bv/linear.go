package bv

import "math/bits"

// Products, quotients and remainders by literals come from the sizes of array elements,
// and are mostly compared with literals: whether an index leads to an element, whether it
// is within an object. Their circuits are large (a 64-bit division takes a solver longer
// than all the rest of a small program), so comparisons are solved for the other factor
// here.

// UMax is an upper bound of a term's value (of its low 64 bits, where it is wider) as an
// unsigned number.
func UMax(x *Term) uint64 { return umax(x, 6) }

func umax(x *Term, depth int) uint64 {
	all := mask(x.Width)
	if x.Op == OpNum {
		return x.Val
	}
	if depth == 0 || x.Width > 64 {
		return all
	}
	arg := func(i int) uint64 { return umax(x.Args[i], depth-1) }
	switch x.Op {
	case OpZExt:
		return arg(0)
	case OpIte:
		return max(arg(1), arg(2))
	case OpBAnd:
		return min(arg(0), arg(1))
	case OpAdd:
		if s, carry := bits.Add64(arg(0), arg(1), 0); carry == 0 && s <= all {
			return s
		}
	case OpMul:
		if hi, lo := bits.Mul64(arg(0), arg(1)); hi == 0 && lo <= all {
			return lo
		}
	case OpUDiv:
		if n, ok := x.Args[1].IsNum(); ok && n > 0 {
			return arg(0) / n
		}
	case OpURem:
		if n, ok := x.Args[1].IsNum(); ok && n > 0 {
			return min(arg(0), n-1)
		}
	case OpConcat:
		lo := x.Args[1].Width
		return arg(0)<<lo | mask(lo)
	}
	return all
}

// times is the product, and whether it is exact in w bits.
func times(x, y uint64, w int) (uint64, bool) {
	hi, lo := bits.Mul64(x, y)
	return lo, hi == 0 && lo <= mask(w)
}

// factor is c of a product x·c that does not wrap around.
func (x *Term) factor() (c uint64, ok bool) {
	if x.Op != OpMul || x.Width > 64 {
		return 0, false
	}
	c, ok = x.Args[1].IsNum()
	if !ok || c == 0 {
		return 0, false
	}
	_, ok = times(UMax(x.Args[0]), c, x.Width)
	return c, ok
}

// Exact reports whether a term is a product with a literal that does not wrap around.
func Exact(x *Term) bool {
	_, ok := x.factor()
	return ok
}

// narrow does an operation on as few bits as its operands and its result need; nil where
// these are all.
func (b *Builder) narrow(x, y *Term, most uint64, op func(x, y *Term) *Term) *Term {
	w := x.Width
	n := max(bits.Len64(max(most, UMax(x), UMax(y))), 1)
	if w > 64 || n >= w {
		return nil
	}
	return b.ZExt(op(b.Extract(x, n-1, 0), b.Extract(y, n-1, 0)), w)
}

// divideNum simplifies quotients and remainders by a literal other than 0; nil where it
// cannot.
func (b *Builder) divideNum(op Op, x, y *Term) *Term {
	half, most := mask(x.Width-1), UMax(x)
	if op == OpSDiv || op == OpSRem {
		if most > half || y.Val > half {
			return nil
		}
		return b.divide(OpUDiv+(op-OpSDiv), x, y) // neither is negative
	}
	if most < y.Val {
		if op == OpUDiv {
			return b.zero(x)
		}
		return x
	}
	if c, ok := x.factor(); ok && c%y.Val == 0 {
		if op == OpURem {
			return b.zero(x)
		}
		return b.Mul(x.Args[0], b.Num(x.Width, c/y.Val))
	}
	return b.narrow(x, y, most, func(x, y *Term) *Term { return b.divide(op, x, y) })
}

// inverse is the number whose product with an odd one is 1 modulo 2^64 (Newton's
// iteration, each doubles the right bits).
func inverse(odd uint64) uint64 {
	v := odd
	for range 6 {
		v *= 2 - odd*v
	}
	return v
}

// eqMul is x·c = n.
func (b *Builder) eqMul(x *Term, c, n uint64) *Term {
	w := x.Width
	k := bits.TrailingZeros64(c)
	if n&mask(k) != 0 {
		return b.False
	}
	return b.Eq(b.Extract(x, w-1-k, 0), b.Num(w-k, n>>k*inverse(c>>k)))
}

// eqDiv is x/c = n, unsigned.
func (b *Builder) eqDiv(x *Term, c, n uint64) *Term {
	w := x.Width
	lo, ok := times(c, n, w)
	if !ok {
		return b.False
	}
	return b.And(b.ULe(b.Num(w, lo), x), b.less(x, lo, c))
}

// less is x < n + c, where that sum may be beyond all numbers.
func (b *Builder) less(x *Term, n, c uint64) *Term {
	s, carry := bits.Add64(n, c, 0)
	if carry != 0 || s > mask(x.Width) {
		return b.True
	}
	return b.ULt(x, b.Num(x.Width, s))
}

// below is x < n for a literal n, simplified; nil where it stays as it is.
func (b *Builder) below(x *Term, n uint64) *Term {
	w := x.Width
	switch {
	case n == 0:
		return b.False
	case UMax(x) < n:
		return b.True
	case n == 1:
		return b.Eq(x, b.zero(x))
	}
	switch x.Op {
	case OpZExt: // n is not above its greatest value
		return b.ULt(x.Args[0], b.Num(x.Args[0].Width, n))
	case OpUDiv:
		if c, ok := x.Args[1].IsNum(); ok && c > 0 {
			p, exact := times(c, n, w)
			if !exact {
				return b.True
			}
			return b.ULt(x.Args[0], b.Num(w, p))
		}
	case OpMul:
		if c, ok := x.factor(); ok {
			return b.ULt(x.Args[0], b.Num(w, (n-1)/c+1))
		}
	case OpAdd:
		if c, ok := x.Args[1].IsNum(); ok {
			if s, carry := bits.Add64(UMax(x.Args[0]), c, 0); carry == 0 && s <= mask(w) {
				if n <= c {
					return b.False
				}
				return b.ULt(x.Args[0], b.Num(w, n-c))
			}
		}
	case OpConcat:
		hi, lo := x.Args[0], x.Args[1]
		if n&mask(lo.Width) == 0 {
			return b.ULt(hi, b.Num(hi.Width, n>>lo.Width))
		}
		if v, ok := lo.IsNum(); ok && v == 0 {
			return b.ULe(hi, b.Num(hi.Width, n>>lo.Width))
		}
	}
	return nil
}

// compareNum brings comparisons with a literal into the form x < n; nil where it sees
// nothing to do.
func (b *Builder) compareNum(op Op, x, y *Term) *Term {
	if x.Width > 64 {
		return nil
	}
	if op == OpSLt || op == OpSLe {
		if half := mask(x.Width - 1); UMax(x) > half || UMax(y) > half {
			return nil
		}
		if op = OpULt + (op - OpSLt); y.Op != OpNum && x.Op != OpNum { // neither is negative
			return b.mk(op, 0, 0, x, y)
		}
	}
	all := mask(x.Width)
	if n, ok := y.IsNum(); ok {
		if op == OpULe {
			if n == all {
				return b.True
			}
			n++
		}
		if t := b.below(x, n); t != nil {
			return t
		}
		return b.mk(OpULt, 0, 0, x, b.Num(x.Width, n))
	}
	if n, ok := x.IsNum(); ok {
		if op == OpULt {
			if n == all {
				return b.False
			}
			n++
		}
		return b.Not(b.ULt(y, b.Num(y.Width, n)))
	}
	return nil
}
