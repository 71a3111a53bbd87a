package vm

import (
	"math"

	"whoop/ir"
	"whoop/ir/interp"
)

// syncCell is the state of a lock, semaphore, condition, barrier or once control.
type syncCell struct {
	owner     int32 // of the exclusive hold, -1: none
	depth     int32
	shared    int32                  // shared holds
	readers   [MaxThreads / 8]uint64 // how many of them each thread has, a byte each
	count     int64                  // of a semaphore; of a barrier the number of threads
	arrived   uint64                 // threads at a barrier
	once      uint8
	runner    int32
	destroyed bool
	recursive bool
}

// States of a once control.
const (
	onceNew uint8 = iota
	onceRunning
	onceOver
)

const cellWords = 5 + MaxThreads/8

// words appends the state to a journal.
func (c *syncCell) words(j []uint64) []uint64 {
	j = append(j, c.readers[:]...)
	return append(j, uint64(uint32(c.owner))<<32|uint64(uint32(c.depth)), uint64(uint32(c.shared))<<32|uint64(uint32(c.runner)),
		uint64(c.count), c.arrived, uint64(c.once)|bit(c.destroyed)<<8|bit(c.recursive)<<9)
}

// read takes the state from a journal.
func (c *syncCell) read(j []uint64) {
	n := copy(c.readers[:], j)
	w := j[n:]
	c.owner, c.depth = int32(w[0]>>32), int32(uint32(w[0]))
	c.shared, c.runner = int32(w[1]>>32), int32(uint32(w[1]))
	c.count, c.arrived = int64(w[2]), w[3]
	c.once, c.destroyed, c.recursive = uint8(w[4]), w[4]>>8&1 != 0, w[4]>>9&1 != 0
}

func (c *syncCell) holds(t int) int { return int(c.readers[t/8] >> (8 * (t % 8)) & 0xff) }

// lookCell is the state at an address, nil where it has none yet or nothing is there.
func (m *Machine) lookCell(a uint64) *syncCell {
	p, o := m.peek(a, 1)
	if o == nil || o.dead {
		return nil
	}
	if k := m.regions[p.r].cells[p.off>>2]; k != 0 {
		return &m.cells[k-1]
	}
	return nil
}

// peek is the place of n bytes at an address, without an error; of dead objects, too.
func (m *Machine) peek(a uint64, n int64) (place, *object) {
	id := uint32(a >> 32)
	r, k := int(id>>regionBits), int(id&regionMask)
	if a&wild != 0 || r >= len(m.regions) || k >= len(m.regions[r].objs) || r == 0 && k < firstFunc+len(m.p.funcs) {
		return place{}, nil
	}
	o := &m.regions[r].objs[k]
	off := int64(uint32(a)) - bias
	if off < 0 || n < 0 || off+n > int64(o.size) {
		return place{}, nil
	}
	return place{r, k, o.off + uint32(off)}, o
}

// cell is the state at an address for writing. Memory that was never written is not
// initialised, unless init.
func (m *Machine) cell(t int, a uint64, kind OpKind, init bool) *syncCell {
	if p, o := m.peek(a, 1); o != nil && !o.private(t, p) {
		m.syncOp(p, kind)
		if o.kind != globalObj { // it may end
			m.memOp(p, 1, Quiet)
		}
	}
	p, o := m.find(t, a, 1)
	if o == nil {
		return nil
	}
	r := &m.regions[p.r]
	if k := r.cells[p.off>>2]; k != 0 {
		c := &m.cells[k-1]
		if c.destroyed && !init {
			m.fail(t, interp.ErrLockInit)
			return nil
		}
		m.journal = append(c.words(m.journal), uint64(k-1), undoCell)
		return c
	}
	if !init && r.mark[p.off] == unwritten {
		m.fail(t, interp.ErrLockInit)
		return nil
	}
	if p.off&3 != 0 {
		m.stop("a synchronisation object at an odd address")
		return nil
	}
	c := syncCell{owner: -1, runner: -1}
	if o.kind == globalObj && o.site >= 0 {
		c.count = m.initialCount(o, p)
	}
	m.cells = append(m.cells, c)
	r.cells[p.off>>2] = int32(len(m.cells))
	m.journal = append(m.journal, uint64(p.r)<<32|uint64(p.off>>2), undoNewCell)
	return &m.cells[len(m.cells)-1]
}

