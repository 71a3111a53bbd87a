package world

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
)

// Library finds the exported methods and functions of a library package that may run at
// the same time: those of types that are meant for it, and functions of a package that
// has a lock of its own.
func (w *World) Library(p *ssa.Package, files []*ast.File) []Root {
	safe, denied := safeByDoc(files), deniedByDoc(files)
	lt := w.classify(p, safe, denied)
	var out []Root
	var names []string
	for n := range p.Members {
		names = append(names, n)
	}
	sort.Strings(names)
	locked, vars := w.packageSynchronises(p), w.sharedVariables(p, safe)
	called := w.convention(p, deniedFunctions(files))
	for _, n := range names {
		if !ast.IsExported(n) {
			continue
		}
		switch m := p.Members[n].(type) {
		case *ssa.Function:
			if len(m.Blocks) == 0 {
				continue
			}
			if (!constructs(m) || w.usesState(m)) && (locked || safe[n] || accesses(m, vars)) || w.takesShared(p, m, safe) ||
				called[m] || sendsMade(m) || w.serves(p, m.Signature) {
				out = append(out, Root{Fn: m, Kind: FunctionRoot, Pkg: p})
			}
		case *ssa.Type:
			named, ok := types.Unalias(m.Type()).(*types.Named)
			switch {
			case !ok:
			case named.TypeArgs().Len() > 0: // another name for an instance
				if g := named.Origin(); g.Obj().Pkg() == p.Pkg && !g.Obj().Exported() && w.concurrent(p, g) {
					out = append(out, w.methods(p, g)...)
				}
			case lt.sessions[named]:
				out = append(out, w.addSession(p, named)...)
			case lt.shared[named]: // else see sessionsOf
				out = append(out, w.methods(p, named)...)
			case !denied[n]:
				out = append(out, slices.Concat(w.served(p, named), w.servers(p, named))...)
			}
		}
	}
	private := w.privateMethods(p, safe)
	out = append(out, w.threaded(p, slices.Concat(out, private))...)
	out = append(out, w.sessionsOf(p, safe, out)...)
	out = distinct(append(out, private...))
	if w.initStarts(p) {
		out = append(out, Root{Fn: p.Func("init"), Kind: InitRoot, Pkg: p})
	}
	w.leave(p, lt, out)
	return out
}

// threaded lists the exported functions that return functions with synchronisation in
// them, and those that start goroutines: users call them beside these goroutines, also
// twice. A function that makes values of which methods are entry points is a constructor:
// it is run at the start, with its goroutines.
func (w *World) threaded(p *ssa.Package, methods []Root) []Root {
	var out []Root
	receivers := ReceiverTypes(methods)
	makes := func(f *ssa.Function) bool {
		return slices.ContainsFunc(receivers, func(t *types.Named) bool { return w.handsOut(f.Signature, t) })
	}
	for _, n := range form.SortedKeys(p.Members) {
		f, ok := p.Members[n].(*ssa.Function)
		if ok && ast.IsExported(n) && len(f.Blocks) > 0 && (w.returnsSynchronised(f) || w.returnsServed(f) ||
			!makes(f) && w.startsGoroutines(f)) {
			out = append(out, Root{Fn: f, Kind: FunctionRoot, Pkg: p})
		}
	}
	return out
}

// returnsSynchronised reports whether a function returns functions, and those that it
// makes have synchronisation.
func (w *World) returnsSynchronised(f *ssa.Function) bool {
	makes := func(t types.Type) bool { _, ok := t.Underlying().(*types.Signature); return ok }
	return slices.ContainsFunc(form.ComponentTypes(f.Signature.Results()), makes) && slices.ContainsFunc(f.AnonFuncs, func(g *ssa.Function) bool {
		return form.WithinPackage(g, w.synchronises)
	})
}

