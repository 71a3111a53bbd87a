package bmc

import (
	"slices"
	"sort"
	"strings"

	"whoop/ir"
	"whoop/smt/bv"
)

// goal is something bad that a final state may be.
type goal struct {
	kind, tag, msg string
	cond           *bv.Term
	p, q           *event // where; q is the other access of a race
	at             ir.Pos // where p is nil: in thread 0, before there are others
	// alts are the positions of a race's accesses, of several pairs of threads perhaps,
	// each with its own condition.
	alts []alternative
}

type alternative struct {
	cond *bv.Term
	p, q *event
}

// sure reports whether both accesses of a race are made for sure.
func (g *goal) sure() bool { return g.kind != "race" || !perhaps(g.p.in) && !perhaps(g.q.in) }

// perhaps reports whether it is not known that an instruction makes each of its accesses.
func perhaps(in ir.Instr) bool {
	t, ok := in.(*ir.Touch)
	return ok && t.Perhaps
}

// goals are all that the properties ask for, in a fixed order.
func (e *encoding) goals() []goal {
	out := e.conditions()
	running := e.running()
	for i := range out {
		out[i].cond = e.b.And(running, out[i].cond)
	}
	return out
}

// running is the condition that the program has not ended: where it has, nothing more can
// happen.
func (e *encoding) running() *bv.Term {
	var over []*bv.Term
	for _, t := range e.u.threads {
		for _, p := range t.pos {
			if p.kind == posAbort || p.kind == posEnd && e.u.endsAll(t) {
				over = append(over, e.b.And(e.b.Not(e.never(p)), p.guard))
			}
		}
	}
	return e.b.Not(e.b.Or(over...))
}

func (e *encoding) conditions() []goal {
	var out []goal
	for _, t := range e.u.threads {
		for _, p := range t.pos {
			for _, c := range p.checks {
				kind := c.kind
				if kind == "assert" {
					kind = kindOf(c.tag)
				}
				if !e.u.opt.wants(kind) {
					continue
				}
				if s := e.b.And(e.stops(p), c.bad); s != e.b.False {
					out = append(out, goal{kind: kind, tag: c.tag, msg: c.msg, cond: s, p: p})
				}
			}
		}
	}
	if e.u.opt.wants("memory") {
		for _, i := range e.u.invalid {
			if i.memory && i.cond != e.b.False {
				out = append(out, goal{kind: "memory", cond: i.cond, at: i.at})
			}
		}
		for _, t := range e.u.threads {
			for _, p := range t.pos {
				if p.memory && p.invalid != nil {
					if s := e.b.And(e.stops(p), p.invalid); s != e.b.False {
						out = append(out, goal{kind: "memory", cond: s, p: p})
					}
				}
			}
		}
	}
	if e.u.opt.wants("race") {
		out = append(out, e.races()...)
	}
	for _, kind := range []string{"deadlock", Leak} {
		if e.u.opt.wants(kind) {
			if g := e.deadlock(kind); g.cond != e.b.False {
				out = append(out, g)
			}
		}
	}
	return out
}

// kindOf is the kind of bug that a failing assertion is, by its tag.
func kindOf(tag string) string {
	switch tag {
	case "reach_error", "panic", "overflow", "overflow-unclear", "memcleanup", "memcleanup-unclear":
		return tag
	}
	return "assert"
}

// wants reports whether a kind of bug is looked for: where nothing is said, all but invalid accesses to memory, and what may be a bug or not.
func (o *Options) wants(kind string) bool {
	return o.Properties == nil && kind != "memory" && kind != Leak && !strings.HasSuffix(kind, "-unclear") || o.Properties[kind]
}

// endless reports whether a thread that cannot take a step never will, if the other
// threads of the harness do not let it. In a driver, other entry points may signal what
// it waits for; nobody but the holder releases a lock.
func (u *unrolling) endless(in ir.Instr) bool {
	switch in.(type) {
	case *ir.SemWait, *ir.CondWait, *ir.BarrierWait, *ir.Await:
		return u.main
	}
	return true
}

