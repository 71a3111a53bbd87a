package randgo

// env is what names stand for.
type env map[string]any

// frame is a call of a function. A deferred function gets the panic under way.
type frame struct {
	env    env
	defers []func(p *any)
}

// main does what main does.
func (t *thread) main() {
	run := func(t *thread) { t.run() }
	switch t.m.p.Main {
	case OneRun:
		t.run()
	case TwoRuns, LoopRuns:
		t.run()
		t.run()
	case BesideRuns:
		t.point()
		t.m.spawn(t, run)
		t.run()
	case JoinedRuns:
		g := &group{}
		for range 2 {
			t.point()
			g.count++
			t.m.spawn(t, func(t *thread) {
				t.run()
				t.point()
				g.clock.join(t.clock)
				g.count--
			})
		}
		t.wait(&operation{ready: func() bool { return g.count == 0 }})
		t.clock.join(g.clock)
	}
}

// run calls run: its variables are new.
func (t *thread) run() {
	e := env{}
	for _, o := range t.m.p.Objects {
		switch {
		case o.Place == Global:
			e[o.Name] = t.m.globals[o.Name]
		case o.Of != "":
			e[o.Name] = e[o.Of]
			if of, ok := e[o.Of].(*chanVar); ok {
				of.note(t, "read", 0)
				e[o.Name] = &chanVar{ch: of.ch}
			}
		default:
			e[o.Name] = newObject(o)
		}
	}
	t.call(e, t.m.p.Run)
}

// call executes a function's body with its deferred functions.
func (t *thread) call(e env, body []*Stmt) {
	f := &frame{env: e}
	p := caught(func() { t.block(f, body) })
	for i := len(f.defers) - 1; i >= 0; i-- {
		if q := caught(func() { f.defers[i](&p) }); q != nil {
			p = q
		}
	}
	if p != nil {
		panic(p)
	}
}

// caught runs a function and returns its explicit panic; others go on.
func caught(f func()) (p any) {
	defer func() {
		p = recover()
		if r, ok := p.(raised); p != nil && !(ok && r.explicit) {
			panic(p)
		}
	}()
	f()
	return nil
}

// enter calls a function of the program.
func (t *thread) enter(e env, s *Stmt) func(*thread) {
	f := t.m.p.function(s.X)
	in := env{}
	if f.Literal || f.Struct {
		for n, o := range e {
			in[n] = o
		}
	}
	for n, o := range t.m.globals {
		in[n] = o
	}
	for i, a := range s.Args {
		switch v := e[a].(type) {
		case *chanVar:
			v.note(t, "read", s.line)
			in[f.Params[i].Name] = &chanVar{ch: v.ch}
		case *timerVar:
			v.note(t, "read", s.line)
			in[f.Params[i].Name] = &timerVar{timer: v.timer}
		default:
			in[f.Params[i].Name] = v
		}
	}
	return func(t *thread) { t.call(in, f.Body) }
}

// flow is where execution goes on after a statement.
type flow int

// The ways: behind it, behind the function, behind the loop, and in the next iteration.
const (
	next flow = iota
	leave
	after
	again
)

// block executes statements.
func (t *thread) block(f *frame, list []*Stmt) flow {
	for _, s := range list {
		if to := t.stmt(f, s); to != next {
			return to
		}
	}
	return next
}

// either executes one of two blocks.
func (t *thread) either(f *frame, s *Stmt, cond bool) flow {
	if cond {
		return t.block(f, s.Body)
	}
	return t.block(f, s.Else)
}

func (t *thread) stmt(f *frame, s *Stmt) flow {
	switch s.Op {
	case IfCoin:
		return t.either(f, s, t.m.c.choose(2) == 0)
	case Loop:
		for range s.N {
			if to := t.block(f, s.Body); to == after {
				break
			} else if to == leave {
				return leave
			}
		}
	case Return:
		return leave
	case Break:
		return after
	case Continue:
		return again
	case Panic:
		if t.m.c.choose(2) == 0 {
			panic(raised{"panic", true})
		}
	case Write, Clear, Read, Inc, IfVar:
		return t.plain(f, s)
	case Add, Done, Wait, WgGo:
		t.group(f, s)
	case Lock, Unlock, Once, CAS, IfSet:
		return t.lock(f, s)
	case After, Stop, IfStop, Reset:
		return t.timers(f, s)
	case Go, GoCall, Call, Block, Apply, Defer, DeferFn, Recover:
		t.functions(f, s)
	default:
		return t.channel(f, s)
	}
	return next
}

