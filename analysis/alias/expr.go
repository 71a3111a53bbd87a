package alias

import "whoop/ir"

// An xform is a kind of pointer arithmetic. It is comparable: equal ones share a node.
type xform struct {
	op     byte
	delta  int64
	stride int64
	s      *ir.Struct
	index  int
	typ    string // typeKey of elem, for opRetype
	pun    bool   // opRetype of what need not be of the type
	letGo  bool   // opRetype of what loses its type
	makes  bool   // opField of a sum, by whoever allocated it
}

// Kinds of pointer arithmetic.
const (
	opField    byte = iota // address of member index of s
	opConst                // + delta bytes, a multiple of stride
	opIndex                // + an unknown multiple of stride
	opAnywhere             // anywhere in the object
	opAnd                  // & ^(delta), a small mask
	opOr                   // | delta, a small tag
	opRetype               // now declared as a pointer to typ
	opAround               // + delta, and then opRetype to a struct, in C: container_of
)

// bases: the object pointed to by an extern pointer is taken to have the type it is used
// at.
type xkey struct {
	base int32
	x    xform
}

type xformCon struct {
	base, dst int32
	x         xform
	elem      ir.Type
}

// xnode returns the node for the pointers of base moved by x.
func (s *solver) xnode(base int32, x xform, elem ir.Type) int32 {
	if base = s.find(base); base == 0 {
		return 0
	}
	k := xkey{base, x}
	if n, ok := s.xnodes[k]; ok {
		return n
	}
	n := s.newNode()
	s.xnodes[k] = n
	s.on(base, xformCon{base, n, x, elem})
	return n
}

func (l xformCon) fire(s *solver, c int32) {
	l.fireAll(s, &set{[]block{{c >> 6, 1 << (c & 63)}}})
}

// fireAll reacts to several cells at once.
func (l xformCon) fireAll(s *solver, cs *set) {
	var out set
	if l.x.op == opAround {
		l.around(s, cs, &out)
		if !out.empty() {
			s.putAll(l.dst, &out)
		}
		return
	}
	if f := l.filter(s); f != nil && !s.prog.TypeSafe {
		cs = l.inC(s, f, cs, &out)
	} else if f != nil {
		ok := s.pass(f, cs)
		if l.x.pun {
			wrong := cs.minus(&ok)
			wrong.each(func(c int32) { s.pun(s.cells[c].obj) })
		} else {
			if !ok.equal(cs) {
				out.add(cellNull) // nothing else is there
			}
			cs = &ok
		}
	}
	if l.x.op == opField && l.x.s.Sum {
		cs = l.ofMember(s, cs, &out)
	}
	cs.each(func(c int32) { l.add(s, c, &out) })
	if !out.empty() {
		s.putAll(l.dst, &out)
	}
}

// filter is that of the type that the base of a member address, or the result of a cast,
// leads to.
func (l xformCon) filter(s *solver) *filter {
	switch l.x.op {
	case opField:
		return s.filterFor(l.x.s)
	case opRetype:
		return s.filterFor(l.elem)
	}
	return nil
}

// add adds what a cell becomes to a set.
func (l xformCon) add(s *solver, c int32, to *set) {
	if t := s.retype(l.x, l.elem, c); t != nil {
		n := s.externNode(t)
		if c == cellResult {
			s.edge(n, s.leak) // who hands it out has it
		}
		if l.x.op != opRetype {
			n = s.xnode(n, l.x, l.elem)
		}
		s.edge(n, l.dst)
		if _, isStruct := t.(*ir.Struct); !isStruct && s.byEffective {
			s.edge(s.backAs(t), l.dst)
		}
		return
	}
	if c >= numSpecial && s.loops[l.dst] && s.leavesAll(c, l.x) {
		to.add(s.cellAny(s.cells[c].obj))
		return
	}
	if c < numSpecial || l.x.op == opRetype ||
		l.x.op == opField && l.x.distance() == 0 && !s.prog.TypeSafe && !s.cells[c].ghost {
		to.add(c)
		return
	}
	for _, d := range s.move(l.x, c) {
		to.add(d)
	}
}

