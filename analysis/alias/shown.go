package alias

import "whoop/ir"

// # Addresses that code not seen moves
//
// A function that is not seen may store what it is given, and what it finds there, where
// something else leads that it is given, and return it: copies, searches and iterators do.
// The same holds for what is behind a pointer to const, where it stores nothing itself.
// From an address it also gets to the other members of what is there, and to what they
// lead to; it may give the address of each of them.
//
// So in a program with a main function, a pointer that such code has made leads to any
// place of its type in the objects that the code has addresses of (pointed), and to
// structs of its type (extern.go). A kernel hands on structs alone.
//
// Why that is enough: take the first step of an execution at which code not seen gives
// the program an address of an object of the program's. It got that, or an address of the
// same object: as an argument, or from the content of an object that it has an address
// of. All of these are in the nodes leak and shown, or, where the call cannot give
// anything to anybody (alone), in lend.

// shownCon sits at the node of what a call hands over behind a pointer to const.
type shownCon struct{ alone bool }

func (l shownCon) fire(s *solver, c int32) {
	if c < numSpecial || s.isGhost(c) {
		return
	}
	x := s.cells[c]
	switch {
	case x.obj.Kind == KindFunc || x.any || x.obj.raw || x.obj.Kind == KindExtern:
		s.put(s.leak, c)
	case l.alone && x.obj.Type != nil && !hasPointers(x.obj.Type):
		s.edge(s.loadAnyNode(x.obj), s.leak) // numbers may be addresses
	default:
		s.put(s.shown, c)
	}
}

// readCon sits at the node of all addresses of which code not seen only reads what is
// there.
type readCon struct{}

func (readCon) fire(s *solver, c int32) {
	if c >= numSpecial {
		s.hand(c, false)
	}
}

// pointed is the node of the places that a pointer to t may lead to which code not seen
// made of the addresses it has; 0 where none are, or these are known by their types.
func (s *solver) pointed(t ir.Type) int32 {
	_, isStruct := t.(*ir.Struct)
	_, fn := t.(ir.FuncType)
	if isStruct || fn || !s.hasMain() {
		return 0
	}
	k := typeKey(t)
	n, ok := s.points[k]
	if !ok {
		n = s.newNode()
		s.points[k] = n
		s.on(s.leak, pointedCon{n, bare(t)})
		s.on(s.shown, pointedCon{n, bare(t)})
	}
	return n
}

// pointedCon sits at the nodes of addresses that code not seen has.
type pointedCon struct {
	to int32
	t  ir.Type
}

func (l pointedCon) fire(s *solver, c int32) {
	s.put(l.to, c)
	if c < numSpecial || s.cells[c].obj.Kind == KindFunc {
		return
	}
	x := s.cells[c]
	ls := leaves(x.obj.Type, maxLeaves)
	if x.obj.raw || len(ls) == 0 {
		s.put(l.to, s.cellAny(x.obj))
		return
	}
	at := s.exposed(x)
	for _, p := range ls {
		if (at == everywhere || p.lo < at.hi && at.lo < p.hi) && l.fits(s.kinds, x.obj.Type, p.lo) {
			s.put(l.to, s.cellAt(x.obj, p.lo))
		}
	}
}

// fits reports whether a t may lie at an offset of a type.
func (l pointedCon) fits(k *kinds, in ir.Type, off int64) bool {
	if k.anywhere(l.t) {
		return true
	}
	ts := scalarsAt(in, off)
	for _, t := range ts {
		if k.anywhere(t) || alike(t, l.t) {
			return true
		}
	}
	_, isStruct := l.t.(*ir.Struct)
	return len(ts) == 0 || isStruct
}

// receivedCon sits at the node of addresses where a library function stores bytes that it
// got from somewhere (a file, a socket, a queue): these may be an address, which another
// thread has sent there.
type receivedCon struct{ size int64 }

func (l receivedCon) fire(s *solver, c int32) {
	if c < numSpecial || s.isGhost(c) || s.cells[c].obj.Kind == KindFunc {
		return
	}
	x := s.cells[c]
	p := everywhere
	if !x.any && l.size != 0 {
		p = footprint(x.obj, x.off, l.size)
	}
	s.receive(x.obj, p)
}

// receive notes that bytes from somewhere lie in a span of an object.
func (s *solver) receive(o *object, p span) {
	var more bool
	if o.received, more = addSpans(o.received, []span{p}); !more {
		return
	}
	if o.past != nil {
		s.receive(o.past, p)
	}
	for _, c := range o.content {
		if p.meets(s.cells[c].off, s.word) {
			s.put(s.cells[c].node, cellUnknown)
		}
	}
}
