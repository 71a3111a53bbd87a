package reduction

import (
	"cmp"
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"

	"whoop/smt/bv"
)

// maxDegree and maxMonomials bound polynomials; what is larger is an atom.
const (
	maxDegree    = 3
	maxMonomials = 60
)

// poly is a polynomial modulo 2^width: by monomials, which are products of atoms in the
// order of their numbers.
type poly map[string]monomial

type monomial struct {
	coef  uint64
	atoms []*bv.Term
}

func (p poly) add(q poly, f uint64, w int) {
	for k, m := range q {
		n := p[k]
		n.atoms = m.atoms
		n.coef = (n.coef + f*m.coef) & (^uint64(0) >> (64 - w))
		if n.coef == 0 {
			delete(p, k)
		} else {
			p[k] = n
		}
	}
}

func single1(atoms []*bv.Term, coef uint64) poly {
	var key []byte
	for _, a := range atoms {
		key = binary.AppendUvarint(key, uint64(a.ID()))
	}
	return poly{string(key): {coef, atoms}}
}

// times is the product; nil where it is too large.
func (p poly) times(q poly, w int) poly {
	out := poly{}
	for _, x := range p {
		for _, y := range q {
			atoms := slices.Concat(x.atoms, y.atoms)
			if len(atoms) > maxDegree {
				return nil
			}
			slices.SortFunc(atoms, func(a, b *bv.Term) int { return cmp.Compare(a.ID(), b.ID()) })
			out.add(single1(atoms, x.coef*y.coef), 1, w)
			if len(out) > maxMonomials {
				return nil
			}
		}
	}
	return out
}

// polys are the polynomials of terms.
type polys map[*bv.Term]poly

// of is a term as a polynomial. It is not to be changed.
func (ps polys) of(t *bv.Term) poly {
	if p, ok := ps[t]; ok {
		return p
	}
	w := t.Width
	var p poly
	switch t.Op {
	case bv.OpNum:
		p = poly{}
		p.add(single1(nil, t.Val), 1, w)
	case bv.OpAdd:
		p = maps.Clone(ps.of(t.Args[0]))
		p.add(ps.of(t.Args[1]), 1, w)
	case bv.OpNeg:
		p = poly{}
		p.add(ps.of(t.Args[0]), ^uint64(0), w)
	case bv.OpMul:
		p = ps.of(t.Args[0]).times(ps.of(t.Args[1]), w)
	case bv.OpShl:
		if n, ok := t.Args[1].IsNum(); ok && n < uint64(w) {
			p = poly{}
			p.add(ps.of(t.Args[0]), 1<<n, w)
		}
	}
	if p == nil || len(p) > maxMonomials {
		p = single1([]*bv.Term{t}, 1)
	}
	ps[t] = p
	return p
}

// zero is a term that says that a polynomial is 0: what has a negative coefficient is on
// the other side, so that numbers are small.
func (p poly) zero(b *bv.Builder, w int) *bv.Term {
	if len(p) == 0 {
		return b.True
	}
	left, right := b.Num(w, 0), b.Num(w, 0)
	for _, k := range slices.Sorted(maps.Keys(p)) {
		m := p[k]
		x := b.Num(w, 1)
		for _, a := range m.atoms {
			x = b.Mul(x, a)
		}
		if neg := -m.coef & (^uint64(0) >> (64 - w)); bits.Len64(neg) < bits.Len64(m.coef) {
			right = b.Add(right, b.Mul(b.Num(w, neg), x))
		} else {
			left = b.Add(left, b.Mul(b.Num(w, m.coef), x))
		}
	}
	return b.Eq(left, right)
}

// maxSplits bounds the conditions that are told apart for one equation.
const maxSplits = 5

// vanishes reports whether a polynomial is 0 in all cases of the conditions of its atoms.
func (ps polys) vanishes(b *bv.Builder, p poly, w, splits int) bool {
	if len(p) == 0 {
		return true
	}
	c := p.condition()
	if c == nil || splits == 0 {
		return false
	}
	for _, v := range []*bv.Term{b.True, b.False} {
		q := poly{}
		for _, m := range p {
			x := single1(nil, m.coef)
			for _, a := range m.atoms {
				if x = x.times(ps.of(b.Substitute(a, map[*bv.Term]*bv.Term{c: v})), w); x == nil {
					return false
				}
			}
			q.add(x, 1, w)
		}
		if !ps.vanishes(b, q, w, splits-1) {
			return false
		}
	}
	return true
}

// condition is that of the first choice among the atoms, nil where there is none.
func (p poly) condition() (c *bv.Term) {
	for _, m := range p {
		for _, a := range m.atoms {
			if a.Op == bv.OpIte && (c == nil || a.Args[0].ID() < c.ID()) {
				c = a.Args[0]
			}
		}
	}
	return c
}

// sum is a term for a polynomial, the same for equal ones.
func (p poly) sum(b *bv.Builder, w int) *bv.Term {
	out, num := b.Num(w, 0), b.Num(w, 0)
	for _, k := range slices.Sorted(maps.Keys(p)) {
		m := p[k]
		if len(m.atoms) == 0 {
			num = b.Num(w, m.coef)
			continue
		}
		x := m.atoms[0]
		for _, a := range m.atoms[1:] {
			x = b.Mul(x, a)
		}
		if neg := -m.coef & (^uint64(0) >> (64 - w)); bits.Len64(neg) < bits.Len64(m.coef) {
			out = b.Add(out, b.Neg(b.Mul(b.Num(w, neg), x)))
		} else {
			out = b.Add(out, b.Mul(b.Num(w, m.coef), x))
		}
	}
	return b.Add(out, num)
}

// canonical writes sums and products in a term as polynomials, so that equal ones are the
// same.
func (ps polys) canonical(b *bv.Builder, t *bv.Term, memo map[*bv.Term]*bv.Term) *bv.Term {
	if v := memo[t]; v != nil {
		return v
	}
	v := t
	by := map[*bv.Term]*bv.Term{}
	for _, a := range t.Args {
		if c := ps.canonical(b, a, memo); c != a {
			by[a] = c
		}
	}
	if len(by) > 0 {
		v = b.Substitute(t, by)
	}
	switch v.Op {
	case bv.OpAdd, bv.OpNeg, bv.OpMul, bv.OpShl:
		v = ps.of(v).sum(b, v.Width)
	}
	memo[t] = v
	return v
}
