package bmc

import (
	"errors"
	"slices"

	"whoop/internal/live"
	"whoop/ir"
	"whoop/smt/bv"
)

// searcher is the state of a search. Bugs are looked for with the least number of
// preemptions: low is the query that is asked bound after bound. Whether another one
// remains is asked of the others: all, about all executions at once (nil where that is
// too large), and top, about those within the bound that the user gave. After each bug
// that is found these are asked again, so that the bounds in between, each of which costs
// a proof, are gone through only where there is something to find.
//
// Which of the two encodings is the better one is not known before: where proofs leave
// little to interleave all executions are excluded faster than a few rounds, and with
// many racing accesses it is the other way round. So they compete: while a question about
// rounds is not decided, the one about all executions gets its share.
type searcher struct {
	c        *checker
	low, top *growing
	all      *query
	// asked is how many bugs had been found when all answered that there is another one;
	// -1: it never did.
	asked int
	// glance is what is spent on all before anything else is asked, share how many halves
	// of the work of the rounds after that.
	glance, share uint64
	// rounds and whole are the work of low and top, and of all.
	rounds, whole uint64
	// within is what was found out of the executions within the bound, before others were
	// asked about.
	within *reach
}

// reach says where the executions of a search end that could go on, whether some get to a
// bound of iterations, and whether the rounds are enough.
type reach struct {
	ends             ends
	unrolled, rounds bool
}

// growing is a query to which rounds are added. capped: it has as many as it may have.
type growing struct {
	*query
	capped bool
}

// search goes through the bounds: without preemptions first; then, where there is no bug
// with as many as are asked for, that is the end of it, and otherwise with one more at a
// time, so that each bug is found with the least number.
func (c *checker) search() error {
	s := &searcher{c: c, asked: -1, share: 1}
	defer s.close()
	err := s.run()
	switch {
	case errors.Is(err, errSettled):
		return nil
	case err != nil && c.ctx.Err() != nil && c.res.CSB >= c.opt.CSB:
		c.bounded(s.within)
		return nil
	}
	return err
}

// bounded is the result where the time is up after the bound that was asked for was
// decided: what is beyond it is left, and what is known of where executions end is that
// of within (nil: nothing).
func (c *checker) bounded(within *reach) {
	if within != nil {
		c.ends, c.res.Unrolled, c.res.AllRounds, c.res.Exhaustive = &within.ends, within.unrolled, within.rounds, false
		return
	}
	c.ends.open, c.res.Unrolled = true, false
	if all := c.u.undefined(); len(all) > 0 && len(c.ends.invalid) == 0 {
		c.undecided(all[0])
	}
}

// undefined are the places of what may be undefined behaviour.
func (u *unrolling) undefined() []ir.Pos {
	var out []ir.Pos
	for _, i := range u.invalid {
		out = append(out, i.at)
	}
	for _, t := range u.threads {
		for _, p := range t.pos {
			if p.invalid != nil {
				out = append(out, p.at)
			}
		}
	}
	return out
}

func (s *searcher) run() error {
	c := s.c
	if !c.opt.LalRepsOnly {
		c.u.ranges = rangesOf(c.u)
		if done, err := s.atOnce(); done || err != nil {
			return err
		}
	}
	last, done, err := s.bounded()
	if done || err != nil {
		return err
	}
	c.res.CSB, c.res.Rounds, c.res.AllRounds = c.opt.CSB, last.e.k, !last.capped
	top := last.bounds[c.opt.CSB]
	if err := last.limited(top); err != nil {
		return err
	}
	s.within = &reach{*c.ends, c.res.Unrolled, c.res.AllRounds}
	known := s.all != nil && s.asked == len(c.found) // there is a bug with more preemptions
	// whether these are all executions matters only where no iterations are left out
	if c.opt.FirstBug && !c.nothing() && !known {
		return nil
	}
	if !c.opt.LalRepsOnly && c.opt.Rounds == 0 { // who bounds the rounds asks about these
		if done, err := s.beyond(); done || err != nil {
			return err
		}
	}
	all, err := s.everything(last)
	if err != nil {
		return err
	}
	if all {
		return last.limited(nil)
	}
	*c.ends, c.res.Unrolled = s.within.ends, s.within.unrolled
	return nil
}

// bounded finds the bugs within the bound. It returns the query in which everything
// within it has been asked, or done, where all executions have been.
func (s *searcher) bounded() (last *growing, done bool, err error) {
	c := s.c
	if c.opt.FirstBug && c.opt.CSB > 0 { // any will do
		if s.top, err = s.growing(2); err != nil {
			return nil, false, err
		}
		return s.inBound()
	}
	if s.low, err = s.growing(2); err != nil {
		return nil, false, err
	}
	if err := s.bound(0); err != nil || c.opt.CSB == 0 {
		return s.low, false, err
	}
	return s.preemptions()
}

