package golang

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
	"whoop/ir"
)

// library finds the exported methods and functions of a library package that may run at
// the same time: those of types that are meant for it, and functions of a package that
// has a lock of its own.
func (l *lowering) library(p *ssa.Package, files []*ast.File) []root {
	safe, denied := safeByDoc(files), deniedByDoc(files)
	lt := l.classify(p, safe, denied)
	var out []root
	var names []string
	for n := range p.Members {
		names = append(names, n)
	}
	sort.Strings(names)
	locked, vars := l.packageSynchronises(p), l.sharedVariables(p, safe)
	called := l.convention(p, deniedFunctions(files))
	for _, n := range names {
		if !ast.IsExported(n) {
			continue
		}
		switch m := p.Members[n].(type) {
		case *ssa.Function:
			if len(m.Blocks) == 0 {
				continue
			}
			if (!constructs(m) || l.usesState(m)) && (locked || safe[n] || accesses(m, vars)) || l.takesShared(p, m, safe) ||
				called[m] || l.serves(p, m.Signature) {
				out = append(out, root{fn: m, kind: "function", pkg: p})
			}
		case *ssa.Type:
			named, ok := types.Unalias(m.Type()).(*types.Named)
			switch {
			case !ok:
			case named.TypeArgs().Len() > 0: // another name for an instance
				if g := named.Origin(); g.Obj().Pkg() == p.Pkg && !g.Obj().Exported() && l.concurrent(p, g) {
					out = append(out, l.methods(p, g)...)
				}
			case lt.sessions[named]:
				out = append(out, l.addSession(p, named)...)
			case lt.shared[named]: // else see sessionsOf
				out = append(out, l.methods(p, named)...)
			case !denied[n]:
				out = append(out, l.served(p, named)...)
			}
		}
	}
	out = append(out, l.sessionsOf(p, safe, out)...)
	out = append(out, l.privateMethods(p, safe)...)
	out = distinct(append(out, l.threaded(p, len(out) == 0)...))
	l.leave(p, lt, out)
	return out
}

// threaded lists the exported functions that return functions with synchronisation in
// them, and, if all, those that start goroutines: where a package has entry points, these
// are called before the others (setup.go).
func (l *lowering) threaded(p *ssa.Package, all bool) []root {
	var out []root
	for _, n := range form.SortedKeys(p.Members) {
		f, ok := p.Members[n].(*ssa.Function)
		if ok && ast.IsExported(n) && len(f.Blocks) > 0 && (l.returnsSynchronised(f) || l.returnsServed(f) || all && l.startsGoroutines(f)) {
			out = append(out, root{fn: f, kind: "function", pkg: p})
		}
	}
	return out
}

// returnsSynchronised reports whether a function returns functions, and those that it
// makes have synchronisation.
func (l *lowering) returnsSynchronised(f *ssa.Function) bool {
	makes := func(t types.Type) bool { _, ok := t.Underlying().(*types.Signature); return ok }
	return slices.ContainsFunc(form.ComponentTypes(f.Signature.Results()), makes) && slices.ContainsFunc(f.AnonFuncs, func(g *ssa.Function) bool {
		return form.WithinPackage(g, l.synchronises)
	})
}

// startsGoroutines reports whether a function, or one of its package that it names,
// starts goroutines, or has a library do so.
func (l *lowering) startsGoroutines(f *ssa.Function) bool {
	return form.WithinPackage(f, func(in ssa.Instruction) bool {
		c, ok := in.(ssa.CallInstruction)
		if !ok {
			return false
		}
		_, starts := in.(*ssa.Go)
		g := c.Common().StaticCallee()
		return starts || g != nil && l.m.Model(g) != nil && l.m.Model(g).Op == "go"
	})
}

// packageSynchronises reports whether variables of a package synchronise: its functions
// are then for concurrent use.
func (l *lowering) packageSynchronises(p *ssa.Package) bool {
	if l.syncOps(p.Pkg).global {
		return true
	}
	for _, n := range form.SortedKeys(p.Members) {
		if g, ok := p.Members[n].(*ssa.Global); ok && l.syncIn(form.Deref(g.Type()), 0) >= counting {
			return true
		}
	}
	return false
}

// distinct leaves out what is there already: a type that several others embed has its
// methods once.
func distinct(roots []root) []root {
	type id struct {
		fn      *ssa.Function
		unknown string
	}
	seen := map[id]bool{}
	return slices.DeleteFunc(roots, func(r root) bool {
		again := seen[id{r.fn, r.unknown}]
		seen[id{r.fn, r.unknown}] = true
		return again
	})
}

