package bv

import "math/bits"

func mask(w int) uint64 {
	if w >= 64 {
		return ^uint64(0)
	}
	return 1<<w - 1
}

// signed is the value of a literal of width w ≤ 64 as a signed number.
func signed(v uint64, w int) int64 { return int64(v<<(64-w)) >> (64 - w) }

// Num is the literal v modulo 2^width; widths over 64 extend it with zeros.
func (b *Builder) Num(width int, v uint64) *Term {
	if width > 64 {
		return b.Concat(b.Num(width-64, 0), b.Num(64, v))
	}
	return b.mk(OpNum, width, v&mask(width))
}

// fold applies f where both are literals.
func (b *Builder) fold(x, y *Term, f func(x, y uint64) uint64) *Term {
	if x.Op == OpNum && y.Op == OpNum {
		return b.Num(x.Width, f(x.Val, y.Val))
	}
	return nil
}

// over distributes an operation over an Ite whose leaves are literals, where the other
// side is one, too.
func (b *Builder) over(x, y *Term, f func(x, y *Term) *Term) *Term {
	if y.Op == OpNum && x.Op == OpIte && x.Args[1].Op == OpNum && x.Args[2].Op == OpNum {
		return b.Ite(x.Args[0], f(x.Args[1], y), f(x.Args[2], y))
	}
	if x.Op == OpNum && y.Op == OpIte && y.Args[1].Op == OpNum && y.Args[2].Op == OpNum {
		return b.Ite(y.Args[0], f(x, y.Args[1]), f(x, y.Args[2]))
	}
	return nil
}

// Add is x + y modulo 2^width; a literal stands last, and literals are gathered.
func (b *Builder) Add(x, y *Term) *Term {
	if x.Op == OpNum {
		x, y = y, x
	}
	if t := b.fold(x, y, func(x, y uint64) uint64 { return x + y }); t != nil {
		return t
	}
	if y.Op == OpNum {
		if y.Val == 0 {
			return x
		}
		if n, ok := lastNum(x); ok {
			return b.Add(x.Args[0], b.Num(x.Width, n+y.Val))
		}
		if t := b.over(x, y, b.Add); t != nil {
			return t
		}
		return b.mk(OpAdd, x.Width, 0, x, y)
	}
	if n, ok := lastNum(x); ok {
		return b.Add(b.Add(x.Args[0], y), b.Num(x.Width, n))
	}
	if n, ok := lastNum(y); ok {
		return b.Add(b.Add(x, y.Args[0]), b.Num(x.Width, n))
	}
	if b.Neg(x) == y {
		return b.zero(x)
	}
	if x.id > y.id {
		x, y = y, x
	}
	return b.mk(OpAdd, x.Width, 0, x, y)
}

// lastNum is the literal of a sum.
func lastNum(x *Term) (uint64, bool) {
	if x.Op != OpAdd {
		return 0, false
	}
	return x.Args[1].IsNum()
}

func (b *Builder) zero(x *Term) *Term { return b.Num(x.Width, 0) }

// Neg is -x.
func (b *Builder) Neg(x *Term) *Term {
	switch x.Op {
	case OpNum:
		return b.Num(x.Width, -x.Val)
	case OpNeg:
		return x.Args[0]
	}
	return b.mk(OpNeg, x.Width, 0, x)
}

// Sub is x - y.
func (b *Builder) Sub(x, y *Term) *Term {
	if x == y {
		return b.zero(x)
	}
	return b.Add(x, b.Neg(y))
}

// Mul is x · y.
func (b *Builder) Mul(x, y *Term) *Term {
	if x.Op == OpNum {
		x, y = y, x
	}
	if t := b.fold(x, y, func(x, y uint64) uint64 { return x * y }); t != nil {
		return t
	}
	if y.Op == OpNum {
		switch {
		case y.Val == 0:
			return y
		case y.Val == 1:
			return x
		case y.Val&(y.Val-1) == 0:
			return b.Shl(x, b.Num(x.Width, uint64(bits.TrailingZeros64(y.Val))))
		}
		if t := b.over(x, y, b.Mul); t != nil {
			return t
		}
		if p, ok := times(UMax(x), y.Val, x.Width); ok {
			if t := b.narrow(x, y, p, b.Mul); t != nil {
				return t
			}
		}
	}
	return b.mk(OpMul, x.Width, 0, x, y)
}

