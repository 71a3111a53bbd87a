package world

import (
	"go/ast"
	"go/types"
	"maps"
	"regexp"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

// Which types of a library are for concurrent use. Those are whose documentation promises
// it, and all that have synchronisation in them. A type that has it only behind it, in
// objects that it points to, is one as well, unless users get its values from one that
// is: then they are sessions (session.go), if what is behind them is the giver's.

// libraryTypes is what is known of the types of one package.
type libraryTypes struct {
	// shared are those for concurrent use. sessions belong to one goroutine each,
	// although they start some, or have channels.
	shared, sessions map[*types.Named]bool
	// behind are those not among them that have synchronisation behind them only.
	behind []*types.Named
	all    []*types.Named
	// denied are the names of those whose documentation says that they are not for
	// concurrent use.
	denied map[string]bool
}

// Unshared matches a sentence that says that a type, or what it makes, is not for several
// goroutines.
var Unshared = regexp.MustCompile(`(?i)\b(not|never|cannot|[a-z]+n't)\s+(be\s+)?((\w+\s+){0,2})(safe|used?|called|shared?|accessed)\b[^.]*(concurren|goroutine|thread|simultaneous|parallel)` +
	`|\b(not|non|un)[ -]?(thread|goroutine)[ -]?safe|\bnot\s+(concurrency|concurrent)[ -]?safe`)

// deniedByDoc lists the types whose doc comments say that they are not for concurrent
// use.
func deniedByDoc(files []*ast.File) map[string]bool {
	out := map[string]bool{}
	eachTypeDoc(files, func(name, doc string) {
		if Unshared.MatchString(doc) {
			out[name] = true
		}
	})
	return out
}

// deniedFunctions lists the functions, not methods, whose doc comments say so.
func deniedFunctions(files []*ast.File) map[string]bool {
	out := map[string]bool{}
	for _, file := range files {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && Unshared.MatchString(f.Doc.Text()) {
				out[f.Name.Name] = true
			}
		}
	}
	return out
}

// eachTypeDoc calls f with the doc comments of types.
func eachTypeDoc(files []*ast.File, f func(name, doc string)) {
	for _, file := range files {
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				if t, ok := s.(*ast.TypeSpec); ok {
					f(t.Name.Name, t.Doc.Text())
					f(t.Name.Name, g.Doc.Text())
				}
			}
		}
	}
}

// classify finds the types of a package that are for concurrent use.
func (w *World) classify(p *ssa.Package, safe, denied map[string]bool) *libraryTypes {
	if lt := w.libraries[p]; lt != nil {
		return lt
	}
	lt := &libraryTypes{shared: map[*types.Named]bool{}, sessions: map[*types.Named]bool{},
		denied: denied}
	w.libraries[p] = lt
	for _, n := range form.SortedKeys(p.Members) {
		m, ok := p.Members[n].(*ssa.Type)
		if !ok {
			continue
		}
		t, ok := types.Unalias(m.Type()).(*types.Named)
		if !ok || types.IsInterface(t) {
			continue
		}
		lt.all = append(lt.all, t)
		k := w.kindOf(p, t)
		switch {
		case safe[n] || w.HoldsLock(t, 0):
			lt.shared[t] = true
		case denied[n]:
		case k == loosely && w.isSession(p, t):
			lt.sessions[t] = true
		case k != notAtAll:
			lt.shared[t] = true
		case w.syncBehind(t, nil):
			lt.behind = append(lt.behind, t)
		}
	}
	w.decideBehind(p, lt)
	return lt
}

// kindOf is the kind of what a type has in it. A type that embeds one is one.
func (w *World) kindOf(p *ssa.Package, t *types.Named) syncKind {
	k := w.syncIn(t, 0)
	if st, ok := t.Underlying().(*types.Struct); ok && k != firmly {
		for f := range st.Fields() {
			n, ok := types.Unalias(form.Deref(f.Type())).(*types.Named)
			if ok && f.Embedded() && n.Obj().Pkg() == p.Pkg && n != t && !types.IsInterface(n) && form.IsPointer(f.Type()) && !embeds(n, t) {
				k = max(k, w.kindOf(p, n))
			}
		}
	}
	return max(k, w.syncOps(p.Pkg).on[t.Origin()])
}

