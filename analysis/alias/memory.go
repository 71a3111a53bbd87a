package alias

import "whoop/ir"

// content returns the node with what a cell holds, for reading and (unless the cell is
// "any") writing.
func (s *solver) content(c int32) int32 {
	if c < numSpecial {
		return s.constant(c)
	}
	x := s.cells[c]
	if x.any {
		if o := x.obj; !o.whole {
			o.whole = true
			if len(o.exposed) > 0 || len(o.lent) > 0 || len(o.pull) > 0 {
				s.materialise(o)
			}
		}
		return s.loadAnyNode(x.obj)
	}
	if x.node != 0 {
		return x.node
	}
	if x.ghost || s.plain(c) || s.crooked(x) {
		return 0
	}
	n := s.newNode()
	s.cells[c].node = n
	o := x.obj
	o.content = append(o.content, c)
	s.put(n, cellNull)
	if s.flagAtBirth(x) {
		s.put(n, cellTrue)
	}
	s.spill(o, c)
	s.edge(n, o.loadAny)
	for _, p := range o.pieces {
		if s.breaks(p, c) {
			s.put(n, s.number())
		}
	}
	for _, p := range o.received {
		if p.meets(x.off, s.word) {
			s.put(n, cellUnknown)
		}
	}
	s.linkPast(c)
	s.expose(c)
	for _, l := range append([]copyLink(nil), o.push...) {
		s.copyFrom(c, l)
	}
	for _, l := range append([]copyLink(nil), o.pull...) {
		s.copyTo(c, l)
	}
	return n
}

// loadAnyNode is the node with the contents of all cells of o.
func (s *solver) loadAnyNode(o *object) int32 {
	if o.loadAny == 0 {
		o.loadAny = s.newNode()
		s.put(o.loadAny, cellNull)
		for _, c := range o.content {
			s.edge(s.cells[c].node, o.loadAny)
		}
		s.edge(o.storeAny, o.loadAny)
	}
	return o.loadAny
}

// materialise makes contents for all pointers the type of o declares, so that "any" sees
// what is written from outside.
func (s *solver) materialise(o *object) {
	if o.raw || o.Type == nil {
		return
	}
	for _, l := range leaves(o.Type, 4096) {
		for _, t := range scalarsAt(o.Type, l.lo) {
			if s.keeps(t) {
				s.content(s.cellAt(o, l.lo))
			}
		}
	}
}

// storeNode is the node to add to when something is stored in a cell.
func (s *solver) storeNode(c int32) int32 {
	if c < numSpecial {
		if anything(c) {
			return s.leak // it may be found again anywhere
		}
		return 0
	}
	x := s.cells[c]
	if x.obj.readOnly && (s.byEffective || s.prog.TypeSafe) {
		return 0
	}
	if !x.any {
		return s.content(c)
	}
	o := x.obj
	if o.storeAny == 0 {
		o.storeAny = s.newNode()
		for _, c := range o.content {
			s.spill(o, c)
		}
		s.edge(o.storeAny, o.loadAny)
		if o.past != nil {
			s.linkAny(o)
		}
	}
	return o.storeAny
}

// addPiece notes that something other than a whole pointer was stored at [lo, hi) of o.
func (s *solver) addPiece(o *object, p span) {
	for _, q := range o.pieces {
		if q.lo <= p.lo && p.hi <= q.hi {
			return
		}
	}
	o.pieces = append(o.pieces, p)
	if o.past != nil {
		s.addPiece(o.past, p)
	}
	for _, c := range o.content {
		if s.breaks(p, c) {
			s.put(s.cells[c].node, s.number())
		}
	}
}

// number is what a pointer may be where something else was stored. In type-safe programs
// a pointer is read where one was stored: places that are one cell here are several.
func (s *solver) number() int32 {
	if s.prog.TypeSafe {
		return cellTrue
	}
	return cellInt
}

// breaks tells whether what is stored in a span, not as a whole pointer, may make an
// integer of the pointer in a cell. In type-safe programs what is declared to be a
// pointer is written as one, whoever writes it.
func (s *solver) breaks(p span, c int32) bool {
	x := s.cells[c]
	if s.isFlagCell(x) { // what is stored there as a byte flows there by itself
		return p.lo <= x.off && x.off < p.hi && (p.folded || p.hi-p.lo > 1)
	}
	return p.lo < x.off+s.word && x.off < p.hi && !(s.prog.TypeSafe && declaresPtr(x.obj, x))
}

