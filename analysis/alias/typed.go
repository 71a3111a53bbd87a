package alias

import (
	"math/bits"
	"slices"
	"strings"

	"whoop/ir"
)

// # Sets by type
//
// In a type-safe program a pointer that is declared to point to a T points to a place
// where a T lies. So where addresses become pointers to T, the sets keep the cells at
// which their objects have a T, and no others: at casts (what an interface holds is taken
// out of its box by one), at loads from memory that is not declared to hold a pointer to
// T, at addresses of members, and where something is stored anywhere in an object. Memory
// that is declared to hold numbers holds no addresses. What a T is, is told by the type
// itself (structs are compared by identity), not by its name or size. No pointer leads to
// a member of what is whole (ir.Struct), as the type of what is in an interface.
//
// Why that is right: think of the first step of an execution at which a pointer to T
// leads to a place where no T lies. Registers, parameters and memory pass pointers on as
// what they are declared to be, so the step is a cast. There are three kinds.
//
//   - From a pointer to an S, both known types: a conversion that the language allows
//     between types of one structure (type A B). S and T then count as one type (kinds),
//     and so do those that they have at the same members. A cast to the first member, or
//     back from it to what it is the first member of, needs no more than that the one
//     lies in the other.
//   - From an untyped pointer (the data of an interface, a function's variables, what a
//     library was given): whoever lowered the program knows the type of what is there, by
//     a test of the dynamic type or since nothing else is ever put there.
//   - From unsafe.Pointer (ir.Cast.Pun): nothing is known. An object that gets there and
//     has no T at the place is punned from then on: sets are not filtered for it, and
//     what is loaded from it may be of other types than declared, too, so that these
//     objects are punned in turn.
//
// What code not seen makes up by reflection is of the types that it says; what it makes
// of an address by other means, an assumption covers (unsafe, reflect, C). A library's
// object of which the program does not know the inside stands for all that it was given
// (see callCon.argIs): pointers to such types, and to type parameters, are not filtered,
// and pointers to bytes may lead into them. But they lie only where they are declared: a
// place for a pointer to such an object is none for other pointers.
//
// An unknown index stays in the array that the pointer leads into. What lies in no array
// has no other index than 0 in a type-safe program, so the pointer stays where it is,
// unless the object is punned.

// kinds are types that pointers are converted between.
type kinds struct {
	parent map[*ir.Struct]*ir.Struct
	// loose are types, by typeKey, that pointers to types of another form are taken for.
	loose map[string]bool
	seen  map[[2]*ir.Struct]bool
	// safe: the program is type-safe.
	safe bool
	// crossed are pairs of types, by typeKey: where a pointer to the first lies, one to
	// the second may be found.
	crossed map[[2]string]bool
	// puns, in C, are pairs of forms: a pointer to the first may lead to the second.
	puns map[[2]form]bool
}

func kindsOf(p *ir.Program) *kinds {
	k := &kinds{parent: map[*ir.Struct]*ir.Struct{}, loose: map[string]bool{}, seen: map[[2]*ir.Struct]bool{}, safe: p.TypeSafe, crossed: map[[2]string]bool{}, puns: map[[2]form]bool{}}
	cast := func(e ir.Expr) bool {
		if c, ok := e.(ir.Cast); ok && !c.Pun {
			x := c.X
			for {
				inner, ok := x.(ir.Cast)
				if !ok || inner.Pun {
					break
				}
				x = inner.X
			}
			k.join(x.Type(), c.T)
		}
		if f, ok := e.(ir.FieldAddr); ok && k.safe { // a cast that is not written
			k.join(f.Base.Type(), ir.Ptr{Elem: f.S})
		}
		return true
	}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, e := range ir.Operands(in) {
					ir.WalkExpr(e, cast)
				}
			}
			for _, e := range ir.TermOperands(b.Term) {
				ir.WalkExpr(e, cast)
			}
		}
	}
	for _, g := range p.Globals {
		for _, c := range g.Init {
			if c.Value != nil {
				ir.WalkExpr(c.Value, cast)
			}
		}
	}
	return k
}

// join makes what two pointers lead to of one kind; for other types it does nothing.
func (k *kinds) join(a, b ir.Type) {
	p, ok := a.(ir.Ptr)
	q, ok2 := b.(ir.Ptr)
	if !ok || !ok2 || ir.Equal(a, b) {
		return
	}
	k.same(bare(p.Elem), bare(q.Elem))
}

