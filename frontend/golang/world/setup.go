package world

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/program"
)

// MaxStarted is how deep in results functions are looked for.
const MaxStarted = 4

// Setup lists the exported functions, and methods of types that users may have, that are
// not run otherwise and do something that lasts: users may call them before they use the
// package from several goroutines. Functions that start goroutines are called there, too,
// since the others are called beside these.
func (w *World) Setup(pkgs []program.Package, roots []Root) []*ssa.Function {
	run := w.RunAnyway(roots)
	lasts := &lasting{w: w, run: run, byName: map[string][]*ssa.Function{}}
	for _, f := range w.Sources {
		if f.Signature.Recv() != nil {
			lasts.byName[f.Name()] = append(lasts.byName[f.Name()], f)
		}
	}
	again := map[*ssa.Function]bool{} // what runs beside them
	for _, r := range roots {
		if r.Kind == FunctionRoot && w.startsGoroutines(r.Fn) {
			again[r.Fn] = true
		}
	}
	for _, s := range w.Sessions { // users have further values of these types
		for _, f := range s.Uses {
			again[f] = again[f] || s.Lone
		}
	}
	beside := w.besideGoroutines()
	var out []*ssa.Function
	w.eachOfUsers(pkgs, func(p *ssa.Package, f *ssa.Function) {
		if (!run[f] || again[f]) && (f.Signature.Recv() != nil && w.makesShared(p, f) || lasts.does(f) || w.uses(f, beside)) {
			out = append(out, f) // also what makes what users have
		}
	})
	w.comeBefore(out)
	return out
}

// eachOfUsers visits the exported functions, and methods of types that users may have.
func (w *World) eachOfUsers(pkgs []program.Package, visit func(p *ssa.Package, f *ssa.Function)) {
	add := func(p *ssa.Package, f *ssa.Function) {
		if len(f.Blocks) > 0 {
			visit(p, f)
		}
	}
	for _, pkg := range pkgs {
		p := pkg.SSA
		// users cannot call these
		if p.Pkg.Name() == "main" || internalPath.MatchString(p.Pkg.Path()) || w.Bodies != nil && p == w.Bodies.Pkg {
			continue
		}
		for _, n := range form.SortedKeys(p.Members) {
			switch m := p.Members[n].(type) {
			case *ssa.Function:
				if ast.IsExported(n) {
					add(p, m)
				}
			case *ssa.Type:
				named, ok := types.Unalias(m.Type()).(*types.Named)
				if !ok || types.IsInterface(named) || !ast.IsExported(n) && !w.handedOut(p, named).surely {
					continue
				}
				for _, r := range declaredMethods(p, named) {
					add(p, r.Fn)
				}
			}
		}
	}
}

// AddMakers adds the functions that give users values of types of which two may share
// something: users call them any number of times.
func (w *World) AddMakers(pkgs []program.Package, roots []Root) {
	if len(w.Sharing.Shared) == 0 {
		return
	}
	run := map[*ssa.Function]bool{}
	for _, r := range roots {
		run[r.Fn] = true
	}
	for _, f := range w.Settings {
		run[f] = true
	}
	w.eachOfUsers(pkgs, func(_ *ssa.Package, f *ssa.Function) {
		if !run[f] && (w.Sharing.Makes(f.Signature) || w.Sharing.givesFunction(f.Signature)) {
			w.Settings = append(w.Settings, f)
		}
	})
}

// givesFunction reports whether who calls a function gets one that has something which
// changes: users may give it to several values.
func (s *sharing) givesFunction(sig *types.Signature) bool {
	return slices.ContainsFunc(form.ComponentTypes(sig.Results()), func(t types.Type) bool {
		_, ok := t.Underlying().(*types.Signature)
		return ok && s.C.Given(t)
	})
}

// Makes reports whether who calls a function may get values of which two may share
// something, or what leads to some.
func (s *sharing) Makes(sig *types.Signature) bool {
	found := false
	for _, t := range form.ComponentTypes(sig.Results()) {
		s.w.EachBehind(t, func(n *types.Named) bool {
			found = found || s.Shared[n] != ""
			return !found
		})
		it, ok := t.Underlying().(*types.Interface)
		for n := range s.Shared {
			found = found || givesSession(sig, n) || ok && s.w.isBoxed(n) && s.w.mayBeBehind(n, it)
		}
	}
	for n := range s.Shared {
		found = found || givesToFunction(sig, n)
	}
	return found
}

// makesShared reports whether a function gives users values of types for concurrent use.
func (w *World) makesShared(p *ssa.Package, f *ssa.Function) bool {
	lt := w.libraries[p]
	return lt != nil && slices.ContainsFunc(lt.all,
		func(t *types.Named) bool { return lt.shared[t] && w.handsOut(f.Signature, t) })
}

// internalPath matches the paths of packages that only the module itself can import.
var internalPath = regexp.MustCompile(`(^|/)internal(/|$)`)

// lasting tells which functions may leave something behind: they write what they have not
// made themselves, start goroutines, send, or give something to a library.
type lasting struct {
	w *World
	// run are functions that are run with all that users may have, whoever else calls
	// them.
	run map[*ssa.Function]bool
	// byName are the methods of the program.
	byName map[string][]*ssa.Function
}

