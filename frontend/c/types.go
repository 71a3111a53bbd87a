package c

import (
	"fmt"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// Types converts cc's types to IR types with a layout of our own: cc ignores packed and
// places some bit-fields wrongly. One Types serves a whole program, so that a struct tag
// with its members is one ir.Struct.
type Types struct {
	structs map[string]*ir.Struct // by key
	list    []*ir.Struct
	byType  map[cc.Type]*ir.Struct
	names   map[string]int
	aligns  map[*ir.Struct]int64
	placed  map[*ir.Struct]bool
	members map[string]string // by tag: the members of the first struct that has it
	narrow  bool              // pointers have 4 bytes
	slot    *ir.Struct        // of variadic arguments; nil where there are none yet
}

// NewTypes returns an empty converter for a data model.
func NewTypes(dataModel string) *Types {
	return &Types{structs: map[string]*ir.Struct{}, byType: map[cc.Type]*ir.Struct{}, names: map[string]int{},
		narrow: dataModel == "ILP32", aligns: map[*ir.Struct]int64{}, placed: map[*ir.Struct]bool{}, members: map[string]string{}}
}

// Structs lists the structs converted so far.
func (t *Types) Structs() []*ir.Struct { return t.list }

// Type converts a C type. Arrays of unknown length have length 0; floating and vector
// types are opaque.
func (t *Types) Type(ct cc.Type) ir.Type {
	switch x := ct.(type) {
	case *cc.PointerType:
		return t.pointer(x)
	case *cc.ArrayType:
		n := x.Len()
		if n < 0 {
			n = 0
		}
		return ir.Array{Elem: t.Type(x.Elem()), Len: n}
	case *cc.StructType, *cc.UnionType:
		return t.Struct(ct)
	case *cc.FunctionType:
		return t.function(x)
	case *cc.EnumType:
		return t.scalar(x.UnderlyingType())
	}
	return t.scalar(ct)
}

// ptr is a pointer to elem in the data model.
func (t *Types) ptr(elem ir.Type) ir.Ptr { return ir.Ptr{Elem: elem, Narrow: t.narrow} }

// word is the type of sizes, and of integers that pointers are taken as.
func (t *Types) word() ir.Int {
	if t.narrow {
		return ir.U32
	}
	return ir.U64
}

// pointer converts a pointer; pointers to functions and structs keep their target.
func (t *Types) pointer(x *cc.PointerType) ir.Type {
	switch e := x.Elem().(type) {
	case *cc.StructType, *cc.UnionType:
		return t.ptr(t.Struct(e))
	case *cc.FunctionType:
		return t.ptr(t.function(e))
	default:
		return t.ptr(t.Type(e))
	}
}

func (t *Types) function(x *cc.FunctionType) ir.FuncType {
	f := ir.FuncType{Result: t.Type(x.Result()), Variadic: x.IsVariadic()}
	if isStruct(x.Result()) { // through a hidden first parameter
		f.Params = append(f.Params, t.ptr(f.Result))
		f.Result = ir.Void{}
	}
	for _, p := range x.Parameters() {
		switch pt := p.Type().Decay(); {
		case pt.Kind() == cc.Void:
		case isStruct(pt): // by the address of a copy
			f.Params = append(f.Params, t.ptr(t.Type(pt)))
		default:
			f.Params = append(f.Params, t.Type(pt))
		}
	}
	if variadic(x) {
		f.Params = append(f.Params, ir.Ptr{Elem: t.slotType()})
	}
	return f
}

func (t *Types) scalar(ct cc.Type) ir.Type {
	size := ct.Size()
	if v := ct.VectorSize(); v > 0 {
		return ir.Opaque{Name: "vector", Bytes: v}
	}
	switch ct.Kind() {
	case cc.Void:
		return ir.Void{}
	case cc.Bool:
		return ir.U8
	case cc.Char, cc.SChar, cc.Short, cc.Int, cc.Long, cc.LongLong, cc.Int128:
		return ir.Int{Bits: int(size) * 8, Signed: true}
	case cc.UChar, cc.UShort, cc.UInt, cc.ULong, cc.ULongLong, cc.UInt128:
		return ir.Int{Bits: int(size) * 8}
	case cc.Enum:
		return ir.U32
	case cc.Ptr:
		return t.ptr(ir.Void{})
	case cc.Function:
		return ir.Void{}
	}
	if size < 0 {
		size = 0
	}
	return ir.Opaque{Name: "float", Bytes: size}
}

// SizeOf is sizeof by our layout.
func (t *Types) SizeOf(ct cc.Type) int64 {
	switch x := ct.(type) {
	case *cc.PointerType:
		return t.ptr(ir.Void{}).Size()
	case *cc.ArrayType:
		if x.Len() < 0 {
			return 0
		}
		return x.Len() * t.SizeOf(x.Elem())
	case *cc.StructType, *cc.UnionType:
		return t.Struct(ct).Bytes
	case *cc.FunctionType:
		return 1
	}
	if ct.Kind() == cc.Void {
		return 1
	}
	if n := ct.Size(); n > 0 {
		return n
	}
	return 0
}

// fieldsOf lists the direct members of a struct or union type.
func fieldsOf(ct cc.Type) []*cc.Field {
	var out []*cc.Field
	switch x := ct.(type) {
	case *cc.StructType:
		for i := 0; i < x.NumFields(); i++ {
			out = append(out, x.FieldByIndex(i))
		}
	case *cc.UnionType:
		for i := 0; i < x.NumFields(); i++ {
			out = append(out, x.FieldByIndex(i))
		}
	}
	return out
}

// Struct converts a struct or union. Equal tags with equal members are one struct, across
// units too.
func (t *Types) Struct(ct cc.Type) *ir.Struct {
	if s := t.byType[ct]; s != nil {
		return s
	}
	tag, union := "", false
	switch x := ct.(type) {
	case *cc.StructType:
		tk := x.Tag()
		tag = tk.SrcStr()
	case *cc.UnionType:
		tk := x.Tag()
		tag, union = tk.SrcStr(), true
	}
	if tag == "" {
		if d := ct.Typedef(); d != nil {
			tag = d.Name()
		} else {
			tag = "anonymous"
		}
	}
	key := fmt.Sprintf("%v %s", union, tag)
	if sig := signature(ct); sig != "" {
		// tags of blocks may differ
		if !namedTag(ct) || t.members[key] != "" && t.members[key] != sig {
			key += " " + sig
		} else {
			t.members[key] = sig
		}
	}
	s := t.structs[key]
	if s == nil {
		t.names[tag]++
		name := tag
		if n := t.names[tag]; n > 1 {
			name = fmt.Sprintf("%s#%d", tag, n)
		}
		s = &ir.Struct{Name: name, Union: union}
		t.structs[key] = s
		t.byType[ct] = s
		t.list = append(t.list, s)
	}
	t.byType[ct] = s
	if !t.placed[s] && !ct.IsIncomplete() {
		t.placed[s] = true
		t.layout(s, ct)
	}
	return s
}

// signature distinguishes different structs of one name; "" for incomplete types, which
// match by tag alone.
func signature(ct cc.Type) string {
	if ct.IsIncomplete() {
		return ""
	}
	s := ""
	for _, f := range fieldsOf(ct) {
		s += fmt.Sprintf("%s %s %d %d;", f.Name(), f.Type().Kind(), f.Offset(), f.Type().Size())
		if f.IsBitfield() {
			s += fmt.Sprintf("%d:%d;", f.OffsetBits(), f.ValueBits())
		}
	}
	return s + fmt.Sprint(ct.Size())
}

// namedTag: tagged structs are identified by their tag, where their members agree.
func namedTag(ct cc.Type) bool {
	switch x := ct.(type) {
	case *cc.StructType:
		tk := x.Tag()
		return tk.SrcStr() != ""
	case *cc.UnionType:
		tk := x.Tag()
		return tk.SrcStr() != ""
	}
	return false
}
