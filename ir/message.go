package ir

// Instructions for messages, as of Go's channels. A queue is an object in memory that
// begins at Chan, of a struct that the front end lays out. Messages leave it in the order
// in which they came; it holds as many as its capacity says. Where that is 0, a sender
// goes on when its message is received. Nobody sends to, or receives from, a null queue:
// who tries to waits for ever. Package ir/messages expands these instructions.
type (
	// Send puts a message into a queue, once there is room. Closed is set to whether the
	// queue is closed, before or while the thread waits: then nothing is sent.
	Send struct {
		Base
		Message
		Closed *Reg
	}
	// Receive takes a message out of a queue, once there is one, or the queue is closed.
	// OK is set to whether there is; where not, the registers of the cells stay as they
	// are.
	Receive struct {
		Base
		Message
		OK *Reg
	}
	// Close ends a queue, which is not null: threads that wait for messages go on, and
	// threads that wait to send find it closed. Closed is set to whether it was closed
	// before.
	Close struct {
		Base
		Chan     Expr
		Capacity int64
		Closed   *Reg
	}
)

// Message is what is sent or received. It lies in a slot of the queue: Slot is bound to
// the slot's address, by which the addresses of the cells are told.
type Message struct {
	Chan  Expr
	Slot  *Reg
	Cells []Cell
	// Capacity of the queue, -1 where it is not known.
	Capacity int64
	// Selected: it carries out the case of a Selection that has led to its block.
	Selected bool
}

// Cell is a part of a message: of a send its value, of a receive the register it is
// received in. Copy: it is an array, and the value is its address; it is received as the
// address of a new object.
type Cell struct {
	At   Expr
	Val  Expr
	Dst  *Reg
	Copy bool
}

// Selection waits until one of its cases can go on, and goes to the block of one that can,
// which carries it out: the first instruction for messages on each way from there is
// Selected, and sends to or receives from the queue of the case. Nothing else leads there.
// No other thread interleaves. Where no case can go on, and there is Default, it goes there. A case whose
// queue is null cannot go on.
type Selection struct {
	TermBase
	Cases   []Case
	Default *Block
}

// Case is one of a Selection. Late: the queue's messages come from the environment, which
// may send them later than it could.
type Case struct {
	Send     bool
	Chan     Expr
	Capacity int64
	Late     bool
	To       *Block
}

// Succs are the blocks of the cases, and the default.
func (t *Selection) Succs() []*Block {
	var out []*Block
	for _, c := range t.Cases {
		out = append(out, c.To)
	}
	if t.Default != nil {
		out = append(out, t.Default)
	}
	return out
}

// MessageOf is the message that an instruction sends or receives, or nil.
func MessageOf(in Instr) *Message {
	switch i := in.(type) {
	case *Send:
		return &i.Message
	case *Receive:
		return &i.Message
	}
	return nil
}

// messageSlots is slots for the instructions for messages.
func messageSlots(in Instr, ex func(...*Expr), de func(...**Reg)) {
	if c, ok := in.(*Close); ok {
		ex(&c.Chan)
		de(&c.Closed)
		return
	}
	m := MessageOf(in)
	if m == nil {
		return
	}
	ex(&m.Chan)
	de(&m.Slot)
	for k := range m.Cells {
		c := &m.Cells[k]
		de(&c.Dst)
		ex(&c.At, &c.Val)
	}
	switch i := in.(type) {
	case *Send:
		de(&i.Closed)
	case *Receive:
		de(&i.OK)
	}
}

func (w *printer) message(word string, m *Message) {
	w.s(word, " ", m.Chan)
	if m.Slot != nil {
		w.s(" slot ", regText(m.Slot))
		for k, c := range m.Cells {
			w.s(listSep(k, " "))
			if word == "receive" {
				w.s(regText(c.Dst), " := ")
			}
			w.flagFirst(c.Copy, "copy")
			w.s(c.At)
			if word == "send" {
				w.s(" := ", c.Val)
			}
		}
	}
	w.capacity(m.Capacity)
	w.flag(m.Selected, "selected")
}

func (w *printer) flagFirst(yes bool, word string) {
	if yes {
		w.s(word, " ")
	}
}

