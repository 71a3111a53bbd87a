package bmc

import (
	"fmt"
	"math/bits"
	"slices"
	"sort"

	"whoop/smt/bv"
)

// ordered is the formula of all executions of an unrolling, without rounds: a
// partial-order encoding (Alglave, Kroening, Tautschnig, Partial orders for efficient
// bounded model checking of concurrent software, CAV 2013) for sequential consistency.
// What a thread does from one point where others may run to the next is a block; every
// block has a clock, and the first read of a cell in a block finds what the last block
// before it, by the clocks, has written. The number of context switches is neither
// counted nor bounded, so that one answer holds for every bound.
type ordered struct {
	*encoding
	width   int // of the clocks
	blocks  []*block
	of      map[*event]*block
	writers map[*cell][]*block
	finals  *block // the time after everything
	lts     map[[2]int]*bv.Term
}

// block is what a thread does without others in between.
type block struct {
	num    int
	t      *thread
	pos    []*event
	clock  *bv.Term
	parent *block // the one that creates the thread, where there is one only
	in     map[*cell]*incoming
	order  []*cell // of in
	// wrote is when the block writes to a cell, out what the cell holds then at its end.
	wrote, out map[*cell]*bv.Term
}

// incoming is what a block finds in a cell, where need holds.
type incoming struct {
	v    *bv.Term
	need []*bv.Term
}

// The size of the formula is measured in triples: a block that reads, and two that may
// have written what it finds. maxTriples is what is tried where all executions are asked
// for, fewTriples where they are an addition to what was asked.
const maxTriples, fewTriples = 4_000_000, 400_000

// orders makes the encoding; nil where it has more than so many triples. The error is
// that of the context, which may end while it is made.
func orders(u *unrolling, most int) (*ordered, error) {
	e := &ordered{encoding: &encoding{u: u, b: u.b, k: 1, slice: relevant(u)}, of: map[*event]*block{}, writers: map[*cell][]*block{},
		lts: map[[2]int]*bv.Term{}}
	e.cuts()
	e.divide()
	if e.triples() > most {
		return nil, nil
	}
	for _, bl := range e.blocks {
		if err := e.execute(bl); err != nil {
			return nil, err
		}
	}
	e.finish()
	for _, bl := range append(slices.Clone(e.blocks), e.finals) {
		if err := e.receive(bl); err != nil {
			return nil, err
		}
	}
	e.known()
	return e, nil
}

// divide makes the blocks.
func (e *ordered) divide() {
	for _, t := range e.u.threads {
		var bl *block
		for _, p := range t.pos {
			if bl == nil || p.cut {
				bl = e.newBlock(t)
				e.blocks = append(e.blocks, bl)
			}
			bl.pos = append(bl.pos, p)
			e.of[p] = bl
			for _, w := range p.writes {
				for _, tg := range w.targets {
					if ws := e.writers[tg.c]; e.slice.cells[tg.c] && (len(ws) == 0 || ws[len(ws)-1] != bl) {
						e.writers[tg.c] = append(ws, bl)
					}
				}
			}
		}
	}
	e.finals = e.newBlock(nil)
	e.finals.num = len(e.blocks)
	e.width = max(bits.Len(uint(len(e.blocks))), 1)
	first := map[*thread]*block{}
	for i, bl := range e.blocks {
		bl.num = i
		bl.clock = e.b.Var(fmt.Sprintf("clock:%d", i), e.width)
		if first[bl.t] == nil {
			first[bl.t] = bl
		}
		if i > 0 && e.blocks[i-1].t == bl.t {
			e.require(e.b.ULe(e.blocks[i-1].clock, bl.clock))
		}
	}
	for _, t := range e.u.threads {
		if bl := first[t]; bl != nil && t.start != nil {
			if ws := e.writers[t.start]; len(ws) == 1 && ws[0].num < bl.num {
				bl.parent = ws[0]
				e.require(e.b.ULe(ws[0].clock, bl.clock))
			}
		}
	}
	for i, bl := range e.blocks {
		if i > 0 && e.blocks[i-1].t == bl.t {
			bl.parent = e.blocks[i-1].parent
		}
	}
}

