package interp

import (
	"math"

	"whoop/ir"
)

// syncCell is the synchronisation state kept for an address: a lock, semaphore,
// condition, barrier or once control.
type syncCell struct {
	off       int64
	destroyed bool
	recursive bool
	owner     ThreadID // of the exclusive hold, -1: none
	depth     int
	readers   []ThreadID // one for each shared hold
	count     int64      // of a semaphore; of a barrier the number of threads
	arrived   []ThreadID
	once      onceState
	runner    ThreadID
}

type onceState uint8

const (
	onceNew onceState = iota
	onceRunning
	onceOver
)

func cloneSync(cs []syncCell) []syncCell {
	out := append([]syncCell(nil), cs...)
	for i := range out {
		out[i].readers = append([]ThreadID(nil), out[i].readers...)
		out[i].arrived = append([]ThreadID(nil), out[i].arrived...)
	}
	return out
}

// cellAt returns the state at an address, nil where it has none yet, with its object. No
// error is set unless report.
func (s *State) cellAt(a uint64, report bool) (*object, *syncCell) {
	o := s.object(ObjID(a >> 32))
	if o == nil || o.dead {
		if report {
			s.badAddress(a, o, "synchronisation")
		}
		return nil, nil
	}
	off := Addr(a).Offset()
	for i := range o.sync {
		if o.sync[i].off == off {
			return o, &o.sync[i]
		}
	}
	return o, nil
}

// cell returns the state at an address for writing. Memory that was never written is not
// initialised, unless init.
func (s *State) cell(a uint64, init bool) *syncCell {
	o, c := s.cellAt(a, true)
	if o == nil {
		return nil
	}
	if c == nil {
		q, i, ok := s.at(a, 1, "synchronisation")
		if !ok {
			return nil
		}
		o = s.own(q)
		if !init && o.mark[i] == unwritten {
			s.fail(ErrLockInit, "%s was not initialised", s.describeLock(a))
			return nil
		}
		c := syncCell{off: Addr(a).Offset(), owner: -1, runner: -1}
		if o.global != nil {
			c.count = initialCount(o.global, c.off)
		}
		o.sync = append(o.sync, c)
		return &o.sync[len(o.sync)-1]
	}
	if c.destroyed && !init {
		s.fail(ErrLockInit, "%s was destroyed", s.describeLock(a))
		return nil
	}
	s.own(o)
	_, c = s.cellAt(a, false)
	return c
}

const (
	endless      = 1 << 40       // the count of a semaphore that is posted for all
	unknownCount = math.MinInt64 // at the start, of what another unit initialises
)

// initialCount is the count that a semaphore of a global begins with.
func initialCount(g *ir.Global, off int64) int64 {
	n, known := ir.InitialCount(g, off)
	if !known {
		return unknownCount
	}
	return n
}

// verdict is whether a lock can be taken.
type verdict uint8

const (
	free verdict = iota
	busy
	self // held by the thread itself: it would wait forever
)

// lockable says whether thread t can take the lock.
func (c *syncCell) lockable(t ThreadID, mode ir.Mode, recursive bool) verdict {
	recursive = recursive || c.recursive
	switch {
	case c.owner == t && recursive:
		return free
	case c.owner == t:
		return self
	case c.owner >= 0:
		return busy
	case mode == ir.Shared:
		return free
	}
	v := free
	for _, r := range c.readers {
		if r == t {
			return self
		}
		v = busy
	}
	return v
}

func (c *syncCell) take(t ThreadID, mode ir.Mode) {
	if mode == ir.Shared && c.owner != t {
		c.readers = append(c.readers, t)
		return
	}
	c.owner = t
	c.depth++
}

// drop releases a hold of t; mode "" is whichever there is.
func (c *syncCell) drop(t ThreadID, mode ir.Mode) (ir.Mode, bool) {
	if c.owner == t && (mode != ir.Shared || c.depth > 1) {
		if c.depth--; c.depth == 0 {
			c.owner = -1
		}
		return ir.Exclusive, true
	}
	if mode == ir.Exclusive {
		return mode, false
	}
	for i, r := range c.readers {
		if r == t {
			c.readers = append(c.readers[:i:i], c.readers[i+1:]...)
			return ir.Shared, true
		}
	}
	return mode, false
}

