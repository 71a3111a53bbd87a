package smt

import (
	"fmt"
	"math/big"
	"slices"
)

// Sort is the sort of a term.
type Sort uint8

// Sorts: Bool, and Int for unbounded integers.
const (
	Bool Sort = iota
	Int
)

// Op is a term's operator.
type Op uint8

// Operators. Var is an uninterpreted constant, App an uninterpreted function of integers
// to an integer.
const (
	OpVar Op = iota
	OpTrue
	OpFalse
	OpNum
	OpNot
	OpAnd
	OpOr
	OpIte
	OpEq
	OpLt
	OpLe
	OpAdd
	OpMul // by a constant: Args[0] is a Num
	OpDiv // by a positive constant, rounding towards minus infinity
	OpApp
)

// Term is an immutable, hash-consed term. Compare terms by pointer.
type Term struct {
	Name string   // OpVar, OpApp
	Val  *big.Int // OpNum
	Args []*Term
	next *Term // another one with the same hash
	id   int32
	Op   Op
	Sort Sort
}

// ID is unique among the terms of one Builder, and greater than its arguments' IDs.
func (t *Term) ID() int { return int(t.id) }

// Builder makes terms. It is not safe for concurrent use: one each worker.
type Builder struct {
	table       map[uint64]*Term // by hash, those of one hash in a list
	terms       int32            // so many there are
	fresh       int
	True, False *Term
}

// NewBuilder returns an empty builder.
func NewBuilder() *Builder {
	b := &Builder{table: map[uint64]*Term{}}
	b.True = b.mk(Term{Op: OpTrue, Sort: Bool})
	b.False = b.mk(Term{Op: OpFalse, Sort: Bool})
	return b
}

func (b *Builder) mk(t Term) *Term {
	h := t.hash()
	for old := b.table[h]; old != nil; old = old.next {
		if old.same(&t) {
			return old
		}
	}
	n := new(Term)
	*n = t
	n.id, n.next = b.terms, b.table[h]
	b.table[h] = n
	b.terms++
	return n
}

// same reports whether two terms of one builder are alike; their arguments are the same
// terms if they are alike.
func (t *Term) same(u *Term) bool {
	if t.Op != u.Op || t.Sort != u.Sort || t.Name != u.Name || !slices.Equal(t.Args, u.Args) {
		return false
	}
	return t.Val == u.Val || t.Val != nil && u.Val != nil && t.Val.Cmp(u.Val) == 0
}

// hash is FNV-1a over words, of what same compares.
func (t *Term) hash() uint64 {
	const prime = 1099511628211
	h := uint64(14695981039346656037)
	add := func(x uint64) {
		h = (h ^ x) * prime
		h ^= h >> 32
	}
	add(uint64(t.Op)<<8 | uint64(t.Sort))
	for i := range len(t.Name) {
		add(uint64(t.Name[i]))
	}
	if t.Val != nil {
		add(uint64(t.Val.Sign() + 1))
		for _, w := range t.Val.Bits() {
			add(uint64(w))
		}
	}
	for _, a := range t.Args {
		add(uint64(a.id))
	}
	return h
}

// Var returns the constant of that name and sort.
func (b *Builder) Var(name string, s Sort) *Term { return b.mk(Term{Op: OpVar, Sort: s, Name: name}) }

// Fresh returns a constant that no other term uses; prefix is kept in its name for
// readers.
func (b *Builder) Fresh(prefix string, s Sort) *Term {
	b.fresh++
	return b.Var(fmt.Sprintf("%s!%d", prefix, b.fresh), s)
}

// Num returns an integer literal.
func (b *Builder) Num(v int64) *Term { return b.Big(big.NewInt(v)) }

// Big returns an integer literal.
func (b *Builder) Big(v *big.Int) *Term { return b.mk(Term{Op: OpNum, Sort: Int, Val: v}) }

// BoolVal returns True or False.
func (b *Builder) BoolVal(v bool) *Term {
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
	return b.mk(Term{Op: OpNot, Sort: Bool, Args: []*Term{x}})
}

// And is the conjunction; True when empty.
func (b *Builder) And(xs ...*Term) *Term { return b.nary(OpAnd, b.True, b.False, xs) }

// Or is the disjunction; False when empty.
func (b *Builder) Or(xs ...*Term) *Term { return b.nary(OpOr, b.False, b.True, xs) }

// args are arguments of a conjunction or disjunction, each once.
type args struct {
	list []*Term
	// in are those in the list, not those of which the negation is; nil for few.
	in, not map[*Term]bool
}

// fewArgs is how many arguments are looked for one by one.
const fewArgs = 8

func (a *args) has(p *Term) bool {
	if a.in != nil {
		return a.in[p]
	}
	return slices.Contains(a.list, p)
}

// denies reports whether the negation of a term is there.
func (a *args) denies(p *Term) bool {
	switch {
	case p.Op == OpNot:
		return a.has(p.Args[0])
	case a.in != nil:
		return a.not[p]
	}
	return slices.ContainsFunc(a.list, func(q *Term) bool { return q.Op == OpNot && q.Args[0] == p })
}