func (e *ordered) newBlock(t *thread) *block {
	return &block{t: t, in: map[*cell]*incoming{}, wrote: map[*cell]*bv.Term{}, out: map[*cell]*bv.Term{}}
}

// before reports whether x is always before y: in the same thread, or in one that created
// y's.
func (e *ordered) before(x, y *block) bool {
	if x == e.finals {
		return false
	}
	if y == e.finals {
		return true
	}
	for {
		if x.t == y.t {
			return x.num < y.num
		}
		if y = y.parent; y == nil {
			return false
		}
		if x == y {
			return true
		}
	}
}

// lt is the condition that x is before y: by their clocks, then by their numbers.
func (e *ordered) lt(x, y *block) *bv.Term {
	switch {
	case e.before(x, y):
		return e.b.True
	case x == y || e.before(y, x):
		return e.b.False
	case x.num > y.num:
		return e.b.Not(e.lt(y, x))
	}
	k := [2]int{x.num, y.num}
	t := e.lts[k]
	if t == nil {
		t = e.b.Var(fmt.Sprintf("lt:%d:%d", x.num, y.num), 0)
		e.require(e.b.Eq(t, e.b.ULe(x.clock, y.clock)))
		e.lts[k] = t
	}
	return t
}

// sources are the blocks that may have written what bl finds in a cell.
func (e *ordered) sources(bl *block, c *cell) []*block {
	var out []*block
	for _, w := range e.writers[c] {
		if w != bl && !e.before(bl, w) {
			out = append(out, w)
		}
	}
	return out
}

// triples estimates the size of the formula.
func (e *ordered) triples() int {
	n := 0
	seen := map[*cell]int{}
	for _, bl := range e.blocks {
		here := map[*cell]bool{}
		for _, p := range bl.pos {
			for _, r := range p.reads {
				for _, tg := range r.targets {
					here[tg.c] = true
				}
			}
		}
		for c := range here {
			seen[c]++
		}
	}
	for c, k := range seen {
		n += (k + 1) * len(e.writers[c]) * len(e.writers[c])
	}
	return n
}

// find is what a block finds in a cell, where c holds.
func (e *ordered) find(bl *block, c *cell, need *bv.Term) *bv.Term {
	in := bl.in[c]
	if in == nil {
		in = &incoming{}
		if len(e.sources(bl, c)) == 0 {
			in.v = e.u.initial(c)
		} else {
			in.v = e.b.Var(fmt.Sprintf("in:%d:%d", bl.num, c.idx), c.width)
		}
		bl.in[c] = in
		bl.order = append(bl.order, c)
	}
	in.need = append(in.need, need)
	return in.v
}

// now is what a cell holds at a point of a block.
func (e *ordered) now(bl *block, c *cell, need *bv.Term) *bv.Term {
	w := bl.wrote[c]
	if w == e.b.True {
		return bl.out[c]
	}
	if w == nil {
		return e.find(bl, c, need)
	}
	return e.b.Ite(w, bl.out[c], e.find(bl, c, e.b.And(need, e.b.Not(w))))
}

// execute takes the steps of a block.
func (e *ordered) execute(bl *block) error {
	b := e.b
	for _, p := range bl.pos {
		if err := e.u.ctx.Err(); err != nil {
			return err
		}
		at := e.at(p, 0)
		if at == b.False {
			continue
		}
		for _, rd := range p.reads {
			if e.slice.keeps(rd) {
				e.read(bl, rd, at)
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
				if e.slice.cells[t.c] {
					e.write(bl, t, w.val, b.And(at, t.match))
				}
			}
		}
		if p.kind == posAbort || p.kind == posEnd && e.u.endsAll(p.thread) {
			e.last(bl, at)
		}
	}
	return nil
}

// read binds a read's variable where c holds.
func (e *ordered) read(bl *block, rd *read, c *bv.Term) {
	for _, t := range rd.targets {
		if m := e.b.And(c, t.match); m != e.b.False {
			v := e.b.Extract0(e.now(bl, t.c, m), t.lo, rd.v.Width)
			e.require(e.b.Implies(m, e.b.Eq(rd.v, v)))
		}
	}
}