// same makes two types of one kind, with the types of their members.
func (k *kinds) same(x, y ir.Type) {
	if k.anywhere(x) || k.anywhere(y) || ir.Equal(x, y) {
		return
	}
	if !k.safe {
		k.notePun(x, y)
		return
	}
	a, okA := x.(*ir.Struct)
	b, okB := y.(*ir.Struct)
	_, ptrA := x.(ir.Ptr)
	_, ptrB := y.(ir.Ptr)
	switch {
	case okA && okB:
		k.structs(a, b)
	case ptrA && ptrB:
		k.cross(x.(ir.Ptr), y.(ir.Ptr))
		k.join(x, y)
	case okA && holds(a, 0, y) || okB && holds(b, 0, x):
	case !alike(x, y):
		k.loose[typeKey(x)], k.loose[typeKey(y)] = true, true
	}
}

func (k *kinds) structs(a, b *ir.Struct) {
	if k.seen[[2]*ir.Struct{a, b}] || holds(a, 0, b) || holds(b, 0, a) {
		return
	}
	k.seen[[2]*ir.Struct{a, b}] = true
	if x, y := k.find(a), k.find(b); x != y {
		k.parent[x] = y
	}
	for i := range min(len(a.Fields), len(b.Fields)) {
		k.same(bare(a.Fields[i].Type), bare(b.Fields[i].Type))
	}
}

func (k *kinds) find(s *ir.Struct) *ir.Struct {
	for k.parent[s] != nil {
		s = k.parent[s]
	}
	return s
}

// bare is the type of the elements of an array, and of others the type itself.
func bare(t ir.Type) ir.Type {
	for {
		a, ok := t.(ir.Array)
		if !ok {
			return t
		}
		t = a.Elem
	}
}

// cross notes that places where pointers of two types lie are converted into each other.
func (k *kinds) cross(p, q ir.Ptr) {
	a, b := typeKey(bare(p.Elem)), typeKey(bare(q.Elem))
	k.crossed[[2]string{a, b}], k.crossed[[2]string{b, a}] = true, true
}

// matchPtrs reports whether a pointer to one type may lie where one to another is
// declared. Pointers to objects of libraries may lead anywhere (anywhere), but lie only
// where they are declared.
func (k *kinds) matchPtrs(p, q ir.Ptr) bool {
	x, y := bare(p.Elem), bare(q.Elem)
	if k.within(p.Elem, q.Elem) || k.within(q.Elem, p.Elem) {
		return true
	}
	if k.safe && (opaqueObject(x) || opaqueObject(y)) {
		return k.anywhere(x) && !opaqueObject(x) || k.anywhere(y) && !opaqueObject(y) || k.crossed[[2]string{typeKey(x), typeKey(y)}]
	}
	return k.anywhere(x) || k.anywhere(y)
}

// anywhere reports whether pointers to a type may lead anywhere. In C those to bytes do;
// in a type-safe program they lead to bytes, or into the object of a library.
func (k *kinds) anywhere(t ir.Type) bool {
	switch x := t.(type) {
	case nil, ir.Void, ir.Opaque:
		return true
	case ir.Int:
		return isByte(x) && !k.safe
	case *ir.Struct:
		return x.Union || opaqueObject(x) || typeParam(x) || x.Bytes == 0
	}
	return false
}

// isByte reports whether a type is one of integers of a byte.
func isByte(t ir.Type) bool {
	x, ok := t.(ir.Int)
	return ok && x.Bits <= 8
}

// typeParam reports whether a type stands for a type parameter, of which the memory is
// not known.
func typeParam(s *ir.Struct) bool {
	return len(s.Fields) == 1 && s.Fields[0].Name == "__value" && strings.HasPrefix(s.Name, "type parameter")
}

// alike reports whether scalars lie in memory in the same way.
func alike(x, y ir.Type) bool {
	switch a := x.(type) {
	case ir.Int:
		b, ok := y.(ir.Int)
		return ok && a.Size() == b.Size()
	case ir.FuncType:
		_, ok := y.(ir.FuncType)
		return ok
	case ir.Ptr:
		return ir.IsPtr(y)
	}
	return ir.Equal(x, y)
}

// match reports whether what is declared as one type may be what a pointer to another
// leads to.
func (k *kinds) match(x, t ir.Type) bool {
	x, t = bare(x), bare(t)
	if !k.safe {
		return k.matchC(x, t)
	}
	a, okA := x.(*ir.Struct)
	b, okB := t.(*ir.Struct)
	switch {
	case okA && okB:
		return a == b || typeParam(a) || k.find(a) == k.find(b)
	case okA:
		return typeParam(a) || opaqueObject(a) && isByte(t)
	case okB:
		return false
	}
	p, okP := x.(ir.Ptr)
	q, okQ := t.(ir.Ptr)
	if okP && okQ {
		return k.matchPtrs(p, q)
	}
	return alike(x, t) || k.loose[typeKey(x)] && k.loose[typeKey(t)]
}