// startsGoroutines reports whether a function, or one of its package that it names,
// starts goroutines, or has a library do so.
func (w *World) startsGoroutines(f *ssa.Function) bool {
	return form.WithinPackage(f, func(in ssa.Instruction) bool {
		c, ok := in.(ssa.CallInstruction)
		if !ok {
			return false
		}
		_, starts := in.(*ssa.Go)
		g := c.Common().StaticCallee()
		return starts || g != nil && w.Models.Model(g) != nil && w.Models.Model(g).Op == library.OpGo
	})
}

// packageSynchronises reports whether variables of a package synchronise: its functions
// are then for concurrent use.
func (w *World) packageSynchronises(p *ssa.Package) bool {
	if w.syncOps(p.Pkg).global {
		return true
	}
	for _, n := range form.SortedKeys(p.Members) {
		if g, ok := p.Members[n].(*ssa.Global); ok && w.syncIn(form.Deref(g.Type()), 0) >= counting {
			return true
		}
	}
	return false
}

// distinct leaves out what is there already: a type that several others embed has its
// methods once.
func distinct(roots []Root) []Root {
	type id struct {
		fn      *ssa.Function
		unknown string
	}
	seen := map[id]bool{}
	return slices.DeleteFunc(roots, func(r Root) bool {
		again := seen[id{r.Fn, r.Unknown}]
		seen[id{r.Fn, r.Unknown}] = true
		return again
	})
}

// takesShared reports whether a function is given values of the package that are for
// concurrent use, and does more with them than users may do themselves: it is then as
// good as a method of them.
func (w *World) takesShared(p *ssa.Package, f *ssa.Function, safe map[string]bool) bool {
	shared := func(t types.Type) bool {
		n, ok := types.Unalias(form.Deref(t)).(*types.Named)
		return ok && n.Obj().Pkg() == p.Pkg && n.Obj().Exported() && !types.IsInterface(n) && (safe[n.Obj().Name()] || w.concurrent(p, n))
	}
	returns := slices.ContainsFunc(form.ComponentTypes(f.Signature.Results()), shared)
	return !returnsGiven(f, shared) &&
		slices.ContainsFunc(form.ComponentTypes(f.Signature.Params()), func(t types.Type) bool { return GivesPointer(t, shared, 0) }) && (constructs(f) && !returns || !isClient(f, shared))
}

// returnsGiven reports whether a function returns what it is given of some types: one
// that sets something in a value that is being made.
func returnsGiven(f *ssa.Function, shared func(types.Type) bool) bool {
	return slices.ContainsFunc(f.Blocks, func(b *ssa.BasicBlock) bool {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		return ok && slices.ContainsFunc(ret.Results, func(v ssa.Value) bool {
			_, is := v.(*ssa.Parameter)
			return is && form.IsPointer(v.Type()) && shared(v.Type())
		})
	})
}

// GivesPointer reports whether a value is a pointer to one of some types, or a slice,
// array or map of such.
func GivesPointer(t types.Type, to func(types.Type) bool, depth int) bool {
	if depth > 3 {
		return false
	}
	switch u := types.Unalias(t).(type) {
	case *types.Pointer:
		return to(t)
	case *types.Slice:
		return GivesPointer(u.Elem(), to, depth+1)
	case *types.Array:
		return GivesPointer(u.Elem(), to, depth+1)
	case *types.Map:
		return GivesPointer(u.Key(), to, depth+1) || GivesPointer(u.Elem(), to, depth+1)
	}
	return form.IsPointer(t) && to(t)
}

// sharedVariables are the variables of a package that lead to a value which is for
// concurrent use.
func (w *World) sharedVariables(p *ssa.Package, safe map[string]bool) map[*ssa.Global]bool {
	out := map[*ssa.Global]bool{}
	for _, n := range form.SortedKeys(p.Members) {
		g, ok := p.Members[n].(*ssa.Global)
		if !ok || !form.IsPointer(form.Deref(g.Type())) {
			continue
		}
		if t, ok := types.Unalias(form.Deref(form.Deref(g.Type()))).(*types.Named); ok && t.Obj().Pkg() == p.Pkg && (safe[t.Obj().Name()] || w.concurrent(p, t)) {
			out[g] = true
		}
	}
	return out
}

