package bmc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"whoop/ir"
	"whoop/ir/interp"
	"whoop/smt/bv"
)

// Bug is something bad that an execution does, replayed in the interpreter.
type Bug struct {
	Kind, Tag, Msg string
	// At is where; Other is the second access of a race.
	At, Other ir.Pos
	Instr     ir.Instr
	OtherIn   ir.Instr
	// Func and OtherFunc are the functions of At and Other.
	Func, OtherFunc string
	// Threads are those at At and Other, by the interpreter's numbers; -1: none.
	Thread, OtherThread interp.ThreadID
	// CSB is the least number of preemptions at which it was found, -1: more than the bound, or not counted (Unbounded).
	CSB int
	// Schedule and Inputs replay it.
	Schedule []Step
	Inputs   []uint64
	// Idle are havocs and calls of code not seen whose values decide nothing: neither what happens nor whether it is a bug.
	Idle map[ir.Instr]bool
}

// Result is what a check found out.
type Result struct {
	Bugs []Bug
	// CSB is the greatest bound that was checked to the end, -1 for none; Rounds how many rounds that took. AllRounds: no
	// execution within the bound needs more. Exhaustive: none needs more preemptions either. Unrolled: no execution gets to a
	// bound of the unfolding.
	CSB, Rounds                     int
	AllRounds, Exhaustive, Unrolled bool
	// Spun: iterations of loops that change nothing were left out, which others may end or nobody.
	Spun bool
	// Limits are reasons why the unfolding does not cover everything.
	Limits []Limit
	// Unconfirmed are executions that the interpreter did not confirm: internal errors, and not bugs.
	Unconfirmed []string
	// Reason says why the check ended before its bounds, "" where it did not.
	Reason string
	// NoInit: that is the reason: no execution gets past the init entries.
	NoInit bool
	Stats  Stats
}

// Limit is a reason why not everything is covered.
type Limit struct {
	Kind string
	At   ir.Pos
	Text string
}

// Stats counts work.
type Stats struct {
	Threads, Instructions, Positions, Yields, Cells, Shared, Passes int
	// AllYields are the points at which threads might be switched if nothing were left out, MRYields those that remain where as
	// much is as Options.Reduced says (-1: it says nothing), both in the unfolding that was searched; Yields is one of them.
	AllYields, MRYields   int
	Terms, Queries, Goals int
	Unfold, Encode, Solve time.Duration
}

// NoBug reports whether the result is that there is no bug at all.
func (r *Result) NoBug() bool {
	return len(r.Bugs) == 0 && r.Reason == "" && r.AllRounds && r.Exhaustive && r.Unrolled && len(r.Limits) == 0 && len(r.Unconfirmed) == 0
}

// checker runs the queries.
type checker struct {
	ctx    context.Context
	p      *ir.Program
	h      Harness
	opt    Options
	solver func() (bv.Solver, error)
	m      *interp.Program
	res    *Result
	u      *unfolding
	found  map[string]bool
	// invalid is a place of undefined behaviour that an execution gets to.
	invalid *Limit
	// unready are places where executions that seemed to be bugs use locks that were never initialised.
	unready []Limit
	// understood: no execution gets to a function that is not understood.
	understood bool
}

// Check looks for bugs within the bounds. It ends early, with what it knows, when ctx is cancelled.
func Check(ctx context.Context, p *ir.Program, h Harness, opt Options, solver func() (bv.Solver, error)) (*Result, error) {
	opt = opt.withDefaults()
	c := &checker{ctx: ctx, p: p, h: h, opt: opt, solver: solver, res: &Result{CSB: -1}, found: map[string]bool{}}
	if c.m = opt.Compiled; c.m == nil {
		var err error
		if c.m, err = interp.Compile(p, interp.Config{}); err != nil {
			return nil, err
		}
	}
	for i, o := range depths(opt) {
		c.opt = o
		if deeper := c.attempt(i > 0); !deeper {
			break
		}
	}
	return c.res, nil
}

