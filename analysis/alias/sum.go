package alias

import (
	"maps"
	"math/bits"
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
	used map[int]bool
	// places are those in members that are not used yet; code not seen does not know
	// them.
	places map[int][]placeKey
	// copies are objects of code not seen to which it may copy what is in used members.
	copies []sumCopy
}

// sumCopy is a copy of a sum, or of one of past runs.
type sumCopy struct{ from, to *object }

// sumCells says of cells whether they are starts of sums, and of those which members are
// used, by their numbers.
type sumCells struct {
	seen, is cellBits
	members  map[int]*sumMember
}

// sumMember is what is known of one member: the sums of which it is used, those that a
// node waits for, and these nodes.
type sumMember struct {
	used, awaited cellBits
	readers       []sumReader
	reads         map[sumReader]bool // the same
}

// sumReader is a node that gets the address of a member of the sums in another one, base,
// once it is used.
type sumReader struct{ base, dst int32 }

// cellBits has a bit for each cell.
type cellBits []uint64

func (b cellBits) word(i int32) uint64 {
	if int(i) < len(b) {
		return b[i]
	}
	return 0
}

func (b *cellBits) add(i int32, w uint64) {
	if n := int(i) + 1; n > len(*b) {
		*b = append(*b, make(cellBits, n+n/4+16-len(*b))...)
	}
	(*b)[i] |= w
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

// ofMember returns the cells of a set of which the address of a member is taken: those
// that are no starts of sums, and those of sums of which it is used. For the others the
// node of the member's address waits, and adds null to out.
func (l xformCon) ofMember(s *solver, cs, out *set) *set {
	m := s.sumCells.members[l.x.index]
	if m == nil {
		m = &sumMember{reads: map[sumReader]bool{}}
		if s.sumCells.members == nil {
			s.sumCells.members = map[int]*sumMember{}
		}
		s.sumCells.members[l.x.index] = m
	}
	if l.x.makes {
		cs.each(func(c int32) {
			if s.sums(c) {
				s.useMember(s.cells[c].obj.same(), l, m)
			}
		})
	}
	var taken set
	waits := false
	for _, b := range cs.blk {
		for w := b.bits &^ s.sumCells.seen.word(b.idx); w != 0; w &= w - 1 {
			s.classify(b.idx<<6 | int32(bits.TrailingZeros64(w)))
		}
		later := b.bits & s.sumCells.is.word(b.idx) &^ m.used.word(b.idx)
		if later != 0 && s.loops[l.dst] {
			for w := later; w != 0; w &= w - 1 {
				if s.leavesAll(b.idx<<6|int32(bits.TrailingZeros64(w)), l.x) {
					later &^= w & -w
				}
			}
		}
		if later != 0 {
			waits = true
			m.awaited.add(b.idx, later)
		}
		if w := b.bits &^ later; w != 0 {
			taken.blk = append(taken.blk, block{b.idx, w})
		}
	}
	if !waits {
		return cs
	}
	out.add(cellNull)
	if r := (sumReader{l.base, l.dst}); !m.reads[r] {
		m.reads[r] = true
		m.readers = append(m.readers, r)
	}
	return &taken
}

// classify notes whether a cell is the start of a sum, and which of its members are used.
func (s *solver) classify(c int32) {
	at, bit := c>>6, uint64(1)<<(c&63)
	s.sumCells.seen.add(at, bit)
	if !s.sums(c) {
		return
	}
	s.sumCells.is.add(at, bit)
	if m := s.cells[c].obj.same().sum; m != nil {
		for i := range m.used {
			if s.sumCells.members[i] != nil {
				s.sumCells.members[i].used.add(at, bit)
			}
		}
	}
}

// useMember notes that a member of a sum is used, and hands its address to the nodes that
// wait for it.
func (s *solver) useMember(o *object, l xformCon, m *sumMember) {
	if o.sum == nil {
		o.sum = newSum()
	}
	if o.sum.used[l.x.index] {
		return
	}
	o.sum.used[l.x.index] = true
	for _, k := range o.sum.copies {
		s.copyMember(k, l.x.index)
	}
	for _, x := range []*object{o, o.past} {
		if x == nil {
			continue
		}
		c, ok := x.cells[0]
		if !ok {
			continue // classify sees it
		}
		m.used.add(c>>6, 1<<(c&63))
		if m.awaited.word(c>>6)&(1<<(c&63)) == 0 {
			continue
		}
		for _, r := range m.readers {
			if s.pts(r.base).has(c) {
				s.put(r.dst, s.cellAt(x, l.x.s.Fields[l.x.index].Offset))
			}
		}
	}
	ps := o.sum.places[l.x.index]
	delete(o.sum.places, l.x.index)
	for _, p := range ps {
		s.know(p)
	}
}

// copySum copies the members of a sum that are used, or will be, to another object.
func (s *solver) copySum(from, to *object) {
	o := from.same()
	if o.sum == nil {
		o.sum = newSum()
	}
	k := sumCopy{from, to}
	if slices.Contains(o.sum.copies, k) {
		return
	}
	o.sum.copies = append(o.sum.copies, k)
	for _, i := range slices.Sorted(maps.Keys(o.sum.used)) {
		s.copyMember(k, i)
	}
}

func (s *solver) copyMember(k sumCopy, i int) {
	f := &k.from.Type.(*ir.Struct).Fields[i]
	copiedCon{to: k.to}.copy(s, s.cellAt(k.from, 0), f.Offset, f.Type)
}

func newSum() *sum { return &sum{used: map[int]bool{}, places: map[int][]placeKey{}} }

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