// UDiv is the unsigned quotient. Quotients and remainders by zero are left to the solver.
func (b *Builder) UDiv(x, y *Term) *Term { return b.divide(OpUDiv, x, y) }

// URem is the unsigned remainder.
func (b *Builder) URem(x, y *Term) *Term { return b.divide(OpURem, x, y) }

// SDiv is the signed quotient, rounded towards zero.
func (b *Builder) SDiv(x, y *Term) *Term { return b.divide(OpSDiv, x, y) }

// SRem is the signed remainder, with the sign of x.
func (b *Builder) SRem(x, y *Term) *Term { return b.divide(OpSRem, x, y) }

func (b *Builder) divide(op Op, x, y *Term) *Term {
	if y.Op == OpNum && y.Val != 0 && x.Op == OpNum {
		sx, sy := signed(x.Val, x.Width), signed(y.Val, x.Width)
		switch {
		case op == OpUDiv:
			return b.Num(x.Width, x.Val/y.Val)
		case op == OpURem:
			return b.Num(x.Width, x.Val%y.Val)
		case sy == -1:
			if op == OpSDiv {
				return b.Num(x.Width, uint64(-sx))
			}
			return b.zero(x)
		case op == OpSDiv:
			return b.Num(x.Width, uint64(sx/sy))
		default:
			return b.Num(x.Width, uint64(sx%sy))
		}
	}
	if y.Op == OpNum && y.Val == 1 {
		if op == OpUDiv || op == OpSDiv {
			return x
		}
		return b.zero(x)
	}
	if y.Op == OpNum && y.Val != 0 && y.Val&(y.Val-1) == 0 {
		k := uint64(bits.TrailingZeros64(y.Val))
		switch op {
		case OpUDiv:
			return b.LShr(x, b.Num(x.Width, k))
		case OpURem:
			return b.BAnd(x, b.Num(x.Width, y.Val-1))
		}
	}
	if n, ok := y.IsNum(); ok && n != 0 && x.Width <= 64 {
		if t := b.divideNum(op, x, y); t != nil {
			return t
		}
	}
	return b.mk(op, x.Width, 0, x, y)
}

// BAnd is bitwise and.
func (b *Builder) BAnd(x, y *Term) *Term {
	if x.Op == OpNum {
		x, y = y, x
	}
	if t := b.fold(x, y, func(x, y uint64) uint64 { return x & y }); t != nil {
		return t
	}
	if x == y {
		return x
	}
	if y.Op == OpNum {
		if y.Val == 0 {
			return y
		}
		if y.Val == mask(x.Width) && x.Width <= 64 {
			return x
		}
		if n := bits.Len64(y.Val); n < x.Width && y.Val == mask(n) {
			return b.ZExt(b.Extract(x, n-1, 0), x.Width)
		}
		if t := b.over(x, y, b.BAnd); t != nil {
			return t
		}
	}
	return b.commutative(OpBAnd, x, y)
}

// BOr is bitwise or.
func (b *Builder) BOr(x, y *Term) *Term {
	if x.Op == OpNum {
		x, y = y, x
	}
	if t := b.fold(x, y, func(x, y uint64) uint64 { return x | y }); t != nil {
		return t
	}
	if x == y {
		return x
	}
	if y.Op == OpNum {
		if y.Val == 0 {
			return x
		}
		if t := b.over(x, y, b.BOr); t != nil {
			return t
		}
	}
	return b.commutative(OpBOr, x, y)
}

