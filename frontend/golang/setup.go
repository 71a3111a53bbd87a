package golang

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/program"
	"whoop/ir"
)

// What users may do before they use a library from several goroutines: switch something
// on, register something, set a member by a function. Exported functions and methods that
// are no entry points are called at the end of the initialisation, any number of times.

// setup lists the exported functions, and methods of types that users may have, that are
// not run otherwise and do something that lasts: users may call them before they use the
// package from several goroutines.
func (l *lowering) setup(pkgs []program.Package, roots []root) []*ssa.Function {
	run := l.runAnyway(roots)
	lasts := &lasting{l: l, run: run, byName: map[string][]*ssa.Function{}}
	for _, f := range l.sources {
		if f.Signature.Recv() != nil {
			lasts.byName[f.Name()] = append(lasts.byName[f.Name()], f)
		}
	}
	var out []*ssa.Function
	l.eachOfUsers(pkgs, func(p *ssa.Package, f *ssa.Function) {
		if !run[f] && (f.Signature.Recv() != nil && l.makesShared(p, f) || lasts.does(f)) {
			out = append(out, f) // also what makes what users have
		}
	})
	return out
}

// eachOfUsers visits the exported functions, and methods of types that users may have.
func (l *lowering) eachOfUsers(pkgs []program.Package, visit func(p *ssa.Package, f *ssa.Function)) {
	add := func(p *ssa.Package, f *ssa.Function) {
		if len(f.Blocks) > 0 {
			visit(p, f)
		}
	}
	for _, pkg := range pkgs {
		p := pkg.SSA
		// users cannot call these
		if p.Pkg.Name() == "main" || internalPath.MatchString(p.Pkg.Path()) || l.bodies != nil && p == l.bodies.Pkg {
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
				if !ok || types.IsInterface(named) || !ast.IsExported(n) && !l.handedOut(p, named).surely {
					continue
				}
				for _, r := range declaredMethods(p, named) {
					add(p, r.fn)
				}
			}
		}
	}
}

// addMakers adds the functions that give users values of types of which two may share
// something: users call them any number of times.
func (l *lowering) addMakers(pkgs []program.Package, roots []root) {
	if len(l.sharing.shared) == 0 {
		return
	}
	run := map[*ssa.Function]bool{}
	for _, r := range roots {
		run[r.fn] = true
	}
	for _, f := range l.settings {
		run[f] = true
	}
	l.eachOfUsers(pkgs, func(_ *ssa.Package, f *ssa.Function) {
		if !run[f] && (l.sharing.makes(f.Signature) || l.sharing.givesFunction(f.Signature)) {
			l.settings = append(l.settings, f)
		}
	})
}

// givesFunction reports whether who calls a function gets one that has something which
// changes: users may give it to several values.
func (s *sharing) givesFunction(sig *types.Signature) bool {
	return slices.ContainsFunc(form.ComponentTypes(sig.Results()), func(t types.Type) bool {
		_, ok := t.Underlying().(*types.Signature)
		return ok && s.c.given(t)
	})
}

// makes reports whether who calls a function may get values of which two may share
// something, or what leads to some.
func (s *sharing) makes(sig *types.Signature) bool {
	found := false
	for _, t := range form.ComponentTypes(sig.Results()) {
		s.l.eachBehind(t, func(n *types.Named) bool {
			found = found || s.shared[n] != ""
			return !found
		})
		it, ok := t.Underlying().(*types.Interface)
		for n := range s.shared {
			found = found || givesSession(sig, n) || ok && s.l.isBoxed(n) &&
				(types.Implements(types.NewPointer(n), it) || types.Implements(n, it))
		}
	}
	for n := range s.shared {
		found = found || givesToFunction(sig, n)
	}
	return found
}

// makesShared reports whether a function gives users values of types for concurrent use.
func (l *lowering) makesShared(p *ssa.Package, f *ssa.Function) bool {
	lt := l.libraries[p]
	return lt != nil && slices.ContainsFunc(lt.all,
		func(t *types.Named) bool { return lt.shared[t] && l.handsOut(f.Signature, t) })
}

// internalPath matches the paths of packages that only the module itself can import.
var internalPath = regexp.MustCompile(`(^|/)internal(/|$)`)

