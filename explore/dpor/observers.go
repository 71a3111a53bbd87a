package dpor

import (
	"slices"

	"whoop/ir/vm"
)

// Observers (after Aronis, Jonsson, Lång, Sagonas: Optimal dynamic partial order
// reduction with observers, TACAS 2018, and the sleep sets of Nidhugg): the order of two
// writes of one cell matters only where something can tell which was the last. Let q be a
// write, u events behind it that only overwrite what it writes, and o a further write
// that overwrites it, with nothing in between that reads the cell. Then u.q.o and q.u.o
// are equivalent.
//
// So when q was explored from a node, its thread does not wake for good when another
// thread writes the cell: it is stirred. It may write, for what reads it would tell. When
// what it wrote is overwritten unread, the execution is redundant: the same, with q
// first, is explored behind q. When the cell is read before, or written by what reads it
// too, such as an exchange, it wakes for good. At an execution's end all memory counts as
// read: the states in which executions end are those of all interleavings.
//
// Races are noted as without observers, also those of an execution that turns out to be
// redundant with the event that shows it. So fewer executions come to their end, and some
// are cut off, by optimal-DPOR, too.
//
// # Why this leaves nothing out
//
// Behind q.u.o, all is as behind u.q.o: writes find nothing, and nothing else touches the
// cell in between. So the former is possible where the latter is, ends in the same state,
// and goes wrong where that does. Let ~ be the exchange of neighbouring events that do
// not conflict, and of such q and u. A sequence w behind a node E is excluded by q, if q
// sleeps at E, is stirred, or was when it was made, and it is made (in w, or before) and
// overwritten by an o in w, as above. What ~ makes of w is then excluded, too.
//
// All threads that can go on are explored from a node at which a stirred thread is
// explored, or an event that shows that the execution is redundant (see expand); left out
// are those that sleep, and those that can only show that, too.
//
// The claim of the package's document becomes: if no thread of I(w) sleeps at E, and w is
// not excluded there, some path behind E contains w, up to ~.
//
//   - If a thread of done(E) can come first in a sequence that is w up to ~, take the one
//     that was begun first, p, with that sequence. If q excludes what is left of it behind
//     p, it slept at E or was stirred or made there, is p, or was begun before p: then q
//     excludes w at E, or comes first in a sequence that is w up to ~. Neither is so.
//   - If none can, E is not one of the nodes above: the thread of w's first event would
//     have been explored, for it does not sleep, and what only shows that an execution is
//     redundant excludes w. So p of done(E) is not stirred and overwrites nothing that a
//     stirred thread has made. Take p, w(p) and e(p) as in the package's document. If q
//     excludes w(p).e(p) behind p, q comes before its o, so it is made in w(p) or before
//     E: it does not conflict with p. So it excludes w at E, or can come first in w, being
//     begun before p. Neither is so. Then the path behind p is there. It is p.w' up to the
//     exchange of events that do not conflict, and what w' begins with is w up to ~.
//     Of the events of w' that p conflicts with take the first one, e. There p and e
//     race: some r of I(v) was explored from E or sleeps there, v being what comes before
//     e in w' and not after p, and then e. It can come first in w', and so in what is w
//     up to ~, against what was assumed.
//
// With optimal-DPOR, sequences are inserted for these races as they are without
// observers: threads that are stirred count as awake.

// write is what is known of a sleeper whose event is a write of one cell.
type write struct {
	is   bool
	op   vm.Op
	left uint8 // bytes that others have written since: it is stirred
	made bool  // it has written, and these bytes are not overwritten yet
}

// stirred reports whether the sleeper does not sleep, or has written.
func (w *write) stirred() bool { return w.left != 0 }

// heardOf tells whether an event that was explored is such a write.
func (s *Search) heardOf(e *event, ops []vm.Op) write {
	if !s.opt.Observers || len(ops) != 1 || e.fuzzy || !e.whole() || !blind(ops[0]) {
		return write{}
	}
	return write{is: true, op: ops[0]}
}

// whole reports whether an event has done all that its operations say.
func (e *event) whole() bool { return !e.failed && !e.broke && !e.parked }

