package bmc

import (
	"fmt"

	"whoop/smt/bv"
)

// encoding is the formula of all executions of an unrolling within a number of rounds,
// after Lal and Reps (Reducing concurrent analysis under a context bound to sequential
// analysis, CAV 2008): in each of K rounds every thread runs at most once, in the order
// of their numbers. Where a thread goes on to the next round is what the solver chooses.
// Lal and Reps run one thread after the other, with K copies of the shared memory of
// which all but the first are guesses, and check the guesses at the end; in a formula a
// guess and the equation that checks it cancel each other, so the memory a thread finds
// in a round is simply what the thread before it left, and threads keep the registers of
// one unfolding for all rounds: only what is read from shared memory depends on the
// round.
type encoding struct {
	cleanly *bv.Term // see clean; nil: not made yet
	u       *unrolling
	b       *bv.Builder
	k       int // rounds
	slice   *slice
	// ge[t][r][p]: position p of thread t is taken in round r or later, or never (r = k).
	ge    [][][]*bv.Term
	hard  []*bv.Term
	busy  [][]*bv.Term // [round][thread]: the thread takes a step in the round
	mem   []*bv.Term   // the contents of the cells, now
	cost  []*bv.Term   // one literal each switch that counts
	block [][]*bv.Term // [round][thread]: the thread can be left for nothing
}

// encode makes the formula of so many rounds. The error is that of the context, which may
// end while it is made.
func encode(u *unrolling, rounds int) (*encoding, error) {
	e := &encoding{u: u, b: u.b, k: rounds, slice: relevant(u)}
	e.cuts()
	if err := e.run(); err != nil {
		return nil, err
	}
	e.costs()
	e.known()
	return e, nil
}

// known adds the ranges of what is read.
func (e *encoding) known() {
	for _, t := range e.u.threads {
		for _, p := range t.pos {
			for _, r := range p.reads {
				if e.slice.keeps(r) {
					e.require(e.u.fact(r))
				}
			}
		}
	}
}

func (e *encoding) require(t *bv.Term) {
	if t != e.b.True {
		e.hard = append(e.hard, t)
	}
}

// never is the condition that a thread does not get to a position.
func (e *encoding) never(p *event) *bv.Term { return e.ge[p.thread.idx][e.k][p.num] }

// at is the condition that a position is taken in round r.
func (e *encoding) at(p *event, r int) *bv.Term {
	g := e.ge[p.thread.idx]
	return e.b.And(g[r][p.num], e.b.Not(g[r+1][p.num]), p.guard)
}

// stops is the condition that a thread stops for good before a position on its path.
func (e *encoding) stops(p *event) *bv.Term {
	s := e.never(p)
	if p.num > 0 {
		s = e.b.And(s, e.b.Not(e.never(p.thread.pos[p.num-1])))
	}
	return e.b.And(s, p.guard)
}

// cuts makes the variables of where the rounds of a thread end: monotonous in the
// position and in the round. Rounds end at positions on the thread's path only, and
// before positions where others may run. Before other positions at which something is
// checked a thread may only stop for good: from there on, every position is in no round
// at all.
func (e *encoding) cuts() {
	b := e.b
	for ti, t := range e.u.threads {
		t.idx = ti
		n := len(t.pos)
		g := make([][]*bv.Term, e.k+1)
		g[0] = make([]*bv.Term, n)
		for p := range g[0] {
			g[0][p] = b.True
		}
		ends := make([]*bv.Term, n)
		for pi, p := range t.pos {
			if !p.cut && p.poise {
				ends[pi] = b.Var(fmt.Sprintf("end:%d:%d", ti, pi), 0)
			}
		}
		for r := 1; r <= e.k; r++ {
			g[r] = make([]*bv.Term, n)
			prev := b.False
			for pi, p := range t.pos {
				switch {
				case p.cut:
					v := b.Var(fmt.Sprintf("ge:%d:%d:%d", ti, r, pi), 0)
					e.require(b.Implies(prev, v))
					e.require(b.Implies(v, g[r-1][pi]))
					e.require(b.Implies(b.And(v, b.Not(prev)), p.guard))
					prev = v
				case ends[pi] != nil:
					if r == e.k {
						e.require(b.Or(b.Not(ends[pi]), prev, p.guard))
					}
					prev = b.Or(prev, ends[pi])
				}
				g[r][pi] = prev
			}
		}
		e.ge = append(e.ge, g)
	}
}