// BXor is bitwise exclusive or.
func (b *Builder) BXor(x, y *Term) *Term {
	if x.Op == OpNum {
		x, y = y, x
	}
	if t := b.fold(x, y, func(x, y uint64) uint64 { return x ^ y }); t != nil {
		return t
	}
	if x == y {
		return b.zero(x)
	}
	if y.Op == OpNum {
		if y.Val == 0 {
			return x
		}
		if t := b.over(x, y, b.BXor); t != nil {
			return t
		}
	}
	return b.commutative(OpBXor, x, y)
}

func (b *Builder) commutative(op Op, x, y *Term) *Term {
	if x.id > y.id && y.Op != OpNum {
		x, y = y, x
	}
	return b.mk(op, x.Width, 0, x, y)
}

// BNot is bitwise not.
func (b *Builder) BNot(x *Term) *Term {
	switch x.Op {
	case OpNum:
		return b.Num(x.Width, ^x.Val)
	case OpBNot:
		return x.Args[0]
	}
	return b.mk(OpBNot, x.Width, 0, x)
}

// Shl shifts left; amounts of the width and above give 0.
func (b *Builder) Shl(x, y *Term) *Term { return b.shift(OpShl, x, y) }

// LShr shifts right with zeros.
func (b *Builder) LShr(x, y *Term) *Term { return b.shift(OpLShr, x, y) }

// AShr shifts right with the sign.
func (b *Builder) AShr(x, y *Term) *Term { return b.shift(OpAShr, x, y) }

func (b *Builder) shift(op Op, x, y *Term) *Term {
	if y.Op != OpNum {
		return b.mk(op, x.Width, 0, x, y)
	}
	w, k := x.Width, y.Val
	if k == 0 {
		return x
	}
	if k >= uint64(w) {
		if op != OpAShr {
			return b.zero(x)
		}
		k = uint64(w) - 1
	}
	n := int(k)
	switch op {
	case OpShl:
		return b.Concat(b.Extract(x, w-1-n, 0), b.Num(n, 0))
	case OpLShr:
		return b.ZExt(b.Extract(x, w-1, n), w)
	}
	return b.SExt(b.Extract(x, w-1, n), w)
}

// Concat puts x above y.
func (b *Builder) Concat(x, y *Term) *Term {
	w := x.Width + y.Width
	if x.Op == OpNum && y.Op == OpNum && w <= 64 {
		return b.Num(w, x.Val<<y.Width|y.Val)
	}
	if x.Op == OpNum && x.Val == 0 && w <= 64 {
		return b.ZExt(y, w)
	}
	if x.Op == OpExtract && y.Op == OpExtract && x.Args[0] == y.Args[0] && int(x.Val&0xffff) == int(y.Val>>16)+1 {
		return b.Extract(x.Args[0], int(x.Val>>16), int(y.Val&0xffff))
	}
	return b.mk(OpConcat, w, 0, x, y)
}

// Extract is bits hi down to lo.
func (b *Builder) Extract(x *Term, hi, lo int) *Term {
	w := hi - lo + 1
	if w == x.Width {
		return x
	}
	switch x.Op {
	case OpNum:
		return b.Num(w, x.Val>>lo)
	case OpExtract:
		o := int(x.Val & 0xffff)
		return b.Extract(x.Args[0], hi+o, lo+o)
	case OpConcat:
		n := x.Args[1].Width
		switch {
		case hi < n:
			return b.Extract(x.Args[1], hi, lo)
		case lo >= n:
			return b.Extract(x.Args[0], hi-n, lo-n)
		}
		return b.Concat(b.Extract(x.Args[0], hi-n, 0), b.Extract(x.Args[1], n-1, lo))
	case OpZExt, OpSExt:
		n := x.Args[0].Width
		switch {
		case hi < n:
			return b.Extract(x.Args[0], hi, lo)
		case lo >= n && x.Op == OpZExt:
			return b.Num(w, 0)
		case lo == 0 && x.Op == OpZExt:
			return b.ZExt(x.Args[0], w)
		case lo == 0:
			return b.SExt(x.Args[0], w)
		}
	case OpIte:
		if x.Args[1].Op == OpNum || x.Args[2].Op == OpNum {
			return b.Ite(x.Args[0], b.Extract(x.Args[1], hi, lo), b.Extract(x.Args[2], hi, lo))
		}
	case OpAdd, OpMul, OpBAnd, OpBOr, OpBXor: // the low bits depend on the low bits alone
		if lo == 0 || x.Op != OpAdd && x.Op != OpMul {
			return b.low(x, hi, lo)
		}
	}
	return b.mk(OpExtract, w, uint64(hi)<<16|uint64(lo), x)
}

