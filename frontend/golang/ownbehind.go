package golang

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// Types of a library that its users put behind its interfaces. A dispatcher knows the types
// that the program puts into interfaces, and lets methods of others do what code not seen
// does. Rule: in a library, the types are put into interfaces that users may have values
// of: they can name them, or get them from the library as what they are. Users then call
// the library with these; so its dispatchers run the methods, on all such values that users
// can get hold of (narrow.go), as they do for a parameter of the type itself. Interfaces of
// other modules, such as io.Writer, are left to the assumption foreign-implementation.
//
// A type whose methods are entry points is left out for methods that neither get nor return
// anything that leads to memory, errors aside: that such a method may be called at any time,
// on any such value, is what an entry point means, and nothing else comes of the call.
//
// Generic types are left out: SSA form has no methods of instances that nobody mentions.

// inInterfaces lists the types that are put into interfaces, by the program, or by users
// into one of its own.
func (l *lowering) inInterfaces(it *types.Interface) []types.Type {
	if !l.ownInterface(it) {
		return l.precise.Dynamic
	}
	out := slices.Clone(l.precise.Dynamic)
	for _, t := range l.BoxedByUsers {
		if !l.dynamic(t).boxed {
			out = append(out, t)
		}
	}
	return out
}

// ownInterface reports whether a package of the program declares a method of an interface,
// or it is the constraint of a type parameter.
func (l *lowering) ownInterface(it *types.Interface) bool {
	if l.constraints[it] {
		return true
	}
	for m := range it.Methods() {
		if l.Own[m.Pkg()] {
			return true
		}
	}
	return false
}

// comparedAnyway reports whether a method that users alone put behind an interface is an
// entry point, and no memory is handed over when it is called.
func (l *lowering) comparedAnyway(t types.Type, m *types.Func) bool {
	n, ok := types.Unalias(form.Deref(t)).(*types.Named)
	if !ok || !m.Exported() || l.dynamic(t).boxed || !l.ReceiverTypes[n] {
		return false
	}
	leads := func(t types.Type) bool {
		return l.hasPointers(t) && !types.Identical(t, form.ErrorType)
	}
	return !slices.ContainsFunc(form.ComponentTypes(m.Signature().Params()), leads) &&
		!slices.ContainsFunc(form.ComponentTypes(m.Signature().Results()), leads)
}

// usersGive is a value that users give to the library, or return to it: where it is an
// interface, it may have a value of the library in it that they have.
func (x *fn) usersGive(t types.Type) irgen.Value {
	defer func(old bool) { x.byUsers = old }(x.byUsers)
	x.byUsers = true
	return x.outside(t)
}

// boxed is a value of an interface. One whose type is a type parameter, of which a method
// is called, is of users: they chose the type, which may be one of the library that they
// have values of.
func (x *fn) boxed(v ssa.Value) irgen.Value {
	if !form.IsParam(v.Type()) {
		return x.Val(v)
	}
	it := v.Type().Underlying().(*types.Interface)
	if why := x.unknownReceiver(it); why != "" {
		x.Fail("a call of a method of a value whose type is a type parameter, %s", why)
	}
	if x.constraints == nil {
		x.constraints = map[*types.Interface]bool{}
	}
	x.constraints[it] = true
	out := x.foreignInterface(nil)
	if slices.ContainsFunc(slices.Concat(x.askedOfUsers, x.BoxedByUsers), func(t types.Type) bool { return x.satisfies(t, it) }) {
		out = x.either(library.AnyType, out, x.foreignInterface(x.external("user", nil)))
	}
	return out
}

// unknownReceiver says why it is not known which methods a call of a constraint's runs; ""
// where it is: types that lead to memory which the library has, and generic types of the
// library, of which there are no methods of instances that nobody mentions.
func (l *lowering) unknownReceiver(it *types.Interface) string {
	if hasTerms(it, 0) {
		return "which stands for certain types"
	}
	for m := range it.Methods() {
		if slices.ContainsFunc(form.ComponentTypes(m.Signature().Params()), func(t types.Type) bool { return form.IsPointer(t) && form.IsParam(form.Deref(t)) }) {
			return "that is given the address of another one"
		}
	}
	for _, f := range l.Sources {
		r := f.Signature.Recv()
		if r == nil || f.Signature.RecvTypeParams().Len() == 0 {
			continue
		}
		for m := range it.Methods() {
			if m.Name() == f.Name() && form.MayBeOne(m.Signature(), withoutReceiver(f.Signature)) {
				return "and a generic type has such a method"
			}
		}
	}
	return ""
}

func withoutReceiver(s *types.Signature) *types.Signature {
	return types.NewSignatureType(nil, nil, nil, s.Params(), s.Results(), s.Variadic())
}

// hasTerms reports whether an interface says which types there are, but for comparable.
func hasTerms(it *types.Interface, depth int) bool {
	for e := range it.EmbeddedTypes() {
		u, ok := e.Underlying().(*types.Interface)
		if !ok || depth < 10 && hasTerms(u, depth+1) {
			return true
		}
	}
	return false
}

// usersImplement reports whether users may put a value that leads to something behind an
// interface, of a type that the program finds there: it declares the interface, or asks
// for the type.
func (l *lowering) usersImplement(it *types.Interface) bool {
	found := func(t types.Type) bool { return l.hasPointers(t) && l.satisfies(t, it) }
	return slices.ContainsFunc(l.askedOfUsers, found) || l.ownInterface(it) && slices.ContainsFunc(l.BoxedByUsers, found)
}

// behindKey is a type and an interface that it may implement: each method of an interface
// asks, and one may have hundreds.
type behindKey struct {
	t  types.Type
	it *types.Interface
}

// satisfies reports whether a type implements an interface, or may where that depends on
// the type parameter whose constraint it is.
func (l *lowering) satisfies(t types.Type, it *types.Interface) bool {
	k := behindKey{t, it}
	yes, known := l.behind[k]
	if !known {
		yes = types.Implements(t, it)
		if l.behind == nil {
			l.behind = map[behindKey]bool{}
		}
		l.behind[k] = yes
	}
	if yes {
		return true
	}
	ms := l.Prog.MethodSets.MethodSet(t)
	return l.constraints[it] && it.NumMethods() > 0 && !slices.ContainsFunc(slices.Collect(it.Methods()), func(m *types.Func) bool {
		sel := ms.Lookup(m.Pkg(), m.Name())
		return sel == nil || !form.MayBeOne(sel.Type(), m.Type())
	})
}

// nameAsked lets code not seen know of the types that the program asks for: it has objects
// of them, and of interface values.
func (x *fn) nameAsked() {
	if len(x.askedOfUsers) > 0 {
		x.Emit(x.handing(ir.Cast{X: ir.Null{T: ir.Ptr{Elem: x.box}}, T: ir.VPtr}))
	}
	for _, t := range x.askedOfUsers {
		if m := x.lay.Of(t).Mem; x.hasPointers(t) {
			x.Emit(x.handing(ir.Cast{X: ir.Null{T: ir.Ptr{Elem: m}}, T: ir.VPtr}))
		}
	}
}
