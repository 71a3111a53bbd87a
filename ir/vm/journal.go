package vm

import (
	"encoding/binary"
	"math/bits"
)

// The journal is words: what was there before, and last what kind of entry it is. Undo
// reads it backwards.
const (
	undoObject    = iota // region: its last object was made
	undoWord             // region<<32|offset, the bytes, the marks: eight bytes of memory
	undoState            // region<<32|object, flags
	undoCell             // index, cellWords words
	undoNewCell          // region<<32|index in region.cells: the last cell was made
	undoThread           // thread, fixed words of it
	undoFrame            // a frame and its registers
	undoDepth            // the depth of atomic sections
	undoLocal            // thread, the local variable that was taken off
	undoLocalPush        // thread
	undoJoined           // a set of threads: they were joined
)

// threadWords are the fixed words of a thread, frameWords those of a frame.
const threadWords, frameWords = 7, 4

// Mark names the state, for Undo.
func (m *Machine) Mark() int { return len(m.journal) }

// Undo goes back to the state of a mark. Marks of later states are not valid any more.
func (m *Machine) Undo(mark int) {
	for len(m.journal) > mark {
		m.undo()
	}
	m.ops, m.edges, m.failures, m.answers, m.asked = m.ops[:0], m.edges[:0], m.failures[:0], m.answers[:0], m.asked[:0]
	m.forgone = m.forgone[:0]
}

// pop takes the last word off the journal.
func (m *Machine) pop() uint64 {
	n := len(m.journal) - 1
	v := m.journal[n]
	m.journal = m.journal[:n]
	return v
}

func (m *Machine) undo() {
	switch m.pop() {
	case undoObject:
		r := &m.regions[m.pop()]
		o := &r.objs[len(r.objs)-1]
		n := int(o.off)
		r.mem, r.mark = r.mem[:n], r.mark[:n]
		r.objs = r.objs[:len(r.objs)-1]
	case undoWord:
		at, b, k := m.pop(), m.pop(), m.pop()
		r, off := &m.regions[at>>32], uint32(at)
		binary.LittleEndian.PutUint64(r.mem[off:], b)
		binary.LittleEndian.PutUint64(r.mark[off:], k)
	case undoState:
		at, flags := m.pop(), m.pop()
		o := &m.regions[at>>32].objs[uint32(at)]
		o.dead, o.public = flags&1 != 0, flags&2 != 0
	case undoCell:
		c := &m.cells[m.pop()]
		n := len(m.journal) - cellWords
		c.read(m.journal[n:])
		m.journal = m.journal[:n]
	case undoNewCell:
		at := m.pop()
		m.regions[at>>32].cells[uint32(at)] = 0
		m.cells = m.cells[:len(m.cells)-1]
	case undoThread:
		m.undoThread()
	case undoFrame:
		m.undoFrame()
	case undoDepth:
		m.depth = int(m.pop())
	case undoLocal:
		th := &m.threads[m.pop()]
		th.locals = append(th.locals, uint32(m.pop()))
	case undoLocalPush:
		th := &m.threads[m.pop()]
		th.locals = th.locals[:len(th.locals)-1]
	case undoJoined:
		for left := m.pop(); left != 0; left &= left - 1 {
			m.threads[bits.TrailingZeros64(left)].joined = false
		}
	}
}

// saveBytes notes the words that n bytes of a region lie in.
func (m *Machine) saveBytes(r int, off uint32, n int64) {
	reg := &m.regions[r]
	for w := off &^ 7; int64(w) < int64(off)+n; w += 8 {
		m.journal = append(m.journal, binary.LittleEndian.Uint64(reg.mark[w:]), binary.LittleEndian.Uint64(reg.mem[w:]),
			uint64(r)<<32|uint64(w), undoWord)
	}
}

// saveObject notes the flags of an object.
func (m *Machine) saveObject(r, k int) {
	o := &m.regions[r].objs[k]
	m.journal = append(m.journal, bit(o.dead)|bit(o.public)<<1, uint64(r)<<32|uint64(k), undoState)
}

