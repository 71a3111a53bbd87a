package bmc

import (
	"slices"

	"whoop/smt/bv"
)

// shortRun is the number of neighbouring literals from which on one comparison is better
// than an equation for each.
const shortRun = 4

// anyOf is the disjunction of conditions such as t = 3, t = 4, t = 5, …, of which those
// with neighbouring literals become two comparisons: that an index is one of an array's
// elements is hard for a solver to see from a thousand equations.
func anyOf(b *bv.Builder, conds []*bv.Term) *bv.Term {
	var terms, out []*bv.Term
	nums := map[*bv.Term][]uint64{}
	for _, c := range conds {
		t, n, ok := equation(c)
		if !ok {
			out = append(out, c)
			continue
		}
		if nums[t] == nil {
			terms = append(terms, t)
		}
		nums[t] = append(nums[t], n)
	}
	for _, t := range terms {
		ns := nums[t]
		slices.Sort(ns)
		ns = slices.Compact(ns)
		for i := 0; i < len(ns); {
			j := i + 1
			for j < len(ns) && ns[j] == ns[j-1]+1 {
				j++
			}
			out = append(out, run(b, t, ns[i:j])...)
			i = j
		}
	}
	return b.Or(out...)
}

// run is that t is one of neighbouring literals.
func run(b *bv.Builder, t *bv.Term, ns []uint64) []*bv.Term {
	if len(ns) >= shortRun {
		first := b.Num(t.Width, ns[0])
		return []*bv.Term{b.ULe(b.Sub(t, first), b.Num(t.Width, ns[len(ns)-1]-ns[0]))}
	}
	var out []*bv.Term
	for _, n := range ns {
		out = append(out, b.Eq(t, b.Num(t.Width, n)))
	}
	return out
}

// equation takes t = n apart.
func equation(c *bv.Term) (t *bv.Term, n uint64, ok bool) {
	if c.Op != bv.OpEq || c.Args[0].Width > 64 {
		return nil, 0, false
	}
	n, ok = c.Args[1].IsNum()
	return c.Args[0], n, ok
}
