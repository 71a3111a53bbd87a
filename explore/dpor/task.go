package dpor

import (
	"slices"

	"whoop/ir/vm"
)

// The part of a search that explores one head of a shared tree after the other.

// disputed is what a search has found that is to be explored from a node that others
// know.
type disputed struct {
	node int
	seq  *sequence // of Optimal
	// of Source: the threads that can come first, of which one is to be explored
	initials uint64
	add      int
}

// sharing is what a search shares with others.
type sharing struct {
	on bool
	// bottom is the last node that others know, -1 where there is none, and chain are the
	// heads that lead from each node to the next one. The last one is explored by this
	// search.
	bottom   int
	chain    []*head
	disputed []disputed
	slabs    slabs // of disputed sequences
	saved    []int32
}

// root makes a search explore all, from its first state; top stands for that.
func (s *Search) root(top *head) {
	s.share = sharing{on: true, bottom: -1}
	s.share.chain = append(s.share.chain, top)
	s.clocks.init(s.m.Threads())
	s.nodes = append(s.nodes[:0], node{fresh: true, queried: &unqueried})
}

// task is the head that the search explores.
func (s *Search) task() *head { return s.share.chain[len(s.share.chain)-1] }

// headAt is the head that leads from node j on.
func (s *Search) headAt(j int) *head { return s.share.chain[j+1] }

// lead leads the search to the node of a head. What the path has in common with the last
// one stays.
func (s *Search) lead(h *head) {
	path := []*head{h}
	for g := h; g.node != nil; g = g.node.by {
		path = append(path, g.node.by)
	}
	slices.Reverse(path)
	common := 0
	for common < min(len(path), len(s.share.chain)) && path[common] == s.share.chain[common] {
		common++
	}
	common = max(common-1, 0) // events; path[0] is no event
	common = min(common, len(path)-2, len(s.events))
	s.unwind(common)
	found := s.opt.Found
	s.opt.Found = nil
	for j := common; j < len(path)-2; j++ {
		g := path[j+1]
		s.stand(g)
		mark := s.m.Mark()
		s.m.Step(int(g.Thread), g.Script)
		s.nodes[j].thread = g.Thread
		s.record(int(g.Thread), mark, g.Script)
	}
	s.opt.Found = found
	s.share.bottom, s.share.chain = len(path)-2, path
}

// unwind goes back to the state before the first k events, without their node.
func (s *Search) unwind(k int) {
	for i := len(s.events) - 1; i >= k; i-- {
		s.forget(i)
	}
	for len(s.nodes) > k {
		n := &s.nodes[len(s.nodes)-1]
		s.sleep, s.slept = s.sleep[:n.sleep], s.slept[:n.slept]
		s.tree.drop(n.first)
		s.nodes = s.nodes[:len(s.nodes)-1]
	}
}

// stand makes the node that a head leads on from, with what sleeps and with other heads,
// so that what is disputed is known.
func (s *Search) stand(g *head) {
	x := g.node
	n := node{sleep: int32(len(s.sleep)), slept: int32(len(s.slept)), start: s.ends(), backtrack: x.backtrack, explored: x.backtrack,
		queried: &unqueried}
	for _, q := range g.sleep {
		from := int32(len(s.slept))
		s.slept = append(s.slept, q.Ops...)
		s.sleep = append(s.sleep, sleeper{thread: q.Thread, from: from,
			to: int32(len(s.slept)), open: q.Open})
		n.asleep |= 1 << q.Thread
	}
	n.nsleep = int32(len(s.sleep)) - n.sleep
	for i := len(x.heads) - 1; i >= 0 && x.ordered; i-- {
		if h := x.heads[i]; h != g && h.silent {
			n.begunBy |= 1 << h.Thread
		} else if h != g && h.state == waiting && !n.sleeps(int(h.Thread)) {
			n.first = s.planted(&h.branch, n.first)
		}
	}
	s.nodes = append(s.nodes, n)
}

// planted adds a branch to the pool, in front of others.
func (s *Search) planted(b *branch, next int32) int32 {
	i := s.tree.add(b.Thread, b.Ops, b.Script, b.Varies)
	for k := len(b.Subs) - 1; k >= 0; k-- {
		s.tree.at(i).child = s.planted(b.Subs[k], s.tree.at(i).child)
	}
	s.tree.at(i).next = next
	return i
}