// verdict is whether a lock can be taken.
type verdict uint8

const (
	free verdict = iota
	busy
	self // held by the thread itself: it would wait forever
)

func (c *syncCell) lockable(t int, flags uint8) verdict {
	switch {
	case c.owner == int32(t) && (flags&flagRecurse != 0 || c.recursive):
		return free
	case c.owner == int32(t):
		return self
	case c.owner >= 0:
		return busy
	case flags&flagShared != 0 || c.shared == 0:
		return free
	case c.holds(t) > 0:
		return self
	}
	return busy
}

func (c *syncCell) take(t int, flags uint8) {
	if flags&flagShared != 0 && c.owner != int32(t) {
		c.shared++
		c.readers[t/8] += 1 << (8 * (t % 8))
		return
	}
	c.owner = int32(t)
	c.depth++
}

// drop releases a hold of t.
func (c *syncCell) drop(t int, flags uint8) bool {
	if c.owner == int32(t) && (flags&flagShared == 0 || c.depth > 1) {
		if c.depth--; c.depth == 0 {
			c.owner = -1
		}
		return true
	}
	if flags&(flagShared|flagAny) == 0 || c.holds(t) == 0 {
		return false
	}
	c.shared--
	c.readers[t/8] -= 1 << (8 * (t % 8))
	return true
}

// lockKind is how a lock operation touches the lock: shared ones commute.
func lockKind(flags uint8) OpKind {
	if flags&flagShared != 0 {
		return 0
	}
	return Write
}

// inner reports whether an operation of t on a lock is nobody else's business: t holds
// it, and will hold it.
func (c *syncCell) inner(t int, taking bool) bool {
	n := c.holds(t)
	if c.owner == int32(t) {
		n += int(c.depth)
	}
	return n > 1 || n == 1 && taking
}

// lockCell is the cell of a lock that t takes or gives back; an inner operation is no
// operation for others.
func (m *Machine) lockCell(t int, a uint64, kind OpKind, taking bool) *syncCell {
	c := m.lookCell(a)
	if c == nil || c.destroyed || !c.inner(t, taking) {
		return m.cell(t, a, kind, false)
	}
	n := len(m.ops)
	c = m.cell(t, a, kind, false)
	m.ops = m.ops[:n]
	return c
}

// lock takes a lock that is not busy.
func (m *Machine) lock(t int, a uint64, flags uint8) {
	c := m.lockCell(t, a, lockKind(flags)|Acquire, true)
	if c == nil {
		return
	}
	if c.lockable(t, flags) == self {
		m.fail(t, interp.ErrDoubleLock)
		return
	}
	c.take(t, flags)
}

func (m *Machine) unlock(t int, a uint64, flags uint8) {
	k := lockKind(flags)
	if c := m.lookCell(a); c != nil && flags&flagAny != 0 && c.owner != int32(t) {
		k = 0 // a shared hold is given back
	}
	n := len(m.ops)
	if c := m.lockCell(t, a, k|Release, false); c != nil && !c.drop(t, flags) {
		m.ops = m.ops[:n] // what others do with the lock does not matter
		m.fail(t, interp.ErrUnlock)
	}
}

func (m *Machine) tryLock(t int, a uint64, flags uint8) (ok bool) {
	c := m.lockCell(t, a, Write, true) // whether it works depends on all others
	if c == nil || c.lockable(t, flags) != free {
		return false
	}
	c.take(t, flags)
	return true
}

func (m *Machine) lockInit(t int, a uint64, flags uint8) {
	destroy := flags&flagAny != 0
	c := m.cell(t, a, Write, !destroy)
	if c == nil {
		return
	}
	if destroy {
		if c.owner >= 0 || c.shared > 0 {
			m.fail(t, interp.ErrLockHeld)
			return
		}
		c.destroyed = true
		return
	}
	*c = syncCell{owner: -1, runner: -1, recursive: flags&flagRecurse != 0}
}

func (m *Machine) initCount(t int, a uint64, n int64) {
	if c := m.cell(t, a, Write, true); c != nil {
		*c = syncCell{owner: -1, runner: -1, count: n}
	}
}