// Leak is the kind of a bug that a goroutine blocks for good when main has returned.
const Leak = "goroutine-leak"

// endsAll reports whether the end of a thread is that of the program.
func (u *unrolling) endsAll(t *thread) bool { return u.main && !u.stays && t.num == 0 }

// deadlock: every thread has ended, does not exist, or blocks; one blocks that exists,
// and the program has not ended. Of a leak, main has returned, which ends nothing else.
func (e *encoding) deadlock(kind string) goal {
	b := e.b
	all, some := b.True, b.False
	for _, t := range e.u.threads {
		if len(t.pos) == 0 {
			continue
		}
		over := b.Not(e.never(t.pos[len(t.pos)-1]))
		if t.end < 0 {
			over = b.False
		} else {
			over = b.Not(e.never(t.pos[t.end]))
		}
		absent, stuck, waits := b.False, b.False, b.False
		for _, p := range t.pos {
			if p.enabled == nil {
				continue
			}
			s := b.And(e.stops(p), b.Not(p.enabled(func(i int) *bv.Term { return p.reads[i].v })))
			if _, ok := p.in.(*ir.Unregister); p.kind == posStart {
				absent = s
			} else if ok { // for a handler, which is what blocks then
				waits = b.Or(waits, s)
			} else if e.u.endless(p.in) {
				stuck = b.Or(stuck, s)
			}
		}
		if e.u.endsAll(t) {
			over = b.False // then it is the end of the program
		}
		if kind == Leak && t.num == 0 {
			all = b.And(all, over)
			continue
		}
		all = b.And(all, b.Or(over, absent, stuck, waits))
		some = b.Or(some, stuck)
	}
	return goal{kind: kind, cond: b.And(all, some)}
}

// poised is an access of a cell's bits that a thread may stop before.
type poised struct {
	p      *event
	lo, hi int
	write  bool
	cond   *bv.Term
}

// races: two threads stop before accesses to overlapping bytes of which one is a write,
// not both atomic.
func (e *encoding) races() []goal {
	b := e.b
	by := map[*cell][]poised{}
	for _, t := range e.u.threads {
		for _, p := range t.pos {
			if p.ac == nil || !p.cut && !p.poise || e.u.opt.NoRace != nil && e.u.opt.NoRace(p.in) {
				continue
			}
			s := e.stops(p)
			if p.enabled != nil { // who waits accesses nothing
				s = b.And(s, p.enabled(func(i int) *bv.Term { return p.reads[i].v }))
			}
			if p.invalid != nil { // nor does who is about to access what is not there
				s = b.And(s, b.Not(p.invalid))
			}
			if s == b.False {
				continue
			}
			for _, a := range p.ac.touches {
				for _, tg := range a.targets {
					if tg.c.name == "" {
						by[tg.c] = append(by[tg.c], poised{p, tg.lo, tg.lo + a.width, a.write, b.And(s, tg.match)})
					}
				}
			}
		}
	}
	type pair struct{ x, y ir.Instr }
	found := map[pair]*goal{}
	var order []pair
	for _, c := range e.u.w.cells {
		ps := by[c]
		for i, x := range ps {
			for _, y := range ps[i+1:] {
				if x.p.thread == y.p.thread || !x.write && !y.write || x.hi <= y.lo || y.hi <= x.lo || e.together(x.p, y.p) {
					continue
				}
				cond := b.And(x.cond, y.cond)
				if cond == b.False || e.u.opt.Known != nil && e.u.opt.Known(x.p.in, y.p.in) {
					continue
				}
				alt := alternative{cond, x.p, y.p}
				k := pair{x.p.in, y.p.in}
				if found[pair{y.p.in, x.p.in}] != nil {
					k = pair{y.p.in, x.p.in}
				}
				if g := found[k]; g != nil {
					g.alts = append(g.alts, alt)
				} else {
					found[k] = &goal{kind: "race", p: x.p, q: y.p, alts: []alternative{alt}}
					order = append(order, k)
				}
			}
		}
	}
	out := make([]goal, 0, len(order))
	for _, k := range order {
		g := found[k]
		var any []*bv.Term
		for _, a := range g.alts {
			any = append(any, a.cond)
		}
		g.cond = b.Or(any...)
		out = append(out, *g)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].p.at.Less(out[j].p.at) })
	return out
}

