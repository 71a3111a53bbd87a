package vm

import (
	"whoop/ir"
	"whoop/ir/interp"
)

// Step makes an event of a thread that CanStep: its visible operation, and the local ones
// behind it. Queries are answered by the alternatives with the numbers in script, then by
// the first ones; see Asked. It returns false, and leaves the state as it was, where an
// atomic section turned out to block; Tried then tells what the section touched before,
// and Asked what else it can be answered. With Config.Attempts, see Parked.
func (m *Machine) Step(t int, script []int) bool {
	m.ops, m.edges, m.failures, m.answers, m.asked = m.ops[:0], m.edges[:0], m.failures[:0], m.answers[:0], m.asked[:0]
	m.own = m.own[:0]
	m.accesses, m.forgone, m.cell1, m.fuzzy, m.assumed = m.accesses[:0], m.forgone[:0], Cell{}, false, false
	m.script, m.parked, m.queues = script, false, m.queues[:0]
	m.message = false
	mark := len(m.journal)
	m.saveThread(t)
	th := &m.threads[t]
	switch {
	case th.fresh:
		th.fresh, m.src = false, -1
		m.mainArguments()
	case th.reacquire:
		m.src = m.waitsAt(t)
		m.reacquire(t)
	case th.state == Waiting:
		m.src = m.waitsAt(t)
		m.timeout(t)
	default:
		m.visibleStep(t)
	}
	if m.at, m.fuzzy = m.src, m.depth > 0; m.fuzzy {
		m.cell1.Known = false
	}
	touched := -1 // so many operations before the one that blocks
	for m.depth > 0 && th.state == Ready && m.reason == "" {
		m.settle(t)
		if th = &m.threads[t]; m.depth == 0 || th.state != Ready {
			break
		}
		if !m.ready(t) {
			touched = len(m.ops)
			m.src = m.waitsAt(t) + 1
			m.addWants(t)
			th.state = Stuck
			break
		}
		m.visibleStep(t)
		th = &m.threads[t]
	}
	if m.depth > 0 && len(m.failures) == 0 && m.reason == "" {
		if touched < 0 {
			touched = len(m.ops)
		}
		return m.blocked(t, mark, touched > 0)
	}
	if m.broke = m.depth > 0; m.broke {
		m.endQueues()
	}
	m.setDepth(0)
	m.settle(t)
	m.endStep()
	return true
}

// blocked takes back what an atomic section has done that turned out to block; touched:
// it has touched something before.
func (m *Machine) blocked(t, mark int, touched bool) bool {
	m.tried = append(m.tried[:0], m.ops...)
	m.endStep()
	m.born, m.late = m.born[:0], m.late[:0]
	if !m.cfg.Attempts || !touched && len(m.asked) == 0 {
		asked := m.asked
		m.Undo(mark)
		m.asked = asked
		return false
	}
	for len(m.journal) > mark {
		m.undo()
	}
	m.edges, m.forgone = m.edges[:0], m.forgone[:0]
	m.saveThread(t)
	m.threads[t].state, m.parked = Stuck, true
	m.endStep()
	return true
}

// Parked reports whether the last event was an atomic section that blocked in its middle,
// with Config.Attempts: its operations are those before it blocked, and the one that
// blocked. Nothing has changed, but the thread stands still for good. In this way what
// the section touches depends on what comes before it alone, but that it happens does
// not.
func (m *Machine) Parked() bool { return m.parked }

// Broke reports whether the last event was an atomic section in the middle of which
// something went wrong.
func (m *Machine) Broke() bool { return m.broke }

// mainArguments makes the parameters of main arbitrary that are read.
func (m *Machine) mainArguments() {
	th := &m.threads[0]
	f := m.p.funcs[th.frames[0].fn]
	for i, p := range f.params {
		switch {
		case !m.reads[i]:
		case ir.IsPtr(p) || !narrowEnough(p):
			m.stop("the parameter " + f.f.Params[i].Name + " of " + f.f.Name)
		default:
			v := m.number(0, p)
			m.answers[len(m.answers)-1].Src = nil
			b, s := norm(p)
			th.stack[i] = normalise(v, b, s)
		}
	}
}