// does goes through all that a function may run.
func (t *lasting) does(f *ssa.Function) bool {
	seen, work := map[*ssa.Function]bool{f: true}, []*ssa.Function{f}
	add := func(g *ssa.Function) {
		if g = form.Body(g); len(g.Blocks) > 0 && !t.run[g] && !seen[g] {
			seen[g] = true
			work = append(work, g)
		}
	}
	for len(work) > 0 {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		for _, b := range g.Blocks {
			for _, in := range b.Instrs {
				if t.leaves(in) {
					return true
				}
				for _, op := range in.Operands(nil) {
					if h, ok := (*op).(*ssa.Function); ok {
						add(h)
					}
				}
				if c, ok := in.(ssa.CallInstruction); ok && c.Common().IsInvoke() {
					for _, m := range t.byName[c.Common().Method.Name()] {
						add(m)
					}
				}
			}
		}
	}
	return false
}

// leaves reports whether an instruction by itself leaves something behind.
func (t *lasting) leaves(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Store:
		_, basic := in.Val.Type().Underlying().(*types.Basic)
		return !form.MadeHere(in.Addr) && !(basic && usersWrite(in.Addr))
	case *ssa.MapUpdate:
		return !form.MadeHere(in.Map)
	case *ssa.Go, *ssa.Send, *ssa.Select:
		return true
	case ssa.CallInstruction:
		return t.call(in.Common())
	}
	return false
}

// call reports whether a call, by itself, may leave something behind: of functions of the
// program, what they do is looked at.
func (t *lasting) call(c *ssa.CallCommon) bool {
	if b, ok := c.Value.(*ssa.Builtin); ok {
		// what append returns is stored somewhere
		return b.Name() == "delete" || b.Name() == "clear" || b.Name() == "copy" || b.Name() == "close"
	}
	given := func() bool {
		return slices.ContainsFunc(c.Args, func(v ssa.Value) bool { return t.w.HasPointers(v.Type()) && !form.MadeHere(v) })
	}
	f := c.StaticCallee()
	switch {
	case c.IsInvoke():
		return given()
	case f == nil:
		users, known := form.MadeNear(c.Value, map[ssa.Value]bool{})
		return !known || users && given()
	case len(form.Body(f).Blocks) > 0:
		return false
	}
	o, ok := f.Object().(*types.Func)
	if !ok {
		return true
	}
	op := t.w.Models.EffectOf(o)
	if m := t.w.Models.ByName(library.MethodName(o)); m != nil {
		op = m.Op
	}
	switch op {
	case library.OpPure, library.OpReads, library.OpLock, library.OpUnlock, library.OpLoad:
		return false
	}
	return given()
}

// usersWrite reports whether an address is that of an exported member of what users have,
// or of an exported variable. They write such members themselves.
func usersWrite(v ssa.Value) bool {
	for member := false; ; member = true {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			st, ok := form.Deref(x.X.Type()).Underlying().(*types.Struct)
			if !ok || !st.Field(x.Field).Exported() {
				return false
			}
			v = x.X
		case *ssa.Global:
			return member && ast.IsExported(x.Name())
		default:
			return member && usersHave(v, map[ssa.Value]bool{})
		}
	}
}

// usersHave reports whether a value is what users give to an exported function, or call
// its method on, or what they get where they call one with such values.
func usersHave(v ssa.Value, seen map[ssa.Value]bool) bool {
	if seen[v] {
		return true
	}
	seen[v] = true
	var from []ssa.Value
	switch x := v.(type) {
	case *ssa.Parameter:
		o := x.Parent().Object()
		return o != nil && o.Exported()
	case *ssa.Const:
		return true
	case *ssa.Extract:
		from = append(from, x.Tuple)
	case *ssa.Phi:
		from = x.Edges
	case *ssa.FreeVar:
		from = append(from, form.Binding(x))
	case *ssa.UnOp:
		vs, ok := form.KeptIn(x)
		if !ok {
			return false
		}
		from = vs
	case *ssa.Call:
		f := x.Call.StaticCallee()
		if f == nil || !usersCall(f) {
			return false
		}
		for _, a := range x.Call.Args {
			if !isData(a.Type()) {
				from = append(from, a)
			}
		}
	default:
		return false
	}
	return !slices.ContainsFunc(from, func(v ssa.Value) bool { return v == nil || !usersHave(v, seen) })
}

// usersCall reports whether users can call a function: it is exported, as is the type of
// its receiver, by a package that they can import.
func usersCall(f *ssa.Function) bool {
	o, ok := f.Object().(*types.Func)
	if !ok || !o.Exported() || o.Pkg() == nil || internalPath.MatchString(o.Pkg().Path()) {
		return false
	}
	if recv := o.Signature().Recv(); recv != nil {
		n, ok := types.Unalias(form.Deref(recv.Type())).(*types.Named)
		return ok && n.Obj().Exported()
	}
	return true
}

// isData reports whether values of a type are numbers, strings, or slices of such: users
// can make their like.
func isData(t types.Type) bool {
	if s, ok := t.Underlying().(*types.Slice); ok {
		return isData(s.Elem())
	}
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() != types.UnsafePointer
}

// LeadsToShared reports whether values of a type have, or lead to, some of which two may share
// something.
func (s *sharing) LeadsToShared(t types.Type) bool {
	found := false
	s.w.EachBehind(t, func(n *types.Named) bool {
		found = found || s.Shared[n] != ""
		return !found
	})
	return found
}
