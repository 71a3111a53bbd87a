// Package graph answers questions about directed graphs whose nodes are values of any
// kind: functions and their calls, blocks and their successors.
//
//	for _, c := range graph.Components(roots, succs) { … } // callees first
//	loop := graph.OnCycle(b, (*ir.Block).Succs)
//
// In goes a function that yields a node's successors; the graph is what it leads to.
package graph

// Components returns the strongly connected components of what the roots lead to. A
// component comes after those that it leads to. (Tarjan: Depth-first search and linear
// graph algorithms, SIAM Journal on Computing 1972; with a stack of its own, since graphs
// are deep.)
func Components[N comparable](roots []N, succs func(N) []N) [][]N {
	t := &tarjan[N]{succs: succs, index: map[N]int{}, low: map[N]int{}}
	for _, r := range roots {
		if t.index[r] == 0 {
			t.from(r)
		}
	}
	return t.out
}

// tarjan is the state of the search.
type tarjan[N comparable] struct {
	succs func(N) []N
	// index numbers the nodes in the order in which they were found, from 1. low is the
	// least number that a node is known to lead back to; only nodes on open have one.
	index, low map[N]int
	open       []N // found, of components that are not complete
	path       []step[N]
	out        [][]N
}

// step is a node on the path from the root, and its successors that are still to be
// looked at.
type step[N comparable] struct {
	node N
	left []N
}

func (t *tarjan[N]) enter(n N) {
	t.index[n] = len(t.index) + 1
	t.low[n] = t.index[n]
	t.open = append(t.open, n)
	t.path = append(t.path, step[N]{n, t.succs(n)})
}

// from finds the components of what a node leads to, but for those that were found
// before.
func (t *tarjan[N]) from(root N) {
	for t.enter(root); len(t.path) > 0; {
		s := &t.path[len(t.path)-1]
		if len(s.left) == 0 {
			t.leave(s.node)
			continue
		}
		n := s.left[0]
		s.left = s.left[1:]
		if t.index[n] == 0 {
			t.enter(n)
		} else if _, open := t.low[n]; open {
			t.low[s.node] = min(t.low[s.node], t.index[n])
		}
	}
}

// leave ends the visit of a node: if it leads back to none before it, its component is
// complete.
func (t *tarjan[N]) leave(n N) {
	t.path = t.path[:len(t.path)-1]
	if len(t.path) > 0 {
		up := t.path[len(t.path)-1].node
		t.low[up] = min(t.low[up], t.low[n])
	}
	if t.low[n] < t.index[n] {
		return
	}
	at := len(t.open) - 1
	for t.open[at] != n {
		at--
	}
	c := append([]N{}, t.open[at:]...)
	for _, x := range c {
		delete(t.low, x)
	}
	t.open = t.open[:at]
	t.out = append(t.out, c)
}

// OnCycle reports whether a path of at least one step leads from a node back to it.
func OnCycle[N comparable](n N, succs func(N) []N) bool { return Leads(n, n, succs) }

// Leads reports whether a path of at least one step leads from a to b.
func Leads[N comparable](a, b N, succs func(N) []N) bool {
	seen := map[N]bool{}
	for work := [][]N{succs(a)}; len(work) > 0; {
		next := work[len(work)-1]
		work = work[:len(work)-1]
		for _, n := range next {
			if n == b {
				return true
			}
			if !seen[n] {
				seen[n] = true
				work = append(work, succs(n))
			}
		}
	}
	return false
}
