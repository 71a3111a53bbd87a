package bv

import "fmt"

// Op is a term's operator.
type Op uint8

// Operators. Num is a literal of at most 64 bits; wider ones are concatenations.
const (
	OpVar Op = iota
	OpTrue
	OpFalse
	OpNum
	OpNot // Bool
	OpAnd
	OpOr
	OpIte
	OpEq
	OpAdd
	OpMul
	OpUDiv
	OpURem
	OpSDiv
	OpSRem
	OpBAnd
	OpBOr
	OpBXor
	OpBNot
	OpNeg
	OpShl
	OpLShr
	OpAShr
	OpConcat  // the first argument is the upper part
	OpExtract // bits Val>>16 down to Val&0xffff
	OpZExt
	OpSExt
	OpULt
	OpULe
	OpSLt
	OpSLe
)

// Term is an immutable, hash-consed term; compare terms by pointer.
type Term struct {
	Op    Op
	Width int    // in bits; 0: Bool
	Val   uint64 // of OpNum; the bits of OpExtract
	Args  []*Term
	Name  string // of OpVar
	id    int
	next  *Term // in its bucket
}

// ID is unique in a Builder, and greater than its arguments' IDs.
func (t *Term) ID() int { return t.id }

// IsNum reports whether the term is a literal, and its value.
func (t *Term) IsNum() (uint64, bool) { return t.Val, t.Op == OpNum }

// Builder makes terms; it is used by one goroutine at a time.
type Builder struct {
	table       map[uint64]*Term
	n           int
	fresh       int
	vars        map[string]*Term
	True, False *Term
}

// NewBuilder returns an empty builder.
func NewBuilder() *Builder {
	b := &Builder{table: map[uint64]*Term{}, vars: map[string]*Term{}}
	b.True = b.mk(OpTrue, 0, 0)
	b.False = b.mk(OpFalse, 0, 0)
	return b
}

// Len is how many terms there are.
func (b *Builder) Len() int { return b.n }

func (b *Builder) mk(op Op, width int, val uint64, args ...*Term) *Term {
	h := uint64(op)*0x9e3779b97f4a7c15 ^ uint64(width)<<32 ^ val*0xff51afd7ed558ccd
	for _, a := range args {
		h = (h ^ uint64(a.id)) * 0x100000001b3
		h ^= h >> 29
	}
next:
	for t := b.table[h]; t != nil; t = t.next {
		if t.Op != op || t.Width != width || t.Val != val || len(t.Args) != len(args) {
			continue
		}
		for i := range args {
			if t.Args[i] != args[i] {
				continue next
			}
		}
		return t
	}
	t := &Term{Op: op, Width: width, Val: val, id: b.n, next: b.table[h]}
	if len(args) > 0 {
		t.Args = append([]*Term(nil), args...)
	}
	b.n++
	b.table[h] = t
	return t
}

// Var returns the variable of that name; width 0 is a Bool.
func (b *Builder) Var(name string, width int) *Term {
	if t := b.vars[name]; t != nil {
		if t.Width != width {
			panic(fmt.Sprintf("bv: variable %s has two widths", name))
		}
		return t
	}
	t := &Term{Op: OpVar, Width: width, Name: name, id: b.n}
	b.n++
	b.vars[name] = t
	return t
}

// Fresh returns a variable that no other term uses; prefix is kept in its name for
// readers.
func (b *Builder) Fresh(prefix string, width int) *Term {
	b.fresh++
	return b.Var(fmt.Sprintf("%s!%d", prefix, b.fresh), width)
}

// Bool returns True or False.
func (b *Builder) Bool(v bool) *Term {
	if v {
		return b.True
	}
	return b.False
}

// Not negates.
func (b *Builder) Not(x *Term) *Term {
	switch x.Op {
	case OpTrue:
		return b.False
	case OpFalse:
		return b.True
	case OpNot:
		return x.Args[0]
	}
	return b.mk(OpNot, 0, 0, x)
}

// And is the conjunction.
func (b *Builder) And(xs ...*Term) *Term { return b.nary(OpAnd, b.True, b.False, xs) }

