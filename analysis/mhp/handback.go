package mhp

import (
	"slices"

	"whoop/ir"
)

// Ended is what a join in a loop says of the thread that it waits for: it is the one that
// was started in the iteration of another loop with the same number.
type Ended struct {
	join *ir.Join
	// Entry is what it ran.
	Entry *ir.Entry
	// Arg is the first argument that the thread got: registers of the join's function as
	// they are at the join, where Fixed are those but for the loop's counter, each
	// defined once.
	Arg   ir.Expr
	Fixed []*ir.Reg
	// Counter is that of the join's loop; Step is the instruction that changes it.
	Counter *ir.Reg
	Step    ir.Instr
	// Lo and Hi are the first and last value of the counter for which there is such a
	// thread, where Bounded; otherwise there is one in each iteration.
	Lo, Hi  int64
	Bounded bool
}

// Ended says which thread main, which the entry is, has waited for behind a join that is
// in a loop: t[i] that a loop before it has started. nil: not known. A thread that starts
// others, or was started where the handles may be written by something else, is none of
// them.
func (r *Result) Ended(e *ir.Entry, in *ir.Join) *Ended {
	return r.ended[placed{e, in}]
}

// Keeps reports whether threads of an entry hand on nothing that they got: they start no
// threads and register nothing.
func (r *Result) Keeps(e *ir.Entry) bool { return r.keeps[e] }

// findEnded matches the joins in loops with the sites that start one thread for each
// value of a counter.
func (r *Result) findEnded(w *world) {
	r.ended, r.keeps = map[placed]*Ended{}, map[*ir.Entry]bool{}
	for _, e := range w.p.Entries {
		r.keeps[e] = e.Spawned && len(w.sites) > 0 && !w.startsOthers(e)
	}
	for _, e := range w.p.Entries {
		if !isMain(e) || r.spawners[e].opaque {
			continue
		}
		for _, s := range r.spawners[e].sites {
			if !w.numbered(s) || !r.keeps[s.targets[0]] || !r.othersApart(w, e, s) {
				continue
			}
			var js []*join
			var ds []*Ended
			for _, j := range w.joins {
				if j.array == nil || j.array == s.array || *j.cell != *s.cell || !j.array.beforeInc(j.block, w.indexOf[j.in]) {
					continue
				}
				js = append(js, j)
				if d := w.sameIteration(s.site, j); d != nil && s.vals.at(j.in) <= mid {
					ds = append(ds, d)
				}
			}
			if len(ds) == 0 {
				continue
			}
			fresh := w.fresh(s.site, js).run(e.Func, top)
			for _, d := range ds {
				if fresh.at(d.join) == mid {
					r.ended[placed{e, d.join}] = d
				}
			}
		}
	}
}

// numbered reports whether a site starts threads of one entry, and keeps their handles in
// an array that has one place.
func (w *world) numbered(s *spawnerSite) bool {
	return s.array != nil && s.cell != nil && s.cell.via == nil && len(s.targets) == 1 && s.vals.at(s.spawn) <= mid &&
		!slices.ContainsFunc(s.watched, func(r *ir.Reg) bool { return !w.setOnce(s.fn, r) })
}

// othersApart reports whether the places of a site's handles have none of a thread that
// another site has started: nothing else writes them, or all other threads have ended
// when the site starts its own.
func (r *Result) othersApart(w *world, e *ir.Entry, s *spawnerSite) bool {
	if len(w.overwriters(s.site)) == 0 {
		return true
	}
	return !slices.ContainsFunc(r.spawners[e].sites, func(o *spawnerSite) bool { return o != s && o.vals.at(s.spawn) > low })
}

