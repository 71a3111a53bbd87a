package golang

import (
	"go/ast"
	"go/types"
	"strings"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/world"
	"whoop/ir"
)

// Open calls are those of which the callee is outside of what is analysed, and not known:
// functions of users, and methods of types that are not seen behind interfaces.

// confinedCall is what an open call does to what it is given, and what it returns; args
// has the leaves of all parameters.
//
// It reads what its arguments lead to, in members that it can name; it may write what a
// pointer argument points to directly; it calls the functions, and the methods behind
// interfaces, that it is given; and it returns something new or an argument.
func (x *fn) confinedCall(name string, sig *types.Signature, args irgen.Value) irgen.Value {
	var parts []irgen.Value
	ts := form.ComponentTypes(sig.Params())
	for _, t := range ts {
		n := len(x.lay.Of(t).Leaves)
		parts = append(parts, args[:n])
		args = args[n:]
	}
	for i, t := range ts {
		if x.lookedAt == nil || !library.MayPrint(t) || x.lookedAt(i) {
			x.openArgument(name, t, parts[i])
		}
	}
	for i, t := range ts {
		x.openCallback(t, parts[i])
	}
	var out irgen.Value
	for _, t := range form.ComponentTypes(sig.Results()) {
		out = append(out, x.openResult(t, ts, parts)...)
	}
	return out
}

// openArgument is the access to one argument.
func (x *fn) openArgument(name string, t types.Type, v irgen.Value) {
	if _, isFunc := t.Underlying().(*types.Signature); isFunc {
		return
	}
	for _, p := range pointersOf(v) {
		x.Emit(&ir.Touch{Base: x.Base(), Addr: p, Read: true, Deep: true, Named: !library.MayPrint(t), Printed: library.MayPrint(t) && !x.PrintsOtherwise(), Why: name})
	}
	if x.leadsToReceiver(t, map[types.Type]bool{}) {
		x.handOut(v)
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		x.When(irgen.Not(irgen.IsNil(v[0])), func() { x.openWrite(p.Elem(), v[0]) })
	}
	if x.besideUsers && x.leadsToSet(t) {
		x.handOut(v)
	}
}

// openWrite may write the exported members of a struct, or a value that is none.
func (x *fn) openWrite(t types.Type, at ir.Expr) {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		if _, _, special := x.Special(types.Unalias(t)); !special && !form.IsParam(t) {
			v := x.usersGive(t)
			x.When(irgen.Cond(x.havoc(irgen.BoolT)), func() { x.Store(t, irgen.Typed(at, ir.Ptr{Elem: x.lay.Of(t).Mem}), v, ir.Plain) })
		}
		return
	}
	mem, ok := x.lay.Of(t).Mem.(*ir.Struct)
	if !ok || len(mem.Fields) < st.NumFields() {
		return
	}
	if _, _, special := x.Special(types.Unalias(t)); special {
		return
	}
	for i := range st.NumFields() {
		if f := st.Field(i); f.Exported() && x.lay.Of(f.Type()).Mem.Size() > 0 {
			x.openWrite(f.Type(), ir.FieldAddr{Base: irgen.Typed(at, ir.Ptr{Elem: mem}), S: mem, Index: i})
		}
	}
}

// openCallback calls what a callee is given.
func (x *fn) openCallback(t types.Type, v irgen.Value) {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		if _, null := v[0].(ir.Null); !null {
			x.repeat(func() { x.CallDynamic(u, v[0], x.usersGive(u.Params())) })
		}
	case *types.Interface:
		x.methodCallbacks(v, t, u)
	}
}

// openResult is something new, or an argument that may be of the type.
func (x *fn) openResult(t types.Type, ts []types.Type, args []irgen.Value) irgen.Value {
	out := x.usersGive(t)
	it, isIface := t.Underlying().(*types.Interface)
	for i, s := range ts {
		var v irgen.Value
		switch {
		case len(pointersOf(args[i])) == 0:
			continue
		case types.Identical(s, t), isIface && returnable(s, it):
			v = args[i]
		case isIface && types.Implements(s, it):
			v = x.Boxed(s, args[i])
		default:
			continue
		}
		out = x.either(t, out, v)
	}
	return out
}

// returnable reports whether a value of an interface type can be returned as one of
// another: it has the methods by its type, or its type says nothing.
func returnable(s types.Type, it *types.Interface) bool {
	from, ok := s.Underlying().(*types.Interface)
	return ok && (from.NumMethods() == 0 || types.Implements(s, it))
}

// handsBack is external for a function whose accesses are said otherwise: what it hands
// out is an argument, an object that keeps one, or what was handed out before.
func (x *fn) handsBack(name string, args irgen.Value) func(ir.Ptr) ir.Expr {
	ext := x.external(name, nil)
	return func(t ir.Ptr) ir.Expr {
		out := ext(t)
		for _, a := range args {
			if ir.Equal(a.Type(), t) || opaque(t.Elem) {
				out = x.Hold(ir.Select{C: irgen.Cond(x.havoc(irgen.BoolT)), X: irgen.Typed(a, t), Y: out})
			}
		}
		return out
	}
}

