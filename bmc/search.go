package bmc

import (
	"errors"
	"slices"

	"whoop/smt/bv"
)

// searcher is the state of a search. Bugs are looked for with the least number of preemptions: low is the query that is asked bound after bound. Whether
// another one remains is asked of the others: all, about all executions at once (nil where that takes too long), and top, about those within the bound that the user
// gave. After each bug that is found these are asked again, so that the bounds in between, each of which costs a proof, are gone through only where there is something to find.
type searcher struct {
	c        *checker
	low, top *growing
	all      *query
	// asked is how many bugs had been found when all was asked.
	asked int
}

// growing is a query to which rounds are added. capped: it has as many as it may have.
type growing struct {
	*query
	capped bool
}

// search goes through the bounds: without preemptions first; then, where there is no bug with as many as are asked for, that is
// the end of it, and otherwise with one more at a time, so that each bug is found with the least number.
func (c *checker) search() error {
	s := &searcher{c: c}
	defer s.close()
	if !c.opt.RoundsOnly {
		c.u.ranges = rangesOf(c.u)
		if done, err := s.atOnce(); done || err != nil {
			return err
		}
	}
	var err error
	if s.low, err = c.growing(2); err != nil {
		return err
	}
	if err := s.bound(0); err != nil {
		return err
	}
	last := s.low
	if c.opt.CSB > 0 {
		done := false
		if last, done, err = s.preemptions(); done || err != nil {
			return err
		}
	}
	c.res.CSB, c.res.Rounds, c.res.AllRounds = c.opt.CSB, last.e.k, !last.capped
	if !c.opt.RoundsOnly && c.opt.Rounds == 0 { // who bounds the rounds asks about these
		if done, err := s.beyond(); done || err != nil {
			return err
		}
	}
	all, err := s.everything(last)
	if err != nil {
		return err
	}
	top := last.bounds[c.opt.CSB]
	if all {
		top = nil
	}
	return last.limited(top)
}

// limited is limits where that takes few conflicts; what it does not decide is left open, as in checker.limited.
func (q *query) limited(bound *bv.Term) error {
	q.s.Limit(fewConflicts)
	defer q.s.Limit(0)
	if err := unlimited(q.iterations(bound)); err != nil {
		return err
	}
	err := q.invalid(bound)
	if errors.Is(err, bv.ErrLimit) {
		q.c.undecided(q.e.undefined()[0].at)
		return nil
	}
	return err
}

// preemptions finds the bugs with preemptions. It returns the query in which everything within the bound has been asked, or done, where all executions have been.
func (s *searcher) preemptions() (last *growing, done bool, err error) {
	c := s.c
	if s.top, err = c.growing(s.low.e.k); err != nil {
		return nil, false, err
	}
	for csb := 1; csb <= c.opt.CSB; {
		if done, err := s.none(fewConflicts); done || err != nil {
			return nil, done, err
		}
		found, err := s.any()
		if err != nil || !found {
			return s.top, false, err
		}
		if c.opt.FirstBug { // any will do, if it replays
			return s.top, false, s.top.bugs(beyondCSB, s.top.bounds[c.opt.CSB])
		}
		for before := len(c.found); csb <= c.opt.CSB && len(c.found) == before; csb++ {
			if err := s.bound(csb); err != nil {
				return nil, false, err
			}
		}
	}
	return s.low, false, nil
}

func (s *searcher) close() {
	for _, g := range []*growing{s.low, s.top} {
		if g != nil {
			g.close()
		}
	}
	if s.all != nil {
		s.all.close()
	}
}

// atOnce asks about all executions at once, where that is wanted or cheap: as they are, where few conflicts decide, and else without what no thread does by itself.
func (s *searcher) atOnce() (done bool, err error) {
	c := s.c
	ask := c.opt.Rounds == 0 && !c.opt.Unbounded
	tiny := ask && c.res.Stats.Yields <= tinyYields
	if !tiny {
		if done, err = c.proved(); done || err != nil {
			return done, err
		}
	}
	if ask {
		if done, err = s.renew(fewConflicts / 10); done || err != nil {
			return done, err
		}
	}
	if tiny && s.all == nil {
		if done, err = c.proved(); done || err != nil {
			return done, err
		}
	}
	decided := s.all != nil
	if err = c.prune(); err != nil {
		return false, err
	}
	switch {
	case c.opt.Unbounded:
		return c.unbounded()
	case ask && !decided:
		return s.renew(fewConflicts)
	}
	return false, nil
}

