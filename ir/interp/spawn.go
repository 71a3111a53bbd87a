package interp

import (
	"strings"

	"whoop/ir"
)

// threadInstr compiles the instructions about threads, atomic sections, interrupts and
// entry points.
func (c *fc) threadInstr(in ir.Instr) (op, error) {
	switch i := in.(type) {
	case *ir.Spawn:
		return exec(c.spawn(i))
	case *ir.Join:
		return c.join(i), nil
	case *ir.Detach:
		h := c.low(i.Handle)
		return exec(func(s *State) {
			if t, ok := s.threadOf(h(s)); ok {
				s.ownThread(t).joined = true
				s.synced(SyncOp{Kind: SyncDetach, Other: t})
			}
		})
	case *ir.AtomicBegin:
		return exec(func(s *State) {
			s.atomic = s.th.id
			if s.depth++; s.depth == 1 {
				s.synced(SyncOp{Kind: SyncAtomicBegin})
			}
		})
	case *ir.Await:
		return c.await(i)
	case *ir.AtomicEnd:
		return exec(func(s *State) {
			if s.depth == 0 {
				s.fail(ErrAtomic, "the end of an atomic section that has not begun")
			} else if s.depth--; s.depth == 0 {
				s.synced(SyncOp{Kind: SyncAtomicEnd})
			}
		})
	case *ir.IrqDisable:
		return exec(func(s *State) {
			s.th.masks = append(s.th.masks, i.Kind)
			s.synced(SyncOp{Kind: SyncMask, Class: i.Kind})
		})
	case *ir.IrqEnable:
		return exec(func(s *State) {
			s.unmask(i.Kind, i.Restore)
			s.synced(SyncOp{Kind: SyncUnmask, Class: i.Kind})
		})
	case *ir.Register:
		return exec(c.register(i))
	case *ir.Unregister:
		return c.unregister(i), nil
	case *ir.Fence:
		return exec(func(s *State) { s.synced(SyncOp{Kind: SyncFence, Order: i.Order}) })
	}
	return exec(func(*State) {}) // Yield
}

// spawn compiles Spawn. A handle is the thread's number plus 1 where it is an integer, a
// pointer to an input object of the thread's own where it is a pointer.
func (c *fc) spawn(i *ir.Spawn) func(*State) {
	args, d, okReg := c.args(i.Args), c.dst(i.Dst), c.dst(i.OK)
	fn, handle := c.expr(i.Fn).one, eval(nil)
	cell := ir.Type(ir.U64)
	if i.HandleAddr != nil {
		handle = c.expr(i.HandleAddr).one
		if p, ok := i.HandleAddr.Type().(ir.Ptr); ok {
			switch t := p.Elem.(type) {
			case ir.Int, ir.Ptr:
				cell = t
			}
		}
	}
	return func(s *State) {
		f := s.function(fn(s))
		if f == nil {
			return
		}
		ok := okReg.n == 0 || !s.fails()
		if okReg.n > 0 {
			s.set(okReg, bit(ok))
		}
		if !ok {
			return
		}
		if len(s.threads) >= s.p.cfg.MaxThreads {
			s.fail(ErrLimit, "%d threads", len(s.threads))
			return
		}
		w := make([]uint64, f.paramWords())
		s.fit(f, args, w)
		t := s.newThread(f)
		s.threads[t].start.args = w
		if handle != nil {
			p := handle(s)
			if s.store(p, cell.Size(), s.toCell(s.handleOf(t, cell), cell)) {
				s.access(p, cell.Size(), true, ir.Plain, s.handleOf(t, cell))
			}
		}
		if d.n > 0 {
			s.set(d, s.handleOf(t, d.typ))
		}
		s.synced(SyncOp{Kind: SyncSpawn, Other: t})
	}
}

// handleOf is the handle of a thread as a value of type t.
func (s *State) handleOf(t ThreadID, typ ir.Type) uint64 {
	p, ok := typ.(ir.Ptr)
	if !ok {
		return normalise(typ, uint64(t)+1)
	}
	th := s.ownThread(t)
	if th.handle == 0 {
		o := s.newObject(InputObj, p.Elem.Size())
		o.elastic, o.elem = true, p.Elem
		th.handle = o.id
	}
	return mkAddr(th.handle, 0)
}

