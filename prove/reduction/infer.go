package reduction

import (
	"errors"
	"slices"

	"whoop/smt/bv"
)

// Bounds of the search for invariants.
const (
	failConflicts = 20_000 // of one about a violation
	// of one about small numbers: models are found soon, where there are any
	smallConflicts = 200
	maxConstants   = 6 // that a slot is compared with
)

// engine looks for invariants of a product.
type engine struct {
	*product
	invariants map[*node]*invariant
	now        *start
	polys      polys
	spent      uint64 // by solvers
	budget     effort
	asked      int
	read       map[slot]bool
	sim        *simulation
	aims       []*bv.Term // see goals
	*compared
}

// effort is what a solver may do: in all (0: anything), and for one question about a
// guess, in conflicts.
type effort struct {
	work      uint64
	conflicts uint
}

var errBudget = errors.New("the search for invariants takes too much")

// holds reports whether no violation is reached. It ends with errBudget where that takes
// more than the solver may do.
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
	e := &engine{product: g, invariants: map[*node]*invariant{}, read: map[slot]bool{}, polys: polys{}, budget: budget}
	defer func() {
		if e.now != nil {
			e.now.solver.Close()
		}
	}()
	e.relevant()
	e.compared = e.m.comparisons(everywhere)
	e.aims = e.goals()
	for _, n := range cuts {
		e.invariants[n] = e.newInvariant(n)
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
		e.invariants[n].out = ps
	}
	e.invariants[g.nodes[0]].reached = true
	for _, s := range e.invariants[g.nodes[0]].spaces {
		s.top = true
	}
	e.invariants[g.nodes[0]].preds = nil
	e.sim = e.simulate()
	return e.solve(cuts)
}

// relevant finds the slots that guards and the addresses and values of accesses to arrays
// depend on.
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

