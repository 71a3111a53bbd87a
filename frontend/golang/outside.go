package golang

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/external"
	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/world"
	"whoop/ir"
)

// unknownFunc is a function value that comes from outside: calling it reads and writes
// whatever it is given leads to.
func (l *lowering) unknownFunc(sig *types.Signature) ir.Expr {
	sig = types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	k := form.Key(sig)
	g := l.unknown[k]
	if g == nil {
		g = l.NewGlobal("func from outside", l.header, ir.Pos{})
		g.Const = true
		l.unknown[k] = g
		code := l.outsideBody(sig)
		g.Init = l.codeCell(sig, code)
		l.mention(g)
	}
	return ir.Cast{X: ir.GlobalAddr{Global: g}, T: irgen.FuncT}
}

// mention makes a function value known in the initialisation of libraries: values from
// outside may be it.
func (l *lowering) mention(g *ir.Global) {
	if l.initFunc == nil {
		return
	}
	first := l.initFunc.Blocks[0]
	first.Instrs = append(first.Instrs, l.handing(ir.GlobalAddr{Global: g}))
}

// handing is the instruction by which the code that uses a library gets to know a
// pointer.
func (l *lowering) handing(p ir.Expr) ir.Instr {
	if l.handed == nil {
		l.handed = l.NewGlobal("handed out", ir.VPtr, ir.Pos{})
		l.handed.Extern = true
	}
	return &ir.Store{Addr: ir.GlobalAddr{Global: l.handed}, Val: irgen.Typed(p, ir.VPtr), Order: ir.Relaxed}
}

// noFunction is a function value of a signature that is never called.
func (l *lowering) noFunction(sig *types.Signature) ir.Expr {
	sig = types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	k := form.Key(sig)
	g := l.nothing[k]
	if g == nil {
		f := l.signature("no function", sig)
		f.Blocks = []*ir.Block{{Name: "entry", Term: &ir.Stop{Kind: "unreachable"}}}
		g = l.NewGlobal("func nil", l.header, ir.Pos{})
		g.Const = true
		g.Init = l.codeCell(sig, f)
		l.nothing[k] = g
	}
	return ir.GlobalAddr{Global: g}
}

// signature makes a function that function values of a signature may have as their code.
func (l *lowering) signature(name string, sig *types.Signature) *ir.Func {
	f := &ir.Func{Name: l.Unique(name)}
	for i, t := range form.ParamTypes(sig) {
		for _, lf := range l.lay.Of(t).Leaves {
			f.Params = append(f.Params, &ir.Reg{Name: irgen.Join("p"+strconv.Itoa(i), lf.Name), Type: lf.T})
		}
	}
	var ret *ir.Struct
	f.Result, ret = l.results(sig)
	if ret != nil {
		f.Params = append(f.Params, &ir.Reg{Name: ir.Results, Type: ir.Ptr{Elem: ret}})
	}
	f.Params = append(f.Params, &ir.Reg{Name: ir.Captured, Type: irgen.FuncT})
	l.p.Funcs = append(l.p.Funcs, f)
	return f
}

// outsideBody is the code of a function from outside.
func (l *lowering) outsideBody(sig *types.Signature) *ir.Func {
	f := l.signature(ir.OutsideFunc, sig)
	x := newFn(l, nil, f)
	var args irgen.Value
	for _, p := range f.Params {
		x.Used[p.Name]++
		switch p.Name {
		case ir.Results:
			x.ret = p
		case ir.Captured:
		default:
			args = append(args, ir.Use{Reg: p})
		}
	}
	x.Start(x.Block("entry"))
	n := 0
	for _, t := range form.ParamTypes(sig) {
		k := len(x.lay.Of(t).Leaves)
		if u, ok := t.Underlying().(*types.Signature); ok { // an iterator calls what it is given
			f := args[n]
			x.When(irgen.Not(irgen.IsNil(f)), func() { x.repeat(func() { x.CallDynamic(u, f, x.usersGive(u.Params())) }) })
		}
		n += k
	}
	x.useSessions(form.ParamTypes(sig), args, false)
	x.handOverValue(sig, args)
	out := x.outsideResults(f.Name, sig, args)
	x.usersMayPanic()
	x.GiveBack(out)
	x.Prune()
	return f
}

