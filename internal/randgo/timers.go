package randgo

// timers are operations on timers of AfterFunc. What is done before a timer is made, or
// started, comes before its function, also where who starts it again has found it by a
// race; Stop orders nothing.
func (t *thread) timers(f *frame, s *Stmt) flow {
	v := f.env[s.X].(*timerVar)
	t.point()
	if s.Op == After {
		tm := &timer{body: func(t *thread) { t.call(f.env, s.Body) }, made: t.clock.copy()}
		t.start(tm)
		t.point()
		v.note(t, "write", s.line)
		v.timer = tm
		return next
	}
	v.note(t, "read", s.line)
	was := t.stops(v.timer)
	switch s.Op {
	case Reset:
		t.start(v.timer)
	case IfStop:
		return t.either(f, s, was)
	}
	return next
}

// start starts a timer, which may fire from then on.
func (t *thread) start(tm *timer) {
	tm.start++
	n := tm.start
	tm.active = true
	u := t.m.spawn(t, func(u *thread) {
		u.wait(&operation{ready: func() bool { return tm.active && tm.start == n }})
		tm.active = false
		tm.body(u)
	})
	u.clock.join(tm.made)
}

// stops stops a timer, and says whether it was active.
func (t *thread) stops(tm *timer) bool {
	t.tick()
	if tm == nil {
		t.fail("nil timer")
	}
	was := tm.active
	tm.active = false
	return was
}