// run lets the threads run round by round, and binds what they read.
func (e *encoding) run() error {
	b := e.b
	e.mem = make([]*bv.Term, len(e.u.w.cells))
	for r := range e.k {
		busy := make([]*bv.Term, len(e.u.threads))
		free := make([]*bv.Term, len(e.u.threads))
		for ti, t := range e.u.threads {
			var any []*bv.Term
			last := b.False
			for _, p := range t.pos {
				if err := e.u.ctx.Err(); err != nil {
					return err
				}
				e.position(p, r)
				g := e.ge[ti]
				if in := b.And(g[r][p.num], b.Not(g[r+1][p.num])); in != last {
					any = append(any, in)
					last = in
				}
			}
			busy[ti] = b.Or(any...)
			free[ti] = e.leaveFree(t, r)
		}
		e.busy, e.block = append(e.busy, busy), append(e.block, free)
	}
	for _, t := range e.u.threads {
		for _, p := range t.pos {
			e.final(p)
		}
	}
	e.insides()
	return nil
}

// value is what a cell holds now.
func (e *encoding) value(c *cell) *bv.Term {
	if v := e.mem[c.idx]; v != nil {
		return v
	}
	v := e.u.initial(c)
	e.mem[c.idx] = v
	return v
}

// event takes a step in round r.
func (e *encoding) position(p *event, r int) {
	b := e.b
	at := e.at(p, r)
	if at == b.False {
		return
	}
	for _, rd := range p.reads {
		if e.slice.keeps(rd) {
			e.bind(rd, at)
		}
	}
	if p.enabled != nil {
		e.require(b.Implies(at, p.enabled(func(i int) *bv.Term { return p.reads[i].v })))
	}
	for _, q := range p.require {
		e.require(b.Implies(at, q))
	}
	for _, w := range p.writes {
		for _, t := range w.targets {
			if !e.slice.cells[t.c] {
				continue
			}
			old := e.value(t.c)
			e.mem[t.c.idx] = b.Ite(b.And(at, t.match), e.u.insert(old, w.val, t.lo), old)
		}
	}
	if p.kind == posAbort || p.kind == posEnd && e.u.endsAll(p.thread) {
		e.nothingAfter(p.thread, r, at)
	}
}

// bind makes a read's variable what memory holds, where c holds.
func (e *encoding) bind(rd *read, c *bv.Term) {
	for _, t := range rd.targets {
		v := e.value(t.c)
		v = e.b.Extract0(v, t.lo, rd.v.Width)
		e.require(e.b.Implies(e.b.And(c, t.match), e.b.Eq(rd.v, v)))
	}
}

// nothingAfter: where c holds, no thread takes a step after thread t's turn in round r.
func (e *encoding) nothingAfter(t *thread, r int, c *bv.Term) {
	b := e.b
	for _, o := range e.u.threads {
		g := e.ge[o.idx]
		from := r + 1
		if o.idx > t.idx {
			from = r
		}
		if from >= e.k {
			continue
		}
		for pi := range o.pos {
			// Who is not before round `from` is never.
			if pi > 0 && g[from][pi] == g[from][pi-1] && g[e.k][pi] == g[e.k][pi-1] {
				continue
			}
			e.require(b.Or(b.Not(c), b.Not(g[from][pi]), g[e.k][pi]))
		}
	}
}

// final binds what a thread that stops before p would read there in the end, where
// something is checked about that.
func (e *encoding) final(p *event) {
	if len(p.reads) == 0 || p.enabled == nil && len(p.checks) == 0 && !p.maybe && p.invalid == nil && p.beyond == nil {
		return
	}
	s := e.stops(p)
	if s == e.b.False {
		return
	}
	for _, rd := range p.reads {
		e.bind(rd, s)
	}
}

