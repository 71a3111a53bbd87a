package dpor

import (
	"fmt"
	"slices"

	"whoop/ir/vm"
)

// step makes an event of a thread, from the last node; sub is the wakeup tree behind it.
func (s *Search) step(t int, script []int, sub int32) {
	n := &s.nodes[len(s.nodes)-1]
	if n.unheard>>t&1 != 0 && !n.expanded {
		s.expand(n, t)
	}
	mark := s.m.Mark()
	if n.disabled>>t&1 != 0 || !s.m.CanStep(t) || !s.m.Step(t, script) {
		// what the wakeup tree foresaw is not possible here, or an atomic section blocks
		n.disabled |= 1 << t
		n.explored |= 1 << t
		s.tree.drop(sub)
		return
	}
	if r := s.m.Unsupported(); r != "" {
		s.stop(r)
		return
	}
	if int(n.thread) == t && len(n.done) > 0 && n.begun(padded(script, len(s.m.Asked()))) {
		s.m.Undo(mark) // these answers are explored
		s.tree.drop(sub)
		n.more = n.unexplored() != nil
		return
	}
	if len(s.m.Asked()) > 0 && s.reduces() && s.answeredElsewhere(n, t, mark, script) {
		s.tree.drop(sub)
		return
	}
	n.fresh = false
	n.thread = int32(t)
	n.explored |= 1 << t
	n.backtrack |= 1 << t
	n.asks(s.m.Asked())
	n.startChild = s.ends()
	s.record(t, mark, script)
	s.Events++
	s.Longest = max(s.Longest, len(s.events))
	s.push(t, sub)
	s.failures()
	if s.opt.Algorithm == Source {
		s.reverseFrom(int(s.events[len(s.events)-1].races))
	}
	if s.Events&0x3ff == 0 {
		if err := s.opt.Context.Err(); err != nil {
			s.stop(err.Error())
		}
		if s.opt.Progress != nil {
			s.opt.Progress(s)
		}
	}
}

// widen makes room for more threads in the clocks, whose journal moves.
func (s *Search) widen(width int) {
	from, to := int32(s.clocks.width+1), int32(width+1)
	s.clocks.widen(width)
	for i := range s.events {
		s.events[i].clock = s.events[i].clock / from * to
	}
	for i := range s.forgone {
		s.forgone[i].clock = s.forgone[i].clock / from * to
	}
}

// newEvent is the next event, with the places where what belongs to it begins. It is
// filled in field by field: what is written in parts is slow to copy as a whole.
func (s *Search) newEvent() *event {
	if len(s.events) == cap(s.events) {
		s.events = slices.Grow(s.events, 1)
	}
	s.events = s.events[:len(s.events)+1]
	e := &s.events[len(s.events)-1]
	*e = event{}
	e.ops, e.races, e.forgone = int32(len(s.ops)), int32(len(s.races)), int32(len(s.forgone))
	e.clock, e.answers, e.own = int32(len(s.clocks.journal)), int32(len(s.answers)), int32(len(s.own))
	return e
}

// record notes the event that the machine has just made.
func (s *Search) record(t, mark int, script []int) {
	if s.m.Threads() > s.clocks.width {
		s.widen(s.m.Threads())
	}
	i := int32(len(s.events))
	e := s.newEvent()
	e.thread, e.mark, e.at = int32(t), mark, s.m.At()
	e.fuzzy, e.blocks = s.m.Fuzzy(), s.m.MayBlock()
	if a := s.m.Answers(); len(a) > 0 {
		s.answers = append(s.answers, a...)
	}
	if o := s.m.Own(); len(o) > 0 {
		s.own = append(s.own, o...)
	}
	if n := len(s.m.Asked()); n > 0 {
		e.script, s.queries = padded(script, n), true
		e.varies = e.fuzzy || s.varies(t)
	}
	for _, x := range s.m.Failures() {
		e.failed = e.failed || e.at >= 0 && x.Thread == t && x.Src == s.m.Program().Source(e.at)
	}
	e.broke, e.cell, e.parked = s.m.Broke(), s.m.Cell(), s.m.Parked()
	s.clocks.save(t)
	s.conflicts(i, t, s.m.Ops())
	e.index = s.clocks.stamp(t)
	for _, o := range s.m.Ops() {
		h := s.head(o.Cell)
		s.raw = append(s.raw, o)
		s.ops = append(s.ops, chainOp{i, *h})
		*h = int32(len(s.ops) - 1)
	}
	for _, x := range s.m.Forgone() {
		s.forgone = append(s.forgone, forgone{i, int32(x.Thread), s.clocks.save(x.Thread), x.Cell})
	}
	saved, over := -1, len(s.m.Edges()) > 1 && s.m.AllEnded()
	for _, d := range s.m.Edges() {
		if over {
			break // nothing comes behind it
		}
		if d.To != saved { // once is enough for undo
			s.clocks.save(d.To)
			saved = d.To
		}
		s.clocks.join(d.To, s.clocks.row(d.From))
	}
}

