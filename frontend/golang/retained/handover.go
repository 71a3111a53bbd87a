package retained

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/external"
	"whoop/frontend/golang/form"
)

// ImplementedHere reports whether a type of the program that becomes an interface has the
// methods.
func (x *Facts) ImplementedHere(it *types.Interface) bool {
	for _, t := range x.Boxes {
		b := t
		if p, ok := b.(*types.Pointer); ok {
			b = p.Elem()
		}
		if n, ok := types.Unalias(b).(*types.Named); ok && x.Own[n.Obj().Pkg()] && types.Implements(t, it) {
			return true
		}
	}
	return false
}

// KeepsAsync reports whether modules may call in goroutines what objects of the standard
// library keep.
func (x *Facts) KeepsAsync(pkg string, k *Keeper) bool {
	for _, t := range k.Ifaces {
		for m := range t.Underlying().(*types.Interface).Methods() {
			if x.Modules.World.Async(pkg, external.MethodKey(m)) {
				return true
			}
		}
	}
	return slices.ContainsFunc(k.Funcs, func(t types.Type) bool {
		sig, ok := t.Underlying().(*types.Signature)
		return ok && x.Modules.World.Async(pkg, external.FuncKey(sig))
	})
}

// Async reports whether modules may call a function that a package keeps in goroutines:
// it, or a method of its type.
func (x *Facts) Async(pkg string, t types.Type, sig *types.Signature) bool {
	return slices.ContainsFunc(KeysOf(t, sig), func(k external.Key) bool { return x.Modules.World.Async(pkg, k) })
}

// Plain is the function value that a conversion to a named type is of.
func Plain(v ssa.Value) ssa.Value {
	for {
		c, ok := v.(*ssa.ChangeType)
		if !ok {
			return v
		}
		v = c.X
	}
}

// givenTypes is what givenBoxes and givenMethods have found. The types in interfaces are
// known before anything is lowered.
type givenTypes struct {
	all     []types.Type // of which a module may call methods, or which are functions
	found   bool
	boxes   map[types.Type][]types.Type
	methods map[types.Type][]*types.Selection
	// Keys are those of calls of the methods.
	Keys []external.Key
}

// Givable lists the types of values in any interface of which a module may call methods,
// or which are functions.
func (x *Facts) Givable() []types.Type {
	g := &x.Given
	if g.found {
		return g.all
	}
	g.found = true
	seen := map[external.Key]bool{}
	for _, b := range x.Boxes {
		_, isFunc := b.Underlying().(*types.Signature)
		if form.IsParam(b) || !isFunc && !x.HasOwnMethods(b) {
			continue
		}
		g.all = append(g.all, b)
		for _, s := range x.GivenMethods(b) {
			if k := external.MethodKey(s.Obj().(*types.Func)); !seen[k] {
				seen[k] = true
				g.Keys = append(g.Keys, k)
			}
		}
	}
	return g.all
}

// GivenBoxes are the types of values in an interface of which a module may call methods,
// or which are functions.
func (x *Facts) GivenBoxes(t types.Type) (out []types.Type) {
	if bs, ok := x.Given.boxes[t]; ok {
		return bs
	}
	it := t.Underlying().(*types.Interface)
	for _, b := range x.Givable() {
		if types.Implements(b, it) {
			out = append(out, b)
		}
	}
	if x.Given.boxes == nil {
		x.Given.boxes = map[types.Type][]types.Type{}
	}
	x.Given.boxes[t] = out
	return out
}

// HasOwnMethods reports whether values of a type have methods that the program declares.
func (x *Facts) HasOwnMethods(t types.Type) bool { return len(x.GivenMethods(t)) > 0 }

// GivenMethods lists the exported methods of a type that lead to code of the program:
// those that it declares, and those of interfaces that are embedded. In others, of
// library types that are embedded, the program has no part.
func (x *Facts) GivenMethods(t types.Type) []*types.Selection {
	ms, ok := x.Given.methods[t]
	if !ok {
		if x.Given.methods == nil {
			x.Given.methods = map[types.Type][]*types.Selection{}
		}
		ms = x.findGivenMethods(t)
		x.Given.methods[t] = ms
	}
	return ms
}

func (x *Facts) findGivenMethods(t types.Type) []*types.Selection {
	if n, ok := types.Unalias(form.Deref(t)).(*types.Named); form.IsParam(t) || types.IsInterface(t) || ok && !x.Own[n.Obj().Pkg()] {
		return nil
	}
	var out []*types.Selection
	set := x.Prog.MethodSets.MethodSet(t)
	for i := range set.Len() {
		m, ok := set.At(i).Obj().(*types.Func)
		if !ok || !m.Exported() {
			continue
		}
		if recv := m.Type().(*types.Signature).Recv(); x.Own[m.Pkg()] || types.IsInterface(recv.Type()) {
			out = append(out, set.At(i))
		}
	}
	return out
}

// KeysOf are the keys of calls that may be of a function of a type.
func KeysOf(t types.Type, sig *types.Signature) []external.Key {
	out := []external.Key{external.FuncKey(sig)}
	for _, m := range external.Methods(t) {
		out = append(out, m.Key)
	}
	return out
}
