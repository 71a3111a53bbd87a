package vm

import (
	"math/bits"

	"whoop/ir/interp"
)

// How threads start, end, and wait for the end of others.

// spawn starts a thread, whose local operations are executed at once.
func (m *Machine) spawn(t int, f *fn, in *ins, r []uint64) {
	k := f.consts
	g := m.function(t, val(r, k, in.x))
	if g < 0 {
		return
	}
	if d := operand(in.c); d != none {
		fails := m.fails(t)
		r[d] = bit(!fails)
		if fails {
			return
		}
	}
	args, ok := m.arguments(t, f, in, r, g)
	if !ok {
		return
	}
	th := &m.threads[t]
	u, ok := m.name(int32(t), th.kids)
	if !ok {
		m.stop("more than 64 threads")
		return
	}
	th = &m.threads[t] // name may have moved the threads
	th.kids++
	handle := uint64(u) + 1
	if in.y != none {
		a := val(r, k, in.y)
		if p, o := m.touchAt(t, a, int64(in.size), Write); o != nil {
			m.store(p, o, int64(in.size), handle)
			m.accessed(t, a, int64(in.size), true, false, handle)
		}
	}
	if in.d != none {
		r[in.d] = handle
	}
	for _, v := range args {
		if v>>(32+regionBits) != 0 {
			m.publish(v)
		}
	}
	m.begin(u, g, args)
	m.started(u, t, g, args)
	m.edges = append(m.edges, Edge{t, u})
	m.born = append(m.born, int32(u))
}

// finish ends a thread; who waits for it goes on.
func (m *Machine) finish(t int, v uint64) {
	th := &m.threads[t]
	th.state, th.result = Ended, v
	th.frames, th.stack = th.frames[:0], th.stack[:0]
	for left := m.joining; left != 0; left &= left - 1 {
		u := bits.TrailingZeros64(left)
		if o := &m.threads[u]; o.state == Joining && o.joins == int32(t) {
			m.saveThread(u)
			m.joined(u, t)
			m.born = append(m.born, int32(u))
		}
	}
}

// joined ends a join.
func (m *Machine) joined(u, t int) {
	o := &m.threads[u]
	o.state, o.joins = Ready, -1
	if m.threads[t].joined {
		m.fail(u, interp.ErrHandle)
		return
	}
	if n := len(m.journal); m.journal[n-1] == undoJoined { // of this step: it begins with another entry
		m.journal[n-2] |= 1 << t
	} else {
		m.journal = append(m.journal, 1<<t, undoJoined)
	}
	m.threads[t].joined = true
	m.edges = append(m.edges, Edge{t, u})
	fr := &o.frames[len(o.frames)-1]
	f := m.p.funcs[fr.fn]
	if in := &f.code[fr.pc-1]; in.d != none {
		o.stack[fr.base+int32(in.d)] = normalise(m.threads[t].result, in.bits, in.signed)
	}
}

// join waits for the end of a thread.
func (m *Machine) join(t int, h uint64) {
	u := int(h) - 1
	if h == 0 || h > uint64(len(m.threads)) || m.threads[u].state == Absent {
		m.fail(t, interp.ErrHandle)
		return
	}
	if m.threads[u].joined {
		m.fail(t, interp.ErrHandle)
		return
	}
	th := &m.threads[t]
	if m.threads[u].state == Ended {
		m.joined(t, u)
		return
	}
	th.state, th.joins = Joining, int32(u)
	m.joining |= 1 << t
}

func (m *Machine) detach(t int, h uint64) {
	u := int(h) - 1
	if h == 0 || h > uint64(len(m.threads)) || m.threads[u].state == Absent {
		m.fail(t, interp.ErrHandle)
		return
	}
	m.saveThread(u)
	m.threads[u].joined = true
}