// waitsAt is the number of the operation that a thread is in the middle of.
func (m *Machine) waitsAt(t int) int32 {
	th := &m.threads[t]
	fr := &th.frames[len(th.frames)-1]
	return m.p.funcs[fr.fn].first + fr.pc - 1
}

// Tried tells what an atomic section touched that turned out to block.
func (m *Machine) Tried() []Op { return m.tried }

// endStep forgets which threads were saved.
func (m *Machine) endStep() {
	for _, t := range m.touched {
		m.threads[t].saved = -1
	}
	m.touched = m.touched[:0]
}

func (m *Machine) setDepth(n int) {
	if n != m.depth {
		m.journal = append(m.journal, uint64(m.depth), undoDepth)
		m.depth = n
	}
}

// fail notes that a thread did something wrong; it stands still from then on.
func (m *Machine) fail(t int, kind interp.ErrorKind) {
	src, f := m.current(t)
	m.failures = append(m.failures, Failure{t, kind, src, f})
	m.threads[t].state = Stuck
}

// stop ends the machine: something is not supported.
func (m *Machine) stop(reason string) {
	if m.reason != "" {
		return
	}
	m.reason = reason
}

// val is the value of an operand.
func val(r, k []uint64, x operand) uint64 {
	if x >= 0 {
		return r[x]
	}
	return k[^x]
}

// choose takes one of n alternatives.
func (m *Machine) choose(t, n int) int {
	k := 0
	if n > 1 {
		k = min(m.pick(n), n-1)
		m.asked = append(m.asked, n)
	}
	m.answer(t, uint64(k))
	return k
}

// pick is the number of the alternative that a query takes, of n.
func (m *Machine) pick(n int) int {
	switch {
	case len(m.asked) < len(m.script):
		return m.script[len(m.asked)]
	case m.cfg.Draw != nil:
		return m.cfg.Draw(n)
	}
	return 0
}

func (m *Machine) answer(t int, v uint64) {
	src, _ := m.current(t)
	m.answers = append(m.answers, Answer{t, src, v})
}

// number is an arbitrary value of a type.
func (m *Machine) number(t int, typ ir.Type) uint64 {
	b, s := norm(typ)
	if b == 1 {
		return normalise(uint64(m.choose(t, 2)), b, s)
	}
	m.sampled = true
	k := 0
	if len(m.cfg.Values) > 1 {
		k = min(m.pick(len(m.cfg.Values)), len(m.cfg.Values)-1)
		m.asked = append(m.asked, len(m.cfg.Values))
	}
	v := m.cfg.Values[k]
	m.answer(t, v)
	return normalise(v, b, s)
}

// fails asks whether something that may fail does.
func (m *Machine) fails(t int) bool {
	if !m.cfg.Failures {
		m.answer(t, 0)
		return false
	}
	return m.choose(t, 2) == 1
}

// visible reports whether others may notice the instruction that a thread stands before.
func (m *Machine) visible(t int, in *ins, r, k []uint64) bool {
	if m.isQuiet(in) {
		return false
	}
	switch in.op {
	case opLoad, opStore, opRMW, opCmpXchg, opFree, opTouch:
		return in.flags&flagOwn == 0 && m.shared(t, val(r, k, in.x))
	case opSet:
		return in.flags&flagOwn == 0 && m.shared(t, val(r, k, in.d))
	case opCopy:
		return in.flags&flagOwn == 0 && (m.shared(t, val(r, k, in.d)) || m.shared(t, val(r, k, in.x)))
	case opReturn:
		return m.publicLocals(t)
	case opLock, opTryLock, opUnlock, opLockInit, opCondWait, opSignal, opSemInit, opSemWait, opSemTry, opSemPost, opBarrierInit,
		opBarrier, opOnce, opAtomicBegin, opAtomicEnd, opAwait:
		return true
	}
	return false
}

