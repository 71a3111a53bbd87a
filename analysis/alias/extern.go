package alias

import (
	"slices"

	"whoop/ir"
)

// extern is what code not seen may hand over as a pointer to one type: the node of all
// such pointers.
type extern struct {
	obj  *object // nil for private types
	node int32
}

// externNode returns the pointers of type *t that come from outside: the extern object of
// type t, and for structs every place in the program where one lies that outside code may
// know.
func (s *solver) externNode(t ir.Type) int32 {
	k := typeKey(t)
	if x := s.externs[k]; x != nil {
		return x.node
	}
	x := &extern{node: s.newNode()}
	s.externs[k] = x
	s.edge(s.pointed(t), x.node)
	if s.movesBack(t) {
		s.on(s.leak, movedCon{x.node, bare(t)})
	}
	if s.comesBack(t) {
		s.on(s.back, backCon{x.node, t})
	}
	st, isStruct := t.(*ir.Struct)
	if isStruct {
		k := s.kinds.find(st)
		s.byKind[k] = append(s.byKind[k], x)
		for _, c := range s.byType[k] {
			s.put(x.node, c)
		}
	}
	if isStruct && !s.known[st] {
		a := privateType(st)
		s.assume(a.Kind, a.Pos, a.Text)
		return x.node
	}
	s.makeExtern(x, t)
	return x.node
}

// privateType is the assumption about a type that code not seen has no objects of.
func privateType(st *ir.Struct) ir.Assumption {
	return ir.Assumption{Kind: "private-type", Text: "struct " + st.Name + " does not occur in the interface to code not seen: all objects of it are the program's own"}
}

// makeExtern makes the object that code not seen has of a type.
func (s *solver) makeExtern(x *extern, t ir.Type) {
	x.obj = s.newExtern(externName(t), t)
	s.leakCell(s.cellAt(x.obj, 0))
	s.put(x.node, s.cellAt(x.obj, 0))
	s.addPlaces(x.obj)
	if st, ok := t.(*ir.Struct); ok && s.hides(x.obj) {
		s.on(x.node, copiedCon{x.obj, st})
	}
}

func externName(t ir.Type) string {
	if st, ok := t.(*ir.Struct); ok {
		return "struct " + st.Name
	}
	return "extern " + typeKey(t)
}

func (s *solver) newExtern(name string, t ir.Type) *object {
	if t == nil {
		t = ir.Void{}
	}
	o := s.newObject(Object{Name: name, Kind: KindExtern, Type: t})
	switch t.(type) {
	case *ir.Struct:
	case ir.Void:
		o.raw = true
	default:
		if t.Size() > 0 { // a pointer to a scalar may point into an array
			o.Type = ir.Array{Elem: t}
		}
	}
	return o
}

// addPlaces makes the structs inside o known as what outside code may point to.
func (s *solver) addPlaces(o *object) {
	if o.raw || o.Type == nil {
		return
	}
	for _, p := range places(o.Type, 0, nil, 1024) {
		if s.prog.TypeSafe && within(o.Type, p.off, hidden) && p.off > 0 {
			continue // code not seen has that address only if the program gives it: see addPointed
		}
		if s.prog.TypeSafe && closed(o.Type, p.off) {
			continue
		}
		c := s.cellAt(o, p.off)
		s.placed[placeKey{p.s, c}] = true
		s.know(placeKey{p.s, c})
	}
}

func hidden(_ *ir.Struct, f *ir.Field, _ int64) bool { return f.Hidden }

// within reports whether what lies at an offset of a type is in a member of some kind, of
// a struct; at is the offset in that.
func within(t ir.Type, off int64, kind func(in *ir.Struct, f *ir.Field, at int64) bool) bool {
	for {
		switch x := t.(type) {
		case ir.Array:
			if x.Elem.Size() <= 0 {
				return false
			}
			t, off = x.Elem, floorMod(off, x.Elem.Size())
			continue
		case *ir.Struct:
			f := fieldAround(x, off)
			if f == nil || x.Union {
				return false
			}
			if kind(x, f, off) {
				return true
			}
			t, off = f.Type, off-f.Offset
			continue
		}
		return false
	}
}

// closed reports whether what lies at an offset of a type lies inside of a closed struct
// (ir.Struct.Closed).
func closed(t ir.Type, off int64) bool {
	return within(t, off, func(in *ir.Struct, _ *ir.Field, at int64) bool { return in.Closed && at > 0 })
}

// addReached does the same for the structs of which code not seen has something, in
// programs whose other objects it cannot know.
func (s *solver) addReached(o *object) {
	if o.raw || o.Type == nil {
		return
	}
	for _, p := range places(o.Type, 0, nil, 1024) {
		at := span{lo: p.off, hi: p.off + max(p.s.Bytes, 1)}
		if closed(o.Type, p.off) {
			continue
		}
		c := s.cellAt(o, p.off)
		if slices.ContainsFunc(o.exposed, func(q span) bool { return q.lo < at.hi && at.lo < q.hi }) {
			s.addPlace(p.s, c)
		}
	}
}

