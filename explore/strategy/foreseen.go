package strategy

import (
	"math/rand/v2"
	"slices"

	"whoop/explore/dpor"
	"whoop/ir/vm"
)

// foreseen is what the threads of an execution would do next, for strategies that look at
// that: it is found out by making the event, and undoing it.
type foreseen struct {
	ops    [vm.MaxThreads][]vm.Op
	known  uint64
	asking bool // inputs are the first ones
}

// look finds out what threads would do next that is not known; the thread of the last
// event goes on to another one.
func (f *foreseen) look(s *dpor.Search, enabled []int) {
	if k := s.Len(); k == 0 {
		f.known = 0
	} else {
		f.known &^= 1 << s.Thread(k-1)
	}
	f.asking = true
	for _, t := range enabled {
		if f.known>>t&1 != 0 {
			continue
		}
		f.known |= 1 << t
		m := s.Machine()
		if mark := m.Mark(); m.Step(t, nil) {
			f.ops[t] = append(f.ops[t][:0], m.Ops()...)
			m.Undo(mark)
		} else {
			f.ops[t] = append(f.ops[t][:0], m.Tried()...)
		}
	}
	f.asking = false
}

// number draws an alternative of a query; where it is only looked what comes, the first
// one.
func (f *foreseen) number(d *drawn, n int) int {
	if f.asking {
		return 0
	}
	return d.number(n)
}

// orderSampler draws executions by partial order sampling: each event has a random
// priority when its thread comes to it, and a new one when an event was made that it
// conflicts with. The thread with the highest one goes on.
type orderSampler struct {
	foreseen
	draw     *rand.Rand
	priority [vm.MaxThreads]float64
}

func (p *orderSampler) next(s *dpor.Search, enabled []int) int {
	before := p.known
	if k := s.Len(); k == 0 {
		before = 0
	} else {
		before &^= 1 << s.Thread(k-1)
		for _, t := range enabled {
			if before>>t&1 != 0 && vm.Conflicts(p.ops[t], s.Ops(k-1)) {
				before &^= 1 << t
			}
		}
	}
	p.look(s, enabled)
	best := enabled[0]
	for _, t := range enabled {
		if before>>t&1 == 0 {
			p.priority[t] = p.draw.Float64()
		}
		if p.priority[t] > p.priority[best] {
			best = t
		}
	}
	return best
}

// walker draws executions by a selectively uniform random walk: of the events that touch
// one cell, chosen for each execution, all orders are as likely, as far as it is known
// how many of them each thread makes. What is known is what the executions before have
// shown.
//
// The thread that makes the next one of these events is drawn by how many it has left.
// Until it does, threads that have come to others of them wait, and any other thread goes
// on.
type walker struct {
	foreseen
	draw   *rand.Rand
	shown  map[uint64]*counts // of cells: by any execution, the most
	now    map[uint64]*counts // by this execution
	cells  []uint64           // that several threads touch, in the order in which that was seen
	cell   uint64             // of this execution
	chosen bool               // there is one
	who    int                // the thread that was drawn, -1: none
}

// counts is how often each thread touches a cell.
type counts [vm.MaxThreads]int

func (u *walker) next(s *dpor.Search, enabled []int) int {
	if s.Len() == 0 {
		u.begin()
	}
	u.look(s, enabled)
	if u.who < 0 || !slices.Contains(enabled, u.who) {
		u.who = u.drawn(s, enabled)
	}
	var can []int
	for _, t := range enabled {
		if t == u.who || !u.touches(u.ops[t]) {
			can = append(can, t)
		}
	}
	t := can[u.draw.IntN(len(can))]
	u.note(t, u.ops[t])
	return t
}

// begin takes over what the last execution has shown, and chooses a cell.
func (u *walker) begin() {
	if u.shown == nil {
		u.shown = map[uint64]*counts{}
	}
	for _, c := range u.order() {
		old := u.shown[c]
		if old == nil {
			old = &counts{}
			u.shown[c] = old
		}
		threads := 0
		for t, n := range u.now[c] {
			if old[t] = max(old[t], n); old[t] > 0 {
				threads++
			}
		}
		if threads > 1 && !slices.Contains(u.cells, c) {
			u.cells = append(u.cells, c)
		}
	}
	u.now, u.who = map[uint64]*counts{}, -1
	if u.chosen = len(u.cells) > 0; u.chosen {
		u.cell = u.cells[u.draw.IntN(len(u.cells))]
	}
}

// order are the cells of the last execution.
func (u *walker) order() []uint64 {
	var out []uint64
	for c := range u.now {
		out = append(out, c)
	}
	slices.Sort(out)
	return out
}

// note counts the cells of an event that a thread is about to make.
func (u *walker) note(t int, ops []vm.Op) {
	for i, o := range ops {
		if slices.ContainsFunc(ops[:i], func(x vm.Op) bool { return x.Cell == o.Cell }) {
			continue
		}
		if u.now[o.Cell] == nil {
			u.now[o.Cell] = &counts{}
		}
		u.now[o.Cell][t]++
	}
	if t == u.who && u.touches(ops) {
		u.who = -1
	}
}

func (u *walker) touches(ops []vm.Op) bool {
	return u.chosen && slices.ContainsFunc(ops, func(o vm.Op) bool { return o.Cell == u.cell })
}

// drawn draws the thread that makes the next event on the cell, by how many each has
// left; those of a thread that does not exist yet count for who starts it.
func (u *walker) drawn(s *dpor.Search, enabled []int) int {
	var left counts
	sum := 0
	if u.chosen {
		for t, n := range u.shown[u.cell] {
			if x := u.now[u.cell]; x != nil {
				n -= x[t]
			}
			m := s.Machine()
			for t < m.Threads() && m.ThreadState(t) == vm.Absent {
				up, _ := m.Parent(t)
				if up < 0 {
					break
				}
				t = up
			}
			if n > 0 && slices.Contains(enabled, t) {
				left[t] += n
				sum += n
			}
		}
	}
	if sum == 0 {
		return enabled[u.draw.IntN(len(enabled))]
	}
	n := u.draw.IntN(sum)
	for _, t := range enabled {
		if n -= left[t]; n < 0 {
			return t
		}
	}
	return enabled[0]
}
