package bmc

import (
	"errors"
	"time"

	"whoop/ir"
	"whoop/smt/bv"
)

// Most pairs of a driver are proved race-free, and all that is left to be asked about
// them is whether they use their locks well. That needs no interleavings. Whether a
// thread holds a lock is changed by the thread alone, so that each thread can be looked
// at by itself, with anything in the shared memory it reads (verify's abstraction, on the
// unrolling): no lock is taken twice, none is released that is not held, none is held at
// the end, nothing else goes wrong. Then threads wait for locks only, each lock that is
// waited for is held by a thread that has not ended, and where the orders in which locks
// are taken have no cycle, one of the threads that wait waits for a thread that does not.
// What this does not show is asked of the solver with all interleavings.

// discipline is that question for an unrolling.
type discipline struct {
	u *unrolling
	b *bv.Builder
	// facts tie what is read to what the thread holds; bad are the errors, open the ways
	// to the bounds of the unrolling, and undefined those to undefined behaviour.
	facts, bad, open []*bv.Term
	unknown          []*bv.Term // of open, those that are functions which are not understood
	undefined        []invalidity
	order            lockOrder
	held             map[*cell]*bv.Term // by the thread that is looked at
	reset            map[*cell]bool     // of locks whose holder another thread may change
	fits             bool
}

// local is what the threads by themselves show. Where bugs is false, no execution of the
// unrolling has one; where limits is, all end within its bounds; where unknown is, none
// gets to a function that is not understood. Where they are true, there may be such
// executions or none. undefined is a place where undefined behaviour may be; nil: there
// is none.
type local struct {
	bugs, limits, unknown bool
	undefined             *ir.Pos
}

func newDiscipline(u *unrolling) *discipline {
	d := &discipline{u: u, b: u.b, order: lockOrder{}, fits: true, reset: map[*cell]bool{}}
	d.resets()
	return d
}

// disciplined looks at each thread by itself.
func (c *checker) disciplined() (*local, error) {
	if c.opt.wants("race") && c.opt.NoRace == nil || c.opt.wants("memory") || c.h.Main {
		return &local{bugs: true}, nil
	}
	d := newDiscipline(c.u)
	d.undefined = append(d.undefined, c.u.invalid...)
	for _, t := range c.u.threads {
		d.thread(t, &c.opt)
		if !d.fits {
			return &local{bugs: true}, nil
		}
	}
	return c.locally(d)
}

// locally asks the solver about the threads by themselves. What it does not decide within
// few conflicts is taken to be possible.
func (c *checker) locally(d *discipline) (*local, error) {
	q := &query{c: c, e: &encoding{u: d.u, b: d.b, hard: d.facts}}
	if err := q.open(time.Now()); err != nil {
		return nil, err
	}
	defer q.close()
	q.limit = fewConflicts
	out := &local{}
	var err error
	if out.bugs, err = q.possible(d.b.Or(d.bad...), nil); err == nil && !out.bugs {
		out.bugs, err = d.tangled(q)
	}
	if out.bugs || err != nil {
		out.bugs = true
		return out, unlimited(err)
	}
	if out.limits, err = q.maybe(d.open); err != nil {
		return nil, err
	}
	if out.unknown, err = q.maybe(d.unknown); err != nil {
		return nil, err
	}
	out.undefined, err = q.first(d.undefined)
	return out, err
}

// first is a place where undefined behaviour may be, nil for none; what is not decided
// within few conflicts may.
func (q *query) first(undefined []invalidity) (*ir.Pos, error) {
	some := make([]*bv.Term, len(undefined))
	for i, u := range undefined {
		some[i] = u.cond
	}
	is, err := q.possible(q.e.b.Or(some...), nil)
	if err != nil && unlimited(err) == nil {
		return &undefined[0].at, nil
	}
	if err != nil || !is {
		return nil, err
	}
	for i := range undefined {
		if v, err := q.s.Value(undefined[i].cond); err != nil || v == 1 {
			return &undefined[i].at, err
		}
	}
	return &undefined[0].at, nil
}

