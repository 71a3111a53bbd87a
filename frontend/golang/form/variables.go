package form

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// JustMade is madeHere but for what a closure has of the function that made it: this may
// be written at any time.
func JustMade(v ssa.Value) bool {
	for at := v; ; {
		switch x := at.(type) {
		case *ssa.FieldAddr:
			at = x.X
		case *ssa.IndexAddr:
			at = x.X
		case *ssa.Slice:
			at = x.X
		case *ssa.FreeVar:
			return false
		case *ssa.Call: // append makes its own array, or adds to one
			b, ok := x.Call.Value.(*ssa.Builtin)
			if !ok || b.Name() != "append" {
				return false
			}
			at = x.Call.Args[0]
		default:
			return MadeHere(at)
		}
	}
}

// Makers lists the places where a closure's function value is made.
func Makers(sf *ssa.Function) []*ssa.MakeClosure {
	var out []*ssa.MakeClosure
	if sf.Parent() == nil {
		return nil
	}
	for _, b := range sf.Parent().Blocks {
		for _, in := range b.Instrs {
			if m, ok := in.(*ssa.MakeClosure); ok && m.Fn == sf {
				out = append(out, m)
			}
		}
	}
	return out
}

// Binding is what a free variable is bound to, where there is only one place that binds
// it.
func Binding(v *ssa.FreeVar) ssa.Value {
	ms := Makers(v.Parent())
	if len(ms) != 1 {
		return nil
	}
	for i, fv := range v.Parent().FreeVars {
		if fv == v {
			return ms[0].Bindings[i]
		}
	}
	return nil
}

// ReturnsNew reports whether a result of a function is of the type, or a pointer to it,
// or an interface where the type is not exported.
func ReturnsNew(f *ssa.Function, n *types.Named) bool {
	return f.Signature.Recv() == nil && slices.ContainsFunc(ComponentTypes(f.Signature.Results()), func(t types.Type) bool { return makesType(t, n) })
}

func makesType(res types.Type, n *types.Named) bool {
	if it, ok := res.Underlying().(*types.Interface); ok && !n.Obj().Exported() && types.Implements(types.NewPointer(n), it) {
		return true // if it allocates one
	}
	if OfType(res, n) {
		return true
	}
	t, ok := types.Unalias(Deref(res)).(*types.Named)
	if !ok || t.Obj().Pkg() != n.Obj().Pkg() { // the type may be embedded in what is returned
		return false
	}
	s, ok := t.Underlying().(*types.Struct)
	return ok && slices.ContainsFunc(slices.Collect(s.Fields()), func(f *types.Var) bool { return f.Embedded() && OfType(f.Type(), n) })
}

// LocalVariable is the variable at an address, if it is only stored to and read, by its
// function and closures that have a name for it; or nil.
func LocalVariable(addr ssa.Value) *ssa.Alloc {
	for {
		switch v := addr.(type) {
		case *ssa.FreeVar:
			if addr = Binding(v); addr == nil {
				return nil
			}
			continue
		case *ssa.Alloc:
			if IsVariable(v) && onlyNamed(v) {
				return v
			}
		}
		return nil
	}
}

// Variable is the name of the variable that a value is assigned to first, or "".
func Variable(v ssa.Value) string {
	if v.Referrers() == nil {
		return ""
	}
	for _, r := range *v.Referrers() {
		if d, ok := r.(*ssa.DebugRef); ok {
			if id, ok := d.Expr.(*ast.Ident); ok {
				return id.Name
			}
		}
		if st, ok := r.(*ssa.Store); ok && st.Val == v {
			switch a := st.Addr.(type) {
			case *ssa.Alloc:
				return a.Comment
			case *ssa.Global:
				return a.Name()
			}
		}
	}
	return ""
}

// RootOf is what a captured variable is in the function that has it.
func RootOf(v ssa.Value) ssa.Value {
	for range 20 {
		fv, ok := v.(*ssa.FreeVar)
		if !ok {
			return v
		}
		v = Binding(fv)
	}
	return nil
}

// IsVariable tells declared variables from new, composite literals and the arrays of
// variadic calls.
func IsVariable(a *ssa.Alloc) bool {
	switch a.Comment {
	case "", "new", "complit", "slicelit", "varargs", "makeslice":
		return false
	}
	return true
}

// AddressIn is the pointer or variable that an address was computed from.
func AddressIn(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.FreeVar:
			b := Binding(x)
			if b == nil {
				return v
			}
			v = b
		default:
			return v
		}
	}
}

// IsLocalVariable reports whether an address is that of a variable of a function, not of
// an object that it made: what is in it was put there by the function.
func IsLocalVariable(a *ssa.Alloc, addr ssa.Value) bool {
	switch addr.(type) {
	case *ssa.Alloc, *ssa.FreeVar:
		_, aggregate := Deref(a.Type()).Underlying().(*types.Struct)
		return !aggregate
	}
	return false
}

