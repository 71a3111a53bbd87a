package dpor

import (
	"math/bits"
	"math/rand/v2"
	"slices"

	"whoop/ir/vm"
)

// ends is how many executions have come to an end or were cut off.
func (c *Counts) ends() int64 { return c.Executions() + c.Blocked }

// Estimate is how many executions there will be in all, those that are cut off included,
// as far as can be told now: the branches that are left of a node are taken to be as
// large as the one that is explored (Simsa, Bryant, Gibson, Hickey: Efficient exploratory
// testing of concurrent systems, section 4), but for what branches have been larger or
// smaller so far than those before them: with sleep sets, later ones are smaller. Of a
// node where races were found, as many more are expected as came later at others. It
// costs as much as the current execution is long.
func (s *Search) Estimate() float64 {
	below, trend, growth := 1.0, s.trend(), s.growth()
	for i := len(s.nodes) - 1; i >= 0; i-- {
		n := &s.nodes[i]
		if i == len(s.nodes)-1 && n.left == 0 {
			continue // nothing is known of it
		}
		branch, sum := below, float64(n.startChild-n.start)+below
		waiting := float64(s.waiting(n))
		if s.opt.Algorithm == Source { // threads are added one by one: as the mean of all
			below = sum / (float64(n.left) + 1) * (float64(n.left) + 1 + waiting)
			continue
		}
		if n.known > 1 {
			waiting = max(waiting, growth*float64(n.known)-float64(n.left)-1)
		}
		for ; waiting > 0; waiting-- {
			branch *= trend
			sum += branch * min(waiting, 1)
		}
		below = sum
	}
	if n := s.opt.Probed; n > 0 {
		done := min(float64(s.ends())/n, 1)
		below = done*below + (1-done)*n
	}
	return max(below, float64(s.ends()))
}

// Probe estimates how many executions DFS makes by so many that are drawn: the product of
// the numbers of ways from each state of one is that in the mean (Knuth: Estimating the
// efficiency of backtrack programs, 1975). The machine is led back to where it was.
func Probe(m *vm.Machine, executions, maxEvents int, seed uint64) float64 {
	draw := rand.New(rand.NewPCG(seed, 0x6b6e7574))
	sum, start := 0.0, m.Mark()
	var can []int
	for range executions {
		ways := 1.0
		for n := 0; n < maxEvents && m.Unsupported() == ""; n++ {
			can = m.Enabled(can[:0])
			for len(can) > 0 {
				i := draw.IntN(len(can))
				if m.Step(can[i], nil) {
					break
				}
				can = slices.Delete(can, i, i+1) // its section blocks
			}
			if len(can) == 0 {
				break
			}
			ways *= float64(len(can))
			for _, k := range m.Asked() {
				ways *= float64(k)
			}
		}
		sum += ways
		m.Undo(start)
	}
	return sum / float64(executions)
}

// trend is how much larger a branch is than the one before it, in the mean.
func (s *Search) trend() float64 {
	if s.before == 0 || s.after == 0 {
		return 1
	}
	return min(max(float64(s.after)/float64(s.before), 0.25), 4)
}

// growth is how many branches a node has in the end for each that was known after its
// first execution, in the mean; of those that are explored now, at least as many as are
// known.
func (s *Search) growth() float64 {
	known, branches := float64(s.atFirst), float64(s.branches)
	for i := range s.nodes {
		if n := &s.nodes[i]; n.known > 1 {
			size := float64(s.ends() - n.start)
			known, branches = known+size*float64(n.known),
				branches+size*max(float64(n.left)+1+float64(s.waiting(n)), float64(n.known))
		}
	}
	if known == 0 {
		return 1
	}
	return branches / known
}

// knowBranches notes how many branches are known of nodes whose first execution has ended.
func (s *Search) knowBranches() {
	if !s.reduces() {
		return // all are
	}
	for i := len(s.nodes) - 1; i >= 0 && s.nodes[i].known == 0; i-- {
		s.nodes[i].known = int32(1 + s.waiting(&s.nodes[i]))
	}
}

// waiting is how many branches of a node are still to be explored, as far as is known.
func (s *Search) waiting(n *node) int {
	k := 0
	switch s.opt.Algorithm {
	case DFS:
		k = max(0, int(n.width)-bits.OnesCount64(n.explored))
	case Source:
		for left := n.backtrack &^ n.explored; left != 0; left &= left - 1 {
			if !n.sleeps(bits.TrailingZeros64(left)) {
				k++
			}
		}
	case Optimal:
		for b := n.first; b != 0; b = s.tree.at(b).next {
			k++
		}
	}
	if n.more {
		k++
	}
	return k
}