// addPointed makes the structs known that lie just where code not seen has an address of,
// even where it can name no member.
func (s *solver) addPointed(c cell) {
	if c.obj.raw || c.obj.Type == nil {
		return
	}
	for _, p := range places(c.obj.Type, 0, nil, 1024) {
		if at := s.cellAt(c.obj, p.off); p.off == c.off || c.any && !(s.prog.TypeSafe && closed(c.obj.Type, p.off)) {
			s.addPlace(p.s, at)
		}
	}
}

// placeKey names a place where a struct lies.
type placeKey struct {
	s    *ir.Struct
	cell int32
}

// addPlace makes one struct known, in a sum once its member is used.
func (s *solver) addPlace(st *ir.Struct, c int32) {
	p := placeKey{st, c}
	if s.placed[p] {
		return
	}
	s.placed[p] = true
	if !s.waitsForMember(p) {
		s.know(p)
	}
}

// know makes a place one that code not seen may know.
func (s *solver) know(p placeKey) {
	k := s.kinds.find(p.s)
	s.byType[k] = append(s.byType[k], p.cell)
	for _, x := range s.byKind[k] {
		s.put(x.node, p.cell)
	}
}

// leakCon sits at the node of all addresses that code not seen has.
type leakCon struct{}

func (leakCon) fire(s *solver, c int32) {
	if c < numSpecial {
		return
	}
	if o := s.cells[c].obj; o.Kind == KindFunc {
		s.leakFunc(o.Func)
		return
	}
	s.leakCell(c)
}

// handOver gives code not seen the addresses of a node, as a call does that nothing is
// known of. It keeps no address of a variable of numbers for later calls (assumption
// extern-call): it has that for the time of the call alone. moves: the call may give it to
// somebody, see alone.
func (s *solver) handOver(n int32, moves bool) {
	if moves || s.prog.TypeSafe {
		s.edge(n, s.leak)
		return
	}
	s.on(n, handCon{})
}

// handCon sits at the node of what a call hands over.
type handCon struct{}

func (handCon) fire(s *solver, c int32) {
	if x := s.cells[c]; c < numSpecial || x.obj.Kind != KindStack || x.obj.raw ||
		x.obj.Type == nil || hasPointers(x.obj.Type) {
		s.put(s.leak, c)
		return
	}
	s.put(s.lend, c)
	s.edge(s.loadAnyNode(s.cells[c].obj), s.leak) // numbers may be addresses
}

// lendCon sits at the node of all addresses that code not seen is lent.
type lendCon struct{}

func (lendCon) fire(s *solver, c int32) {
	if c >= numSpecial && s.cells[c].obj.Kind != KindFunc {
		s.lendCell(c)
	}
}

// outsideWrites adds to the content of c what code not seen may store there: a pointer of
// the declared type.
func (s *solver) outsideWrites(o *object, c int32) {
	if o.readOnly || o.Type == nil {
		return
	}
	x := s.cells[c]
	if s.worlds != nil && (o.raw || x.any || s.isFlagCell(x)) {
		s.put(x.node, cellTrue)
	}
	if o.raw || x.any {
		return // done for the type of the load
	}
	for _, t := range scalarsAt(o.Type, x.off) {
		switch t := t.(type) {
		case ir.Ptr:
			s.outsideValue(o, x.node, t.Elem)
		case ir.Int:
			if s.keeps(t) && !s.isFlag(t) && o.Kind == KindExtern {
				s.edge(s.externNode(ir.Void{}), x.node)
			}
		}
	}
}

// outsideTyped does the same for a load of a pointer from where the type of o declares
// none.
func (s *solver) outsideTyped(o *object, t loadedAs) {
	if !o.readOnly && (s.within(s.cells[t.cell], o.writable) || s.within(s.cells[t.cell], o.lentWritable)) {
		s.outsideValue(o, s.content(t.cell), t.elem)
	}
}

func (s *solver) outsideValue(o *object, n int32, elem ir.Type) {
	if _, fn := elem.(ir.FuncType); fn && o.Kind != KindExtern && !s.definedElsewhere(o) {
		// Code not seen is taken not to replace the program's own callbacks.
		s.assume("extern-callback", o.Pos, "code not seen does not store function pointers in "+o.Name)
		return
	}
	s.edge(s.externNode(elem), n)
}

// definedElsewhere reports whether an object is a variable of C that code not seen
// defines, with an initial value of its own.
func (s *solver) definedElsewhere(o *object) bool {
	return o.Global != nil && o.Global.Extern && !s.prog.TypeSafe
}