// depths are the bounds of loops that are tried one after the other: bugs show in few iterations, and only where these are
// not all of them is more needed to say that there is none.
func depths(o Options) []Options {
	small, large := o, o
	small.MaxVisible, small.MaxSize, small.MaxSpawns = o.Unroll, min(o.MaxSize, 60_000), min(o.Unroll+1, o.MaxSpawns)
	if o.OneDepth || o.MaxVisible <= o.Unroll {
		return []Options{large}
	}
	return []Options{small, large}
}

// errEnough ends a search that wants one bug only.
var errEnough = errors.New("a bug was found")

// attempt unfolds and searches within c.opt; deeper tells whether a greater depth could say more. What an earlier attempt
// has found stays; where this one does not get to its end, the earlier one's result is the answer.
func (c *checker) attempt(again bool) (deeper bool) {
	before := *c.res
	c.invalid, c.understood = nil, false
	start := time.Now()
	u, err := unfold(c.ctx, c.p, c.h, &c.opt)
	if errors.Is(err, errTooLarge) && c.opt.MaxTurns > c.opt.MaxVisible {
		o := c.opt
		o.MaxTurns = max(o.MaxVisible, 10)
		c.opt = o
		u, err = unfold(c.ctx, c.p, c.h, &c.opt)
	}
	c.res.Stats.Unfold += time.Since(start)
	if err == nil {
		c.u = u
		c.res.Spun = u.spun
		c.count()
		c.res.CSB, c.res.AllRounds, c.res.Exhaustive, c.res.Unrolled = -1, false, false, false
		err = c.search()
	}
	if errors.Is(err, errEnough) {
		return false
	}
	if err != nil && again {
		bugs, bad, stats := c.res.Bugs, c.res.Unconfirmed, c.res.Stats
		*c.res = before
		c.res.Bugs, c.res.Unconfirmed, c.res.Stats = bugs, bad, stats
		return false
	}
	if err != nil {
		c.res.NoInit = errors.Is(err, errNoInit)
		c.res.Reason = err.Error()
		return false
	}
	c.res.Limits = nil
	if c.invalid != nil {
		c.res.Limits = append(c.res.Limits, *c.invalid)
	}
	c.res.Limits = append(c.res.Limits, c.unready...)
	for _, l := range u.sortedLimits() {
		if l.kind != "unroll" && l.kind != "recursion" && !(l.ends && c.res.Unrolled) && !(l.ends && l.kind == "unknown" && c.understood) {
			c.res.Limits = append(c.res.Limits, Limit{l.kind, l.at, l.text})
		}
	}
	return !c.res.Unrolled || slices.ContainsFunc(c.res.Limits, func(l Limit) bool { return l.Kind == "threads" })
}

func (c *checker) count() {
	s := &c.res.Stats
	s.Threads, s.Instructions, s.Positions, s.Yields, s.Shared = len(c.u.threads), c.u.size, 0, 0, 0
	s.AllYields, s.MRYields = 0, 0
	for _, t := range c.u.threads {
		s.Positions += len(t.pos)
		s.AllYields += t.omitted
		for _, p := range t.pos {
			if p.cut {
				s.Yields++
			}
			if p.cut || p.spare {
				s.AllYields++
			}
			if p.cut && !p.spare {
				s.MRYields++
			}
		}
	}
	if c.opt.Reduced == nil {
		s.MRYields = -1
	}
	s.Cells = len(c.u.w.cells)
	for _, cl := range c.u.w.cells {
		if cl.conc {
			s.Shared++
		}
	}
}