// Or is the disjunction.
func (b *Builder) Or(xs ...*Term) *Term {
	if len(xs) == 2 {
		if t := b.factor(xs[0], xs[1]); t != nil {
			return t
		}
	}
	return b.nary(OpOr, b.False, b.True, xs)
}

// Implies is x ⇒ y.
func (b *Builder) Implies(x, y *Term) *Term {
	if y.Op == OpAnd && len(y.Args) == 0 {
		return b.True
	}
	return b.nary(OpOr, b.False, b.True, []*Term{b.Not(x), y})
}

func (b *Builder) nary(op Op, unit, zero *Term, xs []*Term) *Term {
	var out []*Term
	for _, x := range xs {
		if x.Op == op {
			out = append(out, x.Args...)
		} else if x != unit {
			out = append(out, x)
		}
	}
	if len(out) > 1 {
		var clash bool
		if out, clash = distinct(out, zero); clash {
			return zero
		}
	}
	switch len(out) {
	case 0:
		return unit
	case 1:
		return out[0]
	}
	return b.mk(op, 0, 0, out...)
}

// fewTerms are looked through one by one, which is faster than a map.
const fewTerms = 8

// distinct leaves out what occurs twice; clash: zero is among xs, or a term and its
// negation.
func distinct(xs []*Term, zero *Term) (out []*Term, clash bool) {
	out = xs[:0]
	if len(xs) <= fewTerms {
	next:
		for _, p := range xs {
			if p == zero {
				return nil, true
			}
			for _, q := range out {
				if p == q {
					continue next
				}
				if p.negates(q) {
					return nil, true
				}
			}
			out = append(out, p)
		}
		return out, false
	}
	seen := make(map[*Term]bool, len(xs)) // whether it, or its negation, was seen
	for _, p := range xs {
		x, positive := p, true
		if p.Op == OpNot {
			x, positive = p.Args[0], false
		}
		was, ok := seen[x]
		if p == zero || ok && was != positive {
			return nil, true
		}
		if !ok {
			seen[x] = positive
			out = append(out, p)
		}
	}
	return out, false
}

// negates reports whether one of two terms is the other's negation.
func (t *Term) negates(u *Term) bool {
	return t.Op == OpNot && t.Args[0] == u || u.Op == OpNot && u.Args[0] == t
}

// conjuncts are the parts of a conjunction.
func conjuncts(x *Term) []*Term {
	if x.Op == OpAnd {
		return x.Args
	}
	return []*Term{x}
}

// factor simplifies g∧r ∨ g∧s, the guard where two branches meet: g where r = ¬s, g where
// one side is g alone. It returns nil where it sees nothing of the kind.
func (b *Builder) factor(x, y *Term) *Term {
	if x == y || x == b.True || y == b.False {
		return x
	}
	if y == b.True || x == b.False {
		return y
	}
	cx, cy := conjuncts(x), conjuncts(y)
	if len(cx) == 1 && len(cy) == 1 {
		return nil
	}
	inY := make(map[*Term]bool, len(cy))
	for _, c := range cy {
		inY[c] = true
	}
	var common, rx []*Term
	for _, c := range cx {
		if inY[c] {
			common = append(common, c)
			delete(inY, c)
		} else {
			rx = append(rx, c)
		}
	}
	if len(common) == 0 {
		return nil
	}
	var ry []*Term
	for _, c := range cy {
		if inY[c] {
			ry = append(ry, c)
		}
	}
	if len(rx) == 0 || len(ry) == 0 {
		return b.And(common...)
	}
	return b.And(append(common, b.Or(b.And(rx...), b.And(ry...)))...)
}