// canLock reports whether taking the lock would not block: it is free, or the attempt is
// an error.
func (s *State) canLock(a uint64, mode ir.Mode, recursive bool) bool {
	_, c := s.cellAt(a, false)
	return c == nil || c.lockable(s.th.id, mode, recursive) != busy
}

// takeLock takes a lock that is known not to be busy.
func (s *State) takeLock(a uint64, mode ir.Mode, recursive bool) {
	c := s.cell(a, false)
	if c == nil {
		return
	}
	if c.lockable(s.th.id, mode, recursive) == self {
		s.fail(ErrDoubleLock, "the thread holds %s already", s.describeLock(a))
		return
	}
	c.take(s.th.id, mode)
	s.synced(SyncOp{Kind: SyncAcquire, Addr: Addr(a), Mode: mode})
}

// release releases a lock.
func (s *State) release(a uint64, mode ir.Mode) bool {
	c := s.cell(a, false)
	if c == nil {
		return false
	}
	m, ok := c.drop(s.th.id, mode)
	if !ok {
		s.fail(ErrUnlock, "the thread does not hold %s", s.describeLock(a))
		return false
	}
	s.synced(SyncOp{Kind: SyncRelease, Addr: Addr(a), Mode: m})
	return true
}

// syncInstr compiles the synchronisation instructions.
func (c *fc) syncInstr(in ir.Instr) (op, error) {
	switch i := in.(type) {
	case *ir.Lock:
		return c.lock(i), nil
	case *ir.Unlock:
		a := c.expr(i.Lock).one
		return exec(func(s *State) { s.release(a(s), i.Mode) })
	case *ir.LockInit:
		return exec(c.lockInit(i))
	case *ir.CondWait:
		cond, mutex, d := c.expr(i.Cond).one, c.expr(i.Mutex).one, c.dst(i.Dst)
		return exec(func(s *State) { s.condWait(cond(s), mutex(s), i.Timed, d) })
	case *ir.CondSignal:
		a := c.expr(i.Cond).one
		return exec(func(s *State) { s.signal(a(s), i.Broadcast) })
	case *ir.SemInit:
		a, v := c.expr(i.Sem).one, c.size(i.Val)
		return exec(func(s *State) { s.initCount(a(s), v(s)) })
	case *ir.SemWait:
		return c.semWait(i), nil
	case *ir.SemPost:
		a := c.expr(i.Sem).one
		return exec(func(s *State) {
			p := a(s)
			if cl := s.cell(p, false); cl != nil {
				if i.All {
					cl.count = endless
				} else if cl.count < endless && cl.count != unknownCount {
					cl.count++
				}
				s.synced(SyncOp{Kind: SyncPost, Addr: Addr(p)})
			}
		})
	case *ir.BarrierInit:
		a, v := c.expr(i.Barrier).one, c.size(i.Count)
		return exec(func(s *State) { s.initCount(a(s), v(s)) })
	case *ir.BarrierWait:
		a, d := c.expr(i.Barrier).one, c.dst(i.Dst)
		return exec(func(s *State) { s.barrier(a(s), d) })
	case *ir.Once:
		return c.once(i), nil
	}
	return c.threadInstr(in)
}

func (c *fc) lock(i *ir.Lock) op {
	a, d := c.expr(i.Lock).one, c.dst(i.Dst)
	if !i.Try {
		return op{addr: a, ready: func(s *State) bool { return s.canLock(a(s), i.Mode, i.Recursive) },
			exec: func(s *State) { s.takeLock(a(s), i.Mode, i.Recursive) }}
	}
	return op{exec: func(s *State) {
		p := a(s)
		cl := s.cell(p, false)
		if cl == nil {
			return
		}
		ok := cl.lockable(s.th.id, i.Mode, i.Recursive) == free
		if ok {
			s.takeLock(p, i.Mode, i.Recursive)
		} else {
			s.synced(SyncOp{Kind: SyncTryFailed, Addr: Addr(p), Mode: i.Mode})
		}
		if d.n > 0 {
			s.set(d, bit(ok))
		}
	}}
}

