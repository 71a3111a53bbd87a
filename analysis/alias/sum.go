package alias

import (
	"slices"

	"whoop/ir"
)

// Sums (ir.Struct.Sum) are objects of which one member is used, that which their maker
// has written: the boxes in which values lie in interfaces. Where many boxes meet in a
// variable, those of other dynamic types have nothing at the member that is read, so its
// address in them is left out. That keeps what is read from an interface small: most
// reads are of one type among hundreds.

// sum says which members of an object, with the objects of past runs, are used.
type sum struct {
	used  map[int]bool
	waits map[int][]sumWait
	// places are those in members that are not used yet; code not seen does not know
	// them.
	places map[int][]placeKey
}

// sumWait is a node that gets the address of a member, in one of the objects, once the
// member is used.
type sumWait struct {
	dst  int32
	cell int32
}

// sums reports whether a cell is the start of a sum that the program has made.
func (s *solver) sums(c int32) bool {
	if c < numSpecial || s.cells[c].any || s.cells[c].off != 0 {
		return false
	}
	o := s.cells[c].obj
	st, ok := o.Type.(*ir.Struct)
	return ok && st.Sum && o.Alloc != nil && s.typed(o)
}

// used reports whether a member of a sum is used. If it is not, yet, the node of the
// member's address waits for that.
func (s *solver) used(l xformCon, c int32) bool {
	o := s.cells[c].obj.same()
	if o.sum == nil {
		o.sum = newSum()
	}
	m := o.sum
	if l.x.makes && !m.used[l.x.index] {
		m.used[l.x.index] = true
		ws := m.waits[l.x.index]
		delete(m.waits, l.x.index)
		for _, w := range ws {
			s.put(w.dst, s.cellAt(s.cells[w.cell].obj, l.x.s.Fields[l.x.index].Offset))
		}
		ps := m.places[l.x.index]
		delete(m.places, l.x.index)
		for _, p := range ps {
			s.know(p)
		}
	}
	if m.used[l.x.index] {
		return true
	}
	m.waits[l.x.index] = append(m.waits[l.x.index], sumWait{l.dst, c})
	return false
}

func newSum() *sum { return &sum{map[int]bool{}, map[int][]sumWait{}, map[int][]placeKey{}} }

// waitsForMember reports whether a place lies in a member of a sum that is not used, yet.
// It then becomes known with the member.
func (s *solver) waitsForMember(p placeKey) bool {
	c := s.cells[p.cell]
	st, ok := c.obj.Type.(*ir.Struct)
	if !ok || !st.Sum || p.s == st || c.any || !s.sums(s.cellAt(c.obj, 0)) {
		return false
	}
	i := slices.IndexFunc(st.Fields, func(f ir.Field) bool { return f.Offset <= c.off && c.off < f.Offset+f.Type.Size() })
	if i < 0 {
		return false
	}
	o := c.obj.same()
	if o.sum == nil {
		o.sum = newSum()
	}
	if o.sum.used[i] {
		return false
	}
	o.sum.places[i] = append(o.sum.places[i], p)
	return true
}