// MadeNear reports whether a function value is made in the functions that are looked at,
// where its body is looked at, too, or is a parameter, users: of a function that users
// call.
func MadeNear(v ssa.Value, seen map[ssa.Value]bool) (users, known bool) {
	if seen[v] {
		return false, true
	}
	seen[v] = true
	var from []ssa.Value
	switch x := v.(type) {
	case *ssa.Parameter:
		o := x.Parent().Object()
		return o != nil && o.Exported(), true
	case *ssa.Function, *ssa.MakeClosure, *ssa.Const:
		return false, true
	case *ssa.ChangeType:
		from = append(from, x.X)
	case *ssa.Phi:
		from = x.Edges
	case *ssa.FreeVar:
		from = append(from, Binding(x))
	case *ssa.UnOp:
		vs, ok := KeptIn(x)
		if !ok {
			return false, false
		}
		from = vs
	default:
		return false, false
	}
	known = true
	for _, f := range from {
		u, k := MadeNear(f, seen)
		users, known = users || u, known && k
	}
	return users, known
}

// KeptIn lists the values that a variable of a function may have, which a load reads,
// where nothing but it and its closures accesses it.
func KeptIn(load *ssa.UnOp) ([]ssa.Value, bool) {
	v := load.X
	for {
		fv, ok := v.(*ssa.FreeVar)
		if !ok {
			break
		}
		v = Binding(fv)
	}
	if _, local := v.(*ssa.Alloc); !local || load.Op != token.MUL {
		return nil, false
	}
	var out []ssa.Value
	known := true
	var look func(v ssa.Value)
	look = func(v ssa.Value) {
		for _, u := range Uses(v) {
			switch u := u.(type) {
			case *ssa.Store:
				out, known = append(out, u.Val), known && u.Val != v
			case *ssa.UnOp:
			case *ssa.MakeClosure:
				for i, b := range u.Bindings {
					if b == v {
						look(u.Fn.(*ssa.Function).FreeVars[i])
					}
				}
			default:
				known = false
			}
		}
	}
	look(v)
	return out, known
}

// MadeHere reports whether what a value leads to is a variable or object of the function
// that no other has yet.
func MadeHere(v ssa.Value) bool {
	for range 20 {
		switch x := v.(type) {
		case *ssa.Const, *ssa.MakeMap, *ssa.MakeSlice, *ssa.MakeChan:
			return true
		case *ssa.Alloc:
			return true
		case *ssa.FreeVar: // of a function that made this one
			b := Binding(x)
			if b == nil {
				return false
			}
			v = b
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.Slice:
			if a, ok := x.X.(*ssa.Alloc); ok && slices.ContainsFunc(elementsOf(a), func(e ssa.Value) bool { return !MadeHere(e) && !leadsNowhere(e) }) {
				return false
			}
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		default:
			return false
		}
	}
	return false
}

// elementsOf are the values that a function stores into the elements of an array of its
// own, as the arguments of a variadic call.
func elementsOf(a *ssa.Alloc) []ssa.Value {
	var out []ssa.Value
	for _, u := range Uses(a) {
		if i, ok := u.(*ssa.IndexAddr); ok {
			for _, w := range Uses(i) {
				if st, ok := w.(*ssa.Store); ok && st.Addr == ssa.Value(i) {
					out = append(out, st.Val)
				}
			}
		}
	}
	return out
}

// leadsNowhere reports whether a value, or what is in it if it is an interface, leads
// nowhere.
func leadsNowhere(v ssa.Value) bool {
	if m, ok := v.(*ssa.MakeInterface); ok {
		v = m.X
	}
	_, ok := v.Type().Underlying().(*types.Basic)
	return ok
}

// MadeAt is where a channel was surely made, or nil.
func MadeAt(v ssa.Value) *ssa.MakeChan {
	for range 20 {
		switch x := v.(type) {
		case *ssa.MakeChan:
			return x
		case *ssa.ChangeType:
			v = x.X
		case *ssa.FreeVar:
			v = Binding(x)
		case *ssa.UnOp:
			st := VariableStore(x)
			if st == nil {
				return nil
			}
			v = st.Val
		default:
			return nil
		}
	}
	return nil
}

// VariableStore is the only store to the variable that is read, or nil.
func VariableStore(x *ssa.UnOp) *ssa.Store {
	if x.Op != token.MUL {
		return nil
	}
	at := x.X
	for range 10 {
		switch a := at.(type) {
		case *ssa.Alloc:
			return OnlyStore(a)
		case *ssa.FreeVar:
			at = Binding(a)
		default:
			return nil
		}
	}
	return nil
}