// maybe reports whether one of the conditions may hold; what is not decided within few
// conflicts may.
func (q *query) maybe(some []*bv.Term) (bool, error) {
	is, err := q.possible(q.e.b.Or(some...), nil)
	return is || err != nil, unlimited(err)
}

// unlimited is err, and nil where that says that a question took too long.
func unlimited(err error) error {
	if errors.Is(err, bv.ErrLimit) {
		return nil
	}
	return err
}

// proved answers by the threads' discipline, where that is enough.
func (c *checker) proved() (bool, error) {
	l, err := c.disciplined()
	if err != nil || l.bugs {
		return false, err
	}
	c.res.Unrolled, c.ends.open = true, false
	if l.limits || l.undefined != nil {
		if err := c.limited(l); err != nil {
			return false, err
		}
	}
	c.res.CSB, c.res.AllRounds, c.res.Exhaustive = c.opt.CSB, true, true
	return true, nil
}

// limited finds out whether executions get to a bound of the unrolling or are undefined:
// when the threads run one after the other, or else in any interleaving. Where that takes
// too long, it is left open: then not all iterations are covered, for all that is known,
// and the report says where executions may be undefined.
func (c *checker) limited(l *local) error {
	doubt := *l
	if err := c.sequentially(&doubt); err != nil {
		return err
	}
	if doubt.limits || doubt.undefined != nil {
		if err := c.interleaved(&doubt); err != nil {
			return err
		}
	}
	if doubt.limits {
		c.res.Unrolled, c.ends.open = false, true
	}
	c.ends.understood = c.ends.understood || !l.unknown
	if doubt.undefined != nil {
		c.undecided(*doubt.undefined)
	}
	return nil
}

// sequentially looks for executions in doubt among those in which the threads run one
// after the other. Where there are some, that settles it.
func (c *checker) sequentially(doubt *local) error {
	start := time.Now()
	e, err := encode(c.u, 1)
	if err != nil {
		return err
	}
	q := &query{c: c, e: e}
	if err := q.open(start); err != nil {
		return err
	}
	defer q.close()
	q.limit = fewConflicts / 10
	return unlimited(q.settle(doubt, false))
}

// interleaved looks for executions in doubt in all interleavings.
func (c *checker) interleaved(doubt *local) error {
	q, err := c.newOrdered(fewTriples)
	if q == nil || err != nil {
		return err
	}
	defer q.close()
	q.limit = fewConflicts / 3
	return unlimited(q.settle(doubt, true))
}

// settle asks about the executions in doubt. Where there are some, that is settled, and
// where there are none if these are all executions.
func (q *query) settle(doubt *local, all bool) error {
	if doubt.limits {
		if err := q.iterations(nil); err != nil {
			return err
		}
		doubt.limits = q.c.nothing() && !all
		q.c.ends.open = q.c.ends.open || !all
	}
	if doubt.undefined != nil {
		if err := q.invalid(nil); err != nil {
			return err
		}
		if len(q.c.ends.invalid) > 0 || all {
			doubt.undefined = nil
		}
	}
	return nil
}

// thread collects what a thread does with locks, and what may go wrong.
func (d *discipline) thread(t *thread, opt *Options) {
	d.held = map[*cell]*bv.Term{}
	for _, p := range t.pos {
		if !d.position(p, opt) {
			d.fits = false
			return
		}
	}
}