// opaque reports whether a type is one of a library that is not looked into.
func opaque(t ir.Type) bool {
	s, ok := t.(*ir.Struct)
	return ok && len(s.Fields) > 0 && strings.HasPrefix(s.Fields[0].Name, "__") && strings.Contains(s.Name, ".")
}

// either is one of two values of a type.
func (x *fn) either(t types.Type, a, b irgen.Value) irgen.Value {
	c := irgen.Cond(x.havoc(irgen.BoolT))
	var out irgen.Value
	for i, lf := range x.lay.Of(t).Leaves {
		out = append(out, x.Hold(ir.Select{C: c, X: irgen.Typed(a[i], lf.T), Y: irgen.Typed(b[i], lf.T)}))
	}
	return out
}

// leadsToSet reports whether values of a type lead to such as functions are given that are
// called in the initialisation: users keep these, and call the functions with them, while
// goroutines run that users know nothing of.
func (l *lowering) leadsToSet(t types.Type) bool {
	if l.setTypes == nil {
		l.setTypes = map[*types.Named]bool{}
		for _, f := range l.Settings {
			for _, p := range f.Params {
				if n, ok := types.Unalias(form.Deref(p.Type())).(*types.Named); ok && n.Obj().Pkg() != nil && l.Own[n.Obj().Pkg()] {
					l.setTypes[n.Origin()] = true
				}
			}
		}
	}
	found := false
	if len(l.setTypes) > 0 {
		l.EachBehind(t, func(n *types.Named) bool {
			found = found || l.setTypes[n.Origin()]
			return !found
		})
	}
	return found
}

// leadsToReceiver reports whether one gets from a value, by exported members, to one
// whose methods are entry points: callees may call these.
func (l *lowering) leadsToReceiver(t types.Type, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if n, ok := types.Unalias(form.Deref(t)).(*types.Named); ok && l.ReceiverTypes[n.Origin()] {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return l.leadsToReceiver(u.Elem(), seen)
	case *types.Slice:
		return l.leadsToReceiver(u.Elem(), seen)
	case *types.Array:
		return l.leadsToReceiver(u.Elem(), seen)
	case *types.Map:
		return l.leadsToReceiver(u.Key(), seen) || l.leadsToReceiver(u.Elem(), seen)
	case *types.Chan:
		return l.leadsToReceiver(u.Elem(), seen)
	case *types.Struct:
		for i := range u.NumFields() {
			if ast.IsExported(u.Field(i).Name()) && l.leadsToReceiver(u.Field(i).Type(), seen) {
				return true
			}
		}
	case *types.Interface:
		return l.receiverBehind(u)
	}
	return false
}

// receiverBehind reports whether a value whose methods are entry points may be in an
// interface.
func (l *lowering) receiverBehind(it *types.Interface) bool {
	for _, t := range l.Boxes {
		n, ok := types.Unalias(form.Deref(t)).(*types.Named)
		if ok && l.ReceiverTypes[n.Origin()] && types.Implements(t, it) {
			return true
		}
	}
	return false
}

// isContainer reports whether an interface is of a container, which hands out what it was
// given: one of its methods returns values of any type.
func isContainer(t types.Type) bool {
	it, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	for i := range it.NumMethods() {
		if library.GivesAny(it.Method(i).Type().(*types.Signature)) {
			return true
		}
	}
	return false
}

// noteOpen notes the assumption about a call of a function that may be open.
func (x *fn) noteOpen(name string, sig *types.Signature) {
	if !x.Confined() || !x.hasPointers(sig.Params()) && !x.givesObjects(sig) {
		return
	}
	x.p.Assume("open-calls", ir.Pos{}, "functions of users, and methods of types that are not seen, access what they are given only while they run, "+
		"in the goroutine that calls them: they read what it leads to, write what pointers point to and slices given to Read, though nothing that another call was given, and return something new, or an argument that their result's type fits; "+
		"these are called:")
	x.p.Assume("open-calls", x.Pos, "%s", name)
}

// givesObjects reports whether there are pointers in what a function returns, errors
// aside.
func (x *fn) givesObjects(sig *types.Signature) bool {
	for _, t := range form.ComponentTypes(sig.Results()) {
		if x.hasPointers(t) && !types.Identical(t, types.Universe.Lookup("error").Type()) {
			return true
		}
	}
	return false
}

// noteOpenFunc is noteOpen for a function value.
func (x *fn) noteOpenFunc(sig *types.Signature) {
	if x.LibraryMode {
		x.noteOpen("functions of type "+x.TypeName(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())), sig)
	}
}

// findReceiverTypes lists the types of which methods are entry points, and these.
func (l *lowering) findReceiverTypes(roots []world.Root) {
	l.ReceiverTypes = map[*types.Named]bool{}
	for _, n := range world.ReceiverTypes(roots) {
		l.ReceiverTypes[n] = true
	}
}