// lasting tells which functions may leave something behind: they write what they have not
// made themselves, start goroutines, send, or give something to a library.
type lasting struct {
	l *lowering
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
		return slices.ContainsFunc(c.Args, func(v ssa.Value) bool { return t.l.hasPointers(v.Type()) && !form.MadeHere(v) })
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
	op := t.l.m.EffectOf(o)
	if m := t.l.m.ByName(library.MethodName(o)); m != nil {
		op = m.Op
	}
	switch op {
	case "pure", "reads", "lock", "unlock", "load":
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

// setUp calls these functions, any number of times, with what users may have.
func (x *fn) setUp(fs []*ssa.Function) {
	if len(fs) == 0 {
		return
	}
	x.repeat(func() {
		for _, n := range x.sharing.sorted() {
			x.exported(n)
		}
		x.anyOf(len(fs), func(i int) {
			x.pos = x.lowering.pos(fs[i].Pos())
			var args value
			for _, p := range fs[i].Params {
				args = append(args, x.fromUser(p.Type())...)
			}
			made := x.calledByUser(fs[i], args)
			if x.sharing != nil && x.sharing.makes(fs[i].Signature) {
				x.keepValues(fs[i], made)
				x.startLater(fs[i], made)
			}
			x.handOut(made)
			x.handMembers(fs[i].Signature.Results(), made, 0)
		})
	})
}

// fromUser is a value that users of a library may have: of the types of receivers that is
// the receiver, of others what they made or got.
func (x *fn) fromUser(t types.Type) value {
	if g := x.receiverOf(t); g != nil {
		return value{ir.GlobalAddr{Global: g}}
	}
	user := x.external("user", nil)
	v := x.fromOutside(t, user)
	if sig, ok := t.Underlying().(*types.Signature); ok && x.sharing != nil && x.sharing.c.given(sig) {
		// users have got such a function
		v = x.either(t, v, value{typed(user(ir.Ptr{Elem: x.header}), funcT)})
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && x.own[n.Obj().Pkg()] && n.TypeParams().Len() == 0 {
		if mem := x.lay.of(t).mem; mem.Size() > 0 && len(v) > 0 { // a copy of one that they have
			p := user(ir.Ptr{Elem: mem})
			dst := x.zeroed(t)
			x.assignAll(dst, v)
			x.when(not(isNil(p)), func() { x.assignAll(dst, x.load(t, p, ir.Plain)) })
			return useAll(dst)
		}
	}
	return v
}

// handMembers hands out the exported members of what users get that are values of types of
// which two may share something: users call their methods.
func (x *fn) handMembers(t types.Type, v value, depth int) {
	if x.sharing == nil || len(x.sharing.shared) == 0 || depth > maxFields || len(v) == 0 {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Tuple, *types.Struct:
		if !x.inParts(t, len(v)) {
			return // a type of a library that is not represented by its members
		}
		at := 0
		for i, m := range membersOf(t) {
			n := len(x.lay.of(m).leaves)
			if st, ok := u.(*types.Struct); !ok || st.Field(i).Exported() {
				x.handMembers(m, v[at:at+n], depth)
			}
			at += n
		}
	case *types.Pointer:
		x.handMembersOf(u.Elem(), v[0], depth)
	case *types.Slice:
		x.handMembersOf(u.Elem(), v[0], depth)
	}
}

// inParts reports whether a struct or tuple is represented by its parts, in n scalars.
func (x *fn) inParts(t types.Type, n int) bool {
	for _, m := range membersOf(t) {
		n -= len(x.lay.of(m).leaves)
	}
	return n == 0
}

// membersOf lists the types of the parts of a struct or tuple.
func membersOf(t types.Type) []types.Type {
	if tu, ok := t.(*types.Tuple); ok {
		return form.ComponentTypes(tu)
	}
	var out []types.Type
	for f := range t.Underlying().(*types.Struct).Fields() {
		out = append(out, f.Type())
	}
	return out
}

// handMembersOf is handMembers for what a pointer leads to.
func (x *fn) handMembersOf(t types.Type, p ir.Expr, depth int) {
	if a, ok := t.Underlying().(*types.Array); ok {
		t = a.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	s, is := x.lay.of(t).mem.(*ir.Struct)
	if _, _, special := x.special(types.Unalias(t)); special || !ok || !is ||
		len(s.Fields) < st.NumFields() {
		return
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		if !f.Exported() && !f.Embedded() || !x.sharing.leadsToShared(f.Type()) {
			continue
		}
		x.when(not(isNil(p)), func() {
			at := ir.FieldAddr{Base: typed(p, ir.Ptr{Elem: s}), S: s, Index: i}
			if form.IsStruct(f.Type()) {
				x.handOut(value{at})
				x.handMembersOf(f.Type(), at, depth+1)
			} else {
				x.handMembers(f.Type(), x.load(f.Type(), at, ir.Plain), depth+1)
			}
		})
	}
}

// leadsToShared reports whether values of a type have, or lead to, some of which two may share
// something.
func (s *sharing) leadsToShared(t types.Type) bool {
	found := false
	s.l.eachBehind(t, func(n *types.Named) bool {
		found = found || s.shared[n] != ""
		return !found
	})
	return found
}
