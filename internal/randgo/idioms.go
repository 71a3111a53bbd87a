package randgo

// idiom adds the statements of something that correct programs do, and the functions and
// objects that it wants.
func (m *maker) idiom() []*Stmt {
	all := m.idioms()
	m.together, m.place = m.oneIn(2), Place(m.r.IntN(3))
	defer func() { m.together = false }()
	return all[m.r.IntN(len(all))]()
}

func (m *maker) idioms() []func() []*Stmt {
	return []func() []*Stmt{m.workers, m.counted, m.groupGo, m.closer, m.doneChan, m.manyDone, m.locked, m.shut, m.casClose,
		m.onceClose, m.producer, m.quit, m.lateWait, m.nested, m.rounds, m.twoWaiters, m.told, m.semaphore, m.onceInit,
		m.handOver, m.pairOfChans, m.helper, m.doneInside, m.counter, m.stop, m.onlySetter,
		m.fires, m.stopped, m.stoppedCount, m.again, m.rearmed, m.timeout, m.cut}
}

// maybeDefer is a statement at the end of a block, or deferred at its beginning.
func (m *maker) maybeDefer(last *Stmt, body ...*Stmt) []*Stmt {
	if m.oneIn(2) {
		return append([]*Stmt{st(Defer, "", last)}, body...)
	}
	return append(body, last)
}

// workers: Add before each go statement in a loop.
func (m *maker) workers() []*Stmt {
	g, mu, x := m.object(Group), m.object(Mutex), m.object(Int)
	body := m.maybeDefer(st(Done, g), st(Lock, mu), st(Inc, x), st(Unlock, mu))
	return []*Stmt{loop(2, add(g, 1), m.started(body...)), st(Wait, g), st(Read, x)}
}

// counted: Add of the number of goroutines.
func (m *maker) counted() []*Stmt {
	g, x, y := m.object(Group), m.object(Int), m.object(Int)
	return []*Stmt{add(g, 2), m.started(m.maybeDefer(st(Done, g), st(Inc, x))...), m.started(m.maybeDefer(st(Done, g), st(Inc, y))...),
		st(Wait, g), st(Inc, x), st(Read, y)}
}

func (m *maker) groupGo() []*Stmt {
	g, x := m.object(Group), m.object(Int)
	return []*Stmt{st(WgGo, g, st(Inc, x)), st(Wait, g), st(Inc, x)}
}

// closer: a goroutine waits for those that send, and closes.
func (m *maker) closer() []*Stmt {
	g, c, x := m.object(Group), m.object(Chan), m.object(Int)
	return []*Stmt{loop(2, add(g, 1), m.started(m.maybeDefer(st(Done, g), st(Send, c))...)),
		m.started(st(Wait, g), st(Write, x), st(Close, c)), st(Range, c, st(Return, "")), st(Read, x)}[:3+m.r.IntN(2)]
}

// doneChan: a goroutine says by closing, or by sending, that it is over.
func (m *maker) doneChan() []*Stmt {
	c, x := m.object(Chan), m.object(Int)
	last := st([]Op{Close, Send}[m.r.IntN(2)], c)
	return []*Stmt{m.started(m.maybeDefer(last, st(Write, x))...), st(Recv, c), st(Inc, x)}
}

// manyDone: as much is received as goroutines send.
func (m *maker) manyDone() []*Stmt {
	c, x, mu := m.object(Chan), m.object(Int), m.object(Mutex)
	return []*Stmt{loop(2, m.started(st(Lock, mu), st(Inc, x), st(Unlock, mu), st(Send, c))), loop(2, st(Recv, c)), st(Inc, x),
		st(Close, c)}
}

func (m *maker) locked() []*Stmt {
	mu, x := m.object(Mutex), m.object(Int)
	return []*Stmt{m.started(st(Lock, mu), st(Inc, x), st(Unlock, mu)), st(Lock, mu), st(Defer, "", st(Unlock, mu)), st(Inc, x)}
}