// retype returns the type an extern pointer is used at where the object it points to has
// nothing like it there: what code not seen hands over as void * (or as a member of
// something larger) is what the program takes it for.
func (s *solver) retype(x xform, elem ir.Type, c int32) ir.Type {
	if x.op != opField && x.op != opRetype || c < numSpecial && c != cellResult {
		return nil
	}
	if c == cellResult {
		if st, ok := elem.(*ir.Struct); ok && x.op == opRetype {
			return st
		}
		return nil
	}
	cl := s.cells[c]
	if o := cl.obj; o.Kind != KindExtern || o.private || o.Type == nil || cl.any && elem == nil && !s.prog.TypeSafe {
		return nil
	}
	t := elem
	if x.op == opField {
		t = x.s
	}
	if t == nil {
		return nil
	}
	_, isStruct := t.(*ir.Struct)
	switch {
	case !cl.any && !cl.obj.raw && holds(cl.obj.Type, cl.off, t):
		return nil
	case isStruct:
		return t
	case cl.obj.raw:
		return t // void * used as int *
	}
	return nil
}

// move applies x to one cell.
func (s *solver) move(x xform, c int32) []int32 {
	if c < numSpecial {
		return []int32{c}
	}
	cl := s.cells[c]
	o := cl.obj
	if x.op == opRetype || cl.any || o.Kind == KindFunc {
		return []int32{c}
	}
	switch x.op {
	case opField:
		if s.missing(x, cl) {
			return []int32{cellNull}
		}
		return []int32{s.cellAt(o, cl.off+x.s.Fields[x.index].Offset)}
	case opConst:
		return s.moveConst(x, c)
	case opIndex:
		if s.staysInArray(o, cl.off, x.stride) || s.prog.TypeSafe && s.typed(o) && o.Kind != KindExtern {
			// in a type-safe program what lies in no array has no other index than 0
			return []int32{c}
		}
	case opAnd:
		if _, lv := o.canon(cl.off); len(lv) == 0 || lv[len(lv)-1].stride%(x.delta+1) == 0 {
			return []int32{s.cellAt(o, cl.off-floorMod(cl.off, x.delta+1))}
		}
	case opOr:
		return []int32{s.cellAt(o, cl.off|x.delta)}
	}
	return []int32{s.cellAny(o)}
}

// missing tells whether a member of a library's object, which only the lowering has put
// there, is asked of something that is no such object: pointers to what such an object
// was given stand for the object, too.
func (s *solver) missing(x xform, cl cell) bool {
	o := cl.obj
	return s.prog.TypeSafe && x.index > 0 && opaqueObject(x.s) && !o.raw && o.Type != nil && !holds(o.Type, cl.off, x.s)
}

// staysInArray tells whether moving by multiples of stride from off only changes array
// elements.
func (s *solver) staysInArray(o *object, off, stride int64) bool {
	if stride == 0 {
		return true
	}
	_, lv := o.canon(off)
	for _, l := range lv {
		if stride%l.stride == 0 {
			return true
		}
	}
	if o.raw || o.Type == nil || o.Type.Size() <= 0 || stride%o.Type.Size() != 0 {
		return false
	}
	// A pointer from outside to one S may point into an array of S. From one object of a
	// known size no step of that size leads to another place in it.
	return o.Kind == KindExtern || o.Kind == KindHeap && o.sized
}

func (s *solver) moveConst(x xform, c int32) []int32 {
	cl := s.cells[c]
	if x.delta == 0 || x.stride > 1 && s.staysInArray(cl.obj, cl.off, x.stride) {
		return []int32{c}
	}
	if cl.obj.raw || cl.obj.Type == nil {
		return []int32{s.cellAt(cl.obj, cl.off+x.delta)}
	}
	offs, ok := shift(cl.obj.Type, cl.off, x.delta, x.delta < -1 && x.stride <= 1)
	if !ok {
		return []int32{s.cellAny(cl.obj)}
	}
	var out []int32
	for _, off := range offs {
		out = append(out, s.cellAt(cl.obj, off))
	}
	return out
}

