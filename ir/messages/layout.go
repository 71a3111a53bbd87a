package messages

import (
	"slices"

	"whoop/ir"
)

// The members of a queue where its state is followed: whether it is closed, its capacity,
// how many messages it holds, how many were sent and received, and the messages, the
// oldest first. A queue without capacity holds the message of one sender, who waits until
// it is received. Where the state is not followed, the last member is an array of slots,
// too. Queues whose messages are empty have none.
const (
	Closed = iota
	Timer  // 1: messages may come later than they could
	Cap
	Count
	Sent
	Taken
	Ends // the front end's: what sends read and a close writes
	Buffer
)

// The cells of a queue: flags, and the numbers of messages sent and received.
var Flag, Ticket = ir.Int{Bits: 8}, ir.Int{Bits: 16}

// Head are the members before the buffer, and HeadSize how many bytes they have.
func Head() []ir.Field {
	return []ir.Field{{Name: "__closed", Type: Flag}, {Name: "__timer", Type: ir.U32, Offset: 4},
		{Name: "__cap", Type: ir.I32, Offset: 8}, {Name: "__count", Type: ir.I32, Offset: 12},
		{Name: "__sent", Type: Ticket, Offset: 16}, {Name: "__taken", Type: Ticket, Offset: 18},
		{Name: "__ends", Type: Flag, Offset: 20}}
}

// HeadSize is how many bytes are before the buffer.
const HeadSize = 24

// laidOut reports whether the queues of a function are laid out so; with their heads where
// their state is followed, and where the blocks of cases have their messages. Where not,
// the function is not understood.
func laidOut(f *ir.Func, heads bool) bool {
	ok := true
	look := func(q ir.Expr, cells bool) {
		p, _ := q.Type().(ir.Ptr)
		s, isStruct := p.Elem.(*ir.Struct)
		if !isStruct || heads && (len(s.Fields) < Buffer || !sameHead(s)) || cells && !hasSlots(s) {
			ok = false
		}
	}
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			if m := ir.MessageOf(in); m != nil {
				look(m.Chan, len(m.Cells) > 0)
			} else if c, closes := in.(*ir.Close); closes {
				look(c.Chan, false)
			}
		}
		if t, selects := b.Term.(*ir.Selection); selects {
			for _, c := range t.Cases {
				look(c.Chan, false)
				if heads && !slices.ContainsFunc(c.To.Instrs, func(in ir.Instr) bool { return ir.MessageOf(in) != nil }) {
					ok = false
				}
			}
		}
	}
	if !ok {
		f.Unknown, f.Blocks, f.Regs = "its messages are not written as package messages wants them", nil, nil
	}
	return ok
}

func sameHead(s *ir.Struct) bool {
	for i, f := range Head() {
		if g := s.Fields[i]; !ir.Equal(f.Type, g.Type) || f.Offset != g.Offset {
			return false
		}
	}
	return true
}

// hasSlots reports whether the last member of a queue is an array.
func hasSlots(s *ir.Struct) bool {
	if len(s.Fields) == 0 {
		return false
	}
	a, ok := s.Fields[len(s.Fields)-1].Type.(ir.Array)
	return ok && a.Len > 0
}
