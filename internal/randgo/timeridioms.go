package randgo

// after starts a timer.
func (m *maker) after(t string, body ...*Stmt) *Stmt {
	return &Stmt{Op: After, X: t, N: m.r.IntN(2), Body: body}
}

// fires: a timer's function says that it has run.
func (m *maker) fires() []*Stmt {
	t, c, x := m.object(Timer), m.object(Chan), m.object(Int)
	last := st([]Op{Close, Send}[m.r.IntN(2)], c)
	return []*Stmt{st(Write, x), m.after(t, m.maybeDefer(last, st(Inc, x))...), st(Recv, c), st(Read, x), st(Stop, t)}
}

// stopped: a timer's function is stopped before it runs, or waited for.
func (m *maker) stopped() []*Stmt {
	t, c, x := m.object(Timer), m.object(Chan), m.object(Int)
	stop := st(IfStop, t, st(Inc, x))
	stop.Else = []*Stmt{st(Recv, c), st(Inc, x)}
	return []*Stmt{m.after(t, m.maybeDefer(st(Send, c), st(Inc, x))...), stop}
}

// stoppedCount: who stops the timer says for its function that it is over.
func (m *maker) stoppedCount() []*Stmt {
	t, g, x := m.object(Timer), m.object(Group), m.object(Int)
	return []*Stmt{add(g, 1), m.after(t, m.maybeDefer(st(Done, g), st(Inc, x))...), st(IfStop, t, st(Done, g)), st(Wait, g), st(Inc, x)}
}

// again: a timer is started again, and its function locks.
func (m *maker) again() []*Stmt {
	t, mu, x := m.object(Timer), m.object(Mutex), m.object(Int)
	inc := func() []*Stmt { return []*Stmt{st(Lock, mu), st(Inc, x), st(Unlock, mu)} }
	out := append([]*Stmt{m.after(t, inc()...)}, inc()...)
	return append(out, st([]Op{Reset, Stop}[m.r.IntN(2)], t))
}

// rearmed: the function starts its timer again, once.
func (m *maker) rearmed() []*Stmt {
	t, mu, x := m.object(Timer), m.object(Mutex), m.object(Bool)
	once := st(IfVar, x, st(Unlock, mu), st(Return, ""))
	body := m.maybeDefer(st(Unlock, mu), once, st(Write, x), st(Reset, t))
	if body[0].Op == Defer {
		once.Body = once.Body[1:]
	}
	return []*Stmt{st(Lock, mu), m.after(t, append([]*Stmt{st(Lock, mu)}, body...)...), st(Unlock, mu),
		st(Lock, mu), st(Write, x), st(Stop, t), st(Unlock, mu)}
}

// timeout: a result that comes in time.
func (m *maker) timeout() []*Stmt {
	c, x := m.object(Chan), m.object(Int)
	m.p.object(c).Cap = 1
	return []*Stmt{m.started(st(Write, x), st(Send, c)),
		{Op: Select, Cases: []*Stmt{{Op: caseRecv, X: c, Body: []*Stmt{st(Inc, x)}}, {Op: caseTime}}}}
}

// cut: a timer ends a worker, which ends the work.
func (m *maker) cut() []*Stmt {
	t, q, d, x := m.object(Timer), m.object(Chan), m.object(Chan), m.object(Int)
	work := &Stmt{Op: Select, Cases: []*Stmt{{Op: caseRecv, X: q}, {Op: caseTime, Body: []*Stmt{st(Inc, x)}}}}
	return []*Stmt{m.started(m.maybeDefer(st(Close, d), loop(2, work))...), m.after(t, st(Close, q)), st(Recv, d), st(Read, x)}
}