// plain are operations on variables.
func (t *thread) plain(f *frame, s *Stmt) flow {
	v := f.env[s.X].(*variable)
	t.point()
	switch s.Op {
	case Write:
		v.note(t, "write", s.line)
		v.n = 1
	case Clear:
		v.note(t, "write", s.line)
		v.n = 0
	case Read:
		v.note(t, "read", s.line)
	case Inc:
		v.note(t, "read", s.line)
		v.note(t, "write", s.line)
		v.n++
	case IfVar:
		v.note(t, "read", s.line)
		return t.either(f, s, v.n != 0)
	}
	return next
}

// functions are calls, and what starts goroutines.
func (t *thread) functions(f *frame, s *Stmt) {
	body := func(t *thread) { t.call(f.env, s.Body) }
	switch s.Op {
	case Go:
		t.point()
		t.m.spawn(t, body)
	case GoCall:
		t.point()
		t.m.spawn(t, t.enter(f.env, s))
	case Block:
		body(t)
	case Apply:
		if s.X == "spawned" || s.X == "doubled" {
			t.point()
			t.m.spawn(t, body)
		}
		if s.X != "spawned" {
			body(t)
		}
	case Call:
		t.enter(f.env, s)(t)
	case DeferFn:
		in := t.enter(f.env, s)
		f.defers = append(f.defers, func(*any) { in(t) })
	case Recover:
		f.defers = append(f.defers, func(p *any) { *p = nil })
	case Defer:
		if v, ok := f.env[s.Body[0].X].(*chanVar); ok && s.deferred() && s.Body[0].Op == Close {
			v.note(t, "read", s.line)
			ch := v.ch
			f.defers = append(f.defers, func(*any) { t.close(ch, s.line) })
			return
		}
		if v, ok := f.env[s.Body[0].X].(*timerVar); ok && s.deferred() {
			v.note(t, "read", s.line)
			tm := v.timer
			f.defers = append(f.defers, func(*any) { t.stops(tm) })
			return
		}
		f.defers = append(f.defers, func(*any) { body(t) })
	}
}

// group are operations on WaitGroups.
func (t *thread) group(f *frame, s *Stmt) {
	g := f.env[s.X].(*group)
	switch s.Op {
	case Add:
		t.add(g, s.N, s.line)
	case Done:
		t.add(g, -1, s.line)
	case WgGo:
		t.add(g, 1, s.line)
		t.m.spawn(t, func(t *thread) {
			t.call(f.env, s.Body)
			t.add(g, -1, s.line)
		})
	case Wait:
		t.waits(g, s.line)
	}
}

// add is Add.
func (t *thread) add(g *group, n, line int) {
	t.point()
	if n < 0 {
		g.clock.join(t.clock)
	}
	g.count += n
	switch {
	case g.count < 0:
		t.fail("negative counter")
	case n > 0 && g.count == n:
		g.note(t, "add", line)
		g.added = line
	case g.count == 0:
		for _, w := range g.blocked {
			w.woken = true
		}
		g.blocked = nil
	}
}

// waits is Wait.
func (t *thread) waits(g *group, line int) {
	t.point()
	if g.count > 0 {
		if len(g.blocked) == 0 {
			g.note(t, "wait", line)
		}
		w := &waiter{}
		g.blocked = append(g.blocked, w)
		t.wait(&operation{ready: func() bool { return w.woken }})
		if g.count != 0 {
			t.m.found[Conflict{Reuse, min(g.added, line), max(g.added, line)}] = true
			t.fail("reused")
		}
	}
	t.clock.join(g.clock)
}

// lock are operations on locks, Onces and flags.
func (t *thread) lock(f *frame, s *Stmt) flow {
	switch o := f.env[s.X].(type) {
	case *mutex:
		if s.Op == Lock {
			t.wait(&operation{ready: func() bool { return o.holder == nil }})
			o.holder = t
			t.clock.join(o.clock)
			return next
		}
		t.point()
		if o.holder != t { // verify assumes that this does not happen
			t.fail(Foreign)
		}
		o.holder, o.clock = nil, t.clock.copy()
	case *once:
		t.wait(&operation{ready: func() bool { return o.state != 1 }})
		if o.state == 0 {
			o.state = 1
			p := caught(func() { t.call(f.env, s.Body) })
			t.point()
			o.state, o.clock = 2, t.clock.copy()
			if p != nil {
				panic(p)
			}
		}
		t.clock.join(o.clock)
	case *flag:
		t.point()
		t.clock.join(o.clock)
		was := o.set
		if s.Op == CAS && !was {
			o.set = true
			o.clock.join(t.clock)
		}
		return t.either(f, s, was != (s.Op == CAS))
	}
	return next
}