// isQuiet reports whether an instruction is an access that does not race, outside of
// atomic sections.
func (m *Machine) isQuiet(in *ins) bool {
	if in.flags&flagQuiet == 0 || m.depth > 0 {
		return false
	}
	return in.op == opLoad || in.op == opStore || in.op == opCopy || in.op == opSet
}

// shared reports whether an address is of an object that others may know.
func (m *Machine) shared(t int, a uint64) bool {
	p, o := m.peek(a, 0)
	return o != nil && !o.private(t, p)
}

// publicLocals reports whether the return of a thread's innermost call ends objects that
// others may know, or tells others that a once control is done.
func (m *Machine) publicLocals(t int) bool {
	th := &m.threads[t]
	fr := &th.frames[len(th.frames)-1]
	if fr.once != 0 {
		return true
	}
	if t == 0 && len(th.frames) == 1 {
		return false
	}
	for _, k := range th.locals[fr.alloc:] {
		if o := &m.regions[t+1].objs[k]; o.public && !o.dead {
			return true
		}
	}
	return false
}

// ready reports whether the operation that a thread stands before does not block.
func (m *Machine) ready(t int) bool {
	f, in, r := m.pending(t)
	k := f.consts
	switch in.op {
	case opLock:
		c := m.lookCell(val(r, k, in.x))
		return c == nil || c.lockable(t, in.flags) != busy
	case opSemWait:
		return m.semReady(val(r, k, in.x))
	case opOnce:
		return m.onceReady(t, val(r, k, in.x))
	case opAwait:
		return m.awaited(t, f, in)
	}
	return true
}

// awaited reports whether the condition of an await holds now.
func (m *Machine) awaited(t int, f *fn, in *ins) bool {
	th := &m.threads[t]
	fr := &th.frames[len(th.frames)-1]
	w := &f.awaits[in.aux]
	r := th.stack[fr.base : int(fr.base)+f.slots]
	saved := append(m.scratch[:0], r...)
	m.scratch = saved
	ok := true
	for i, a := range w.addrs {
		p, o := m.peek(val(saved, f.consts, a), w.types[i].Size())
		if o == nil || o.dead {
			return true // an error
		}
		for _, x := range m.regions[p.r].mark[p.off : int64(p.off)+w.types[i].Size()] {
			ok = ok && x == written
		}
		b, s := norm(w.types[i])
		v, _ := m.load(t, p, w.types[i].Size(), in, ir.U8)
		if w.dsts[i] != none {
			r[w.dsts[i]] = normalise(v, b, s)
		}
	}
	if !ok {
		copy(r, saved)
		m.stop("an await of memory that was never written")
		return true
	}
	m.eval(f, r, w.start)
	ok = val(r, f.consts, w.cond) != 0
	copy(r, saved)
	return ok
}

// visibleStep executes the operation that a thread stands before.
func (m *Machine) visibleStep(t int) {
	f, in, r := m.pending(t)
	th := &m.threads[t]
	fr := &th.frames[len(th.frames)-1]
	m.src = f.first + fr.pc
	fr.pc++
	k := f.consts
	switch in.op {
	case opLock:
		m.lock(t, val(r, k, in.x), in.flags)
	case opTryLock:
		ok := m.tryLock(t, val(r, k, in.x), in.flags)
		m.set(t, in.d, bit(ok))
	case opUnlock:
		m.unlock(t, val(r, k, in.x), in.flags)
	case opLockInit:
		m.lockInit(t, val(r, k, in.x), in.flags)
	case opCondWait:
		m.condWait(t, val(r, k, in.x), val(r, k, in.y), in.flags&flagAny != 0, in.d)
	case opSignal:
		m.signal(t, val(r, k, in.x), in.flags&flagAll != 0)
	case opSemInit, opBarrierInit:
		m.initCount(t, val(r, k, in.x), int64(val(r, k, in.y)))
	case opSemWait:
		m.semTake(t, val(r, k, in.x), Write|Acquire|Counted)
	case opSemTry:
		m.set(t, in.d, bit(m.semTake(t, val(r, k, in.x), Write)))
	case opSemPost:
		m.post(t, val(r, k, in.x), in.flags&flagAll != 0)
	case opBarrier:
		m.barrier(t, val(r, k, in.x), in.d)
	case opOnce:
		m.once(t, val(r, k, in.x), val(r, k, in.y))
	case opAtomicBegin:
		m.setDepth(m.depth + 1)
	case opAtomicEnd:
		if m.depth == 0 {
			m.fail(t, interp.ErrAtomic)
			return
		}
		if m.depth == 1 && len(m.queues) > 0 {
			m.endQueues()
		}
		m.setDepth(m.depth - 1)
	case opAwait:
		m.await(t, f, in)
	case opReturn:
		m.ret(t, in)
	default:
		m.access(t, f, in, r)
	}
}