// newInvariant is that of a cut that nothing has come to.
func (e *engine) newInvariant(n *node) *invariant {
	b := &invariant{node: n}
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
	sized := e.m.solo >= 0 && slices.ContainsFunc(b.slots, func(k slot) bool { return k.kind == sizeSlot })
	for _, k := range slices.Clone(b.slots) {
		if e.bound(k) {
			part := k
			part.kind = partSlot
			b.slots = append(b.slots, part)
		}
		if sized && k.width >= 8 && k.width <= 32 && (k.kind == regSlot || k.kind == cellSlot && k.thread == 0 && e.constant(k)) {
			b.slots = append(b.slots, k.widened(64))
		}
		// flags count, too
		if e.m.solo < 0 && k.width == 8 && (k.kind == regSlot || k.kind == cellSlot && !e.constant(k)) {
			b.slots = append(b.slots, k.widened(32))
		}
	}
	slices.SortFunc(b.slots, compareSlots)
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

// constant reports whether main alone writes a place.
func (e *engine) constant(k slot) bool {
	for t := range e.m.writers[k.id] {
		if t > 0 {
			return false
		}
	}
	return true
}

// bound reports whether a slot is a signed number that main alone writes and that others
// are compared with: loops that count up to it go round as often as it says where it is
// positive, and not at all where it is not. So max(0, x) is a slot, too.
func (e *engine) bound(k slot) bool {
	if k.kind != cellSlot || !k.signed || k.width < 8 || k.width > 32 || k.thread > 0 {
		return false
	}
	if !e.constant(k) {
		return false
	}
	for p := range e.compared.pairs {
		if p[0] == k {
			return true
		}
	}
	return false
}

// value is a slot's value as a term, where slots have the given values (nil: those at a
// cut).
func (e *engine) value(vals map[slot]*bv.Term, k slot) *bv.Term {
	b := e.m.b
	x := e.m.get(vals, k.whole())
	switch {
	case k.kind == partSlot:
		return b.Ite(b.SLt(x, b.Num(k.width, 0)), b.Num(k.width, 0), x)
	case k.kind == wideSlot && k.signed:
		return b.SExt(x, k.width)
	case k.kind == wideSlot:
		return b.ZExt(x, k.width)
	}
	return x
}

// derive is what a derived slot holds where the slot itself holds v.
func (s slot) derive(v uint64) uint64 {
	w := s.whole().width
	switch neg := w > 0 && v>>(w-1)&1 == 1; {
	case s.kind == partSlot && neg:
		return 0
	case s.kind == wideSlot && s.signed && neg:
		return (v | ^uint64(0)<<w) & (^uint64(0) >> (64 - s.width))
	}
	return v
}

// solve goes over the paths until each keeps what is believed. What models with small
// numbers refute is given up everywhere before anything is proved: a proof is lost where
// what it rests on is given up later.
func (e *engine) solve(cuts []*node) (bool, error) {
	for {
		if sat, err := e.refute(cuts); err != nil || sat {
			return false, e.unknown(err)
		}
		more := false
		for _, n := range cuts {
			b := e.invariants[n]
			for _, p := range b.out {
				if !b.reached || p.proved || more {
					continue
				}
				if err := e.m.ctx.Err(); err != nil {
					return false, err
				}
				p.proved = true
				if p.to == nil {
					sat, err := e.check(p, nil)
					if err != nil || sat {
						return false, e.unknown(err)
					}
					continue
				}
				changed, err := e.prove(p, e.invariants[p.to])
				if err != nil {
					return false, e.unknown(err)
				}
				if changed {
					e.invariants[p.to].changed()
					more = true
				}
			}
		}
		if !more {
			return true, nil
		}
	}
}

// changed: what is believed is less now, and what follows from it is not known any more.
func (b *invariant) changed() {
	for _, q := range b.out {
		q.dirty, q.proved = true, false
	}
}

// refute gives up what models with small numbers refute. It ends early where such a one
// leads to a violation.
func (e *engine) refute(cuts []*node) (violated bool, err error) {
	for more := true; more; {
		if more, err = e.each(cuts, false); err != nil {
			return false, err
		}
		if more {
			continue
		}
		// Whether a violation is reached, or a cut for the first time, is asked where all
		// else is done: mostly the answer is no, and would be again and again.
		for _, n := range cuts {
			for _, p := range e.invariants[n].out {
				if p.to == nil && p.dirty && e.invariants[n].reached {
					p.dirty = false
					if sat, err := e.ask(p, nil, ofSmall); err == nil && sat || err != nil && !errors.Is(err, bv.ErrLimit) {
						return sat, err
					}
				}
			}
		}
		if more, err = e.each(cuts, true); err != nil {
			return false, err
		}
	}
	return false, nil
}

// each looks at all paths between cuts, those to cuts that were reached, or others.
func (e *engine) each(cuts []*node, fresh bool) (more bool, err error) {
	for _, n := range cuts {
		b := e.invariants[n]
		for _, p := range b.out {
			if !b.reached || !p.dirty || p.to == nil || e.invariants[p.to].reached == fresh {
				continue
			}
			if err := e.m.ctx.Err(); err != nil {
				return more, err
			}
			p.dirty = false
			found, err := e.models(p, e.invariants[p.to])
			if err != nil {
				return more, err
			}
			if found {
				more = true
				e.invariants[p.to].changed()
			}
		}
	}
	return more, nil
}

// models takes in what models with small numbers say that comes to a path's end.
func (e *engine) models(p *path, to *invariant) (found bool, err error) {
	for {
		open, err := e.open(p, to)
		if err != nil || to.reached && len(open) == 0 {
			return found, err
		}
		var goal *bv.Term
		if to.reached {
			goal = e.m.b.Or(nots(e.m.b, open)...)
		}
		sat, err := e.ask(p, goal, ofSmall)
		if errors.Is(err, bv.ErrLimit) || err == nil && !sat {
			return found, nil
		}
		if err == nil {
			err = e.take(p, to)
		}
		if err != nil {
			return found, err
		}
		found = true
	}
}

// open are the facts at the end of a path that are not known without a solver.
func (e *engine) open(p *path, to *invariant) (out []fact, err error) {
	at, err := e.start(p)
	if err != nil {
		return nil, err
	}
	for _, f := range to.facts(e.polys, e.m.b, func(t *bv.Term) *bv.Term { return e.same(t, at) }, func(i int) *bv.Term { return at.vals[i] }) {
		if f.term != e.m.b.True && !e.now.facts[f.term] && !at.terms[f.term] {
			out = append(out, f)
		}
	}
	return out, nil
}

func nots(b *bv.Builder, fs []fact) (out []*bv.Term) {
	for _, f := range fs {
		out = append(out, b.Not(f.term))
	}
	return out
}

// unknown is an error, or none where the solver only did not know.
func (e *engine) unknown(err error) error {
	if errors.Is(err, bv.ErrLimit) {
		return e.m.ctx.Err()
	}
	return err
}

// prove asks until what is believed at the end of a path holds there. What the solver
// cannot tell is given up.
func (e *engine) prove(p *path, to *invariant) (changed bool, err error) {
	if !to.reached {
		sat, err := e.check(p, nil)
		if err != nil || !sat {
			return false, err
		}
		return true, e.take(p, to)
	}
	open, err := e.open(p, to)
	if err != nil {
		return false, err
	}
	// One after the other: what is easy alone is not where it is one of many.
	sure := map[*bv.Term]bool{}
	for _, f := range open {
		if sure[f.term] {
			continue
		}
		if err := e.m.ctx.Err(); err != nil {
			return false, err
		}
		not := e.m.b.Not(f.term)
		if sat, err := e.ask(p, not, nearby); err == nil && !sat {
			sure[f.term] = true
			continue
		}
		sat, err := e.ask(p, not, fully)
		switch {
		case errors.Is(err, bv.ErrLimit):
			to.drop(f)
			changed = true
		case err != nil:
			return changed, err
		case sat:
			return true, e.take(p, to)
		default:
			sure[f.term] = true
		}
	}
	return changed, nil
}

// take takes the state in that the solver found at the end of a path.
func (e *engine) take(p *path, to *invariant) (err error) {
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
	e.sim.goOn(to, values)
	return nil
}

// drop gives up a fact.
func (b *invariant) drop(f fact) {
	b.version++
	if f.space == nil {
		b.preds = slices.DeleteFunc(b.preds, func(p pred) bool { return p == f.pred })
		return
	}
	f.space.eqs = slices.DeleteFunc(f.space.eqs, func(e []uint64) bool { return slices.Equal(e, f.eq) })
}