// exported are the branches of a list of the pool.
func (s *Search) exported(i int32) (out []*branch) {
	for ; i != 0; i = s.tree.at(i).next {
		w := s.tree.at(i)
		out = append(out, &branch{w.thread, slices.Clone(w.ops()), slices.Clone(w.script()),
			w.varies(), s.exported(w.child)})
	}
	return out
}

// peek makes the event of the head that the search was led to, to see what it touches and
// asks, and what it touches with any answers.
func (s *Search) peek(h *head) (ops, touches []vm.Op, script, asked []int, ok bool) {
	mark := s.m.Mark()
	if !s.m.CanStep(int(h.Thread)) || !s.m.Step(int(h.Thread), h.Script) {
		return nil, nil, nil, nil, false
	}
	ops, asked = slices.Clone(s.m.Ops()), slices.Clone(s.m.Asked())
	s.m.Undo(mark)
	if len(asked) == 0 {
		return ops, ops, nil, nil, true
	}
	n := node{queried: &queried{touches: ops}}
	if s.reduces() {
		n.touches = nil
		s.tryAnswers(&n, int(h.Thread), nil)
	}
	return ops, n.touches, padded(h.Script, len(asked)), asked, true
}

// enter makes the event of the head, behind which all is explored.
func (s *Search) enter(h *head) {
	s.stand(h)
	sub := int32(0)
	for k := len(h.Subs) - 1; k >= 0; k-- {
		sub = s.planted(h.Subs[k], sub)
	}
	h.Subs = nil
	s.step(int(h.Thread), h.Script, sub)
}

// slice explores until pause says so, or all is explored (true). What is disputed is then
// still to be told.
func (s *Search) slice(pause func() bool) bool {
	for !s.done {
		if s.forward() {
			continue
		}
		if len(s.nodes)-1 == s.share.bottom+1 {
			return true
		}
		s.backward()
		if pause() {
			return false
		}
	}
	return false
}

// dispute inserts the sequence s.v and the reversed event at a node that others know, and
// notes it where it is not part of one that is noted. It is not settled yet what of those
// becomes a branch. So the tree here is of noted sequences alone: what is left out is a
// part of one, and whoever explores that one explores it, too.
func (s *Search) dispute(node int32, last *reversed) {
	if s.elsewhere(&s.nodes[node], last) {
		return
	}
	s.share.saved = append(s.share.saved[:0], s.v...)
	whole := *last
	if s.insert(&s.nodes[node], last, true) {
		s.v = append(s.v[:0], s.share.saved...)
		s.share.disputed = append(s.share.disputed, disputed{node: int(node), seq: s.packed(&whole)})
	}
}

// disputeThread notes that one of the threads that can come first, add for instance, is
// to be explored from a node that others know. Which one it will be is not settled
// before: one of another race may already be known there, and then add is not explored
// for this one. So what is noted for one race stands for another only where its threads
// are among the other's.
func (s *Search) disputeThread(node int, initials uint64, add int) {
	for _, d := range s.share.disputed {
		if d.node == node && d.initials&^initials == 0 {
			return
		}
	}
	s.share.disputed = append(s.share.disputed, disputed{node: node, initials: initials, add: add})
}

// told forgets what was disputed.
func (s *Search) told() {
	s.share.disputed = s.share.disputed[:0]
	s.share.slabs.told()
}

// elsewhere reports whether a head that others have begun explores all that begins with
// the sequence s.v and the reversed event; see shared.insert.
func (s *Search) elsewhere(n *node, last *reversed) bool {
	for k, j := range s.v {
		if n.begunBy>>s.events[j].thread&1 != 0 && s.firstOfThread(k) && s.initialAt(k) {
			return true
		}
	}
	return last.thread >= 0 && n.begunBy>>last.thread&1 != 0 && !s.inSequence(int(last.thread)) && s.lastInitial(last)
}

// packed is the sequence s.v with the reversed event behind it.
func (s *Search) packed(last *reversed) *sequence {
	n := len(last.ops)
	for _, j := range s.v {
		n += len(s.eventOps(int(j)))
	}
	q := s.share.slabs.sequence(len(s.v)+1, n)
	for k, j := range s.v {
		q.add(s.events[j].thread, s.eventOps(int(j)), s.events[j].script, s.events[j].varies)
		c := s.clocks.event(j)
		for i, x := range s.v[:k] {
			if e := &s.events[x]; c[e.thread] >= e.index {
				q.follows(k, i)
			}
		}
	}
	if last.thread >= 0 {
		q.add(last.thread, last.ops, last.script, last.varies)
		for i, j := range s.v {
			e := &s.events[j]
			if last.before[e.thread] >= e.index || vm.Conflicts(last.ops, s.eventOps(int(j))) {
				q.follows(len(s.v), i)
			}
		}
	}
	return q
}

