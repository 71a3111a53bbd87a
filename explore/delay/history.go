package delay

import "whoop/ir/vm"

// history is what an explorer was told on the way to a state.
type history struct {
	make  func() Explorer
	calls []call
	known uint64 // threads that were started
	over  uint64 // and those that have ended
	last  Event
}

// call is a call of one of an explorer's methods.
type call struct {
	kind      callKind
	t, parent int
	event     Event
}

type callKind uint8

const (
	callStart callKind = iota
	callFinish
	callStep
	callDelay
)

// begin makes an explorer for the machine's first state.
func (h *history) begin(m *vm.Machine) Explorer {
	h.calls, h.known, h.over, h.last = h.calls[:0], 0, 0, Event{}
	d := h.make()
	h.tell(d, m, -1)
	return d
}

// tell tells an explorer of the event of a thread that the machine has just made.
func (h *history) tell(d Explorer, m *vm.Machine, t int) {
	e := Event{Thread: t}
	for u := range m.Threads() {
		st := m.ThreadState(u)
		if st == vm.Absent {
			continue
		}
		bit := uint64(1) << u
		if h.known&bit == 0 {
			parent, _ := m.Parent(u)
			h.known |= bit
			h.pass(d, call{kind: callStart, t: u, parent: parent})
		}
		if (st == vm.Ended || st == vm.Stuck || st == vm.Aborted) && h.over&bit == 0 {
			h.over |= bit
			h.pass(d, call{kind: callFinish, t: u})
		}
		if m.CanStep(u) {
			e.Enabled |= bit
		}
	}
	if t >= 0 && m.At() >= 0 {
		e.At = m.Program().Source(m.At())
	}
	e.Woken = e.Enabled &^ h.last.Enabled
	h.last = e
	h.pass(d, call{kind: callStep, event: e})
}

// delay delays an explorer.
func (h *history) delay(d Explorer) { h.pass(d, call{kind: callDelay}) }

// pass makes a call, and remembers it where the explorer may have to be made again.
func (h *history) pass(d Explorer, c call) {
	c.on(d)
	if _, ok := d.(Copier); !ok {
		h.calls = append(h.calls, c)
	}
}

func (c *call) on(d Explorer) {
	switch c.kind {
	case callStart:
		d.Start(c.t, c.parent)
	case callFinish:
		d.Finish(c.t)
	case callStep:
		d.Step(c.event)
	case callDelay:
		d.Delay()
	}
}

// copy is an explorer in the same state as the one of the current state.
func (h *history) copy(d Explorer) Explorer {
	if c, ok := d.(Copier); ok {
		return c.Copy()
	}
	d = h.make()
	for i := range h.calls {
		h.calls[i].on(d)
	}
	return d
}

// saved is a history to go back to.
type saved struct {
	calls       int
	known, over uint64
	last        Event
}

func (h *history) save() saved { return saved{len(h.calls), h.known, h.over, h.last} }

func (h *history) restore(s saved) {
	h.calls, h.known, h.over, h.last = h.calls[:s.calls], s.known, s.over, s.last
}
