package strategy

import (
	"math"
	"math/rand/v2"
	"slices"

	"whoop/explore/dpor"
)

// drawnValues are the answers to queries for numbers where executions are drawn: small
// ones are more likely.
var drawnValues = []uint64{0, 1, 2, 3, 4, 5, 7, 8, 10, 16, 100, math.MaxUint64, math.MaxInt32, math.MaxInt64}

// drawn draws executions.
type drawn struct {
	draw  *rand.Rand
	depth int // of pct; 0: threads are drawn in each state
	// of pct: the threads by priority, those behind that became the lowest, which are so
	// many; the events before which the running thread becomes the lowest; and how many
	// events the longest execution had.
	priority []int
	lowered  int
	changes  []int
	longest  int
}

func newDrawn(opt Options) *drawn {
	d := &drawn{draw: rand.New(rand.NewPCG(opt.Seed, 0x6578706c))}
	if opt.Strategy == "pct" {
		d.depth = max(opt.Bound, 1)
	}
	return d
}

// chooser is what chooses threads by a strategy, and alternatives of queries.
func chooser(opt Options, d *drawn) (next func(*dpor.Search, []int) int, number func(int) int) {
	switch opt.Strategy {
	case "pos":
		p := &orderSampler{draw: d.draw}
		return p.next, func(n int) int { return p.number(d, n) }
	case "urw":
		u := &walker{draw: d.draw, who: -1}
		return u.next, func(n int) int { return u.number(d, n) }
	}
	return d.next, d.number
}

// number draws an alternative of a query.
func (d *drawn) number(n int) int {
	if n == len(drawnValues) {
		return min(d.draw.IntN(n), d.draw.IntN(n))
	}
	return d.draw.IntN(n)
}

// next draws the next thread.
func (d *drawn) next(s *dpor.Search, enabled []int) int {
	if d.depth == 0 {
		return enabled[d.draw.IntN(len(enabled))]
	}
	k := s.Len()
	d.longest = max(d.longest, k+1)
	if k == 0 {
		d.begin()
	}
	for t := len(d.priority); t < s.Machine().Threads(); t++ {
		d.priority = slices.Insert(d.priority, d.draw.IntN(len(d.priority)-d.lowered+1), t)
	}
	t := d.highest(enabled)
	for range d.changes {
		if d.changes[0] > k {
			break
		}
		d.changes = d.changes[1:]
		i := slices.Index(d.priority, t)
		if i < len(d.priority)-d.lowered {
			d.lowered++
		}
		d.priority = append(slices.Delete(d.priority, i, i+1), t)
		t = d.highest(enabled)
	}
	return t
}

// begin draws what an execution of pct depends on.
func (d *drawn) begin() {
	d.priority, d.lowered, d.changes = d.priority[:0], 0, d.changes[:0]
	for range d.depth - 1 {
		d.changes = append(d.changes, 1+d.draw.IntN(d.longest))
	}
	slices.Sort(d.changes)
}

// highest is the thread with the highest priority.
func (d *drawn) highest(enabled []int) int {
	for _, t := range d.priority {
		if slices.Contains(enabled, t) {
			return t
		}
	}
	return enabled[0]
}
