package dpor

import (
	"slices"

	"whoop/ir/vm"
)

// conflicts orders a new event after those that it conflicts with, and notes with which
// of them it may be exchanged.
func (s *Search) conflicts(i int32, t int, ops []vm.Op) {
	s.message = s.m.Message()
	s.candidates(t, ops, s.m.MayBlock())
	s.note(i, ops)
	s.message = false
	for _, o := range ops {
		for k := *s.head(o.Cell); k >= 0; k = s.ops[k].prev {
			p := s.raw[k]
			if !vm.Conflict(o, p) {
				continue
			}
			s.clocks.join(t, s.clocks.event(s.ops[k].event))
			if covers(p, o) {
				break
			}
		}
	}
}

// covers reports whether all that conflicts with o and comes before p comes before p by
// itself.
func covers(p, o vm.Op) bool { return p.Kind&vm.Write != 0 && p.Mask&o.Mask == o.Mask }

// candidates collects in s.cand the earlier events that an event of t with these
// operations may be exchanged with: those that come before it by nothing else (the pairs
// e ≲ e' of the paper).
//
// Two kinds of pairs are no such: an operation that others wait for, such as a release,
// and what waited for it. What may be exchanged then is the acquisition before. An
// Acquire that is not of a lock has a condition of its own, so that all earlier
// operations are noted, not only the last. So it is with all operations of an atomic
// section that may block.
func (s *Search) candidates(t int, ops []vm.Op, blocks bool) {
	s.cand, s.pairs = s.cand[:0], s.pairs[:0]
	pre := s.clocks.row(t)
	for i, o := range ops {
		if o.Kind&(vm.Release|vm.Sync) == vm.Release|vm.Sync && acquires(ops[:i], o.Cell) {
			continue // it could not have been released before
		}
		last := int32(-1) // nothing before this event is looked at
		for k := *s.head(o.Cell); k >= 0 && s.ops[k].event >= last; k = s.ops[k].prev {
			p := s.raw[k]
			if !vm.Conflict(o, p) {
				continue
			}
			j := s.ops[k].event
			if e := &s.events[j]; int(e.thread) != t && e.index > pre[e.thread] {
				s.candidate(j, o, p, blocks)
			}
			if covers(p, o) && p.Kind&vm.Release == 0 && !waits(o) && !blocks {
				last = j
			}
		}
	}
}

// acquires reports whether one of an event's operations takes a lock.
func acquires(ops []vm.Op, cell uint64) bool {
	return slices.ContainsFunc(ops, func(o vm.Op) bool { return o.Cell == cell && o.Kind&vm.Acquire != 0 })
}

// waits reports whether an operation waits for a condition on memory, or for a semaphore.
func waits(o vm.Op) bool {
	return o.Kind&vm.Counted != 0 || o.Kind&(vm.Acquire|vm.Sync) == vm.Acquire
}

// passed reports whether an operation fills or frees the slot of a message. Who fills a
// slot has waited until it was free, and the other way round.
func passed(o vm.Op) bool { return o.Kind&(vm.Release|vm.Sync) == vm.Release }

// candidate notes an earlier event once, if it may be exchanged with one that is ordered
// behind it.
func (s *Search) candidate(j int32, o, p vm.Op, blocks bool) {
	if p.Kind&vm.Release != 0 && o.Kind&vm.Acquire != 0 ||
		passed(o) && (passed(p) || p.Kind&(vm.Acquire|vm.Sync) == vm.Acquire) {
		return
	}
	k := j << 2
	if vm.Races(o, p) {
		s.pairs = append(s.pairs, pair{j, p.Src, o.Src})
	}
	if blocks || waits(o) {
		k |= 2
	}
	if !s.message || p.Kind&vm.Write != 0 && p.Mask == o.Mask {
		k |= 1
	}
	for x, c := range s.cand {
		if c>>2 == j {
			s.cand[x] |= k
			return
		}
	}
	s.cand = append(s.cand, k)
}