// outsideResults is what a function from outside returns, and does with its arguments.
func (x *fn) outsideResults(name string, sig *types.Signature, args irgen.Value) irgen.Value {
	given := pointersOf(args)
	if len(given) == 0 {
		return x.usersGive(sig.Results())
	}
	if pkg, made := x.MadeElsewhere(sig); x.Confined() && (!library.GivesAny(sig) || made) {
		if made {
			k := external.FuncKey(sig)
			x.lookedAt = func(i int) bool {
				b, _ := x.Modules.World.FuncParam(k, i)
				return b&external.Looked != 0
			}
		}
		out := x.confinedCall(name, sig, args)
		if library.GivesAny(sig) {
			out = x.orBackAll(pkg, sig.Results(), out)
		}
		return out
	}
	ext := x.external(name+" (body)", given)
	ext(ir.VPtr)
	return x.fromOutside(sig.Results(), ext)
}

// handOut gives pointers to the code that uses a library: it may pass them in again, and
// use what they lead to as far as the language lets it.
func (x *fn) handOut(v irgen.Value) {
	if !x.LibraryMode {
		return
	}
	for _, p := range pointersOf(v) {
		x.Emit(x.handing(p))
	}
}

// handLater is handOut at the end of the initialisation: until then nobody else runs.
func (x *fn) handLater(v irgen.Value) {
	first := x.F.Blocks[0]
	for _, p := range pointersOf(v) {
		r := x.Temp(ir.VPtr)
		first.Instrs = append(first.Instrs, &ir.Assign{Dst: r, X: ir.Null{T: ir.VPtr}})
		x.Assign(r, irgen.Typed(p, ir.VPtr))
		x.later = append(x.later, ir.Use{Reg: r})
	}
}

// handAll hands out what handLater was given.
func (x *fn) handAll() {
	x.handOut(x.later)
	x.later = nil
}

// publish hands out the receivers and the exported variables.
func (x *fn) publish(roots []world.Root) {
	done := map[*ir.Global]bool{}
	for _, r := range roots {
		if len(r.Fn.Params) == 0 {
			continue
		}
		if g, ok := x.fixedParams[r.Fn.Params[0]].(ir.GlobalAddr); ok && !done[g.Global] {
			done[g.Global] = true
			x.handOut(irgen.Value{g})
		}
	}
	pkgs := map[*ssa.Package]bool{}
	for _, r := range roots {
		if r.Kind == world.MainRoot || pkgs[r.Pkg] {
			continue
		}
		pkgs[r.Pkg] = true
		for _, n := range form.SortedKeys(r.Pkg.Members) {
			if g, ok := r.Pkg.Members[n].(*ssa.Global); ok && ast.IsExported(n) {
				x.handOut(irgen.Value{ir.GlobalAddr{Global: x.global(g)}})
			}
		}
	}
}

// libraryValue reports whether a variable of another package is an interface that the
// program only reads: what is in there is that package's own.
func (x *fn) libraryValue(g *ssa.Global) bool {
	if x.Exact || x.Own[g.Pkg.Pkg] || !types.IsInterface(form.Deref(g.Type())) || x.assignedVars[g] {
		return false
	}
	x.p.Assume("library-variable", x.Pos, "%s.%s holds what its package puts there", g.Pkg.Pkg.Path(), g.Name())
	return true
}

// libraryFunction reports whether a variable of another package is a function: one of that
// package, from outside, or what the program puts there.
func (x *fn) libraryFunction(g *ssa.Global) bool {
	if x.Exact || x.Own[g.Pkg.Pkg] {
		return false
	}
	_, is := form.Deref(g.Type()).Underlying().(*types.Signature)
	return is
}

// intoLibrary states the assumption about what is put into a variable of another package,
// or a member of an object that one leads to, which functions of that package may call by
// themselves.
func (x *fn) intoLibrary(in *ssa.Store) {
	if x.Exact || callable(in.Val.Type(), 0) == nothing {
		return
	}
	at := in.Addr
	for range 6 {
		switch a := at.(type) {
		case *ssa.FieldAddr:
			at = a.X
		case *ssa.UnOp:
			at = a.X
		case *ssa.Global:
			if a.Pkg != nil && !x.Own[a.Pkg.Pkg] {
				x.p.Assume("library-variable", x.Pos, "functions of package %s that use %s by themselves do not call what is put there", a.Pkg.Pkg.Path(), a.Name())
			}
			return
		default:
			return
		}
	}
}

// findAssigned finds the variables of other packages with which the program does more
// than to read them.
func (l *lowering) findAssigned(fs []*ssa.Function) {
	l.assignedVars = map[*ssa.Global]bool{}
	for _, f := range fs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if u, ok := in.(*ssa.UnOp); ok && u.Op == token.MUL {
					continue
				}
				for _, op := range in.Operands(nil) {
					if g, ok := (*op).(*ssa.Global); ok && !l.Own[g.Pkg.Pkg] {
						l.assignedVars[g] = true
					}
				}
			}
		}
	}
}
