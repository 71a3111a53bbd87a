package dpor

import (
	"slices"

	"whoop/ir/vm"
)

// wakeupPool keeps the nodes of all wakeup trees, in pages that never move. Node 0 is
// none.
type wakeupPool struct {
	pages [][]wakeup
	n     int32 // nodes that were ever used
	free  int32
}

// wakeupPage is how many nodes a page has.
const wakeupPage = 1 << 10

// wakeup is a branch of a wakeup tree: an event that is to be made, and what is to come
// behind it.
type wakeup struct {
	thread      int32
	next, child int32
	nops        int32
	one         [1]vm.Op // the only operation
	more        *longer  // where there are more, or answers
}

// longer is what few events have.
type longer struct {
	ops    []vm.Op
	script []int
	varies bool
}

// ops are the operations of the event, as far as they are known.
func (w *wakeup) ops() []vm.Op {
	if w.nops == 1 {
		return w.one[:]
	}
	if w.more == nil {
		return nil
	}
	return w.more.ops
}

// script are the answers to the event's queries.
func (w *wakeup) script() []int {
	if w.more == nil {
		return nil
	}
	return w.more.script
}

// varies: see event.
func (w *wakeup) varies() bool { return w.more != nil && w.more.varies }

func (p *wakeupPool) init() { p.pages, p.n, p.free = nil, 1, 0 }

func (p *wakeupPool) at(i int32) *wakeup { return &p.pages[i/wakeupPage][i%wakeupPage] }

// add makes a node.
func (p *wakeupPool) add(thread int32, ops []vm.Op, script []int, varies bool) int32 {
	i := p.free
	if i == 0 {
		i = p.n
		if p.n++; int(i/wakeupPage) >= len(p.pages) {
			p.pages = append(p.pages, make([]wakeup, wakeupPage))
		}
	} else {
		p.free = p.at(i).next
	}
	w := p.at(i)
	*w = wakeup{thread: thread, nops: int32(len(ops))}
	if len(ops) == 1 {
		w.one[0] = ops[0]
	}
	if len(ops) > 1 || len(script) > 0 {
		w.more = &longer{slices.Clone(ops), slices.Clone(script), varies}
	}
	return i
}

// take removes the first branch of a list, and returns the branches behind it.
func (p *wakeupPool) take(first *int32) int32 {
	i := *first
	w := p.at(i)
	sub := w.child
	*first = w.next
	w.next, p.free = p.free, i
	return sub
}

// drop frees a list of branches.
func (p *wakeupPool) drop(i int32) {
	for i != 0 {
		w := p.at(i)
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

// insert moves the sequence s.v and the reversed event to the wakeup tree of a node,
// unless a branch there leads to it: then what is left is added behind that. The paper's
// insert leaves it out at a leaf, for all is explored from there; but what a sleeping
// thread is explored for first may rely on it, and would then be left out by both. It
// reports whether anything was added. Within: a branch leads to it only by an event that
// is in it.
//
// A branch stands for all answers of its thread's event, which are explored right behind
// it. So a sequence that may begin with that event, with other answers, gets a branch for
// these, and does not go behind a later one.
func (s *Search) insert(n *node, last *reversed, within bool) bool {
	list, added := branches{n: n}, false
	for {
		b, own := s.firstOf(list), int32(-1)
		for ; b != 0; b = s.tree.at(b).next {
			w := s.tree.at(b)
			if (own < 0 || own == w.thread) && s.leads(w, last, within) {
				break
			}
			if s.queries && own < 0 && s.otherwise(w, last) {
				own = w.thread
			}
		}
		if b == 0 && own >= 0 {
			b, added = s.addOwn(list, own, last), true
		}
		if b == 0 {
			s.append(list, last)
			return true
		}
		w := s.tree.at(b)
		s.remove(w, last)
		if len(s.v) == 0 && last.thread < 0 {
			return added
		}
		list.branch = b
	}
}

// otherwise reports whether the event of a branch can come first in a sequence with
// other answers.
func (s *Search) otherwise(b *wakeup, last *reversed) bool {
	script, in := s.scriptOf(b.thread, last)
	return in && !slices.Equal(script, b.script()) && s.weakInitial(int(b.thread), nil, last)
}

// addOwn adds a branch for the first event of a thread in a sequence at the end of a list.
func (s *Search) addOwn(list branches, t int32, last *reversed) int32 {
	b := int32(0)
	for _, j := range s.v {
		if e := &s.events[j]; e.thread == t && b == 0 {
			b = s.tree.add(t, s.eventOps(int(j)), e.script, e.varies)
		}
	}
	if b == 0 {
		b = s.tree.add(t, last.ops, last.script, last.varies)
	}
	s.link(list, b)
	return b
}

// leads reports whether a branch can come first in what is left of a sequence. With other
// answers to its queries, an event is another one, and what is behind the branch is with
// its answers alone: where others may touch something else, it does not stand for
// sequences without its thread. Within is that of insert.
func (s *Search) leads(b *wakeup, last *reversed, within bool) bool {
	if s.inV>>b.thread&1 == 0 && last.thread != b.thread { // the same, for what is not in it
		return !within && !b.varies() && s.weakInitial(int(b.thread), b.ops(), last)
	}
	script, in := s.scriptOf(b.thread, last)
	if (within || b.varies()) && !in || in && !slices.Equal(script, b.script()) {
		return false
	}
	return s.weakInitial(int(b.thread), b.ops(), last)
}

// scriptOf tells the answers that a thread's first event in a sequence took.
func (s *Search) scriptOf(t int32, last *reversed) (script []int, in bool) {
	if s.inV>>t&1 != 0 {
		for _, j := range s.v {
			if s.events[j].thread == t {
				return s.events[j].script, true
			}
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
func (s *Search) append(list branches, last *reversed) {
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
		link(s.tree.add(e.thread, s.eventOps(int(j)), e.script, e.varies))
	}
	if last.thread >= 0 {
		link(s.tree.add(last.thread, last.ops, last.script, last.varies))
	}
	s.link(list, first)
}

// link adds a branch at the end of a list.
func (s *Search) link(list branches, first int32) {
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
