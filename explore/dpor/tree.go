package dpor

import (
	"slices"

	"whoop/ir/vm"
)

// What several searches of one program share: the part of the tree of executions that is
// not one search's alone (Fytas: Parallelizing Concuerror, NTUA 2018, chapters 4 and 5;
// its execution tree and frontier). Each node of it has heads, its branches; a search
// that runs a head explores all behind it by itself.

// sequence is a wakeup sequence in a form that does not depend on a search. It is flat:
// there are many.
type sequence struct {
	events []planned
	ops    []vm.Op  // of all events
	comes  []uint64 // a row an event: the earlier ones that come before it
	gone   []uint64 // those that were taken out
	left   int
	has    uint64 // no other threads have events
	slabs  *slabs // for branches; nil: they are made one by one, and share its memory
}

// planned is an event of a sequence, with its operations in sequence.ops.
type planned struct {
	thread   int32
	from, to int32
	script   []int
	varies   bool
}

// newSequence is a sequence for n events, with so many operations.
func newSequence(n, ops int) *sequence {
	words := (n + 63) / 64
	bits := make([]uint64, (n+1)*words)
	return &sequence{events: make([]planned, 0, n), ops: make([]vm.Op, 0, ops), comes: bits[words:], gone: bits[:words]}
}

// add adds an event.
func (q *sequence) add(t int32, ops []vm.Op, script []int, varies bool) {
	from := int32(len(q.ops))
	q.ops = append(q.ops, ops...)
	q.events = append(q.events, planned{t, from, int32(len(q.ops)), script, varies})
	q.left++
	q.has |= 1 << t
}

// follows notes that event k comes after event j.
func (q *sequence) follows(k, j int) { q.row(k)[j/64] |= 1 << (j % 64) }

func (q *sequence) row(k int) []uint64 { return q.comes[k*len(q.gone) : (k+1)*len(q.gone)] }

func (q *sequence) opsOf(k int) []vm.Op { return q.ops[q.events[k].from:q.events[k].to] }

func (q *sequence) isGone(k int) bool { return q.gone[k/64]>>(k%64)&1 != 0 }

// first is the first event of a thread that is left, -1 where there is none.
func (q *sequence) first(t int32) int {
	if q.has>>t&1 == 0 {
		return -1
	}
	for k := range q.events {
		if q.events[k].thread == t && !q.isGone(k) {
			return k
		}
	}
	return -1
}

// initial reports whether nothing that is left comes before an event.
func (q *sequence) initial(k int) bool {
	for i, w := range q.row(k) {
		if w&^q.gone[i] != 0 {
			return false
		}
	}
	return true
}

// weakInitial is Search.weakInitial.
func (q *sequence) weakInitial(t int32, ops []vm.Op) bool {
	if k := q.first(t); k >= 0 {
		return q.initial(k)
	}
	if q.left == len(q.events) {
		return !vm.Conflicts(ops, q.ops)
	}
	for k := range q.events {
		if !q.isGone(k) && vm.Conflicts(ops, q.opsOf(k)) {
			return false
		}
	}
	return true
}

// leads reports whether a branch can come first.
func (q *sequence) leads(b *branch) bool {
	if k := q.first(b.Thread); k < 0 && b.Varies ||
		k >= 0 && !slices.Equal(q.events[k].script, b.Script) {
		return false
	}
	return q.weakInitial(b.Thread, b.Ops)
}

// lead is the first branch that can come first; nil where there is none. Where the event
// of a branch can, with other answers, only those of its thread are taken, and the result
// tells it.
func (q *sequence) lead(list []*branch) (b *branch, own int32) {
	own = -1
	for _, b := range list {
		if (own < 0 || own == b.Thread) && q.leads(b) {
			return b, own
		}
		if own < 0 && q.otherwise(b) {
			own = b.Thread
		}
	}
	return nil, own
}

// otherwise is Search.otherwise.
func (q *sequence) otherwise(b *branch) bool {
	k := q.first(b.Thread)
	return k >= 0 && !slices.Equal(q.events[k].script, b.Script) && q.initial(k)
}

// own is a branch for the first event of a thread.
func (q *sequence) own(t int32) *branch { return q.branch(q.first(t)) }

// branch is a branch for an event.
func (q *sequence) branch(k int) *branch {
	e := &q.events[k]
	if q.slabs != nil {
		return q.slabs.branch(e, q.opsOf(k))
	}
	return &branch{Thread: e.thread, Ops: q.opsOf(k), Script: e.script, Varies: e.varies}
}

// remove takes out the first event of a thread; it reports whether nothing is left.
func (q *sequence) remove(t int32) bool {
	if k := q.first(t); k >= 0 {
		q.gone[k/64] |= 1 << (k % 64)
		q.left--
	}
	return q.left == 0
}

