package bmc

import (
	"errors"
	"slices"

	"whoop/ir"
	"whoop/smt/bv"
)

// ends is what is known of where executions end that could go on.
type ends struct {
	// reached are places that an execution gets to and that are no bounds; invalid are
	// places of undefined behaviour.
	reached map[limit]bool
	invalid []Limit
	// open: whether executions get to other places than these is not known; understood:
	// to no function that is not understood.
	open, understood bool
}

// fewPlaces bounds the questions after further places.
const fewPlaces = 6

// places are the reasons why an unrolling does not cover everything within its bounds.
func (e *ends) places(u *unrolling) []Limit {
	out := append([]Limit(nil), e.invalid...)
	for _, l := range u.sortedLimits() {
		switch text := l.text; {
		case l.bound():
		case l.ends && !e.reached[l] && (!e.open || l.kind == "unknown" && e.understood):
		default:
			if l.ends && !e.reached[l] {
				text += " (whether an execution gets there was not decided)"
			}
			out = append(out, Limit{l.kind, l.at, text})
		}
	}
	return out
}

// nothing reports whether no execution gets to a bound, or to what is not followed.
func (c *checker) nothing() bool { return c.res.Unrolled && !c.ends.open && len(c.ends.reached) == 0 }

// limits finds out whether an execution gets to a bound of the unrolling.
func (q *query) limits(bound *bv.Term) error {
	if err := q.iterations(bound); err != nil {
		return err
	}
	return q.invalid(bound)
}

// iterations finds out whether the unrolling is complete, and which places executions get
// to that are not followed.
func (q *query) iterations(bound *bv.Term) error {
	c := q.c
	c.res.Unrolled, c.ends.open, c.ends.understood, c.ends.reached = false, true, false, map[limit]bool{}
	left, all := q.e.incomplete(), true
	for range fewPlaces {
		yes, err := q.possible(anyEnding(q.e.b, left), bound)
		if err != nil {
			return err
		}
		if !yes {
			c.res.Unrolled, c.ends.open = all, false
			return nil
		}
		hit := map[limit]bool{}
		for _, x := range left {
			if v, err := q.s.Value(x.cond); err != nil {
				return err
			} else if v == 1 {
				hit[*x.at] = true
				if x.at.bound() {
					all = false
				} else {
					c.ends.reached[*x.at] = true
				}
			}
		}
		left = slices.DeleteFunc(left, func(x ending) bool { return hit[*x.at] || !all && x.at.bound() })
		if !slices.ContainsFunc(left, func(x ending) bool { return x.at.kind == "unknown" }) {
			c.ends.understood = true
		}
	}
	c.res.Unrolled = all && !slices.ContainsFunc(left, func(x ending) bool { return x.at.bound() })
	return nil
}

func anyEnding(b *bv.Builder, of []ending) *bv.Term {
	out := make([]*bv.Term, len(of))
	for i, x := range of {
		out[i] = x.cond
	}
	return b.Or(out...)
}

// Why executions are not followed that are undefined, or may be.
const (
	tornText    = "another thread accesses what is copied or filled here, of which it may see half: copies are one step"
	invalidText = "an access outside of its object or to freed memory, a division by zero, a call of no function or misuse of a lock: executions are followed up to there"
	perhapsText = "whether an access outside of its object or to freed memory, a division by zero, a call of no function or misuse of a lock can happen, here or elsewhere, " +
		"was not decided: executions are followed up to there"
)

// invalid finds out whether an execution has undefined behaviour, and where: then there
// is no saying what it does.
func (q *query) invalid(bound *bv.Term) error {
	c := q.c
	c.ends.invalid = nil
	all := q.e.undefined()
	for range fewPlaces {
		conds := make([]*bv.Term, len(all))
		for i, u := range all {
			conds[i] = u.cond
		}
		yes, err := q.possible(q.e.b.Or(conds...), bound)
		if err != nil && errors.Is(err, bv.ErrLimit) && len(c.ends.invalid) > 0 {
			return nil
		}
		if err != nil || !yes {
			return err
		}
		hit := map[ir.Pos]bool{}
		for _, u := range all {
			v, err := q.s.Value(u.cond)
			if err != nil {
				return err
			}
			if v != 1 || hit[u.at] {
				continue
			}
			hit[u.at] = true
			text := invalidText
			if u.torn {
				text = tornText
			}
			c.ends.invalid = append(c.ends.invalid, Limit{"undefined", u.at, text})
		}
		if len(hit) == 0 {
			return nil
		}
		all = slices.DeleteFunc(all, func(u invalidity) bool { return hit[u.at] })
	}
	return nil
}

// undecided says that executions may be undefined, for all that is known.
func (c *checker) undecided(at ir.Pos) {
	c.ends.invalid = append(c.ends.invalid, Limit{"undefined", at, perhapsText})
}