// eval returns the node for the value of e in a context; 0 where it holds no pointer.
func (s *solver) eval(e ir.Expr, ctx int32) int32 {
	if s.isFlag(e.Type()) {
		return s.flag(e, ctx)
	}
	switch e := e.(type) {
	case ir.Null:
		return s.constant(cellNull)
	case ir.Use:
		return s.use(e.Reg, ctx)
	case ir.GlobalAddr:
		return s.constant(s.cellAt(s.globalObject(e.Global), 0))
	case ir.FuncAddr:
		return s.constant(s.cellAt(s.funcObject(e.Func), 0))
	case ir.FieldAddr:
		_, named := e.Base.(ir.Use)
		return s.xnode(s.eval(e.Base, ctx), xform{op: opField, s: e.S, index: e.Index, makes: e.S.Sum && named}, nil)
	case ir.IndexAddr:
		return s.evalIndex(e, ctx)
	case ir.Cast:
		return s.evalCast(e, ctx)
	case ir.Select:
		return s.both(s.eval(e.X, ctx), s.eval(e.Y, ctx))
	case ir.Unary:
		if e.Op != "lnot" {
			return s.xnode(s.eval(e.X, ctx), xform{op: opAnywhere}, nil)
		}
	case ir.Binary:
		return s.evalBinary(e, ctx)
	case ir.OpaqueConst:
		if ir.IsPtr(e.T) {
			return s.constant(cellUnknown)
		}
	}
	return 0
}

// both returns a node for the union of two.
func (s *solver) both(a, b int32) int32 {
	switch {
	case a == 0 || a == b:
		return b
	case b == 0:
		return a
	}
	n := s.newNode()
	s.edge(a, n)
	s.edge(b, n)
	return n
}

func constOf(e ir.Expr) (int64, bool) {
	switch e := e.(type) {
	case ir.Const:
		if e.Val.IsInt64() {
			return e.Val.Int64(), true
		}
		if e.Val.IsUint64() {
			return int64(e.Val.Uint64()), true // wraps as the address would
		}
	case ir.Cast:
		if ir.IsInt(e.T) {
			if v, ok := constOf(e.X); ok {
				return ir.IntConst(e.T.(ir.Int), v).Val.Int64(), ir.IntConst(e.T.(ir.Int), v).Val.IsInt64()
			}
		}
	}
	return 0, false
}

func (s *solver) evalIndex(e ir.IndexAddr, ctx int32) int32 {
	base := s.eval(e.Base, ctx)
	if nullBased(e.Base) {
		base = s.both(base, s.xnode(s.eval(e.Idx, ctx), xform{op: opAnywhere}, nil))
	}
	if v, ok := constOf(e.Idx); ok {
		return s.xnode(base, xform{op: opConst, delta: v * e.Stride, stride: e.Stride}, nil)
	}
	n := s.xnode(base, xform{op: opIndex, stride: e.Stride}, nil)
	if p := e.T; !s.prog.TypeSafe && !untyped(p.Elem) {
		return s.castPtr(n, p, false) // what it leads to is an element
	}
	return n
}

// nullBased tells whether a base is a constant, so that the address may come from the
// index.
func nullBased(e ir.Expr) bool {
	for {
		switch x := e.(type) {
		case ir.Null, ir.Const:
			return true
		case ir.Cast:
			e = x.X
		default:
			return false
		}
	}
}

func (s *solver) evalCast(e ir.Cast, ctx int32) int32 {
	from := e.X.Type()
	_, opaque := from.(ir.Opaque)
	to, toPtr := e.T.(ir.Ptr)
	switch {
	case !s.holdsAddress(e.T):
		return 0
	case opaque && toPtr:
		return s.constant(cellUnknown)
	case toPtr && ir.IsInt(from):
		if v, ok := constOf(e.X); ok && v <= 0 && v >= -4095 {
			return s.constant(cellNull) // null, or an error code
		}
		n := s.castPtr(s.eval(e.X, ctx), to, true)
		if n != 0 && s.prog.TypeSafe && wasPointer(e.X, s.addressRegs) {
			return n
		}
		return s.both(n, s.constant(cellInt))
	case toPtr && !s.prog.TypeSafe && untyped(to.Elem):
		return s.lettingGo(s.eval(e.X, ctx), from)
	case toPtr && !s.prog.TypeSafe:
		return s.castC(e.X, to, ctx)
	case toPtr:
		return s.castPtr(s.eval(e.X, ctx), to, e.Pun)
	case !s.holdsAddress(from):
		return 0
	case !s.prog.TypeSafe:
		return s.lettingGo(s.eval(e.X, ctx), from)
	}
	return s.eval(e.X, ctx)
}