// tinyYields are the points of switching up to which one question about all executions costs less than those about each thread.
const tinyYields = 12

// renew makes the query about all executions and asks it.
func (s *searcher) renew(conflicts uint) (done bool, err error) {
	s.asked = -1
	if s.all, err = s.c.newOrdered(fewTriples); err != nil || s.all == nil {
		return false, err
	}
	return s.none(conflicts)
}

// fewConflicts bounds each query about all executions that is an addition to what was asked.
const fewConflicts = 15_000

// beyondCSB stands for the number of preemptions of a bug that has more than were asked for.
const beyondCSB = -1

// none reports whether there is no bug (or no other one) at all, where asking that takes few conflicts: then nothing is to be counted.
func (s *searcher) none(conflicts uint) (bool, error) {
	c := s.c
	if s.all == nil || s.asked == len(c.found) {
		return false, nil
	}
	s.asked = len(c.found)
	s.all.s.Limit(conflicts)
	some, err := s.all.possible(s.all.any(), nil)
	if err == nil && !some {
		if err = s.all.limits(nil); err == nil {
			c.res.CSB, c.res.AllRounds, c.res.Exhaustive = c.opt.CSB, true, true
			return true, nil
		}
	}
	if errors.Is(err, bv.ErrLimit) {
		s.all.close()
		s.all, err = nil, nil
	}
	return false, err
}

// beyond looks for bugs with more switches than were asked for, where that costs little.
func (s *searcher) beyond() (done bool, err error) {
	c := s.c
	if s.all == nil {
		if s.all, err = c.newOrdered(fewTriples); err != nil || s.all == nil {
			return false, err
		}
	}
	s.all.s.Limit(fewConflicts / 10)
	n := len(c.res.Bugs)
	if err = s.all.bugs(beyondCSB, nil); err == nil {
		if err = s.all.limits(nil); err == nil {
			if c.res.Exhaustive = len(c.res.Bugs) == n; c.res.Exhaustive {
				c.res.AllRounds = true
			}
			return true, nil
		}
	}
	if errors.Is(err, bv.ErrLimit) {
		err = nil
	}
	return false, err
}

// unbounded looks for bugs in all executions at once; it is not done where that is too much.
func (c *checker) unbounded() (done bool, err error) {
	q, err := c.newOrdered(maxTriples)
	if q == nil || err != nil {
		return false, err
	}
	defer q.close()
	if err := q.bugs(beyondCSB, nil); err != nil {
		return true, err
	}
	c.res.CSB, c.res.AllRounds, c.res.Exhaustive = c.opt.CSB, true, true
	return true, q.limits(nil)
}

// growing encodes so many rounds, to which more may be added.
func (c *checker) growing(rounds int) (*growing, error) {
	q, err := c.newQuery(rounds)
	if err != nil {
		return nil, err
	}
	return &growing{query: q}, nil
}

// grow adds a round where executions within a bound (nil: all) need one more.
func (g *growing) grow(bound *bv.Term, most int) (grown bool, err error) {
	more, err := g.possible(g.full, bound)
	if err != nil || !more {
		return false, err
	}
	if g.e.k >= most {
		g.capped = true
		return false, nil
	}
	next, err := g.c.newQuery(g.e.k + 1)
	if err != nil {
		return false, err
	}
	g.close()
	g.query = next
	return true, nil
}

// bound finds the bugs within a bound.
func (s *searcher) bound(csb int) error {
	g := s.low
	for {
		if err := g.bugs(csb, g.bounds[csb]); err != nil {
			return err
		}
		if g.capped {
			break
		}
		grown, err := g.grow(g.bounds[csb], s.c.maxRounds())
		if err != nil {
			return err
		}
		if !grown {
			break
		}
	}
	s.c.res.CSB, s.c.res.Rounds = csb, g.e.k
	return nil
}