// MayBlock reports whether the last event took a semaphore, or was an atomic section that
// could block if it had read other values. One that is a Message is none.
func (m *Machine) MayBlock() bool {
	if m.Message() {
		return false
	}
	for _, o := range m.ops {
		if o.Kind&Counted != 0 || m.fuzzy && o.Kind&Acquire != 0 {
			return true
		}
	}
	return m.fuzzy && m.assumed && !m.cfg.Attempts
}

// Message reports whether the last event has sent or received a message, and done nothing
// else. Where another one of its kind was possible, it was, too.
func (m *Machine) Message() bool { return m.message && !m.assumed }

// Fuzzy reports whether the last event could touch other cells if it had read other
// values.
func (m *Machine) Fuzzy() bool { return m.fuzzy }

// set writes a register of a thread's innermost call.
func (m *Machine) set(t int, d operand, v uint64) {
	if d != none {
		th := &m.threads[t]
		th.stack[th.frames[len(th.frames)-1].base+int32(d)] = v
	}
}

// await reads the cells and begins an atomic section. The condition is known to hold,
// unless it is in a section.
func (m *Machine) await(t int, f *fn, in *ins) {
	th := &m.threads[t]
	fr := &th.frames[len(th.frames)-1]
	w := &f.awaits[in.aux]
	r := th.stack[fr.base : int(fr.base)+f.slots]
	m.setDepth(m.depth + 1)
	addrs := m.awaits(f, w, r)
	m.lookFor(t, w, addrs, 0)
	for i := range w.addrs {
		n := w.types[i].Size()
		p, o := m.find(t, addrs[i], n)
		if o == nil {
			return
		}
		v, _ := m.load(t, p, n, in, w.types[i])
		b, s := norm(w.types[i])
		if v = normalise(v, b, s); w.dsts[i] != none {
			r[w.dsts[i]] = v
		}
		m.accessed(t, addrs[i], n, false, true, v)
	}
	m.eval(f, r, w.start)
	if val(r, f.consts, w.cond) == 0 {
		th.state = Stuck
	}
}

// awaits are the addresses of an await.
func (m *Machine) awaits(f *fn, w *await, r []uint64) []uint64 {
	m.args = m.args[:0]
	for _, a := range w.addrs {
		m.args = append(m.args, val(r, f.consts, a))
	}
	return m.args
}

// lookFor records what an await looks at.
func (m *Machine) lookFor(t int, w *await, addrs []uint64, more OpKind) {
	m.message, m.forClose = len(m.ops) == 0 && len(addrs) == 2 && len(w.queues) == 1, false
	queues := uint64(0) // the addresses of those
	for i := range w.queues {
		q := &w.queues[i]
		if m.looks(t, q, addrs, len(addrs) == 2, more) {
			queues |= 3 << q.At
		}
	}
	m.message = m.message && queues != 0 && !m.forClose
	for i, a := range addrs {
		n := w.types[i].Size()
		if p, o := m.peek(a, n); o != nil && !o.private(t, p) && queues>>i&1 == 0 {
			m.bytesOp(p, n, Atomic|Acquire|more)
		}
	}
}