// castPtr gives extern pointers of no useful type the type they are cast to.
func (s *solver) castPtr(n int32, to ir.Ptr, pun bool) int32 {
	if untyped(to.Elem) && !(s.prog.TypeSafe && isByte(to.Elem)) {
		return n
	}
	if _, fn := to.Elem.(ir.FuncType); fn {
		return n
	}
	return s.xnode(n, xform{op: opRetype, typ: typeKey(to.Elem), pun: pun && s.prog.TypeSafe}, to.Elem)
}

// lettingGo is a pointer in C whose type is forgotten: what is no place of that type is
// left out, so that the ends of lists that were taken for an entry do not get where no
// type tells them.
func (s *solver) lettingGo(n int32, from ir.Type) int32 {
	p, ok := from.(ir.Ptr)
	if !ok || n == 0 || !s.byEffective {
		return n
	}
	if !untyped(p.Elem) && s.filterFor(p.Elem) != nil {
		n = s.xnode(n, xform{op: opRetype, typ: typeKey(p.Elem), letGo: true}, p.Elem)
	}
	return n
}

// castC is castPtr in C, of an address that may have been moved back to what is around
// it.
func (s *solver) castC(e ir.Expr, to ir.Ptr, ctx int32) int32 {
	st, isStruct := to.Elem.(*ir.Struct)
	base, delta := movedBack(e)
	if !isStruct || base == nil || s.filterFor(st) == nil {
		return s.castPtr(s.eval(e, ctx), to, false)
	}
	return s.xnode(s.eval(base, ctx), xform{op: opAround, delta: delta, typ: typeKey(st),
		s: s.saidOf(base)}, st)
}

// saidOf is the struct that an address leads to by what the text says of it, before it
// became one of void; nil where it says nothing.
func (s *solver) saidOf(e ir.Expr) *ir.Struct {
	at, _ := s.site.(ir.Instr)
	for range maxSizeSteps {
		if p, ok := e.Type().(ir.Ptr); ok {
			if st, ok := p.Elem.(*ir.Struct); ok {
				return st
			}
		}
		switch x := e.(type) {
		case ir.Cast:
			e = x.X
		case ir.Use:
			if at == nil || s.fnOf[at] == nil {
				return nil
			}
			if e = s.onlyValue(s.fnOf[at], x.Reg); e == nil {
				return nil
			}
		default:
			return nil
		}
	}
	return nil
}

// movedBack returns what an address is less than by a constant, and the constant; nil
// where it is not.
func movedBack(e ir.Expr) (base ir.Expr, delta int64) {
	switch x := e.(type) {
	case ir.Cast:
		if ir.IsPtr(x.X.Type()) || carries(x.X.Type()) {
			return movedBack(x.X)
		}
	case ir.IndexAddr:
		if v, ok := constOf(x.Idx); ok && v <= 0 && x.Stride == 1 {
			return x.Base, v
		}
	case ir.Binary:
		v, ok := constOf(x.Y)
		switch {
		case ok && x.Op == "sub" && v > 0:
			return x.X, -v
		case ok && x.Op == "add" && v < 0:
			return x.X, v
		}
	}
	return nil, 0
}

// untyped tells whether a pointer to t says nothing about what is there.
func untyped(t ir.Type) bool {
	switch x := t.(type) {
	case nil, ir.Void:
		return true
	case ir.Int:
		return x.Bits <= 8
	}
	return false
}

func typeKey(t ir.Type) string {
	if t == nil {
		return "void"
	}
	return t.String()
}

func (s *solver) evalBinary(e ir.Binary, ctx int32) int32 {
	if !s.holdsAddress(e.Type()) {
		return 0
	}
	x, y := s.eval(e.X, ctx), s.eval(e.Y, ctx)
	v, ok := constOf(e.Y)
	if ok && y == 0 {
		switch {
		case e.Op == "add":
			return s.xnode(x, xform{op: opConst, delta: v, stride: 1}, nil)
		case e.Op == "sub":
			return s.xnode(x, xform{op: opConst, delta: -v, stride: 1}, nil)
		case e.Op == "and" && ^v > 0 && ^v <= 7 && (^v+1)&^v == 0:
			return s.xnode(x, xform{op: opAnd, delta: ^v}, nil)
		case e.Op == "or" && v >= 0 && v <= 7:
			return s.xnode(x, xform{op: opOr, delta: v}, nil)
		}
	}
	return s.xnode(s.both(x, y), xform{op: opAnywhere}, nil)
}
