package external

// nodeID names a node of a function.
type nodeID struct {
	f    Ref
	node string
}

// nodeState is what is known so far of a node. It only grows.
type nodeState struct {
	id     nodeID
	bits   Bits
	edges  []Edge
	local  Bits
	before []*nodeState // to look at again when this changes
	queued bool
}

// bits says what may happen to the value that a node stands for.
func (w *World) bits(id nodeID) Bits {
	n := w.nodeOf(id)
	w.settle()
	return n.bits
}

// edge says what may happen to a value that goes along an edge of a function.
func (w *World) edge(f Ref, e Edge) Bits {
	to := w.nodeOf(nodeID{e.Func, e.Node})
	if e.Via != "" {
		w.nodeOf(nodeID{f, e.Via})
	}
	w.settle()
	return w.along(f, e, to)
}

// nodeOf returns the state of a node, with all that it depends on.
func (w *World) nodeOf(id nodeID) *nodeState {
	if n := w.nodes[id]; n != nil {
		return n
	}
	n := &nodeState{id: id}
	w.nodes[id] = n
	f := w.fact(id.f)
	switch {
	case f == nil:
		n.local = All
	case w.src.standard(id.f.Package()):
		n.local = Kept
	case f.Nodes[id.node] == nil:
		n.local = Kept
	default:
		n.local, n.edges = f.Nodes[id.node].Bits, f.Nodes[id.node].To
	}
	for _, e := range n.edges {
		to := w.nodeOf(nodeID{e.Func, e.Node})
		to.before = append(to.before, n)
		if e.Via != "" {
			via := w.nodeOf(nodeID{id.f, e.Via})
			via.before = append(via.before, n)
		}
	}
	w.enqueue(n)
	return n
}

func (w *World) enqueue(n *nodeState) {
	if !n.queued {
		n.queued = true
		w.queue = append(w.queue, n)
	}
}

// settle computes the bits of the nodes that have changed, and of those that depend on
// them.
func (w *World) settle() {
	for len(w.queue) > 0 {
		n := w.queue[len(w.queue)-1]
		w.queue = w.queue[:len(w.queue)-1]
		n.queued = false
		b := n.local
		for _, e := range n.edges {
			b |= w.along(n.id.f, e, w.nodes[nodeID{e.Func, e.Node}])
		}
		if b != n.bits {
			n.bits = b
			for _, m := range n.before {
				w.enqueue(m)
			}
		}
	}
}

// along is what happens to a value that goes along an edge. Where a closure captures it,
// that depends on what happens to the closure: what is called in one that is never called
// is not.
func (w *World) along(f Ref, e Edge, to *nodeState) Bits {
	b := to.bits
	if e.Via != "" {
		c := w.nodes[nodeID{f, e.Via}].bits
		var out Bits
		if c&Now != 0 {
			out |= b
		}
		if c&Go != 0 {
			out |= concurrently(b)
		}
		if c&Kept != 0 && b != 0 {
			out |= Kept | b&Go | b&Looked
		}
		b = out
	}
	if e.Go {
		b = concurrently(b)
	}
	return b
}

// concurrently is what happens to a value in a goroutine if b would happen to it in the
// caller.
func concurrently(b Bits) Bits {
	if b&Now != 0 {
		return b&^Now | Go
	}
	return b
}