// insides: who stops inside an atomic section is the last one to run.
func (e *encoding) insides() {
	b := e.b
	for _, t := range e.u.threads {
		for r := range e.k {
			var any []*bv.Term
			for _, p := range t.pos {
				if p.cut || !p.poise || !p.atomic || p.num == 0 {
					continue
				}
				g := e.ge[t.idx]
				q := p.num - 1
				in := b.And(g[r][q], b.Not(g[r+1][q]))
				any = append(any, b.And(e.stops(p), in))
			}
			if c := b.Or(any...); c != b.False {
				e.nothingAfter(t, r, c)
			}
		}
	}
}

// leaveFree is the condition that leaving a thread after its turn in round r is no
// preemption: it has ended, or it blocks.
func (e *encoding) leaveFree(t *thread, r int) *bv.Term {
	b := e.b
	g := e.ge[t.idx]
	var any []*bv.Term
	if len(t.pos) > 0 {
		any = append(any, b.Not(g[r+1][len(t.pos)-1]))
	} else {
		any = append(any, b.True)
	}
	for _, p := range t.pos {
		if p.enabled == nil || !p.cut {
			continue
		}
		here := g[r+1][p.num]
		if p.num > 0 {
			here = b.And(here, b.Not(g[r+1][p.num-1]))
		}
		here = b.And(here, p.guard)
		if here == b.False {
			continue
		}
		en := p.enabled(func(i int) *bv.Term { return e.peek(p.reads[i]) })
		any = append(any, b.And(here, b.Not(en)))
	}
	return b.Or(any...)
}

// peek is what a read would yield now.
func (e *encoding) peek(rd *read) *bv.Term {
	v := e.b.Num(rd.v.Width, 0)
	for _, t := range rd.targets {
		v = e.b.Ite(t.match, e.b.Extract0(e.value(t.c), t.lo, rd.v.Width), v)
	}
	return v
}

// costs makes a literal for every turn after which the thread could have gone on, and
// another thread runs.
func (e *encoding) costs() {
	b := e.b
	n := len(e.u.threads)
	// later[t]: a thread other than t takes a step after the turn.
	later := make([]*bv.Term, n)
	for t := range later {
		later[t] = b.False
	}
	for r := e.k - 1; r >= 0; r-- {
		for t := n - 1; t >= 0; t-- {
			c := b.And(e.busy[r][t], later[t], b.Not(e.block[r][t]))
			if c != b.False {
				v := b.Var(fmt.Sprintf("cost:%d:%d", r, t), 0)
				e.require(b.Implies(c, v))
				e.cost = append(e.cost, v)
			}
			for o := range later {
				if o != t {
					later[o] = b.Or(later[o], e.busy[r][t])
				}
			}
		}
	}
}

// atMost returns, for each bound up to top, a literal that makes it hold that no more
// switches than that count: a sequential counter (Sinz, Towards an optimal CNF encoding
// of Boolean cardinality constraints, 2005).
func (e *encoding) atMost(top int) []*bv.Term {
	b := e.b
	sum := make([]*bv.Term, top+2) // sum[i]: more than i of those so far
	for i := range sum {
		sum[i] = b.False
	}
	for ci, c := range e.cost {
		next := make([]*bv.Term, len(sum))
		for i := range sum {
			carry := b.True
			if i > 0 {
				carry = sum[i-1]
			}
			v := b.Var(fmt.Sprintf("sum:%d:%d", ci, i), 0)
			e.require(b.Implies(sum[i], v))
			e.require(b.Implies(b.And(c, carry), v))
			next[i] = v
		}
		sum = next
	}
	out := make([]*bv.Term, top+1)
	for i := range out {
		out[i] = b.Var(fmt.Sprintf("bound:%d", i), 0)
		e.require(b.Implies(out[i], b.Not(sum[i])))
	}
	return out
}