// note keeps those candidates that no other one comes after, as races with event i (or
// with one that blocks: see pend), whose operations are ops. A send does not count as
// behind others where something else than a send comes between: it might have to wait
// there. So it is with receives.
func (s *Search) note(i int32, ops []vm.Op) {
	for _, c := range s.cand {
		e := &s.events[c>>2]
		immediate := true
		if c&2 == 0 {
			for _, d := range s.cand {
				if d>>2 > c>>2 && d&1 != 0 && s.clocks.event(d >> 2)[e.thread] >= e.index {
					immediate = false
					break
				}
			}
		}
		if !immediate {
			continue
		}
		s.races = append(s.races, race{first: c >> 2, second: i})
		if int(i) < len(s.events) || s.pend[int(i)-len(s.events)].section {
			s.report(c>>2, i, ops)
		}
	}
}

// report tells of the data races of two events, as far as it can be seen here: before the
// first one, the second one, whose operations are ops, might not be possible, or touch
// something else. An exchange that failed might succeed.
func (s *Search) report(j, i int32, ops []vm.Op) {
	if s.opt.Found == nil {
		return
	}
	for _, p := range s.pairs {
		if p.event == j {
			s.found(j, i, p.first, p.second)
		}
	}
	for _, o := range ops {
		if o.Kind&(vm.MayWrite|vm.Write) != vm.MayWrite {
			continue
		}
		o.Kind |= vm.Write
		for _, p := range s.eventOps(int(j)) {
			if p.Kind&vm.Write == 0 && vm.Races(o, p) {
				s.found(j, i, p.Src, o.Src)
			}
		}
	}
}

// found tells of a data race.
func (s *Search) found(j, i, first, second int32) {
	src := s.m.Program().Source
	if !s.opt.Found(s, Found{First: int(j), Second: int(i), FirstAt: src(first), SecondAt: src(second)}) {
		s.stop("ended at the first finding")
	}
}

// sequence collects in s.v the events of the current execution behind e that do not come
// after it, without skip.
func (s *Search) sequence(e, skip int32) {
	s.v, s.inV = s.v[:0], 0
	t, x := s.events[e].thread, s.events[e].index
	at := int(e+1)*s.clocks.width + int(t)
	for j := e + 1; j < int32(len(s.events)); j++ {
		if s.clocks.events[at] < x && j != skip {
			s.v = append(s.v, j)
			s.inV |= 1 << s.events[j].thread
		}
		at += s.clocks.width
	}
}

// reverseAll looks at the races of an execution that has ended: each sequence of events
// that exchanges one, and is not explored anyway, goes into the wakeup tree of the node
// in front of the race.
func (s *Search) reverseAll() {
	for k := range s.races {
		s.reverse(&s.races[k])
	}
}

// reverse is reverseAll for one race. Where all events of its sequence come before its
// second one, it is the same in each execution that has the race: then once is enough.
func (s *Search) reverse(r *race) {
	if r.seen && s.early(r) {
		return
	}
	s.sequence(r.first, r.second)
	early := len(s.v) == 0 || s.v[len(s.v)-1] < r.second
	last := &s.reversed
	s.lastEvent(r.second, last)
	s.settle(*r, last)
	r.seen = early && !last.unsure && !last.blocks && !s.queries
	if !last.blocks {
		s.explore(r.first, last)
		return
	}
	alone := *last
	s.explore(r.first, last)
	s.needed(*r, &alone)
	s.explore(r.first, &alone)
}

// early reports whether all events behind the second one of a race come after the first
// one.
func (s *Search) early(r *race) bool {
	t, x := s.events[r.first].thread, s.events[r.first].index
	for j := int32(len(s.events)) - 1; j > r.second; j-- {
		if s.clocks.events[int(j)*s.clocks.width+int(t)] < x {
			return false
		}
	}
	return true
}