// together reports whether two accesses never race: both are atomic, or in atomic
// sections, or one is the kernel's to its own objects.
func (e *encoding) together(x, y *event) bool {
	return x.ac.core || y.ac.core || x.ac.atomic && y.ac.atomic || x.inSection() && y.inSection()
}

// inSection reports whether an access belongs to an atomic section; the reads of an Await
// belong to the one that it begins.
func (p *event) inSection() bool {
	_, await := p.in.(*ir.Await)
	return p.atomic || await
}

// ending is the condition that a thread gets to where executions are not followed any
// more.
type ending struct {
	cond *bv.Term
	at   *limit
}

// incomplete are the conditions that threads get to bounds of the unrolling, or to what
// is not followed.
func (e *encoding) incomplete() []ending {
	var out []ending
	for _, t := range e.u.threads {
		for _, p := range t.pos {
			if p.kind != posLimit && p.beyond == nil {
				continue
			}
			c := e.stops(p)
			if p.beyond != nil {
				c = e.b.And(c, p.beyond)
			}
			if c != e.b.False {
				out = append(out, ending{c, p.limit})
			}
		}
	}
	return out
}

// undefined are the conditions of undefined behaviour, with its places: executions end
// there, and what they would do is not known.
func (e *encoding) undefined() []invalidity {
	var out []invalidity
	for _, i := range e.u.invalid {
		if i.cond != e.b.False {
			out = append(out, i)
		}
	}
	for _, t := range e.u.threads {
		for _, p := range t.pos {
			if p.invalid == nil {
				continue
			}
			if c := e.b.And(e.stops(p), p.invalid); c != e.b.False {
				out = append(out, invalidity{cond: c, at: p.at, memory: p.memory})
			}
		}
	}
	return append(out, e.torn()...)
}

// torn are the conditions under which a thread accesses what another one copies or fills:
// a copy of several cells is one step here, and others may see half of it.
func (e *encoding) torn() []invalidity {
	if !slices.ContainsFunc(e.u.threads, func(t *thread) bool { return slices.ContainsFunc(t.pos, severalCells) }) {
		return nil
	}
	var out []invalidity
	for _, g := range e.races() {
		for _, a := range g.alts {
			for _, p := range []*event{a.p, a.q} {
				if severalCells(p) {
					out = append(out, invalidity{cond: a.cond, at: p.at, torn: true})
				}
			}
		}
	}
	return out
}

// severalCells reports whether a position copies or fills more than one cell.
func severalCells(p *event) bool {
	switch p.in.(type) {
	case *ir.MemCopy, *ir.MemSet:
	default:
		return false
	}
	if p.ac == nil {
		return false
	}
	reads, writes := 0, 0
	for _, t := range p.ac.touches {
		if t.write {
			writes++
		} else {
			reads++
		}
	}
	return reads > 1 || writes > 1
}

// full is the condition that an execution needs all the rounds: no round is idle, and no
// turn could have been taken in the round before.
func (e *encoding) full() *bv.Term {
	b := e.b
	n := len(e.u.threads)
	all := b.True
	for r := 1; r < e.k; r++ {
		// Some thread t runs first in round r, and a thread after t ran in round r-1.
		idle, ok := b.True, b.False
		after := make([]*bv.Term, n+1)
		after[n] = b.False
		for t := n - 1; t >= 0; t-- {
			after[t] = b.Or(after[t+1], e.busy[r-1][t])
		}
		for t := range n {
			ok = b.Or(ok, b.And(idle, e.busy[r][t], after[t+1]))
			idle = b.And(idle, b.Not(e.busy[r][t]))
		}
		all = b.And(all, ok)
	}
	return all
}
