package explicit

import (
	"math"
	"math/bits"

	"whoop/ir"
)

// kind is what is known of a value.
type kind uint8

const (
	unknown  kind = iota // anything of its type
	number               // n, an integer, a Boolean, or an integer taken as an address
	symbol               // what symbol o stands for, plus n
	pointer              // byte n of object o
	inside               // some byte of object o
	function             // function o
	handle               // thread o
)

// A val is a value. Unsigned numbers of 64 bits are kept as the signed ones with the same
// bits.
type val struct {
	kind kind
	o    int32
	n    int64
}

func num(n int64) val { return val{kind: number, n: n} }

func boolVal(b bool) val {
	if b {
		return num(1)
	}
	return num(0)
}

// A span is the numbers from lo to hi that leave the remainder r (from 0 on) when divided
// by m; 0 as m says nothing. The greatest number, as hi, stands for all beyond, too.
type span struct{ lo, hi, m, r int64 }

// limits are the numbers of a type; ok is false for those of more than 64 bits.
func limits(t ir.Int) (r span, ok bool) {
	switch {
	case t.Bits > 64:
		return span{}, false
	case t.Signed:
		return span{lo: math.MinInt64 >> (64 - t.Bits), hi: math.MaxInt64 >> (64 - t.Bits)}, true
	case t.Bits == 64:
		return span{lo: 0, hi: math.MaxInt64}, true
	}
	return span{lo: 0, hi: 1<<t.Bits - 1}, true
}

func one(n int64) span { return span{lo: n, hi: n} }

func (s span) has(n int64) bool {
	return s.lo <= n && n <= s.hi && (s.m == 0 || residue(n, s.m) == s.r)
}
func (s span) within(t span) bool    { return t.lo <= s.lo && s.hi <= t.hi }
func (s span) single() (int64, bool) { return s.lo, s.lo == s.hi && s.hi != math.MaxInt64 }

// residue is the remainder of a division, from 0 on.
func residue(n, m int64) int64 {
	if n %= m; n < 0 {
		n += m
	}
	return n
}

// leaves is the remainder that all numbers leave when divided by m, where that is known.
func (s span) leaves(m int64) (int64, bool) {
	if s.m != 0 && s.m%m == 0 {
		return residue(s.r, m), true
	}
	return 0, false
}

// tight moves the ends to numbers with the right remainder. It is empty where there is
// none.
func (s span) tight() span {
	if s.m == 0 || s.lo > s.hi {
		return s
	}
	if s.lo != math.MinInt64 {
		lo, ok := plus(s.lo, residue(s.r-residue(s.lo, s.m), s.m))
		if !ok {
			return span{lo: 1}
		}
		s.lo = lo
	}
	if s.hi != math.MaxInt64 {
		hi, ok := plus(s.hi, -residue(residue(s.hi, s.m)-s.r, s.m))
		if !ok {
			return span{lo: 1}
		}
		s.hi = hi
	}
	return s
}

// shifted is the span plus n; ok is false where a number does not fit, or is beyond all.
func (s span) shifted(n int64) (span, bool) {
	lo, ok1 := plus(s.lo, n)
	hi, ok2 := plus(s.hi, n)
	t := span{lo: lo, hi: hi, m: s.m}
	if s.m != 0 {
		t.r = residue(s.r+residue(n, s.m), s.m)
	}
	return t, ok1 && ok2 && (n == 0 || s.hi != math.MaxInt64)
}

func plus(a, b int64) (int64, bool) {
	c := a + b
	return c, (c > a) == (b > 0) || b == 0
}

// times is the product; ok is false where it does not fit.
func times(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(max(a, -a)), uint64(max(b, -b)))
	if a == math.MinInt64 || b == math.MinInt64 || hi != 0 || lo > math.MaxInt64 {
		return 0, false
	}
	if (a < 0) != (b < 0) {
		return -int64(lo), true
	}
	return int64(lo), true
}

// wrap reduces a number to a type of at most 64 bits.
func wrap(t ir.Int, n int64) int64 {
	if t.Bits >= 64 {
		return n
	}
	k := 64 - t.Bits
	if t.Signed {
		return n << k >> k
	}
	return int64(uint64(n) << k >> k)
}

// intOf is the type whose numbers the values of a type are: addresses are unsigned.
func intOf(t ir.Type) (ir.Int, bool) {
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

// arith is an operation on two numbers of a type; ok is false where it has no result.
func arith(op string, t ir.Int, a, b int64) (n int64, ok bool) {
	switch op {
	case "add":
		n = a + b
	case "sub":
		n = a - b
	case "mul":
		n = a * b
	case "and":
		n = a & b
	case "or":
		n = a | b
	case "xor":
		n = a ^ b
	case "div", "rem":
		if b == 0 || t.Signed && b == -1 && a == math.MinInt64>>(64-t.Bits) {
			return 0, false
		}
		switch {
		case op == "div" && t.Signed:
			n = a / b
		case op == "div":
			n = int64(uint64(a) / uint64(b))
		case t.Signed:
			n = a % b
		default:
			n = int64(uint64(a) % uint64(b))
		}
	case "shl", "shr":
		if b < 0 || b >= int64(t.Bits) {
			return 0, false
		}
		switch {
		case op == "shl":
			n = a << b
		case t.Signed:
			n = a >> b
		default:
			n = int64(uint64(a) >> b)
		}
	default:
		return 0, false
	}
	return wrap(t, n), true
}

// ordered is a comparison of two numbers of a type.
func ordered(op string, t ir.Int, a, b int64) bool {
	c := 0
	switch {
	case a == b:
	case t.Signed && a < b, !t.Signed && uint64(a) < uint64(b):
		c = -1
	default:
		c = 1
	}
	switch op {
	case "eq":
		return c == 0
	case "ne":
		return c != 0
	case "lt":
		return c < 0
	case "le":
		return c <= 0
	case "gt":
		return c > 0
	}
	return c >= 0
}
