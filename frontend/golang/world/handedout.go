package world

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

// Users of a library call the exported methods of types that are not exported, too, where
// they get values of them: as results of exported functions and methods, by their own
// type or in an interface, and in interfaces that anything else brings to them.

// privateMethods lists the exported methods of a package's types that are not exported
// but handed out, where the types are meant for concurrent use. Of the others it is
// assumed that users do not call them at the same time.
func (w *World) privateMethods(p *ssa.Package, safe map[string]bool) []Root {
	var out []Root
	for _, n := range form.SortedKeys(p.Members) {
		m, ok := p.Members[n].(*ssa.Type)
		if !ok || ast.IsExported(n) {
			continue
		}
		named, ok := types.Unalias(m.Type()).(*types.Named)
		if !ok || types.IsInterface(named) {
			continue
		}
		ms := w.methods(p, named)
		h := w.handedOut(p, named)
		meant := w.concurrent(p, named)
		for _, i := range h.ifaces {
			meant = meant || safe[i]
		}
		switch {
		case len(ms) == 0:
		case h.surely && meant:
			out = append(out, ms...)
		case h.surely && len(w.served(p, named)) > 0:
			out = append(out, w.served(p, named)...)
		case h.surely:
			w.Report.Assume("unexported-methods", w.Pos(named.Obj().Pos()),
				"users, who may have values of %s, do not call its methods at the same time as each other, or as what else touches what they touch: it has no lock, starts no goroutines and promises nothing", w.TypeName(named))
		case h.any:
			w.Report.Assume("unexported-methods", w.Pos(named.Obj().Pos()), "users do not get values of %s in interfaces without methods", w.TypeName(named))
		}
	}
	return out
}

// handed says how users may get values of a type: surely as what they are, or in
// interfaces with methods, of which it has the names; or in interfaces without methods,
// which have anything in them.
type handed struct {
	surely, any bool
	ifaces      []string
}

// handedOut reports whether users may have values of a type: an exported function, method
// or variable of the package is of the type, or of an interface that the type implements,
// if it is put in one somewhere.
func (w *World) handedOut(p *ssa.Package, n *types.Named) (h handed) {
	boxed := w.isBoxed(n)
	seen := map[types.Type]bool{}
	var look func(types.Type)
	results := func(sig *types.Signature) { // and what functions are given that users pass
		for _, t := range form.ComponentTypes(sig.Results()) {
			look(t)
		}
		for _, t := range form.ComponentTypes(sig.Params()) {
			if f, ok := t.Underlying().(*types.Signature); ok && !seen[f] {
				seen[f] = true
				for _, t := range form.ComponentTypes(f.Params()) {
					look(t)
				}
			}
		}
	}
	look = func(t types.Type) {
		if m, ok := types.Unalias(form.Deref(t)).(*types.Named); ok && m.Origin() == n.Origin() {
			h.surely = true
		}
		if seen[t] {
			return
		}
		seen[t] = true
		switch u := t.Underlying().(type) {
		case *types.Signature:
			results(u)
		case *types.Struct:
			if m, ok := types.Unalias(t).(*types.Named); ok && m.Obj().Pkg() != p.Pkg {
				return
			}
			for i := range u.NumFields() {
				if u.Field(i).Exported() {
					look(u.Field(i).Type())
				}
			}
		case *types.Interface:
			if !boxed || !w.mayBeBehind(n, u) {
				return
			}
			if u.NumMethods() == 0 {
				h.any = true
				return
			}
			h.surely = true
			if i, ok := types.Unalias(t).(*types.Named); ok {
				h.ifaces = append(h.ifaces, i.Obj().Name())
			}
		default:
			for _, e := range form.Parts(t) {
				look(e)
			}
		}
	}
	for _, name := range form.SortedKeys(p.Members) {
		if !ast.IsExported(name) {
			continue
		}
		switch m := p.Members[name].(type) {
		case *ssa.Function:
			results(m.Signature)
		case *ssa.Global:
			look(form.Deref(m.Type()))
		case *ssa.Type:
			if st, ok := m.Type().Underlying().(*types.Struct); ok {
				look(st)
			}
			ms := types.NewMethodSet(types.NewPointer(m.Type()))
			for i := range ms.Len() {
				if f, ok := ms.At(i).Obj().(*types.Func); ok && f.Exported() {
					results(f.Signature())
				}
			}
		}
	}
	return h
}

// isBoxed reports whether values of a type, or pointers to them, are put into interfaces
// somewhere.
func (w *World) isBoxed(n *types.Named) bool {
	if w.boxed == nil || w.boxedOf != len(w.Boxes) {
		w.boxed, w.boxedOf = map[*types.Named]bool{}, len(w.Boxes)
		for _, t := range w.Boxes {
			if m, ok := types.Unalias(form.Deref(t)).(*types.Named); ok {
				w.boxed[m.Origin()] = true
			}
		}
	}
	return w.boxed[n.Origin()]
}

// mayBeBehind reports whether values of a type of the program, or pointers to them, may be
// behind an interface by its methods.
func (w *World) mayBeBehind(n *types.Named, it *types.Interface) bool {
	p := types.NewPointer(n)
	return types.Implements(p, it) || types.Implements(n, it) || w.MayImplement(p, it)
}

// MayImplement reports whether an instance of a generic type, or a pointer to one, may
// implement an interface of an instance of another one: it has such methods.
func (w *World) MayImplement(t types.Type, it *types.Interface) bool {
	n, ok := types.Unalias(form.Deref(t)).(*types.Named)
	if !ok || n.TypeArgs().Len() == 0 && n.TypeParams().Len() == 0 {
		return false
	}
	ms := w.Prog.MethodSets.MethodSet(t)
	for m := range it.Methods() {
		if sel := ms.Lookup(m.Pkg(), m.Name()); sel == nil || !form.MayBeOne(sel.Type(), m.Type()) {
			return false
		}
	}
	return it.NumMethods() > 0
}

// Gives reports whether users may get values of a type, or something that leads to one,
// from the program's packages: as results, as what their own functions are given, and in
// exported variables and members.
func (w *World) Gives(n *types.Named) bool {
	for _, p := range w.Prog.AllPackages() {
		if !w.Own[p.Pkg] {
			continue
		}
		for _, m := range p.Members {
			switch m := m.(type) {
			case *ssa.Global:
				if ast.IsExported(m.Name()) && leadsToSession(form.Deref(m.Type()), n, 0) {
					return true
				}
			case *ssa.Type:
				t, ok := types.Unalias(m.Type()).(*types.Named)
				if !leadsToSession(m.Type(), n, 0) {
					continue
				}
				if ok && !t.Obj().Exported() {
					if h := w.handedOut(p, t); !h.surely && !h.any {
						continue
					}
				}
				return true
			}
		}
	}
	return slices.ContainsFunc(w.Sources, func(f *ssa.Function) bool {
		return f.Object() != nil && f.Object().Exported() && givesSession(f.Signature, n)
	})
}