func (w *printer) capacity(n int64) {
	if n >= 0 {
		w.s(" capacity ", n)
	}
}

func (w *printer) result(word string, r *Reg) {
	if r != nil {
		w.s(" ", word, " ", regText(r))
	}
}

func (w *printer) selects(t *Selection) {
	w.s("select")
	for k, c := range t.Cases {
		w.s(listSep(k, " "), map[bool]string{true: "send ", false: "receive "}[c.Send], c.Chan)
		w.capacity(c.Capacity)
		w.flag(c.Late, "late")
		w.s(" then ", blockText(c.To))
	}
	if t.Default != nil {
		w.s(" else ", blockText(t.Default))
	}
}

func (p *parser) message(sends bool) Message {
	m := Message{Chan: p.expr()}
	if p.accept("slot") {
		m.Slot = p.reg()
		if k := p.tok(); k.kind != tokNewline && k.kind != tokEOF && !k.is("@") && !k.is("capacity") && !k.is("selected") && !k.is("closed") && !k.is("ok") {
			p.list(func() {
				var c Cell
				if !sends {
					c.Dst = p.reg()
					p.expect(":=")
				}
				c.Copy = p.accept("copy")
				c.At = p.expr()
				if sends {
					p.expect(":=")
					c.Val = p.expr()
				}
				m.Cells = append(m.Cells, c)
			})
		}
	}
	m.Capacity = p.capacity()
	m.Selected = p.accept("selected")
	return m
}

func (p *parser) capacity() int64 {
	if p.accept("capacity") {
		return p.number("a capacity")
	}
	return -1
}

func (p *parser) resultReg(word string) *Reg {
	if p.accept(word) {
		return p.reg()
	}
	return nil
}

func (p *parser) selects() Term {
	t := &Selection{}
	if p.tok().is("send") || p.tok().is("receive") {
		p.list(func() {
			c := Case{Send: p.accept("send")}
			if !c.Send {
				p.expect("receive")
			}
			c.Chan, c.Capacity, c.Late = p.expr(), p.capacity(), p.accept("late")
			p.expect("then")
			c.To = p.block()
			t.Cases = append(t.Cases, c)
		})
	}
	if p.accept("else") {
		t.Default = p.block()
	}
	return t
}

func (v *validator) message(m *Message, sends bool) {
	v.ptr(m.Chan)
	if len(m.Cells) > 0 {
		v.required(m.Slot)
		v.dstPtr(m.Slot)
	}
	for _, c := range m.Cells {
		v.ptr(c.At)
		if sends {
			v.cell(c.Val)
		} else {
			v.required(c.Dst)
		}
	}
}

// selects checks that the blocks of cases carry them out, and nothing else leads there.
func (v *validator) selects(t *Selection) {
	for _, c := range t.Cases {
		v.ptr(c.Chan)
		if c.To == nil {
			continue
		}
		if !carriesOut(c, c.To, map[*Block]bool{}) {
			v.errorf("the block %s does not carry its case out", blockText(c.To))
		}
		n := 0
		for _, b := range v.fnow.Blocks {
			for _, s := range b.Succs() {
				if s == c.To {
					n++
				}
			}
		}
		if n != 1 {
			v.errorf("other ways lead to the block %s, too", blockText(c.To))
		}
	}
}

// carriesOut reports whether all ways from a block of a Selection's case come to a message
// that carries it out before they come to another one.
func carriesOut(c Case, b *Block, seen map[*Block]bool) bool {
	if seen[b] {
		return true
	}
	seen[b] = true
	for _, in := range b.Instrs {
		if m := MessageOf(in); m != nil {
			_, sends := in.(*Send)
			return m.Selected && sends == c.Send
		}
	}
	next := b.Succs()
	for _, s := range next {
		if s == nil || !carriesOut(c, s, seen) {
			return false
		}
	}
	return len(next) > 0
}

// String returns the printed form, without the position.
func (i *Send) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Receive) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (i *Close) String() string { return InstrString(i) }

// String returns the printed form, without the position.
func (t *Selection) String() string { return TermString(t) }
