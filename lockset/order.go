package lockset

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"whoop/alias"
	"whoop/diag"
	"whoop/ir"
)

// Locks that are taken in different orders may deadlock. The order is read off the code, without a solver: for each function, which locks it may hold where, those that it takes
// itself; then, for each entry, which others those that call it may hold. Locks are told apart by their regions only, so two orders that exclude each other, or are of different
// objects, are candidates all the same: bmc shows those that are real.

// edge: a lock is taken while another may be held.
type edge struct {
	entry        *ir.Entry
	held, wanted *alias.Region
	at, heldAt   ir.Pos
	fn           *ir.Func
}

// holding is which locks may be held, with a place where each was taken.
type holding map[*alias.Region]ir.Pos

// join adds the locks of o but for some; it reports whether there are new ones.
func (h holding) join(o holding, but map[*alias.Region]bool) bool {
	changed := false
	for r, p := range o {
		if _, ok := h[r]; !ok && !but[r] {
			h[r], changed = p, true
		}
	}
	return changed
}

// lockState is what a function has done to locks at a place: those that it may hold, taken by itself or by what it calls, and those that it has surely given back for its callers. A nil state is that of a
// place that is not reached.
type lockState struct {
	own      holding
	released map[*alias.Region]bool
}

func (s *lockState) clone() *lockState {
	return &lockState{maps.Clone(s.own), maps.Clone(s.released)}
}

// join makes s the state where either way leads; it reports whether that is another one.
func (s *lockState) join(o *lockState) bool {
	changed := s.own.join(o.own, nil)
	for r := range s.released {
		if !o.released[r] {
			delete(s.released, r)
			changed = true
		}
	}
	return changed
}

// lockSite is a lock operation or call, with the state before it.
type lockSite struct {
	fn *ir.Func
	in ir.Instr
	*lockState
}

// lockCode is what of the program has to do with locks: functions that lock or release something, or call such a one.
type lockCode struct {
	f *facts
	// blocks have the instructions that matter, in reverse postorder; sites are where something is taken or called.
	blocks map[*ir.Func][]lockBlock
	sites  map[*ir.Func][]lockSite
	// ends are the states in which functions return.
	ends map[*ir.Func]*lockState
}

// lockBlock is a block.
type lockBlock struct {
	b   *ir.Block
	ins []ir.Instr
}

// lockCode reads the program; when ctx ends it is not complete.
func (f *facts) lockCode(ctx context.Context) *lockCode {
	c := &lockCode{f: f, blocks: map[*ir.Func][]lockBlock{}, sites: map[*ir.Func][]lockSite{}, ends: map[*ir.Func]*lockState{}}
	callers := map[*ir.Func][]*ir.Func{}
	var work []*ir.Func
	seen := map[*ir.Func]bool{}
	add := func(g *ir.Func) {
		if !seen[g] {
			seen[g] = true
			work = append(work, g)
		}
	}
	for _, fn := range f.p.Funcs {
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ir.Lock, *ir.Unlock:
					add(fn)
				case *ir.Call:
					gs, _ := f.al.Callees(in)
					for _, g := range gs {
						callers[g] = append(callers[g], fn)
					}
				}
			}
		}
	}
	for i := 0; i < len(work); i++ {
		for _, fn := range callers[work[i]] {
			add(fn)
		}
	}
	for _, fn := range work {
		for _, b := range ir.RPO(fn) {
			lb := lockBlock{b: b}
			for _, in := range b.Instrs {
				switch in.(type) {
				case *ir.Lock, *ir.Unlock, *ir.Call:
					lb.ins = append(lb.ins, in)
				}
			}
			c.blocks[fn] = append(c.blocks[fn], lb)
		}
	}
	queued := maps.Clone(seen)
	for len(work) > 0 && ctx.Err() == nil {
		fn := work[0]
		work = work[1:]
		queued[fn] = false
		if !c.summarise(fn) {
			continue
		}
		for _, g := range callers[fn] {
			if !queued[g] {
				queued[g] = true
				work = append(work, g)
			}
		}
	}
	return c
}

