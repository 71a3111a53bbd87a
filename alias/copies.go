package alias

import "cmp"

// maxCopyPairs bounds how many pairs of a destination and a source one copy links cell by cell. Precision only.
const maxCopyPairs = 2048

// copyBytes makes the contents of the cells of src flow to those of dst, size bytes from each on (0: unknown).
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
	// through is the node that the contents pass where the pairs are too many; 0: they are not.
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
		if l.pairs += len(cs); l.pairs <= cmp.Or(s.opt.copyPairs, maxCopyPairs) {
			for _, d := range cs {
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

// bundle goes over to one node that everything passes which is copied: all of what is at the sources to all of what is at the destinations, wherever in it, which
// takes as many edges as there are of both, and not as their product. Copies of unknown size between so many buffers mix all offsets anyway.
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
			s.put(s.storeNode(s.cellAny(s.cells[c].obj)), cellInt)
		}
	}
}
