package bv

import (
	"math"
	"math/bits"
)

// Interval is the numbers n with Lo ≤ n ≤ Hi, of a term of at most 64 bits as a signed
// number.
type Interval struct{ Lo, Hi int64 }

// Whole is the interval of all numbers of a width.
func Whole(width int) Interval {
	return Interval{math.MinInt64 >> (64 - width), math.MaxInt64 >> (64 - width)}
}

// Join is the least interval that has all numbers of both.
func (i Interval) Join(j Interval) Interval { return Interval{min(i.Lo, j.Lo), max(i.Hi, j.Hi)} }

// Meet is the numbers that both have; where they have none, it is i.
func (i Interval) Meet(j Interval) Interval {
	if m := (Interval{max(i.Lo, j.Lo), min(i.Hi, j.Hi)}); m.Lo <= m.Hi {
		return m
	}
	return i
}

// Bits is how many bits its numbers need as signed numbers, the sign's included.
func (i Interval) Bits() int {
	return 1 + max(bits.Len64(uint64(i.Lo^i.Lo>>63)), bits.Len64(uint64(i.Hi^i.Hi>>63)))
}

// Within is the condition that t is in the interval of the numbers with as many bits as i
// needs: that the upper bits of t are all its sign. Solvers see through that sooner than
// through comparisons.
func (b *Builder) Within(t *Term, i Interval) *Term {
	n := i.Bits()
	if n >= t.Width {
		return b.True
	}
	if i.Lo >= 0 {
		return b.Eq(b.Extract(t, t.Width-1, n-1), b.Num(t.Width-n+1, 0))
	}
	return b.Eq(t, b.SExt(b.Extract(t, n-1, 0), t.Width))
}

// Ranges finds intervals of terms.
type Ranges struct {
	// Of is the interval of a variable of at most 64 bits.
	Of   func(v *Term) Interval
	memo map[*Term]Interval
	// Work counts the terms that were looked at.
	Work int
}

// Reset forgets what was found, as Of has changed.
func (r *Ranges) Reset() { clear(r.memo) }

// Find returns an interval that has all values of t, which has between 1 and 64 bits.
func (r *Ranges) Find(t *Term) Interval {
	if n, ok := t.IsNum(); ok {
		s := signed(n, t.Width)
		return Interval{s, s}
	}
	if i, ok := r.memo[t]; ok {
		return i
	}
	r.Work++
	if r.memo == nil {
		r.memo = map[*Term]Interval{}
	}
	i := Whole(t.Width)
	if t.Op == OpVar {
		i = r.Of(t).Meet(i)
	} else if j, ok := r.apply(t); ok && j.Lo >= i.Lo && j.Hi <= i.Hi {
		i = j
	}
	r.memo[t] = i
	return i
}

// apply is the interval of an operation on numbers of any size; not ok: it is not known.
func (r *Ranges) apply(t *Term) (Interval, bool) {
	arg := func(i int) Interval { return r.Find(t.Args[i]) }
	switch t.Op {
	case OpIte:
		return arg(1).Join(arg(2)), true
	case OpAdd:
		return sumOf(arg(0), arg(1))
	case OpMul:
		return productOf(arg(0), arg(1))
	case OpNeg:
		x := arg(0)
		return Interval{-x.Hi, -x.Lo}, x.Lo > math.MinInt64
	case OpBNot:
		x := arg(0)
		return Interval{^x.Hi, ^x.Lo}, true
	case OpSExt:
		return arg(0), true
	case OpZExt:
		if x := arg(0); x.Lo >= 0 {
			return x, true
		}
		return Interval{0, int64(mask(t.Args[0].Width))}, t.Args[0].Width < 64
	case OpExtract:
		x := t.Args[0]
		return r.low(t, x), t.Val&0xffff == 0 && x.Width <= 64
	case OpConcat:
		if n, ok := t.Args[0].IsNum(); ok && n == 0 && t.Args[1].Width < 64 {
			return Interval{0, int64(mask(t.Args[1].Width))}, true
		}
	case OpBAnd, OpBOr, OpBXor:
		return bitwise(t.Op, arg(0), arg(1))
	case OpShl, OpLShr, OpAShr, OpUDiv, OpURem, OpSDiv, OpSRem:
		if n, ok := t.Args[1].IsNum(); ok {
			return byLiteral(t, arg(0), n)
		}
	}
	return Interval{}, false
}

// low is the interval of the lower bits of x.
func (r *Ranges) low(t, x *Term) Interval {
	if x.Width > 64 {
		return Whole(t.Width)
	}
	if i := r.Find(x); i.Bits() <= t.Width {
		return i
	}
	return Whole(t.Width)
}

func sumOf(x, y Interval) (Interval, bool) {
	lo, hi := x.Lo+y.Lo, x.Hi+y.Hi
	ok := (x.Lo^lo)&(y.Lo^lo) >= 0 && (x.Hi^hi)&(y.Hi^hi) >= 0
	return Interval{lo, hi}, ok
}

func productOf(x, y Interval) (Interval, bool) {
	const most = math.MaxInt32
	for _, n := range []int64{x.Lo, x.Hi, y.Lo, y.Hi} {
		if n > most || n < -most {
			return Interval{}, false
		}
	}
	a, b, c, d := x.Lo*y.Lo, x.Lo*y.Hi, x.Hi*y.Lo, x.Hi*y.Hi
	return Interval{min(a, b, c, d), max(a, b, c, d)}, true
}

func bitwise(op Op, x, y Interval) (Interval, bool) {
	switch {
	case op == OpBAnd && x.Lo >= 0 && y.Lo >= 0:
		return Interval{0, min(x.Hi, y.Hi)}, true
	case op == OpBAnd && x.Lo >= 0:
		return Interval{0, x.Hi}, true
	case op == OpBAnd && y.Lo >= 0:
		return Interval{0, y.Hi}, true
	case op != OpBAnd && x.Lo >= 0 && y.Lo >= 0:
		return Interval{0, int64(mask(bits.Len64(uint64(x.Hi | y.Hi))))}, true
	}
	return Interval{}, false
}

// byLiteral is the interval of a shift, a quotient or a remainder by a literal.
func byLiteral(t *Term, x Interval, n uint64) (Interval, bool) {
	w := t.Width
	switch t.Op {
	case OpShl:
		if n < 31 {
			return productOf(x, Interval{1 << n, 1 << n})
		}
	case OpAShr:
		n = min(n, 63)
		return Interval{x.Lo >> n, x.Hi >> n}, true
	case OpLShr:
		if x.Lo >= 0 {
			n = min(n, 63)
			return Interval{x.Lo >> n, x.Hi >> n}, true
		}
		if n > 0 && n < uint64(w) {
			return Interval{0, int64(mask(w) >> n)}, true
		}
	}
	d := signed(n, w)
	if d <= 0 {
		return Interval{}, false
	}
	switch t.Op {
	case OpUDiv:
		return Interval{x.Lo / d, x.Hi / d}, x.Lo >= 0
	case OpSDiv:
		return Interval{x.Lo / d, x.Hi / d}, true
	case OpURem:
		if x.Lo >= 0 {
			return Interval{0, min(x.Hi, d-1)}, true
		}
		return Interval{0, d - 1}, true
	case OpSRem:
		return Interval{max(min(x.Lo, 0), 1-d), min(max(x.Hi, 0), d-1)}, true
	}
	return Interval{}, false
}