// search goes through the bounds: without preemptions first; then, where there is no bug with as many as are asked for, that is
// the end of it, and otherwise with one more at a time, so that each bug is found with the least number.
func (c *checker) search() error {
	if !c.opt.RoundsOnly {
		c.u.ranges = rangesOf(c.u)
		if err := c.prune(); err != nil {
			return err
		}
		if done, err := c.atOnce(); done || err != nil {
			return err
		}
	}
	q, err := c.newQuery(2)
	if err != nil {
		return err
	}
	s := &searcher{c: c, q: q}
	defer func() { s.q.close() }()
	if err := s.bound(0); err != nil {
		return err
	}
	if c.opt.CSB > 0 {
		rounds := s.q.e.k
		found, err := s.any(c.opt.CSB)
		if err != nil {
			return err
		}
		if found && c.opt.FirstBug { // any will do, if it replays
			if err := s.q.bugs(beyondCSB, s.q.bounds[c.opt.CSB]); err != nil {
				return err
			}
			found = false
		}
		if found {
			if err := s.encode(rounds); err != nil {
				return err
			}
			s.capped = false
			for csb := 1; csb <= c.opt.CSB; csb++ {
				if err := s.bound(csb); err != nil {
					return err
				}
			}
		}
	}
	c.res.CSB, c.res.Rounds, c.res.AllRounds = c.opt.CSB, s.q.e.k, !s.capped
	if !c.opt.RoundsOnly && c.opt.Rounds == 0 { // who bounds the rounds asks about these
		if done, err := c.beyond(); done || err != nil {
			return err
		}
	}
	all, err := s.everything()
	if err != nil {
		return err
	}
	top := s.q.bounds[c.opt.CSB]
	if all {
		top = nil
	}
	return s.q.limits(top)
}

// atOnce asks about all executions at once, where that is wanted or cheap.
func (c *checker) atOnce() (done bool, err error) {
	if done, err = c.proved(); done || err != nil {
		return done, err
	}
	if c.opt.Unbounded {
		if done, err = c.unbounded(); done || err != nil {
			return done, err
		}
	}
	if c.opt.Rounds == 0 {
		return c.none(fewConflicts)
	}
	return false, nil
}

// fewConflicts bounds each query about all executions that is an addition to what was asked.
const fewConflicts = 15_000

// beyondCSB stands for the number of preemptions of a bug that has more than were asked for.
const beyondCSB = -1

// none reports whether there is no bug (or no other one) at all, where asking that takes few conflicts: then nothing is to be counted.
func (c *checker) none(conflicts uint) (bool, error) {
	q, err := c.newOrdered(fewTriples)
	if q == nil || err != nil {
		return false, err
	}
	defer q.close()
	q.s.Limit(conflicts)
	some, err := q.possible(q.remaining(), nil)
	if err == nil && !some {
		if err = q.limits(nil); err == nil {
			c.res.CSB, c.res.AllRounds, c.res.Exhaustive = c.opt.CSB, true, true
			return true, nil
		}
	}
	if errors.Is(err, bv.ErrLimit) {
		err = nil
	}
	return false, err
}