// branch is a branch of a wakeup tree, as wakeup.
type branch struct {
	Thread int32
	Ops    []vm.Op
	Script []int
	Varies bool // see event
	Subs   []*branch
}

// insert adds a sequence to a wakeup tree, as Search.insert.
func insert(list *[]*branch, q *sequence) {
	for {
		b, own := q.lead(*list)
		if b == nil && own >= 0 {
			b = q.own(own)
			*list = append(*list, b)
		}
		if b == nil {
			break
		}
		if q.remove(b.Thread) {
			return
		}
		list = &b.Subs
	}
	for k := range q.events {
		if !q.isGone(k) {
			b := q.branch(k)
			*list = append(*list, b)
			list = &b.Subs
		}
	}
}

// merge inserts the sequences of a wakeup tree into another one; before is the way there.
func merge(into *[]*branch, from []*branch, before []*branch) {
	for _, b := range from {
		way := append(slices.Clone(before), b)
		if len(b.Subs) > 0 {
			merge(into, b.Subs, way)
			continue
		}
		q := newSequence(len(way), len(way))
		for k, e := range way {
			q.add(e.Thread, e.Ops, e.Script, e.Varies)
			for j, d := range way[:k] {
				if d.Thread == e.Thread || vm.Conflicts(d.Ops, e.Ops) {
					q.follows(k, j)
				}
			}
		}
		insert(into, q)
	}
}

// sleeping is a thread that sleeps, with the operations of its next event.
//
// Open: what begins with that event is still being explored by others. Optimal-DPOR then
// lacks the sequences that would be found there and lead on from here. So these are
// looked for here as by source-DPOR: an open sleeper only stands for sequences that it is
// in itself. That may lead to executions that turn out to be redundant.
type sleeping struct {
	Thread int32
	Ops    []vm.Op
	Open   bool
	// Guessed: with other answers to its queries it may touch something else, as will be
	// known when it is begun. So far, it does not sleep.
	Guessed bool
}

// shared is a node that several searches know.
type shared struct {
	by *head // whose event leads here
	// sleep are the threads that slept when it became known.
	sleep []sleeping
	// begun are the threads that are explored from here since, in their order: who comes
	// first sleeps for those behind. Where heads are ordered, as those of a wakeup tree,
	// it is that in which they were found, else that in which they were started.
	begun   []sleeping
	ordered bool
	heads   []*head // those that are not finished
	done    []answered
	// backtrack are the threads of all heads, of Source.
	backtrack uint64
	depth     int
}

// answered is a head that is finished: its thread, and the answers to its queries.
type answered struct {
	Thread int32
	Script []int
}

// head is a branch of a shared node.
type head struct {
	branch
	node  *shared
	state headState
	child *shared    // what is behind it, where that is split
	sleep []sleeping // who sleeps while it is explored
	// silent: it has begun, and its event has no queries.
	silent bool
	// lost: a worker that had it is lost. What others found for it meanwhile was left to
	// that worker, so all who sleep are open from then on.
	lost bool
}

type headState uint8

const (
	waiting headState = iota
	running
	split // its node is shared
)

// started reports whether a thread was explored from a node with answers that begin so,
// is now, or will be.
func (x *shared) started(t int32, script []int, but *head) bool {
	return x.finished(t, script) ||
		slices.ContainsFunc(x.heads, func(h *head) bool { return h != but && h.Thread == t && begins(h.Script, script) })
}

// sleepers are the threads that sleep while a thread is explored from the node. If one is
// open, all are: what is found behind the others may have been left to it. They are, too,
// where a thread behind this one was taken before, as with other answers of this one:
// what was left to that one leaves out what begins with this one.
func (x *shared) sleepers(t int32) []sleeping {
	out := slices.Clone(x.sleep)
	open := slices.ContainsFunc(out, func(s sleeping) bool { return s.Open })
	before := true
	for _, b := range x.begun {
		switch before = before && b.Thread != t; {
		case before:
			open = open || x.open(b.Thread)
			if !b.Guessed {
				out = append(out, sleeping{Thread: b.Thread, Ops: b.Ops})
			}
		case b.Thread != t:
			open = open || x.taken(b.Thread)
		}
	}
	for i := range out {
		out[i].Open = open
	}
	return out
}

// asleep reports whether a thread slept when the node became known.
func (x *shared) asleep(t int32) bool {
	return slices.ContainsFunc(x.sleep, func(s sleeping) bool { return s.Thread == t })
}

