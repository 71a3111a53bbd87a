package interp

import (
	"slices"

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

// unregister compiles Unregister: it waits for callbacks that run, and those that do not run yet never will.
func (c *fc) unregister(i *ir.Unregister) op {
	obj := c.optional(i.Obj)
	stops := func(s *State) ([]string, bool) { return i.Stops(s.th.root != nil && s.th.root.Kind == "exit") }
	matches := func(s *State, th *thread, o uint64) bool {
		switch {
		case th == s.th || th.root == nil:
			return false
		case th.callback == nil:
			if _, known := s.p.kinds.Of(th.root.Kind); !s.harness.Registrations || !known {
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
		for _, th := range s.threads {
			if !th.done && th.start == nil && matches(s, th, o) {
				return false
			}
		}
		return true
	}, exec: func(s *State) {
		o := obj(s)
		s.synced(SyncOp{Kind: SyncUnregister, Class: i.API, Addr: Addr(o)})
		if kinds, none := stops(s); !none {
			var left []string
			for _, k := range s.regs {
				if !ir.Covers(kinds, k) {
					left = append(left, k)
				}
			}
			s.regs = left
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

// unregistered reports whether a root cannot start since nothing has registered it.
func (s *State) unregistered(th *thread) bool {
	if !s.harness.Registrations || th.start == nil || th.root == nil || th.callback != nil || th.root.Kind == "init" {
		return false
	}
	k, known := s.p.kinds.Of(th.root.Kind)
	return known && !slices.Contains(s.regs, k) || s.unbound(th)
}
