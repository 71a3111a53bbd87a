// Package graph answers questions about directed graphs whose nodes are values of any
// kind: functions and their calls, blocks and their successors.
//
//	for _, c := range graph.Components(roots, succs) { … } // callees first
//	loop := graph.OnCycle(b, (*ir.Block).Succs)
//
// In goes a function that yields a node's successors; the graph is what it leads to.
package graph

// Components returns the strongly connected components of what the roots lead to. A
// component comes after those that it leads to.
func Components[N comparable](roots []N, succs func(N) []N) (out [][]N) {
	number, nodes, next := map[N]int32{}, []N{}, [][]N{}
	num := func(n N) int32 {
		v, ok := number[n]
		if !ok {
			v = int32(len(nodes))
			number[n] = v
			nodes, next = append(nodes, n), append(next, nil)
		}
		return v
	}
	t := tarjan{succ: func(v int32, i int) (int32, bool) {
		if i == 0 {
			next[v] = succs(nodes[v])
		}
		if i == len(next[v]) {
			next[v] = nil
			return 0, false
		}
		return num(next[v][i]), true
	}, found: func(vs []int32) {
		c := make([]N, len(vs))
		for i, v := range vs {
			c[i] = nodes[v]
		}
		out = append(out, c)
	}}
	for _, r := range roots {
		t.from(num(r))
	}
	return out
}

// Numbered is Components where the nodes are the numbers below n, all of which for which
// root holds are roots: succ is the i-th successor of a node, false behind the last one.
// found gets each component when it is complete, and may not keep the slice.
func Numbered(n int, root func(int32) bool, succ func(v int32, i int) (int32, bool),
	found func([]int32)) {
	t := tarjan{succ: succ, found: found, index: make([]int32, n), low: make([]int32, n)}
	for v := range int32(n) {
		if root(v) {
			t.from(v)
		}
	}
}

// tarjan is the state of the search (Tarjan: Depth-first search and linear graph
// algorithms, SIAM Journal on Computing 1972). Its stack is its own: graphs are deep.
type tarjan struct {
	succ  func(v int32, i int) (int32, bool)
	found func([]int32)
	// index numbers the nodes in the order in which they were found, from 1. low is the
	// least number that a node is known to lead back to; 0 for nodes that are not on open.
	index, low []int32
	last       int32   // the greatest index
	open       []int32 // found, of components that are not complete
	path       []step
}

// step is a node on the path from the root, and how many of its successors were looked
// at.
type step struct {
	node int32
	done int
}

func (t *tarjan) enter(v int32) {
	for int(v) >= len(t.index) {
		t.index, t.low = append(t.index, 0), append(t.low, 0)
	}
	t.last++
	t.index[v], t.low[v] = t.last, t.last
	t.open = append(t.open, v)
	t.path = append(t.path, step{node: v})
}

func (t *tarjan) isNew(v int32) bool { return int(v) >= len(t.index) || t.index[v] == 0 }

// from finds the components of what a node leads to, but for those that were found
// before.
func (t *tarjan) from(root int32) {
	if !t.isNew(root) {
		return
	}
	for t.enter(root); len(t.path) > 0; {
		s := &t.path[len(t.path)-1]
		v := s.node
		w, ok := t.succ(v, s.done)
		if s.done++; !ok {
			t.leave(v)
		} else if t.isNew(w) {
			t.enter(w)
		} else if t.low[w] != 0 {
			t.low[v] = min(t.low[v], t.index[w])
		}
	}
}

// leave ends the visit of a node: if it leads back to none before it, its component is
// complete.
func (t *tarjan) leave(v int32) {
	t.path = t.path[:len(t.path)-1]
	if len(t.path) > 0 {
		up := t.path[len(t.path)-1].node
		t.low[up] = min(t.low[up], t.low[v])
	}
	if t.low[v] < t.index[v] {
		return
	}
	at := len(t.open) - 1
	for t.open[at] != v {
		at--
	}
	c := t.open[at:]
	for _, w := range c {
		t.low[w] = 0
	}
	t.open = t.open[:at]
	t.found(c)
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