func (d *discipline) position(p *event, opt *Options) bool {
	b := d.b
	if p.ac != nil && (p.cut || p.poise) && opt.wants("race") && !opt.NoRace(p.in) {
		return false
	}
	if p.enabled != nil && p.kind != posStart {
		if l, ok := p.in.(*ir.Lock); !ok || l.Try || p.atomic || !d.waits(p) {
			return false
		}
	}
	for _, r := range p.reads {
		d.read(p, r)
	}
	for _, c := range p.checks {
		d.bad = append(d.bad, b.And(p.guard, c.bad))
	}
	if p.invalid != nil {
		d.undefined = append(d.undefined, invalidity{cond: b.And(p.guard, p.invalid), at: p.at, memory: p.memory})
	}
	for _, w := range p.writes {
		if !d.write(p, w) {
			return false
		}
	}
	if p.beyond != nil {
		d.open = append(d.open, b.And(p.guard, p.beyond))
	}
	switch p.kind {
	case posLimit:
		d.open = append(d.open, p.guard)
		if p.limit.kind == "unknown" {
			d.unknown = append(d.unknown, p.guard)
		}
	case posEnd:
		for _, h := range d.held {
			d.bad = append(d.bad, b.And(p.guard, h))
		}
	}
	return true
}

// lockCell reports whether a cell says who holds a lock.
func lockCell(c *cell) bool { return c.name == "owner" || c.name == "readers" }

// mine is what the contents of such a cell say of a thread.
func (d *discipline) mine(t *thread, c *cell, v *bv.Term) *bv.Term {
	if c.name == "owner" {
		return d.b.Eq(v, d.b.Num(ownerBits, uint64(t.num+1)))
	}
	n := t.num % 64
	return d.b.Eq(d.b.Extract(v, n, n), d.b.Num(1, 1))
}

func (d *discipline) holds(c *cell) *bv.Term {
	if h := d.held[c]; h != nil {
		return h
	}
	return d.b.False
}

// read ties what is read to what is known: who holds a lock, how large numbers are, and
// which pointers there are.
func (d *discipline) read(p *event, r *read) {
	b := d.b
	for _, t := range r.targets {
		if lockCell(t.c) && !d.reset[t.c] {
			is := d.mine(p.thread, t.c, r.v)
			d.facts = append(d.facts, b.Implies(b.And(p.guard, t.match), b.Eq(is, d.holds(t.c))))
		}
	}
	d.facts = append(d.facts, d.u.fact(r))
	v := d.u.vals[r.v]
	if v == nil || v.any || len(v.arrays) > 0 || len(v.nums) > 64 {
		return
	}
	var any []*bv.Term
	for _, n := range v.sorted() {
		any = append(any, b.Eq(r.v, b.Num(r.v.Width, n)))
	}
	d.facts = append(d.facts, b.Or(any...))
}

// waits adds what a thread holds while it waits for a lock.
func (d *discipline) waits(p *event) bool {
	found := false
	for _, r := range p.reads {
		for _, t := range r.targets {
			if !lockCell(t.c) {
				return false
			}
			found = true
			taken := d.b.And(p.guard, t.match)
			for c, h := range d.held {
				if c.obj == t.c.obj && c.lo == t.c.lo {
					if c.name == "readers" { // a reader that reads again
						d.bad = append(d.bad, d.b.And(taken, h))
					}
				} else if both := d.b.And(taken, h); both != d.b.False {
					d.order.add(c, t.c, both)
				}
			}
		}
	}
	return found
}

// write follows who holds a lock.
func (d *discipline) write(p *event, w *write) bool {
	for _, t := range w.targets {
		if !lockCell(t.c) {
			continue
		}
		if p.thread.parent == nil { // before the threads start all locks are free
			if n, ok := w.val.IsNum(); !ok || n != 0 {
				return false
			}
			continue
		}
		if _, fresh := p.in.(*ir.LockInit); fresh {
			return false
		}
		d.follow(p, t, w.val)
	}
	return true
}

// follow notes that a thread takes or releases a lock.
func (d *discipline) follow(p *event, t target, val *bv.Term) {
	d.held[t.c] = d.b.Ite(d.b.And(p.guard, t.match), d.mine(p.thread, t.c, val), d.holds(t.c))
}
