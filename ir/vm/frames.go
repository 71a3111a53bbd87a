package vm

import (
	"whoop/ir"
	"whoop/ir/interp"
)

// Calls and returns: the frames of a thread.

// function is the index of the function at an address; -1 sets the error.
func (m *Machine) function(t int, a uint64) int {
	k := int(uint32(a>>32)) - firstFunc
	if k >= 0 && k < len(m.p.funcs) && uint32(a) == bias {
		return k
	}
	if a == 0 {
		m.fail(t, interp.ErrNull)
	} else {
		m.fail(t, interp.ErrCall)
	}
	return -1
}

// arguments are the words of a call's arguments, as the callee's parameters have them.
func (m *Machine) arguments(t int, f *fn, in *ins, r []uint64, g int) ([]uint64, bool) {
	callee := m.p.funcs[g]
	ops := f.calls[in.aux]
	args := m.args[:0]
	for i, p := range callee.params {
		if !narrowEnough(p) {
			m.stop("a parameter of type " + p.String())
			return nil, false
		}
		if i >= len(ops) {
			if ir.IsPtr(p) {
				m.stop("an arbitrary pointer")
				return nil, false
			}
			args = append(args, m.number(t, p))
			continue
		}
		b, s := norm(p)
		args = append(args, normalise(val(r, f.consts, ops[i]), b, s))
	}
	m.args = args
	return args, true
}

// push calls a function.
func (m *Machine) push(t, g int, dst operand, args []uint64) bool {
	th := &m.threads[t]
	f := m.p.funcs[g]
	if len(th.frames) >= m.cfg.MaxDepth {
		m.fail(t, interp.ErrLimit)
		return false
	}
	base := 0
	if n := len(th.frames); n > 0 {
		fr := &th.frames[n-1]
		base = int(fr.base) + m.p.funcs[fr.fn].slots
	}
	end := base + f.slots
	if end <= cap(th.stack) {
		th.stack = th.stack[:end]
	} else {
		c := make([]uint64, end, 2*end+64)
		copy(c, th.stack)
		th.stack = c
	}
	r := th.stack[base:end]
	clear(r[copy(r, args):])
	th.frames = append(th.frames, frame{fn: int32(g), base: int32(base), dst: dst, bits: 64, alloc: int32(len(th.locals))})
	if f.uninit {
		m.sampled = true // they are 0
	}
	return true
}

// ret returns from a thread's innermost call. The thread's pc is behind the instruction.
func (m *Machine) ret(t int, in *ins) {
	th := &m.threads[t]
	n := len(th.frames) - 1
	fr := &th.frames[n]
	f := m.p.funcs[fr.fn]
	var v uint64
	if in.x != none {
		v = val(th.stack[fr.base:int(fr.base)+f.slots], f.consts, in.x)
	}
	if !(t == 0 && n == 0) {
		m.endLocals(t, int(fr.alloc))
	}
	th.frames = th.frames[:n]
	if n == 0 {
		m.finish(t, v)
		return
	}
	if int32(n-1) < th.saved {
		m.saveFrame(t, n-1)
		th.saved = int32(n - 1)
	}
	if fr.once != 0 {
		m.onceDone(t, fr.once)
	}
	up := &th.frames[n-1]
	th.stack = th.stack[:int(up.base)+m.p.funcs[up.fn].slots]
	if fr.dst != none {
		th.stack[up.base+int32(fr.dst)] = normalise(v, fr.bits, fr.sign)
	}
}

// endLocals ends the local variables of a thread from number k on.
func (m *Machine) endLocals(t, k int) {
	th := &m.threads[t]
	for i := len(th.locals) - 1; i >= k; i-- {
		id := th.locals[i]
		if o := &m.regions[t+1].objs[id]; !o.dead {
			if o.public {
				m.memOp(place{t + 1, int(id), o.off}, int64(o.size), Write|Quiet)
			}
			m.kill(t+1, int(id))
		}
		m.journal = append(m.journal, uint64(id), uint64(t), undoLocal)
		th.locals = th.locals[:i]
	}
}
