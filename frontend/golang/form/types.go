package form

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

func IsInteger(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func ComponentTypes(t *types.Tuple) []types.Type {
	var out []types.Type
	for i := range t.Len() {
		out = append(out, t.At(i).Type())
	}
	return out
}

// ParamTypes lists the types of a function's parameters, the receiver first.
func ParamTypes(sig *types.Signature) []types.Type {
	var out []types.Type
	if sig.Recv() != nil {
		out = append(out, sig.Recv().Type())
	}
	for i := range sig.Params().Len() {
		out = append(out, sig.Params().At(i).Type())
	}
	return out
}

var ErrorType = types.Universe.Lookup("error").Type()

// PlainSignature is a signature without a receiver.
func PlainSignature(sig *types.Signature) *types.Signature {
	return types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
}

// MapKey names the map types that may be one for generic code.
func MapKey(t types.Type) string {
	m, ok := t.Underlying().(*types.Map)
	if !ok || IsParam(m.Key()) || IsParam(m.Elem()) {
		return "any"
	}
	return OriginKey(m.Key())
}

// IsReference reports whether a library type is a pointer, map or slice by itself.
func IsReference(n *types.Named) bool {
	switch n.Underlying().(type) {
	case *types.Map, *types.Slice, *types.Chan, *types.Pointer:
		return true
	}
	return false
}

func OfType(t types.Type, n *types.Named) bool {
	u, ok := types.Unalias(Deref(t)).(*types.Named)
	return ok && u.Origin() == n
}

func IsUnsafe(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

func IsParam(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}

// ElemOf is the type of the elements of slices or channels of a type, also of one that a
// type parameter stands for; nil for other types.
func ElemOf(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return u.Elem()
	case *types.Chan:
		return u.Elem()
	case *types.Interface: // a constraint: all have the same
		for e := range u.EmbeddedTypes() {
			if union, ok := e.(*types.Union); ok && union.Len() > 0 {
				e = union.Term(0).Type()
			}
			if out := ElemOf(e); out != nil {
				return out
			}
		}
	}
	return nil
}

// GeneralPointer is general for pointers, too.
func GeneralPointer(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		if g := General(p.Elem()); g != types.Unalias(p.Elem()) {
			return types.NewPointer(g)
		}
		return t
	}
	return General(t)
}

// Generic reports whether a type, or what it points to, is a generic one.
func Generic(t types.Type) bool {
	n, ok := types.Unalias(Deref(t)).(*types.Named)
	return ok && n.TypeParams().Len() > 0 && n.TypeArgs().Len() == 0
}

// Deref is what a pointer type points to.
func Deref(t types.Type) types.Type {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

func IsBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

func IsInt(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}

func IsBool(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsBoolean != 0
}

// HasMethods reports whether a type is an interface with methods.
func HasMethods(t types.Type) bool {
	it, ok := t.Underlying().(*types.Interface)
	return ok && it.NumMethods() > 0 && !IsParam(t)
}

// WideInt reports whether numbers of a type do not come round.
func WideInt(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0 && types.SizesFor("gc", "amd64").Sizeof(b) == 8
}

// StructKey names a struct type; all instances of a generic one have the same name.
func StructKey(t types.Type) string {
	if n, ok := types.Unalias(t).(*types.Named); ok {
		return Key(n.Origin())
	}
	return Key(t)
}

func OriginKey(t types.Type) string {
	if n, ok := types.Unalias(t).(*types.Named); ok {
		t = n.Origin()
	}
	return Key(t)
}

// OfParams reports whether a type depends on type parameters: a generic function that
// hands on what it is given may be lowered once for all types.
func OfParams(n *types.Named) bool {
	if n.TypeParams().Len() > 0 && n.TypeArgs().Len() == 0 {
		return true
	}
	for t := range n.TypeArgs().Types() {
		if DependsOnParams(t) {
			return true
		}
	}
	return false
}

// DependsOnParams reports whether there is a type parameter in a type, or may be: functions
// and interfaces are not looked into.
func DependsOnParams(t types.Type) bool {
	return contains(t, 0, func(t types.Type) (yes, known bool) {
		switch t.(type) {
		case *types.Signature, *types.Interface, *types.Tuple:
			return true, true
		}
		return false, false
	})
}

// IsSyncType reports whether a variable is nothing but a lock or the like.
func IsSyncType(t types.Type) bool {
	n, ok := types.Unalias(Deref(t)).(*types.Named)
	return ok && n.Obj().Pkg() != nil && (n.Obj().Pkg().Path() == "sync" || n.Obj().Pkg().Path() == "sync/atomic") && n.Obj().Name() != "Map"
}

func IsErrorValue(v ssa.Value) bool {
	return types.Identical(v.Type(), types.Universe.Lookup("error").Type())
}

// PointersIn lists the types of the pointers in a value.
func PointersIn(t types.Type) []types.Type {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		var out []types.Type
		for f := range u.Fields() {
			out = append(out, PointersIn(f.Type())...)
		}
		return out
	case *types.Array:
		return PointersIn(u.Elem())
	case *types.Basic:
		if u.Kind() != types.UnsafePointer {
			return nil
		}
	}
	return []types.Type{t}
}