// accesses reports whether a function, or one of its package that it calls, uses one of
// some variables in another way than to return it or to call exported methods of it.
func accesses(f *ssa.Function, vars map[*ssa.Global]bool) bool {
	return form.WithinPackage(f, func(in ssa.Instruction) bool {
		u, ok := in.(*ssa.UnOp)
		if !ok {
			return false
		}
		v, ok := u.X.(*ssa.Global)
		return ok && vars[v] && slices.ContainsFunc(form.Uses(u), func(r ssa.Instruction) bool { return !ofUsers(r) })
	})
}

// ofUsers reports whether an instruction does with a value what users may do as well.
func ofUsers(in ssa.Instruction) bool {
	switch in := in.(type) {
	case *ssa.Return, *ssa.DebugRef:
		return true
	case ssa.CallInstruction:
		f := in.Common().StaticCallee()
		return f != nil && f.Object() != nil && f.Object().Exported()
	}
	return false
}

// isClient reports whether a function of a package does only what users may do as well:
// it calls what is exported, and accesses its own variables, elements, and exported
// members of values that are not for concurrent use. What the exported methods do that it
// calls is compared by these.
func isClient(f *ssa.Function, shared func(types.Type) bool) bool {
	seen := map[*ssa.Function]bool{}
	free := func(addr ssa.Value) bool {
		for {
			switch x := addr.(type) {
			case *ssa.FieldAddr:
				if form.MadeHere(x) {
					return true
				}
				if st, ok := form.Deref(x.X.Type()).Underlying().(*types.Struct); !ok || !st.Field(x.Field).Exported() || shared(x.X.Type()) {
					return false
				}
				addr = x.X
			case *ssa.IndexAddr:
				addr = x.X
			case *ssa.Global:
				return false
			default:
				return true
			}
		}
	}
	var client func(g *ssa.Function) bool
	client = func(g *ssa.Function) bool {
		if g = form.Body(g); seen[g] || form.PkgOf(g) != form.PkgOf(f) || g != f && g.Object() != nil && g.Object().Exported() {
			return true
		}
		seen[g] = true
		for _, b := range g.Blocks {
			for _, in := range b.Instrs {
				ok := true
				switch in := in.(type) {
				case *ssa.FieldAddr: // its address may be given to others
					ok = free(in)
				case *ssa.Store:
					ok = free(in.Addr)
				case *ssa.UnOp:
					ok = in.Op != token.MUL || free(in.X)
				case *ssa.Go, *ssa.Send, *ssa.Select:
					ok = false
				case *ssa.MapUpdate:
					ok = form.MadeHere(in.Map)
				}
				if !ok {
					return false
				}
				for _, op := range in.Operands(nil) {
					if h, is := (*op).(*ssa.Function); is && !client(h) {
						return false
					}
				}
			}
		}
		return true
	}
	return client(f)
}

// constructs reports whether a function returns a value of a type of its package: what it
// makes is not shared yet.
func constructs(f *ssa.Function) bool {
	res := f.Signature.Results()
	if res.Len() == 0 {
		return false
	}
	n, ok := types.Unalias(form.Deref(res.At(0).Type())).(*types.Named)
	return ok && n.Obj().Pkg() == f.Pkg.Pkg || types.IsInterface(res.At(0).Type()) && returnsMade(f)
}

// sendsMade reports whether a function sends what it returns, or another such value: others
// may have it before the function returns.
func sendsMade(f *ssa.Function) bool {
	res := f.Signature.Results()
	made := func(v ssa.Value) bool {
		return res.Len() > 0 && form.IsPointer(v.Type()) && types.Identical(v.Type(), res.At(0).Type())
	}
	return slices.ContainsFunc(f.Blocks, func(b *ssa.BasicBlock) bool {
		return slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
			switch in := in.(type) {
			case *ssa.Send:
				return made(in.X)
			case *ssa.Select:
				return slices.ContainsFunc(in.States, func(s *ssa.SelectState) bool { return s.Send != nil && made(s.Send) })
			}
			return false
		})
	})
}