// everywhere is a span that covers all offsets.
var everywhere = span{lo: -1 << 62, hi: 1 << 62}

// carries tells whether values of type t may hold a pointer.
func carries(t ir.Type) bool {
	switch x := t.(type) {
	case ir.Ptr:
		return true
	case ir.Int:
		return x.Bits >= 64
	}
	return false
}

// holdsAddress is carries, where in 32-bit programs an integer of 32 bits may be an
// address, too.
func (s *solver) holdsAddress(t ir.Type) bool {
	x, ok := t.(ir.Int)
	return carries(t) || ok && s.narrowInts && x.Bits >= 32 || s.isFlag(t)
}

// wordsOf is how many bytes a pointer has in memory, and whether integers of as many
// bytes may become pointers again.
func wordsOf(p *ir.Program) (word int64, narrowInts bool) {
	if !p.NarrowPointers {
		return 8, false
	}
	made := func(e ir.Expr) bool {
		c, ok := e.(ir.Cast)
		if !ok || !ir.IsPtr(c.T) || !ir.IsInt(c.X.Type()) {
			return true
		}
		if _, known := constOf(c.X); !known {
			narrowInts = true
		}
		return true
	}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, e := range ir.Operands(in) {
					ir.WalkExpr(e, made)
				}
			}
			for _, e := range ir.TermOperands(b.Term) {
				ir.WalkExpr(e, made)
			}
		}
	}
	return 4, narrowInts
}

// carries is the same for the program: in type-safe ones pointers are kept in unsigned
// integers only (uintptr).
func (s *solver) carries(t ir.Type) bool {
	if x, isInt := t.(ir.Int); isInt && x.Signed && s.prog.TypeSafe {
		return false
	}
	return s.holdsAddress(t)
}

// keeps tells whether memory, parameters and results of type t may hold a pointer. In
// type-safe programs integers do so only while an address is computed: package unsafe
// wants the conversion to an integer and back in one expression.
func (s *solver) keeps(t ir.Type) bool {
	return s.holdsAddress(t) && (ir.IsPtr(t) || !s.prog.TypeSafe || s.isFlag(t))
}

// viaKey names the node for what is read ("" or the pointer's type) or written through an
// address node.
type viaKey struct {
	addr  int32
	write bool
	elem  string
}

// loadFrom makes everything in the cells of addr flow to dst.
func (s *solver) loadFrom(addr, dst int32, typ ir.Type) {
	if dst != 0 {
		s.edge(s.loaded(addr, typ), dst)
	}
}

// loaded is the node of everything in the cells of addr. All loads of a type through one
// address share it.
func (s *solver) loaded(addr int32, typ ir.Type) int32 {
	if addr = s.find(addr); addr == 0 {
		return 0
	}
	p, isPtr := typ.(ir.Ptr)
	k := viaKey{addr: addr}
	if isPtr {
		k.elem = typeKey(p.Elem)
	} else if s.isFlag(typ) {
		k.elem = "flag"
	}
	n, ok := s.via[k]
	if !ok {
		n = s.newNode()
		s.via[k] = n
		l := loadCon{dst: n, typ: typ, key: k.elem}
		if isPtr {
			l.filtered = s.filterFor(p.Elem) != nil
		}
		s.on(addr, l)
	}
	return n
}

// storeTo makes everything in val flow into the cells of addr. All stores through one
// address but the first share a node: most addresses have one.
func (s *solver) storeTo(addr, val int32, typ ir.Type) {
	if addr = s.find(addr); addr == 0 || val == 0 {
		return
	}
	k := viaKey{addr: addr, write: true}
	if !s.prog.TypeSafe && ir.IsPtr(typ) {
		k.elem = "pointer"
	}
	n, ok := s.via[k]
	switch {
	case !ok:
		s.via[k] = 0
		s.on(addr, storeCon{val, typ})
		return
	case n == 0:
		n = s.newNode()
		s.via[k] = n
		s.on(addr, storeCon{n, typ})
	}
	s.edge(val, n)
}

