package alias

import "whoop/internal/graph"

// Pointers that go on from themselves: p = p + 1, in a register or in memory, is pointer
// arithmetic on a cycle of the constraint graph (a positive weight cycle: Pearce, Kelly
// and Hankin, "Efficient field-sensitive pointer analysis for C", 2007, section 4.2).
// Going around it makes a cell for every offset of an object, up to the bound after which
// they fold into the one that stands for all of them. Where that is the end in any case
// the arithmetic leads there at once.

// distance is how far arithmetic by a constant moves; 0 for other kinds.
func (x xform) distance() int64 {
	switch x.op {
	case opConst:
		return x.delta
	case opField:
		return x.s.Fields[x.index].Offset
	}
	return 0
}

// A step is an edge of arithmetic: what is at its node is, delta bytes on, also at to.
type step struct {
	to    int32
	delta int64
}

// arithmetic lists the steps by constants at each node.
func (s *solver) arithmetic() [][]step {
	out := make([][]step, len(s.nodes))
	for v, x := range s.nodes {
		for _, c := range x.cons {
			if l, ok := c.(xformCon); ok && (l.x.op == opConst || l.x.op == opField || l.x.op == opRetype) {
				out[v] = append(out[v], step{s.find(l.dst), l.x.distance()})
			}
		}
	}
	return out
}

// findLoops finds the results of arithmetic that lie on a cycle of plain edges and of
// arithmetic, or together with one, which moves by something: going back to a header and
// on to what follows it does not.
func (s *solver) findLoops() {
	if s.prog.TypeSafe { // there is next to no arithmetic on pointers
		return
	}
	steps := s.arithmetic()
	part, at := make([]int32, len(s.nodes)), make([]int64, len(s.nodes))
	succs := make([][]int32, len(s.nodes))
	for v, xs := range steps {
		for _, x := range xs {
			succs[v] = append(succs[v], x.to)
		}
	}
	s.components(succs, func(ws []int32) {
		for _, w := range ws {
			part[w] = ws[0] + 1
		}
		if s.moves(ws[0], part, at, steps) {
			for _, w := range ws {
				s.noteLoops(w, part)
			}
		}
	})
}

// moves reports whether a strongly connected component has a cycle whose steps do not add
// up to zero: there are no positions of its nodes (at) that agree with all steps.
func (s *solver) moves(root int32, part []int32, at []int64, steps [][]step) bool {
	id, work := part[root], []int32{root}
	seen := map[int32]bool{root: true}
	agrees := true
	visit := func(w int32, pos int64) {
		switch {
		case part[w] != id:
		case !seen[w]:
			seen[w], at[w] = true, pos
			work = append(work, w)
		case at[w] != pos:
			agrees = false
		}
	}
	for len(work) > 0 && agrees {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		for _, w := range s.nodes[v].succ {
			visit(s.find(w), at[v])
		}
		for _, x := range steps[v] {
			visit(x.to, at[v]+x.delta)
		}
	}
	return !agrees
}

// noteLoops marks the steps from a node that stay in its component.
func (s *solver) noteLoops(v int32, part []int32) {
	for _, c := range s.nodes[v].cons {
		if l, ok := c.(xformCon); ok && l.x.distance() != 0 && part[s.find(l.dst)] == part[v] {
			s.loops[l.dst] = true
		}
	}
}

// leavesAll tells whether arithmetic that is repeated leads from a cell out of its
// object, and not into an array, where it would stay.
func (s *solver) leavesAll(c int32, x xform) bool {
	cl := s.cells[c]
	o := cl.obj
	switch {
	case o.raw:
		return true
	case cl.any || o.Type == nil || o.Kind == KindExtern || o.Type.Size() > maxWalk || flexible(o.Type) || x.stride > 1 && s.staysInArray(o, cl.off, x.stride):
		return false
	}
	for off := cl.off; off >= 0 && off < o.Type.Size(); off += x.distance() {
		if _, lv := locate(o.Type, off); len(lv) > 0 {
			return false
		}
	}
	return true
}

// maxWalk bounds the size of objects through which steps are followed. Cost only.
const maxWalk = 4096

// components calls found with the nodes of each strongly connected component of the plain
// edges, and of more edges where there are any. Nodes that were merged count as one, also
// where found merges them.
func (s *solver) components(more [][]int32, found func([]int32)) {
	graph.Numbered(len(s.nodes), func(v int32) bool { return v > 0 && s.find(v) == v },
		func(v int32, i int) (int32, bool) {
			plain := s.nodes[v].succ
			if i < len(plain) {
				return s.find(plain[i]), true
			}
			if i -= len(plain); more == nil || i >= len(more[v]) {
				return 0, false
			}
			return s.find(more[v][i]), true
		}, found)
}