func (c *fc) lockInit(i *ir.LockInit) func(*State) {
	a := c.expr(i.Lock).one
	return func(s *State) {
		p := a(s)
		cl := s.cell(p, !i.Destroy || i.Class == ir.ClassCond)
		if cl == nil {
			return
		}
		if i.Destroy {
			if cl.owner >= 0 || len(cl.readers) > 0 {
				s.fail(ErrLockHeld, "%s is held", s.describeLock(p))
				return
			}
			cl.destroyed = true
			s.synced(SyncOp{Kind: SyncDestroy, Addr: Addr(p)})
			return
		}
		*cl = syncCell{off: cl.off, owner: -1, runner: -1, recursive: i.Recursive}
		s.synced(SyncOp{Kind: SyncInit, Addr: Addr(p)})
	}
}

func (s *State) initCount(a uint64, n int64) {
	if cl := s.cell(a, true); cl != nil {
		*cl = syncCell{off: cl.off, owner: -1, runner: -1, count: n}
		s.synced(SyncOp{Kind: SyncInit, Addr: Addr(a)})
	}
}

func (c *fc) semWait(i *ir.SemWait) op {
	a, d := c.expr(i.Sem).one, c.dst(i.Dst)
	take := func(s *State) {
		p := a(s)
		cl := s.cell(p, false)
		if cl == nil {
			return
		}
		if cl.count == unknownCount {
			s.fail(ErrUnknown, "the count of %s at the start is not known", s.describeLock(p))
			return
		}
		ok := cl.count > 0
		if ok {
			if cl.count < endless {
				cl.count--
			}
			s.synced(SyncOp{Kind: SyncTake, Addr: Addr(p)})
		} else {
			s.synced(SyncOp{Kind: SyncTryFailed, Addr: Addr(p)})
		}
		if d.n > 0 {
			s.set(d, bit(ok))
		}
	}
	if i.Try {
		return op{exec: take}
	}
	return op{addr: a, exec: take, ready: func(s *State) bool {
		p := a(s)
		o, cl := s.cellAt(p, false)
		if o == nil || cl != nil {
			return o == nil || cl.destroyed || cl.count > 0 || cl.count == unknownCount
		}
		// Never used: an error where it was not initialised, otherwise what its
		// initialiser says.
		if o.global != nil {
			if n := initialCount(o.global, Addr(p).Offset()); n > 0 || n == unknownCount {
				return true
			}
		}
		k := Addr(p).Offset() - o.low
		return k < 0 || k >= int64(len(o.mark)) || o.mark[k] == unwritten
	}}
}

// once compiles Once: the first thread calls the function, others wait until it returns.
func (c *fc) once(i *ir.Once) op {
	a, f := c.expr(i.Ctl).one, c.expr(i.Fn).one
	return op{addr: a, ready: func(s *State) bool {
		_, cl := s.cellAt(a(s), false)
		return cl == nil || cl.once != onceRunning || cl.runner == s.th.id
	}, exec: func(s *State) {
		p := a(s)
		cl := s.cell(p, true)
		switch {
		case cl == nil:
		case cl.once == onceRunning:
			s.fail(ErrDoubleLock, "the function of a once control runs it again")
		case cl.once == onceOver:
			s.synced(SyncOp{Kind: SyncOnceSeen, Addr: Addr(p)})
		default:
			g := s.function(f(s))
			if g == nil {
				return
			}
			cl.once, cl.runner = onceRunning, s.th.id
			s.synced(SyncOp{Kind: SyncOnceBegin, Addr: Addr(p)})
			if !s.push(g, slotType{}, p) {
				s.onceDone(p)
			}
		}
	}}
}

func (s *State) onceDone(a uint64) {
	if cl := s.cell(a, true); cl != nil {
		cl.once, cl.runner = onceOver, -1
		s.synced(SyncOp{Kind: SyncOnceEnd, Addr: Addr(a)})
	}
}