// loadCon: everything in the cells of its node flows to dst. typ is the type of the
// loaded value.
type loadCon struct {
	dst int32
	typ ir.Type
	// key is the typeKey of what a loaded pointer leads to; filtered: pointers to that
	// are (see typed.go).
	key      string
	filtered bool
}

func (l loadCon) fire(s *solver, c int32) {
	if s.isFlag(l.typ) {
		s.loadFlag(c, l.dst)
		return
	}
	if !s.valid(c, s.word) || s.otherKind(c, l.typ) {
		return
	}
	p, ok := l.typ.(ir.Ptr)
	if !ok || c < numSpecial {
		s.edge(s.content(c), l.dst)
		if ok && c == cellUnknown && s.prog.TypeSafe {
			s.edge(s.externNode(p.Elem), l.dst) // what such code finds there
		}
		return
	}
	s.edge(s.loadedFrom(c, p.Elem, l.key, l.filtered), l.dst)
	if s.prog.TypeSafe && s.declaredAt(c).elem != nil {
		return
	}
	k := typedLoad{c, l.key}
	if s.typedLoads[k] {
		return
	}
	s.typedLoads[k] = true
	o := s.cells[c].obj
	if o.Kind == KindFunc || declaresPtr(o, s.cells[c]) {
		return
	}
	t := loadedAs{c, p.Elem}
	o.typed = append(o.typed, t)
	s.outsideTyped(o, t)
}

// declaresPtr tells whether the object's type has a pointer at the cell.
func declaresPtr(o *object, c cell) bool {
	if c.any || o.raw || o.Type == nil {
		return false
	}
	for _, t := range scalarsAt(o.Type, c.off) {
		if ir.IsPtr(t) {
			return true
		}
	}
	return false
}

// storeCon: what is in val flows into the cells of its node.
type storeCon struct {
	val int32
	typ ir.Type
}

func (l storeCon) fire(s *solver, c int32) {
	if s.otherKind(c, l.typ) {
		return
	}
	if n := s.word; s.valid(c, n) || s.worlds != nil && s.valid(c, 1) {
		s.edge(l.val, s.storeNode(c))
	}
}

// valid tells whether n bytes can be accessed at a cell; what cannot is left out here and
// reported with the regions.
func (s *solver) valid(c int32, n int64) bool {
	return c < numSpecial || s.cells[c].any ||
		!s.cells[c].ghost && inBounds(s.cells[c].obj, s.cells[c].off, n)
}

// pieceCon: size bytes that are not a whole pointer are stored in the cells of its node;
// size 0 means unknown.
type pieceCon struct{ size int64 }

func (l pieceCon) fire(s *solver, c int32) {
	if c < numSpecial {
		return
	}
	x := s.cells[c]
	if x.obj.Kind == KindFunc || x.ghost {
		return
	}
	if x.any || l.size == 0 {
		s.addPiece(x.obj, everywhere)
		return
	}
	s.addPiece(x.obj, footprint(x.obj, x.off, l.size))
}

type copyPair struct {
	dst, src int32
	size     int64
}

// A copyLink says: size bytes at offset off of this object are copied to (push) or from
// (pull) the cell other.
type copyLink struct {
	off, size int64
	other     int32
}

// unknownSize stands for the size of a copy that is not known.
const unknownSize = 1 << 40

// link makes the contents of src flow to dst, cell by cell.
func (s *solver) link(dst, src int32, size int64) {
	k := copyPair{dst, src, size}
	if s.linked[k] {
		return
	}
	s.linked[k] = true
	if n := max(size, 1); !s.valid(dst, n) || !s.valid(src, n) {
		return
	}
	switch {
	case src < numSpecial:
		if anything(src) {
			s.put(s.storeNode(s.widen(dst)), cellUnknown)
		}
		return
	case dst < numSpecial:
		if anything(dst) {
			s.edge(s.loadAnyNode(s.cells[src].obj), s.leak)
		}
		return
	}
	d, x := s.cells[dst], s.cells[src]
	if d.obj.Kind == KindFunc || x.obj.Kind == KindFunc {
		return
	}
	if d.any || x.any {
		s.smash(dst, src)
		return
	}
	if size == 0 {
		size = unknownSize
	}
	push, pull := copyLink{x.off, size, dst}, copyLink{d.off, size, src}
	x.obj.push = append(x.obj.push, push)
	d.obj.pull = append(d.obj.pull, pull)
	for _, c := range append([]int32(nil), x.obj.content...) {
		s.copyFrom(c, push)
	}
	for _, c := range append([]int32(nil), d.obj.content...) {
		s.copyTo(c, pull)
	}
	if d.obj.whole {
		s.materialise(d.obj)
	}
}

