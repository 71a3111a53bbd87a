package alias

import (
	"cmp"
	"slices"

	"whoop/ir"
)

// maxCopyPairs bounds how many pairs of a destination and a source one copy links cell by
// cell. Precision only.
const maxCopyPairs = 2048

// maxMixPairs bounds them where the size of the copy is not known, so that each pair
// links all places in one object with all in the other.
const maxMixPairs = 128

// most is how many pairs of a copy are linked cell by cell.
func (b *blockCopy) most(s *solver) int {
	n := cmp.Or(s.opt.copyPairs, maxCopyPairs)
	if b.size == 0 {
		return min(n, maxMixPairs)
	}
	return n
}

// copyBytes makes the contents of the cells of src flow to those of dst, size bytes from
// each on (0: unknown).
func (s *solver) copyBytes(dst, src int32, size int64) {
	if size > 0 && size < s.word && !s.prog.TypeSafe {
		return // not enough for a pointer; what is there afterwards is an integer
	}
	b := &blockCopy{dst: dst, src: src, size: size}
	s.on(dst, copyCon{b, false})
	s.on(src, copyCon{b, true})
}

// A blockCopy is what one copy has linked.
type blockCopy struct {
	dst, src int32
	size     int64
	pairs    int
	// through is the node that the contents pass where the pairs are too many; 0: they
	// are not.
	through int32
}

// copyCon sits at both ends of a copy.
type copyCon struct {
	*blockCopy
	isSrc bool // at the sources
}

func (l copyCon) fire(s *solver, c int32) {
	if l.through == 0 {
		other := l.src
		if l.isSrc {
			other = l.dst
		}
		var cs []int32
		s.pts(other).each(func(d int32) { cs = append(cs, d) })
		if l.pairs += len(cs); l.pairs <= l.most(s) {
			for _, d := range cs {
				s.tick()
				if l.isSrc {
					s.link(d, c, l.size)
				} else {
					s.link(c, d, l.size)
				}
			}
			return
		}
		s.bundle(l.blockCopy)
	}
	if l.isSrc {
		s.copyOut(l.blockCopy, c)
	} else {
		s.copyIn(l.blockCopy, c)
	}
}

// bundle goes over to one node that everything passes which is copied: all of what is at
// the sources to all of what is at the destinations, wherever in it, which takes as many
// edges as there are of both, and not as their product. Copies of unknown size between so
// many buffers mix all offsets anyway.
func (s *solver) bundle(b *blockCopy) {
	b.through = s.newNode()
	var dsts, srcs []int32
	s.pts(b.dst).each(func(c int32) { dsts = append(dsts, c) })
	s.pts(b.src).each(func(c int32) { srcs = append(srcs, c) })
	for _, c := range srcs {
		s.copyOut(b, c)
	}
	for _, c := range dsts {
		s.copyIn(b, c)
	}
}

// Copies between places of which the layouts do not agree, in C: all of what lies in the
// range at the source may be anywhere in the range at the destination, and nothing of it
// outside. There it is found in the contents of the cells, of which the first exists in
// any case.

// mixOut makes the content of a source cell flow to the destination of a copy, where
// ranges are known.
func (s *solver) mixOut(c int32, l copyLink) bool {
	from, d := s.cells[c], s.cells[l.other]
	in, ok := s.extent(from.obj, l.off, l.size)
	to, ok2 := s.extent(d.obj, d.off, l.size)
	if !ok || !ok2 {
		return false
	}
	if !in.meets(from.off, s.word) {
		return true
	}
	s.content(s.cellAt(d.obj, d.off))
	s.unfold(from.obj)
	for _, x := range slices.Clone(d.obj.content) {
		if to.meets(s.cells[x].off, s.word) {
			s.edge(from.node, s.cells[x].node)
		}
	}
	return true
}

// mixIn makes what lies at the source of a copy flow to the content of a destination
// cell, likewise.
func (s *solver) mixIn(c int32, l copyLink) bool {
	to, x := s.cells[c], s.cells[l.other]
	in, ok := s.extent(to.obj, l.off, l.size)
	from, ok2 := s.extent(x.obj, x.off, l.size)
	if !ok || !ok2 {
		return false
	}
	if !in.meets(to.off, s.word) {
		return true
	}
	s.unfold(x.obj)
	for _, y := range slices.Clone(x.obj.content) {
		if from.meets(s.cells[y].off, s.word) {
			s.edge(s.cells[y].node, to.node)
		}
	}
	return true
}

// unfold makes the contents of all places in an object that may hold addresses, once:
// what is stored at an unknown offset is found in them.
func (s *solver) unfold(o *object) {
	if o.unfolded {
		return
	}
	o.unfolded = true
	s.materialise(o)
	for _, off := range storages(o.Type, 0, nil) {
		s.content(s.cellAt(o, off))
	}
}

// meets reports whether n bytes at an offset have some in common with a span.
func (p span) meets(off, n int64) bool { return p == everywhere || off < p.hi && p.lo < off+n }

// extent is the range of a copy of size bytes at an offset of a typed object: a copy of
// unknown size stays in an array of numbers.
func (s *solver) extent(o *object, off, size int64) (span, bool) {
	if s.prog.TypeSafe || o.raw || o.Type == nil || !s.typed(o) && o.Kind != KindExtern {
		return span{}, false
	}
	off, lv := o.canon(off)
	if n := len(lv); n > 0 && size >= unknownSize {
		l := lv[n-1]
		if ts := scalarsAt(o.Type, l.start); len(ts) == 1 && ir.IsInt(ts[0]) && ts[0].Size() == l.stride {
			return span{lo: l.start, hi: l.start + l.stride}, true
		}
	}
	if size >= unknownSize {
		return everywhere, true
	}
	return footprint(o, off, size), true
}

// copyOut adds the contents of a source to what is copied.
func (s *solver) copyOut(b *blockCopy, c int32) {
	switch {
	case c < numSpecial:
		if anything(c) {
			s.put(b.through, cellUnknown)
		}
	case s.cells[c].obj.Kind == KindFunc || !s.valid(c, max(b.size, 1)):
	default:
		s.edge(s.content(s.cellAny(s.cells[c].obj)), b.through)
	}
}

// copyIn makes what is copied flow to a destination.
func (s *solver) copyIn(b *blockCopy, c int32) {
	switch {
	case c < numSpecial:
		if anything(c) {
			s.edge(b.through, s.leak)
		}
	case s.cells[c].obj.Kind == KindFunc || !s.valid(c, max(b.size, 1)):
	default:
		s.edge(b.through, s.storeNode(s.cellAny(s.cells[c].obj)))
		if s.worlds != nil {
			s.put(s.storeNode(s.cellAny(s.cells[c].obj)), cellTrue)
		}
	}
}