// blind reports whether an operation writes a cell of memory and reads nothing.
func blind(o vm.Op) bool { return o.Kind&(vm.Blind|vm.Sync|vm.Quiet) == vm.Blind }

// pushWrite tells what becomes of a sleeper that is a write, at the last node, behind an
// event of a thread.
func (s *Search) pushWrite(q sleeper, t int, ops []vm.Op) {
	n, e := &s.nodes[len(s.nodes)-1], &s.events[len(s.events)-1]
	w := &q.write
	switch {
	case int(q.thread) != t || w.made:
		mask := w.op.Mask
		if w.made {
			mask = w.left
		}
		written := uint8(0)
		for _, o := range ops {
			if o.Cell == w.op.Cell && o.Mask&mask != 0 {
				if !blind(o) || !e.whole() {
					return // it is read, or wakes for good
				}
				written |= o.Mask & mask
			}
		}
		switch {
		case !w.made:
			w.left |= written
		case written == w.left:
			n.idle = true
		case written != 0:
			return // in parts: that is not looked at
		}
	case w.left == 0 || len(ops) != 1 || ops[0] != w.op || !e.whole():
		return
	default:
		w.made = true
	}
	if w.left == 0 && !w.made {
		n.asleep |= 1 << q.thread
	} else if !w.made {
		n.unheard |= 1 << q.thread
	}
	s.sleep = append(s.sleep, q)
}

// unread ends an execution in which a write turned out to be redundant.
func (s *Search) unread(n *node) {
	s.tree.drop(n.first)
	n.first = 0
	s.Unread++
	i := len(s.events) - 1
	e := &s.events[i]
	if up := &s.nodes[i]; !up.expanded {
		s.m.Undo(e.mark)
		s.expand(up, int(e.thread))
		s.m.Step(int(e.thread), e.script)
	}
	s.end(true)
}

// expand lets all threads be explored from a node, at which the machine is, but for one
// that is explored now, and those that only overwrite what a stirred one has written.
func (s *Search) expand(n *node, but int) {
	n.expanded = true
	for t := range s.m.Threads() {
		if t == but || n.sleeps(t) || n.disabled>>t&1 != 0 || !s.m.CanStep(t) {
			continue
		}
		mark, ops, whole := s.m.Mark(), s.m.Tried, false
		if s.m.Step(t, nil) {
			ops, whole = s.m.Ops, !s.m.Parked() && len(s.m.Failures()) == 0
		}
		asked := len(s.m.Asked())
		s.buffer = append(s.buffer[:0], ops()...)
		s.m.Undo(mark)
		switch {
		case whole && asked == 0 && s.overwrites(n, s.buffer):
		case s.opt.Algorithm == Source:
			n.backtrack |= 1 << t
		case !s.rooted(n, int32(t)):
			s.link(branches{n: n}, s.tree.add(int32(t), s.buffer, make([]int, asked), asked > 0))
		}
	}
}

// rooted reports whether a node has a branch for a thread.
func (s *Search) rooted(n *node, t int32) bool {
	for b := n.first; b != 0; b = s.tree.at(b).next {
		if s.tree.at(b).thread == t {
			return true
		}
	}
	return false
}

// madeUnread reports whether a stirred thread has written what nothing has read.
func (s *Search) madeUnread(n *node) bool {
	return slices.ContainsFunc(s.sleep[n.sleep:n.sleep+n.nsleep],
		func(q sleeper) bool { return q.write.made })
}

// overwrites reports whether what an event touches overwrites, at a node, what was
// written and not read.
func (s *Search) overwrites(n *node, ops []vm.Op) bool {
	for i := n.sleep; i < n.sleep+n.nsleep; i++ {
		if w := &s.sleep[i].write; w.made && slices.ContainsFunc(ops, func(o vm.Op) bool {
			return blind(o) && o.Cell == w.op.Cell && o.Mask&w.left == w.left
		}) && !slices.ContainsFunc(ops, func(o vm.Op) bool {
			return !blind(o) && o.Cell == w.op.Cell && o.Mask&w.left != 0
		}) {
			return true
		}
	}
	return false
}