// saveThread notes the fixed part of a thread and its innermost frame, once in each step.
func (m *Machine) saveThread(t int) {
	th := &m.threads[t]
	if th.saved >= 0 {
		return
	}
	n := len(th.frames)
	if n > 0 {
		m.saveFrame(t, n-1)
	}
	th.saved = int32(max(0, n-1))
	m.touched = append(m.touched, int32(t))
	flags := uint64(th.state) | bit(th.reacquire)<<8 | bit(th.timed)<<9 | bit(th.signalled)<<10 | bit(th.joined)<<11 | bit(th.fresh)<<12 | bit(th.waits)<<13
	m.journal = append(m.journal, flags, th.cond, th.mutex, uint64(uint32(th.depth))<<32|uint64(uint32(th.dst)),
		uint64(uint32(th.order))<<32|uint64(uint32(th.joins)), th.result, uint64(uint32(th.kids))<<32|uint64(n), uint64(t), undoThread)
}

func (m *Machine) undoThread() {
	th := &m.threads[m.pop()]
	j := m.journal[len(m.journal)-threadWords:]
	m.journal = m.journal[:len(m.journal)-threadWords]
	flags := j[0]
	th.cond, th.mutex = j[1], j[2]
	th.depth, th.dst = int32(j[3]>>32), operand(int32(uint32(j[3])))
	th.order, th.joins = int32(j[4]>>32), int32(uint32(j[4]))
	th.result, th.kids = j[5], int32(j[6]>>32)
	th.state = State(flags & 0xff)
	th.reacquire, th.timed, th.signalled, th.joined = flags>>8&1 != 0, flags>>9&1 != 0, flags>>10&1 != 0, flags>>11&1 != 0
	th.fresh, th.waits = flags>>12&1 != 0, flags>>13&1 != 0
	n := int(uint32(j[6]))
	th.frames = th.frames[:n] // what is in them was saved, or never left
	th.saved = -1
	if n == 0 {
		th.stack = th.stack[:0]
	}
}

// saveFrame notes an active call with its registers.
func (m *Machine) saveFrame(t, k int) {
	th := &m.threads[t]
	fr := &th.frames[k]
	n := m.p.funcs[fr.fn].slots
	m.journal = append(m.journal, th.stack[fr.base:int(fr.base)+n]...)
	m.journal = append(m.journal, fr.once, uint64(uint32(fr.dst))<<32|uint64(fr.bits)<<1|bit(fr.sign),
		uint64(uint32(fr.alloc))<<32|uint64(uint32(fr.pc)), uint64(uint32(fr.base))<<32|uint64(uint32(fr.fn)),
		uint64(t)<<32|uint64(k), undoFrame)
}

func (m *Machine) undoFrame() {
	at := m.pop()
	from := len(m.journal) - frameWords
	j := m.journal[from:]
	once, db, ap, bf := j[0], j[1], j[2], j[3]
	th := &m.threads[at>>32]
	k := int(uint32(at))
	if len(th.frames) <= k {
		th.frames = th.frames[:k+1]
	}
	fr := &th.frames[k] // field by field: what is written in parts is slow to copy as a whole
	fr.fn, fr.base = int32(uint32(bf)), int32(bf>>32)
	fr.pc, fr.alloc = int32(uint32(ap)), int32(ap>>32)
	fr.dst, fr.bits, fr.sign, fr.once = operand(int32(db>>32)), uint8(db>>1&0xff), db&1 != 0, once
	n := m.p.funcs[fr.fn].slots
	end := int(fr.base) + n
	if k == len(th.frames)-1 || len(th.stack) < end {
		th.stack = th.stack[:end]
	}
	from -= n
	for i, v := range m.journal[from : from+n] { // few
		th.stack[int(fr.base)+i] = v
	}
	m.journal = m.journal[:from]
}
