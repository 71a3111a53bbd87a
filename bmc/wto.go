package bmc

import "whoop/ir"

// order is a weak topological order of a function's blocks (Bourdoncle, Efficient chaotic
// iteration strategies with widenings, 1993): blocks numbered so that every edge leads
// upwards but for those to the head of a component (loop) that contains its source.
// Unlike natural loops it is defined for irreducible graphs, too.
type order struct {
	num  map[*ir.Block]int
	path map[*ir.Block][]*component // the components a block is in, the outermost first
}

// component is a loop: its head comes first in the order.
type component struct {
	head *ir.Block
	num  int // of the head
}

func orderOf(f *ir.Func) *order {
	w := &wto{dfn: map[*ir.Block]int{}, o: &order{num: map[*ir.Block]int{}, path: map[*ir.Block][]*component{}}}
	w.visit(f.Blocks[0], &w.list)
	n := 0
	w.number(w.list, nil, &n)
	return w.o
}

// wto is the state of Bourdoncle's algorithm. An element of list is a block or a
// component with its elements.
type wto struct {
	dfn   map[*ir.Block]int
	n     int
	stack []*ir.Block
	list  []element
	o     *order
}

type element struct {
	block *ir.Block
	loop  bool
	body  []element // in order, without the head
}

const done = 1 << 30

func (w *wto) visit(b *ir.Block, part *[]element) int {
	w.stack = append(w.stack, b)
	w.n++
	w.dfn[b] = w.n
	head, loop := w.n, false
	for _, s := range succs(b) {
		m := w.dfn[s]
		if m == 0 {
			m = w.visit(s, part)
		}
		if m <= head {
			head, loop = m, true
		}
	}
	if head != w.dfn[b] {
		return head
	}
	w.dfn[b] = done
	e := w.stack[len(w.stack)-1]
	w.stack = w.stack[:len(w.stack)-1]
	if !loop {
		*part = append([]element{{block: b}}, *part...)
		return head
	}
	for e != b {
		w.dfn[e] = 0
		e = w.stack[len(w.stack)-1]
		w.stack = w.stack[:len(w.stack)-1]
	}
	el := element{block: b, loop: true}
	for _, s := range succs(b) {
		if w.dfn[s] == 0 {
			w.visit(s, &el.body)
		}
	}
	*part = append([]element{el}, *part...)
	return head
}

// succs are the successors of a block, none twice.
func succs(b *ir.Block) []*ir.Block {
	var out []*ir.Block
next:
	for _, s := range b.Term.Succs() {
		for _, o := range out {
			if o == s {
				continue next
			}
		}
		out = append(out, s)
	}
	return out
}

func (w *wto) number(list []element, path []*component, n *int) {
	for _, e := range list {
		p := path
		if e.loop {
			p = append(path[:len(path):len(path)], &component{head: e.block, num: *n})
		}
		w.o.num[e.block], w.o.path[e.block] = *n, p
		*n++
		w.number(e.body, p, n)
	}
}