// settle tells whether an exchange writes that is the later event of a race, when it
// comes before the first one, without making it there: nobody else touches the cell
// between the two. If the first one wrote it, what was there before is what the exchange
// will find; if not, it finds the same as now.
func (s *Search) settle(r race, last *reversed) {
	if !last.unsure || int(r.second) >= len(s.events) || len(last.script) > 0 {
		return
	}
	a, b := &s.events[r.first], &s.events[r.second]
	x, y := s.eventOps(int(r.first)), last.ops
	if len(x) != 1 || len(y) != 1 || !b.cell.Known || x[0].Cell != y[0].Cell || x[0].Mask != y[0].Mask || y[0].Kind&vm.MayWrite == 0 {
		return
	}
	o := y[0]
	if x[0].Kind&vm.Write != 0 {
		if !a.cell.Known {
			return
		}
		o.Kind &^= vm.Write
		if a.cell.Before == b.cell.Want {
			o.Kind |= vm.Write
		}
	}
	s.probed = append(s.probed[:0], o)
	last.ops, last.unsure = s.probed, false
}

// explore puts the sequence s.v and the reversed event into the wakeup tree of a node,
// unless a thread that sleeps there can come first. Both are used up.
func (s *Search) explore(node int32, last *reversed) {
	n := &s.nodes[node]
	if s.slumbers(n, last) || last.unsure && (!s.probe(node, last) || s.slumbers(n, last)) {
		return
	}
	if script, in := s.scriptOf(n.thread, last); in && len(n.done) > 0 && n.begun(script) &&
		s.weakInitial(int(n.thread), nil, last) {
		return // of the answers of the thread that is explored, these are done
	}
	if s.share.on && int(node) <= s.share.bottom {
		s.dispute(node, last)
		return
	}
	s.insert(n, last, false)
}

// slumbers reports whether a thread that sleeps at a node can come first in a sequence,
// as far as that is sure.
func (s *Search) slumbers(n *node, last *reversed) bool {
	if t := last.thread; n.asleep>>t&1 != 0 && len(s.v) == 0 {
		return true
	}
	for i := n.sleep; i < n.sleep+n.nsleep; i++ {
		q := &s.sleep[i]
		if q.part != nil || q.write.stirred() || q.open && last.thread != q.thread && !s.inSequence(int(q.thread)) {
			continue
		}
		if s.weakInitial(int(q.thread), s.slept[q.from:q.to], last) {
			return true
		}
	}
	return false
}

// probe makes the events of the sequence s.v from a node, and the reversed one behind
// them, to see what that touches; it reports whether it is possible. The machine is then
// at the node: redo leads it back to the end of the execution.
func (s *Search) probe(node int32, last *reversed) bool {
	for ; s.undone && s.reached < node; s.reached++ {
		e := &s.events[s.reached]
		s.m.Step(int(e.thread), e.script)
	}
	mark := s.events[node].mark
	s.m.Undo(mark)
	s.undone, s.reached = true, node
	s.looked += int64(len(s.v)) + 1
	ok := true
	for _, j := range s.v {
		ok = ok && s.m.CanStep(int(s.events[j].thread)) && s.m.Step(int(s.events[j].thread), s.events[j].script)
	}
	if ok = ok && s.m.CanStep(int(last.thread)) && s.m.Step(int(last.thread), last.script); ok {
		last.ops, last.unsure = append(s.probed[:0], s.m.Ops()...), false
		s.probed = last.ops
	} else if s.m.Fuzzy() {
		s.partial(node, last.event, s.m.Tried())
	}
	s.m.Undo(mark)
	return ok
}

// redo makes the events again that probe has undone.
func (s *Search) redo() {
	for ; s.undone && int(s.reached) < len(s.events); s.reached++ {
		e := &s.events[s.reached]
		s.m.Step(int(e.thread), e.script)
	}
	s.undone = false
}

// partial tells of the races of an event with what an atomic section touches in front of
// it, before it blocks there.
func (s *Search) partial(j, i int32, tried []vm.Op) {
	if s.opt.Found == nil {
		return
	}
	for _, o := range tried {
		for _, p := range s.eventOps(int(j)) {
			if vm.Races(o, p) {
				s.found(j, i, p.Src, o.Src)
			}
		}
	}
}

// needed collects in s.v the events behind the first one of a race without which its
// second one cannot be made. What else does not come after the first one may block the
// second, or make it possible: both are tried.
func (s *Search) needed(r race, last *reversed) {
	s.sequence(r.first, r.second)
	s.v = slices.DeleteFunc(s.v, func(j int32) bool { return last.before[s.events[j].thread] < s.events[j].index })
}