// low compiles an expression of which the low word is wanted.
func (c *fc) low(e ir.Expr) eval {
	v := c.expr(e)
	if v.one != nil {
		return v.one
	}
	n := words(v.t)
	return func(s *State) uint64 {
		w := make([]uint64, n)
		v.many(s, w)
		return w[0]
	}
}

// threadOf finds the thread of a handle.
func (s *State) threadOf(h uint64) (ThreadID, bool) {
	if t, ok := s.findThread(h); ok {
		return t, true
	}
	s.fail(ErrHandle, "%d is not the handle of a thread", h)
	return 0, false
}

func (s *State) findThread(h uint64) (ThreadID, bool) {
	if h > 0 && h <= uint64(len(s.threads)) {
		return ThreadID(h - 1), true
	}
	if id := ObjID(h >> 32); id != 0 {
		for _, th := range s.threads {
			if th.handle == id {
				return th.id, true
			}
		}
	}
	return 0, false
}

func (c *fc) join(i *ir.Join) op {
	h, d := c.low(i.Handle), c.dst(i.Dst)
	return op{addr: h, ready: func(s *State) bool {
		t, ok := s.findThread(h(s))
		return !ok || s.threads[t].done || s.threads[t].joined
	}, exec: func(s *State) {
		t, ok := s.threadOf(h(s))
		if !ok {
			return
		}
		if s.threads[t].joined {
			s.fail(ErrHandle, "thread %d was joined or detached before", t)
			return
		}
		s.ownThread(t).joined = true
		s.synced(SyncOp{Kind: SyncJoin, Other: t})
		if d.n > 0 {
			w := make([]uint64, d.n)
			copy(w, s.threads[t].result)
			normWords(d.typ, w)
			s.setWords(d, w)
		}
	}}
}

// unmask ends the last masking of a kind; without restore, all of them.
func (s *State) unmask(kind string, restore bool) {
	th := s.th
	for k := len(th.masks) - 1; k >= 0; k-- {
		if th.masks[k] == kind {
			th.masks = append(th.masks[:k:k], th.masks[k+1:]...)
			if restore || kind == "preempt" || kind == "bh" {
				return
			}
		}
	}
}

func (th *thread) masked(kind string) bool {
	for _, k := range th.masks {
		if k == kind {
			return true
		}
	}
	return false
}

// level of a thread: 2 for interrupt handlers, 1 for bottom halves, 0 for others.
func (th *thread) level() int {
	if th.root == nil {
		return 0
	}
	kind, _, _ := strings.Cut(ir.WithoutPlace(th.root.Kind), ".")
	switch kind {
	case "irq", "hrtimer", "smp_call":
		return 2
	case "softirq", "tasklet", "timer", "napi":
		return 1
	}
	return 0
}

// maskedOut reports whether a thread cannot run now, on one processor: a handler of a
// higher level runs, or, where it has not started, one of its own level; or what it is,
// is masked by another.
func (s *State) maskedOut(th *thread) bool {
	level := th.level()
	for _, o := range s.threads {
		if o == th || o.done || o.start != nil {
			continue
		}
		l := o.level()
		switch {
		case l > level, l == level && l > 0 && th.start != nil:
			return true
		case level == 2 && o.masked("irq") && th.start != nil:
			return true
		case level == 1 && (o.masked("irq") || o.masked("bh")) && th.start != nil:
			return true
		case level == 0 && l == 0 && len(o.masks) > 0 && o.wait.kind == notWaiting:
			// with interrupts, bottom halves or preemption off, no other task is
			// scheduled
			return true
		}
	}
	return false
}

// mayStart reports whether a thread that has not started can: its environment's locks are
// free, and no thread runs that never overlaps it.
func (s *State) mayStart(th *thread) bool {
	if th.root == nil {
		return true
	}
	if s.unregistered(th) {
		return false
	}
	for _, h := range th.root.Holds {
		if a := s.p.holds[h]; a != 0 {
			if _, c := s.cellAt(a, false); c != nil && c.lockable(th.id, ir.Exclusive, false) != free {
				return false
			}
		}
	}
	if s.busy(th) {
		return false
	}
	for _, x := range s.p.IR.Exclusions {
		for _, o := range s.threads {
			if o == th || o.done || o.start != nil || o.root == nil {
				continue
			}
			a, b := th.root.Name, o.root.Name
			if a == x.A && b == x.B || a == x.B && b == x.A {
				return false
			}
		}
	}
	return true
}
