package interp

import "whoop/ir"

// binary compiles an operator on values of one word. Comparisons and logic are
// specialised, as branches are made of them; so are sums. Logic evaluates its second
// operand only where it matters, so that a guarded division does not trap.
func (c *fc) binary(e ir.Binary) value {
	x, y, t := c.expr(e.X), c.expr(e.Y), e.Type()
	if x.one == nil {
		return computed(t, wideCompare(e.Op, x, y))
	}
	f, g := x.one, y.one
	switch e.Op {
	case "land":
		return computed(t, func(s *State) uint64 {
			if f(s) == 0 {
				return 0
			}
			return g(s)
		})
	case "lor":
		return computed(t, func(s *State) uint64 {
			if f(s) != 0 {
				return 1
			}
			return g(s)
		})
	}
	if x.isConst && y.isConst && e.Op != "div" && e.Op != "rem" {
		return constant(t, binop(e.Op, e.X.Type())(nil, x.k, y.k))
	}
	if it, ok := t.(ir.Int); ok && (e.Op == "add" || e.Op == "sub") && (it == ir.I32 || it.Bits == 64) {
		return computed(t, sum(e.Op, it, x, y))
	}
	op := binop(e.Op, e.X.Type())
	switch {
	case x.slot >= 0 && y.isConst:
		i, k := x.slot, y.k
		if h := compareConst(e.Op, e.X.Type(), i, k); h != nil {
			return computed(t, h)
		}
		return computed(t, func(s *State) uint64 { return op(s, s.r[i], k) })
	case x.slot >= 0 && y.slot >= 0:
		i, j := x.slot, y.slot
		return computed(t, func(s *State) uint64 { return op(s, s.r[i], s.r[j]) })
	case y.isConst:
		k := y.k
		return computed(t, func(s *State) uint64 { return op(s, f(s), k) })
	}
	return computed(t, func(s *State) uint64 { return op(s, f(s), g(s)) })
}

// sum compiles + and - for the most usual types.
func sum(op string, t ir.Int, x, y value) eval {
	f, g := x.one, y.one
	if op == "sub" {
		if y.isConst {
			y.k = -y.k
		} else {
			h := g
			g = func(s *State) uint64 { return -h(s) }
		}
	}
	switch {
	case x.slot >= 0 && y.isConst && t == ir.I32:
		i, k := x.slot, y.k
		return func(s *State) uint64 { return uint64(int64(int32(s.r[i] + k))) }
	case x.slot >= 0 && y.isConst:
		i, k := x.slot, y.k
		return func(s *State) uint64 { return s.r[i] + k }
	case y.isConst:
		g = func(*State) uint64 { return y.k }
	}
	if t == ir.I32 {
		return func(s *State) uint64 { return uint64(int64(int32(f(s) + g(s)))) }
	}
	return func(s *State) uint64 { return f(s) + g(s) }
}

// compareConst is a comparison of a register with a constant.
func compareConst(op string, t ir.Type, i int, k uint64) eval {
	it, isInt := t.(ir.Int)
	signed := isInt && it.Signed
	sk := int64(k)
	switch {
	case op == "eq":
		return func(s *State) uint64 { return bit(s.r[i] == k) }
	case op == "ne":
		return func(s *State) uint64 { return bit(s.r[i] != k) }
	case op == "lt" && signed:
		return func(s *State) uint64 { return bit(int64(s.r[i]) < sk) }
	case op == "lt":
		return func(s *State) uint64 { return bit(s.r[i] < k) }
	}
	return nil
}

// binop is an operator on one word.
func binop(op string, t ir.Type) func(s *State, x, y uint64) uint64 {
	it, isInt := t.(ir.Int)
	signed := isInt && it.Signed
	switch op {
	case "eq":
		return func(_ *State, x, y uint64) uint64 { return bit(x == y) }
	case "ne":
		return func(_ *State, x, y uint64) uint64 { return bit(x != y) }
	case "lt", "le", "gt", "ge":
		return compare(op, signed)
	case "and":
		return func(_ *State, x, y uint64) uint64 { return x & y }
	case "or":
		return func(_ *State, x, y uint64) uint64 { return x | y }
	case "xor":
		return func(_ *State, x, y uint64) uint64 { return x ^ y }
	case "add":
		return func(_ *State, x, y uint64) uint64 { return normalise(it, x+y) }
	case "sub":
		return func(_ *State, x, y uint64) uint64 { return normalise(it, x-y) }
	case "mul":
		return func(_ *State, x, y uint64) uint64 { return normalise(it, x*y) }
	case "shl":
		return func(_ *State, x, y uint64) uint64 {
			if y >= uint64(it.Bits) {
				return 0
			}
			return normalise(it, x<<y)
		}
	case "shr":
		if signed {
			return func(_ *State, x, y uint64) uint64 { return uint64(int64(x) >> min(y, 63)) }
		}
		return func(_ *State, x, y uint64) uint64 { return x >> y }
	}
	return divide(op, it)
}

func compare(op string, signed bool) func(s *State, x, y uint64) uint64 {
	switch {
	case op == "lt" && signed:
		return func(_ *State, x, y uint64) uint64 { return bit(int64(x) < int64(y)) }
	case op == "le" && signed:
		return func(_ *State, x, y uint64) uint64 { return bit(int64(x) <= int64(y)) }
	case op == "gt" && signed:
		return func(_ *State, x, y uint64) uint64 { return bit(int64(x) > int64(y)) }
	case op == "ge" && signed:
		return func(_ *State, x, y uint64) uint64 { return bit(int64(x) >= int64(y)) }
	case op == "lt":
		return func(_ *State, x, y uint64) uint64 { return bit(x < y) }
	case op == "le":
		return func(_ *State, x, y uint64) uint64 { return bit(x <= y) }
	case op == "gt":
		return func(_ *State, x, y uint64) uint64 { return bit(x > y) }
	}
	return func(_ *State, x, y uint64) uint64 { return bit(x >= y) }
}

// divide truncates towards zero; a zero divisor is noted and makes the instruction an
// error.
func divide(op string, t ir.Int) func(s *State, x, y uint64) uint64 {
	div := op == "div"
	if t.Signed {
		return func(s *State, x, y uint64) uint64 {
			switch {
			case y == 0:
				s.trap = true
				return 0
			case int64(y) == -1 && div:
				return normalise(t, -x)
			case int64(y) == -1:
				return 0
			case div:
				return normalise(t, uint64(int64(x)/int64(y)))
			}
			return uint64(int64(x) % int64(y))
		}
	}
	return func(s *State, x, y uint64) uint64 {
		switch {
		case y == 0:
			s.trap = true
			return 0
		case div:
			return x / y
		}
		return x % y
	}
}
