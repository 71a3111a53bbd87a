package irgen

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// Layout says how values of a Go type lie in memory, and what scalars they consist of.
type Layout struct {
	Mem         ir.Type
	Size, Align int64
	Leaves      []Leaf
}

// Leaf is one scalar of a value. A blob is a large array: in memory it is the array
// itself, as a value it is the address of a copy that nothing changes.
type Leaf struct {
	Name string
	T    ir.Type
	Blob ir.Type
	path []step
}

// step is one member access or array index on the way to a leaf.
type step struct {
	s     *ir.Struct
	index int
	elem  ir.Type // not nil: element index of an array
}

// Addr returns the address of the leaf of the value at base.
func (lf Leaf) Addr(base ir.Expr) ir.Expr {
	for _, st := range lf.path {
		if st.elem != nil {
			base = ir.IndexAddr{Base: base, Idx: ir.IntConst(ir.I64, int64(st.index)), Stride: st.elem.Size(), T: ir.Ptr{Elem: st.elem}}
		} else {
			base = ir.FieldAddr{Base: base, S: st.s, Index: st.index}
		}
	}
	if lf.Blob != nil {
		return ir.Cast{X: base, T: ir.Ptr{Elem: lf.Blob}}
	}
	if p, ok := base.Type().(ir.Ptr); !ok || !ir.Equal(p.Elem, lf.T) {
		base = ir.Cast{X: base, T: ir.Ptr{Elem: lf.T}}
	}
	return base
}

// maxLeaves is how many scalars an array may have as a value; larger ones are blobs.
const maxLeaves = 16

// Scalar types that Go's are represented by.
var (
	OpaqueT = ir.U32 // strings, floats, complex numbers, values of types that are not looked into
	BoolT   = ir.U8
	CodePtr = ir.Ptr{Elem: ir.FuncType{Result: ir.Void{}}} // addresses of code
	FuncT   = ir.VPtr                                      // function values
	IntT    = ir.I64
)

// Layouts computes and keeps layouts.
type Layouts struct {
	known   typeutil.Map // types.Type -> *layout
	shells  typeutil.Map // struct types -> *ir.Struct
	busy    typeutil.Map
	open    map[string]types.Type // types that depend on type parameters: see general
	Structs []*ir.Struct
	Names   map[string]int
	Shared  map[string]*ir.Struct // those that are not Go structs: slices, maps, …
	Name    func(types.Type) string
	Own     func(*types.Package) bool // packages with bodies
	// Slots is how many elements a channel has in memory where it is represented exactly;
	// 0: it is not.
	Slots  func(*types.Chan) int64
	Exact  bool
	Unsafe bool // offsets are those that package unsafe says
	// Generic: bodies run in which a type parameter may stand for struct{}. So struct{} has
	// a value, as a type parameter has: who passes one and who takes it agree on where
	// others are.
	Generic   bool
	Gostructs map[*ir.Struct]types.Type
	// Special returns the representation of a library type that is not looked into:
	// fields, or nothing for one opaque scalar; ok is false for ordinary types.
	Special func(types.Type) (fields []ir.Field, size int64, ok bool)
	// Kept are the members in which objects of a library type keep something.
	Kept func(n *types.Named) []ir.Field
	// Instead is the type that another one is laid out as, or nil.
	Instead func(t types.Type) types.Type
	// Hide marks fields of a new struct that functions not seen do not access.
	Hide func(t types.Type, s *ir.Struct)
}

// NewStruct registers a struct under a unique name.
func (l *Layouts) NewStruct(name string) *ir.Struct {
	l.Names[name]++
	if n := l.Names[name]; n > 1 {
		name = fmt.Sprintf("%s#%d", name, n)
	}
	s := &ir.Struct{Name: name}
	l.Structs = append(l.Structs, s)
	return s
}

// SharedStruct returns the struct that is known by key, made with that name and these
// fields the first time.
func (l *Layouts) SharedStruct(key, name string, size int64, fields ...ir.Field) *ir.Struct {
	if s := l.Shared[key]; s != nil {
		return s
	}
	s := l.NewStruct(name)
	s.Fields, s.Bytes = fields, size
	l.Shared[key] = s
	return s
}

