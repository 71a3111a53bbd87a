package reduction

import (
	"math/bits"
	"slices"

	"whoop/smt/bv"
)

// An invariant is what holds at a cut, as far as is known: nothing has come there at
// first.
type invariant struct {
	node    *node
	slots   []slot
	reached bool
	spaces  []*space
	preds   []pred
	version int
	out     []*path
}

// A space is an affine space of the slots of one width.
type space struct {
	slots []int
	affine
	top bool // nothing is known
	eqs [][]uint64
}

// A fact is a part of what is believed: an equation of a space, or a comparison.
type fact struct {
	term  *bv.Term
	space *space
	eq    []uint64
	pred  pred
}

// facts are what is believed, of the slots' values; same puts terms for variables that
// are equal to them.
func (b *invariant) facts(ps polys, m *bv.Builder, same func(*bv.Term) *bv.Term, v func(int) *bv.Term) (out []fact) {
	for _, s := range b.spaces {
		if s.top {
			continue
		}
		for _, e := range s.eqs {
			sum := poly{}
			sum.add(single1(nil, 1), e[0], s.width)
			for i, c := range e[1:] {
				if c != 0 {
					sum.add(ps.of(v(s.slots[i])), c, s.width)
				}
			}
			t := sum.zero(m, s.width)
			if same != nil && t != m.True {
				again := poly{}
				again.add(single1(nil, 1), e[0], s.width)
				for i, c := range e[1:] {
					if c != 0 {
						again.add(ps.of(same(v(s.slots[i]))), c, s.width)
					}
				}
				if ps.vanishes(m, again, s.width, maxSplits) {
					t = m.True
				}
			}
			out = append(out, fact{term: t, space: s, eq: e})
		}
	}
	for _, p := range b.preds {
		out = append(out, fact{term: p.term(m, b.slots, v), pred: p})
	}
	return out
}

// join takes a state in.
func (b *invariant) join(values []uint64) {
	b.version++
	b.reached = true
	for _, s := range b.spaces {
		if s.top {
			continue
		}
		point := make([]uint64, len(s.slots))
		for i, k := range s.slots {
			point[i] = values[k]
		}
		s.add(point)
		s.eqs = s.equations(len(s.slots))
		for i, x := range s.eqs {
			s.eqs[i] = lightest(x, s.width)
		}
		slices.SortStableFunc(s.eqs, func(x, y []uint64) int { return weight(x, s.width) - weight(y, s.width) })
	}
	b.preds = slices.DeleteFunc(b.preds, func(p pred) bool { return !p.holds(b.slots, values) })
}

// lightest is an equation times an odd number, which says the same.
func lightest(e []uint64, w int) []uint64 {
	best := e
	for _, f := range []uint64{3, 5, 7, 9, 11, 13, 15} {
		y := make([]uint64, len(e))
		for i, c := range e {
			y[i] = c * f & (^uint64(0) >> (64 - w))
		}
		if weight(y, w) < weight(best, w) {
			best = y
		}
	}
	return best
}

// weight is how large an equation's numbers are.
func weight(e []uint64, w int) (n int) {
	for _, c := range e {
		n += min(bits.Len64(c), bits.Len64(-c&(^uint64(0)>>(64-w))))
	}
	return n
}