// within reports whether a value of type t begins with one of type in, or is one.
func (k *kinds) within(t, in ir.Type) bool { return k.holds(t, 0, in) }

// holds reports whether a value that a pointer to t leads to may lie at an offset of a
// type.
func (k *kinds) holds(in ir.Type, off int64, t ir.Type) bool {
	if off == 0 && k.match(in, t) {
		return true
	}
	switch x := in.(type) {
	case ir.Array:
		if !k.safe && storage(x) {
			return true
		}
		if x.Elem.Size() > 0 {
			return k.holds(x.Elem, floorMod(off, x.Elem.Size()), t)
		}
		return true
	case *ir.Struct:
		if x.Whole && k.safe {
			return false
		}
		if x.Union && k.safe {
			return true
		}
		for i := range x.Fields {
			f := &x.Fields[i]
			d := off - f.Offset
			if extends(x, i, d) && k.holds(f.Type, d, t) {
				return true
			}
		}
	}
	return false
}

// A filter knows of cells whether a pointer to its type may lead there.
type filter struct {
	t   ir.Type
	key string // its typeKey
	// known and ok have a bit for each cell: whether it was looked at, and whether it may
	// be.
	known, ok []uint64
}

// filterFor returns the filter of a type; nil where pointers to it may lead anywhere.
func (s *solver) filterFor(t ir.Type) *filter {
	if !s.prog.TypeSafe && !s.byEffective {
		return nil
	}
	t = bare(t)
	st, isStruct := t.(*ir.Struct)
	if isStruct {
		if f, ok := s.byStruct[st]; ok {
			return f
		}
	}
	var f *filter
	if k := typeKey(t); !s.kinds.anywhere(t) && !s.kinds.loose[k] {
		if f = s.filters[k]; f == nil {
			f = &filter{t: t, key: k}
			s.filters[k] = f
		}
	}
	if isStruct {
		s.byStruct[st] = f
	}
	return f
}

// pass returns the cells of a set that a filter lets through.
func (s *solver) pass(f *filter, cs *set) set {
	var out set
	for _, b := range cs.blk {
		if n := int(b.idx) + 1; n > len(f.known) {
			more := make([]uint64, n+n/4+16-len(f.known))
			f.known, f.ok = append(f.known, more...), append(f.ok, more...)
		}
		for w := b.bits &^ f.known[b.idx]; w != 0; w &= w - 1 {
			bit := w & -w
			if s.fits(f, b.idx<<6|int32(bits.TrailingZeros64(w))) {
				f.ok[b.idx] |= bit
			}
			f.known[b.idx] |= bit
		}
		if w := b.bits & f.ok[b.idx]; w != 0 {
			out.blk = append(out.blk, block{b.idx, w})
		}
	}
	return out
}

// fits reports whether a pointer of a filter's type may lead to a cell.
func (s *solver) fits(f *filter, c int32) bool {
	if c < numSpecial {
		return true
	}
	x := s.cells[c]
	o := x.obj
	_, code := f.t.(ir.FuncType)
	switch {
	case x.ghost:
		return false
	case o.Kind == KindFunc:
		return code
	case inTail(x) && !s.prog.TypeSafe:
		return s.fitsTail(f.t, c)
	case !s.typed(o):
		return true
	case x.any:
		return s.kinds.inside(o.Type, f.t, map[*ir.Struct]bool{}) || s.took[tookKey{f.key, c}]
	}
	return s.kinds.holds(o.Type, x.off, f.t) || s.taken(f, c)
}

// inside reports whether a value that a pointer to t leads to lies anywhere in a type.
func (k *kinds) inside(in, t ir.Type, seen map[*ir.Struct]bool) bool {
	if k.match(in, t) {
		return true
	}
	switch x := in.(type) {
	case ir.Array:
		return x.Elem.Size() <= 0 || !k.safe && storage(x) || k.inside(x.Elem, t, seen)
	case *ir.Struct:
		if seen[x] || x.Whole && k.safe {
			return false
		}
		seen[x] = true
		return x.Union && k.safe || slices.ContainsFunc(x.Fields, func(f ir.Field) bool { return k.inside(f.Type, t, seen) })
	}
	return false
}

// typed reports whether what lies in an object is what its type declares.
func (s *solver) typed(o *object) bool {
	return !o.raw && !o.punned && o.Type != nil && (s.prog.TypeSafe || s.typedC(o))
}

