package golang

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// layout says how values of a Go type lie in memory, and what scalars they consist of.
type layout struct {
	mem         ir.Type
	size, align int64
	leaves      []leaf
}

// leaf is one scalar of a value. A blob is a large array: in memory it is the array
// itself, as a value it is the address of a copy that nothing changes.
type leaf struct {
	name string
	t    ir.Type
	blob ir.Type
	path []step
}

// step is one member access or array index on the way to a leaf.
type step struct {
	s     *ir.Struct
	index int
	elem  ir.Type // not nil: element index of an array
}

// addr returns the address of the leaf of the value at base.
func (lf leaf) addr(base ir.Expr) ir.Expr {
	for _, st := range lf.path {
		if st.elem != nil {
			base = ir.IndexAddr{Base: base, Idx: ir.IntConst(ir.I64, int64(st.index)), Stride: st.elem.Size(), T: ir.Ptr{Elem: st.elem}}
		} else {
			base = ir.FieldAddr{Base: base, S: st.s, Index: st.index}
		}
	}
	if lf.blob != nil {
		return ir.Cast{X: base, T: ir.Ptr{Elem: lf.blob}}
	}
	if p, ok := base.Type().(ir.Ptr); !ok || !ir.Equal(p.Elem, lf.t) {
		base = ir.Cast{X: base, T: ir.Ptr{Elem: lf.t}}
	}
	return base
}

// maxLeaves is how many scalars an array may have as a value; larger ones are blobs.
const maxLeaves = 16

// Scalar types that Go's are represented by.
var (
	opaqueT = ir.U32 // strings, floats, complex numbers, values of types that are not looked into
	boolT   = ir.U8
	codePtr = ir.Ptr{Elem: ir.FuncType{Result: ir.Void{}}} // addresses of code
	funcT   = ir.VPtr                                      // function values
	intT    = ir.I64
)

// layouts computes and keeps layouts.
type layouts struct {
	known   typeutil.Map // types.Type -> *layout
	shells  typeutil.Map // struct types -> *ir.Struct
	busy    typeutil.Map
	structs []*ir.Struct
	names   map[string]int
	shared  map[string]*ir.Struct // those that are not Go structs: slices, maps, …
	name    func(types.Type) string
	own     func(*types.Package) bool // packages with bodies
	// slots is how many elements a channel has in memory where it is represented exactly;
	// 0: it is not.
	slots     func(*types.Chan) int64
	exact     bool
	unsafe    bool // offsets are those that package unsafe says
	gostructs map[*ir.Struct]types.Type
	// special returns the representation of a library type that is not looked into:
	// fields, or nothing for one opaque scalar; ok is false for ordinary types.
	special func(types.Type) (fields []ir.Field, size int64, ok bool)
	// kept are the members in which objects of a library type keep something.
	kept func(n *types.Named) []ir.Field
	// instead is the type that another one is laid out as, or nil.
	instead func(t types.Type) types.Type
	// hide marks fields of a new struct that functions not seen do not access.
	hide func(t types.Type, s *ir.Struct)
}

// newStruct registers a struct under a unique name.
func (l *layouts) newStruct(name string) *ir.Struct {
	l.names[name]++
	if n := l.names[name]; n > 1 {
		name = fmt.Sprintf("%s#%d", name, n)
	}
	s := &ir.Struct{Name: name}
	l.structs = append(l.structs, s)
	return s
}

// sharedStruct returns the struct that is known by key, made with that name and these
// fields the first time.
func (l *layouts) sharedStruct(key, name string, size int64, fields ...ir.Field) *ir.Struct {
	if s := l.shared[key]; s != nil {
		return s
	}
	s := l.newStruct(name)
	s.Fields, s.Bytes = fields, size
	l.shared[key] = s
	return s
}

// of returns the layout of a type.
func (l *layouts) of(t types.Type) *layout {
	t = form.General(t)
	if x, ok := l.known.At(t).(*layout); ok {
		return x
	}
	x := l.compute(t)
	l.known.Set(t, x)
	return x
}

