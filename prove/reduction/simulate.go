package reduction

import (
	"math/rand/v2"
	"slices"

	"whoop/smt/bv"
)

// Bounds of simulation.
const (
	walkCount  = 60 // from the program's beginning
	walkLength = 120
	goCount    = 4 // from a state of a model
	goLength   = 30
	walkTries  = 6 // of inputs for a step
)

// simulation runs a product with random small numbers. What holds at a cut must hold of
// the states that come there, so that a solver need not be asked for as many.
type simulation struct {
	*engine
	rand *rand.Rand
	pool []uint64 // of numbers
	next uint64   // address of an object
}

// state is one of a run: the slots' values, and what was read and written of arrays.
type state struct {
	slots map[slot]uint64
	mem   map[[2]uint64]uint64 // by region and address
}

// simulate takes in at the cuts what comes there in some runs. It is the same each time.
func (e *engine) simulate() *simulation {
	s := &simulation{engine: e, rand: rand.New(rand.NewPCG(1, 2)), pool: []uint64{0, 1, 1, 2, 2, 3, 4, 5, ^uint64(0)}}
	var nums []uint64
	for _, of := range e.compared.nums {
		for n := range of {
			if !slices.Contains(nums, n) {
				nums = append(nums, n)
			}
		}
	}
	slices.Sort(nums)
	s.pool = append(s.pool, nums[:min(len(nums), 6)]...)
	for range walkCount {
		if e.m.ctx.Err() != nil {
			break
		}
		st := newState()
		for k, v := range s.m.initial() {
			st.slots[k], _ = bv.Eval(v, nil, nil)
		}
		s.walk(s.nodes[0], st, walkLength)
	}
	return s
}

func newState() *state { return &state{slots: map[slot]uint64{}, mem: map[[2]uint64]uint64{}} }

// goOn runs on from a state at a cut.
func (s *simulation) goOn(b *invariant, values []uint64) {
	for range goCount {
		st := newState()
		for i, k := range b.slots {
			if !k.derived() {
				st.slots[k] = values[i]
			}
		}
		s.walk(b.node, st, goLength)
	}
}

// walk goes on from a node, until nothing is possible.
func (s *simulation) walk(n *node, st *state, most int) {
	for range most {
		var to *node
		for _, i := range s.rand.Perm(len(n.edges)) {
			if e := n.edges[i]; e.to != nil && s.try(st, e.step) {
				to = e.to
				break
			}
		}
		if to == nil {
			return
		}
		n = to
		if b := s.invariants[n]; b != nil {
			s.arrive(st, b)
		}
	}
}

// try makes a step with some inputs, where that is possible.
func (s *simulation) try(st *state, p *step) bool {
	tries := 1
	if len(p.inputs)+len(p.mem) > 0 {
		tries = walkTries
	}
	for range tries {
		if s.make(st, p) {
			return true
		}
	}
	return false
}

func (s *simulation) make(st *state, p *step) bool {
	in := map[*bv.Term]uint64{}
	value := func(v *bv.Term) uint64 {
		if k, ok := s.m.vars[v]; ok {
			x, ok := st.slots[k]
			if !ok {
				x = s.number(k.width)
				st.slots[k] = x
			}
			return x
		}
		x, ok := in[v]
		if !ok {
			x = s.number(v.Width)
			if s.m.known[v] { // the address of a global
				x = uint64(v.ID()) << 32
			}
			in[v] = x
		}
		return x
	}
	memo := map[*bv.Term]uint64{}
	type write struct {
		at  [2]uint64
		val uint64
	}
	var writes []write
	for _, a := range p.mem {
		if a.addr == nil {
			return false
		}
		addr, ok := bv.Eval(a.addr, value, memo)
		if !ok {
			return false
		}
		at := [2]uint64{uint64(a.region), addr}
		if a.write {
			v, _ := bv.Eval(a.val, value, memo)
			writes = append(writes, write{at, v})
			continue
		}
		x, ok := st.mem[at]
		for _, w := range writes {
			if w.at == at {
				x, ok = w.val, true
			}
		}
		if !ok {
			x = s.number(a.val.Width)
			writes = append(writes, write{at, x})
		}
		in[a.val] = x
	}
	if g, ok := bv.Eval(p.guard, value, memo); !ok || g == 0 {
		return false
	}
	now := map[slot]uint64{}
	for _, k := range inOrder(p.set) {
		now[k], _ = bv.Eval(p.set[k], value, memo)
	}
	for k, v := range now {
		st.slots[k] = v
	}
	for _, w := range writes {
		st.mem[w.at] = w.val
	}
	return true
}

// number is a small one, or an address.
func (s *simulation) number(width int) uint64 {
	switch {
	case width == 0:
		return s.rand.Uint64N(2)
	case width == 64:
		s.next += 1 << 33
		return s.next
	}
	return s.pool[s.rand.IntN(len(s.pool))] & (^uint64(0) >> (64 - width))
}

// arrive takes a state in at a cut.
func (s *simulation) arrive(st *state, b *invariant) {
	values := make([]uint64, len(b.slots))
	for i, k := range b.slots {
		w := k.whole()
		v, ok := st.slots[w]
		if !ok {
			v = s.number(w.width)
			st.slots[w] = v
		}
		values[i] = k.derive(v)
	}
	if !b.reached || !b.holds(values) {
		b.join(values)
		b.changed()
	}
}

// holds reports whether what is believed holds of values.
func (b *invariant) holds(values []uint64) bool {
	for _, s := range b.spaces {
		if s.top {
			continue
		}
		for _, q := range s.eqs {
			sum := q[0]
			for i, c := range q[1:] {
				sum += c * values[s.slots[i]]
			}
			if sum&s.mask() != 0 {
				return false
			}
		}
	}
	return !slices.ContainsFunc(b.preds, func(p pred) bool { return !p.holds(b.slots, values) })
}
