package interp

import (
	"slices"
	"strings"

	"whoop/ir"
)

// callback is what a thread that Register made was registered with.
type callback struct {
	obj uint64
	api string
}

// optional compiles an operand that may be missing: 0.
func (c *fc) optional(e ir.Expr) eval {
	if e == nil {
		return func(*State) uint64 { return 0 }
	}
	return c.low(e)
}

// register compiles Register: with Config.Callbacks, threads that run the function.
func (c *fc) register(i *ir.Register) func(*State) {
	obj, args := c.optional(i.Obj), c.args(i.Args)
	if i.Fn == nil {
		kinds := c.m.kinds.In(i.Kinds)
		return c.binding(i, func(s *State) {
			s.synced(SyncOp{Kind: SyncRegister, Class: i.API, Addr: Addr(obj(s))})
			if s.harness != nil && s.harness.Registrations {
				s.startAgain(i, obj)
				s.over(i.Kinds, false)
			}
			for _, k := range kinds {
				if !slices.Contains(s.regs, k) {
					s.regs = append(s.regs[:len(s.regs):len(s.regs)], k)
				}
			}
		})
	}
	fn, root := c.expr(i.Fn).one, &Root{Name: i.API, Kind: i.Kinds[0]}
	return c.binding(i, func(s *State) {
		s.synced(SyncOp{Kind: SyncRegister, Class: i.API, Addr: Addr(obj(s))})
		s.over(i.Kinds, false)
		if s.p.cfg.Callbacks == 0 {
			return
		}
		p := fn(s)
		if p == 0 || p == mkAddr(unknownFunc, 0) {
			return
		}
		f := s.function(p)
		for k := 0; f != nil && k < s.p.cfg.Callbacks; k++ {
			if len(s.threads) >= s.p.cfg.MaxThreads {
				s.fail(ErrLimit, "%d threads", len(s.threads))
				return
			}
			w := make([]uint64, f.paramWords())
			s.fit(f, args, w)
			t := s.newThread(f)
			th := s.threads[t]
			th.start.args, th.root, th.callback = w, root, &callback{obj(s), i.API}
			s.synced(SyncOp{Kind: SyncSpawn, Other: t})
		}
	})
}

// startAgain lets handlers start that were stopped for the object that an instruction
// starts them for.
func (s *State) startAgain(i *ir.Register, obj eval) {
	if i.Obj == nil {
		s.stop(i.Kinds, 0, false)
		return
	}
	if o := obj(s); s.status == Running {
		s.stop(i.Kinds, o, false)
	}
}

// stop notes of the handlers of some kinds whether they are stopped for an object; where
// they are not any more, 0 is any.
func (s *State) stop(kinds []string, o uint64, stopped bool) {
	for i, b := range s.bound {
		e := s.serial(b.fn)
		if e == nil || !ir.Covers(kinds, e.Kind) || b.stopped == stopped {
			continue
		}
		k := slices.Index(b.params, e.Serial[0])
		if k >= 0 && b.args[k] == o || o == 0 && !stopped {
			s.bound = slices.Clone(s.bound)
			s.bound[i].stopped = stopped
		}
	}
}

// over notes of the roots of some kinds that no Register of a whole kind is about, such as
// a handler of its own, whether they are unregistered.
func (s *State) over(kinds []string, over bool) {
	if len(kinds) == 0 || s.harness == nil || !s.harness.Registrations {
		return
	}
	for _, th := range s.threads {
		if th.root == nil || th.callback != nil || !ir.Covers(kinds, th.root.Kind) {
			continue
		}
		k := unregisteredKind + th.root.Kind
		if _, known := s.p.kinds.Of(th.root.Kind); known || slices.Contains(s.regs, k) == over {
			continue
		}
		if s.regs = slices.Clone(s.regs); over {
			s.regs = append(s.regs, k)
		} else {
			s.regs = slices.DeleteFunc(s.regs, func(x string) bool { return x == k })
		}
	}
}

// unregisteredKind is in front of the kinds in State.regs that over has noted.
const unregisteredKind = "-"

// serial is the entry of a handler that runs once at a time for one object, nil for
// others.
func (s *State) serial(f *fn) *ir.Entry {
	for _, e := range s.p.IR.Entries {
		if e.Func == f.f && len(e.Serial) > 0 {
			return e
		}
	}
	return nil
}

// served reports whether a handler of some kinds runs for an object, in another thread.
func (s *State) served(kinds []string, o uint64) bool {
	for _, th := range s.threads {
		if th != s.th && !th.done && th.start == nil && th.root != nil && len(kinds) > 0 && slices.Contains(th.serves, o) && o != 0 && ir.Covers(kinds, th.root.Kind) {
			return true
		}
	}
	return false
}

// unregister compiles Unregister: it waits for callbacks that run, and those that do not
// run yet never will.
func (c *fc) unregister(i *ir.Unregister) op {
	obj := c.optional(i.Obj)
	stops := func(s *State) ([]string, bool) { return i.Stops(s.th.root != nil && s.th.root.Kind == "exit") }
	matches := func(s *State, th *thread, o uint64) bool {
		switch {
		case th == s.th || th.root == nil:
			return false
		case th.callback == nil:
			if _, known := s.p.kinds.Of(th.root.Kind); !s.harness.Registrations || !known && len(i.Kinds) == 0 {
				return false
			}
		case o != 0 && th.callback.obj != 0 && o != th.callback.obj:
			return false
		}
		kinds, none := stops(s)
		return !none && ir.Covers(kinds, th.root.Kind)
	}
	return op{ready: func(s *State) bool {
		o := obj(s)
		if i.Obj != nil && s.served(i.Ends, o) {
			return false
		}
		for _, th := range s.threads {
			if !th.done && th.start == nil && matches(s, th, o) {
				return false
			}
		}
		return true
	}, exec: func(s *State) {
		o := obj(s)
		s.synced(SyncOp{Kind: SyncUnregister, Class: i.API, Addr: Addr(o)})
		if i.Obj != nil && len(i.Ends) > 0 {
			s.stop(i.Ends, o, true)
		}
		if kinds, none := stops(s); !none {
			var left []string
			for _, k := range s.regs {
				if !ir.Covers(kinds, k) || strings.HasPrefix(k, unregisteredKind) {
					left = append(left, k)
				}
			}
			s.regs = left
			s.over(kinds, true)
		}
		for _, th := range s.threads {
			if !matches(s, th, o) {
				continue
			}
			if th.callback == nil {
				if th.done {
					s.synced(SyncOp{Kind: SyncJoin, Other: th.id})
				}
				continue
			}
			if th.start != nil {
				th = s.ownThread(th.id)
				th.start, th.done = nil, true
			}
			s.synced(SyncOp{Kind: SyncJoin, Other: th.id})
		}
	}}
}

// stopped reports whether the handler that a thread would run is stopped for its object.
func (s *State) stopped(th *thread) bool {
	if len(th.root.Serial) == 0 {
		return false
	}
	slot := s.slotOf(th)
	return slices.ContainsFunc(s.bound, func(b bound) bool { return b.fn == th.start.fn && b.slot == slot && b.stopped })
}

// unregistered reports whether a root cannot start since nothing has registered it.
func (s *State) unregistered(th *thread) bool {
	if !s.harness.Registrations || th.start == nil || th.root == nil || th.callback != nil || th.root.Kind == "init" {
		return false
	}
	k, known := s.p.kinds.Of(th.root.Kind)
	return known && !slices.Contains(s.regs, k) || slices.Contains(s.regs, unregisteredKind+th.root.Kind) || s.unbound(th) || s.stopped(th)
}
