package randgo

// channel are operations on channels.
func (t *thread) channel(f *frame, s *Stmt) flow {
	if s.Op == Select {
		return t.selects(f, s)
	}
	v := f.env[s.X].(*chanVar)
	t.point()
	if s.Op == Remake {
		v.note(t, "write", s.line)
		v.ch = newChannel(s.N)
		return next
	}
	v.note(t, "read", s.line)
	ch := v.ch
	switch s.Op {
	case Send:
		if ch != nil {
			ch.note(t, "send", s.line)
		}
		t.block1(port{ch, true, s.line})
	case Recv:
		t.block1(port{ch, false, s.line})
	case RecvOK:
		return t.either(f, s, t.block1(port{ch, false, s.line}))
	case Range:
		for t.block1(port{ch, false, s.line}) {
			if to := t.block(f, s.Body); to == after {
				break
			} else if to == leave {
				return leave
			}
		}
	case Close:
		t.close(ch, s.line)
	case IfLen:
		if ch != nil && ch.buf > 0 {
			return t.block(f, s.Body)
		}
	}
	return next
}

// close closes a channel.
func (t *thread) close(ch *channel, line int) {
	t.tick()
	if ch == nil {
		t.fail("close of nil channel")
	}
	ch.note(t, "close", line)
	if ch.closed {
		t.fail("close of closed channel")
	}
	ch.closed, ch.last = true, t.clock.copy()
}

// block1 blocks for one operation; false where it receives that the channel is closed.
func (t *thread) block1(p port) bool {
	op := &operation{cases: []port{p}}
	op.ready = func() bool { return op.met > 0 || t.can(p) }
	t.wait(op)
	return op.met > 0 || t.do(p)
}

// can reports whether an operation on a channel is possible now.
func (t *thread) can(p port) bool {
	if p.ch == nil {
		return false
	}
	free := p.ch.buf > 0
	if p.send {
		free = p.ch.buf < p.ch.cap
	}
	return free || p.ch.closed || p.ch.cap == 0 && len(t.partners(p)) > 0
}

// partner is a thread that blocks in an operation that meets another one.
type partner struct {
	t *thread
	i int
}

func (t *thread) partners(p port) []partner {
	var out []partner
	for _, u := range t.m.threads {
		if u == t || u.over || u.pending == nil || u.pending.met > 0 {
			continue
		}
		for i, q := range u.pending.cases {
			if q.ch == p.ch && q.send != p.send {
				out = append(out, partner{u, i})
			}
		}
	}
	return out
}

// do executes an operation that is possible; false where it receives that the channel is
// closed.
func (t *thread) do(p port) bool {
	ch := p.ch
	switch {
	case p.send && ch.closed:
		t.fail("send on closed channel")
	case p.send && ch.buf < ch.cap:
		ch.pass(t, &ch.in)
		ch.buf++
	case !p.send && ch.buf > 0:
		ch.pass(t, &ch.out)
		ch.buf--
	case ch.closed:
		t.clock.join(ch.last)
		return false
	default:
		ps := t.partners(p)
		q := ps[0]
		if len(ps) > 1 {
			q = ps[t.m.c.choose(len(ps))]
		}
		if c := q.t.pending.cases[q.i]; c.send && len(q.t.pending.cases) > 1 {
			ch.note(q.t, "send", c.line)
		}
		q.t.pending.met = q.i + 1
		t.clock.join(q.t.clock)
		q.t.clock.join(t.clock)
	}
	return true
}

// pass orders a thread with the last use of the place in the buffer.
func (ch *channel) pass(t *thread, at *int) {
	t.clock.join(ch.slots[*at])
	ch.slots[*at] = t.clock.copy()
	*at = (*at + 1) % ch.cap
}

// selects is a select statement. A send counts where it is chosen.
func (t *thread) selects(f *frame, s *Stmt) flow {
	t.point()
	op := &operation{}
	var of []*Stmt
	var other, timeout *Stmt
	for _, c := range s.Cases {
		if c.Op == caseTime {
			timeout = c
			continue
		}
		if c.Op == caseElse {
			other = c
			continue
		}
		v := f.env[c.X].(*chanVar)
		v.note(t, "read", c.line)
		op.cases, of = append(op.cases, port{v.ch, c.Op == caseSend, c.line}), append(of, c)
	}
	open := func() (out []int) {
		for i, p := range op.cases {
			if t.can(p) {
				out = append(out, i)
			}
		}
		return out
	}
	if op.ready = func() bool { return op.met > 0 || timeout != nil || len(open()) > 0 }; other == nil {
		t.wait(op)
	}
	if op.met > 0 {
		return t.chosen(f, of[op.met-1])
	}
	can := open()
	if timeout != nil && (len(can) == 0 && other == nil || t.m.c.choose(2) == 0) {
		return t.chosen(f, timeout)
	}
	if len(can) == 0 {
		return t.chosen(f, other)
	}
	i := can[0]
	if len(can) > 1 {
		i = can[t.m.c.choose(len(can))]
	}
	if op.cases[i].send {
		op.cases[i].ch.note(t, "send", op.cases[i].line)
	}
	t.do(op.cases[i])
	return t.chosen(f, of[i])
}

// chosen executes the body of a case, which break leaves.
func (t *thread) chosen(f *frame, c *Stmt) flow {
	if to := t.block(f, c.Body); to != after {
		return to
	}
	return next
}