// any reports whether there is another bug within the bound, in few rounds or in as many as there may be.
func (s *searcher) any() (bool, error) {
	g, csb := s.top, s.c.opt.CSB
	if found, err := g.possible(g.any(), g.bounds[csb]); found || err != nil {
		return found, err
	}
	few := g.e.k
	for !g.capped {
		grown, err := g.grow(g.bounds[csb], s.c.maxRounds())
		if err != nil {
			return false, err
		}
		if !grown {
			break
		}
	}
	if g.e.k == few {
		return false, nil
	}
	return g.possible(g.any(), g.bounds[csb])
}

// Programs with at most fewYields points at which threads may be switched are searched up to exhaustRounds rounds for a proof
// that these are all executions, whatever the bound.
const fewYields, exhaustRounds = 24, 12

// everything looks, where the rounds cover all executions, for bugs with more switches; true where all executions are covered.
func (s *searcher) everything(g *growing) (bool, error) {
	if g.capped {
		return false, nil
	}
	most := g.e.k
	if s.c.res.Stats.Yields <= fewYields {
		most = max(most, exhaustRounds)
	}
	for {
		grown, err := g.grow(nil, most)
		if err != nil {
			return false, err
		}
		if !grown {
			break
		}
	}
	if g.capped {
		return false, nil
	}
	n := len(s.c.res.Bugs)
	if err := g.bugs(beyondCSB, nil); err != nil {
		return false, err
	}
	s.c.res.Exhaustive = len(s.c.res.Bugs) == n
	return true, nil
}

// bugs finds one bug after the other within a bound.
func (q *query) bugs(csb int, bound *bv.Term) error {
	level := onNothing
	if q.e.clean() == q.e.b.True && !slices.ContainsFunc(q.goals, func(g goal) bool { return !g.sure() }) {
		level = onAll
	}
	for first := true; ; first = false {
		sat, err := q.another(bound, first, &level)
		if err != nil || !sat {
			return err
		}
		if err := q.withoutOthers(bound); err != nil {
			return err
		}
		if err := q.shown(csb); err != nil {
			return err
		}
	}
}

// How much a bug that is looked for may depend on what code not seen does.
const (
	onNothing = iota // on no value that it yields, and no access that it makes perhaps
	onValues         // on values
	onAll
)

// another finds a model of a bug that was not found before: one that depends on no more than *level where there is one, which is raised where there is none any longer.
func (q *query) another(bound *bv.Term, first bool, level *int) (bool, error) {
	least := onAll
	if q.c.opt.Clean {
		least = onNothing
	}
	if first || *level >= least {
		q.level = least
		if sat, err := q.possible(q.remaining(least), bound); err != nil || !sat || *level >= least {
			return sat, err
		}
	}
	for ; *level < least; *level++ { // that it takes too long is no reason to lose the bug
		q.level = *level
		if sat, err := q.possible(q.remaining(*level), bound); err == nil && sat {
			return true, nil
		}
	}
	q.level = least
	return q.possible(q.remaining(least), bound)
}

// shown reports the bugs that the model's execution shows: the first one, and those beside it that can be replayed, too.
func (q *query) shown(csb int) error {
	x, err := q.e.extract(q.s, q.turns)
	if err != nil {
		return err
	}
	first := true
	for _, g := range q.goals {
		if q.c.found[g.key()] || q.level < onAll && !g.sure() {
			continue
		}
		if v, err := q.s.Value(g.cond); err != nil {
			return err
		} else if v != 1 {
			continue
		}
		bug, r, err := q.replay(x, g, csb)
		if end := q.c.ctx.Err(); err != nil && end != nil { // the model's values may be missing
			return end
		}
		if err == nil {
			q.c.res.Bugs = append(q.c.res.Bugs, *bug)
			q.c.found[g.key()] = true
		} else if first {
			q.c.found[g.key()] = true
			q.unconfirmed(x, g, r, err)
		}
		first = false
		if q.c.opt.FirstBug && len(q.c.res.Bugs) > 0 {
			return errEnough
		}
	}
	return q.nearby(x, csb)
}