// beyond looks for bugs with more switches than were asked for, where that costs little.
func (c *checker) beyond() (done bool, err error) {
	q, err := c.newOrdered(fewTriples)
	if q == nil || err != nil {
		return false, err
	}
	defer q.close()
	q.s.Limit(fewConflicts / 10)
	n := len(c.res.Bugs)
	if err = q.bugs(beyondCSB, nil); err == nil {
		if err = q.limits(nil); err == nil {
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

// searcher is the state of a search: the query for some number of rounds.
type searcher struct {
	c      *checker
	q      *query
	capped bool // the rounds have reached their limit
}

func (s *searcher) encode(rounds int) error {
	if rounds == s.q.e.k {
		return nil
	}
	next, err := s.c.newQuery(rounds)
	if err != nil {
		return err
	}
	s.q.close()
	s.q = next
	return nil
}

// grow adds a round where executions within a bound (nil: all) need one more.
func (s *searcher) grow(bound func() *bv.Term, most int) (grown bool, err error) {
	more, err := s.q.possible(s.q.full, bound())
	if err != nil || !more {
		return false, err
	}
	if s.q.e.k >= most {
		s.capped = true
		return false, nil
	}
	return true, s.encode(s.q.e.k + 1)
}

// bound finds the bugs within a bound.
func (s *searcher) bound(csb int) error {
	for {
		if err := s.q.bugs(csb, s.q.bounds[csb]); err != nil {
			return err
		}
		if s.capped {
			break
		}
		grown, err := s.grow(func() *bv.Term { return s.q.bounds[csb] }, s.c.maxRounds())
		if err != nil {
			return err
		}
		if !grown {
			break
		}
	}
	s.c.res.CSB, s.c.res.Rounds = csb, s.q.e.k
	return nil
}

// any reports whether there is a bug within a bound, in few rounds or in as many as there may be.
func (s *searcher) any(csb int) (bool, error) {
	if found, err := s.q.possible(s.q.remaining(), s.q.bounds[csb]); found || err != nil {
		return found, err
	}
	for !s.capped {
		grown, err := s.grow(func() *bv.Term { return s.q.bounds[csb] }, s.c.maxRounds())
		if err != nil {
			return false, err
		}
		if !grown {
			break
		}
	}
	return s.q.possible(s.q.remaining(), s.q.bounds[csb])
}

// Programs with at most fewYields points at which threads may be switched are searched up to exhaustRounds rounds for a proof
// that these are all executions, whatever the bound.
const fewYields, exhaustRounds = 24, 12

// everything looks, where the rounds cover all executions, for bugs with more switches; true where all executions are covered.
func (s *searcher) everything() (bool, error) {
	if s.capped {
		return false, nil
	}
	none := func() *bv.Term { return nil }
	most := s.q.e.k
	if s.c.res.Stats.Yields <= fewYields {
		most = max(most, exhaustRounds)
	}
	for {
		grown, err := s.grow(none, most)
		if err != nil {
			return false, err
		}
		if !grown {
			break
		}
	}
	if s.capped {
		return false, nil
	}
	n := len(s.c.res.Bugs)
	if err := s.q.bugs(beyondCSB, nil); err != nil {
		return false, err
	}
	s.c.res.Exhaustive = len(s.c.res.Bugs) == n
	return true, nil
}

// newQuery encodes so many rounds for a solver of their own.
func (c *checker) newQuery(rounds int) (*query, error) {
	start := time.Now()
	e, err := encode(c.u, rounds)
	if err != nil {
		return nil, err
	}
	q := &query{c: c, e: e, turns: e.turns, goals: e.goals(), bounds: e.atMost(c.opt.CSB), full: e.full()}
	return q, q.open(start)
}

// newOrdered encodes all executions; nil where that would have more than so many triples.
func (c *checker) newOrdered(most int) (*query, error) {
	start := time.Now()
	e, err := orders(c.u, most)
	if e == nil || err != nil {
		return nil, err
	}
	q := &query{c: c, e: e.encoding, turns: e.turns, goals: e.goals()}
	return q, q.open(start)
}

// open starts the solver.
func (q *query) open(start time.Time) error {
	c := q.c
	c.res.Stats.Encode += time.Since(start)
	c.res.Stats.Goals = len(q.goals)
	c.res.Stats.Terms = max(c.res.Stats.Terms, q.e.b.Len())
	var err error
	if q.s, err = c.solver(); err != nil {
		return err
	}
	q.stop = context.AfterFunc(c.ctx, q.s.Interrupt)
	return nil
}

func (q *query) close() {
	q.stop()
	q.s.Close()
}

func (c *checker) maxRounds() int {
	if c.opt.Rounds > 0 {
		return c.opt.Rounds
	}
	return 2*c.opt.CSB + 4
}

// query is the state of a solver.
type query struct {
	c     *checker
	e     *encoding
	turns func(x *execution, holds func(*bv.Term) bool)
	s     bv.Solver
	goals []goal
	// bounds[i] makes it hold that at most i switches count; full is that all rounds are needed.
	bounds []*bv.Term
	full   *bv.Term
	stop   func() bool
	sent   int
	n      int
}

// send asserts what the encoding requires and the solver does not know yet.
func (q *query) send() error {
	for ; q.sent < len(q.e.hard); q.sent++ {
		if err := q.s.Assert(q.e.hard[q.sent]); err != nil {
			return err
		}
	}
	return nil
}

// possible asks whether t can hold within a bound (nil: without).
func (q *query) possible(t, bound *bv.Term) (bool, error) {
	if t == q.e.b.False {
		return false, nil
	}
	v := q.e.b.Var(fmt.Sprintf("q:%d", q.n), 0)
	q.n++
	q.e.require(q.e.b.Implies(v, t))
	if err := q.send(); err != nil {
		return false, err
	}
	if err := q.c.ctx.Err(); err != nil {
		return false, err
	}
	start := time.Now()
	as := []*bv.Term{v}
	if bound != nil {
		as = append(as, bound)
	}
	q.c.res.Stats.Queries++
	sat, err := q.s.Check(as...)
	q.c.res.Stats.Solve += time.Since(start)
	if err != nil && q.c.ctx.Err() != nil {
		err = q.c.ctx.Err()
	}
	return sat, err
}

// remaining is the condition of a bug that was not found before.
func (q *query) remaining() *bv.Term {
	var conds []*bv.Term
	for _, g := range q.goals {
		if !q.c.found[g.key()] {
			conds = append(conds, g.cond)
		}
	}
	some := q.e.b.Or(conds...)
	if q.c.opt.Clean {
		some = q.e.b.And(some, q.e.clean())
	}
	return some
}

// bugs finds one bug after the other within a bound.
func (q *query) bugs(csb int, bound *bv.Term) error {
	for {
		sat, err := q.possible(q.remaining(), bound)
		if err != nil || !sat {
			return err
		}
		if err := q.prefer(bound); err != nil {
			return err
		}
		for _, g := range q.goals {
			if q.c.found[g.key()] {
				continue
			}
			v, err := q.s.Value(g.cond)
			if err != nil {
				return err
			}
			if v == 1 {
				q.c.found[g.key()] = true
				if err := q.report(g, csb); err != nil {
					return err
				}
				if q.c.opt.FirstBug && len(q.c.res.Bugs) > 0 {
					return errEnough
				}
				break
			}
		}
	}
}

// limits finds out whether an execution gets to a bound of the unfolding.
func (q *query) limits(bound *bv.Term) error {
	if err := q.iterations(bound); err != nil {
		return err
	}
	return q.invalid(bound)
}

// iterations finds out whether the unrolling is complete.
func (q *query) iterations(bound *bv.Term) error {
	yes, err := q.possible(q.e.incomplete(""), bound)
	q.c.res.Unrolled = err == nil && !yes
	if err == nil && yes {
		yes, err = q.possible(q.e.incomplete("unknown"), bound)
	}
	q.c.understood = err == nil && !yes
	return err
}

// invalid finds out whether an execution has undefined behaviour: then there is no saying what it does.
func (q *query) invalid(bound *bv.Term) error {
	all := q.e.undefined()
	conds := make([]*bv.Term, len(all))
	for i, u := range all {
		conds[i] = u.cond
	}
	yes, err := q.possible(q.e.b.Or(conds...), bound)
	if err != nil || !yes {
		return err
	}
	for _, u := range all {
		v, err := q.s.Value(u.cond)
		if err != nil {
			return err
		}
		if v == 1 {
			q.c.invalid = &Limit{"undefined", u.at, "an access outside of its object or to freed memory, a division by zero, a call of no function or misuse of a lock: executions are followed up to there"}
			return nil
		}
	}
	return nil
}

// key tells goals apart: from one number of rounds to the next, and races by their places.
func (g *goal) key() string {
	k := g.kind + " " + g.tag
	if g.p == nil {
		k += " " + g.at.String()
	}
	if g.p != nil {
		k += fmt.Sprintf(" %s %p", g.p.at, g.p.in)
	}
	if g.q != nil {
		k += fmt.Sprintf(" %s %p", g.q.at, g.q.in)
	}
	return k
}