// reverseFrom is the step of source-DPOR for the races from one on: some thread that can
// come first in the exchanged sequence is to be explored from the node in front of the
// race.
func (s *Search) reverseFrom(from int) {
	for _, r := range s.races[from:] {
		last := &s.reversed
		s.lastEvent(r.second, last)
		s.sequence(r.first, r.second)
		s.backtrack(r.first, last)
		if last.blocks {
			s.needed(r, last)
			s.backtrack(r.first, last)
		}
	}
}

// reverseFuzzy is reverseFrom at the end of an execution, for races whose later event
// might touch something else: it might conflict with events that came after it, as it
// was. So these belong to the exchanged sequence.
func (s *Search) reverseFuzzy() {
	for _, r := range s.races[:s.pendingFrom] {
		e := &s.events[r.second]
		if !e.fuzzy {
			continue
		}
		last := &s.reversed
		s.lastEvent(r.second, last)
		s.sequence(r.first, r.second)
		s.backtrack(r.first, last)
		if e.blocks && s.opt.Found != nil {
			s.probe(r.first, last) // what it touches where it blocks
		}
	}
}

// backtrack adds a thread that can come first in the sequence s.v with the reversed event
// behind it to those that are explored from a node, unless one is there.
func (s *Search) backtrack(node int32, last *reversed) {
	n, add := &s.nodes[node], -1
	initials := uint64(0)
	for k, j := range s.v {
		if t := int(s.events[j].thread); s.firstOfThread(k) && s.initialAt(k) {
			initials |= 1 << t
			if n.backtrack>>t&1 != 0 {
				return
			}
			if add < 0 {
				add = t
			}
		}
	}
	if t := int(last.thread); !s.inSequence(t) && s.lastInitial(last) {
		initials |= 1 << t
		if n.backtrack>>t&1 != 0 {
			return
		}
		if add < 0 {
			add = t
		}
	}
	if add < 0 {
		return
	}
	if s.share.on && int(node) <= s.share.bottom {
		s.disputeThread(int(node), initials, add)
		return
	}
	n.backtrack |= 1 << add
}

func (s *Search) firstOfThread(k int) bool {
	for _, j := range s.v[:k] {
		if s.events[j].thread == s.events[s.v[k]].thread {
			return false
		}
	}
	return true
}

func (s *Search) inSequence(t int) bool {
	if s.inV>>t&1 == 0 {
		return false
	}
	for _, j := range s.v {
		if int(s.events[j].thread) == t {
			return true
		}
	}
	return false
}

// pending is the event of a thread that blocks at the end of an execution: earlier, it
// might have been possible. Of an execution that is left, it is any event that could come
// next.
type pending struct {
	thread int32
	ops    []vm.Op
	clock  int32 // of its thread before it, in the clocks' journal; -1: its clock now
	// section: it is an atomic section that blocks in its middle, so that what comes
	// before may race.
	section bool
}

// forgone is the timeout of a thread that an event has woken before. It could have come
// first.
type forgone struct {
	event, thread, clock int32
	op                   vm.Op
}

// pendingRaces notes the races of the events that block, and of timeouts that were
// forgone.
func (s *Search) pendingRaces() {
	s.pend, s.pendingFrom = s.pend[:0], len(s.races)
	n, threads := &s.nodes[len(s.nodes)-1], s.m.Threads()
	if s.whole {
		threads = 0
	}
	for t := range threads {
		if s.m.CanStep(t) && n.disabled>>t&1 == 0 {
			if !n.idle {
				s.pendingNext(n, t)
			}
			continue
		}
		if s.m.ThreadState(t) != vm.Ready {
			continue
		}
		p := pending{thread: int32(t), clock: -1}
		ops, known := s.m.Wants(t)
		if known {
			p.ops = slices.Clone(ops)
		} else if !s.m.Step(t, nil) {
			p.ops, p.section = slices.Clone(s.m.Tried()), true
		}
		s.pend = append(s.pend, p)
		s.candidates(t, p.ops, !known)
		s.note(int32(len(s.events)+len(s.pend)-1), p.ops)
	}
	for _, x := range s.forgone {
		s.races = append(s.races, race{first: x.event, second: int32(len(s.events) + len(s.pend))})
		s.pend = append(s.pend, pending{thread: x.thread, ops: []vm.Op{x.op}, clock: x.clock})
	}
}