// inBound finds out whether there is a bug within the bound, and finds it.
func (s *searcher) inBound() (last *growing, done bool, err error) {
	found, err := s.any()
	if err == nil && found {
		err = s.top.bugs(beyondCSB, s.top.bounds[s.c.opt.CSB])
	}
	return s.top, false, err
}

// limited is limits where that takes few conflicts; what it does not decide is left open,
// as in checker.limited.
func (q *query) limited(bound *bv.Term) error {
	before := q.effort
	defer func() { q.effort = before }()
	q.limit, q.rival, q.until = fewConflicts, nil, *q.spent+fullLook
	// there is no proof, whatever else
	if err := unlimited(q.iterations(bound)); err != nil || q.c.opt.FirstBug && !q.c.nothing() {
		return err
	}
	err := q.invalid(bound)
	if errors.Is(err, bv.ErrLimit) {
		q.c.undecided(q.e.undefined()[0].at)
		return nil
	}
	return err
}

// preemptions finds the bugs with preemptions; see bounded.
func (s *searcher) preemptions() (last *growing, done bool, err error) {
	c := s.c
	if s.top, err = s.growing(s.low.e.k); err != nil {
		return nil, false, err
	}
	for csb := 1; csb <= c.opt.CSB; {
		if done, err := s.contend(); done || err != nil {
			return nil, done, err
		}
		found, err := s.any()
		if err != nil || !found {
			return s.top, false, err
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

// atOnce asks about all executions at once, where that is wanted or cheap: as they are,
// where little work decides, and else without what no thread does by itself.
func (s *searcher) atOnce() (done bool, err error) {
	c := s.c
	ask := c.opt.Rounds == 0 && !c.opt.Unbounded
	tiny := ask && c.res.Stats.Yields <= tinyYields
	if !tiny {
		if done, err = c.proved(); done || err != nil {
			return done, err
		}
	}
	few := c.res.Stats.Yields+c.res.Stats.Threads <= fewBlocks
	if few {
		s.share = 4
	}
	if ask {
		if done, err = s.renew(smallTriples, glance); done || err != nil {
			return done, err
		}
	}
	if tiny && s.all == nil {
		if done, err = c.proved(); done || err != nil {
			return done, err
		}
	}
	if err = c.prune(); err != nil {
		return false, err
	}
	switch {
	case c.opt.Unbounded:
		return c.unbounded()
	case !ask || s.asked >= 0: // the rounds find the bug
		return false, nil
	case few || s.all != nil:
		return s.renew(fewTriples, glance)
	}
	return s.renew(fewTriples, 0)
}

// tinyYields are the points of switching up to which one question about all executions
// costs less than those about each thread.
const tinyYields = 12

// All executions are asked about before anything else is where there are at most
// smallTriples triples (see orders), and, when the threads were pruned, where there are
// at most fewBlocks stretches of threads without others in between.
const fewBlocks, smallTriples = 48, 40_000

// renew makes the query about all executions, if it has at most so many triples, and asks
// it with so much work.
func (s *searcher) renew(triples int, work uint64) (done bool, err error) {
	if s.all != nil {
		s.all.close()
	}
	s.asked, s.whole, s.glance = -1, 0, work
	if s.all, err = s.c.newOrdered(triples); err != nil || s.all == nil {
		return false, err
	}
	s.all.spent = &s.whole
	return s.contend()
}

// fewConflicts bounds questions that are additions to what was asked.
const fewConflicts = 15_000

// beyondCSB stands for the number of preemptions of a bug that has more than were asked
// for.
const beyondCSB = -1

// contend lets the question about all executions have half as much work as those about
// rounds have had, twice as much where there are few points of switching, and a glance
// where it is small. It is done where there is no bug, or no other one, at all: then
// nothing is to be counted.
func (s *searcher) contend() (done bool, err error) { return s.none(s.rounds*s.share/2 + s.glance) }

// none reports whether there is no bug (or no other one) at all, where so much work, with
// what was done before, tells.
func (s *searcher) none(until uint64) (bool, error) {
	c := s.c
	if s.all == nil || s.asked == len(c.found) || s.whole >= until {
		return false, nil
	}
	live.On(c.ctx).Detail("any number of preemptions")
	s.all.until = until
	some, err := s.all.possible(s.all.any(), nil)
	if err == nil && some { // which one, the rounds find out
		s.asked = len(c.found)
	}
	if err != nil || some {
		return false, unlimited(err)
	}
	c.res.CSB, c.res.AllRounds, c.res.Exhaustive = c.opt.CSB, true, true
	return true, s.all.limited(nil)
}

// beyond looks for bugs with more switches than were asked for, where that costs little.
func (s *searcher) beyond() (done bool, err error) {
	c := s.c
	if s.all == nil {
		return false, nil
	}
	if done, err = s.none(s.rounds + fullLook); done || err != nil || s.asked != len(c.found) {
		return done, err
	}
	s.all.until = s.whole + glance
	n := len(c.res.Bugs)
	if err = s.all.bugs(beyondCSB, nil); err == nil {
		if err = s.all.limits(nil); err == nil {
			if c.res.Exhaustive = len(c.res.Bugs) == n; c.res.Exhaustive {
				c.res.AllRounds = true
			}
			return true, nil
		}
	}
	return false, unlimited(err)
}

// unbounded looks for bugs in all executions at once; it is not done where that is too
// much.
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
func (s *searcher) growing(rounds int) (*growing, error) {
	q, err := s.c.newQuery(rounds)
	if err != nil {
		return nil, err
	}
	q.spent = &s.rounds
	if s.all != nil {
		q.rival = s.contend
	}
	return &growing{query: q}, nil
}

// grow adds rounds, with which there are most at most, where executions within a bound
// (nil: all) need one more.
func (g *growing) grow(bound *bv.Term, most, rounds int) (grown bool, err error) {
	more, err := g.possible(g.full, bound)
	if err != nil || !more {
		return false, err
	}
	if g.e.k >= most {
		g.capped = true
		return false, nil
	}
	next, err := g.c.newQuery(min(g.e.k+rounds, most))
	if err != nil {
		return false, err
	}
	next.effort = g.effort
	g.close()
	g.query = next
	return true, nil
}

// growAll adds rounds until executions within a bound need no more.
func (g *growing) growAll(bound *bv.Term, most int) error {
	for !g.capped {
		if grown, err := g.grow(bound, most, 1); err != nil || !grown {
			return err
		}
	}
	return nil
}

// usualRounds are those that executions with a few preemptions hardly ever need less
// than.
const usualRounds = 4

// bound finds the bugs within a bound.
func (s *searcher) bound(csb int) error {
	g := s.low
	live.On(s.c.ctx).Detail(preemptions(csb))
	for {
		if err := g.bugs(csb, g.bounds[csb]); err != nil {
			return err
		}
		few := g.e.k
		if err := g.growAll(g.bounds[csb], s.c.maxRounds()); err != nil {
			return err
		}
		if g.e.k == few {
			break
		}
	}
	s.c.res.CSB, s.c.res.Rounds = csb, g.e.k
	return nil
}

// any reports whether there is another bug within the bound, in few rounds or in as many
// as there may be.
func (s *searcher) any() (bool, error) {
	g, csb := s.top, s.c.opt.CSB
	live.On(s.c.ctx).Detail(preemptions(csb))
	if found, err := g.possible(g.any(), g.bounds[csb]); found || err != nil {
		return found, err
	}
	most := s.c.maxRounds()
	grown, err := g.grow(g.bounds[csb], most, max(min(csb+1, usualRounds)-g.e.k, 1))
	if err == nil && grown {
		err = g.growAll(g.bounds[csb], most)
	}
	if err != nil || !grown {
		return false, err
	}
	return g.possible(g.any(), g.bounds[csb])
}

// Programs with at most fewYields points at which threads may be switched are searched up
// to exhaustRounds rounds for a proof that these are all executions, whatever the bound.
const fewYields, exhaustRounds = 24, 12

// everything looks, where the rounds cover all executions, for bugs with more switches;
// true where all executions are covered. It takes not much more work than what was asked
// has taken.
func (s *searcher) everything(g *growing) (bool, error) {
	if g.capped {
		return false, nil
	}
	most := g.e.k
	if s.c.res.Stats.Yields <= fewYields {
		most = max(most, exhaustRounds)
	}
	g.until = 2*s.rounds + fullLook
	if err := g.growAll(nil, most); err != nil || g.capped {
		return false, unlimited(err)
	}
	n := len(s.c.res.Bugs)
	if err := g.bugs(beyondCSB, nil); err != nil {
		return false, unlimited(err)
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
		if err := q.shown(csb, bound); err != nil {
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

// another finds a model of a bug that was not found before: one that depends on no more
// than *level where there is one, which is raised where there is none any longer.
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

// shown reports the bugs that the model's execution shows: the first one, and those
// beside it that can be replayed, too.
func (q *query) shown(csb int, bound *bv.Term) error {
	x, err := q.e.extract(q.s, q.turns)
	if err != nil {
		return err
	}
	var guessed *region
	if q.e.u.main && q.level > onNothing {
		if guessed, err = q.regionOf(x); err != nil {
			return err
		}
	}
	first, before := true, len(q.c.res.Bugs)
	var goals []goal
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
			goals = append(goals, g)
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
	if guessed != nil && len(guessed.vars) > 0 {
		q.surely(before, goals, guessed, bound)
	}
	return q.nearby(x, csb)
}
