package vm

import "whoop/ir"

// queue is a queue of messages that the atomic section under way may send to or receive
// from, see ir.Queue.
//
// What others notice of such a section is which message it is about, and not how many
// there are. So it does not touch the memory behind the number of messages, but these:
//
//	its end     where a send is: half of the number of messages
//	its front   where a receive is: the other half
//	slots       of message n that of n modulo the capacity
//	closed      for a send; for a receive where no message is there
//
// A send looks whether its slot is free, and writes it; a receive looks whether its slot
// is full, and writes it, too. So message n is received after it is sent, sent after
// message n minus the capacity is received, and nothing else orders sends and receives:
// those of different slots can be exchanged, since the memory is the same afterwards.
// Whoever reads or writes the number of messages in another way conflicts with all of
// them. That the slot of a message is the same in all equivalent executions is since
// sends are ordered with each other, and so are receives.
//
// The numbers of the next messages are kept in the syncCell of the number of messages.
// They are no part of the state: the future does not depend on them.
type queue struct {
	at      place // of the number of messages
	end     int64 // of the queue's memory
	room    int64
	before  uint64 // messages in it
	private bool
	src     int32
}

// counters is what syncCell.once is of a cell that has the numbers of a queue's next
// messages: that to be sent and that to be received, modulo the capacity.
const counters uint8 = 3

// queueOf is the queue of an Await whose cells lie at addrs; false where it is none, or
// has no capacity.
func (m *Machine) queueOf(t int, q *ir.Queue, addrs []uint64) (x queue, ok bool) {
	p, o := m.peek(addrs[q.At+1], 4)
	if o == nil || o.dead || int64(p.off-o.off) < ir.QueueCapacity {
		return x, false
	}
	c, o2 := m.peek(addrs[q.At], 1)
	room, known := m.look(place{p.r, p.k, p.off - ir.QueueCapacity}, 4)
	n, known2 := m.look(p, 4)
	if o2 != o || !known || !known2 || room == 0 || room > 1<<15 || n > room {
		return x, false
	}
	return queue{at: p, end: int64(c.off) + q.Size, room: int64(room), before: n,
		private: o.private(t, p), src: m.src}, true
}

// looks records what an operation looks at to see whether it can go on: alone, or one of
// several that a thread waits for. It reports whether q is a queue.
func (m *Machine) looks(t int, q *ir.Queue, addrs []uint64, alone bool, more OpKind) bool {
	x, ok := m.queueOf(t, q, addrs)
	if !ok {
		return false
	}
	if !x.private {
		m.lookAt(q, &x, addrs[q.At], alone, more)
	}
	for i := range m.queues {
		if m.queues[i].at == x.at {
			return true
		}
	}
	m.queues = append(m.queues, x)
	return true
}

func (m *Machine) lookAt(q *ir.Queue, x *queue, closedAt uint64, alone bool, more OpKind) {
	wait, where := Atomic|Acquire|more, Atomic|more
	if !alone { // it may go on in another way
		wait = Atomic | Counted | more
		where = wait
	}
	p, _ := m.peek(closedAt, 1)
	closed, _ := m.look(p, 1)
	if q.Op == ir.QueueSend {
		if x.before < uint64(x.room) && closed == 0 {
			m.bytesOp(p, 1, where)
		} else { // but for the close, it might have to wait
			m.bytesOp(p, 1, wait)
			m.forClose = true
		}
	} else if x.before == 0 {
		m.bytesOp(p, 1, wait)
		m.forClose = true
	}
	m.bytesOp(x.side(q.Op), 2, where)
	if q.Op == ir.QueueSend && closed != 0 { // an error
		return
	}
	m.slotOp(x, m.counter(x, q.Op), wait)
}

// side is where sends are ordered, or receives: half of the number of messages.
func (x *queue) side(op ir.QueueOp) place {
	p := x.at
	if op == ir.QueueReceive {
		p.off += 2
	}
	return p
}

// slotOp records an operation on the slot of a message. Slots are named like
// synchronisation objects in the queue's memory, of which some stand for several.
func (m *Machine) slotOp(x *queue, n int64, k OpKind) {
	n %= max(1, (x.end-int64(x.at.off))/4-1)
	m.op(syncCells|uint64(x.at.r)<<32|uint64(x.at.off>>2)+1+uint64(n), 0xff, k)
}

// counter is the number, modulo the capacity, of the next message that is sent or
// received.
func (m *Machine) counter(x *queue, op ir.QueueOp) int64 {
	k := m.regions[x.at.r].cells[x.at.off>>2]
	if k == 0 || m.cells[k-1].once != counters {
		return 0
	}
	if op == ir.QueueSend {
		return m.cells[k-1].count & 0xffff
	}
	return m.cells[k-1].count >> 16
}

// counted notes that a message was sent or received.
func (m *Machine) counted(x *queue, op ir.QueueOp) {
	sent, taken := m.counter(x, ir.QueueSend), m.counter(x, ir.QueueReceive)
	if op == ir.QueueSend {
		sent = (sent + 1) % x.room
	} else {
		taken = (taken + 1) % x.room
	}
	r := &m.regions[x.at.r]
	k := r.cells[x.at.off>>2]
	if k == 0 {
		m.cells = append(m.cells, syncCell{owner: -1, runner: -1})
		k = int32(len(m.cells))
		r.cells[x.at.off>>2] = k
		m.journal = append(m.journal, uint64(x.at.r)<<32|uint64(x.at.off>>2), undoNewCell)
	} else {
		m.journal = append(m.cells[k-1].words(m.journal), uint64(k-1), undoCell)
	}
	m.cells[k-1].once, m.cells[k-1].count = counters, sent|taken<<16
}

// endQueues records what a section has done to its queues, at its end.
func (m *Machine) endQueues() {
	src := m.src
	for i := range m.queues {
		x := &m.queues[i]
		n, _ := m.look(x.at, 4)
		op := ir.QueueSend
		switch n {
		case x.before:
			continue
		case x.before + 1:
		case x.before - 1:
			op = ir.QueueReceive
		default:
			m.stop("a section that sends or receives several messages")
			continue
		}
		if !x.private {
			m.src = x.src
			m.bytesOp(x.side(op), 2, Write|Atomic)
			m.slotOp(x, m.counter(x, op), Write|Atomic|Release)
		}
		m.counted(x, op)
	}
	m.src, m.queues = src, m.queues[:0]
}

// ofQueue reports whether a place is of a queue that the section under way operates on.
func (m *Machine) ofQueue(p place) bool {
	for i := range m.queues {
		if x := &m.queues[i]; x.at.r == p.r && p.off >= x.at.off && int64(p.off) < x.end {
			return true
		}
	}
	return false
}