// pendingNext notes the races of the event that a thread could make next, of an execution
// that is left.
func (s *Search) pendingNext(n *node, t int) {
	mark := s.m.Mark()
	if n.sleeps(t) || !s.m.Step(t, nil) {
		return
	}
	p := pending{thread: int32(t), clock: -1, ops: slices.Clone(s.m.Ops())}
	s.m.Undo(mark)
	s.candidates(t, p.ops, false)
	s.pend = append(s.pend, p)
	s.note(int32(len(s.events)+len(s.pend)-1), p.ops)
}

// dropPending forgets them.
func (s *Search) dropPending() {
	if len(s.pend) > 0 {
		s.races, s.pend = s.races[:s.pendingFrom], s.pend[:0]
	}
}

// reversed is the later event of a race, as it will be when it comes first.
type reversed struct {
	event  int32 // its number; behind the execution's end: it blocked
	thread int32
	ops    []vm.Op
	before []int32 // the clock of its thread before it
	unsure bool    // before the other event, it may touch something else, or not be possible
	blocks bool    // it waits for a condition on memory, or for a semaphore
	script []int
	varies bool
}

// clockBefore is the clock of an event's thread before it.
func (s *Search) clockBefore(i int32) []int32 {
	var last reversed
	s.lastEvent(i, &last)
	return last.before
}

// lastEvent tells what is known of the later event of a race.
func (s *Search) lastEvent(i int32, last *reversed) {
	if int(i) >= len(s.events) { // it blocked at the end
		k := int(i) - len(s.events)
		p := &s.pend[k]
		before := s.clocks.row(int(p.thread))
		if p.clock >= 0 {
			before = s.clocks.at(p.clock)
		}
		*last = reversed{i, p.thread, p.ops, before, true, true, nil, true}
		return
	}
	e := &s.events[i]
	ops := s.eventOps(int(i))
	last.event, last.thread, last.ops, last.before = i, e.thread, ops, s.clocks.at(e.clock)
	last.unsure, last.blocks = e.fuzzy, e.blocks
	for i := range ops {
		last.unsure = last.unsure || depends(&ops[i])
	}
	last.script, last.varies = e.script, e.varies
}

// depends reports whether an operation depends on what was done before: it may write or
// not, or be possible or not.
func depends(o *vm.Op) bool { return o.Kind&vm.MayWrite != 0 || waits(*o) }

// weakInitial reports whether a thread's next event, with these operations, can come
// first in the sequence s.v with the reversed event behind it: it is in it and nothing
// there comes before it, or it is not in it and conflicts with nothing there. Where that
// is not sure, it cannot.
func (s *Search) weakInitial(t int, ops []vm.Op, last *reversed) bool {
	if s.inV>>t&1 != 0 {
		for k, j := range s.v {
			if int(s.events[j].thread) == t {
				return s.initialAt(k)
			}
		}
	}
	switch {
	case int(last.thread) == t:
		return s.lastInitial(last)
	case last.thread >= 0 && (last.unsure || vm.Conflicts(ops, last.ops)):
		return false
	}
	for _, j := range s.v {
		if vm.Conflicts(ops, s.eventOps(int(j))) {
			return false
		}
	}
	return true
}

// initialAt reports whether nothing in the sequence comes before its element k.
func (s *Search) initialAt(k int) bool {
	c := s.clocks.event(s.v[k])
	for _, j := range s.v[:k] {
		if e := &s.events[j]; c[e.thread] >= e.index {
			return false
		}
	}
	return true
}

// lastInitial reports whether nothing in the sequence comes before the reversed event,
// which is behind it.
func (s *Search) lastInitial(last *reversed) bool {
	for _, j := range s.v {
		e := &s.events[j]
		if last.before[e.thread] >= e.index || last.unsure || vm.Conflicts(last.ops, s.eventOps(int(j))) {
			return false
		}
	}
	return true
}