// embeds reports whether a type embeds another one, at any depth.
func embeds(n, in *types.Named) bool {
	ms := types.NewMethodSet(types.NewPointer(n))
	for i := range ms.Len() {
		if f, ok := ms.At(i).Obj().(*types.Func); ok && form.SameNamed(f.Signature().Recv().Type(), in) {
			return true
		}
	}
	return false
}

// syncBehind reports whether values of a type lead to some with synchronisation in them.
// It looks at nothing behind types in stop.
func (w *World) syncBehind(t *types.Named, stop map[*types.Named]bool) bool {
	found := false
	w.EachBehind(t, func(n *types.Named) bool {
		if stop[n] {
			return false
		}
		found = found || n != t && (w.syncIn(n, 0) != notAtAll)
		return !found
	})
	return found
}

// EachBehind visits the types of the program that values of a type lead to, itself
// included, as long as visit says so: behind an interface of the program those that are
// put into interfaces.
func (w *World) EachBehind(t types.Type, visit func(*types.Named) bool) {
	seen := map[types.Type]bool{}
	var walk func(types.Type)
	walk = func(t types.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		if n, ok := types.Unalias(t).(*types.Named); ok && (!w.Own[n.Obj().Pkg()] || !types.IsInterface(n) && !visit(n.Origin())) {
			return
		}
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			walk(u.Elem())
		case *types.Slice:
			walk(u.Elem())
		case *types.Array:
			walk(u.Elem())
		case *types.Map:
			walk(u.Key())
			walk(u.Elem())
		case *types.Struct:
			for f := range u.Fields() {
				walk(f.Type())
			}
		case *types.Interface:
			for _, b := range w.boxedBehind(u) {
				walk(b)
			}
		}
	}
	walk(t)
}

// boxedBehind lists the types of the program that are put into interfaces somewhere and
// have the methods of one.
func (w *World) boxedBehind(it *types.Interface) []types.Type {
	if out, ok := w.behind[it]; ok || it.NumMethods() == 0 {
		return out
	}
	var out []types.Type
	seen := map[*types.Named]bool{}
	for _, b := range w.Boxes {
		n, ok := types.Unalias(form.Deref(b)).(*types.Named)
		if !ok || seen[n.Origin()] || !w.Own[n.Obj().Pkg()] {
			continue
		}
		seen[n.Origin()] = true
		if w.mayBeBehind(n, it) {
			out = append(out, n)
		}
	}
	w.behind[it] = out
	return out
}

// decideBehind decides about the types that have synchronisation behind them: those are
// shared that users make, or that have some behind them that the types which give them
// have not.
func (w *World) decideBehind(p *ssa.Package, lt *libraryTypes) {
	rest := slices.DeleteFunc(lt.behind, func(t *types.Named) bool {
		given := w.givenShared(p, lt, t) || slices.ContainsFunc(lt.all, func(g *types.Named) bool { return w.gives(p, g, t) })
		lt.shared[t] = !given || w.madeFreely(p, lt, t)
		return lt.shared[t]
	})
	for again := true; again; {
		given := w.givenBy(p, lt, rest)
		again = false
		for _, t := range rest {
			if !given[t] || w.syncBehind(t, w.reachOf(p, lt, t, map[*types.Named]bool{})) {
				lt.shared[t], again = true, true
			}
		}
		rest = slices.DeleteFunc(rest, func(t *types.Named) bool { return lt.shared[t] })
	}
	lt.behind = rest
}

// givenBy are those of some types that users get from methods of shared ones, and of what
// these give.
func (w *World) givenBy(p *ssa.Package, lt *libraryTypes, rest []*types.Named) map[*types.Named]bool {
	given := map[*types.Named]bool{}
	for again := true; again; {
		again = false
		for _, t := range rest {
			if given[t] {
				continue
			}
			if w.givenShared(p, lt, t) || slices.ContainsFunc(lt.all, func(g *types.Named) bool {
				return (lt.shared[g] || lt.sessions[g] || given[g]) && w.gives(p, g, t)
			}) {
				given[t], again = true, true
			}
		}
	}
	return given
}