// failures reports what went wrong in the last step.
func (s *Search) failures() {
	if s.opt.Found == nil {
		return
	}
	fs := s.m.Failures()
	for i := range fs {
		if s.over(Found{Failure: &fs[i], First: -1}) {
			continue
		}
		if !s.opt.Found(s, Found{Failure: &fs[i], First: -1}) {
			s.stop("ended at the first finding")
		}
	}
}

// push makes the node behind the last event: who slept and is not disturbed sleeps on.
func (s *Search) push(t int, sub int32) {
	p := &s.nodes[len(s.nodes)-1]
	from, to := p.sleep, p.sleep+p.nsleep
	if len(s.nodes) == cap(s.nodes) {
		s.nodes = slices.Grow(s.nodes, 1)
	}
	s.nodes = s.nodes[:len(s.nodes)+1]
	c := &s.nodes[len(s.nodes)-1]
	*c = node{}
	c.sleep, c.slept = int32(len(s.sleep)), int32(len(s.slept))
	c.first, c.fresh, c.start, c.queried = sub, true, s.ends(), &unqueried
	ops, asleep := s.eventOps(len(s.events)-1), uint64(0)
	for i := from; i < to; i++ {
		q := &s.sleep[i]
		if q.write.is {
			s.pushWrite(*q, t, ops)
		} else if int(q.thread) != t && !vm.Conflicts(s.slept[q.from:q.to], ops) {
			if q.part == nil {
				asleep |= 1 << q.thread
			}
			s.sleep = append(s.sleep, *q)
		}
	}
	c.nsleep = int32(len(s.sleep)) - c.sleep
	c.asleep |= asleep
}

// eventOps are the operations of an event.
func (s *Search) eventOps(i int) []vm.Op {
	end := len(s.raw)
	if i+1 < len(s.events) {
		end = int(s.events[i+1].ops)
	}
	return s.raw[s.events[i].ops:end]
}

// end is the end of an execution; slept: some thread could go on, but that is explored
// elsewhere.
func (s *Search) end(slept bool) {
	n := &s.nodes[len(s.nodes)-1]
	n.fresh, s.whole = false, !slept && s.m.AllEnded()
	if slept {
		s.Blocked++
	} else {
		s.count(n.disabled)
		if s.madeUnread(n) {
			s.Alike++
		}
	}
	s.exchange()
	s.knowBranches()
	if s.opt.Ended != nil && !slept {
		s.opt.Ended(s)
	}
	s.limited()
}

// long leaves an execution that is too long. Its races are exchanged, those of the events
// that could have come next, too.
func (s *Search) long(n *node) {
	s.tree.drop(n.first)
	n.fresh, n.first, s.whole = false, 0, false
	s.Long++
	if s.opt.Algorithm != Sampled && s.Incomplete == "" {
		s.Incomplete = fmt.Sprintf("an execution has more than %d events", s.opt.MaxEvents)
	}
	s.exchange()
	s.limited()
}

// exchange looks at the races of an execution that has ended or is left.
func (s *Search) exchange() {
	switch s.opt.Algorithm {
	case Optimal:
		s.pendingRaces()
		s.reverseAll()
	case Source:
		s.pendingRaces()
		s.reverseFrom(s.pendingFrom)
		s.reverseFuzzy()
	}
	s.redo()
	s.dropPending()
}

// limited ends the search where it has made as many executions or steps as it may.
func (s *Search) limited() {
	if s.pool != nil {
		s.pool.limited(s)
		return
	}
	if s.opt.MaxExecutions > 0 && s.Executions() >= s.opt.MaxExecutions {
		s.stop(limitReached(s.Executions()))
	}
	if w := s.opt.MaxWork; w > 0 && s.Events+s.looked >= w {
		s.stop(fmt.Sprintf("%d steps were made, and no more were asked for", w))
	}
}

// LimitReached is how the reason ends of a search that has made as many executions as it
// may.
const LimitReached = " executions were made, and no more were asked for"

func limitReached(n int64) string { return fmt.Sprint(n) + LimitReached }

// count tells the execution that has ended from others; blocked are threads whose step
// turned out to block.
func (s *Search) count(blocked uint64) {
	switch {
	case !s.whole && s.m.Deadlocked():
		s.Deadlocks++
		if s.opt.Found != nil && !s.opt.Found(s, Found{First: -1, Deadlock: true}) {
			s.stop("ended at the first finding")
		}
	case blocked != 0 || !s.whole && s.anyStuck():
		s.Stuck++
	default:
		s.Complete++
	}
}

