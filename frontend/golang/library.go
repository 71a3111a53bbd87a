package golang

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/world"
	"whoop/ir"
)

// receivers gives the methods that are entry points one receiver for each type: it is
// what calls on the same value are about. Where the program makes values of the type in
// places that are not run once, the receivers are those that users get.
func (l *lowering) receivers(roots []world.Root, o *world.Once, fs []*ssa.Function) map[*ssa.Parameter]ir.Expr {
	many := l.MadeOften(roots, o, fs)
	out := map[*ssa.Parameter]ir.Expr{}
	for _, r := range roots {
		if r.Kind != world.MethodRoot || len(r.Fn.Params) == 0 {
			continue
		}
		p := r.Fn.Params[0]
		pt, ok := p.Type().Underlying().(*types.Pointer)
		elem := p.Type()
		if ok {
			elem = pt.Elem()
		}
		lay := l.lay.Of(elem)
		n, named := types.Unalias(elem).(*types.Named)
		if !ok && !(named && l.MadeBehindPointer(n.Origin())) {
			continue
		}
		if lay.Mem.Size() == 0 || named && many[n.Origin()] {
			continue
		}
		g := l.receiver[lay.Mem]
		if g == nil {
			g = l.NewGlobal(l.TypeName(form.General(elem)), lay.Mem, l.Pos(r.Fn.Pos()))
			g.Extern = !named || len(l.Ctors[n.Origin()]) == 0
			l.receiver[lay.Mem] = g
			l.Report.Assume("one-receiver", l.Pos(r.Fn.Pos()),
				"methods of %s are compared on one value: nothing that its module does makes two values "+
					"share memory that changes, and variables of type error hold what their packages put there",
				g.Name)
		}
		if ok {
			out[p] = ir.GlobalAddr{Global: g}
		}
	}
	given := slices.Clone(l.Settings)
	for _, r := range roots {
		if r.Kind == world.FunctionRoot {
			given = append(given, r.Fn)
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

// copiesReceiver reports whether users call a method by value of what a pointer of theirs
// leads to, and copy that.
func (l *lowering) copiesReceiver(f *ssa.Function) bool {
	if !l.LibraryMode || f.Signature.Recv() == nil || len(f.Params) == 0 || form.IsPointer(f.Params[0].Type()) || types.IsInterface(f.Params[0].Type()) {
		return false
	}
	n, ok := types.Unalias(f.Params[0].Type()).(*types.Named)
	return l.receiver[l.lay.Of(f.Params[0].Type()).Mem] != nil ||
		ok && l.ReceiverTypes[n.Origin()] && l.MadeBehindPointer(n.Origin())
}

// usersOwn calls f with a value of a type whose methods are entry points: the receiver,
// or any that users have got.
func (x *fn) usersOwn(t types.Type, f func(p ir.Expr)) {
	mem := x.lay.Of(t).Mem
	if g := x.receiver[mem]; g != nil {
		f(ir.GlobalAddr{Global: g})
	} else if mem.Size() > 0 {
		p := x.external("user", nil)(ir.Ptr{Elem: mem})
		x.When(irgen.Not(irgen.IsNil(p)), func() { f(p) })
	}
}

// receiverOf is the receiver that a pointer of a type is, nil where there is none.
func (l *lowering) receiverOf(t types.Type) *ir.Global {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		return l.receiver[l.lay.Of(p.Elem()).Mem]
	}
	return nil
}

// makers may run each of the functions once, and hands out what they make.
func (x *fn) makers(fs []*ssa.Function, roots []world.Root) {
	receivers := map[*types.Named]bool{}
	for _, n := range world.ReceiverTypes(roots) {
		receivers[n] = true
	}
	for _, f := range fs {
		x.When(irgen.Cond(x.havoc(irgen.BoolT)), func() {
			x.Pos = x.lowering.Pos(f.Pos())
			var args irgen.Value
			for _, t := range form.ComponentTypes(f.Signature.Params()) {
				// one that is there already
				if n, ok := types.Unalias(form.Deref(t)).(*types.Named); ok && receivers[n.Origin()] {
					args = append(args, x.fromUser(t)...)
				} else {
					args = append(args, x.usersGive(t)...)
				}
			}
			made := x.calledByUser(f, args)
			x.useSessions(form.ComponentTypes(f.Signature.Results()), made, true)
			x.keepValues(f, made)
			x.handLater(made)
			x.startLater(f, made)
		})
	}
}

// keepValues puts the values that a function returns into the receivers of their types:
// users have them in variables, on which they call methods.
func (x *fn) keepValues(f *ssa.Function, made irgen.Value) {
	at := 0
	for t := range f.Signature.Results().Variables() {
		lay := x.lay.Of(t.Type())
		v := made[at : at+len(lay.Leaves)]
		at += len(lay.Leaves)
		n, ok := types.Unalias(t.Type()).(*types.Named)
		if !ok || !x.ReceiverTypes[n.Origin()] || lay.Mem.Size() == 0 {
			continue
		}
		x.When(irgen.Cond(x.havoc(irgen.BoolT)), func() {
			if g := x.receiver[lay.Mem]; g != nil {
				x.Store(t.Type(), ir.GlobalAddr{Global: g}, v, ir.Plain)
				return
			}
			r := x.Temp(ir.Ptr{Elem: lay.Mem})
			x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: lay.Mem,
				Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true, Name: "variable"})
			x.Store(t.Type(), ir.Use{Reg: r}, v, ir.Plain)
			x.handOut(irgen.Value{ir.Use{Reg: r}})
		})
	}
}