func (e *ordered) write(bl *block, t target, v, c *bv.Term) {
	if c == e.b.False {
		return
	}
	b := e.b
	if v.Width < t.c.width { // the other bits stay as they are
		v = e.u.insert(e.now(bl, t.c, c), v, t.lo)
	}
	if old := bl.wrote[t.c]; old == nil {
		bl.wrote[t.c], bl.out[t.c] = c, v
	} else {
		bl.wrote[t.c], bl.out[t.c] = b.Or(old, c), b.Ite(c, v, bl.out[t.c])
	}
}

// last: where c holds, no thread takes a step after the block.
func (e *ordered) last(bl *block, c *bv.Term) {
	for _, o := range e.blocks {
		if o.t != bl.t {
			e.require(e.b.Or(e.b.Not(c), e.never(o.pos[0]), e.lt(o, bl)))
		}
	}
}

// finish binds what threads that have stopped would read, and keeps those that stop
// inside an atomic section last.
func (e *ordered) finish() {
	b := e.b
	for _, t := range e.u.threads {
		for _, p := range t.pos {
			s := e.stops(p)
			if s == b.False {
				continue
			}
			if len(p.reads) > 0 && (p.enabled != nil || len(p.checks) > 0 || p.maybe || p.invalid != nil || p.beyond != nil) {
				for _, rd := range p.reads {
					e.read(e.finals, rd, s)
				}
			}
			if !p.cut && p.poise && p.atomic && p.num > 0 {
				e.last(e.of[t.pos[p.num-1]], s)
			}
		}
	}
}

// receive says where what a block finds comes from.
func (e *ordered) receive(bl *block) error {
	b := e.b
	for _, c := range bl.order {
		if err := e.u.ctx.Err(); err != nil {
			return err
		}
		in := bl.in[c]
		src := e.sources(bl, c)
		if len(src) == 0 {
			continue
		}
		need := b.Or(in.need...)
		var any []*bv.Term
		for i, w := range src {
			wrote := w.wrote[c]
			if wrote == nil || wrote == b.False {
				continue
			}
			from := b.Var(fmt.Sprintf("from:%d:%d:%d", bl.num, c.idx, i), 0)
			any = append(any, from)
			e.require(b.Implies(from, wrote))
			e.require(b.Implies(from, e.lt(w, bl)))
			e.require(b.Implies(from, b.Eq(in.v, w.out[c])))
			for _, o := range src {
				if o == w || o.wrote[c] == nil {
					continue
				}
				e.require(b.Or(b.Not(from), b.Not(o.wrote[c]), e.lt(o, w), e.lt(bl, o)))
			}
		}
		first := b.Var(fmt.Sprintf("from:%d:%d:init", bl.num, c.idx), 0)
		any = append(any, first)
		e.require(b.Implies(first, b.Eq(in.v, e.u.initial(c))))
		for _, o := range src {
			if o.wrote[c] != nil {
				e.require(b.Or(b.Not(first), b.Not(o.wrote[c]), e.lt(bl, o)))
			}
		}
		e.require(b.Implies(need, b.Or(any...)))
	}
	return nil
}

// turns are the blocks of a model in their order.
func (e *ordered) turns(x *execution, holds func(*bv.Term) bool) {
	var taken []*block
	for _, bl := range e.blocks {
		for _, p := range bl.pos {
			if holds(e.at(p, 0)) {
				taken = append(taken, bl)
				break
			}
		}
	}
	clock := map[*block]uint64{}
	for _, bl := range taken {
		clock[bl] = x.value(bl.clock)
	}
	sort.SliceStable(taken, func(i, k int) bool { return clock[taken[i]] < clock[taken[k]] })
	for i, bl := range taken {
		if i+1 < len(taken) && taken[i+1].t == bl.t {
			continue // one turn
		}
		last := -1
		for _, p := range bl.pos {
			if holds(e.at(p, 0)) {
				last = p.num
			}
		}
		e.turn(x, bl.t, 0, last, holds)
	}
}