// mem returns the type that memory of a Go type has; inside recursive types it may not be
// complete yet.
func (l *layouts) mem(t types.Type) ir.Type {
	t = form.General(t)
	if x, ok := l.known.At(t).(*layout); ok {
		return x.mem
	}
	if _, ok := t.Underlying().(*types.Struct); ok {
		if s, ok := l.shells.At(t).(*ir.Struct); ok {
			return s
		}
	} else if _, named := t.(*types.Named); named {
		if l.busy.At(t) != nil {
			return ir.Void{}
		}
		l.busy.Set(t, true)
		defer l.busy.Delete(t)
	}
	return l.of(t).mem
}

func scalar(t ir.Type, size int64) *layout {
	return &layout{mem: t, size: size, align: size, leaves: []leaf{{t: t}}}
}

// composite is the layout of a struct with scalar members.
func composite(s *ir.Struct) *layout {
	x := &layout{mem: s, size: s.Bytes, align: 8}
	for i, f := range s.Fields {
		x.leaves = append(x.leaves, leaf{name: f.Name, t: f.Type, path: []step{{s: s, index: i}}})
	}
	return x
}

func (l *layouts) compute(t types.Type) *layout {
	if is := l.instead(t); is != nil {
		return l.of(is)
	}
	if fields, size, ok := l.special(t); ok {
		return l.library(t, fields, size)
	}
	if _, ok := t.(*types.TypeParam); ok {
		return l.opaque("type parameter", 16)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return l.basic(u)
	case *types.Pointer:
		return scalar(ir.Ptr{Elem: l.mem(u.Elem())}, 8)
	case *types.Signature:
		return scalar(funcT, 8)
	case *types.Map:
		return scalar(ir.Ptr{Elem: l.mapObject(u)}, 8)
	case *types.Chan:
		return scalar(ir.Ptr{Elem: l.chanObject(u)}, 8)
	case *types.Slice:
		elem := l.mem(u.Elem())
		return composite(whole(l.sharedStruct("[]"+form.Key(u.Elem()), "[]"+l.name(u.Elem()), 24,
			ir.Field{Name: "array", Type: ir.Ptr{Elem: elem}},
			ir.Field{Name: "len", Type: intT, Offset: 8}, ir.Field{Name: "cap", Type: intT, Offset: 16})))
	case *types.Interface:
		return composite(whole(l.sharedStruct("interface", "interface", 16,
			ir.Field{Name: "type", Type: ir.U32},
			ir.Field{Name: "data", Type: ir.VPtr, Offset: 8})))
	case *types.Struct:
		return l.structure(t, u)
	case *types.Array:
		return l.array(u)
	case *types.Tuple:
		x := &layout{mem: ir.Void{}}
		for i := range u.Len() {
			x.leaves = append(x.leaves, l.of(u.At(i).Type()).leaves...)
		}
		return x
	}
	return l.opaque(t.String(), 16)
}

// whole marks a value of which Go gives no addresses of the parts.
func whole(s *ir.Struct) *ir.Struct {
	s.Whole = true
	return s
}

// opaque is a value that is not looked into.
func (l *layouts) opaque(name string, size int64) *layout {
	return composite(l.sharedStruct(name, name, size, ir.Field{Name: "__value", Type: opaqueT}))
}

// library is a type that a model describes, or that is opaque.
func (l *layouts) library(t types.Type, fields []ir.Field, size int64) *layout {
	s := l.newStruct(l.name(t))
	if len(fields) == 0 {
		fields = []ir.Field{{Name: "__value", Type: opaqueT}}
	}
	s.Fields, s.Bytes = fields, max(size, 4)
	l.hide(t, s)
	x := &layout{mem: s, size: s.Bytes, align: 8}
	if s.Bytes%8 != 0 { // elements of an array follow each other at once
		x.align = 4
	}
	for i, f := range fields {
		st := step{s: s, index: i}
		if a, ok := f.Type.(ir.Array); ok {
			x.leaves = append(x.leaves, leaf{name: f.Name, t: ir.Ptr{Elem: a}, blob: a, path: []step{st}})
		} else {
			x.leaves = append(x.leaves, leaf{name: f.Name, t: f.Type, path: []step{st}})
		}
	}
	return x
}