// shut: a flag under a lock says whether the channel is closed.
func (m *maker) shut() []*Stmt {
	mu, x, c := m.object(Mutex), m.object(Bool), m.object(Chan)
	m.p.object(c).Cap = 2
	no := func() *Stmt { return st(IfVar, x, st(Unlock, mu), st(Return, "")) }
	send := []*Stmt{st(Lock, mu), no(), st(Send, c), st(Unlock, mu)}
	if m.oneIn(4) { // each time it looks at the flag
		send = []*Stmt{st(Lock, mu), loop(2, no(), st(Send, c), st(Unlock, mu), st(Lock, mu)), st(Unlock, mu)}
	}
	closes := []*Stmt{st(Lock, mu), no(), st(Write, x), st(Unlock, mu), st(Close, c)}
	if m.oneIn(2) {
		closes = []*Stmt{st(Lock, mu), no(), st(Write, x), st(Close, c), st(Unlock, mu)}
	}
	return append([]*Stmt{m.started(send...), m.started(clone(closes)...)}, closes...)
}

func (m *maker) casClose() []*Stmt {
	f, c := m.object(Flag), m.object(Chan)
	return []*Stmt{m.started(st(CAS, f, st(Close, c))), st(CAS, f, st(Close, c)), st(Recv, c)}
}

func (m *maker) onceClose() []*Stmt {
	o, c, x := m.object(OnceK), m.object(Chan), m.object(Int)
	return []*Stmt{m.started(st(Once, o, st(Inc, x), st(Close, c))), st(Once, o, st(Inc, x), st(Close, c)), st(Recv, c), st(Read, x)}
}

// producer: who sends closes.
func (m *maker) producer() []*Stmt {
	c, x := m.object(Chan), m.object(Int)
	return []*Stmt{m.started(m.maybeDefer(st(Close, c), loop(2, st(Write, x), st(Send, c)))...), st(Range, c), st(Read, x)}
}

// quit: a goroutine sends until it is told to end.
func (m *maker) quit() []*Stmt {
	c, q, g := m.object(Chan), m.object(Chan), m.object(Group)
	sel := &Stmt{Op: Select, Cases: []*Stmt{{Op: caseSend, X: c}, {Op: caseRecv, X: q, Body: []*Stmt{st(Return, "")}}}}
	return []*Stmt{add(g, 1), m.started(st(Defer, "", st(Done, g)), loop(2, sel)), st(Recv, c), st(Close, q), st(Wait, g), st(Close, c)}
}

// lateWait: a flag under a lock says whether somebody waits already.
func (m *maker) lateWait() []*Stmt {
	mu, x, g := m.object(Mutex), m.object(Bool), m.object(Group)
	return []*Stmt{m.started(st(Lock, mu), st(IfVar, x, st(Unlock, mu), st(Return, "")), add(g, 1), st(Unlock, mu), m.started(st(Done, g))),
		st(Lock, mu), st(Write, x), st(Unlock, mu), st(Wait, g)}
}

// nested: a goroutine that is counted adds to the group.
func (m *maker) nested() []*Stmt {
	g, x := m.object(Group), m.object(Int)
	return []*Stmt{add(g, 1), m.started(add(g, 1), m.started(m.maybeDefer(st(Done, g), st(Write, x))...), st(Done, g)), st(Wait, g), st(Inc, x)}
}

// rounds: a group is used again when it has been waited for.
func (m *maker) rounds() []*Stmt {
	g, x := m.object(Group), m.object(Int)
	return []*Stmt{loop(2, add(g, 1), m.started(m.maybeDefer(st(Done, g), st(Inc, x))...), st(Wait, g)), st(Read, x)}
}

// twoWaiters: two wait for one group.
func (m *maker) twoWaiters() []*Stmt {
	g, c, x := m.object(Group), m.object(Chan), m.object(Int)
	return []*Stmt{add(g, 1), m.started(st(Write, x), st(Done, g)), m.started(st(Wait, g), st(Read, x), st(Close, c)), st(Wait, g),
		st(Recv, c), add(g, 1), m.started(st(Done, g)), st(Wait, g)}
}

// told: a channel is closed when another one says that nobody sends any more.
func (m *maker) told() []*Stmt {
	c, fin := m.object(Chan), m.object(Chan)
	m.p.object(c).Cap = 2
	return []*Stmt{m.started(st(Send, c), st(Close, fin)), st(Recv, fin), st(Close, c), st(Range, c)}
}

// semaphore: a channel of capacity one as a lock.
func (m *maker) semaphore() []*Stmt {
	c, x := m.object(Chan), m.object(Int)
	m.p.object(c).Cap = 1
	return []*Stmt{m.started(st(Send, c), st(Inc, x), st(Recv, c)), st(Send, c), st(Inc, x), st(Recv, c)}
}