func (b *Builder) low(x *Term, hi, lo int) *Term {
	p, q := b.Extract(x.Args[0], hi, lo), b.Extract(x.Args[1], hi, lo)
	switch x.Op {
	case OpAdd:
		return b.Add(p, q)
	case OpMul:
		return b.Mul(p, q)
	case OpBAnd:
		return b.BAnd(p, q)
	case OpBOr:
		return b.BOr(p, q)
	}
	return b.BXor(p, q)
}

// ZExt extends with zeros to width w (or returns x where it has it).
func (b *Builder) ZExt(x *Term, w int) *Term { return b.extend(OpZExt, x, w) }

// SExt extends with the sign to width w.
func (b *Builder) SExt(x *Term, w int) *Term { return b.extend(OpSExt, x, w) }

func (b *Builder) extend(op Op, x *Term, w int) *Term {
	switch {
	case w == x.Width:
		return x
	case x.Op == OpNum && w <= 64 && op == OpZExt:
		return b.Num(w, x.Val)
	case x.Op == OpNum && w <= 64:
		return b.Num(w, uint64(signed(x.Val, x.Width)))
	case x.Op == op:
		return b.extend(op, x.Args[0], w)
	case x.Op == OpZExt: // its sign is 0
		return b.extend(OpZExt, x.Args[0], w)
	case x.Op == OpIte && x.Args[1].Op == OpNum && x.Args[2].Op == OpNum:
		return b.Ite(x.Args[0], b.extend(op, x.Args[1], w), b.extend(op, x.Args[2], w))
	}
	return b.mk(op, w, 0, x)
}

// ULt is unsigned x < y.
func (b *Builder) ULt(x, y *Term) *Term {
	return b.compare(OpULt, x, y, func(x, y uint64) bool { return x < y })
}

// ULe is unsigned x ≤ y.
func (b *Builder) ULe(x, y *Term) *Term {
	return b.compare(OpULe, x, y, func(x, y uint64) bool { return x <= y })
}

// SLt is signed x < y.
func (b *Builder) SLt(x, y *Term) *Term {
	w := x.Width
	return b.compare(OpSLt, x, y, func(x, y uint64) bool { return signed(x, w) < signed(y, w) })
}

// SLe is signed x ≤ y.
func (b *Builder) SLe(x, y *Term) *Term {
	w := x.Width
	return b.compare(OpSLe, x, y, func(x, y uint64) bool { return signed(x, w) <= signed(y, w) })
}

func (b *Builder) compare(op Op, x, y *Term, f func(x, y uint64) bool) *Term {
	switch {
	case x == y:
		return b.Bool(op == OpULe || op == OpSLe)
	case x.Op == OpNum && y.Op == OpNum:
		return b.Bool(f(x.Val, y.Val))
	}
	again := func(x, y *Term) *Term { return b.compare(op, x, y, f) }
	if y.Op == OpNum && x.Op == OpIte && leafNums(x, 12) {
		return b.Ite(x.Args[0], again(x.Args[1], y), again(x.Args[2], y))
	}
	if x.Op == OpNum && y.Op == OpIte && leafNums(y, 12) {
		return b.Ite(y.Args[0], again(x, y.Args[1]), again(x, y.Args[2]))
	}
	if t := b.compareNum(op, x, y); t != nil {
		return t
	}
	return b.mk(op, 0, 0, x, y)
}

// Extract0 is the w bits of x from bit lo on.
func (b *Builder) Extract0(x *Term, lo, w int) *Term { return b.Extract(x, lo+w-1, lo) }