func (l *layouts) basic(u *types.Basic) *layout {
	ints := map[types.BasicKind]ir.Int{types.Int: ir.I64, types.Int8: ir.I8, types.Int16: {Bits: 16, Signed: true}, types.Int32: ir.I32,
		types.Int64: ir.I64, types.Uint: ir.U64, types.Uint8: ir.U8, types.Uint16: {Bits: 16}, types.Uint32: ir.U32,
		types.Uint64: ir.U64, types.Uintptr: ir.U64, types.UntypedInt: ir.I64, types.UntypedRune: ir.I32}
	if t, ok := ints[u.Kind()]; ok {
		return scalar(t, t.Size())
	}
	switch u.Kind() {
	case types.Invalid: // a component that is not wanted
		return &layout{mem: ir.Void{}, align: 1}
	case types.Bool, types.UntypedBool:
		return scalar(boolT, 1)
	case types.UnsafePointer, types.UntypedNil:
		return scalar(ir.VPtr, 8)
	case types.Float32:
		return scalar(opaqueT, 4)
	case types.Float64, types.UntypedFloat, types.Complex64:
		return l.opaque(u.Name(), 8)
	}
	return l.opaque(u.Name(), 16) // strings, complex128
}

// structure lays out a struct. A first field that code not seen cannot name lies behind a
// gap: so the address of the struct, which such code may have, is not that of the field.
func (l *layouts) structure(t types.Type, u *types.Struct) *layout {
	s := l.newStruct(l.name(t))
	l.shells.Set(t, s)
	l.gostructs[s] = t
	x := &layout{mem: s, align: 1}
	off := int64(0)
	if u.NumFields() > 0 && l.hidden(u.Field(0)) && !l.unsafe {
		off, x.align = 8, 8
	}
	for i := range u.NumFields() {
		f := u.Field(i)
		fl := l.of(f.Type())
		off = roundUp(off, fl.align)
		s.Fields = append(s.Fields, ir.Field{Name: f.Name(), Type: fl.mem, Offset: off, Hidden: l.hidden(f)})
		off += fl.size
		x.align = max(x.align, fl.align)
		for _, lf := range fl.leaves {
			x.leaves = append(x.leaves, lf.below(f.Name(), step{s: s, index: i}))
		}
	}
	uniqueFields(s)
	l.hide(t, s)
	if n, ok := types.Unalias(t).(*types.Named); ok && l.kept != nil {
		off = l.addKept(s, n, off)
	}
	s.Bytes = roundUp(off, x.align)
	x.size = s.Bytes
	return x
}

// addKept adds the members in which objects of a library type keep something to a struct
// of which the program uses the fields, behind all others.
func (l *layouts) addKept(s *ir.Struct, n *types.Named, off int64) int64 {
	for _, f := range l.kept(n) {
		if f.Name != "__value" {
			off = roundUp(off, 8)
			s.Fields = append(s.Fields, ir.Field{Name: f.Name, Type: f.Type, Offset: off, Hidden: true})
			off += 8
		}
	}
	return off
}

// hidden reports whether only the program can name a field.
func (l *layouts) hidden(f *types.Var) bool {
	return !f.Exported() && !f.Embedded() && l.own(f.Pkg())
}

// uniqueFields numbers blank fields, whose name is not unique.
func uniqueFields(s *ir.Struct) {
	for i := range s.Fields {
		if s.Fields[i].Name == "_" {
			s.Fields[i].Name = fmt.Sprintf("_%d", i)
		}
	}
}

// below is the leaf as part of something larger.
func (lf leaf) below(name string, st step) leaf {
	if lf.name != "" {
		name += "." + lf.name
	}
	lf.name = name
	lf.path = append([]step{st}, lf.path...)
	return lf
}