// summarise goes through a function and notes its sites and the state in which it returns; it reports whether that has changed.
func (c *lockCode) summarise(fn *ir.Func) bool {
	blocks := c.blocks[fn]
	at := map[*ir.Block]*lockState{fn.Blocks[0]: {holding{}, map[*alias.Region]bool{}}}
	var end *lockState
	run := func(b lockBlock, note func(ir.Instr, *lockState)) *lockState {
		s := at[b.b]
		if s == nil {
			return nil
		}
		s = s.clone()
		for _, in := range b.ins {
			if note != nil {
				note(in, s)
			}
			if s = c.step(in, s); s == nil {
				return nil
			}
		}
		return s
	}
	for changed := true; changed; {
		changed = false
		for _, b := range blocks {
			s := run(b, nil)
			if s == nil {
				continue
			}
			for _, t := range b.b.Term.Succs() {
				if at[t] == nil {
					at[t], changed = s.clone(), true
				} else {
					changed = at[t].join(s) || changed
				}
			}
		}
	}
	c.sites[fn] = nil
	for _, b := range blocks {
		s := run(b, func(in ir.Instr, s *lockState) {
			if _, release := in.(*ir.Unlock); !release {
				c.sites[fn] = append(c.sites[fn], lockSite{fn, in, s.clone()})
			}
		})
		if _, returns := b.b.Term.(*ir.Return); s == nil || !returns {
			continue
		}
		if end == nil {
			end = s
		} else {
			end.join(s)
		}
	}
	old := c.ends[fn]
	if end == nil {
		return false
	}
	c.ends[fn] = end
	return old == nil || !maps.Equal(old.own, end.own) || !maps.Equal(old.released, end.released)
}

// maxTargets is how many regions a lock operation may be on: what is less clear says little about orders.
const maxTargets = 8

// locks are the regions that a lock operation may be on; nil where they are too many.
func (c *lockCode) locks(in ir.Instr) []*alias.Region {
	if rs := c.f.targets[in].regions; len(rs) <= maxTargets {
		return rs
	}
	return nil
}

// step is what an instruction does to a state; nil where it is not known to end.
func (c *lockCode) step(in ir.Instr, s *lockState) *lockState {
	switch i := in.(type) {
	case *ir.Lock:
		rs := c.locks(in)
		if ir.MadeUp(i.Class) || i.Class == ir.ClassLibrary && len(rs) > 1 { // of the lowering: nobody waits for it; of a library: its release is right after
			return s
		}
		for _, r := range rs {
			s.own[r] = i.Pos
			delete(s.released, r)
		}
	case *ir.Unlock:
		if ir.MadeUp(i.Class) {
			return s
		}
		for _, r := range c.locks(in) {
			if _, own := s.own[r]; own {
				delete(s.own, r)
			} else {
				s.released[r] = true
			}
		}
	case *ir.Call:
		fns, _ := c.f.al.Callees(i)
		var after *lockState
		for _, g := range fns {
			t := s
			if len(c.blocks[g]) > 0 {
				end := c.ends[g]
				if end == nil {
					continue
				}
				t = s.clone()
				maps.DeleteFunc(t.own, func(r *alias.Region, _ ir.Pos) bool { return end.released[r] })
				t.own.join(end.own, nil)
				for r := range end.released {
					t.released[r] = true
				}
			}
			if after == nil {
				after = t.clone()
			} else {
				after.join(t)
			}
		}
		if after != nil || len(fns) > 0 {
			return after
		}
	}
	return s
}

