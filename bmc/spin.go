package bmc

import (
	"whoop/ir"
	"whoop/smt/bv"
)

// An iteration of a loop that changes nothing need not be followed by another one: an
// execution in which the thread begins that iteration later, after the others' steps in
// between, goes through the same states for everyone. So waiting in a loop for what
// another thread does (while (!flag);) is complete with one iteration, the one that ends
// it. To change nothing is to come back to the loop's head with all registers that matter
// there and all memory of the thread as they were, and to have written no shared memory
// on this path.

// Where all executions are asked for, an iteration may take locks too, one after the
// other, if it releases them again (polling: lock, look, unlock): without it the others
// find these locks free more often, and nothing else. They may need more preemptions
// then, since a thread that waits for a lock is left for nothing. Programs that try locks
// see the difference, and those with locks of readers, or recursive ones, are not looked
// into.

// Where waiting is to release a mutex and to take it again (Options.Waits), two
// iterations in a row that do nothing else are one: the mutex is free in between, too. So
// the second of them is left out.

// spins is the condition that an edge back to a loop's head ends such an iteration.
func (x *exec) spins(a *agenda, o *order, from *visit, to *ir.Block, st *state) *bv.Term {
	no := x.b.False
	if st.guard == no {
		return no
	}
	path := o.path[to]
	i := len(path) - 1
	if from == nil || i < 0 || path[i].head != to {
		return no
	}
	fp := o.path[from.block]
	if len(fp) <= i || fp[i] != path[i] || !samePrefix(fp, path, i) {
		return no // it enters the loop
	}
	l := a.loops[loopID(from.key, i)]
	if l == nil || l.atomic != st.atomic {
		return no
	}
	info := x.stack[len(x.stack)-1].info
	as := x.b.True
	for _, r := range x.liveAt(info, to) {
		p, q := l.regs[r], st.regs[r]
		if p == q {
			continue
		}
		if p == nil || q == nil || p.Width != q.Width {
			return no
		}
		if as = x.b.And(as, x.b.Eq(p, q)); as == no {
			return no
		}
	}
	same := true
	mergeMaps(l.mem, st.mem, func(_ int, p, _ *bv.Term) *bv.Term {
		same = false
		return p
	})
	if !same {
		return no
	}
	if x.opt.Waits == nil {
		return x.b.And(as, x.silent(l.first, st, false))
	}
	quiet := x.silent(l.first, st, true)
	l.nextQuiet = x.b.Or(l.nextQuiet, x.b.And(st.guard, quiet))
	return x.b.And(as, x.b.Or(x.silent(l.first, st, false), x.b.And(quiet, l.quiet)))
}

// silent is the condition that the thread has changed nothing since a position, on the
// paths of st: what it wrote was there before. Waiting may be left out of account.
func (x *exec) silent(first int, st *state, waits bool) *bv.Term {
	b := x.b
	all := b.True
	held := map[*cell]*bv.Term{} // locks that the iteration has taken
	polls := x.opt.Unbounded && !x.feat.recursive && !x.feat.shared && !x.feat.try
	for _, p := range x.t.pos[first:] {
		if p.kind != posStep {
			return b.False
		}
		if waits && p.in != nil && x.opt.Waits(p.in) {
			continue
		}
		for _, w := range p.writes {
			for _, t := range w.targets {
				c := b.And(st.guard, p.guard, t.match)
				if c == b.False {
					continue
				}
				if polls && t.c.name == "owner" {
					all = b.And(all, x.polled(p, t, held))
					continue
				}
				old := p.readOf(b, t, w.val.Width, c)
				if old == nil {
					return b.False
				}
				all = b.And(all, b.Or(b.Not(b.And(p.guard, t.match)), b.Eq(old, w.val)))
			}
		}
	}
	for _, h := range held {
		all = b.And(all, b.Not(h))
	}
	return all
}

// polled notes that a lock is taken or released in an iteration: one at a time, and none
// that was taken before it.
func (x *exec) polled(p *event, t target, held map[*cell]*bv.Term) *bv.Term {
	b := x.b
	does := b.And(p.guard, t.match)
	was := held[t.c]
	if was == nil {
		was = b.False
	}
	switch p.in.(type) {
	case *ir.Lock:
		ok := b.True
		for _, h := range held {
			ok = b.And(ok, b.Not(b.And(does, h)))
		}
		held[t.c] = b.Or(was, does)
		return ok
	case *ir.Unlock:
		held[t.c] = b.And(was, b.Not(does))
		return b.Or(b.Not(does), was)
	}
	return b.False
}

// readOf is what a position reads from a place, where c holds; nil where it does not.
func (p *event) readOf(b *bv.Builder, t target, width int, c *bv.Term) *bv.Term {
	for _, r := range p.reads {
		for _, rt := range r.targets {
			if rt.c == t.c && rt.lo == t.lo && r.v.Width == width && b.And(c, b.Not(rt.match)) == b.False {
				return r.v
			}
		}
	}
	return nil
}

// liveAt are the registers, by their numbers, whose values at the head of a block may be
// read.
func (x *exec) liveAt(info *funcInfo, b *ir.Block) []int {
	if info.live == nil {
		info.live = liveness(x.stack[len(x.stack)-1].f, info)
	}
	return info.live[b]
}

// liveness finds the registers that are live at the head of each block.
func liveness(f *ir.Func, info *funcInfo) map[*ir.Block][]int {
	type sets struct{ use, def, live map[int]bool }
	of := map[*ir.Block]*sets{}
	for _, b := range f.Blocks {
		s := &sets{use: map[int]bool{}, def: map[int]bool{}, live: map[int]bool{}}
		of[b] = s
		uses := func(e ir.Expr) {
			ir.WalkExpr(e, func(e ir.Expr) bool {
				if u, ok := e.(ir.Use); ok {
					if n, own := info.reg[u.Reg]; own && !s.def[n] {
						s.use[n] = true
					}
				}
				return true
			})
		}
		for _, in := range b.Instrs {
			reads := ir.Operands(in)
			await, _ := in.(*ir.Await)
			if await != nil {
				reads = await.Addrs
			}
			for _, e := range reads {
				uses(e)
			}
			for _, r := range ir.Defs(in) {
				if n, own := info.reg[r]; own {
					s.def[n] = true
				}
			}
			if await != nil { // whose condition is about what it sets
				uses(await.Cond)
			}
		}
		for _, e := range ir.TermOperands(b.Term) {
			uses(e)
		}
		for n := range s.use {
			s.live[n] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for i := len(f.Blocks) - 1; i >= 0; i-- {
			s := of[f.Blocks[i]]
			for _, t := range succs(f.Blocks[i]) {
				for n := range of[t].live {
					if !s.def[n] && !s.live[n] {
						s.live[n], changed = true, true
					}
				}
			}
		}
	}
	out := map[*ir.Block][]int{}
	for b, s := range of {
		for n := range s.live {
			out[b] = append(out[b], n)
		}
	}
	return out
}
