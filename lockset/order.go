package lockset

import (
	"context"
	"maps"
	"slices"
	"sort"

	"whoop/alias"
	"whoop/diag"
	"whoop/ir"
)

// Locks that are taken in different orders may deadlock. For each entry the order is read off its code: a forward pass over
// which locks may be held, through calls, without a solver. Locks are told apart by their regions only, so two orders that
// exclude each other, or are of different objects, are candidates all the same: bmc shows those that are real.

// edge: a lock is taken while another may be held.
type edge struct {
	entry        *ir.Entry
	held, wanted *alias.Region
	at, heldAt   ir.Pos
	fn           *ir.Func
}

// holding is which locks may be held, with a place where each was taken.
type holding map[*alias.Region]ir.Pos

func (h holding) join(o holding) bool {
	changed := false
	for r, p := range o {
		if _, ok := h[r]; !ok {
			h[r], changed = p, true
		}
	}
	return changed
}

// orderPass finds the edges of an entry.
type orderPass struct {
	f     *facts
	e     *ir.Entry
	in    map[*ir.Func]holding // held by callers
	out   map[*ir.Func]holding // may be held at a return
	dirty bool
	edges map[[2]*alias.Region]edge
	code  *lockCode
}

// lockCode is what of the program has to do with locks: functions that lock or release something, or call such a one, with these instructions of their blocks.
type lockCode struct {
	funcs map[*ir.Func][]lockBlock
}

// lockBlock is a block, in reverse postorder.
type lockBlock struct {
	b   *ir.Block
	ins []ir.Instr
}

func (f *facts) lockCode() *lockCode {
	c := &lockCode{funcs: map[*ir.Func][]lockBlock{}}
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
	for len(work) > 0 {
		g := work[0]
		work = work[1:]
		for _, fn := range callers[g] {
			add(fn)
		}
	}
	for _, fn := range f.p.Funcs {
		if !seen[fn] {
			continue
		}
		for _, b := range ir.RPO(fn) {
			lb := lockBlock{b: b}
			for _, in := range b.Instrs {
				switch in.(type) {
				case *ir.Lock, *ir.Unlock, *ir.Call:
					lb.ins = append(lb.ins, in)
				}
			}
			c.funcs[fn] = append(c.funcs[fn], lb)
		}
	}
	return c
}

// maxTargets is how many regions a lock operation may be on: what is less clear says little about orders.
const maxTargets = 8

// locks are the regions that a lock operation may be on; nil where they are too many.
func (p *orderPass) locks(in ir.Instr) []*alias.Region {
	if rs := p.f.targets[in].regions; len(rs) <= maxTargets {
		return rs
	}
	return nil
}

func (f *facts) lockEdges(ctx context.Context, code *lockCode, e *ir.Entry) []edge {
	p := &orderPass{f: f, e: e, code: code, in: map[*ir.Func]holding{}, out: map[*ir.Func]holding{}, edges: map[[2]*alias.Region]edge{}}
	for p.dirty = true; p.dirty; {
		p.dirty = false
		if ctx.Err() != nil {
			return nil
		}
		for _, fn := range f.reach[e] {
			p.fn(fn)
		}
	}
	var out []edge
	for _, x := range p.edges {
		out = append(out, x)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].held.ID != out[j].held.ID {
			return out[i].held.ID < out[j].held.ID
		}
		return out[i].wanted.ID < out[j].wanted.ID
	})
	return out
}

func (p *orderPass) fn(fn *ir.Func) {
	blocks := p.code.funcs[fn]
	if len(blocks) == 0 {
		return
	}
	if p.in[fn] == nil {
		p.in[fn], p.out[fn] = holding{}, holding{}
	}
	at := map[*ir.Block]holding{}
	for _, b := range blocks {
		at[b.b] = holding{}
	}
	at[fn.Blocks[0]].join(p.in[fn])
	for changed := true; changed; {
		changed = false
		for _, b := range blocks {
			h := maps.Clone(at[b.b])
			for _, in := range b.ins {
				p.step(fn, in, h)
			}
			succs := b.b.Term.Succs()
			for _, s := range succs {
				changed = at[s].join(h) || changed
			}
			if len(succs) == 0 && p.out[fn].join(h) {
				p.dirty = true
			}
		}
	}
}

// step is what an instruction does to the locks that may be held.
func (p *orderPass) step(fn *ir.Func, in ir.Instr, h holding) {
	switch i := in.(type) {
	case *ir.Lock:
		if ir.MadeUp(i.Class) { // of the lowering: nobody waits for it
			return
		}
		for _, want := range p.locks(in) {
			for held, where := range h {
				k := [2]*alias.Region{held, want}
				if _, known := p.edges[k]; !known && !i.Try && (held != want || !i.Recursive) {
					p.edges[k] = edge{p.e, held, want, i.Pos, where, fn}
				}
			}
		}
		rs := p.locks(in)
		if i.Class == ir.ClassLibrary && len(rs) > 1 { // its release, right after, would not end that
			return
		}
		for _, r := range rs {
			h[r] = i.Pos
		}
	case *ir.Unlock:
		if rs := p.f.targets[in].regions; len(rs) == 1 {
			delete(h, rs[0])
		}
	case *ir.Call:
		fns, _ := p.f.al.Callees(i)
		for _, g := range fns {
			if len(p.code.funcs[g]) == 0 {
				continue
			}
			if p.in[g] == nil {
				p.in[g], p.out[g] = holding{}, holding{}
			}
			if p.in[g].join(h) {
				p.dirty = true
			}
			h.join(p.out[g])
		}
	}
}

// lockOrders are the pairs of locks that two entries, which may run at the same time, take in different orders. When ctx ends,
// those that are found by then.
func (f *facts) lockOrders(ctx context.Context) []diag.LockOrder {
	edges := map[*ir.Entry][]edge{}
	code := f.lockCode()
	for _, e := range f.p.Entries {
		edges[e] = f.lockEdges(ctx, code, e)
	}
	var out []diag.LockOrder
	seen := map[[2]*alias.Region]bool{}
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
					if x.held != y.wanted || x.wanted != y.held || seen[[2]*alias.Region{x.held, x.wanted}] || seen[[2]*alias.Region{x.wanted, x.held}] {
						continue
					}
					if ok, _ := f.mh.Parallel(a, nil, b, nil); !ok {
						continue
					}
					seen[[2]*alias.Region{x.held, x.wanted}] = true
					out = append(out, diag.LockOrder{First: f.side(x), Second: f.side(y)})
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
