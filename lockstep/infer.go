package lockstep

import (
	"cmp"
	"errors"
	"slices"

	"whoop/smt/bv"
)

// Bounds of the search for invariants.
const (
	failConflicts = 20_000 // of one about a violation
	maxConstants  = 6      // that a slot is compared with
)

// engine looks for invariants of a product.
type engine struct {
	*product
	beliefs map[*node]*belief
	now     *start
	polys   polys
	spent   uint64 // by solvers
	budget  effort
	asked   int
	read    map[slot]bool
	*compared
}

// effort is what a solver may do: in all (0: anything), and for one question about a guess, in conflicts.
type effort struct {
	work      uint64
	conflicts uint
}

var errBudget = errors.New("the search for invariants takes too much")

// holds reports whether no violation is reached. It ends with errBudget where that takes more than the solver may do.
func (g *product) holds(budget effort) (bool, error) {
	cuts, err := g.cut()
	if err != nil || len(cuts) == 0 {
		return err == nil, err
	}
	for _, n := range g.nodes {
		for _, e := range n.edges {
			if e.to == g.nodes[0] {
				return false, errors.New("main begins with a loop")
			}
		}
	}
	e := &engine{product: g, beliefs: map[*node]*belief{}, read: map[slot]bool{}, polys: polys{}, budget: budget}
	defer func() {
		if e.now != nil {
			e.now.solver.Close()
		}
	}()
	e.relevant()
	e.compared = e.comparisons()
	for _, n := range cuts {
		e.beliefs[n] = e.belief(n)
	}
	total := 0
	for _, n := range cuts {
		ps, err := g.paths(n)
		if err != nil {
			return false, err
		}
		if total += len(ps); total > maxPaths {
			return false, errTooLarge
		}
		b := e.beliefs[n]
		b.out = ps
		for _, p := range ps {
			if p.to != nil {
				e.beliefs[p.to].in = append(e.beliefs[p.to].in, p)
			}
		}
	}
	e.beliefs[g.nodes[0]].reached = true
	for _, s := range e.beliefs[g.nodes[0]].spaces {
		s.top = true
	}
	e.beliefs[g.nodes[0]].preds = nil
	return e.solve(cuts)
}

// relevant finds the slots that guards and the addresses and values of accesses to arrays depend on.
func (e *engine) relevant() {
	for more := true; more; {
		more = false
		for _, steps := range e.m.steps {
			for _, s := range steps {
				t := &step{guard: s.guard, mem: s.mem, set: map[slot]*bv.Term{}}
				for k, v := range s.set {
					if e.read[k] {
						t.set[k] = v
					}
				}
				e.m.note(t)
				for k := range t.reads {
					if !e.read[k] {
						e.read[k], more = true, true
					}
				}
			}
		}
	}
}

// belief is that of a cut that nothing has come to.
func (e *engine) belief(n *node) *belief {
	b := &belief{node: n}
	for k := range e.read {
		switch {
		case k.kind == regSlot:
			if at := n.at[k.thread]; at.block == nil || !e.m.threads[k.thread].liveAt(at)[k.reg] {
				continue
			}
		case k.thread > 0 && n.at[k.thread-1].block == nil:
			continue
		}
		b.slots = append(b.slots, k)
	}
	for _, k := range slices.Clone(b.slots) {
		if e.bound(k) {
			k.kind = partSlot
			b.slots = append(b.slots, k)
		}
	}
	slices.SortFunc(b.slots, func(x, y slot) int {
		return cmp.Or(cmp.Compare(x.kind, y.kind), cmp.Compare(x.thread, y.thread), cmp.Compare(x.id, y.id), cmp.Compare(e.regIndex(x), e.regIndex(y)), cmp.Compare(x.width, y.width))
	})
	spaces := map[int]*space{}
	for i, s := range b.slots {
		if s.width < 2 {
			continue
		}
		if spaces[s.width] == nil {
			spaces[s.width] = &space{affine: affine{width: s.width}}
			b.spaces = append(b.spaces, spaces[s.width])
		}
		spaces[s.width].slots = append(spaces[s.width].slots, i)
	}
	b.preds = e.predicates(b.slots)
	return b
}

// bound reports whether a slot is a signed number that main alone writes and that others are compared with: loops that count up to it go round as often as it says where it is
// positive, and not at all where it is not. So max(0, x) is a slot, too.
func (e *engine) bound(k slot) bool {
	if k.kind != cellSlot || !k.signed || k.width < 8 || k.width > 32 || k.thread > 0 {
		return false
	}
	for t := range e.m.writers[k.id] {
		if t > 0 {
			return false
		}
	}
	for p := range e.compared.pairs {
		if p[0] == k {
			return true
		}
	}
	return false
}