// reachOf are the types that those lead to which give users values of a type, without
// that type.
func (w *World) reachOf(p *ssa.Package, lt *libraryTypes, t *types.Named, seen map[*types.Named]bool) map[*types.Named]bool {
	out := map[*types.Named]bool{}
	seen[t] = true
	for _, g := range lt.all {
		if !w.gives(p, g, t) && !w.someFunction(p, func(sig *types.Signature) bool { return w.handsOut(sig, t) && givenOne(sig, g) }) {
			continue
		}
		w.EachBehind(g, func(n *types.Named) bool {
			if n != t {
				out[n] = true
			}
			return n != t
		})
		if !seen[g] && !lt.shared[g] { // who gives the giver
			maps.Copy(out, w.reachOf(p, lt, g, seen))
		}
	}
	delete(out, t)
	return out
}

// gives reports whether an exported method of one type gives users values of another one.
func (w *World) gives(p *ssa.Package, g, t *types.Named) bool {
	if g == t {
		return false
	}
	ms := types.NewMethodSet(types.NewPointer(g))
	for m := range ms.Methods() {
		if f, ok := m.Obj().(*types.Func); ok && f.Exported() && w.handsOut(f.Signature(), t) {
			return true
		}
	}
	return false
}

// handsOut reports whether who calls a function gets values of a type, if it is not
// exported also in interfaces.
func (w *World) handsOut(sig *types.Signature, t *types.Named) bool {
	return givesSession(sig, t) || !t.Obj().Exported() && w.isBoxed(t) && slices.ContainsFunc(form.ComponentTypes(sig.Results()), func(r types.Type) bool {
		it, ok := r.Underlying().(*types.Interface)
		return ok && it.NumMethods() > 0 && w.mayBeBehind(t, it)
	})
}

// madeFreely reports whether an exported function gives users values of a type, without
// being given any of one that others may share with it.
func (w *World) madeFreely(p *ssa.Package, lt *libraryTypes, t *types.Named) bool {
	return w.someFunction(p, func(sig *types.Signature) bool { return w.handsOut(sig, t) && !w.takesAny(lt, sig, t) })
}

// givenShared reports whether a function that is given values of shared types gives users
// values of a type.
func (w *World) givenShared(p *ssa.Package, lt *libraryTypes, t *types.Named) bool {
	return w.someFunction(p, func(sig *types.Signature) bool { return w.handsOut(sig, t) && w.takesAny(lt, sig, t) })
}

func (w *World) someFunction(p *ssa.Package, is func(*types.Signature) bool) bool {
	for _, n := range form.SortedKeys(p.Members) {
		if f, ok := p.Members[n].(*ssa.Function); ok && ast.IsExported(n) && is(f.Signature) {
			return true
		}
	}
	return false
}

// takesAny reports whether a function is given pointers to values that are shared, or may
// be, other than those of one type.
func (w *World) takesAny(lt *libraryTypes, sig *types.Signature, but *types.Named) bool {
	return slices.ContainsFunc(lt.all, func(g *types.Named) bool {
		return g != but && (lt.shared[g] || slices.Contains(lt.behind, g)) && givenOne(sig, g)
	})
}

// givenOne reports whether a function is given pointers to values of a type.
func givenOne(sig *types.Signature, g *types.Named) bool {
	is := func(t types.Type) bool { return form.SameNamed(t, g) }
	return slices.ContainsFunc(form.ComponentTypes(sig.Params()), func(t types.Type) bool { return GivesPointer(t, is, 0) })
}

// concurrent reports whether values of a type of a package are meant to be used by
// several goroutines.
func (w *World) concurrent(p *ssa.Package, t *types.Named) bool {
	return w.libraries[p].shared[t.Origin()]
}
