package dpor

import (
	"slices"

	"whoop/ir/vm"
)

// wakeupPool keeps the nodes of all wakeup trees. Node 0 is none.
type wakeupPool struct {
	nodes []wakeup
	free  int32
}

// wakeup is a branch of a wakeup tree: an event that is to be made, and what is to come behind it.
type wakeup struct {
	thread      int32
	next, child int32
	ops         []vm.Op
	script      []int
}

func (p *wakeupPool) init() { p.nodes, p.free = make([]wakeup, 1), 0 }

func (p *wakeupPool) at(i int32) *wakeup { return &p.nodes[i] }

// add makes a node.
func (p *wakeupPool) add(b wakeup) int32 {
	i := p.free
	if i == 0 {
		i = int32(len(p.nodes))
		p.nodes = append(p.nodes, wakeup{})
	} else {
		p.free = p.nodes[i].next
	}
	w := &p.nodes[i]
	b.ops, b.script = append(w.ops[:0], b.ops...), append(w.script[:0], b.script...)
	*w = b
	return i
}

// take removes the first branch of a list, and returns the branches behind it.
func (p *wakeupPool) take(first *int32) int32 {
	i := *first
	w := &p.nodes[i]
	sub := w.child
	*first = w.next
	w.next, p.free = p.free, i
	return sub
}

// drop frees a list of branches.
func (p *wakeupPool) drop(i int32) {
	for i != 0 {
		w := &p.nodes[i]
		next := w.next
		p.drop(w.child)
		w.next, p.free = p.free, i
		i = next
	}
}

// branches is a list of a wakeup tree: that of a search node, or the one behind a branch.
type branches struct {
	n      *node
	branch int32 // 0: the list of n
}

func (s *Search) firstOf(l branches) int32 {
	if l.branch == 0 {
		return l.n.first
	}
	return s.tree.at(l.branch).child
}

// insert adds the sequence s.v and the reversed event to the wakeup tree of a node, unless a branch there leads to it:
// then what is left is added behind that. The paper's insert leaves it out at a leaf, for all is explored from there; but
// what a sleeping thread is explored for first may rely on it, and would then be left out by both.
func (s *Search) insert(n *node, last reversed) {
	list := branches{n: n}
	for {
		b := s.firstOf(list)
		for b != 0 && !s.leads(s.tree.at(b), last) {
			b = s.tree.at(b).next
		}
		if b == 0 {
			s.append(list, last)
			return
		}
		w := s.tree.at(b)
		s.remove(w, &last)
		if len(s.v) == 0 && last.thread < 0 {
			return
		}
		list.branch = b
	}
}

// leads reports whether a branch can come first in what is left of a sequence. With other answers to its queries, an
// event is another one.
func (s *Search) leads(b *wakeup, last reversed) bool {
	script, in := s.scriptOf(b.thread, last)
	if in && !slices.Equal(script, b.script) {
		return false
	}
	return s.weakInitial(int(b.thread), b.ops, last)
}

// scriptOf tells the answers that a thread's first event in a sequence took.
func (s *Search) scriptOf(t int32, last reversed) (script []int, in bool) {
	for _, j := range s.v {
		if s.events[j].thread == t {
			return s.events[j].script, true
		}
	}
	return last.script, last.thread == t
}

// remove takes the first event of a branch's thread out of the sequence.
func (s *Search) remove(b *wakeup, last *reversed) {
	for k, j := range s.v {
		if s.events[j].thread == b.thread {
			s.v = append(s.v[:k], s.v[k+1:]...)
			return
		}
	}
	if last.thread == b.thread {
		last.thread = -1
	}
}

// append adds a chain of branches at the end of a list.
func (s *Search) append(list branches, last reversed) {
	var first, tail int32
	link := func(i int32) {
		if tail == 0 {
			first = i
		} else {
			s.tree.at(tail).child = i
		}
		tail = i
	}
	for _, j := range s.v {
		e := &s.events[j]
		link(s.tree.add(wakeup{thread: e.thread, ops: s.eventOps(int(j)), script: e.script}))
	}
	if last.thread >= 0 {
		link(s.tree.add(wakeup{thread: last.thread, ops: last.ops, script: last.script}))
	}
	end := int32(0)
	for i := s.firstOf(list); i != 0; i = s.tree.at(i).next {
		end = i
	}
	switch {
	case end != 0:
		s.tree.at(end).next = first
	case list.branch != 0:
		s.tree.at(list.branch).child = first
	default:
		list.n.first = first
	}
}
