package bmc

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"whoop/internal/live"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/smt/bv"
	"whoop/trace"
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
	// CSB is the least number of preemptions at which it was found, -1: more than the
	// bound, or not counted (Unbounded).
	CSB int
	// Schedule and Inputs replay it.
	Schedule trace.Schedule
	Inputs   []uint64
	// Perhaps: an access of a race is one that code not seen makes perhaps.
	Perhaps bool
	// Idle are havocs and calls of code not seen whose values decide nothing: neither
	// what happens nor whether it is a bug.
	Idle map[ir.Instr]bool
}

// Result is what a check found out.
type Result struct {
	Bugs []Bug
	// CSB is the greatest bound that was checked to the end, -1 for none; Rounds how many
	// rounds that took. AllRounds: no execution within the bound needs more. Exhaustive:
	// none needs more preemptions either. Unrolled: no execution gets to a bound of the
	// unrolling.
	CSB, Rounds                     int
	AllRounds, Exhaustive, Unrolled bool
	// Shallow: Options.MaxVisible or MaxSpawns left executions out, so that greater ones
	// show more.
	Shallow bool
	// Spun: iterations of loops that change nothing were left out, which others may end
	// or nobody.
	Spun bool
	// Limits are reasons why the unrolling does not cover everything.
	Limits []Limit
	// Unconfirmed are executions that the interpreter did not confirm: internal errors,
	// and not bugs.
	Unconfirmed []string
	// Reason says why the check ended before its bounds, "" where it did not.
	Reason string
	// Settled: that is the reason: Options.Rival ended the check.
	Settled bool
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
	// AllYields are the points at which threads might be switched if nothing were left
	// out, MRYields those that remain where as much is as Options.Reduced says (-1: it
	// says nothing), both in the unrolling that was searched; Yields is one of them.
	AllYields, MRYields   int
	Terms, Queries, Goals int
	Unfold, Encode, Solve time.Duration
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
	u      *unrolling
	found  map[string]bool
	work   uint64 // of all solvers
	// ends are where executions end that are not followed any more; nil before they were
	// asked about.
	ends *ends
	// unready are places where executions that seemed to be bugs use locks that were
	// never initialised.
	unready []Limit
}

// Check looks for bugs within the bounds. It ends early, with what it knows, when ctx is
// cancelled.
func Check(ctx context.Context, p *ir.Program, h Harness, opt Options, solver func() (bv.Solver, error)) (*Result, error) {
	opt = opt.withDefaults()
	c := &checker{ctx: ctx, p: p, h: h, opt: opt, solver: solver, res: &Result{CSB: -1}, found: map[string]bool{}}
	if err := ctx.Err(); err != nil {
		c.res.Reason = err.Error()
		return c.res, nil
	}
	if c.opt.Prepared == nil {
		var err error
		if c.opt.Prepared, err = Prepare(p); err != nil {
			return nil, err
		}
	}
	c.m = c.opt.Prepared.m
	for i, o := range depths(c.opt) {
		c.opt = o
		if deeper := c.attempt(i > 0); !deeper {
			break
		}
	}
	return c.res, nil
}

// depths are the bounds of loops that are tried one after the other: bugs show in few
// iterations, and only where these are not all of them is more needed to say that there
// is none.
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

// attempt unfolds and searches within c.opt; deeper tells whether a greater depth could
// say more. What an earlier attempt has found stays; where this one does not get to its
// end, the earlier one's result is the answer.
func (c *checker) attempt(again bool) (deeper bool) {
	before := *c.res
	c.ends = &ends{open: true}
	c.res.NoInit, c.res.Reason = false, ""
	start := time.Now()
	live.On(c.ctx).Detail(fmt.Sprintf("unfolding, %s of a loop", iterations(c.opt.MaxVisible)))
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
		c.res.Spun, c.res.Shallow = u.spun, u.shallow
		c.count()
		c.res.CSB, c.res.AllRounds, c.res.Exhaustive, c.res.Unrolled = -1, false, false, false
		err = c.search()
	}
	switch {
	case errors.Is(err, errEnough):
		return false
	case errors.Is(err, errRival):
		c.res.Reason, c.res.Settled = err.Error(), true
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
		return c.res.NoInit // a loop of theirs may take more iterations
	}
	c.res.Limits = c.ends.places(u)
	c.res.Limits = append(c.res.Limits, c.unready...)
	return !c.res.Unrolled || slices.ContainsFunc(c.res.Limits, func(l Limit) bool { return l.Kind == "threads" })
}

// iterations names how often a loop is unrolled.
func iterations(n int) string {
	if n == 1 {
		return "one iteration"
	}
	return fmt.Sprintf("%d iterations", n)
}

// preemptions names a bound.
func preemptions(n int) string {
	switch n {
	case 0:
		return "no preemption"
	case 1:
		return "at most one preemption"
	}
	return fmt.Sprintf("at most %d preemptions", n)
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
	if q.spent == nil {
		q.spent = new(uint64)
	}
	c.res.Stats.Terms = max(c.res.Stats.Terms, q.e.b.Len())
	var err error
	if q.s, err = c.solver(); err != nil {
		return err
	}
	q.stop = context.AfterFunc(c.ctx, q.s.Interrupt)
	return nil
}

// close frees the solver; where time is up nobody waits for that, which takes seconds
// where formulas are large.
func (q *query) close() {
	q.stop()
	if q.c.ctx.Err() != nil {
		go q.s.Close()
		return
	}
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
	// bounds[i] makes it hold that at most i switches count; full is that all rounds are
	// needed.
	bounds []*bv.Term
	full   *bv.Term
	stop   func() bool
	// level is how much the bug of the last model may depend on what code not seen does.
	level int
	sent  int
	n     int
	effort
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
	live.On(q.c.ctx).Add("queries", 1)
	sat, err := q.check(as)
	q.c.res.Stats.Solve += time.Since(start)
	if err != nil && q.c.ctx.Err() != nil {
		err = q.c.ctx.Err()
	}
	return sat, err
}

// any is the condition of a bug that is looked for and was not found before.
func (q *query) any() *bv.Term {
	if q.c.opt.Clean {
		return q.remaining(onNothing)
	}
	return q.remaining(onAll)
}

// remaining is the condition of a bug that was not found before and depends on no more
// than the level says.
func (q *query) remaining(level int) *bv.Term {
	var conds []*bv.Term
	for i := range q.goals {
		if g := &q.goals[i]; !q.c.found[g.key()] && (level == onAll || g.sure()) {
			conds = append(conds, g.cond)
		}
	}
	some := q.e.b.Or(conds...)
	if level == onNothing {
		some = q.e.b.And(some, q.e.clean())
	}
	return some
}

// key tells goals apart: from one number of rounds to the next, and races by their
// places.
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
