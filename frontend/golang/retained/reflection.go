package retained

import (
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
)

// Method is the function of a method; nil where it is a promoted one of a type with type
// parameters.
func (x *Facts) Method(t types.Type, sel *types.Selection) *ssa.Function {
	if g := form.GeneralPointer(t); g != t || form.Generic(t) {
		if len(sel.Index()) != 1 {
			return nil
		}
		return x.Prog.FuncValue(sel.Obj().(*types.Func).Origin())
	}
	return x.Prog.MethodValue(sel)
}

// Visitor is the function that visits memory of a type; $at is where it lies.
type Visitor struct {
	Kind library.Visit
	T    types.Type
	Top  bool // what a printed value is, not a part of it: there, pointers are followed
}

func (v Visitor) Key() string {
	return strconv.Itoa(int(v.Kind)) + " " + boolName(v.Top) + " " + form.Key(v.T)
}

func boolName(b bool) string {
	if b {
		return "top"
	}
	return "part"
}

// PrintsItself reports whether a printed value has a method for that: then its parts are
// not gone through.
func (x *Facts) PrintsItself(v Visitor) bool {
	return v.Kind == library.Printing && slices.ContainsFunc(x.VisitedMethods(v.Kind, v.T), func(m *types.Selection) bool {
		return slices.Contains(library.Formatters[:2], m.Obj().Name()) || m.Obj().Name() == "Format"
	})
}

// Addressed reports whether methods of pointers to a type are methods of its own.
func Addressed(t types.Type) bool {
	_, named := types.Unalias(t).(*types.Named)
	return named && !types.IsInterface(t)
}

// VisitedMethods lists the methods of a type with bodies that a visit calls.
func (x *Facts) VisitedMethods(k library.Visit, t types.Type) []*types.Selection {
	if types.IsInterface(t) || form.IsParam(t) {
		return nil
	}
	n, ok := types.Unalias(form.Deref(t)).(*types.Named)
	if _, anonymous := types.Unalias(form.Deref(t)).(*types.Struct); !ok && !anonymous || ok && !x.Own[n.Obj().Pkg()] {
		return nil
	}
	var out []*types.Selection
	ms := x.Prog.MethodSets.MethodSet(t)
	for i := range ms.Len() {
		sel := ms.At(i)
		m := sel.Obj().(*types.Func)
		if !m.Exported() || !k.Visited(m.Name()) {
			continue
		}
		if (m.Name() == "Error" || m.Name() == "String") && m.Type().(*types.Signature).Params().Len() != 0 && k != library.Templating {
			continue
		}
		if f := x.Method(t, sel); f != nil && len(f.Blocks) > 0 {
			out = append(out, sel)
		}
	}
	return out
}

// MayBeIn lists the types of values that may be in an interface: those that the program
// puts into interfaces, and where it has no methods those that users of a library do.
func (x *Facts) MayBeIn(it *types.Interface) []types.Type {
	if !x.LibraryMode || it.NumMethods() > 0 {
		return x.Boxes
	}
	return append(slices.Clone(x.Boxes), x.UsersTypes()...)
}

// Chosen lists the types of a library with methods that a visit calls which users may
// choose as a type argument: they have values of them.
func (x *Facts) Chosen(v Visitor) []types.Type {
	it, ok := v.T.Underlying().(*types.Interface)
	if !ok || x.Exact {
		return nil
	}
	var out []types.Type
	for _, t := range x.BoxedByUsers {
		if types.Implements(t, it) && len(x.VisitedMethods(v.Kind, t)) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// leads remembers for which visits LeadsToMethods holds, for so many types of values in
// interfaces.
type leads struct {
	of           map[string]bool
	boxes, users int
}

// LeadsToMethods reports whether a visit may call methods of the program, or, in
// templates, its functions.
func (x *Facts) LeadsToMethods(v Visitor) bool {
	if x.leads.of == nil || x.leads.boxes != len(x.Boxes) || x.leads.users != len(x.BoxedByUsers) {
		x.leads = leads{map[string]bool{}, len(x.Boxes), len(x.BoxedByUsers)}
	}
	k := v.Key()
	if yes, known := x.leads.of[k]; known {
		return yes
	}
	seen := map[string]bool{}
	yes := x.leadsToMethods(v, seen)
	if x.leads.of[k] = yes; !yes { // nor does what it gets to
		for k := range seen {
			x.leads.of[k] = false
		}
	}
	return yes
}

func (x *Facts) leadsToMethods(v Visitor, seen map[string]bool) bool {
	k := v.Key()
	if yes, known := x.leads.of[k]; known {
		return yes
	}
	if seen[k] {
		return false
	}
	seen[k] = true
	if form.IsParam(v.T) {
		return len(x.Chosen(v)) > 0
	}
	if len(x.VisitedMethods(v.Kind, v.T)) > 0 || v.Kind != library.Printing && Addressed(v.T) && len(x.VisitedMethods(v.Kind, types.NewPointer(v.T))) > 0 {
		return true
	}
	part := func(t types.Type) bool { return x.leadsToMethods(Visitor{v.Kind, t, v.Kind != library.Printing}, seen) }
	switch u := v.T.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if f := u.Field(i); (f.Exported() || f.Embedded()) && part(f.Type()) {
				return true
			}
		}
	case *types.Pointer:
		return (v.Kind != library.Printing || v.Top) && part(u.Elem())
	case *types.Slice:
		return part(u.Elem())
	case *types.Array:
		return part(u.Elem())
	case *types.Map:
		return part(u.Key()) || part(u.Elem())
	case *types.Interface:
		for _, t := range x.MayBeIn(u) {
			if types.Implements(t, u) && x.leadsToMethods(Visitor{v.Kind, t, v.Top}, seen) {
				return true
			}
		}
	case *types.Signature:
		return v.Kind == library.Templating
	}
	return false
}