// returnsMade reports whether all that a function returns first is new objects of its
// package.
func returnsMade(f *ssa.Function) bool {
	found := false
	for _, b := range f.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		m, ok := ret.Results[0].(*ssa.MakeInterface)
		if !ok {
			return false
		}
		a, ok := m.X.(*ssa.Alloc)
		if !ok {
			return false
		}
		n, ok := types.Unalias(form.Deref(a.Type())).(*types.Named)
		if !ok || n.Obj().Pkg() != f.Pkg.Pkg {
			return false
		}
		found = true
	}
	return found
}

// methods lists the exported methods of a type, and of what is embedded in it, as the type
// has them: they are compared on one value of the type, of which what is embedded is a
// part. SSA form has no such methods of generic types; those of types of the package are
// compared on values of their own there, and what users call is unknown.
func (w *World) methods(p *ssa.Package, t *types.Named) []Root {
	out := declaredMethods(p, t)
	have := map[string]bool{}
	for _, r := range out {
		if n := receiverType(r); n == t || t.TypeParams().Len() == 0 {
			have[r.Fn.Name()] = true
		}
	}
	var left []string
	ms := types.NewMethodSet(types.NewPointer(t))
	for i := range ms.Len() {
		m, ok := ms.At(i).Obj().(*types.Func)
		if !ok || !m.Exported() || have[m.Name()] || len(ms.At(i).Index()) < 2 || w.Models.ByName(library.MethodName(m)) != nil {
			continue
		}
		if t.TypeParams().Len() > 0 {
			if len(out) > 0 && w.Own[m.Pkg()] { // else there is nothing to compare it with
				out = append(out, Root{Fn: out[0].Fn, Kind: MethodRoot, Pkg: p, Unknown: fmt.Sprintf(
					"(*%s).%s, a promoted method of a generic type", w.TypeName(t), m.Name())})
			} else {
				left = append(left, m.Name())
			}
			continue
		}
		if f := p.Prog.MethodValue(ms.At(i)); f != nil && len(f.Blocks) > 0 {
			out = append(out, Root{Fn: f, Kind: MethodRoot, Pkg: p})
		}
	}
	if len(left) > 0 {
		w.Report.Assume("unexported-methods", w.Pos(t.Obj().Pos()), "users do not call what %s, which is generic, has from what is embedded in it from several goroutines: %s", w.TypeName(t), strings.Join(left, ", "))
	}
	return out
}

func declaredMethods(p *ssa.Package, t *types.Named) []Root {
	var out []Root
	if s, ok := t.Underlying().(*types.Struct); ok && t.TypeParams().Len() > 0 {
		for f := range s.Fields() {
			n, ok := types.Unalias(form.Deref(f.Type())).(*types.Named)
			if ok && f.Embedded() && n.Obj().Pkg() == p.Pkg && !types.IsInterface(n) {
				out = append(out, declaredMethods(p, n.Origin())...)
			}
		}
	}
	for i := range t.NumMethods() {
		m := t.Method(i)
		if f := p.Prog.FuncValue(m); f != nil && m.Exported() && len(f.Blocks) > 0 {
			out = append(out, Root{Fn: f, Kind: MethodRoot, Pkg: p})
		}
	}
	return out
}

// promise matches what a doc comment says of types that several goroutines may use;
// denial what the others say.
var (
	Promise = regexp.MustCompile(`(?i)(safe|used|called|use|access(ed)?|shared?)[^.]*\b(concurren|simultaneous|(multiple|many|several|different|any|other|more than one) (go.?routine|thread)s?\b|(in|from) (go.?routine|thread)s\b|in parallel\b)|(goroutine|thread|concurrency|concurrent).?safe|\b(go.?routines|threads) (may|can|might) (safely )?(call|use|share|access|invoke|read|write)`)
	Denial  = regexp.MustCompile(`(?i)\b(not|isn't|aren't|never|non|un)\b[^.]*(safe|concurren|goroutine)|unsafe`)
)