// value is a slot's value as a term, where slots have the given values (nil: those at a cut).
func (e *engine) value(vals map[slot]*bv.Term, k slot) *bv.Term {
	if k.kind != partSlot {
		return e.m.get(vals, k)
	}
	k.kind = cellSlot
	b := e.m.b
	x := e.m.get(vals, k)
	return b.Ite(b.SLt(x, b.Num(k.width, 0)), b.Num(k.width, 0), x)
}

// whole is the slot of which a slot is a part.
func (k slot) whole() slot {
	if k.kind == partSlot {
		k.kind = cellSlot
	}
	return k
}

// regIndex is a register's number in its function, or the place of an allocation.
func (e *engine) regIndex(s slot) int {
	if s.alloc != nil {
		return s.alloc.Pos.Line<<10 + s.alloc.Pos.Col
	}
	if s.reg == nil {
		return 0
	}
	f := e.m.threads[s.thread].fn
	if i := slices.Index(f.Params, s.reg); i >= 0 {
		return i
	}
	return len(f.Params) + slices.Index(f.Regs, s.reg)
}

// solve goes over the paths until each keeps what is believed.
func (e *engine) solve(cuts []*node) (bool, error) {
	for more := true; more; {
		more = false
		for _, n := range cuts {
			b := e.beliefs[n]
			if !b.reached {
				continue
			}
			for _, p := range b.out {
				if !p.dirty {
					continue
				}
				if err := e.m.ctx.Err(); err != nil {
					return false, err
				}
				p.dirty = false
				more = true
				if p.to == nil {
					sat, err := e.check(p, nil)
					if err != nil || sat {
						return false, e.unknown(err)
					}
					continue
				}
				if err := e.flow(p); err != nil {
					return false, e.unknown(err)
				}
			}
		}
	}
	return true, nil
}

// unknown is an error, or none where the solver only did not know.
func (e *engine) unknown(err error) error {
	if errors.Is(err, bv.ErrLimit) {
		return e.m.ctx.Err()
	}
	return err
}

// flow takes in at a path's end what may come there.
func (e *engine) flow(p *path) error {
	to := e.beliefs[p.to]
	changed, err := e.settle(p, to)
	if changed {
		for _, q := range to.out {
			q.dirty = true
		}
	}
	return err
}

// settle asks until what is believed at the end of a path holds there. What the solver cannot tell is given up.
func (e *engine) settle(p *path, to *belief) (changed bool, err error) {
	if !to.reached {
		sat, err := e.check(p, nil)
		if err != nil || !sat {
			return false, err
		}
		if err := e.take(p, to); err != nil {
			return false, err
		}
		changed = true
	}
	sure := map[*bv.Term]bool{}
	for {
		at, err := e.start(p)
		if err != nil {
			return changed, err
		}
		var nots []*bv.Term
		var open []fact
		for _, f := range to.facts(e.polys, e.m.b, func(t *bv.Term) *bv.Term { return e.same(t, at) }, func(i int) *bv.Term { return at.vals[i] }) {
			if !sure[f.term] && f.term != e.m.b.True && !e.now.facts[f.term] && !at.terms[f.term] {
				nots, open = append(nots, e.m.b.Not(f.term)), append(open, f)
			}
		}
		if len(open) == 0 {
			return changed, nil
		}
		sat, err := e.ask(p, e.m.b.Or(nots...), ofSmall)
		if err != nil && !errors.Is(err, bv.ErrLimit) {
			return changed, err
		}
		if err := e.m.ctx.Err(); err != nil {
			return changed, err
		}
		for i := 0; i < len(open) && !sat; i++ {
			// One after the other: what is easy alone is not where it is one of many.
			if sat, err = e.ask(p, nots[i], nearby); err == nil && !sat {
				sure[open[i].term] = true
				continue
			}
			sat, err = e.ask(p, nots[i], fully)
			switch {
			case errors.Is(err, bv.ErrLimit):
				to.drop(open[i])
				changed = true
			case err != nil:
				return changed, err
			case !sat:
				sure[open[i].term] = true
			}
		}
		if sat {
			if err := e.take(p, to); err != nil {
				return changed, err
			}
			changed = true
		}
	}
}

// take takes the state in that the solver found at the end of a path.
func (e *engine) take(p *path, to *belief) (err error) {
	at, err := e.start(p)
	if err != nil {
		return err
	}
	values := make([]uint64, len(to.slots))
	for i := range to.slots {
		if values[i], err = e.now.solver.Value(at.vals[i]); err != nil {
			return err
		}
	}
	to.join(values)
	return nil
}

// drop gives up a fact.
func (b *belief) drop(f fact) {
	b.version++
	if f.space == nil {
		b.preds = slices.DeleteFunc(b.preds, func(p pred) bool { return p == f.pred })
		return
	}
	f.space.eqs = slices.DeleteFunc(f.space.eqs, func(e []uint64) bool { return slices.Equal(e, f.eq) })
}