func (l *layouts) array(u *types.Array) *layout {
	el := l.of(u.Elem())
	stride := roundUp(el.size, el.align)
	arr := ir.Array{Elem: el.mem, Len: u.Len()}
	x := &layout{mem: arr, size: stride * u.Len(), align: el.align}
	if int64(len(el.leaves))*u.Len() > maxLeaves || el.size == 0 {
		x.leaves = []leaf{{t: ir.Ptr{Elem: arr}, blob: arr}}
		return x
	}
	for i := range int(u.Len()) {
		for _, lf := range el.leaves {
			x.leaves = append(x.leaves, lf.below(fmt.Sprint(i), step{elem: el.mem, index: i}))
		}
	}
	return x
}

func roundUp(n, to int64) int64 {
	if to <= 1 {
		return n
	}
	return (n + to - 1) / to * to
}

// entries is how many elements a map or a channel's buffer has in memory: which one an
// operation uses is arbitrary.
const entries = 1 << 8

// mapObject is what a map points to: a header that every operation reads or writes, and
// the elements.
func (l *layouts) mapObject(u *types.Map) *ir.Struct {
	name := "map[" + l.name(u.Key()) + "]" + l.name(u.Elem())
	if s := l.shared[form.Key(u)]; s != nil {
		return s
	}
	s := l.sharedStruct(form.Key(u), name, 16, ir.Field{Name: "__count", Type: intT})
	k, v := l.of(u.Key()), l.of(u.Elem())
	e := l.newStruct(name + " element")
	voff := roundUp(k.size, 8)
	e.Fields = []ir.Field{{Name: "key", Type: k.mem}, {Name: "value", Type: v.mem, Offset: voff}}
	e.Bytes = max(roundUp(voff+v.size, 8), 8)
	n := int64(entries)
	if l.exact {
		l.exactElement(e)
		n = mapSlots
	}
	s.Fields = append(s.Fields, ir.Field{Name: "__elements", Type: ir.Array{Elem: e, Len: n}, Offset: 8})
	s.Bytes = 8 + e.Bytes*n
	if l.exact {
		exactBorn(s)
	}
	return s
}

// chanObject is what a channel points to.
func (l *layouts) chanObject(u *types.Chan) *ir.Struct {
	name := "chan " + l.name(u.Elem())
	id := "chan " + form.Key(u.Elem())
	if s := l.shared[id]; s != nil {
		return s
	}
	if l.slots != nil && l.slots(u) > 0 {
		return l.exactChan(name, id, u)
	}
	s := l.sharedStruct(id, name, 16, ir.Field{Name: "__state", Type: ir.U32}, ir.Field{Name: "__order", Type: ir.U32, Offset: 4})
	el := l.of(u.Elem())
	stride := max(roundUp(el.size, max(el.align, 1)), 1)
	if el.size > 0 {
		s.Fields = append(s.Fields, ir.Field{Name: "__buffer", Type: ir.Array{Elem: el.mem, Len: entries}, Offset: 8})
	}
	s.Bytes = 8 + stride*entries
	return s
}

// modelled are the members of a library type that a model describes.
func (l *layouts) modelled(t *library.Type, n *types.Named) []ir.Field {
	var out []ir.Field
	off := int64(0)
	add := func(name string, ft ir.Type) {
		off = roundUp(off, min(ft.Size(), 8))
		out = append(out, ir.Field{Name: name, Type: ft, Offset: off})
		off += ft.Size()
	}
	for i, k := range t.Kinds {
		name := "__" + t.Fields[i]
		switch k {
		case "u16":
			add(name, ir.Int{Bits: 16})
		case "u32":
			add(name, ir.U32)
		case "i32":
			add(name, ir.I32)
		case "u64":
			add(name, ir.U64)
		case "i64":
			add(name, ir.I64)
		case "ptr":
			pt := ir.VPtr
			if n.TypeArgs().Len() > 0 {
				pt = ir.Ptr{Elem: l.mem(n.TypeArgs().At(0))}
			}
			add(name, pt)
		case "func":
			add(name, funcT)
		case "any":
			add(name+".type", ir.U32)
			off = roundUp(off, 8)
			add(name+".data", ir.VPtr)
		case "bag":
			add(name, ir.Array{Elem: l.of(library.AnyType).mem, Len: bagSize})
		}
	}
	return out
}

// bagSize is how many elements a container of the library has in memory; which one an
// operation uses is arbitrary.
const bagSize = 64
