package interp

import (
	"sort"

	"whoop/ir"
)

type waitKind uint8

const (
	notWaiting  waitKind = iota
	waitCond             // for a signal
	waitMutex            // signalled (or timed out): takes the mutex again
	waitBarrier          // for the others
)

// wait is what a thread waits for in the middle of an instruction.
type wait struct {
	kind      waitKind
	addr      uint64 // condition or barrier
	mutex     uint64
	depth     int // how often the mutex was held
	timed     bool
	signalled bool
	dst       slotType
	order     int // of the waiters
}

// waitOver reports whether a waiting thread can step.
func (s *State) waitOver(th *thread) bool {
	switch th.wait.kind {
	case waitCond:
		return th.wait.timed || s.p.cfg.Spurious
	case waitMutex:
		_, c := s.cellAt(th.wait.mutex, false)
		return c == nil || c.lockable(th.id, ir.Exclusive, false) != busy
	}
	return false
}

// resume is a step of a waiting thread.
func (s *State) resume(th *thread) {
	w := &th.wait
	s.cur = &s.fr.fn.code[s.fr.pc-1]
	s.ev.Func, s.ev.Instr = s.fr.fn.f, s.cur.in
	switch w.kind {
	case waitCond:
		w.kind = waitMutex
		w.signalled = !w.timed // a spurious wake-up looks like a signal
		s.synced(SyncOp{Kind: SyncTimeout, Addr: Addr(w.addr)})
	case waitMutex:
		done := *w
		*w = wait{}
		s.takeLock(done.mutex, ir.Exclusive, false)
		if s.err != nil {
			return
		}
		if c := s.cell(done.mutex, false); c != nil {
			c.depth = done.depth
		}
		if done.dst.n > 0 {
			s.set(done.dst, bit(done.signalled))
		}
	}
}

// condWait releases the mutex and begins to wait.
func (s *State) condWait(cond, mutex uint64, timed bool, d slotType) {
	if s.cell(cond, true) == nil { // no instruction initialises conditions
		return
	}
	c := s.cell(mutex, false)
	if c == nil {
		return
	}
	if c.owner != s.th.id {
		s.fail(ErrUnlock, "the thread waits with a mutex that it does not hold, %s", s.describeLock(mutex))
		return
	}
	depth := c.depth
	c.depth, c.owner = 0, -1
	s.synced(SyncOp{Kind: SyncRelease, Addr: Addr(mutex), Mode: ir.Exclusive})
	s.synced(SyncOp{Kind: SyncWait, Addr: Addr(cond)})
	s.th.wait = wait{kind: waitCond, addr: cond, mutex: mutex, depth: depth, timed: timed, dst: d, order: s.nwait}
	s.nwait++
}

// signal wakes one of those that wait, or all.
func (s *State) signal(cond uint64, all bool) {
	if s.cell(cond, true) == nil { // no instruction initialises conditions
		return
	}
	ws := s.waiters(cond)
	if len(ws) == 0 {
		s.synced(SyncOp{Kind: SyncWake, Addr: Addr(cond), Other: -1})
		return
	}
	if !all {
		k := 0
		if len(ws) > 1 {
			k = int(s.ask(Query{Kind: InChoice, N: len(ws), Threads: ws}))
		}
		ws = ws[k:][:1]
	}
	for _, t := range ws {
		th := s.ownThread(t)
		th.wait.kind, th.wait.signalled = waitMutex, true
		s.synced(SyncOp{Kind: SyncWake, Addr: Addr(cond), Other: t})
	}
}

// waiters lists the threads that wait at a condition, those that came first first.
func (s *State) waiters(cond uint64) []ThreadID {
	var ws []ThreadID
	for _, th := range s.threads {
		if th.wait.kind == waitCond && th.wait.addr == cond {
			ws = append(ws, th.id)
		}
	}
	sort.Slice(ws, func(i, j int) bool { return s.threads[ws[i]].wait.order < s.threads[ws[j]].wait.order })
	return ws
}

// barrier is the arrival at a barrier; the last one lets all go.
func (s *State) barrier(a uint64, d slotType) {
	c := s.cell(a, false)
	if c == nil {
		return
	}
	if c.count == unknownCount {
		s.fail(ErrUnknown, "the barrier is of another unit")
		return
	}
	if c.count <= 0 {
		s.fail(ErrLockInit, "the barrier was not initialised")
		return
	}
	s.synced(SyncOp{Kind: SyncArrive, Addr: Addr(a)})
	if int64(len(c.arrived))+1 < c.count {
		c.arrived = append(c.arrived, s.th.id)
		s.th.wait = wait{kind: waitBarrier, addr: a, dst: d}
		return
	}
	others := c.arrived
	c.arrived = nil
	for _, t := range others {
		th := s.ownThread(t)
		d := th.wait.dst
		th.wait = wait{}
		if d.n > 0 {
			me := s.th
			s.focus(th)
			s.set(d, 0)
			s.focus(me)
		}
		s.synced(SyncOp{Kind: SyncPass, Addr: Addr(a), Other: t})
	}
	s.synced(SyncOp{Kind: SyncPass, Addr: Addr(a), Other: s.th.id})
	if d.n > 0 {
		s.set(d, 1)
	}
}
