package world

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

// What users may call at once. Rule: a library's user may call from several goroutines
//
//   - methods of a type that implements an interface whose documentation asks for it
//     (http.Handler, slog.Handler; models: "concurrent"), and functions of such types;
//   - functions of a package, unless their documentation denies it.
//
// The first is what the libraries that call them do. The second is the convention of Go's
// doc comments ("Go Doc Comments", section on functions); methods are not covered by it.

// asked lists the interfaces and types of functions whose values libraries use from
// several goroutines, of the packages that a package imports.
func (w *World) asked(p *ssa.Package) []types.Type {
	var out []types.Type
	for _, imp := range p.Pkg.Imports() {
		for _, k := range w.Models.ConcurrentTypes() {
			dot := strings.LastIndexByte(k, '.')
			if k[:dot] != imp.Path() {
				continue
			}
			if o := imp.Scope().Lookup(k[dot+1:]); o != nil {
				out = append(out, o.Type())
			}
		}
	}
	return out
}

// served lists the methods by which a type is used from several goroutines: those of the
// interfaces that ask for it, and those that are such functions (handlers).
func (w *World) served(p *ssa.Package, t *types.Named) []Root {
	asked := w.asked(p)
	if len(asked) == 0 || types.IsInterface(t) || t.TypeParams().Len() > 0 {
		return nil
	}
	is := func(m *types.Func) bool {
		return slices.ContainsFunc(asked, func(a types.Type) bool {
			it, ok := a.Underlying().(*types.Interface)
			if !ok {
				return sameFunction(a, m.Signature())
			}
			return types.Implements(types.NewPointer(t), it) && slices.ContainsFunc(
				slices.Collect(it.Methods()), func(f *types.Func) bool { return f.Name() == m.Name() })
		})
	}
	return slices.DeleteFunc(w.methods(p, t), func(r Root) bool {
		m, ok := r.Fn.Object().(*types.Func)
		return !ok || !is(m)
	})
}

// servers lists the methods from which users get what libraries use from several
// goroutines.
func (w *World) servers(p *ssa.Package, t *types.Named) []Root {
	if len(w.asked(p)) == 0 || types.IsInterface(t) || t.TypeParams().Len() > 0 {
		return nil
	}
	return slices.DeleteFunc(w.methods(p, t), func(r Root) bool { return r.Fn.Pkg == nil || !w.returnsServed(r.Fn) })
}

// serves reports whether a function is one that libraries call from several goroutines.
func (w *World) serves(p *ssa.Package, sig *types.Signature) bool {
	return sig.Recv() == nil && slices.ContainsFunc(w.asked(p), func(a types.Type) bool {
		return sameFunction(a, sig)
	})
}

// IsServed reports whether a function, or method, is one by which libraries use a
// package.
func (w *World) IsServed(f *ssa.Function) bool {
	if f.Pkg == nil || f.Signature.TypeParams().Len() > 0 {
		return false
	}
	if f.Signature.Recv() == nil {
		return w.serves(f.Pkg, f.Signature)
	}
	n, ok := types.Unalias(form.Deref(f.Signature.Recv().Type())).(*types.Named)
	return ok && slices.ContainsFunc(w.served(f.Pkg, n), func(r Root) bool { return r.Fn == f })
}

func sameFunction(a types.Type, sig *types.Signature) bool {
	s, ok := a.Underlying().(*types.Signature)
	return ok && types.Identical(types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic()), s)
}

// returnsServed reports whether users get from a function what libraries use from several
// goroutines: a function that it makes, also as an interface, or one that makes some.
func (w *World) returnsServed(f *ssa.Function) bool {
	asked := w.asked(f.Pkg)
	var gives func(sig *types.Signature, depth int) bool
	gives = func(sig *types.Signature, depth int) bool {
		return slices.ContainsFunc(form.ComponentTypes(sig.Results()), func(t types.Type) bool {
			s, isFunc := t.Underlying().(*types.Signature)
			return slices.ContainsFunc(asked, func(a types.Type) bool {
				return isFunc && sameFunction(a, s) || types.Identical(t, a) && (isFunc || boxesFunction(f))
			}) || isFunc && depth < MaxStarted && gives(s, depth+1)
		})
	}
	return len(asked) > 0 && f.Signature.TypeParams().Len() == 0 && gives(f.Signature, 0)
}

// boxesFunction reports whether a function puts functions into interfaces.
func boxesFunction(f *ssa.Function) bool {
	return form.WithinPackage(f, func(in ssa.Instruction) bool {
		m, ok := in.(*ssa.MakeInterface)
		if !ok {
			return false
		}
		_, is := m.X.Type().Underlying().(*types.Signature)
		return is
	})
}

// convention lists the exported functions of a package that several goroutines may call
// by Go's convention, and share something then: those that return something and change a
// variable of the package, and those that return something which they read from such
// variables. What returns nothing but an error sets the package up (SetDebug, Register),
// and comes before.
func (w *World) convention(p *ssa.Package, denied map[string]bool) map[*ssa.Function]bool {
	out := map[*ssa.Function]bool{}
	changed := map[*ssa.Global]bool{}
	var fs []*ssa.Function
	for _, n := range form.SortedKeys(p.Members) {
		f, ok := p.Members[n].(*ssa.Function)
		if ok && f.Object() != nil && f.Object().Exported() && len(f.Blocks) > 0 && !denied[n] && answers(f.Signature) {
			fs = append(fs, f)
		}
	}
	for _, f := range fs {
		if vars := w.changed(f); len(vars) > 0 {
			out[f] = true
			for _, g := range vars {
				changed[g] = true
			}
		}
	}
	for _, f := range fs {
		out[f] = out[f] || len(changed) > 0 && form.WithinPackage(f, func(in ssa.Instruction) bool {
			return slices.ContainsFunc(in.Operands(nil), func(op *ssa.Value) bool {
				g, ok := (*op).(*ssa.Global)
				return ok && changed[g]
			})
		})
	}
	return out
}

// answers reports whether a function returns more than an error.
func answers(sig *types.Signature) bool {
	return slices.ContainsFunc(form.ComponentTypes(sig.Results()), func(t types.Type) bool {
		return !types.Identical(t, form.ErrorType)
	})
}

// changed lists the variables of its package that a function, or one of it that it names,
// writes by their names: the variable, a part of it, or the map or array that it has.
func (w *World) changed(f *ssa.Function) []*ssa.Global {
	var out []*ssa.Global
	add := func(v ssa.Value) {
		if g := variableOf(v); g != nil && g.Pkg == f.Pkg && !form.IsSyncType(form.Deref(g.Type())) && !slices.Contains(out, g) {
			out = append(out, g)
		}
	}
	form.WithinPackage(f, func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.Store:
			add(in.Addr)
		case *ssa.MapUpdate:
			add(in.Map)
		case *ssa.Call:
			if b, ok := in.Call.Value.(*ssa.Builtin); ok && (b.Name() == "delete" || b.Name() == "clear" || b.Name() == "copy") {
				add(in.Call.Args[0])
			}
		}
		return false
	})
	return out
}

// variableOf is the variable of a package that an address is in, or that has the map,
// slice or pointer by which it is found; nil for others.
func variableOf(v ssa.Value) *ssa.Global {
	for range 20 {
		switch x := v.(type) {
		case *ssa.Global:
			return x
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.IndexAddr:
			v = x.X
		case *ssa.Slice:
			v = x.X
		case *ssa.UnOp:
			v = x.X
		default:
			return nil
		}
	}
	return nil
}