// retire makes all that is left of the search's head known to others. The search may not
// be in the middle of an event's answers (see settled).
func (s *Search) retire() (heads []*head) {
	last := len(s.nodes) - 1
	heads = s.publish(last - 1)
	n, up := &s.nodes[last], s.task()
	x := s.known(n, up, last)
	if heads = append(heads, s.left(n, x)...); len(x.heads) > 0 {
		up.state, up.child = split, x
	}
	return heads
}

// settled reports whether no event is in the middle of its answers.
func (s *Search) settled() bool { return !s.nodes[len(s.nodes)-1].more }

// known makes a shared node of a node, behind a head.
func (s *Search) known(n *node, up *head, depth int) *shared {
	x := &shared{by: up, backtrack: n.backtrack, depth: depth, ordered: s.opt.Algorithm == Optimal}
	for _, q := range s.sleep[n.sleep : n.sleep+n.nsleep] {
		if q.part == nil {
			x.sleep = append(x.sleep, sleeping{Thread: q.thread,
				Ops: slices.Clone(s.slept[q.from:q.to]), Open: q.open})
		}
	}
	return x
}

// publish makes the nodes up to k known to others, with the branches that are not
// explored yet; what this search explores now is all that it keeps. New heads are
// returned.
func (s *Search) publish(k int) (heads []*head) {
	for j := s.share.bottom + 1; j <= k; j++ {
		n, e, up := &s.nodes[j], &s.events[j], s.task()
		x := s.known(n, up, j)
		up.state, up.child = split, x
		ops := slices.Clone(s.eventOps(j))
		if len(n.asked) > 0 && s.reduces() {
			ops = slices.Clone(n.touches)
		}
		h := x.add(branch{Thread: e.thread, Ops: ops, Script: e.script, Varies: e.varies})
		h.state, h.sleep, h.silent = running, x.sleep, len(n.asked) == 0
		x.begin(e.thread, ops, false)
		for _, d := range n.done {
			x.done = append(x.done, answered{e.thread, d})
		}
		heads = append(heads, s.left(n, x)...)
		for i, d := range n.done {
			heads = append(heads, x.others(e.thread, d, n.doneAsked[i], ops, e.varies)...)
		}
		heads = append(heads, x.others(e.thread, e.script, n.asked, ops, e.varies)...)
		s.share.chain = append(s.share.chain, h)
	}
	s.share.bottom = k
	return heads
}

// left makes heads of the branches of a node that are not explored yet.
func (s *Search) left(n *node, x *shared) (heads []*head) {
	switch s.opt.Algorithm {
	case Optimal:
		for _, b := range s.exported(n.first) {
			if !n.sleeps(int(b.Thread)) && !x.started(b.Thread, b.Script, nil) {
				heads = append(heads, x.add(*b))
			}
		}
		return heads
	case Source, DFS:
		for t := range s.m.Threads() {
			if s.pendingThreads(n)>>t&1 != 0 {
				heads = append(heads, x.add(branch{Thread: int32(t)}))
			}
		}
	}
	return heads
}

// pendingThreads are the threads that are still to be explored from a node, of Source and
// DFS.
func (s *Search) pendingThreads(n *node) uint64 {
	left := n.backtrack
	if s.opt.Algorithm == DFS {
		left = n.enabled &^ n.disabled
	}
	return left &^ n.explored &^ n.asleep
}

// shallowest is the first node of the search's own that has branches left beside the one
// that is explored; -1 where there is none.
func (s *Search) shallowest() int {
	for j := s.share.bottom + 1; j < len(s.events); j++ {
		n := &s.nodes[j]
		if n.more || len(n.asked) > 0 && s.unanswered(n, j) || s.opt.Algorithm == Optimal && n.first != 0 ||
			s.opt.Algorithm != Optimal && s.pendingThreads(n) != 0 {
			return j
		}
	}
	return -1
}

// unanswered reports whether the event that is explored from node j could be answered
// otherwise.
func (s *Search) unanswered(n *node, j int) bool {
	x := &shared{done: []answered{{n.thread, s.events[j].script}}}
	for _, d := range n.done {
		x.done = append(x.done, answered{n.thread, d})
	}
	return len(x.others(n.thread, s.events[j].script, n.asked, nil, false)) > 0
}