const (
	endless      = 1 << 40       // of a semaphore after complete_all
	unknownCount = math.MinInt64 // at the start, of what another unit initialises
)

// initialCount is the count that a semaphore of a global begins with.
func (m *Machine) initialCount(o *object, p place) int64 {
	n, known := ir.InitialCount(m.p.IR.Globals[o.site], int64(p.off-o.off))
	if !known {
		return unknownCount
	}
	return n
}

func (m *Machine) post(t int, a uint64, all bool) {
	k := Write
	if c := m.lookCell(a); c != nil && c.count == 0 {
		k |= Release // who takes it could not have before
	}
	if c := m.cell(t, a, k, false); c != nil {
		if all {
			c.count = endless
		} else if c.count < endless && c.count != unknownCount {
			c.count++
		}
	}
}

func (m *Machine) semTake(t int, a uint64, kind OpKind) bool {
	c := m.cell(t, a, kind, false)
	if c != nil && c.count == unknownCount {
		m.stop("a semaphore whose count at the start is not known")
		return false
	}
	if c == nil || c.count <= 0 {
		return false
	}
	if c.count < endless {
		c.count--
	}
	return true
}

// semReady reports whether a semaphore can be taken, or the attempt is an error.
func (m *Machine) semReady(a uint64) bool {
	p, o := m.peek(a, 1)
	if o == nil || o.dead {
		return true
	}
	if c := m.lookCell(a); c != nil {
		return c.destroyed || c.count > 0 || c.count == unknownCount
	}
	if o.kind == globalObj && o.site >= 0 {
		if n := m.initialCount(o, p); n > 0 || n == unknownCount {
			return true
		}
	}
	return m.regions[p.r].mark[p.off] == unwritten
}

// condWait releases the mutex and begins to wait.
func (m *Machine) condWait(t int, cond, mutex uint64, timed bool, d operand) {
	if m.cell(t, cond, Write, true) == nil {
		return
	}
	c := m.cell(t, mutex, Write|Release, false)
	if c == nil {
		return
	}
	if c.owner != int32(t) {
		m.fail(t, interp.ErrUnlock)
		return
	}
	th := &m.threads[t]
	th.state, th.cond, th.mutex, th.depth, th.timed, th.dst = Waiting, cond, mutex, c.depth, timed, d
	th.order = 0
	for u := range m.threads {
		if o := &m.threads[u]; o.state == Waiting && o.cond == cond && u != t {
			th.order = max(th.order, o.order+1)
		}
	}
	c.depth, c.owner = 0, -1
}

// signal wakes one of those that wait, or all.
func (m *Machine) signal(t int, cond uint64, all bool) {
	if m.cell(t, cond, Write, true) == nil {
		return
	}
	var ws [MaxThreads]int
	n := 0
	for u := range m.threads {
		if o := &m.threads[u]; o.state == Waiting && o.mutex != 0 && o.cond == cond {
			ws[n] = u
			n++
			for i := n - 1; i > 0 && m.threads[ws[i-1]].order > m.threads[ws[i]].order; i-- {
				ws[i-1], ws[i] = ws[i], ws[i-1]
			}
		}
	}
	switch {
	case n == 0:
		return
	case all:
		for _, u := range ws[:n] {
			m.wake(t, u)
		}
	default:
		m.wake(t, ws[m.choose(t, n)])
	}
}

func (m *Machine) wake(t, u int) {
	m.saveThread(u)
	th := &m.threads[u]
	if p, o := m.peek(th.cond, 1); th.timed && o != nil {
		m.forgone = append(m.forgone, Forgone{u, Op{syncCells | uint64(p.r)<<32 | uint64(p.off>>2), 0xff, Write | Sync, -1}})
	}
	th.state, th.reacquire, th.signalled = Ready, true, true
	m.edges = append(m.edges, Edge{t, u})
}

// canReacquire reports whether a woken thread can take its mutex again.
func (m *Machine) canReacquire(t int) bool {
	c := m.lookCell(m.threads[t].mutex)
	return c == nil || c.lockable(t, 0) != busy
}

