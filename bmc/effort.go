package bmc

import (
	"errors"

	"whoop/smt/bv"
)

// What a question may cost is counted in the solver's own units (bv.Solver.Work), which
// are the same on every machine; some ten million take a second.
const (
	// glance is what is spent on a question about all executions before anything else is
	// known.
	glance = 3_000_000
	// fullLook is what is spent on one that is an addition to what was asked, beside as
	// much as what was asked has taken.
	fullLook = 30_000_000
)

// effort is what a query may cost.
type effort struct {
	// limit bounds the conflicts of one question, 0: not at all.
	limit uint
	// spent counts the work of all questions, maybe of several queries; until is what it
	// may be at most, 0: anything. It is looked at now and then only.
	spent *uint64
	until uint64
	// rival is asked now and then while a question is not decided; where it knows the
	// answer to all that the search is about, the question ends with errSettled. nil:
	// there is none.
	rival func() (bool, error)
	// step is after how many conflicts it is looked next how much a question has taken:
	// each look costs a start of the solver.
	step uint
}

// errSettled ends a search that another query has decided.
var errSettled = errors.New("decided by another query")

// errRival ends a check that Options.Rival has decided.
var errRival = errors.New("decided without formulas")

// firstStep is after how many conflicts it is first looked how much a question has taken;
// then after twice as many, and so on.
const firstStep = 250

// check asks the solver whether the assumptions can hold, within what the query may cost.
func (q *query) check(as []*bv.Term) (bool, error) {
	most := q.limit
	if m := q.c.opt.MaxConflicts; m > 0 && (most == 0 || m < most) {
		most = m
	}
	for done := uint(0); ; {
		step := most
		if q.rival != nil || q.c.opt.Rival != nil || q.until > 0 {
			q.step = max(q.step, firstStep)
			if step = q.step; most > 0 {
				step = min(step, most-done)
			}
		}
		// an interrupt between two of the solver's runs ends neither
		if err := q.c.ctx.Err(); err != nil {
			return false, err
		}
		q.s.Limit(step)
		before := q.s.Work()
		sat, err := q.s.Check(as...)
		work := q.s.Work() - before
		*q.spent, q.c.work = *q.spent+work, q.c.work+work
		if !errors.Is(err, bv.ErrLimit) {
			return sat, err
		}
		q.step *= 2
		if done += step; most > 0 && done >= most || q.until > 0 && *q.spent >= q.until {
			return false, err
		}
		if rival := q.c.opt.Rival; rival != nil && rival(q.c.work) {
			return false, errRival
		}
		if q.rival != nil {
			settled, err := q.rival()
			if err != nil {
				return false, err
			}
			if settled {
				return false, errSettled
			}
		}
	}
}