func (s *solver) widen(c int32) int32 {
	if c < numSpecial {
		return c
	}
	return s.cellAny(s.cells[c].obj)
}

// smash makes everything in the object of src flow to every cell of the object of dst.
func (s *solver) smash(dst, src int32) {
	s.edge(s.loadAnyNode(s.cells[src].obj), s.storeNode(s.widen(dst)))
	if s.worlds != nil {
		s.put(s.storeNode(s.widen(dst)), cellTrue)
	}
}

// copyFrom propagates the content of c, which may lie in the source range of l.
func (s *solver) copyFrom(c int32, l copyLink) {
	o, d := s.cells[c].obj, s.cells[l.other]
	rels, ok := s.distances(o, s.cells[c].off, l.off, l.size, d.obj, d.off)
	if !ok {
		if !s.mixOut(c, l) {
			s.smash(l.other, c)
		}
		return
	}
	for _, r := range rels {
		s.edge(s.cells[c].node, s.storeNode(s.cellAt(d.obj, d.off+r)))
	}
}

// copyTo fetches what c, which may lie in the destination range of l, receives.
func (s *solver) copyTo(c int32, l copyLink) {
	o, x := s.cells[c].obj, s.cells[l.other]
	rels, ok := s.distances(o, s.cells[c].off, l.off, l.size, x.obj, x.off)
	if !ok {
		if !s.mixIn(c, l) {
			s.smash(c, l.other)
		}
		return
	}
	for _, r := range rels {
		s.edge(s.content(s.cellAt(x.obj, x.off+r)), s.cells[c].node)
	}
}

// distances returns how far cell off of o may lie behind the start of a copied range at
// base of o; the other end of the copy is at otherOff of other. ok is false when the
// layouts do not allow an answer.
func (s *solver) distances(o *object, off, base, size int64, other *object, otherOff int64) ([]int64, bool) {
	d := off - base
	_, lc := o.canon(off)
	_, lb := o.canon(base)
	_, lo := other.canon(otherOff)
	if len(lc) == 0 || s.sameLayout(o, base, other, otherOff, size) {
		if d < 0 || d >= size {
			return nil, true
		}
		return []int64{d}, true
	}
	if n := len(lc); n == len(lb) && lc[n-1] == lb[n-1] {
		st := lc[n-1].stride
		if m := len(lo); m > 0 && lo[m-1].stride == st {
			return []int64{floorMod(d, st)}, true
		}
		return nil, false
	}
	if len(lc) == len(lb)+1 && d >= 0 {
		l := lc[len(lc)-1]
		var out []int64
		for k := int64(0); (l.len == 0 || k < l.len) && d+k*l.stride < size; k++ {
			if k > maxSpread {
				return nil, false
			}
			out = append(out, d+k*l.stride)
		}
		return out, true
	}
	return nil, false
}

// sameLayout tells whether values of one struct type of at least size bytes lie at both
// places.
func (s *solver) sameLayout(a *object, aoff int64, b *object, boff, size int64) bool {
	if a.raw || b.raw || a.Type == nil || b.Type == nil {
		return false
	}
	x, okX := a.Type.(*ir.Struct)
	y, okY := b.Type.(*ir.Struct)
	if !okX || !okY {
		return sameLayout(a, aoff, b, boff, size)
	}
	k := layoutKey{x, y, aoff, boff, size}
	same, known := s.layouts[k]
	if !known {
		same = sameLayout(a, aoff, b, boff, size)
		s.layouts[k] = same
	}
	return same
}

// layoutKey names places in two struct types, and a number of bytes.
type layoutKey struct {
	a, b             *ir.Struct
	aoff, boff, size int64
}

func sameLayout(a *object, aoff int64, b *object, boff, size int64) bool {
	for _, p := range places(a.Type, 0, nil, 256) {
		if p.off == aoff && p.s.Bytes >= size && holds(b.Type, boff, p.s) {
			return true
		}
	}
	return false
}