// safeByDoc lists the types and functions whose doc comments say that they may be used
// concurrently.
func safeByDoc(files []*ast.File) map[string]bool {
	out := map[string]bool{}
	note := func(name string, docs ...*ast.CommentGroup) {
		for _, d := range docs {
			if d != nil && Promise.MatchString(d.Text()) && !Denial.MatchString(d.Text()) {
				out[name] = true
			}
		}
	}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					note(d.Name.Name, d.Doc)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if t, ok := s.(*ast.TypeSpec); ok {
						note(t.Name.Name, t.Doc, d.Doc)
					}
				}
			}
		}
	}
	return out
}

// MadeBehindPointer reports whether constructors return pointers to what they make of a
// type.
func (w *World) MadeBehindPointer(n *types.Named) bool {
	return slices.ContainsFunc(w.Ctors[n], func(f *ssa.Function) bool {
		return slices.ContainsFunc(form.ComponentTypes(f.Signature.Results()), func(t types.Type) bool { return form.IsPointer(t) && form.OfType(t, n) })
	})
}

// MadeOften lists the types of receivers whose values the program makes elsewhere than
// once in a constructor: if there are constructors, one of them allocates where it may
// run again, and if there are none, something else allocates.
func (w *World) MadeOften(roots []Root, o *Once, fs []*ssa.Function) map[*types.Named]bool {
	out := map[*types.Named]bool{}
	if w.Sharing != nil {
		for n := range w.Sharing.Shared {
			out[n] = true
		}
	}
	for a, n := range w.CtorAllocs {
		if !o.Runs(a.Parent()) || form.OnCycle(a.Block()) {
			out[n] = true
		}
	}
	receiver := map[*types.Named]bool{}
	for _, n := range ReceiverTypes(roots) {
		receiver[n] = true
	}
	for _, f := range fs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				a, ok := in.(*ssa.Alloc)
				if !ok || !a.Heap {
					continue
				}
				if n, ok := types.Unalias(form.Deref(a.Type())).(*types.Named); ok && receiver[n.Origin()] && len(w.Ctors[n.Origin()]) == 0 {
					out[n.Origin()] = true
				}
			}
		}
	}
	return out
}

// MakerFuncs lists the exported functions of library packages that return values of their
// types and are not run otherwise, or return what users keep in a receiver.
func (w *World) MakerFuncs(roots []Root) []*ssa.Function {
	run, pkgs := map[*ssa.Function]bool{}, map[*ssa.Package]bool{}
	for _, r := range roots {
		run[r.Fn] = true
	}
	for _, fs := range w.Ctors {
		for _, f := range fs {
			run[f] = true
		}
	}
	set := map[*ssa.Function]bool{}
	for _, f := range w.Settings {
		set[f] = true
	}
	var out []*ssa.Function
	for _, r := range roots {
		if r.Kind == MainRoot || pkgs[r.Pkg] {
			continue
		}
		pkgs[r.Pkg] = true
		for _, n := range form.SortedKeys(r.Pkg.Members) {
			f, ok := r.Pkg.Members[n].(*ssa.Function)
			if ok && ast.IsExported(n) && len(f.Blocks) > 0 && !set[f] &&
				(!run[f] && constructs(f) || w.givesReceiver(f)) {
				out = append(out, f)
			}
		}
	}
	return out
}

// givesReceiver reports whether a function returns a receiver as a value.
func (w *World) givesReceiver(f *ssa.Function) bool {
	for t := range f.Signature.Results().Variables() {
		if n, ok := types.Unalias(t.Type()).(*types.Named); ok && w.ReceiverTypes[n.Origin()] {
			return true
		}
	}
	return false
}