func (m *maker) onceInit() []*Stmt {
	o, x := m.object(OnceK), m.object(Int)
	return []*Stmt{loop(2, m.started(st(Once, o, st(Write, x)), st(Read, x))), st(Once, o, st(Write, x)), st(Read, x)}
}

// handOver: what was written before a send is read after the receive.
func (m *maker) handOver() []*Stmt {
	c, x := m.object(Chan), m.object(Int)
	return []*Stmt{m.started(st(RecvOK, c, st(Inc, x))), st(Write, x), st(Send, c)}
}

// pairOfChans: a request and its answer.
func (m *maker) pairOfChans() []*Stmt {
	c, d, x := m.object(Chan), m.object(Chan), m.object(Int)
	return []*Stmt{m.started(st(Range, c, st(Inc, x), st(Send, d))), st(Write, x), st(Send, c), st(Recv, d), st(Read, x), st(Close, c)}
}

// helper: a function that is called, deferred and started.
func (m *maker) helper() []*Stmt {
	g, x, mu := m.object(Group), m.object(Int), m.object(Mutex)
	f, args := m.function([]*Stmt{st(Lock, mu), st(Inc, x), st(Unlock, mu)})
	call := func(op Op) *Stmt { return &Stmt{Op: op, X: f.Name, Args: args} }
	return []*Stmt{add(g, 1), m.started(st(Defer, "", st(Done, g)), call(Call)), call([]Op{Call, DeferFn, GoCall}[m.r.IntN(3)]), st(Wait, g)}
}

// doneInside: a function that the goroutine calls says that it is over.
func (m *maker) doneInside() []*Stmt {
	g, c, x := m.object(Group), m.object(Chan), m.object(Int)
	m.p.object(c).Cap = 2
	f, args := m.function([]*Stmt{st(Inc, x), st(Send, c), st(Done, g)})
	return []*Stmt{add(g, 1), st(Go, "", &Stmt{Op: Call, X: f.Name, Args: args}), st(Wait, g), st(Close, c), st(Read, x)}
}

// counter: a goroutine that is counted starts others by Go.
func (m *maker) counter() []*Stmt {
	g, x, mu := m.object(Group), m.object(Int), m.object(Mutex)
	inc := func() []*Stmt { return []*Stmt{st(Lock, mu), st(Inc, x), st(Unlock, mu)} }
	return []*Stmt{st(WgGo, g, append(inc(), st(WgGo, g, inc()...))...), st(WgGo, g, inc()...), st(Wait, g), st(Read, x)}
}

// stop: a function that several call closes once, as a flag or a Once says.
func (m *maker) stop() []*Stmt {
	c := m.object(Chan)
	var body []*Stmt
	switch m.r.IntN(3) {
	case 0:
		body = []*Stmt{st(CAS, m.object(Flag), st(Close, c))}
	case 1:
		body = []*Stmt{st(Once, m.object(OnceK), st(Close, c))}
	default:
		mu, x := m.object(Mutex), m.object(Bool)
		body = []*Stmt{st(Lock, mu), st(IfVar, x, st(Unlock, mu), st(Return, "")), st(Write, x), st(Unlock, mu), st(Close, c)}
	}
	f, args := m.function(body)
	call := func(op Op) *Stmt { return &Stmt{Op: op, X: f.Name, Args: args} }
	return []*Stmt{call(GoCall), loop(1+m.r.IntN(2), call([]Op{Call, GoCall}[m.r.IntN(2)])), st(Recv, c)}
}

// onlySetter: senders look at a flag under a lock, and one sets it and closes.
func (m *maker) onlySetter() []*Stmt {
	mu, x, c := m.object(Mutex), m.object(Bool), m.object(Chan)
	m.p.object(c).Cap = 2
	send := []*Stmt{st(Lock, mu), st(IfVar, x, st(Unlock, mu), st(Return, "")), st(Send, c), st(Unlock, mu)}
	set := []*Stmt{st(Lock, mu), st(Write, x), st(Unlock, mu), st(Close, c)}
	if m.oneIn(3) {
		return []*Stmt{loop(2, m.started(send...)), m.started(set...), st(Recv, c)}
	}
	return append([]*Stmt{loop(2, m.started(send...))}, set...)
}