// Of returns the layout of a type.
func (l *Layouts) Of(t types.Type) *Layout {
	t = l.general(t)
	if x, ok := l.known.At(t).(*Layout); ok {
		return x
	}
	x := l.compute(t)
	l.known.Set(t, x)
	return x
}

// mem returns the type that memory of a Go type has; inside recursive types it may not be
// complete yet.
func (l *Layouts) mem(t types.Type) ir.Type {
	t = l.general(t)
	if x, ok := l.known.At(t).(*Layout); ok {
		return x.Mem
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
	return l.Of(t).Mem
}

// general is form.General, and for other instances that depend on type parameters, and for
// structs without a name in a generic type, the same type for all functions: each has type
// parameters of its own, and so have its types.
func (l *Layouts) general(t types.Type) types.Type {
	t = form.General(t)
	switch u := t.(type) {
	case *types.Struct:
		if u.NumFields() == 0 {
			return t
		}
	case *types.Named:
		if u.TypeArgs().Len() == 0 {
			return t
		}
	default:
		return t
	}
	k, open := form.OpenKey(t)
	switch u := l.open[k]; {
	case !open:
		return t
	case u != nil:
		return u
	case l.open == nil:
		l.open = map[string]types.Type{}
	}
	l.open[k] = t
	return t
}

func scalar(t ir.Type, size int64) *Layout {
	return &Layout{Mem: t, Size: size, Align: size, Leaves: []Leaf{{T: t}}}
}

// composite is the layout of a struct with scalar members.
func composite(s *ir.Struct) *Layout {
	x := &Layout{Mem: s, Size: s.Bytes, Align: 8}
	for i, f := range s.Fields {
		x.Leaves = append(x.Leaves, Leaf{Name: f.Name, T: f.Type, path: []step{{s: s, index: i}}})
	}
	return x
}

func (l *Layouts) compute(t types.Type) *Layout {
	if is := l.Instead(t); is != nil {
		return l.Of(is)
	}
	if fields, size, ok := l.Special(t); ok {
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
		return scalar(FuncT, 8)
	case *types.Map:
		return scalar(ir.Ptr{Elem: l.mapObject(u)}, 8)
	case *types.Chan:
		return scalar(ir.Ptr{Elem: l.ChanObject(u)}, 8)
	case *types.Slice:
		elem := l.mem(u.Elem())
		return composite(whole(l.SharedStruct("[]"+form.Key(u.Elem()), "[]"+l.Name(u.Elem()), 24,
			ir.Field{Name: "array", Type: ir.Ptr{Elem: elem}},
			ir.Field{Name: "len", Type: IntT, Offset: 8}, ir.Field{Name: "cap", Type: IntT, Offset: 16})))
	case *types.Interface:
		return composite(whole(l.SharedStruct("interface", "interface", 16,
			ir.Field{Name: "type", Type: ir.U32},
			ir.Field{Name: "data", Type: ir.VPtr, Offset: 8})))
	case *types.Struct:
		return l.structure(t, u)
	case *types.Array:
		return l.array(u)
	case *types.Tuple:
		x := &Layout{Mem: ir.Void{}}
		for i := range u.Len() {
			x.Leaves = append(x.Leaves, l.Of(u.At(i).Type()).Leaves...)
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
func (l *Layouts) opaque(name string, size int64) *Layout {
	return composite(l.SharedStruct(name, name, size, ir.Field{Name: "__value", Type: OpaqueT}))
}

// library is a type that a model describes, or that is opaque.
func (l *Layouts) library(t types.Type, fields []ir.Field, size int64) *Layout {
	s := l.NewStruct(l.Name(t))
	if len(fields) == 0 {
		fields = []ir.Field{{Name: "__value", Type: OpaqueT}}
	}
	s.Fields, s.Bytes = fields, max(size, 4)
	l.Hide(t, s)
	x := &Layout{Mem: s, Size: s.Bytes, Align: 8}
	if s.Bytes%8 != 0 { // elements of an array follow each other at once
		x.Align = 4
	}
	for i, f := range fields {
		st := step{s: s, index: i}
		if a, ok := f.Type.(ir.Array); ok {
			x.Leaves = append(x.Leaves, Leaf{Name: f.Name, T: ir.Ptr{Elem: a}, Blob: a, path: []step{st}})
		} else {
			x.Leaves = append(x.Leaves, Leaf{Name: f.Name, T: f.Type, path: []step{st}})
		}
	}
	return x
}

func (l *Layouts) basic(u *types.Basic) *Layout {
	ints := map[types.BasicKind]ir.Int{types.Int: ir.I64, types.Int8: ir.I8, types.Int16: {Bits: 16, Signed: true}, types.Int32: ir.I32,
		types.Int64: ir.I64, types.Uint: ir.U64, types.Uint8: ir.U8, types.Uint16: {Bits: 16}, types.Uint32: ir.U32,
		types.Uint64: ir.U64, types.Uintptr: ir.U64, types.UntypedInt: ir.I64, types.UntypedRune: ir.I32}
	if t, ok := ints[u.Kind()]; ok {
		return scalar(t, t.Size())
	}
	switch u.Kind() {
	case types.Invalid: // a component that is not wanted
		return &Layout{Mem: ir.Void{}, Align: 1}
	case types.Bool, types.UntypedBool:
		return scalar(BoolT, 1)
	case types.UnsafePointer, types.UntypedNil:
		return scalar(ir.VPtr, 8)
	case types.Float32:
		return scalar(OpaqueT, 4)
	case types.Float64, types.UntypedFloat, types.Complex64:
		return l.opaque(u.Name(), 8)
	}
	return l.opaque(u.Name(), 16) // strings, complex128
}

// structure lays out a struct. A first field that code not seen cannot name lies behind a
// gap: so the address of the struct, which such code may have, is not that of the field.
func (l *Layouts) structure(t types.Type, u *types.Struct) *Layout {
	s := l.NewStruct(l.Name(t))
	l.shells.Set(t, s)
	l.Gostructs[s] = t
	x := &Layout{Mem: s, Align: 1}
	off := int64(0)
	if u.NumFields() > 0 && l.Hidden(u.Field(0)) && !l.Unsafe {
		off, x.Align = 8, 8
	}
	if u.NumFields() == 0 && l.Generic {
		s.Fields = append(s.Fields, ir.Field{Name: "__value", Type: OpaqueT})
		x.Leaves = []Leaf{{Name: "__value", T: OpaqueT, path: []step{{s: s}}}}
		off, x.Align = 16, 8
	}
	for i := range u.NumFields() {
		f := u.Field(i)
		fl := l.Of(f.Type())
		off = RoundUp(off, fl.Align)
		s.Fields = append(s.Fields, ir.Field{Name: f.Name(), Type: fl.Mem, Offset: off, Hidden: l.Hidden(f)})
		off += fl.Size
		x.Align = max(x.Align, fl.Align)
		for _, lf := range fl.Leaves {
			x.Leaves = append(x.Leaves, lf.below(f.Name(), step{s: s, index: i}))
		}
	}
	uniqueFields(s)
	l.Hide(t, s)
	if n, ok := types.Unalias(t).(*types.Named); ok && l.Kept != nil {
		off = l.addKept(s, n, off)
	}
	s.Bytes = RoundUp(off, x.Align)
	x.Size = s.Bytes
	return x
}

// addKept adds the members in which objects of a library type keep something to a struct
// of which the program uses the fields, behind all others.
func (l *Layouts) addKept(s *ir.Struct, n *types.Named, off int64) int64 {
	for _, f := range l.Kept(n) {
		if f.Name != "__value" {
			off = RoundUp(off, 8)
			s.Fields = append(s.Fields, ir.Field{Name: f.Name, Type: f.Type, Offset: off, Hidden: true})
			off += 8
		}
	}
	return off
}

// Hidden reports whether only the program can name a field.
func (l *Layouts) Hidden(f *types.Var) bool {
	return !f.Exported() && !f.Embedded() && l.Own(f.Pkg())
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
func (lf Leaf) below(name string, st step) Leaf {
	if lf.Name != "" {
		name += "." + lf.Name
	}
	lf.Name = name
	lf.path = append([]step{st}, lf.path...)
	return lf
}

func (l *Layouts) array(u *types.Array) *Layout {
	el := l.Of(u.Elem())
	stride := RoundUp(el.Size, el.Align)
	arr := ir.Array{Elem: el.Mem, Len: u.Len()}
	x := &Layout{Mem: arr, Size: stride * u.Len(), Align: el.Align}
	if int64(len(el.Leaves))*u.Len() > maxLeaves || el.Size == 0 {
		x.Leaves = []Leaf{{T: ir.Ptr{Elem: arr}, Blob: arr}}
		return x
	}
	for i := range int(u.Len()) {
		for _, lf := range el.Leaves {
			x.Leaves = append(x.Leaves, lf.below(fmt.Sprint(i), step{elem: el.Mem, index: i}))
		}
	}
	return x
}

// Sized is what is allocated for a type: an element for an array of none, and a byte for
// others that have no size.
func Sized(t ir.Type) ir.Type {
	if t.Size() > 0 {
		return t
	}
	if a, ok := t.(ir.Array); ok {
		return Sized(a.Elem)
	}
	return ir.U8
}

func RoundUp(n, to int64) int64 {
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
func (l *Layouts) mapObject(u *types.Map) *ir.Struct {
	name := "map[" + l.Name(u.Key()) + "]" + l.Name(u.Elem())
	if s := l.Shared[form.Key(u)]; s != nil {
		return s
	}
	s := l.SharedStruct(form.Key(u), name, 16, ir.Field{Name: "__count", Type: IntT})
	k, v := l.Of(u.Key()), l.Of(u.Elem())
	e := l.NewStruct(name + " element")
	voff := RoundUp(k.Size, 8)
	e.Fields = []ir.Field{{Name: "key", Type: k.Mem}, {Name: "value", Type: v.Mem, Offset: voff}}
	e.Bytes = max(RoundUp(voff+v.Size, 8), 8)
	n := int64(entries)
	if l.Exact {
		l.exactElement(e)
		n = MapSlots
	}
	s.Fields = append(s.Fields, ir.Field{Name: "__elements", Type: ir.Array{Elem: e, Len: n}, Offset: 8})
	s.Bytes, s.Closed = 8+e.Bytes*n, true
	if l.Exact {
		exactBorn(s)
	}
	return s
}

// ChanObject is what a channel points to.
func (l *Layouts) ChanObject(u *types.Chan) *ir.Struct {
	name := "chan " + l.Name(u.Elem())
	id := "chan " + form.Key(u.Elem())
	if s := l.Shared[id]; s != nil {
		return s
	}
	if l.Slots != nil && l.Slots(u) > 0 {
		return l.exactChan(name, id, u)
	}
	s := l.SharedStruct(id, name, 16, ir.Field{Name: "__state", Type: ir.U32}, ir.Field{Name: "__order", Type: ir.U32, Offset: 4})
	el := l.Of(u.Elem())
	stride := max(RoundUp(el.Size, max(el.Align, 1)), 1)
	if el.Size > 0 {
		s.Fields = append(s.Fields, ir.Field{Name: "__buffer", Type: ir.Array{Elem: el.Mem, Len: entries}, Offset: 8})
	}
	s.Bytes, s.Closed = 8+stride*entries, true
	return s
}

// Modelled are the members of a library type that a model describes.
func (l *Layouts) Modelled(t *library.Type, n *types.Named) []ir.Field {
	var out []ir.Field
	off := int64(0)
	add := func(name string, ft ir.Type) {
		off = RoundUp(off, min(ft.Size(), 8))
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
			add(name, FuncT)
		case "any":
			add(name+".type", ir.U32)
			off = RoundUp(off, 8)
			add(name+".data", ir.VPtr)
		case "bag":
			add(name, ir.Array{Elem: l.Of(library.AnyType).Mem, Len: bagSize})
		}
	}
	return out
}

// bagSize is how many elements a container of the library has in memory; which one an
// operation uses is arbitrary.
const bagSize = 64