// fresh says where the handles of a site are those of the last run of its loop: mid is
// behind the loop's start, where nothing else has written them and no loop has joined
// them all; everything else is top.
func (w *world) fresh(s *site, js []*join) *chain {
	stale, begin := fn{none, top, top, top}, fn{none, mid, mid, mid}
	c := newChain(w.cg, stale)
	for _, in := range w.overwriters(s) {
		c.events[in] = stale
	}
	for _, p := range w.cg.cfg(s.fn).Preds[s.array.loop.Head] {
		if !s.array.loop.Contains(p) {
			c.onEdge(p, s.array.loop.Head, begin)
		}
	}
	for _, j := range js {
		c.onEdge(j.array.loop.Head, j.array.exit, stale)
	}
	if s.cell.owner != nil || len(w.registers(s)) > 0 {
		c.leave[s.fn] = stale
	}
	for _, in := range w.cg.sites[s.fn] {
		for _, g := range w.cg.callees[in] {
			if w.cg.reachable(g)[s.fn] {
				c.around[in] = [2]fn{stale, stale}
			}
		}
	}
	c.solve()
	return c
}

// registers are those that the first argument of a site's threads is made of, but for the
// loop's counter.
func (w *world) registers(s *site) []*ir.Reg {
	var out []*ir.Reg
	if len(s.spawn.Args) > 0 {
		ir.WalkExpr(w.expand(s.block, w.indexOf[s.spawn], s.spawn.Args[0]), func(e ir.Expr) bool {
			if u, ok := e.(ir.Use); ok && u.Reg != s.array.counter && !slices.Contains(out, u.Reg) {
				out = append(out, u.Reg)
			}
			return true
		})
	}
	return out
}

// startsOthers reports whether a thread may start threads, or register what may run, and
// so hand on what it got.
func (w *world) startsOthers(e *ir.Entry) bool {
	found := w.cg.opaque(e.Func)
	for f := range w.cg.reachable(e.Func) {
		for in := range f.Instrs() {
			switch in.(type) {
			case *ir.Spawn, *ir.Register, *ir.Unregister:
				found = true
			}
		}
	}
	return found
}

// setOnce reports whether a register has one value for as long as a call of a function
// lasts, from one instruction outside of loops.
func (w *world) setOnce(f *ir.Func, r *ir.Reg) bool {
	ds := w.defs[r]
	return len(ds) == 1 && w.cg.fnOf(ds[0]) == f && w.innermost(f, w.cg.blockOf(ds[0])) == nil
}

// sameIteration is what a join says of the site's threads.
func (w *world) sameIteration(s *site, j *join) *Ended {
	at := w.indexOf[s.spawn]
	if len(s.spawn.Args) == 0 || !s.array.beforeInc(s.block, at) {
		return nil
	}
	d := &Ended{join: j.in, Entry: s.targets[0], Counter: j.array.counter, Step: j.array.inc, Fixed: w.registers(s)}
	lo, hi, ok := s.array.span()
	lo2, hi2, ok2 := j.array.span()
	switch {
	case ok && (!ok2 || lo2 < lo || hi2 > hi):
		d.Lo, d.Hi, d.Bounded = lo, hi, true
	case !ok && (!j.array.covers(s.array) || !ir.Equal(s.array.counter.Type, j.array.counter.Type)):
		return nil
	}
	from, to := s.array.counter, ir.Expr(ir.Use{Reg: j.array.counter})
	if !ir.Equal(from.Type, d.Counter.Type) {
		to = ir.Cast{X: to, T: from.Type}
	}
	if len(d.Fixed) > 0 && (j.fn != s.fn || slices.ContainsFunc(d.Fixed, func(r *ir.Reg) bool { return !w.setOnce(s.fn, r) })) {
		return nil
	}
	counts := false
	d.Arg = ir.MapExpr(w.expand(s.block, at, s.spawn.Args[0]), func(e ir.Expr) ir.Expr {
		if u, ok := e.(ir.Use); ok && u.Reg == from {
			counts = true
			return to
		}
		return e
	})
	if !counts {
		return nil
	}
	return d
}

// Alone reports whether no thread but main's, which the entry is, can be alive when it
// executes an instruction: none has been started yet, or all have ended.
func (r *Result) Alone(e *ir.Entry, in ir.Instr) bool {
	sp := r.spawners[e]
	if !isMain(e) || sp.opaque || len(r.roots) != 1 || r.roots[0] != e {
		return false
	}
	return !slices.ContainsFunc(sp.sites, func(s *spawnerSite) bool { return s.alive(in) })
}
