package lockset

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"whoop/analysis/alias"
	"whoop/diag"
	"whoop/ir"
)

// Locks that are taken in different orders may deadlock. The order is read off the code,
// without a solver: for each function, which locks it may hold where, those that it takes
// itself; then, for each entry, which others those that call it may hold. Locks are told
// apart by their regions only, so two orders that exclude each other, or are of different
// objects, are candidates all the same: bmc shows those that are real.

// edge: a lock is taken while another may be held.
type edge struct {
	entry        *ir.Entry
	held, wanted *alias.Region
	at, heldAt   ir.Pos
	fn           *ir.Func
}

// lockEdges are the edges of an entry: in its functions, of locks that they hold
// themselves or those that call them.
func (f *facts) lockEdges(ctx context.Context, code *lockCode, e *ir.Entry) []edge {
	inherited, since := map[*ir.Func]lockBits{}, map[*ir.Func]map[int]ir.Pos{}
	edges := map[[2]int]edge{}
	work := slices.DeleteFunc(slices.Clone(f.reach[e]), func(fn *ir.Func) bool { return len(code.sites[fn]) == 0 })
	queued := map[*ir.Func]bool{}
	for _, fn := range work {
		inherited[fn], since[fn], queued[fn] = code.none(), map[int]ir.Pos{}, true
	}
	for len(work) > 0 && ctx.Err() == nil {
		fn := work[0]
		work = work[1:]
		queued[fn] = false
		for _, s := range code.sites[fn] {
			held := slices.Clone(inherited[fn])
			held.without(s.released)
			held.join(s.own)
			at := func(k int) ir.Pos {
				if s.own.has(k) {
					return code.taken[fn][k]
				}
				return since[fn][k]
			}
			switch in := s.in.(type) {
			case *ir.Lock:
				code.wanted(edges, edge{entry: e, at: in.Pos, fn: fn}, in, held, at)
			case *ir.Call:
				fns, _ := f.al.Callees(in)
				for _, g := range fns {
					if inherited[g] == nil || !inherited[g].join(held) {
						continue
					}
					held.each(func(k int) {
						if _, known := since[g][k]; !known {
							since[g][k] = at(k)
						}
					})
					if !queued[g] {
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

// wanted notes that a lock is taken while others are held, since the places that at tells.
func (c *lockCode) wanted(edges map[[2]int]edge, x edge, in *ir.Lock, held lockBits, at func(int) ir.Pos) {
	if !waitedFor(in) || in.Try {
		return
	}
	for _, want := range c.locks(in) {
		held.each(func(k int) {
			key := [2]int{k, c.numbers[want]}
			if _, known := edges[key]; !known && (key[0] != key[1] || !in.Recursive) {
				x.held, x.wanted, x.heldAt = c.regions[k], want, at(k)
				edges[key] = x
			}
		})
	}
}

// lockOrders are the pairs of locks, by their names, that two entries, which may run at
// the same time, take in different orders. When ctx ends, those that are found by then.
func (f *facts) lockOrders(ctx context.Context, m *members) []diag.LockOrder {
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
					first, second := f.side(x, m), f.side(y, m)
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

func (f *facts) side(x edge, m *members) diag.OrderSide {
	return diag.OrderSide{EntryPoint: m.nameOf(x.entry, x.fn), Function: x.fn.Title(), Held: outerLock(f.title(x.held.Name)), Wanted: outerLock(f.title(x.wanted.Name)), HeldAt: x.heldAt, WantedAt: x.at}
}

// findOrders marks the lock functions of locks that the program does not have: those that
// only operations of class order are known to be on. The mark is for reports alone.
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
		k, ok := theoryOf[*lock](fn)
		if !ok {
			continue
		}
		real := func(o op) bool {
			t, known := l.f.targets[o.in]
			return known && !t.unknown && len(t.regions) > 0 && on(o)
		}
		k.order = slices.ContainsFunc(orders, on) && !slices.ContainsFunc(others, real)
		k.owned = slices.ContainsFunc(orders, func(o op) bool { return o.in.(*ir.Lock).Class == ir.GhostOwned && on(o) })
	}
}
