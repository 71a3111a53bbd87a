package bv

// Substitute replaces terms by others of the same width, and simplifies again.
func (b *Builder) Substitute(t *Term, by map[*Term]*Term) *Term {
	memo := make(map[*Term]*Term, len(by))
	for k, v := range by {
		memo[k] = v
	}
	return b.subst(t, memo)
}

func (b *Builder) subst(t *Term, memo map[*Term]*Term) *Term {
	if v := memo[t]; v != nil {
		return v
	}
	if len(t.Args) == 0 {
		return t
	}
	args := make([]*Term, len(t.Args))
	same := true
	for i, a := range t.Args {
		args[i] = b.subst(a, memo)
		same = same && args[i] == a
	}
	v := t
	if !same {
		v = b.remake(t, args)
	}
	memo[t] = v
	return v
}

// remake builds a term like t of other arguments.
func (b *Builder) remake(t *Term, a []*Term) *Term {
	switch t.Op {
	case OpNot:
		return b.Not(a[0])
	case OpAnd:
		return b.And(a...)
	case OpOr:
		return b.Or(a...)
	case OpIte:
		return b.Ite(a[0], a[1], a[2])
	case OpEq:
		return b.Eq(a[0], a[1])
	case OpAdd:
		return b.Add(a[0], a[1])
	case OpMul:
		return b.Mul(a[0], a[1])
	case OpUDiv, OpURem, OpSDiv, OpSRem:
		return b.divide(t.Op, a[0], a[1])
	case OpBAnd:
		return b.BAnd(a[0], a[1])
	case OpBOr:
		return b.BOr(a[0], a[1])
	case OpBXor:
		return b.BXor(a[0], a[1])
	case OpBNot:
		return b.BNot(a[0])
	case OpNeg:
		return b.Neg(a[0])
	case OpShl, OpLShr, OpAShr:
		return b.shift(t.Op, a[0], a[1])
	case OpConcat:
		return b.Concat(a[0], a[1])
	case OpExtract:
		return b.Extract(a[0], int(t.Val>>16), int(t.Val&0xffff))
	case OpZExt, OpSExt:
		return b.extend(t.Op, a[0], t.Width)
	case OpULt:
		return b.ULt(a[0], a[1])
	case OpULe:
		return b.ULe(a[0], a[1])
	case OpSLt:
		return b.SLt(a[0], a[1])
	}
	return b.SLe(a[0], a[1])
}