// begin notes that a thread is explored from the node, if it is the first time, and what
// it touches.
func (x *shared) begin(t int32, ops []vm.Op, guessed bool) {
	i := slices.IndexFunc(x.begun, func(b sleeping) bool { return b.Thread == t })
	switch {
	case i < 0:
		x.begun = append(x.begun, sleeping{Thread: t, Ops: ops, Guessed: guessed})
	case x.begun[i].Guessed:
		x.begun[i].Ops, x.begun[i].Guessed = ops, guessed
	}
}

// add makes a head that waits.
func (x *shared) add(b branch) *head {
	h := &head{branch: b, node: x}
	x.heads = append(x.heads, h)
	if x.ordered {
		x.begin(b.Thread, b.Ops, len(b.Script) > 0)
	}
	x.backtrack |= 1 << b.Thread
	return h
}

// others adds heads for the answers that a head's queries could have, too; asked are how
// many alternatives they have. What they touch is taken to be what the head does.
func (x *shared) others(t int32, script, asked []int, ops []vm.Op, varies bool) (added []*head) {
	for i := range script {
		for k := range asked[i] {
			pre := append(slices.Clone(script[:i]), k)
			if !x.started(t, pre, nil) {
				added = append(added, x.add(branch{Thread: t, Script: pre, Ops: ops, Varies: varies}))
			}
		}
	}
	return added
}

// finish takes away a head whose executions are all explored, and what is finished by
// that. It reports whether all is. Failed: it was not possible, and is none that was
// explored.
func (h *head) finish(failed bool) bool {
	for {
		x := h.node
		if x == nil {
			return true
		}
		i := slices.Index(x.heads, h)
		x.heads = slices.Delete(x.heads, i, i+1)
		if !failed {
			x.done = append(x.done, answered{h.Thread, h.Script})
		} else if !x.started(h.Thread, nil, nil) {
			x.begun = slices.DeleteFunc(x.begun, func(b sleeping) bool { return b.Thread == h.Thread })
		}
		if len(x.heads) > 0 {
			return false
		}
		h, failed = x.by, false
	}
}

// insert adds a sequence to what is to be explored from a node, unless that is explored
// anyway; g is the head that the sequence was found behind. The result is a new head, nil
// where there is none.
func (x *shared) insert(g *head, q *sequence) *head {
	if slices.ContainsFunc(g.sleep, func(s sleeping) bool { return s.covers(q) }) || x.explored(q) {
		return nil
	}
	own := int32(-1) // as in lead
	for _, h := range x.heads {
		if own >= 0 && own != h.Thread {
			continue
		}
		if k := q.first(h.Thread); k >= 0 && h.state == waiting && begins(q.events[k].script, h.Script) {
			h.Script = q.events[k].script // it is one of those that begin so
		}
		switch {
		case h == g:
		case h.state == waiting && q.leads(&h.branch):
			if !q.remove(h.Thread) {
				insert(&h.Subs, q)
			}
			return nil
		case h.state != waiting && q.first(h.Thread) >= 0 && q.leads(&h.branch):
			return nil // it explores all that begins so by itself
		case own < 0 && q.otherwise(&h.branch):
			own = h.Thread
		}
	}
	var list []*branch
	if own >= 0 {
		list = append(list, q.own(own))
		if q.remove(own) {
			return x.add(*list[0])
		}
		insert(&list[0].Subs, q)
		return x.add(*list[0])
	}
	insert(&list, q)
	return x.add(*list[0])
}

// covers reports whether what begins with a sequence is explored where the thread comes
// first.
func (s *sleeping) covers(q *sequence) bool {
	return (!s.Open || q.first(s.Thread) >= 0) && q.weakInitial(s.Thread, s.Ops)
}

// explored reports whether a head that is finished can come first in a sequence.
func (x *shared) explored(q *sequence) bool {
	for _, b := range x.begun {
		if !q.weakInitial(b.Thread, b.Ops) {
			continue
		}
		if k := q.first(b.Thread); k < 0 && !x.open(b.Thread) || k >= 0 && x.finished(b.Thread, q.events[k].script) {
			return true
		}
	}
	return false
}

// open reports whether a thread has heads that are not finished.
func (x *shared) open(t int32) bool {
	return slices.ContainsFunc(x.heads, func(h *head) bool { return h.Thread == t })
}

// taken reports whether some worker has taken a head of a thread.
func (x *shared) taken(t int32) bool {
	return x.finished(t, nil) ||
		slices.ContainsFunc(x.heads, func(h *head) bool { return h.Thread == t && h.state != waiting })
}

// finished reports whether a thread was explored with answers that begin so.
func (x *shared) finished(t int32, script []int) bool {
	return slices.ContainsFunc(x.done, func(d answered) bool { return d.Thread == t && begins(d.Script, script) })
}

// begins reports whether answers begin with others.
func begins(s, with []int) bool { return len(s) >= len(with) && slices.Equal(s[:len(with)], with) }
