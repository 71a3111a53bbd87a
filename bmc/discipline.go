package bmc

import (
	"errors"
	"time"

	"whoop/ir"
	"whoop/smt/bv"
)

// Most pairs of a driver are proved race-free, and all that is left to be asked about them is whether they use their locks well. That needs no
// interleavings. Whether a thread holds a lock is changed by the thread alone, so that each thread can be looked at by
// itself, with anything in the shared memory it reads (verify's abstraction, on the unfolding): no lock is taken twice, none
// is released that is not held, none is held at the end, nothing else goes wrong. Then threads wait for locks only, each lock that
// is waited for is held by a thread that has not ended, and where the orders in which locks are taken have no cycle, one of the
// threads that wait waits for a thread that does not. What this does not show is asked of the solver with all interleavings.

// discipline is that question for an unfolding.
type discipline struct {
	u *unfolding
	b *bv.Builder
	// facts tie what is read to what the thread holds; bad are the errors, open the ways out of the unfolding.
	facts, bad, open []*bv.Term
	order            map[*cell]map[*cell]bool
	held             map[*cell]*bv.Term // by the thread that is looked at
	fits             bool
}

// disciplined reports whether no execution of the unfolding has a bug, and whether all end within the bounds and are defined. Where bugs
// is true, there may be some or none.
func (c *checker) disciplined() (bugs, limits bool, err error) {
	if c.opt.wants("race") && c.opt.NoRace == nil || c.opt.wants("memory") || c.h.Main {
		return true, true, nil
	}
	d := &discipline{u: c.u, b: c.u.b, order: map[*cell]map[*cell]bool{}, fits: true}
	for _, i := range c.u.invalid {
		d.open = append(d.open, i.cond)
	}
	for _, t := range c.u.threads {
		d.thread(t, &c.opt)
		if !d.fits {
			return true, true, nil
		}
	}
	if d.cyclic() {
		return true, true, nil
	}
	bad, open := d.b.Or(d.bad...), d.b.Or(d.open...)
	if bad == d.b.False && open == d.b.False {
		return false, false, nil
	}
	return c.locally(d, bad, open)
}

// locally asks the solver about the threads by themselves.
func (c *checker) locally(d *discipline, bad, open *bv.Term) (bugs, limits bool, err error) {
	q := &query{c: c, e: &encoding{u: d.u, b: d.b, hard: d.facts}}
	if err := q.open(time.Now()); err != nil {
		return true, true, err
	}
	defer q.close()
	q.s.Limit(fewConflicts)
	bugs, err = q.possible(bad, nil)
	if err == nil && !bugs {
		limits, err = q.possible(open, nil)
	}
	if errors.Is(err, bv.ErrLimit) {
		return true, true, nil
	}
	return bugs || err != nil, limits, err
}

// proved answers by the threads' discipline, where that is enough.
func (c *checker) proved() (bool, error) {
	bugs, limits, err := c.disciplined()
	if bugs || err != nil {
		return false, err
	}
	c.res.Unrolled = true
	if limits {
		if decided, err := c.limited(); !decided || err != nil {
			return false, err
		}
	}
	c.res.CSB, c.res.AllRounds, c.res.Exhaustive = c.opt.CSB, true, true
	return true, nil
}

// limited finds out whether executions get to a bound of the unfolding or are undefined: when the threads run one after the other, or else
// in any interleaving. It is not decided where that takes too long.
func (c *checker) limited() (decided bool, err error) {
	start := time.Now()
	q := &query{c: c, e: encode(c.u, 1)}
	if err := q.open(start); err != nil {
		return false, err
	}
	q.s.Limit(fewConflicts)
	err = q.limits(nil)
	q.close()
	if err != nil && !errors.Is(err, bv.ErrLimit) {
		return false, err
	}
	if err == nil && !c.res.Unrolled && c.invalid != nil {
		return true, nil
	}
	if q, err = c.newOrdered(fewTriples); q == nil || err != nil {
		return false, err
	}
	defer q.close()
	q.s.Limit(fewConflicts)
	if err = q.iterations(nil); err == nil && c.invalid == nil {
		err = q.invalid(nil)
	}
	if errors.Is(err, bv.ErrLimit) {
		return false, nil
	}
	return err == nil, err
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

func (d *discipline) position(p *position, opt *Options) bool {
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
		d.open = append(d.open, b.And(p.guard, p.invalid))
	}
	for _, w := range p.writes {
		if !d.write(p, w) {
			return false
		}
	}
	switch p.kind {
	case posLimit:
		d.open = append(d.open, p.guard)
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

// read ties what is read to what is known: who holds a lock, and which pointers there are.
func (d *discipline) read(p *position, r *read) {
	b := d.b
	for _, t := range r.targets {
		if lockCell(t.c) {
			is := d.mine(p.thread, t.c, r.v)
			d.facts = append(d.facts, b.Implies(b.And(p.guard, t.match), b.Eq(is, d.holds(t.c))))
		}
	}
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
func (d *discipline) waits(p *position) bool {
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
				} else if d.b.And(taken, h) != d.b.False {
					d.edge(c, t.c)
				}
			}
		}
	}
	return found
}

// edge notes that a lock is wanted while another is held.
func (d *discipline) edge(held, wanted *cell) {
	if d.order[held] == nil {
		d.order[held] = map[*cell]bool{}
	}
	d.order[held][wanted] = true
}

// write follows who holds a lock.
func (d *discipline) write(p *position, w *write) bool {
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
		d.held[t.c] = d.b.Ite(d.b.And(p.guard, t.match), d.mine(p.thread, t.c, w.val), d.holds(t.c))
	}
	return true
}

// cyclic reports whether locks are taken in orders that exclude each other. Writers and readers of a lock are one here.
func (d *discipline) cyclic() bool {
	type place struct {
		o  *object
		at int64
	}
	key := func(c *cell) place { return place{c.obj, c.lo} }
	next := map[place]map[place]bool{}
	for h, ws := range d.order {
		for w := range ws {
			if next[key(h)] == nil {
				next[key(h)] = map[place]bool{}
			}
			next[key(h)][key(w)] = true
		}
	}
	state := map[place]int{} // 1: on the path, 2: done
	var visit func(p place) bool
	visit = func(p place) bool {
		state[p] = 1
		for q := range next[p] {
			if state[q] == 1 || state[q] == 0 && visit(q) {
				return true
			}
		}
		state[p] = 2
		return false
	}
	for p := range next {
		if state[p] == 0 && visit(p) {
			return true
		}
	}
	return false
}
