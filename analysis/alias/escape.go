package alias

import "whoop/ir"

// markShared finds the objects that two threads may reach: globals, what is handed to
// threads, callbacks and code not seen, and all that is reachable from these.
// Thread-local globals are shared only where their address gets there.
func (s *solver) markShared() {
	var work []*object
	visit := func(c int32) {
		if c < numSpecial {
			return
		}
		if o := s.cells[c].obj; !o.Shared && o.Kind != KindFunc {
			o.Shared = true
			work = append(work, o)
		}
	}
	for _, o := range s.objs {
		if o.Kind == KindGlobal && !o.Global.ThreadLocal || o.Kind == KindExtern && !o.private {
			visit(s.cellAt(o, 0))
		}
	}
	s.pts(s.shareRoot).each(visit)
	s.pts(s.leak).each(visit)
	s.pts(s.shown).each(visit)
	for len(work) > 0 {
		o := work[0]
		work = work[1:]
		s.eachContentSet(o, func(t *set) { t.each(visit) })
	}
}

// markSingle finds the allocations that are executed at most once: in functions that run
// once, outside loops.
func (s *solver) markSingle() {
	once := s.onceFuncs()
	for _, o := range s.objs {
		if o.Alloc != nil {
			o.Single = s.runsOnce(o.Alloc, o.ctx, once)
		}
	}
}

// runsOnce tells whether an instruction in a context is executed at most once.
func (s *solver) runsOnce(in ir.Instr, ctx int32, once map[*ir.Func]bool) bool {
	f := s.fnOf[in]
	if f == nil || inLoop(f, in) {
		return false
	}
	if ctx == 0 {
		return once[f]
	}
	return s.runsOnce(s.ctxs[ctx].call, s.ctxs[ctx].parent, once)
}

// onceFuncs returns the functions that run at most once: main and init, and what is
// called (or spawned) at one place outside a loop in such a function and nowhere else.
func (s *solver) onceFuncs() map[*ir.Func]bool {
	type site struct {
		fn *ir.Func
		in ir.Instr
	}
	sites := map[*ir.Func][]site{}
	for _, in := range s.callOrder() {
		for _, f := range s.callees[in].fns {
			sites[f] = append(sites[f], site{s.fnOf[in], in})
		}
	}
	entry := map[*ir.Func]int{}
	for _, e := range s.prog.Entries {
		if e.Func == nil {
			continue
		}
		switch {
		case (e.Kind == "main" || e.Kind == "init") && !e.Multi && !e.Spawned:
			entry[e.Func]++
		case !e.Spawned:
			entry[e.Func] += 2
		}
	}
	once := map[*ir.Func]bool{}
	for changed := true; changed; {
		changed = false
		for _, f := range s.reached {
			ok := len(sites[f])+entry[f] == 1 && !s.leakedFunc(f)
			if ok && len(sites[f]) == 1 {
				x := sites[f][0]
				_, reg := x.in.(*ir.Register)
				ok = !reg && once[x.fn] && !inLoop(x.fn, x.in)
			}
			if ok && !once[f] {
				once[f], changed = true, true
			}
		}
	}
	return once
}

// leakedFunc tells whether code not seen may call f.
func (s *solver) leakedFunc(f *ir.Func) bool {
	o := s.funcs[f]
	return o != nil && s.pts(s.leak).has(s.cellAt(o, 0))
}

// callOrder returns the instructions with callees in the order of the program.
func (s *solver) callOrder() []ir.Instr {
	var out []ir.Instr
	for _, f := range s.reached {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if s.callees[in] != nil {
					out = append(out, in)
				}
			}
		}
	}
	return out
}

// inLoop tells whether the block of an instruction lies on a cycle.
func inLoop(f *ir.Func, in ir.Instr) bool {
	for _, b := range f.Blocks {
		for _, x := range b.Instrs {
			if x == in {
				return reaches(b, b)
			}
		}
	}
	return true
}

// reaches tells whether there is a non-empty path between two blocks.
func reaches(from, to *ir.Block) bool {
	seen := map[*ir.Block]bool{}
	work := []*ir.Block{from}
	for len(work) > 0 {
		b := work[0]
		work = work[1:]
		if b.Term == nil {
			continue
		}
		for _, n := range b.Term.Succs() {
			if n == to {
				return true
			}
			if !seen[n] {
				seen[n] = true
				work = append(work, n)
			}
		}
	}
	return false
}
