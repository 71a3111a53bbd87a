package dpor

import "math/bits"

// ends is how many executions have come to an end or were cut off.
func (c *Counts) ends() int64 { return c.Executions() + c.Blocked }

// Estimate is how many executions there will be in all, those that are cut off included,
// as far as can be told now: the branches that are left of a node are taken to be as
// large, in the mean, as those that were explored (Simsa, Bryant, Gibson, Hickey:
// Efficient exploratory testing of concurrent systems, section 4). It costs as much as
// the current execution is long.
func (s *Search) Estimate() float64 {
	below := 1.0
	for i := len(s.nodes) - 1; i >= 0; i-- {
		n := &s.nodes[i]
		if i == len(s.nodes)-1 && n.left == 0 {
			continue // nothing is known of it
		}
		known, left := float64(n.left)+1+float64(s.waiting(n)), float64(n.left)
		below = (float64(n.startChild-n.start) + below) / (left + 1) * known
	}
	return max(below, float64(s.ends()))
}

// waiting is how many branches of a node are still to be explored, as far as is known.
func (s *Search) waiting(n *node) int {
	k := 0
	switch s.opt.Algorithm {
	case DFS:
		k = max(0, int(n.width)-bits.OnesCount64(n.explored))
	case Source:
		for left := n.backtrack &^ n.explored; left != 0; left &= left - 1 {
			if !s.asleep(n, bits.TrailingZeros64(left)) {
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