func SameNamed(t types.Type, n *types.Named) bool {
	m, ok := types.Unalias(Deref(t)).(*types.Named)
	return ok && m.Origin() == n.Origin()
}

func IsPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func IsStruct(t types.Type) bool {
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// MentionsParam reports whether a type depends on type parameters, or may: one that is
// declared in a function does where that is generic.
func MentionsParam(t types.Type) bool {
	return contains(t, 0, func(t types.Type) (yes, known bool) {
		switch t := t.(type) {
		case *types.Named:
			if p := t.Obj().Pkg(); p != nil && t.Obj().Parent() != p.Scope() {
				return true, true
			}
			return true, t.TypeParams().Len() > 0 && t.TypeArgs().Len() == 0
		case *types.Interface:
			return true, t.NumEmbeddeds() > 0
		}
		return false, false
	})
}

// contains reports whether a type parameter, or what is says yes to, is part of how a type
// is written; where is knows the answer, the type is not looked into.
func contains(t types.Type, depth int, is func(types.Type) (yes, known bool)) bool {
	t = types.Unalias(t)
	if depth > 8 {
		return true
	}
	if yes, known := is(t); known {
		return yes
	}
	var in []types.Type
	switch t := t.(type) {
	case *types.Basic:
		return false
	case *types.TypeParam:
		return true
	case *types.Named:
		in = slices.Collect(t.TypeArgs().Types())
	case *types.Signature:
		in = []types.Type{t.Params(), t.Results()}
	case *types.Struct:
		for f := range t.Fields() {
			in = append(in, f.Type())
		}
	case *types.Interface:
		for m := range t.Methods() {
			in = append(in, m.Signature())
		}
	default:
		if in = Parts(t); in == nil {
			return true
		}
	}
	return slices.ContainsFunc(in, func(t types.Type) bool { return contains(t, depth+1, is) })
}

// Parts are the types that a pointer, slice, array, channel or map leads to, and those of a
// tuple; nil for other types.
func Parts(t types.Type) []types.Type {
	switch u := t.Underlying().(type) {
	case *types.Map:
		return []types.Type{u.Key(), u.Elem()}
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		return []types.Type{u.Elem()}
	case *types.Tuple:
		out := []types.Type{}
		for v := range u.Variables() {
			out = append(out, v.Type())
		}
		return out
	}
	return nil
}

func BasicFields(st *types.Struct) bool {
	for i := range st.NumFields() {
		switch t := st.Field(i).Type().Underlying().(type) {
		case *types.Basic:
		case *types.Interface: // what recover returned: it is only handed on
			if t.NumMethods() > 0 {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func HasMethod(u *types.Interface, name string) bool {
	for i := range u.NumMethods() {
		if u.Method(i).Name() == name {
			return true
		}
	}
	return false
}

// General is the generic type itself for an instance whose arguments are type parameters:
// each method has its own. An instance with other arguments, such as box[*R[T]], lies in
// memory as these do.
func General(t types.Type) types.Type {
	t = types.Unalias(t)
	n, ok := t.(*types.Named)
	if !ok || n.TypeArgs().Len() == 0 {
		return t
	}
	args := slices.Collect(n.TypeArgs().Types())
	if !OnlyParams(args) || !slices.ContainsFunc(args, IsParam) {
		return t
	}
	return n.Origin()
}

// OnlyParams reports whether types are type parameters, none of them twice, or types of
// which generic code knows all that matters: those without memory, on values of which
// nothing races, whatever they are taken for, and plain ones.
func OnlyParams(ts []types.Type) bool {
	for i, t := range ts {
		if !IsParam(t) && !IsNothing(t) && !isText(t) || IsParam(t) && slices.Contains(ts[:i], t) {
			return false
		}
	}
	return true
}

// isText reports whether a type is laid out as a type parameter is, and used like one: a
// number of that size stands for a value, which leads nowhere and has no methods. So it is
// with strings. Numbers have other sizes, and their elements of arrays other places.
func isText(t types.Type) bool {
	b, ok := types.Unalias(t).(*types.Basic)
	return ok && b.Kind() == types.String
}

// IsNothing reports whether values of a type take no memory and do nothing: it has no
// methods either, so that a body in which a type parameter stands for it misses none.
func IsNothing(t types.Type) bool {
	return IsEmpty(t) && types.NewMethodSet(types.NewPointer(t)).Len() == 0
}

// IsEmpty reports whether values of a type take no memory.
func IsEmpty(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

func MemberAt(a *ssa.FieldAddr) *types.Var {
	return Deref(a.X.Type()).Underlying().(*types.Struct).Field(a.Field).Origin()
}