// takesShared reports whether a function is given values of the package that are for
// concurrent use, and does more with them than users may do themselves: it is then as
// good as a method of them.
func (l *lowering) takesShared(p *ssa.Package, f *ssa.Function, safe map[string]bool) bool {
	shared := func(t types.Type) bool {
		n, ok := types.Unalias(form.Deref(t)).(*types.Named)
		return ok && n.Obj().Pkg() == p.Pkg && n.Obj().Exported() && !types.IsInterface(n) && (safe[n.Obj().Name()] || l.concurrent(p, n))
	}
	returns := slices.ContainsFunc(form.ComponentTypes(f.Signature.Results()), shared)
	return !returnsGiven(f, shared) &&
		slices.ContainsFunc(form.ComponentTypes(f.Signature.Params()), func(t types.Type) bool { return givesPointer(t, shared, 0) }) && (constructs(f) && !returns || !isClient(f, shared))
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

// givesPointer reports whether a value is a pointer to one of some types, or a slice,
// array or map of such.
func givesPointer(t types.Type, to func(types.Type) bool, depth int) bool {
	if depth > 3 {
		return false
	}
	switch u := types.Unalias(t).(type) {
	case *types.Pointer:
		return to(t)
	case *types.Slice:
		return givesPointer(u.Elem(), to, depth+1)
	case *types.Array:
		return givesPointer(u.Elem(), to, depth+1)
	case *types.Map:
		return givesPointer(u.Key(), to, depth+1) || givesPointer(u.Elem(), to, depth+1)
	}
	return form.IsPointer(t) && to(t)
}

// sharedVariables are the variables of a package that lead to a value which is for
// concurrent use.
func (l *lowering) sharedVariables(p *ssa.Package, safe map[string]bool) map[*ssa.Global]bool {
	out := map[*ssa.Global]bool{}
	for _, n := range form.SortedKeys(p.Members) {
		g, ok := p.Members[n].(*ssa.Global)
		if !ok || !form.IsPointer(form.Deref(g.Type())) {
			continue
		}
		if t, ok := types.Unalias(form.Deref(form.Deref(g.Type()))).(*types.Named); ok && t.Obj().Pkg() == p.Pkg && (safe[t.Obj().Name()] || l.concurrent(p, t)) {
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
		if g = form.Body(g); seen[g] || g.Pkg != f.Pkg || g != f && g.Object() != nil && g.Object().Exported() {
			return true
		}
		seen[g] = true
		for _, b := range g.Blocks {
			for _, in := range b.Instrs {
				ok := true
				switch in := in.(type) {
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
func (l *lowering) methods(p *ssa.Package, t *types.Named) []root {
	out := declaredMethods(p, t)
	have := map[string]bool{}
	for _, r := range out {
		if n := receiverType(r); n == t || t.TypeParams().Len() == 0 {
			have[r.fn.Name()] = true
		}
	}
	var left []string
	ms := types.NewMethodSet(types.NewPointer(t))
	for i := range ms.Len() {
		m, ok := ms.At(i).Obj().(*types.Func)
		if !ok || !m.Exported() || have[m.Name()] || len(ms.At(i).Index()) < 2 || l.m.ByName(library.MethodName(m)) != nil {
			continue
		}
		if t.TypeParams().Len() > 0 {
			if len(out) > 0 && l.own[m.Pkg()] { // else there is nothing to compare it with
				out = append(out, root{fn: out[0].fn, kind: "method", pkg: p, unknown: fmt.Sprintf(
					"(*%s).%s, a promoted method of a generic type", l.typeName(t), m.Name())})
			} else {
				left = append(left, m.Name())
			}
			continue
		}
		if f := p.Prog.MethodValue(ms.At(i)); f != nil && len(f.Blocks) > 0 {
			out = append(out, root{fn: f, kind: "method", pkg: p})
		}
	}
	if len(left) > 0 {
		l.p.Assume("unexported-methods", l.pos(t.Obj().Pos()), "users do not call what %s, which is generic, has from what is embedded in it from several goroutines: %s", l.typeName(t), strings.Join(left, ", "))
	}
	return out
}

func declaredMethods(p *ssa.Package, t *types.Named) []root {
	var out []root
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
			out = append(out, root{fn: f, kind: "method", pkg: p})
		}
	}
	return out
}

// promise matches what a doc comment says of types that several goroutines may use;
// denial what the others say.
var (
	promise = regexp.MustCompile(`(?i)(safe|used|called|use|access(ed)?|shared?)[^.]*\b(concurren|simultaneous|(multiple|many|several|different|any|other|more than one) (go.?routine|thread)s?\b|(in|from) (go.?routine|thread)s\b|in parallel\b)|(goroutine|thread|concurrency|concurrent).?safe|\b(go.?routines|threads) (may|can|might) (safely )?(call|use|share|access|invoke|read|write)`)
	denial  = regexp.MustCompile(`(?i)\b(not|isn't|aren't|never|non|un)\b[^.]*(safe|concurren|goroutine)|unsafe`)
)

// safeByDoc lists the types and functions whose doc comments say that they may be used
// concurrently.
func safeByDoc(files []*ast.File) map[string]bool {
	out := map[string]bool{}
	note := func(name string, docs ...*ast.CommentGroup) {
		for _, d := range docs {
			if d != nil && promise.MatchString(d.Text()) && !denial.MatchString(d.Text()) {
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

// receivers gives the methods that are entry points one receiver for each type: it is
// what calls on the same value are about. Where the program makes values of the type in
// places that are not run once, the receivers are those that users get.
func (l *lowering) receivers(roots []root, o *onceInfo, fs []*ssa.Function) map[*ssa.Parameter]ir.Expr {
	many := l.madeOften(roots, o, fs)
	out := map[*ssa.Parameter]ir.Expr{}
	for _, r := range roots {
		if r.kind != "method" || len(r.fn.Params) == 0 {
			continue
		}
		p := r.fn.Params[0]
		pt, ok := p.Type().Underlying().(*types.Pointer)
		elem := p.Type()
		if ok {
			elem = pt.Elem()
		}
		lay := l.lay.of(elem)
		n, named := types.Unalias(elem).(*types.Named)
		if !ok && !(named && l.madeBehindPointer(n.Origin())) {
			continue
		}
		if lay.mem.Size() == 0 || named && many[n.Origin()] {
			continue
		}
		g := l.receiver[lay.mem]
		if g == nil {
			g = l.newGlobal(l.typeName(form.General(elem)), lay.mem, l.pos(r.fn.Pos()))
			g.Extern = !named || len(l.ctors[n.Origin()]) == 0
			l.receiver[lay.mem] = g
			l.p.Assume("one-receiver", l.pos(r.fn.Pos()),
				"methods of %s are compared on one value: nothing that its module does makes two values "+
					"share memory that changes, and variables of type error hold what their packages put there",
				g.Name)
		}
		if ok {
			out[p] = ir.GlobalAddr{Global: g}
		}
	}
	given := slices.Clone(l.settings)
	for _, r := range roots {
		if r.kind == "function" {
			given = append(given, r.fn)
		}
	}
	for _, f := range given {
		have := map[*ir.Global]bool{}
		for _, p := range f.Params {
			if g := l.receiverOf(p.Type()); g != nil {
				if s := l.secondOf(p, g, have); s != nil {
					out[p] = ir.GlobalAddr{Global: s}
				}
			}
		}
	}
	return out
}

// madeBehindPointer reports whether constructors return pointers to what they make of a
// type.
func (l *lowering) madeBehindPointer(n *types.Named) bool {
	return slices.ContainsFunc(l.ctors[n], func(f *ssa.Function) bool {
		return slices.ContainsFunc(form.ComponentTypes(f.Signature.Results()), func(t types.Type) bool { return form.IsPointer(t) && form.OfType(t, n) })
	})
}

// copiesReceiver reports whether users call a method by value of what a pointer of theirs
// leads to, and copy that.
func (l *lowering) copiesReceiver(f *ssa.Function) bool {
	if !l.libraryMode || f.Signature.Recv() == nil || len(f.Params) == 0 || form.IsPointer(f.Params[0].Type()) || types.IsInterface(f.Params[0].Type()) {
		return false
	}
	n, ok := types.Unalias(f.Params[0].Type()).(*types.Named)
	return l.receiver[l.lay.of(f.Params[0].Type()).mem] != nil ||
		ok && l.receiverTypes[n.Origin()] && l.madeBehindPointer(n.Origin())
}

// usersOwn calls f with a value of a type whose methods are entry points: the receiver,
// or any that users have got.
func (x *fn) usersOwn(t types.Type, f func(p ir.Expr)) {
	mem := x.lay.of(t).mem
	if g := x.receiver[mem]; g != nil {
		f(ir.GlobalAddr{Global: g})
	} else if mem.Size() > 0 {
		p := x.external("user", nil)(ir.Ptr{Elem: mem})
		x.when(not(isNil(p)), func() { f(p) })
	}
}

// receiverOf is the receiver that a pointer of a type is, nil where there is none.
func (l *lowering) receiverOf(t types.Type) *ir.Global {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return l.receiver[l.lay.of(p.Elem()).mem]
	}
	return nil
}

// madeOften lists the types of receivers whose values the program makes elsewhere than
// once in a constructor: if there are constructors, one of them allocates where it may
// run again, and if there are none, something else allocates.
func (l *lowering) madeOften(roots []root, o *onceInfo, fs []*ssa.Function) map[*types.Named]bool {
	out := map[*types.Named]bool{}
	if l.sharing != nil {
		for n := range l.sharing.shared {
			out[n] = true
		}
	}
	for a, n := range l.ctorAllocs {
		if !o.runs(a.Parent()) || form.OnCycle(a.Block()) {
			out[n] = true
		}
	}
	receiver := map[*types.Named]bool{}
	for _, n := range receiverTypes(roots) {
		receiver[n] = true
	}
	for _, f := range fs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				a, ok := in.(*ssa.Alloc)
				if !ok || !a.Heap {
					continue
				}
				if n, ok := types.Unalias(form.Deref(a.Type())).(*types.Named); ok && receiver[n.Origin()] && len(l.ctors[n.Origin()]) == 0 {
					out[n.Origin()] = true
				}
			}
		}
	}
	return out
}

// makerFuncs lists the exported functions of library packages that return values of their
// types and are not run otherwise, or return what users keep in a receiver.
func (l *lowering) makerFuncs(roots []root) []*ssa.Function {
	run, pkgs := map[*ssa.Function]bool{}, map[*ssa.Package]bool{}
	for _, r := range roots {
		run[r.fn] = true
	}
	for _, fs := range l.ctors {
		for _, f := range fs {
			run[f] = true
		}
	}
	set := map[*ssa.Function]bool{}
	for _, f := range l.settings {
		set[f] = true
	}
	var out []*ssa.Function
	for _, r := range roots {
		if r.kind == "main" || pkgs[r.pkg] {
			continue
		}
		pkgs[r.pkg] = true
		for _, n := range form.SortedKeys(r.pkg.Members) {
			f, ok := r.pkg.Members[n].(*ssa.Function)
			if ok && ast.IsExported(n) && len(f.Blocks) > 0 && !set[f] &&
				(!run[f] && constructs(f) || l.givesReceiver(f)) {
				out = append(out, f)
			}
		}
	}
	return out
}

// givesReceiver reports whether a function returns a receiver as a value.
func (l *lowering) givesReceiver(f *ssa.Function) bool {
	for t := range f.Signature.Results().Variables() {
		if n, ok := types.Unalias(t.Type()).(*types.Named); ok && l.receiverTypes[n.Origin()] {
			return true
		}
	}
	return false
}

// makers may run each of the functions once, and hands out what they make.
func (x *fn) makers(fs []*ssa.Function, roots []root) {
	receivers := map[*types.Named]bool{}
	for _, n := range receiverTypes(roots) {
		receivers[n] = true
	}
	for _, f := range fs {
		x.when(cond(x.havoc(boolT)), func() {
			x.pos = x.lowering.pos(f.Pos())
			var args value
			for _, t := range form.ComponentTypes(f.Signature.Params()) {
				// one that is there already
				if n, ok := types.Unalias(form.Deref(t)).(*types.Named); ok && receivers[n.Origin()] {
					args = append(args, x.fromUser(t)...)
				} else {
					args = append(args, x.outside(t)...)
				}
			}
			made := x.calledByUser(f, args)
			x.keepValues(f, made)
			x.handLater(made)
			x.startLater(f, made)
		})
	}
}

// keepValues puts the values that a function returns into the receivers of their types:
// users have them in variables, on which they call methods.
func (x *fn) keepValues(f *ssa.Function, made value) {
	at := 0
	for t := range f.Signature.Results().Variables() {
		lay := x.lay.of(t.Type())
		v := made[at : at+len(lay.leaves)]
		at += len(lay.leaves)
		n, ok := types.Unalias(t.Type()).(*types.Named)
		if !ok || !x.receiverTypes[n.Origin()] || lay.mem.Size() == 0 {
			continue
		}
		x.when(cond(x.havoc(boolT)), func() {
			if g := x.receiver[lay.mem]; g != nil {
				x.store(t.Type(), ir.GlobalAddr{Global: g}, v, ir.Plain)
				return
			}
			r := x.temp(ir.Ptr{Elem: lay.mem})
			x.emit(&ir.Alloc{Base: x.base(), Dst: r, Elem: lay.mem,
				Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true, Name: "variable"})
			x.store(t.Type(), ir.Use{Reg: r}, v, ir.Plain)
			x.handOut(value{ir.Use{Reg: r}})
		})
	}
}

// startLater keeps what a constructor returned, in which users may find functions: they
// are started at the end of the initialisation. The members of receivers are, anyway.
func (x *fn) startLater(f *ssa.Function, made value) {
	at, first := 0, x.f.Blocks[0]
	for t := range f.Signature.Results().Variables() {
		n := len(x.lay.of(t.Type()).leaves)
		v := made[at : at+n]
		at += n
		if !x.handsFunctions(t.Type(), 0) || form.IsPointer(t.Type()) && x.receiver[x.lay.of(form.Deref(t.Type())).mem] != nil {
			continue
		}
		var kept value
		for i, z := range x.zero(t.Type()) {
			r := x.temp(x.lay.of(t.Type()).leaves[i].t)
			first.Instrs = append(first.Instrs, &ir.Assign{Dst: r, X: typed(z, r.Type)})
			x.assign(r, v[i])
			kept = append(kept, ir.Use{Reg: r})
		}
		x.atEnd = append(x.atEnd, func() { x.startWithin("what "+x.funcName(f)+" returns", t.Type(), kept, 0) })
	}
}

// startVariables starts the functions in exported variables.
func (x *fn) startVariables(roots []root) {
	done := map[*ssa.Package]bool{}
	for _, r := range roots {
		if r.kind == "main" || done[r.pkg] {
			continue
		}
		done[r.pkg] = true
		for _, n := range form.SortedKeys(r.pkg.Members) {
			g, ok := r.pkg.Members[n].(*ssa.Global)
			if t := r.pkg.Members[n].Type(); ok && ast.IsExported(n) && x.handsFunctions(form.Deref(t), 0) {
				x.startWithin("variable "+n, form.Deref(t), x.load(form.Deref(t), ir.GlobalAddr{Global: x.global(g)}, ir.Plain), 0)
			}
		}
	}
}

// startMembers starts the functions in the exported members of receivers, and those that
// constructors returned: users call them whenever they like.
func (x *fn) startMembers(roots []root) {
	for _, start := range x.atEnd {
		start()
	}
	x.startVariables(roots)
	done := map[types.Type]bool{}
	for _, r := range roots {
		if r.kind != "method" || len(r.fn.Params) == 0 {
			continue
		}
		p := r.fn.Params[0]
		t := form.Deref(p.Type())
		if st, ok := t.Underlying().(*types.Struct); ok && !done[t] &&
			!types.IsInterface(t) && x.handsFunctions(t, 0) {
			done[t] = true
			x.usersOwn(t, func(p ir.Expr) { x.startFields("members of "+x.typeName(t), t, st, p, 0) })
		}
	}
}

// libraryInit makes the entry that initialises the packages before their interface is
// used.
func (l *lowering) libraryInit(roots []root) {
	if !l.libraryMode {
		return
	}
	f := &ir.Func{Name: l.unique("init (packages)"), Result: ir.Void{}}
	x := newFn(l, nil, f)
	x.start(x.block("entry"))
	x.inexact()
	l.initFunc = f
	for _, k := range form.SortedKeys(l.unknown) {
		l.mention(l.unknown[k])
	}
	x.jump(x.block("begin"))
	x.start(f.Blocks[0].Term.Succs()[0])
	done := map[*ssa.Package]bool{}
	for _, r := range roots {
		if r.kind == "main" || done[r.pkg] {
			continue
		}
		done[r.pkg] = true
		x.callFunc(r.pkg.Func("init"), nil, nil)
	}
	l.construct(x, roots)
	x.makers(l.makerFuncs(roots), roots)
	x.handAll()
	x.publish(roots)
	x.setUp(l.settings)
	x.startMembers(roots)
	x.emit(&ir.Register{Base: x.base(), API: "package initialisation"})
	x.end(&ir.Return{TermBase: x.term()})
	x.prune()
	l.p.Funcs = append(l.p.Funcs, f)
	l.p.Entries = append(l.p.Entries, &ir.Entry{Name: f.Name, Func: f, Kind: "init", Init: true})
}
