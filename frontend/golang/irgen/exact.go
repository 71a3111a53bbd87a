package irgen

import (
	"go/types"

	"whoop/ir"
	"whoop/ir/messages"
)

// exactChan is the object that a channel points to, exactly: see package messages.
func (l *Layouts) exactChan(name, id string, u *types.Chan) *ir.Struct {
	s := l.SharedStruct(id, name, messages.HeadSize, messages.Head()...)
	if el := l.Of(u.Elem()); el.Size > 0 {
		n := l.Slots(u)
		s.Fields = append(s.Fields, ir.Field{Name: "__buffer", Type: ir.Array{Elem: el.Mem, Len: n}, Offset: messages.HeadSize})
		s.Bytes = messages.HeadSize + n*RoundUp(el.Size, max(el.Align, 1))
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
