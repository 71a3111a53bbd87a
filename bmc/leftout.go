package bmc

import (
	"errors"
	"maps"
	"slices"

	"whoop/smt/bv"
)

// withoutOthers looks for a model of the same bug, and of no other that is shown before
// it, in which as few entries as possible run before the roots of those that may be left
// out: what a reader of the execution need not think of. The solver has a model of the
// bug when it ends.
func (q *query) withoutOthers(bound *bv.Term) error {
	u := q.e.u
	if len(u.skips) == 0 {
		return nil
	}
	var same *bv.Term
	for _, g := range q.goals {
		if q.c.found[g.key()] {
			continue
		}
		if v, err := q.s.Value(g.cond); err != nil {
			return err
		} else if v == 1 {
			same = g.cond
			break
		}
	}
	if same == nil {
		return nil
	}
	if v, err := q.s.Value(q.e.clean()); err != nil {
		return err
	} else if v == 1 {
		same = q.e.b.And(same, q.e.clean())
	}
	ran := func() (out []int, err error) {
		for _, i := range slices.Sorted(maps.Keys(u.skips)) {
			v, err := q.s.Value(u.skips[i])
			if err != nil {
				return nil, err
			}
			if v == 0 {
				out = append(out, i)
			}
		}
		return out, nil
	}
	out := func(is ...int) *bv.Term {
		c := same
		for _, i := range is {
			c = q.e.b.And(c, q.e.b.Eq(u.skips[i], q.e.b.Num(1, 1)))
		}
		return c
	}
	left, err := ran()
	if err != nil || len(left) == 0 {
		return err
	}
	last := true // the solver's last answer was a model
	for _, i := range left {
		// another query has left it out, too
		if ran, err := ran(); last && (err != nil || !slices.Contains(ran, i)) {
			if err != nil {
				return err
			}
			same = out(i)
			continue
		}
		last, err = q.possible(out(i), bound)
		if err != nil && !errors.Is(err, bv.ErrLimit) {
			return err
		}
		if last = last && err == nil; last {
			same = out(i)
		}
	}
	if last {
		return nil
	}
	_, err = q.possible(same, bound)
	return err
}