// movesBack reports whether code not seen of a type-safe program hands over, as a pointer
// to a t, what it has got as one: numbers that a library returned and is given again, and
// slices of pointers. Structs are known by their types.
func (s *solver) movesBack(t ir.Type) bool {
	switch t.(type) {
	case *ir.Struct, ir.FuncType:
		return false
	}
	return s.prog.TypeSafe && !s.kinds.anywhere(t)
}

// movedCon sits at the node of all addresses that code not seen has: those of a t go to a
// node. Bytes within objects of libraries do not (assumption type-safe), and what is raw
// was made by such code.
type movedCon struct {
	to int32
	t  ir.Type
}

func (l movedCon) fire(s *solver, c int32) {
	if c < numSpecial {
		return
	}
	x := s.cells[c]
	if x.ghost || x.obj.raw || x.obj.Type == nil || x.obj.Kind == KindFunc {
		return
	}
	if _, ptr := l.t.(ir.Ptr); ptr && x.off == 0 && !x.any && within(x.obj.Type, 0, hidden) {
		return // the address is that of what is around
	}
	if s.filterFor(l.t) == nil || s.kinds.declares(x.obj.Type, x.off, x.any, l.t) {
		s.put(l.to, c)
	}
}

// declares reports whether a scalar like t lies at an offset of a type, or anywhere in it,
// and not within an object of a library.
func (k *kinds) declares(in ir.Type, off int64, anywhere bool, t ir.Type) bool {
	switch x := in.(type) {
	case ir.Array:
		return x.Elem.Size() <= 0 || k.declares(x.Elem, floorMod(off, x.Elem.Size()), anywhere, t)
	case *ir.Struct:
		if opaqueObject(x) {
			return false
		}
		for i := range x.Fields {
			f := &x.Fields[i]
			if d := off - f.Offset; (anywhere || extends(x, i, d)) && k.declares(f.Type, d, anywhere, t) {
				return true
			}
		}
		return typeParam(x)
	}
	p, okP := in.(ir.Ptr)
	q, okQ := t.(ir.Ptr)
	if okP && okQ { // what a place of pointers is declared to lead to, it is used at
		return (anywhere || off == 0) && k.one(bare(p.Elem), bare(q.Elem))
	}
	return (anywhere || off == 0) && k.match(in, t)
}

// one reports whether two types are equal, or of one kind.
func (k *kinds) one(x, t ir.Type) bool {
	a, okA := x.(*ir.Struct)
	b, okB := t.(*ir.Struct)
	if okA && okB {
		return k.find(a) == k.find(b) || typeParam(a) || typeParam(b)
	}
	return typeKey(x) == typeKey(t) || k.crossed[[2]string{typeKey(x), typeKey(t)}]
}

// hasMain reports whether the program is one with a main function, and no driver.
func (s *solver) hasMain() bool {
	return !s.prog.TypeSafe && slices.ContainsFunc(s.prog.Entries, func(e *ir.Entry) bool { return e.Kind == "main" })
}

// leakFunc: code not seen has the address of f and may call it.
func (s *solver) leakFunc(f *ir.Func) {
	if s.entryFns[f] || len(f.Blocks) == 0 {
		return
	}
	s.assume("extern-callback", f.Pos, "code not seen gets the address of "+f.Title()+
		"; its calls of it run in the thread that handed the address over")
	s.reach(f, 0)
	for _, p := range f.Params {
		switch t, isPtr := p.Type.(ir.Ptr); {
		case p == s.captured(f):
		case isPtr && s.prog.TypeSafe && p.Name == ir.Results:
			o := s.newExtern(f.Name+" results", t.Elem)
			o.private = true
			s.leakCell(s.cellAt(o, 0))
			s.put(s.reg(p, 0, 0), s.cellAt(o, 0))
		default:
			s.edge(s.externValue(p.Type), s.reg(p, 0, 0))
		}
	}
	s.edge(s.ret(f, 0), s.leak)
}

// resultNode is the node for what a function that is not seen returns: where the type
// names a struct, what such code may hand over as a pointer to it. Other pointers are
// anything until they are cast to one: such code may have kept the address of any scalar
// it was given.
func (s *solver) resultNode(t ir.Type) int32 {
	if p, ok := t.(ir.Ptr); ok && !s.prog.TypeSafe {
		if st, isStruct := p.Elem.(*ir.Struct); isStruct {
			n := s.externNode(st)
			s.edge(n, s.leak) // who hands it out has it
			return n
		}
		if _, fn := p.Elem.(ir.FuncType); !fn {
			return s.constant(cellResult)
		}
	}
	return s.constant(cellUnknown)
}

// externValue is the node for a value of type t from outside.
func (s *solver) externValue(t ir.Type) int32 {
	switch t := t.(type) {
	case ir.Ptr:
		return s.externNode(t.Elem)
	case ir.Int, ir.Bool:
		if s.isFlag(t) {
			return s.constant(cellTrue)
		}
		if s.keeps(t) {
			return s.externNode(ir.Void{})
		}
	}
	return 0
}