func (a *args) add(p *Term) {
	if a.list = append(a.list, p); len(a.list) <= fewArgs {
		return
	}
	from := a.list[len(a.list)-1:]
	if a.in == nil {
		a.in, a.not, from = map[*Term]bool{}, map[*Term]bool{}, a.list
	}
	for _, q := range from {
		if a.in[q] = true; q.Op == OpNot {
			a.not[q.Args[0]] = true
		}
	}
}

func (b *Builder) nary(op Op, unit, zero *Term, xs []*Term) *Term {
	var out args
	add := func(p *Term) bool {
		switch {
		case p == zero || out.denies(p):
			return false
		case p != unit && !out.has(p):
			out.add(p)
		}
		return true
	}
	for _, x := range xs {
		parts := []*Term{x}
		if x.Op == op {
			parts = x.Args
		}
		if slices.ContainsFunc(parts, func(p *Term) bool { return !add(p) }) {
			return zero
		}
	}
	switch len(out.list) {
	case 0:
		return unit
	case 1:
		return out.list[0]
	}
	return b.mk(Term{Op: op, Sort: Bool, Args: slices.Clone(out.list)})
}

// Implies is x ⇒ y.
func (b *Builder) Implies(x, y *Term) *Term { return b.Or(b.Not(x), y) }

// Ite is if c then x else y.
func (b *Builder) Ite(c, x, y *Term) *Term {
	switch {
	case c == b.True || x == y:
		return x
	case c == b.False:
		return y
	case x == b.True && y == b.False:
		return c
	case x == b.False && y == b.True:
		return b.Not(c)
	}
	return b.mk(Term{Op: OpIte, Sort: x.Sort, Args: []*Term{c, x, y}})
}

// Eq is equality of two terms of one sort.
func (b *Builder) Eq(x, y *Term) *Term {
	switch {
	case x == y:
		return b.True
	case x.Op == OpNum && y.Op == OpNum:
		return b.BoolVal(x.Val.Cmp(y.Val) == 0)
	case x == b.True:
		return y
	case y == b.True:
		return x
	case x == b.False:
		return b.Not(y)
	case y == b.False:
		return b.Not(x)
	}
	if x.id > y.id {
		x, y = y, x
	}
	return b.mk(Term{Op: OpEq, Sort: Bool, Args: []*Term{x, y}})
}

// Lt is x < y.
func (b *Builder) Lt(x, y *Term) *Term { return b.compare(OpLt, x, y, -1) }

// Le is x ≤ y.
func (b *Builder) Le(x, y *Term) *Term { return b.compare(OpLe, x, y, 0) }

func (b *Builder) compare(op Op, x, y *Term, most int) *Term {
	if x.Op == OpNum && y.Op == OpNum {
		return b.BoolVal(x.Val.Cmp(y.Val) <= most)
	}
	if x == y {
		return b.BoolVal(op == OpLe)
	}
	return b.mk(Term{Op: op, Sort: Bool, Args: []*Term{x, y}})
}

// Add is x + y, with constants gathered.
func (b *Builder) Add(x, y *Term) *Term {
	if x.Op == OpNum && y.Op == OpNum {
		return b.Big(new(big.Int).Add(x.Val, y.Val))
	}
	if x.Op == OpNum {
		x, y = y, x
	}
	if y.Op == OpNum {
		if y.Val.Sign() == 0 {
			return x
		}
		if x.Op == OpAdd && x.Args[1].Op == OpNum {
			return b.Add(x.Args[0], b.Add(x.Args[1], y))
		}
	}
	return b.mk(Term{Op: OpAdd, Sort: Int, Args: []*Term{x, y}})
}

// Sub is x - y.
func (b *Builder) Sub(x, y *Term) *Term {
	if x == y {
		return b.Num(0)
	}
	return b.Add(x, b.Mul(big.NewInt(-1), y))
}

// Mul is k·x.
func (b *Builder) Mul(k *big.Int, x *Term) *Term {
	switch {
	case x.Op == OpNum:
		return b.Big(new(big.Int).Mul(k, x.Val))
	case k.Sign() == 0:
		return b.Num(0)
	case k.IsInt64() && k.Int64() == 1:
		return x
	}
	return b.mk(Term{Op: OpMul, Sort: Int, Args: []*Term{b.Big(k), x}})
}

// Div is ⌊x/k⌋ for k > 0.
func (b *Builder) Div(x *Term, k *big.Int) *Term {
	if x.Op == OpNum {
		q := new(big.Int)
		return b.Big(q.Div(x.Val, k)) // Euclidean: the floor for positive k
	}
	return b.mk(Term{Op: OpDiv, Sort: Int, Args: []*Term{x, b.Big(k)}})
}

// App applies the uninterpreted integer function of that name.
func (b *Builder) App(name string, args ...*Term) *Term {
	return b.mk(Term{Op: OpApp, Sort: Int, Name: name, Args: args})
}
