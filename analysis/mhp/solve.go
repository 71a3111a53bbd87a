package mhp

import (
	"whoop/ir"
)

// Effects of a site's events on the number of its living threads.
var (
	startOne  = fn{none, mid, top, top} // one thread with one handle
	startMore = fn{none, mid, mid, top} // one more thread of an array
	startAny  = fn{none, top, top, top} // a thread that no join is known to end
	endAll    = fn{none, low, low, low} // all threads have ended
	joinAll   = fn{none, low, low, top} // all threads with known handles have ended
	forget    = fn{none, low, top, top} // the handles are no longer known
)

// solve computes the summaries of one site.
func (w *world) solve(s *site) {
	if s.ch != nil || s.cell == nil {
		return
	}
	s.ch = newChain(w.cg, startAny)
	w.aloneEvents(s)
	if w.tainted(s) {
		s.ch.events[s.spawn] = startAny
		s.ch.solve()
		return
	}
	for _, in := range w.overwriters(s) {
		s.ch.events[in] = forget
	}
	for _, r := range s.watched {
		for _, in := range w.defs[r] {
			if in != s.stored {
				s.ch.events[in] = forget
			}
		}
	}
	s.ch.events[s.spawn] = startOne
	if s.array != nil && w.joinedInIteration(s) {
		s.ch.events[s.array.inc] = forget
	} else if s.array != nil {
		s.ch.events[s.spawn] = startMore
		w.loopEntry(s)
	}
	w.joinEvents(s)
	w.failure(s)
	w.invocations(s)
	s.ch.solve()
}

// aloneEvents adds the functions that are called when all threads have ended.
func (w *world) aloneEvents(s *site) {
	w.aloneFences(func(in ir.Instr) { s.ch.events[in] = endAll })
}

// aloneFences calls do for the instructions at which all threads have ended.
func (w *world) aloneFences(do func(ir.Instr)) {
	for _, f := range w.p.Funcs {
		if f.Alone && len(f.Blocks) > 0 && len(f.Blocks[0].Instrs) > 0 {
			if in, ok := f.Blocks[0].Instrs[0].(*ir.Fence); ok {
				do(in)
			}
		}
	}
}

// tainted reports whether joins of the site's threads cannot be trusted to leave nothing
// behind: the threads may leave threads of their own, or code elsewhere may change the
// handle.
func (w *world) tainted(s *site) bool {
	for _, t := range s.targets {
		if w.leaks(t) {
			return true
		}
	}
	for _, in := range w.overwriters(s) {
		if w.cg.fnOf(in) != s.fn {
			return true
		}
	}
	return len(s.targets) == 0 || !w.local(s.cell) && !w.runsOnce(s.fn)
}

// loopEntry forgets the handles of an earlier run of the loop that spawns an array of
// threads.
func (w *world) loopEntry(s *site) {
	h := s.array.loop.Head
	for _, p := range w.cg.cfg(s.fn).Preds[h] {
		if !s.array.loop.Contains(p) {
			s.ch.onEdge(p, h, forget)
		}
	}
}

// joinedInIteration reports whether the loop that spawns into t[i] also joins t[i], and
// if so treats the site as one with a single handle (that the change of the counter
// forgets).
func (w *world) joinedInIteration(s *site) bool {
	found := false
	for _, j := range w.joins {
		if j.array == s.array && *j.cell == *s.cell {
			s.ch.events[j.in] = joinAll
			found = true
		}
	}
	return found
}

// joinEvents adds the joins and joining loops that end the site's threads.
func (w *world) joinEvents(s *site) {
	for _, j := range w.joins {
		switch {
		case j.array == nil && s.array == nil:
			if *j.cell == *s.cell {
				s.ch.events[j.in] = joinAll
			}
		case j.array != nil && s.array != nil:
			if *j.cell == *s.cell && j.array.covers(s.array) && !j.array.loop.Contains(s.array.loop.Head) {
				s.ch.onEdge(j.array.loop.Head, j.array.exit, joinAll)
			}
		case j.array != nil:
			if j.reaches(s.cell) && !j.array.loop.Contains(s.block) {
				s.ch.onEdge(j.array.loop.Head, j.array.exit, joinAll)
			}
		}
	}
}

// reaches reports whether the joining loop joins the handle in the cell c, which has a
// constant offset.
func (j *join) reaches(c *cell) bool {
	lo, hi, ok := j.array.span()
	if !ok || c.idx != "" || c.direct || c.global != j.cell.global || c.reg != j.cell.reg ||
		c.via != j.cell.via || c.viaOff != j.cell.viaOff {
		return false
	}
	d := c.off - j.cell.off
	return j.cell.stride != 0 && d%j.cell.stride == 0 && d/j.cell.stride >= lo && d/j.cell.stride <= hi
}