// lockEdges are the edges of an entry.
func (f *facts) lockEdges(ctx context.Context, code *lockCode, e *ir.Entry) []edge {
	inherited := map[*ir.Func]holding{}
	edges := map[[2]*alias.Region]edge{}
	work := slices.DeleteFunc(slices.Clone(f.reach[e]), func(fn *ir.Func) bool { return len(code.sites[fn]) == 0 })
	queued := map[*ir.Func]bool{}
	for _, fn := range work {
		inherited[fn], queued[fn] = holding{}, true
	}
	for len(work) > 0 && ctx.Err() == nil {
		fn := work[0]
		work = work[1:]
		queued[fn] = false
		for _, s := range code.sites[fn] {
			held := holding{}
			held.join(s.own, nil)
			held.join(inherited[fn], s.released)
			if len(held) == 0 {
				continue
			}
			switch in := s.in.(type) {
			case *ir.Lock:
				code.taken(edges, edge{entry: e, at: in.Pos, fn: fn}, in, held)
			case *ir.Call:
				fns, _ := f.al.Callees(in)
				for _, g := range fns {
					if inherited[g] != nil && inherited[g].join(held, nil) && !queued[g] {
						queued[g] = true
						work = append(work, g)
					}
				}
			}
		}
	}
	if ctx.Err() != nil {
		return nil
	}
	return slices.SortedFunc(maps.Values(edges), func(x, y edge) int {
		return cmp.Or(cmp.Compare(x.held.ID, y.held.ID), cmp.Compare(x.wanted.ID, y.wanted.ID))
	})
}

// taken notes that a lock is taken while others are held.
func (c *lockCode) taken(edges map[[2]*alias.Region]edge, x edge, in *ir.Lock, held holding) {
	if ir.MadeUp(in.Class) || in.Try {
		return
	}
	for _, want := range c.locks(in) {
		for r, where := range held {
			k := [2]*alias.Region{r, want}
			if _, known := edges[k]; !known && (r != want || !in.Recursive) {
				x.held, x.wanted, x.heldAt = r, want, where
				edges[k] = x
			}
		}
	}
}

// lockOrders are the pairs of locks, by their names, that two entries, which may run at the same time, take in different orders. When ctx ends,
// those that are found by then.
func (f *facts) lockOrders(ctx context.Context) []diag.LockOrder {
	edges := map[*ir.Entry][]edge{}
	code := f.lockCode(ctx)
	for _, e := range f.p.Entries {
		edges[e] = f.lockEdges(ctx, code, e)
	}
	var out []diag.LockOrder
	seen := map[[2]string]bool{}
	for i, a := range f.p.Entries {
		for _, b := range f.p.Entries[i:] {
			if a == b && !f.mh.Multi(a) {
				continue
			}
			if ok, _ := f.mh.Entries(a, b); !ok {
				continue
			}
			for _, x := range edges[a] {
				for _, y := range edges[b] {
					if x.held != y.wanted || x.wanted != y.held {
						continue
					}
					first, second := f.side(x), f.side(y)
					if seen[[2]string{first.Held, first.Wanted}] || seen[[2]string{first.Wanted, first.Held}] {
						continue
					}
					if ok, _ := f.mh.Parallel(a, nil, b, nil); !ok {
						continue
					}
					seen[[2]string{first.Held, first.Wanted}] = true
					out = append(out, diag.LockOrder{First: first, Second: second})
				}
			}
		}
	}
	return out
}

func (f *facts) side(x edge) diag.OrderSide {
	return diag.OrderSide{EntryPoint: x.entry.Name, Function: x.fn.Title(), Held: f.title(x.held.Name), Wanted: f.title(x.wanted.Name), HeldAt: x.heldAt, WantedAt: x.at}
}

// findOrders marks the lock functions of locks that the program does not have: those that only operations of class order are on.
func (l *locks) findOrders() {
	type op struct {
		in   ir.Instr
		addr ir.Expr
	}
	var orders, others []op
	for _, f := range l.f.p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ir.Lock:
					if ir.MadeUp(in.Class) {
						orders = append(orders, op{in, in.Lock})
					} else if in.Class != ir.ClassLibrary { // those lie in objects of their own types

						others = append(others, op{in, in.Lock})
					}
				case *ir.Once:
					others = append(others, op{in, in.Ctl})
				case *ir.SemWait:
					others = append(others, op{in, in.Sem})
				}
			}
		}
	}
	if len(orders) == 0 {
		return
	}
	for _, fn := range l.list {
		on := func(o op) bool { return l.f.affects(o.in, o.addr, fn) }
		fn.order = fn.pseudo == "" && slices.ContainsFunc(orders, on) && !slices.ContainsFunc(others, on)
		fn.owned = fn.pseudo == "" && slices.ContainsFunc(orders, func(o op) bool { return o.in.(*ir.Lock).Class == ir.ClassOwned && on(o) })
	}
}
