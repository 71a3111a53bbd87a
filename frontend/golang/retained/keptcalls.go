package retained

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/external"
	"whoop/frontend/golang/form"
)

// LeadsTo reports whether one gets from values of a type to structs of another.
func (x *Facts) LeadsTo(t types.Type, n *types.Named, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return false
	}
	seen[t] = true
	if m, ok := t.(*types.Named); ok && m.Origin() == n.Origin() {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return x.LeadsTo(u.Elem(), n, seen)
	case *types.Slice:
		return x.LeadsTo(u.Elem(), n, seen)
	case *types.Array:
		return x.LeadsTo(u.Elem(), n, seen)
	case *types.Chan:
		return x.LeadsTo(u.Elem(), n, seen)
	case *types.Map:
		return x.LeadsTo(u.Key(), n, seen) || x.LeadsTo(u.Elem(), n, seen)
	case *types.Struct:
		for i := range u.NumFields() {
			if x.LeadsTo(u.Field(i).Type(), n, seen) {
				return true
			}
		}
	case *types.Interface:
		for _, b := range x.Boxes {
			if !form.IsParam(b) && types.Implements(b, u) && x.LeadsTo(b, n, seen) {
				return true
			}
		}
	case *types.Signature:
		for _, r := range form.ComponentTypes(u.Results()) {
			if x.LeadsTo(r, n, seen) {
				return true
			}
		}
	}
	return false
}

// SoleName names the function of sole, for maps; "" where there is none.
func (x *Facts) SoleName(v ssa.Value) string {
	if v == nil {
		return ""
	}
	if mk, ok := v.(*ssa.MakeInterface); ok {
		v = mk.X
	}
	return x.FuncName(form.StaticFunc(Plain(v)))
}

// MadeElsewhere reports whether other modules make function values of a signature, and
// names a package that does.
func (x *Facts) MadeElsewhere(sig *types.Signature) (string, bool) {
	if x.Exact || x.Modules == nil || x.Modules.World == nil {
		return "", false
	}
	return x.Modules.World.FuncPackage(external.FuncKey(sig))
}