// declared is what the type of an object says of a cell.
type declared struct {
	known bool
	// plain: nothing there holds an address.
	plain bool
	// elem is what the pointer there is declared to lead to, nil where there is none, or
	// several; key is its typeKey.
	elem ir.Type
	key  string
}

func (s *solver) declaredAt(c int32) declared {
	if int(c) >= len(s.decls) {
		s.decls = append(s.decls, make([]declared, len(s.cells)+len(s.cells)/4+64-len(s.decls))...)
	}
	d := &s.decls[c]
	if d.known {
		return *d
	}
	d.known = true
	x := s.cells[c]
	if x.any || x.obj.raw || x.obj.Type == nil || !s.typed(x.obj) && x.obj.Kind != KindExtern || x.obj.Kind == KindFunc {
		return *d
	}
	ts := scalarsAt(x.obj.Type, x.off)
	if s.prog.TypeSafe {
		d.plain = len(ts) > 0 && !slices.ContainsFunc(ts, s.keeps)
	} else {
		d.plain = s.byEffective && !x.obj.taken && s.numbersAt(x.obj.Type, x.off)
	}
	if len(ts) == 1 {
		if p, ok := ts[0].(ir.Ptr); ok {
			d.elem, d.key = p.Elem, typeKey(p.Elem)
		}
	}
	return *d
}

// plain reports whether a cell is declared to hold no address.
func (s *solver) plain(c int32) bool {
	return (s.prog.TypeSafe || s.byEffective) && s.declaredAt(c).plain
}

// loadedFrom is the node with what a cell holds, read as a pointer to t, of typeKey key;
// filtered where pointers to t are.
func (s *solver) loadedFrom(c int32, t ir.Type, key string, filtered bool) int32 {
	n := s.content(c)
	if c < numSpecial || n == 0 || !filtered {
		return n
	}
	if d := s.declaredAt(c); d.elem != nil && (d.key == key || !s.kinds.anywhere(bare(d.elem)) && s.kinds.match(d.elem, t)) {
		return n
	}
	return s.xnode(n, xform{op: opRetype, typ: key, pun: s.cells[c].obj.punned}, t)
}

// spill makes what is stored anywhere in an object flow to the content of one of its
// cells.
func (s *solver) spill(o *object, c int32) {
	if o.storeAny == 0 {
		return
	}
	n := o.storeAny
	if d := s.declaredAt(c); d.elem != nil && s.filterFor(d.elem) != nil {
		n = s.xnode(n, xform{op: opRetype, typ: typeKey(d.elem)}, d.elem)
	}
	s.edge(n, s.cells[c].node)
}

// pun notes that an object is used as what its type does not say. What the filters kept
// away from it, or found in it, is done once nothing else is left to do (see unfilter).
func (s *solver) pun(o *object) {
	for _, x := range []*object{o, o.past, o.of} {
		if x != nil && !x.punned && !x.raw && x.Type != nil {
			x.punned = true
			s.puns = append(s.puns, x)
		}
	}
}

// unfilter does for objects that are punned now, and places that are taken for other
// types, what was left undone.
func (s *solver) unfilter() {
	var cs set
	for _, o := range s.puns {
		for _, c := range o.list {
			cs.add(c)
		}
		if o.anyCell != 0 {
			cs.add(o.anyCell)
		}
	}
	os := s.puns
	s.puns = nil
	cs.union(&s.retake, nil)
	s.retake = set{}
	cs.each(func(c int32) {
		if int(c) < len(s.decls) {
			s.decls[c] = declared{}
		}
	})
	for _, b := range cs.blk {
		if i := int(b.idx); i < len(s.sumCells.seen) {
			s.sumCells.seen[i] &^= b.bits
		}
		if i := int(b.idx); i < len(s.sumCells.is) {
			s.sumCells.is[i] &^= b.bits
		}
	}
	for _, f := range s.filters {
		for _, b := range cs.blk {
			if int(b.idx) < len(f.known) {
				f.known[b.idx] &^= b.bits
			}
		}
	}
	for _, o := range os {
		for _, c := range o.content {
			s.spill(o, c)
		}
		if m := o.same().sum; m != nil {
			for i, ps := range m.places {
				delete(m.places, i)
				for _, p := range ps {
					s.know(p)
				}
			}
		}
		for _, t := range slices.Clone(o.typed) {
			s.outsideTyped(o, t)
		}
	}
	for n := range s.nodes {
		if s.rep[n] != int32(n) {
			continue
		}
		x := s.nodes[n]
		if d := x.pts.and(&cs); !d.empty() {
			for i := 0; i < len(x.cons); i++ {
				s.fire(x.cons[i], &d)
			}
		}
	}
}
