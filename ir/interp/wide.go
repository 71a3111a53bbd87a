package interp

import (
	"fmt"
	"math/big"

	"whoop/ir"
)

// Values of more than one word are rare (128-bit integers, long double, vectors): their
// arithmetic goes through big.Int.

// split returns the low 128 bits of v in two's complement.
func split(v *big.Int) (lo, hi uint64) {
	w := ir.Wrap(ir.Int{Bits: 128}, v)
	m := new(big.Int).SetUint64(^uint64(0))
	return new(big.Int).And(w, m).Uint64(), new(big.Int).Rsh(w, 64).Uint64()
}

// join is the integer of type t that two words represent.
func join(t ir.Type, w []uint64) *big.Int {
	v := new(big.Int).SetUint64(w[len(w)-1])
	if it, ok := t.(ir.Int); ok && it.Signed {
		v.SetInt64(int64(w[len(w)-1]))
	}
	if len(w) == 1 {
		return v
	}
	return v.Add(v.Lsh(v, 64), new(big.Int).SetUint64(w[0]))
}

// wide compiles an expression of more than one word.
func (c *fc) wide(e ir.Expr, t ir.Type) value {
	n := words(t)
	of := func(f func(s *State, out []uint64)) value { return value{many: f, t: t, slot: -1} }
	switch e := e.(type) {
	case ir.Const:
		lo, hi := split(e.Val)
		return of(func(_ *State, out []uint64) { out[0], out[1] = lo, hi })
	case ir.Use:
		st := c.slots[e.Reg]
		if st.slot < 0 {
			k := ^st.slot
			return of(func(s *State, out []uint64) { copy(out, s.th.ghosts[k:k+n]) })
		}
		k := st.slot
		return of(func(s *State, out []uint64) { copy(out, s.r[k:k+n]) })
	case ir.OpaqueConst:
		return c.text(e)
	case ir.Select:
		f, x, y := c.expr(e.C).one, c.expr(e.X), c.expr(e.Y)
		return of(func(s *State, out []uint64) {
			if f(s) != 0 {
				x.words(s, out)
				return
			}
			y.words(s, out)
		})
	case ir.Cast:
		return c.wideCast(e, t)
	case ir.Unary:
		x := c.expr(e.X)
		return of(func(s *State, out []uint64) {
			x.many(s, out)
			v := join(t, out)
			if e.Op == "neg" {
				v.Neg(v)
			} else {
				v.Not(v)
			}
			setWide(t, v, out)
		})
	case ir.Binary:
		x, y := c.expr(e.X), c.expr(e.Y)
		return of(func(s *State, out []uint64) {
			var a, b [2]uint64
			x.many(s, a[:])
			y.many(s, b[:])
			setWide(t, wideOp(s, e.Op, t.(ir.Int), join(t, a[:]), join(t, b[:])), out)
		})
	}
	panic(fmt.Sprintf("interp: unknown expression %T", e))
}

func setWide(t ir.Type, v *big.Int, out []uint64) {
	out[0], out[1] = split(v)
	normWords(t, out)
}

func (c *fc) wideCast(e ir.Cast, t ir.Type) value {
	x, from := c.expr(e.X), e.X.Type()
	if ir.Equal(from, t) {
		return x
	}
	if _, toInt := t.(ir.Int); !toInt {
		return c.arbitraryCast(x, t)
	}
	if _, fromOpaque := from.(ir.Opaque); fromOpaque {
		return c.arbitraryCast(x, t)
	}
	n := words(from)
	return value{t: t, slot: -1, many: func(s *State, out []uint64) {
		var a [2]uint64
		x.words(s, a[:n])
		setWide(t, join(from, a[:n]), out)
	}}
}

func wideOp(s *State, op string, t ir.Int, x, y *big.Int) *big.Int {
	r := new(big.Int)
	switch op {
	case "add":
		return r.Add(x, y)
	case "sub":
		return r.Sub(x, y)
	case "mul":
		return r.Mul(x, y)
	case "and":
		return r.And(x, y)
	case "or":
		return r.Or(x, y)
	case "xor":
		return r.Xor(x, y)
	case "shl", "shr":
		n := uint(t.Bits)
		if y.Sign() >= 0 && y.IsInt64() && y.Int64() < int64(t.Bits) {
			n = uint(y.Int64())
		}
		if op == "shl" {
			return r.Lsh(x, n)
		}
		return r.Rsh(x, n)
	}
	if y.Sign() == 0 {
		s.trap = true
		return r
	}
	if op == "div" {
		return r.Quo(x, y)
	}
	return r.Rem(x, y)
}

// wideCompare compares integers of more than 64 bits.
func wideCompare(op string, x, y value) eval {
	return func(s *State) uint64 {
		var a, b [2]uint64
		x.many(s, a[:])
		y.many(s, b[:])
		c := join(x.t, a[:]).Cmp(join(y.t, b[:]))
		switch op {
		case "eq":
			return bit(c == 0)
		case "ne":
			return bit(c != 0)
		case "lt":
			return bit(c < 0)
		case "le":
			return bit(c <= 0)
		case "gt":
			return bit(c > 0)
		}
		return bit(c >= 0)
	}
}