// reacquire ends a wait.
func (m *Machine) reacquire(t int) {
	th := &m.threads[t]
	m.lock(t, th.mutex, 0)
	if c := m.lookCell(th.mutex); c != nil && c.owner == int32(t) {
		c.depth = th.depth
	}
	fr := &th.frames[len(th.frames)-1]
	if th.dst != none {
		th.stack[fr.base+int32(th.dst)] = bit(th.signalled)
	}
	th.reacquire, th.cond, th.mutex = false, 0, 0
}

// timeout gives up waiting.
func (m *Machine) timeout(t int) {
	th := &m.threads[t]
	if m.cell(t, th.cond, Write, true) == nil {
		return
	}
	th.state, th.reacquire, th.signalled = Ready, true, false
}

// barrier is the arrival at a barrier; the last one lets all go.
func (m *Machine) barrier(t int, a uint64, d operand) {
	c := m.cell(t, a, Write, false)
	if c == nil {
		return
	}
	if c.count == unknownCount {
		m.stop("a barrier of another unit")
		return
	}
	if c.count <= 0 {
		m.fail(t, interp.ErrLockInit)
		return
	}
	n := int64(0)
	for u := range m.threads {
		n += int64(c.arrived >> u & 1)
	}
	if n+1 < c.count {
		c.arrived |= 1 << t
		th := &m.threads[t]
		th.state, th.cond, th.mutex, th.timed, th.dst = Waiting, a, 0, false, d
		return
	}
	others := c.arrived
	c.arrived = 0
	if d != none {
		th := &m.threads[t]
		th.stack[th.frames[len(th.frames)-1].base+int32(d)] = 1
	}
	for u := range m.threads {
		if others>>u&1 == 0 {
			continue
		}
		m.saveThread(u)
		th := &m.threads[u]
		th.state, th.cond = Ready, 0
		if th.dst != none {
			th.stack[th.frames[len(th.frames)-1].base+int32(th.dst)] = 0
		}
		m.edges = append(m.edges, Edge{t, u})
		m.settle(u)
	}
}

// once begins to run a control's function; others wait until it returns.
func (m *Machine) once(t int, a, f uint64) {
	c := m.cell(t, a, Write|Acquire, true)
	if c == nil {
		return
	}
	switch c.once {
	case onceRunning:
		m.fail(t, interp.ErrDoubleLock)
	case onceOver:
	default:
		g := m.function(t, f)
		if g < 0 {
			return
		}
		c.once, c.runner = onceRunning, int32(t)
		if len(m.p.funcs[g].code) == 0 {
			c.once, c.runner = onceOver, -1
			return
		}
		m.push(t, g, none, nil)
		th := &m.threads[t]
		th.frames[len(th.frames)-1].once = a
	}
}

// onceReady reports whether a once control's operation does not block.
func (m *Machine) onceReady(t int, a uint64) bool {
	c := m.lookCell(a)
	return c == nil || c.once != onceRunning || c.runner == int32(t)
}

func (m *Machine) onceDone(t int, a uint64) {
	if c := m.cell(t, a, Write|Release, true); c != nil {
		c.once, c.runner = onceOver, -1
	}
}

// Wants tells what the operation touches at which a thread blocks, if that is known: for
// a lock, semaphore, once control or awaited condition. It is valid until the next step.
func (m *Machine) Wants(t int) ([]Op, bool) {
	m.ops = m.ops[:0]
	ok := m.addWants(t)
	return m.ops, ok
}

// addWants is Wants, in addition to the operations of the step.
func (m *Machine) addWants(t int) bool {
	th := &m.threads[t]
	if th.reacquire {
		m.wants(t, th.mutex, Write)
		return true
	}
	f, in, r := m.pending(t)
	switch in.op {
	case opLock:
		m.wants(t, val(r, f.consts, in.x), lockKind(in.flags))
	case opSemWait:
		m.wants(t, val(r, f.consts, in.x), Write|Counted)
	case opOnce:
		m.wants(t, val(r, f.consts, in.x), Write)
	case opAwait:
		w := &f.awaits[in.aux]
		m.lookFor(t, w, m.awaits(f, w, r), Section)
		m.queues = m.queues[:0]
	default:
		return false
	}
	return true
}

func (m *Machine) wants(t int, a uint64, k OpKind) {
	if p, o := m.peek(a, 1); o != nil {
		m.syncOp(p, k|Acquire)
	}
}