// failure lowers the value where a branch right after the spawn shows that no thread was
// made.
func (w *world) failure(s *site) {
	br, ok := s.block.Term.(*ir.Branch)
	if !ok || s.spawn.OK == nil || s.array != nil || br.Then == br.Else || lastSpawn(s.block) != ir.Instr(s.spawn) {
		return
	}
	cond := w.expand(s.block, len(s.block.Instrs), br.Cond)
	r, made := w.result(s)
	if implies(cond, true, made, r) {
		s.ch.onEdge(s.block, br.Then, joinAll)
	}
	if implies(cond, false, made, r) {
		s.ch.onEdge(s.block, br.Else, joinAll)
	}
}

// result returns the register that tells whether the spawn worked, and the condition over
// it that says so: the return code of "assume eq(eq(rc, 0), ok)", or ok itself.
func (w *world) result(s *site) (*ir.Reg, ir.Expr) {
	instrs := s.block.Instrs
	for i := len(instrs) - 1; instrs[i] != ir.Instr(s.spawn); i-- {
		a, ok := instrs[i].(*ir.Assume)
		if !ok {
			continue
		}
		e, ok := a.Cond.(ir.Binary)
		if !ok || e.Op != "eq" {
			continue
		}
		made := e.X
		if u, ok := made.(ir.Use); ok && u.Reg == s.spawn.OK {
			made = e.Y
		} else if u, ok := e.Y.(ir.Use); !ok || u.Reg != s.spawn.OK {
			continue
		}
		if r := onlyReg(made); r != nil && !definedAfter(instrs[i:], r) && !definedAfter(instrs[i:], s.spawn.OK) {
			return r, made
		}
	}
	return s.spawn.OK, ir.Use{Reg: s.spawn.OK}
}

// onlyReg returns the register e reads if it is only one.
func onlyReg(e ir.Expr) *ir.Reg {
	var r *ir.Reg
	one := true
	ir.WalkExpr(e, func(x ir.Expr) bool {
		if u, ok := x.(ir.Use); ok {
			one = one && (r == nil || r == u.Reg)
			r = u.Reg
		}
		return true
	})
	if !one {
		return nil
	}
	return r
}

func definedAfter(instrs []ir.Instr, r *ir.Reg) bool {
	for _, in := range instrs {
		for _, d := range ir.Defs(in) {
			if d == r {
				return true
			}
		}
	}
	return false
}

func lastSpawn(b *ir.Block) ir.Instr {
	var last ir.Instr
	for _, in := range b.Instrs {
		switch in.(type) {
		case *ir.Spawn, *ir.Call, *ir.Once:
			last = in
		}
	}
	return last
}

// invocations forgets handles that belong to another invocation of the site's function.
func (w *world) invocations(s *site) {
	if _, _, numbers := spanOf(s.array); s.cell.owner != nil || s.array != nil && !numbers {
		s.ch.leave[s.fn] = forget
	}
	for _, in := range w.cg.sites[s.fn] {
		for _, g := range w.cg.callees[in] {
			if w.cg.reachable(g)[s.fn] {
				s.ch.around[in] = [2]fn{forget, forget}
			}
		}
	}
}

func spanOf(c *counted) (lo, hi int64, ok bool) {
	if c == nil {
		return 0, 0, false
	}
	return c.span()
}

// leak says whether a thread may leave threads it started alive when it ends.
type leak int

const (
	notAsked leak = iota
	asking
	leaves
	leavesNone
)

// leaks reports whether threads that e started may be alive when e has ended. Threads
// that start each other do.
func (w *world) leaks(e *ir.Entry) bool {
	if w.leaking[e] == notAsked {
		w.leaking[e] = asking
		w.leaking[e] = w.askLeaks(e)
	}
	return w.leaking[e] != leavesNone
}

func (w *world) askLeaks(e *ir.Entry) leak {
	if w.cg.opaque(e.Func) {
		return leaves
	}
	reach := w.cg.reachable(e.Func)
	for _, s := range w.sites {
		if !reach[s.fn] {
			continue
		}
		if w.leaksSite(e, s) {
			return leaves
		}
	}
	return leavesNone
}

func (w *world) leaksSite(e *ir.Entry, s *site) bool {
	for _, t := range s.targets {
		if w.leaks(t) {
			return true
		}
	}
	w.solve(s)
	if s.cell == nil {
		return w.plainRun(e).end.has(w.plain.bit[s.spawn])
	}
	return s.ch.run(e.Func, low).end >= mid
}