// startLater keeps what a constructor returned, in which users may find functions: they
// are started at the end of the initialisation. The members of receivers are, anyway.
func (x *fn) startLater(f *ssa.Function, made irgen.Value) {
	at, first := 0, x.F.Blocks[0]
	for t := range f.Signature.Results().Variables() {
		n := len(x.lay.Of(t.Type()).Leaves)
		v := made[at : at+n]
		at += n
		if !x.handsFunctions(t.Type(), 0) || form.IsPointer(t.Type()) && x.receiver[x.lay.Of(form.Deref(t.Type())).Mem] != nil {
			continue
		}
		var kept irgen.Value
		for i, z := range x.Zero(t.Type()) {
			r := x.Temp(x.lay.Of(t.Type()).Leaves[i].T)
			first.Instrs = append(first.Instrs, &ir.Assign{Dst: r, X: irgen.Typed(z, r.Type)})
			x.Assign(r, v[i])
			kept = append(kept, ir.Use{Reg: r})
		}
		x.atEnd = append(x.atEnd, func() { x.startWithin("what "+x.FuncName(f)+" returns", t.Type(), kept, 0) })
	}
}

// startVariables starts the functions in exported variables.
func (x *fn) startVariables(roots []world.Root) {
	done := map[*ssa.Package]bool{}
	for _, r := range roots {
		if r.Kind == world.MainRoot || done[r.Pkg] {
			continue
		}
		done[r.Pkg] = true
		for _, n := range form.SortedKeys(r.Pkg.Members) {
			g, ok := r.Pkg.Members[n].(*ssa.Global)
			if t := r.Pkg.Members[n].Type(); ok && ast.IsExported(n) && x.handsFunctions(form.Deref(t), 0) {
				x.startWithin("variable "+n, form.Deref(t), x.Load(form.Deref(t), ir.GlobalAddr{Global: x.global(g)}, ir.Plain), 0)
			}
		}
	}
}

// startMembers starts the functions in the exported members of receivers, and those that
// constructors returned: users call them whenever they like.
func (x *fn) startMembers(roots []world.Root) {
	for _, start := range x.atEnd {
		start()
	}
	x.startVariables(roots)
	done := map[types.Type]bool{}
	for _, r := range roots {
		if r.Kind != world.MethodRoot || len(r.Fn.Params) == 0 {
			continue
		}
		p := r.Fn.Params[0]
		t := form.Deref(p.Type())
		if st, ok := t.Underlying().(*types.Struct); ok && !done[t] &&
			!types.IsInterface(t) && x.handsFunctions(t, 0) {
			done[t] = true
			x.usersOwn(t, func(p ir.Expr) { x.startFields("members of "+x.TypeName(t), t, st, p, 0) })
		}
	}
}

// libraryInit makes the entry that initialises the packages before their interface is
// used.
func (l *lowering) libraryInit(roots []world.Root) {
	if !l.LibraryMode {
		return
	}
	f := &ir.Func{Name: l.Unique("init (packages)"), Result: ir.Void{}}
	x := newFn(l, nil, f)
	x.Start(x.Block("entry"))
	x.Inexact()
	l.initFunc = f
	for _, k := range form.SortedKeys(l.unknown) {
		l.mention(l.unknown[k])
	}
	x.Jump(x.Block("begin"))
	x.Start(f.Blocks[0].Term.Succs()[0])
	for _, f := range l.initCalls.begins {
		x.CallFunc(f, nil, nil)
	}
	l.construct(x, roots)
	x.makers(l.MakerFuncs(roots), roots)
	x.handAll()
	x.nameAsked()
	x.publish(roots)
	x.setUp(l.Settings, roots)
	x.startMembers(roots)
	x.Emit(&ir.Register{Base: x.Base(), API: "package initialisation"})
	x.End(&ir.Return{TermBase: x.Term()})
	x.Prune()
	l.p.Funcs = append(l.p.Funcs, f)
	l.p.Entries = append(l.p.Entries, &ir.Entry{Name: f.Name, Func: f, Kind: "init", Init: true})
}