// Ite is if c then x else y.
func (b *Builder) Ite(c, x, y *Term) *Term {
	switch {
	case c == b.True || x == y:
		return x
	case c == b.False:
		return y
	case c.Op == OpNot:
		return b.Ite(c.Args[0], y, x)
	}
	if x.Width == 0 {
		switch {
		case x == b.True:
			return b.Or(c, y)
		case x == b.False:
			return b.And(b.Not(c), y)
		case y == b.True:
			return b.Or(b.Not(c), x)
		case y == b.False:
			return b.And(c, x)
		}
	}
	if x.Op == OpIte && x.Args[0] == c {
		x = x.Args[1]
	}
	if y.Op == OpIte && y.Args[0] == c {
		y = y.Args[2]
	}
	if y.Op == OpIte && y.Args[1] == x { // c?x:(d?x:z)
		return b.Ite(b.Or(c, y.Args[0]), x, y.Args[2])
	}
	if x == y {
		return x
	}
	return b.mk(OpIte, x.Width, 0, c, x, y)
}

// Eq is equality of two terms of one width.
func (b *Builder) Eq(x, y *Term) *Term {
	if x.Width != y.Width {
		panic(fmt.Sprintf("bv: = of widths %d and %d", x.Width, y.Width))
	}
	if x == y {
		return b.True
	}
	if x.Width == 0 {
		switch {
		case x == b.True:
			return y
		case y == b.True:
			return x
		case x == b.False:
			return b.Not(y)
		case y == b.False:
			return b.Not(x)
		case x == b.Not(y):
			return b.False
		}
	}
	if x.Op == OpNum && y.Op == OpNum {
		return b.False
	}
	if x.Op == OpNum {
		x, y = y, x
	}
	if y.Op == OpNum {
		if t := b.eqNum(x, y); t != nil {
			return t
		}
	} else if x.id > y.id {
		x, y = y, x
	}
	return b.mk(OpEq, 0, 0, x, y)
}

// eqNum simplifies x = constant; nil where it cannot.
func (b *Builder) eqNum(x, y *Term) *Term {
	switch x.Op {
	case OpIte:
		if leafNums(x, 12) {
			return b.Ite(x.Args[0], b.Eq(x.Args[1], y), b.Eq(x.Args[2], y))
		}
	case OpAdd:
		if n, ok := x.Args[1].IsNum(); ok {
			return b.Eq(x.Args[0], b.Num(y.Width, y.Val-n))
		}
	case OpZExt:
		w := x.Args[0].Width
		if w < 64 && y.Val>>w != 0 {
			return b.False
		}
		return b.Eq(x.Args[0], b.Num(w, y.Val))
	case OpSExt:
		w := x.Args[0].Width
		low := b.Num(w, y.Val)
		if b.SExt(low, y.Width) != y {
			return b.False
		}
		return b.Eq(x.Args[0], low)
	case OpMul:
		if c, ok := x.Args[1].IsNum(); ok && c != 0 && x.Width <= 64 {
			return b.eqMul(x.Args[0], c, y.Val)
		}
	case OpUDiv:
		if c, ok := x.Args[1].IsNum(); ok && c != 0 && x.Width <= 64 {
			return b.eqDiv(x.Args[0], c, y.Val)
		}
	case OpNeg:
		return b.Eq(x.Args[0], b.Neg(y))
	case OpBNot:
		return b.Eq(x.Args[0], b.BNot(y))
	case OpConcat:
		lo := x.Args[1]
		if x.Width <= 64 {
			return b.And(b.Eq(x.Args[0], b.Num(x.Args[0].Width, y.Val>>lo.Width)), b.Eq(lo, b.Num(lo.Width, y.Val)))
		}
	}
	return nil
}

// leafNums reports whether at least one leaf of a small tree of Ites is a literal on
// every level, so that comparing it with one shrinks it.
func leafNums(x *Term, depth int) bool {
	if x.Op == OpNum {
		return true
	}
	if x.Op != OpIte || depth == 0 {
		return false
	}
	a, c := x.Args[1], x.Args[2]
	if a.Op == OpNum {
		return c.Op == OpNum || c.Op != OpIte || leafNums(c, depth-1)
	}
	if c.Op == OpNum {
		return a.Op != OpIte || leafNums(a, depth-1)
	}
	return leafNums(a, depth-1) && leafNums(c, depth-1)
}