func (s *Search) anyStuck() bool {
	for t := range s.m.Threads() {
		if s.m.ThreadState(t) == vm.Stuck {
			return true
		}
	}
	return false
}

// backward leaves the last node, and goes on at the one before.
func (s *Search) backward() {
	last := &s.nodes[len(s.nodes)-1]
	if last.known > 1 {
		n := s.ends() - last.start
		s.atFirst, s.branches = s.atFirst+n*int64(last.known),
			s.branches+n*int64(max(last.left, last.known))
	}
	s.sleep, s.slept = s.sleep[:last.sleep], s.slept[:last.slept]
	s.tree.drop(last.first)
	s.nodes = s.nodes[:len(s.nodes)-1]
	if len(s.nodes) == 0 {
		return
	}
	i := len(s.events) - 1
	e := &s.events[i]
	n := &s.nodes[len(s.nodes)-1]
	n.left++
	size := s.ends() - n.startChild
	if n.left > 1 {
		s.before, s.after = s.before+n.size, s.after+size
	}
	n.size = size
	if s.opt.Algorithm != Sampled && !n.finish(e.script) && s.reduces() {
		if len(n.asked) > 0 {
			s.restAnswered(n, e.thread)
		} else {
			s.rest(n, sleeper{thread: e.thread, write: s.heardOf(e, s.eventOps(i))}, s.eventOps(i))
		}
	}
	if s.opt.Algorithm == DFS {
		n.fresh = false
	}
	s.forget(i)
}

// forget takes back the last event, with number i.
func (s *Search) forget(i int) {
	e := &s.events[i]
	for k := len(s.ops) - 1; k >= int(e.ops); k-- {
		*s.head(s.raw[k].Cell) = s.ops[k].prev
	}
	s.ops, s.raw, s.races = s.ops[:e.ops], s.raw[:e.ops], s.races[:e.races]
	s.forgone = s.forgone[:e.forgone]
	s.answers, s.own = s.answers[:e.answers], s.own[:e.own]
	s.clocks.undo(int(e.clock))
	s.m.Undo(e.mark)
	s.events = s.events[:i]
}

// padded is a list of answers with those that were not given: the first ones.
func padded(script []int, n int) []int {
	out := make([]int, n)
	copy(out, script)
	return out
}

// rest makes a thread sleep at the last node.
func (s *Search) rest(n *node, q sleeper, ops []vm.Op) {
	q.from = int32(len(s.slept))
	s.slept = append(s.slept, ops...)
	q.to = int32(len(s.slept))
	s.sleep = append(s.sleep, q)
	n.nsleep++
	if q.part == nil {
		n.asleep |= 1 << q.thread
	}
}

// finish notes that an event was explored with a list of answers, and reports whether
// others are left.
func (n *node) finish(script []int) bool {
	if len(n.asked) == 0 {
		return false
	}
	n.done, n.doneAsked = append(n.done, script), append(n.doneAsked, slices.Clone(n.asked))
	if n.more = n.unexplored() != nil; !n.more {
		n.done, n.doneAsked = nil, nil
	}
	return n.more
}

// unexplored is the beginning of a list of answers that was not explored; nil where there
// is none.
func (n *node) unexplored() []int {
	for d, script := range n.done {
		for i := len(script) - 1; i >= 0; i-- {
			for k := range n.doneAsked[d][i] {
				if pre := append(slices.Clone(script[:i]), k); !n.begun(pre) {
					return pre
				}
			}
		}
	}
	return nil
}

// begun reports whether a list of answers was explored that begins so.
func (n *node) begun(pre []int) bool {
	return slices.ContainsFunc(n.done, func(d []int) bool { return len(d) >= len(pre) && slices.Equal(d[:len(pre)], pre) })
}

// sleeper is a thread that need not go on before something happens that its next event
// conflicts with, whatever the answers to its queries are.
type sleeper struct {
	thread   int32
	from, to int32 // its operations in Search.slept
	open     bool  // see sleeping
	// part, where it is not nil: not the thread sleeps, but what it does with these
	// answers, where it was woken for others
	part *branch
	// write, with Options.Observers: its event is a write that only counts if it is read
	write write
}

// headTable has the last operation on each cell of a region: plus one, 0 is none.
type headTable struct{ mem, sync []int32 }

// head is the entry of a cell.
func (s *Search) head(cell uint64) *int32 {
	r, w := int(cell>>32&0x7fffffff), int(uint32(cell))
	for len(s.heads) <= r {
		s.heads = append(s.heads, headTable{})
	}
	t := &s.heads[r].mem
	if cell>>63 != 0 {
		t = &s.heads[r].sync
	}
	for len(*t) <= w {
		*t = append(*t, -1)
	}
	return &(*t)[w]
}
