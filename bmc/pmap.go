package bmc

import "whoop/smt/bv"

// pmap is a persistent map from small numbers (cells) to terms: a radix tree of 16
// children a node. Copies are free, and merging two versions visits only what differs
// between them.
type pmap struct {
	root  *pnode
	depth int // levels; it holds keys below 16^depth
}

type pnode struct {
	kids [16]*pnode
	vals [16]*bv.Term
}

func (m pmap) get(k int) *bv.Term {
	if k>>(4*m.depth) != 0 {
		return nil
	}
	n := m.root
	for d := m.depth - 1; d > 0 && n != nil; d-- {
		n = n.kids[k>>(4*d)&15]
	}
	if n == nil {
		return nil
	}
	return n.vals[k&15]
}

// set returns the map with k bound to v; a nil v unbinds it.
func (m pmap) set(k int, v *bv.Term) pmap {
	for k>>(4*m.depth) != 0 || m.depth == 0 {
		if m.root != nil && m.depth > 0 {
			m.root = &pnode{kids: [16]*pnode{m.root}}
		}
		m.depth++
	}
	m.root = m.root.set(m.depth-1, k, v)
	return m
}

func (n *pnode) set(d, k int, v *bv.Term) *pnode {
	var c pnode
	if n != nil {
		c = *n
	}
	i := k >> (4 * d) & 15
	if d == 0 {
		c.vals[i] = v
	} else {
		c.kids[i] = c.kids[i].set(d-1, k, v)
	}
	return &c
}

// mergeMaps combines two maps: f is asked for each key whose values differ; a missing
// value is nil.
func mergeMaps(a, b pmap, f func(k int, x, y *bv.Term) *bv.Term) pmap {
	for a.depth < b.depth {
		a = a.grow()
	}
	for b.depth < a.depth {
		b = b.grow()
	}
	a.root = mergeNodes(a.root, b.root, a.depth-1, 0, f)
	return a
}

func (m pmap) grow() pmap {
	if m.root != nil && m.depth > 0 {
		m.root = &pnode{kids: [16]*pnode{m.root}}
	}
	m.depth++
	return m
}

func mergeNodes(a, b *pnode, d, base int, f func(k int, x, y *bv.Term) *bv.Term) *pnode {
	if a == b || d < 0 {
		return a
	}
	var zero, c pnode
	if a == nil {
		a = &zero
	}
	if b == nil {
		b = &zero
	}
	for i := range 16 {
		k := base | i<<(4*d)
		switch {
		case d > 0:
			c.kids[i] = mergeNodes(a.kids[i], b.kids[i], d-1, k, f)
		case a.vals[i] == b.vals[i]:
			c.vals[i] = a.vals[i]
		default:
			c.vals[i] = f(k, a.vals[i], b.vals[i])
		}
	}
	return &c
}

// each calls f for every binding, in order of the keys.
func (m pmap) each(f func(k int, v *bv.Term)) { m.root.each(m.depth-1, 0, f) }

func (n *pnode) each(d, base int, f func(k int, v *bv.Term)) {
	if n == nil || d < 0 {
		return
	}
	for i := range 16 {
		k := base | i<<(4*d)
		if d > 0 {
			n.kids[i].each(d-1, k, f)
		} else if n.vals[i] != nil {
			f(k, n.vals[i])
		}
	}
}
