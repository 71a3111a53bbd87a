package bv

// Eval evaluates a term where variables have the given values (a Bool is 0 or 1).
// Division by zero is as in SMT-LIB. ok is false where something in the term is wider
// than 64 bits. memo, which may be nil, keeps values of terms for calls with the same
// values of variables.
func Eval(t *Term, value func(v *Term) uint64, memo map[*Term]uint64) (v uint64, ok bool) {
	if memo == nil {
		memo = map[*Term]uint64{}
	}
	e := evaluation{value: value, memo: memo, ok: true}
	v = e.eval(t)
	return v, e.ok
}

type evaluation struct {
	value func(*Term) uint64
	memo  map[*Term]uint64
	ok    bool
}

func (e *evaluation) eval(t *Term) uint64 {
	switch t.Op {
	case OpNum:
		return t.Val
	case OpTrue:
		return 1
	case OpFalse:
		return 0
	}
	if v, ok := e.memo[t]; ok {
		return v
	}
	if t.Width > 64 {
		e.ok = false
		return 0
	}
	v := e.apply(t) & low64(max(t.Width, 1))
	e.memo[t] = v
	return v
}

// low64 has the lowest w bits set.
func low64(w int) uint64 { return ^uint64(0) >> (64 - w) }

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// apply applies the operator; what it returns may have bits above the term's width.
func (e *evaluation) apply(t *Term) uint64 {
	switch t.Op {
	case OpVar:
		return e.value(t)
	case OpAnd, OpOr:
		for _, a := range t.Args {
			if e.eval(a) == bit(t.Op == OpOr) {
				return bit(t.Op == OpOr)
			}
		}
		return bit(t.Op == OpAnd)
	case OpIte:
		if e.eval(t.Args[0]) == 1 {
			return e.eval(t.Args[1])
		}
		return e.eval(t.Args[2])
	}
	x := e.eval(t.Args[0])
	w := t.Args[0].Width
	if w > 64 {
		return 0
	}
	switch t.Op {
	case OpNot, OpBNot:
		return ^x
	case OpNeg:
		return -x
	case OpExtract:
		return x >> (t.Val & 0xffff)
	case OpZExt:
		return x
	case OpSExt:
		return uint64(signed(x, w))
	}
	y := e.eval(t.Args[1])
	switch t.Op {
	case OpEq:
		return bit(x == y)
	case OpAdd:
		return x + y
	case OpMul:
		return x * y
	case OpBAnd:
		return x & y
	case OpBOr:
		return x | y
	case OpBXor:
		return x ^ y
	case OpConcat:
		return x<<t.Args[1].Width | y
	case OpShl:
		if y >= uint64(w) {
			return 0
		}
		return x << y
	case OpLShr:
		if y >= uint64(w) {
			return 0
		}
		return x >> y
	case OpAShr:
		return uint64(signed(x, w) >> min(y, 63))
	case OpULt:
		return bit(x < y)
	case OpULe:
		return bit(x <= y)
	case OpSLt:
		return bit(signed(x, w) < signed(y, w))
	case OpSLe:
		return bit(signed(x, w) <= signed(y, w))
	}
	return e.divide(t.Op, x, y, w)
}

func (e *evaluation) divide(op Op, x, y uint64, w int) uint64 {
	a, b := signed(x, w), signed(y, w)
	switch {
	case op == OpUDiv && y == 0:
		return ^uint64(0)
	case op == OpUDiv:
		return x / y
	case op == OpURem && y == 0:
		return x
	case op == OpURem:
		return x % y
	case op == OpSDiv && b == 0:
		return uint64(1 - 2*int64(bit(a >= 0))) // 1 for a negative number, -1 for others
	case op == OpSDiv && b == -1:
		return -x
	case op == OpSDiv:
		return uint64(a / b)
	case op == OpSRem && (b == 0 || b == -1):
		return uint64(a) * bit(b == 0)
	case op == OpSRem:
		return uint64(a % b)
	}
	e.ok = false
	return 0
}
