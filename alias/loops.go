package alias

// Pointers that go on from themselves: p = p + 1, in a register or in memory, is pointer arithmetic on a cycle of the constraint graph
// (a positive weight cycle: Pearce, Kelly and Hankin, "Efficient field-sensitive pointer analysis for C", 2007, section 4.2). Going around it
// makes a cell for every offset of a buffer, up to the bound after which they fold into the one that stands for all of them. That is
// where it ends in any case, so in objects without a layout the arithmetic leads there at once.

// findLoops finds the results of arithmetic that lie on a cycle of plain edges and of arithmetic.
func (s *solver) findLoops() {
	succs := make([][]int32, len(s.nodes))
	for v, x := range s.nodes {
		if s.rep[v] != int32(v) || len(x.cons) == 0 {
			continue
		}
		for _, c := range x.cons {
			if l, ok := c.(xformCon); ok && (l.x.op == opConst || l.x.op == opRetype) {
				succs[v] = append(succs[v], s.find(l.dst))
			}
		}
	}
	part := make([]int32, len(s.nodes))
	s.components(func(v int32) ([]int32, []int32) { return s.nodes[v].succ, succs[v] }, func(ws []int32) {
		for _, w := range ws {
			part[w] = ws[0] + 1
		}
	})
	for v, x := range s.nodes {
		if len(succs[v]) == 0 {
			continue
		}
		for _, c := range x.cons {
			if l, ok := c.(xformCon); ok && l.x.op == opConst && l.x.delta != 0 && part[v] == part[s.find(l.dst)] {
				s.loops[l.dst] = true
			}
		}
	}
}

// components calls found with the nodes of each strongly connected component of a graph (Tarjan's algorithm, iterative). The successors of
// a node are in two lists, as nodes or as what has become part of one.
func (s *solver) components(succs func(int32) (a, b []int32), found func([]int32)) {
	n := len(s.nodes)
	index, low := make([]int32, n), make([]int32, n)
	onStack := make([]bool, n)
	var stack []int32
	next := int32(1)
	type frame struct {
		n    int32
		i    int
		a, b []int32
	}
	var frames []frame
	enter := func(v int32) {
		index[v], low[v] = next, next
		next++
		stack = append(stack, v)
		onStack[v] = true
		a, b := succs(v)
		frames = append(frames, frame{v, 0, a, b})
	}
	for root := int32(1); root < int32(n); root++ {
		if s.find(root) != root || index[root] != 0 {
			continue
		}
		enter(root)
		for len(frames) > 0 {
			f := &frames[len(frames)-1]
			v := f.n
			if f.i < len(f.a)+len(f.b) {
				var w int32
				if f.i < len(f.a) {
					w = s.find(f.a[f.i])
				} else {
					w = s.find(f.b[f.i-len(f.a)])
				}
				f.i++
				if index[w] == 0 {
					enter(w)
				} else if onStack[w] {
					low[v] = min(low[v], index[w])
				}
				continue
			}
			frames = frames[:len(frames)-1]
			if len(frames) > 0 {
				p := frames[len(frames)-1].n
				low[p] = min(low[p], low[v])
			}
			if low[v] != index[v] {
				continue
			}
			i := len(stack) - 1
			for stack[i] != v {
				i--
			}
			for _, w := range stack[i:] {
				onStack[w] = false
			}
			ws := append([]int32(nil), stack[i:]...)
			stack = stack[:i]
			found(ws)
		}
	}
}
