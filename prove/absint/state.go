package absint

import (
	"fmt"
	"slices"
	"strings"

	"whoop/ir"
)

// A lockID names a lock: the region of its object. The atomic lock, which each
// instruction holds that is not in an atomic section, and each section holds from its
// beginning to its end, is section.
type lockID int

const section lockID = -1

// hold is a lock that a thread holds.
type hold struct {
	lock   lockID
	shared bool
}

// unpublished says that a cell was written under a lock that has not been released since.
type unpublished struct {
	lock lockID
	cell int
}

// A state is what is known at a point of a thread. Maps are not changed once the state is
// given away.
type state struct {
	// held are locks that the thread holds for certain, depth the number of atomic
	// sections it is in.
	held  []hold
	depth int
	// alone: no thread was started yet.
	alone bool
	// regs are the registers' values; those that are missing may have any.
	regs map[*ir.Reg]Value
	// defs are the assignments that registers have their values from, links the cells
	// whose contents they are still.
	defs  map[*ir.Reg]*ir.Assign
	links map[*ir.Reg]int
	// mem are the cells' contents as the thread knows them: of a cell that it protects,
	// the contents; of another, what they were when it last knew. Those that are missing
	// may be anything.
	mem map[int]Value
	// base are, for cells that the thread protects and has not written since, what it
	// knew before: since then others may have written only what they published.
	base map[int]Value
	// dirty are the writes that others may see later.
	dirty map[unpublished]bool
}

func (s *state) clone() *state {
	c := &state{held: s.held, depth: s.depth, alone: s.alone, regs: make(map[*ir.Reg]Value, len(s.regs)+4), defs: make(map[*ir.Reg]*ir.Assign, len(s.defs)+4),
		links: make(map[*ir.Reg]int, len(s.links)+2), mem: make(map[int]Value, len(s.mem)+2), base: make(map[int]Value, len(s.base)), dirty: make(map[unpublished]bool, len(s.dirty)+2)}
	for k, v := range s.regs {
		c.regs[k] = v
	}
	for k, v := range s.defs {
		c.defs[k] = v
	}
	for k, v := range s.links {
		c.links[k] = v
	}
	for k, v := range s.mem {
		c.mem[k] = v
	}
	for k, v := range s.base {
		c.base[k] = v
	}
	for k, v := range s.dirty {
		c.dirty[k] = v
	}
	return c
}

// key tells the states apart that are not joined at a place: by what the thread holds.
func (s *state) key() string {
	var b strings.Builder
	for _, h := range s.held {
		fmt.Fprintf(&b, "%d%v ", h.lock, h.shared)
	}
	fmt.Fprint(&b, s.depth, s.alone)
	return b.String()
}

func (s *state) holds(l lockID) bool {
	if l == section {
		return s.depth > 0
	}
	return slices.ContainsFunc(s.held, func(h hold) bool { return h.lock == l })
}

// combine joins two states, or widens the first by the second where thresholds are given.
func combine(a, b *state, thresholds []int64) *state {
	f := Value.join
	if thresholds != nil {
		f = func(v, w Value) Value { return v.widen(w, thresholds) }
	}
	c := &state{depth: min(a.depth, b.depth), alone: a.alone && b.alone, regs: map[*ir.Reg]Value{}, defs: map[*ir.Reg]*ir.Assign{}, links: map[*ir.Reg]int{},
		mem: map[int]Value{}, base: map[int]Value{}, dirty: map[unpublished]bool{}}
	for _, h := range a.held {
		if i := slices.IndexFunc(b.held, func(g hold) bool { return g.lock == h.lock }); i >= 0 {
			c.held = append(c.held, hold{h.lock, h.shared || b.held[i].shared})
		}
	}
	for r, v := range a.regs {
		if w, ok := b.regs[r]; ok {
			c.regs[r] = f(v, w)
		}
	}
	for r, d := range a.defs {
		if b.defs[r] == d {
			c.defs[r] = d
		}
	}
	for r, l := range a.links {
		if m, ok := b.links[r]; ok && m == l {
			c.links[r] = l
		}
	}
	for r, v := range a.mem {
		if w, ok := b.mem[r]; ok {
			c.mem[r] = f(v, w)
		}
	}
	for r, v := range a.base {
		w, ok := b.base[r]
		if !ok {
			w, ok = b.mem[r]
		}
		if !ok {
			w = anything
		}
		c.base[r] = f(v, w)
	}
	for r, w := range b.base {
		if _, ok := a.base[r]; !ok {
			v, ok := a.mem[r]
			if !ok {
				v = anything
			}
			c.base[r] = f(v, w)
		}
	}
	for _, s := range []*state{a, b} {
		for k := range s.dirty {
			c.dirty[k] = true
		}
	}
	return c
}

// equal reports whether two states of one key say the same.
func (s *state) equal(t *state) bool {
	if len(s.regs) != len(t.regs) || len(s.defs) != len(t.defs) || len(s.links) != len(t.links) || len(s.mem) != len(t.mem) || len(s.dirty) != len(t.dirty) || len(s.base) != len(t.base) || s.key() != t.key() {
		return false
	}
	for r, v := range s.regs {
		if w, ok := t.regs[r]; !ok || !v.equal(w) {
			return false
		}
	}
	for r, d := range s.defs {
		if t.defs[r] != d {
			return false
		}
	}
	for r, d := range s.links {
		if e, ok := t.links[r]; !ok || e != d {
			return false
		}
	}
	for r, v := range s.mem {
		if w, ok := t.mem[r]; !ok || !v.equal(w) {
			return false
		}
	}
	for r, v := range s.base {
		if w, ok := t.base[r]; !ok || !v.equal(w) {
			return false
		}
	}
	for k := range s.dirty {
		if !t.dirty[k] {
			return false
		}
	}
	return true
}

// set gives a register a value; what was derived from its old one is forgotten.
func (s *state) set(r *ir.Reg, v Value) {
	if r == nil {
		return
	}
	for d, a := range s.defs {
		if d == r || ir.UsesReg(a.X, r) {
			delete(s.defs, d)
		}
	}
	delete(s.links, r)
	if v.equal(full(r.Type)) {
		delete(s.regs, r)
	} else {
		s.regs[r] = v
	}
}

func (s *state) get(r *ir.Reg) Value {
	if v, ok := s.regs[r]; ok {
		return v
	}
	return full(r.Type)
}

// unlink forgets that registers hold the contents of a cell.
func (s *state) unlink(cell int) {
	for r, c := range s.links {
		if c == cell {
			delete(s.links, r)
		}
	}
}
