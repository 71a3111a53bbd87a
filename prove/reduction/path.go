package reduction

import (
	"slices"

	"whoop/smt/bv"
)

// A path leads from a cut to the next, or to a violation (to nil); its terms are over the
// slots' variables at its first node.
type path struct {
	from, to *node
	terms    []*bv.Term // that hold
	vals     map[slot]*bv.Term
	dirty    bool // models may refute something at its end
	proved   bool // what is believed at its end holds there
}

// trail is a path that is being followed.
type trail struct {
	vals  map[slot]*bv.Term
	terms []*bv.Term
	mem   map[int]*memory
}

// memory is what was read and written of a region, in this order, since the cut.
type memory struct {
	reads  []access // of what was there at the cut
	writes []access
}

func (x *trail) clone() *trail {
	y := &trail{vals: make(map[slot]*bv.Term, len(x.vals)), terms: slices.Clip(x.terms), mem: make(map[int]*memory, len(x.mem))}
	for k, v := range x.vals {
		y.vals[k] = v
	}
	for k, v := range x.mem {
		m := *v
		m.reads, m.writes = slices.Clip(m.reads), slices.Clip(m.writes)
		y.mem[k] = &m
	}
	return y
}

// paths are those from a cut.
func (g *product) paths(cut *node) (out []*path, err error) {
	first := &trail{vals: map[slot]*bv.Term{}, mem: map[int]*memory{}}
	if cut.id == 0 {
		first.vals = g.m.initial()
	}
	var follow func(n *node, x *trail) error
	follow = func(n *node, x *trail) error {
		if err := g.m.ctx.Err(); err != nil {
			return err
		}
		for _, e := range n.edges {
			y := x.clone()
			if !g.m.apply(y, e.step) {
				continue
			}
			switch {
			case e.to == nil:
				out = append(out, &path{from: cut, terms: y.terms, dirty: true})
			case e.to.isCut:
				out = append(out, &path{from: cut, to: e.to, terms: y.terms, vals: y.vals, dirty: true})
			default:
				if err := follow(e.to, y); err != nil {
					return err
				}
			}
			if len(out) > maxPaths {
				return errTooLarge
			}
		}
		return nil
	}
	return out, follow(cut, first)
}

// initial is what slots hold when the program starts, where that is known.
func (m *machine) initial() map[slot]*bv.Term {
	out := map[slot]*bv.Term{}
	for _, r := range m.alias.Regions() {
		c := m.cells[r.ID]
		if c.kind == single && c.first != nil && !m.lost(c.region.ID) {
			out[m.cellSlotOf(0, c)] = m.b.Num(c.width, *c.first)
		}
	}
	for _, l := range m.locks() {
		out[slot{kind: takenSlot, id: l}] = m.b.False
		out[slot{kind: heldSlot, thread: 1, id: l}] = m.b.False
	}
	return out
}

// apply makes a step on a trail; false: it is not possible.
func (m *machine) apply(x *trail, s *step) bool {
	by := map[*bv.Term]*bv.Term{}
	for _, k := range inOrder(s.reads) {
		if v := x.vals[k]; v != nil {
			by[m.get(nil, k)] = v
		}
	}
	for _, v := range s.inputs {
		by[v] = m.b.Fresh("in", v.Width)
	}
	for _, a := range s.mem {
		r := x.mem[a.region]
		if r == nil {
			r = &memory{}
			x.mem[a.region] = r
		}
		if a.addr == nil { // something is written somewhere
			*r = memory{}
			continue
		}
		addr := m.b.Substitute(a.addr, by)
		if a.write {
			r.writes = append(r.writes, access{addr: addr, val: m.b.Substitute(a.val, by)})
			continue
		}
		v := m.base(x, r, addr, a.val.Width)
		for _, w := range r.writes {
			v = m.b.Ite(m.b.Eq(addr, w.addr), w.val, v)
		}
		by[a.val] = v
	}
	g := m.b.Substitute(s.guard, by)
	if g == m.b.False {
		return false
	}
	if g != m.b.True {
		x.terms = append(x.terms, g)
	}
	now := make(map[slot]*bv.Term, len(s.set))
	for _, k := range inOrder(s.set) {
		now[k] = m.b.Substitute(s.set[k], by)
	}
	for k, v := range now {
		x.vals[k] = v
	}
	return true
}

// base is what was at an address at the cut, or after the last write that is not known:
// the same at the same address (Ackermann).
func (m *machine) base(x *trail, r *memory, addr *bv.Term, width int) *bv.Term {
	for _, a := range r.reads {
		if a.addr == addr && a.val.Width == width {
			return a.val
		}
	}
	v := m.b.Fresh("mem", width)
	for _, a := range r.reads {
		x.terms = append(x.terms, m.b.Implies(m.b.Eq(a.addr, addr), m.b.Eq(a.val, v)))
	}
	r.reads = append(r.reads, access{addr: addr, val: v})
	return v
}
