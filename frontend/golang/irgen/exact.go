package irgen

import (
	"go/types"

	"whoop/ir"
)

// A channel in memory, exactly: whether it is closed, its capacity, how many elements it
// holds, how many were sent and received, and the elements, the oldest first. A channel
// without capacity holds the element of one sender, who waits until it is received.
const (
	ChanClosed = iota
	ChanTimer  // 1: of a timer
	ChanCap
	ChanCount
	ChanSent
	ChanTaken
	ChanEnds // what sends read and a close writes: see misuse.go
	ChanBuffer
)

// The cells of a channel: flags, and the numbers of elements sent and received.
var ChanCell, Ticket = ir.Int{Bits: 8}, ir.Int{Bits: 16}

// exactChan is the object that a channel points to.
func (l *Layouts) exactChan(name, id string, u *types.Chan) *ir.Struct {
	s := l.SharedStruct(id, name, 24, ir.Field{Name: "__closed", Type: ChanCell}, ir.Field{Name: "__timer", Type: ir.U32, Offset: 4},
		ir.Field{Name: "__cap", Type: ir.I32, Offset: 8}, ir.Field{Name: "__count", Type: ir.I32, Offset: 12},
		ir.Field{Name: "__sent", Type: Ticket, Offset: 16}, ir.Field{Name: "__taken", Type: Ticket, Offset: 18},
		ir.Field{Name: "__ends", Type: ChanCell, Offset: 20})
	if el := l.Of(u.Elem()); el.Size > 0 {
		n := l.Slots(u)
		s.Fields = append(s.Fields, ir.Field{Name: "__buffer", Type: ir.Array{Elem: el.Mem, Len: n}, Offset: 24})
		s.Bytes = 24 + n*RoundUp(el.Size, max(el.Align, 1))
	}
	return s
}

// MapSlots bounds how many elements a map has; executions in which there would be more
// are cut.
const MapSlots = 8

// exactElement is an element of a map.
func (l *Layouts) exactElement(e *ir.Struct) {
	e.Fields = append(e.Fields, ir.Field{Name: "used", Type: ir.U8, Offset: e.Bytes})
	e.Bytes += 8
}

// exactBorn adds how many elements were ever made to a map.
func exactBorn(s *ir.Struct) {
	s.Fields = append(s.Fields, ir.Field{Name: "born", Type: ir.U8, Offset: s.Bytes})
	s.Bytes += 8
}
