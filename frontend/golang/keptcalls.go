package golang

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/external"
	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/retained"
	"whoop/ir"
)

// What other modules keep lies in variables: for each package and type one with a
// function, or an interface, that it was given and calls later in the goroutine of some
// caller. Each function of these modules that may do so calls what is there; the code for
// that is a function of its own, made anew until no more variables turn up. What the
// program stores in fields of structs of other modules lies in a variable for each field,
// and is given to the module where such a struct is.

// moduleVars are the variables in which lies what other modules have.
type moduleVars struct {
	kept     []*keptVar
	keptAt   map[string]*keptVar
	callers  []*keptCaller
	callsAt  map[string]*keptCaller
	fields   []*fieldVar
	fieldAt  map[string]*fieldVar
	starters map[string]*ir.Func // see startOnce
	back     map[string]*backVar
	outlined map[string]*ir.Func
	calls    map[keptCall]*ir.Func
}

// keptCall names what is called of a variable: the keys of methods for which a function
// of its module does so, "1" for each.
type keptCall struct {
	v      *keptVar
	now    string
	starts bool
}

// keptVar is a variable with what a package keeps.
type keptVar struct {
	pkg string
	t   types.Type
	g   *ir.Global
	arg ssa.Value // the function that is there, nil where it is not known
}

// fieldVar is a variable with what the program stores in a field of a struct of another
// module. give is the function that gives it to the module, nil where it is not made yet.
type fieldVar struct {
	n    *types.Named
	t    types.Type
	g    *ir.Global
	arg  ssa.Value // the function that is there, nil where it is not known
	give *ir.Func
}

// keptCaller is the function that calls what is kept on behalf of a function of another
// module.
type keptCaller struct {
	f    *ir.Func
	now  func(external.Key) bool
	sig  *types.Signature
	done int
	// methods says of each key of methods whether the function calls it.
	methods string
	// starts: what is kept is started as goroutines, since one that is not seen runs the
	// function.
	starts bool
}

// backVar is a variable with values of a type that a module was given, and may give to
// functions of the program.
type backVar struct{ g *ir.Global }

// keepFor stores what a package keeps.
func (x *fn) keepFor(pkg string, t types.Type, v irgen.Value, arg ssa.Value) {
	arg = sole(arg)
	id := pkg + " " + form.Key(t) + " " + x.SoleName(arg)
	k := x.keptVarOf(id, "kept by "+pkg, pkg, t, arg)
	if !slices.Contains(x.moduleVars.kept, k) {
		x.moduleVars.kept = append(x.moduleVars.kept, k)
	}
	x.When(irgen.Cond(x.havoc(irgen.BoolT)), func() { x.Store(t, ir.GlobalAddr{Global: k.g}, v, ir.Relaxed) })
}

// startOnce starts values of which it is not known where they are made. They lie in a
// variable, so that there is one entry point for all of a type that a package starts;
// which names the methods that it starts.
func (x *fn) startOnce(to *recipient, t types.Type, which string, v irgen.Value,
	start func(y *fn, v irgen.Value)) {
	id := fmt.Sprint(to.pkg, " ", form.Key(t), " ", to.starts, which)
	k := x.keptVarOf("started by "+id, "started by "+to.pkg, to.pkg, t, nil)
	x.When(irgen.Cond(x.havoc(irgen.BoolT)), func() { x.Store(t, ir.GlobalAddr{Global: k.g}, v, ir.Relaxed) })
	f := x.moduleVars.starters[id]
	if f == nil {
		f = &ir.Func{Name: x.Unique("start by " + to.pkg), Result: ir.Void{}}
		if x.moduleVars.starters == nil {
			x.moduleVars.starters = map[string]*ir.Func{}
		}
		x.moduleVars.starters[id] = f
		x.p.Funcs = append(x.p.Funcs, f)
		y := newFn(x.lowering, nil, f)
		y.Pos, y.several = x.Pos, true
		y.Start(y.Block("entry"))
		if e := x.soleBoxed(t); e != nil {
			start(y, irgen.Value{irgen.Typed(e, x.lay.Of(t).Leaves[0].T)})
		} else {
			start(y, y.Load(t, ir.GlobalAddr{Global: k.g}, ir.Relaxed))
		}
		y.GiveBack(nil)
		y.Prune()
	}
	x.Emit(&ir.Call{Base: x.Base(), Callee: ir.FuncAddr{Func: f}})
}

// keptVarOf is the variable of an id.
func (l *lowering) keptVarOf(id, name, pkg string, t types.Type, arg ssa.Value) *keptVar {
	k := l.moduleVars.keptAt[id]
	if k == nil {
		k = &keptVar{pkg: pkg, t: t, arg: arg, g: l.NewGlobal(name, l.lay.Of(t).Mem, ir.Pos{})}
		if l.moduleVars.keptAt == nil {
			l.moduleVars.keptAt = map[string]*keptVar{}
		}
		l.moduleVars.keptAt[id] = k
	}
	return k
}

// keptCalls calls what is kept, and gives what lies in fields of structs that one gets to
// from the arguments, on behalf of a function of another module.
func (x *fn) keptCalls(id string, sig *types.Signature, now func(external.Key) bool) {
	x.callsKept(id, &keptCaller{now: now, sig: sig})
}

// keptStarts makes entry points of what a method of another module's type calls, which is
// run in goroutines that are not seen.
func (x *fn) keptStarts(f *ssa.Function) {
	if r, ok := external.RefOf(f); ok {
		now := func(k external.Key) bool { return x.Modules.World.Now(r, k) }
		x.callsKept("goroutines of "+string(r), &keptCaller{now: now, sig: f.Signature, starts: true})
	}
}

// callsKept calls the function of an id that made describes.
func (x *fn) callsKept(id string, made *keptCaller) {
	c := x.moduleVars.callsAt[id]
	if c == nil {
		c = made
		c.f, c.done = &ir.Func{Name: x.Unique("calls of " + id), Result: ir.Void{}}, -1
		if x.moduleVars.callsAt == nil {
			x.moduleVars.callsAt = map[string]*keptCaller{}
		}
		x.moduleVars.callsAt[id] = c
		x.moduleVars.callers = append(x.moduleVars.callers, c)
		x.p.Funcs = append(x.p.Funcs, c.f)
	}
	x.Emit(&ir.Call{Base: x.Base(), Callee: ir.FuncAddr{Func: c.f}})
}

// keptCallers makes the bodies of these functions anew where variables have turned up
// since; it reports whether any did.
func (l *lowering) keptCallers() bool {
	changed := false
	for i := 0; i < len(l.moduleVars.callers); i++ {
		if c, n := l.moduleVars.callers[i], len(l.moduleVars.kept)+len(l.moduleVars.fields); c.done != n {
			c.done = n
			l.keptCallerBody(c)
			changed = true
		}
	}
	return changed
}

func (l *lowering) keptCallerBody(c *keptCaller) {
	c.f.Blocks, c.f.Regs = nil, nil
	x := newFn(l, nil, c.f)
	x.Start(x.Block("entry"))
	for _, v := range slices.Clone(l.moduleVars.fields) {
		if slices.ContainsFunc(form.ParamTypes(c.sig), func(t types.Type) bool { return l.LeadsTo(t, v.n, map[types.Type]bool{}) }) {
			x.Emit(&ir.Call{Base: x.Base(), Callee: ir.FuncAddr{Func: l.fieldGiver(v)}})
		}
	}
	for _, v := range slices.Clone(l.moduleVars.kept) {
		if f := x.keptCallOf(c, v); f != nil {
			x.Emit(&ir.Call{Base: x.Base(), Callee: ir.FuncAddr{Func: f}})
		}
	}
	x.GiveBack(nil)
	x.Prune()
}

// keptCallOf is the function that calls, or starts, what is in a variable on behalf of
// functions of other modules that call the same methods; nil where they call none. What
// it does is the same for all of them: what is called, with what, depends on the variable
// and its package.
func (x *fn) keptCallOf(c *keptCaller, v *keptVar) *ir.Func {
	k := keptCall{v: v, starts: c.starts}
	if sig, ok := v.t.Underlying().(*types.Signature); ok {
		if !slices.ContainsFunc(retained.KeysOf(v.t, sig), c.now) {
			return nil
		}
	} else if k.now = x.methodsOf(c); !strings.Contains(k.now, "1") {
		return nil
	}
	if f, ok := x.moduleVars.calls[k]; ok {
		return f
	}
	to := &recipient{pkg: v.pkg, name: "package " + v.pkg, bits: external.Now, now: c.now}
	name := "call of what " + v.pkg + " keeps"
	if c.starts {
		to.bits, to.starts, name = external.Go, true, "start of what "+v.pkg+" keeps"
	}
	f := &ir.Func{Name: x.Unique(name), Result: ir.Void{}}
	if x.moduleVars.calls == nil {
		x.moduleVars.calls = map[keptCall]*ir.Func{}
	}
	x.moduleVars.calls[k] = f
	x.p.Funcs = append(x.p.Funcs, f)
	y := newFn(x.lowering, nil, f)
	y.Start(y.Block("entry"))
	held := y.Load(v.t, ir.GlobalAddr{Global: v.g}, ir.Relaxed)
	if sig, ok := v.t.Underlying().(*types.Signature); ok {
		y.giveFunc(to, v.t, sig, held, v.arg, 1)
	} else {
		y.giveMethods(to, v.t, held, nil, 1)
	}
	y.GiveBack(nil)
	y.Prune()
	return f
}

// methodsOf says of each key of methods of values in interfaces whether a caller calls
// it.
func (l *lowering) methodsOf(c *keptCaller) string {
	if c.methods == "" {
		l.Givable()
		out := make([]byte, len(l.Given.Keys)+1)
		for i, k := range l.Given.Keys {
			if out[i] = '0'; c.now(k) {
				out[i] = '1'
			}
		}
		c.methods = string(out)
	}
	return c.methods
}

// dropIdleCallers takes out the calls of those that have nothing to call.
func (l *lowering) dropIdleCallers() {
	idle := map[*ir.Func]bool{}
	for _, c := range l.moduleVars.callers {
		if len(c.f.Blocks) == 1 && len(c.f.Blocks[0].Instrs) == 0 {
			idle[c.f] = true
		}
	}
	if len(idle) == 0 {
		return
	}
	for _, f := range l.p.Funcs {
		for _, b := range f.Blocks {
			b.Instrs = slices.DeleteFunc(b.Instrs, func(in ir.Instr) bool {
				c, ok := in.(*ir.Call)
				if !ok {
					return false
				}
				fa, ok := c.Callee.(ir.FuncAddr)
				return ok && idle[fa.Func]
			})
		}
	}
	l.p.Funcs = slices.DeleteFunc(l.p.Funcs, func(f *ir.Func) bool { return idle[f] })
}

// fieldGiver is the function that gives what the program has stored in a field to the
// module that the field's struct is of.
func (l *lowering) fieldGiver(v *fieldVar) *ir.Func {
	if v.give != nil {
		return v.give
	}
	v.give = &ir.Func{Name: l.Unique("given in " + v.g.Name), Result: ir.Void{}}
	l.p.Funcs = append(l.p.Funcs, v.give)
	x := newFn(l, nil, v.give)
	x.Start(x.Block("entry"))
	x.give(keeping(v.n.Obj().Pkg().Path()), v.t, x.Load(v.t, ir.GlobalAddr{Global: v.g}, ir.Relaxed), v.arg, 0)
	x.GiveBack(nil)
	x.Prune()
	return v.give
}

// intoModule gives what the program stores in structs and variables of another module to
// that.
func (x *fn) intoModule(in *ssa.Store) {
	if x.Exact || x.Modules == nil || x.Modules.World == nil || !carriesCallbacks(in.Val.Type(), 0) {
		return
	}
	if at, ok := in.Addr.(*ssa.FieldAddr); ok {
		if n, ok := types.Unalias(form.Deref(at.X.Type())).(*types.Named); ok && x.Elsewhere(n.Obj().Pkg()) {
			x.intoField(at, n, x.Val(in.Val), sole(in.Val))
			return
		}
	}
	if pkg := x.moduleOf(in.Addr); pkg != nil {
		x.giveKept(pkg, in.Val)
	}
}

// intoModuleMap does that for maps.
func (x *fn) intoModuleMap(in *ssa.MapUpdate) {
	if x.Exact || x.Modules == nil || x.Modules.World == nil || !carriesCallbacks(in.Value.Type(), 0) {
		return
	}
	if pkg := x.moduleOf(in.Map); pkg != nil {
		x.giveKept(pkg, in.Value)
	}
}

func (x *fn) giveKept(pkg *types.Package, v ssa.Value) {
	x.give(keeping(pkg.Path()), v.Type(), x.Val(v), v, 0)
}

// intoField notes what is stored in a field. A struct that the function has made is given
// to the module later; others the module may know already.
func (x *fn) intoField(at *ssa.FieldAddr, n *types.Named, v irgen.Value, arg ssa.Value) {
	t := form.Deref(at.Type())
	id := form.Key(n) + " " + strconv.Itoa(at.Field) + " " + x.SoleName(arg)
	f := x.moduleVars.fieldAt[id]
	if f == nil {
		name := n.Obj().Name() + "." + n.Underlying().(*types.Struct).Field(at.Field).Name()
		f = &fieldVar{n: n, t: t, arg: arg, g: x.NewGlobal(name, x.lay.Of(t).Mem, ir.Pos{})}
		if x.moduleVars.fieldAt == nil {
			x.moduleVars.fieldAt = map[string]*fieldVar{}
		}
		x.moduleVars.fieldAt[id] = f
		x.moduleVars.fields = append(x.moduleVars.fields, f)
	}
	x.When(irgen.Cond(x.havoc(irgen.BoolT)), func() { x.Store(t, ir.GlobalAddr{Global: f.g}, v, ir.Relaxed) })
	if _, made := rootAddr(at).(*ssa.Alloc); !made {
		x.Emit(&ir.Call{Base: x.Base(), Callee: ir.FuncAddr{Func: x.fieldGiver(f)}})
	}
}

// sole is the function that a value surely is, perhaps in an interface; nil where it is
// not known.
func sole(v ssa.Value) ssa.Value {
	f := v
	if mk, ok := v.(*ssa.MakeInterface); ok {
		f = mk.X
	}
	if f == nil || form.StaticFunc(retained.Plain(f)) == nil {
		return nil
	}
	return v
}

// rootAddr is the variable, or the pointer, from which an address is reckoned.
func rootAddr(addr ssa.Value) ssa.Value {
	for {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
		case *ssa.IndexAddr:
			addr = a.X
		default:
			return addr
		}
	}
}

// moduleOf is the package of another module of which an address or a map is a part: a
// variable, a member of a struct, or what one leads to; nil for others.
func (x *fn) moduleOf(v ssa.Value) *types.Package {
	for range 8 {
		switch a := v.(type) {
		case *ssa.FieldAddr:
			if n, ok := types.Unalias(form.Deref(a.X.Type())).(*types.Named); ok && x.Elsewhere(n.Obj().Pkg()) {
				return n.Obj().Pkg()
			}
			v = a.X
		case *ssa.IndexAddr:
			v = a.X
		case *ssa.UnOp:
			v = a.X
		case *ssa.Lookup:
			v = a.X
		case *ssa.Extract:
			v = a.Tuple
		case *ssa.Global:
			if x.Elsewhere(a.Pkg.Pkg) {
				return a.Pkg.Pkg
			}
			return nil
		case *ssa.Call:
			if f := a.Call.StaticCallee(); f != nil && f.Object() != nil && x.Elsewhere(f.Object().Pkg()) {
				return f.Object().Pkg()
			}
			return nil
		default:
			return nil
		}
	}
	return nil
}

// mayComeBack notes a value that a module is given, and may give to functions of the
// program later.
func (x *fn) mayComeBack(pkg string, t types.Type, v irgen.Value) {
	if g := x.backAt(pkg, t); g != nil {
		x.When(irgen.Cond(x.havoc(irgen.BoolT)), func() { x.Store(backType(t), ir.GlobalAddr{Global: g}, v, ir.Relaxed) })
	}
}

// fromModules are values that a module calls functions of the program with: new ones, or
// ones that it was given.
func (x *fn) fromModules(pkg string, ts *types.Tuple) irgen.Value {
	return x.orBackAll(pkg, ts, x.outside(ts))
}

// orBackAll makes values possibly be ones that a module was given.
func (x *fn) orBackAll(pkg string, ts *types.Tuple, v irgen.Value) irgen.Value {
	var out irgen.Value
	for _, t := range form.ComponentTypes(ts) {
		n := len(x.lay.Of(t).Leaves)
		one := v[:n]
		v = v[n:]
		if g := x.backAt(pkg, t); g != nil {
			one = x.either(t, one, x.narrowed(t, x.Load(backType(t), ir.GlobalAddr{Global: g}, ir.Relaxed)))
		}
		out = append(out, one...)
	}
	return out
}

// backType is the type of the variable for values of a type: interfaces have one
// together.
func backType(t types.Type) types.Type {
	if types.IsInterface(t) {
		return library.AnyType
	}
	return t
}

// backAt is the variable for values of a type that a module may give back; nil for types
// of which there can be none of the program's.
func (x *fn) backAt(pkg string, t types.Type) *ir.Global {
	if form.IsParam(t) || types.Identical(t, form.ErrorType) || !types.IsInterface(t) && !x.leadsToOwn(t, 0) {
		return nil
	}
	id := x.Modules.World.Module(pkg) + " " + form.Key(backType(t))
	b := x.moduleVars.back[id]
	if b == nil {
		b = &backVar{x.NewGlobal("given to "+pkg, x.lay.Of(backType(t)).Mem, ir.Pos{})}
		if x.moduleVars.back == nil {
			x.moduleVars.back = map[string]*backVar{}
		}
		x.moduleVars.back[id] = b
	}
	return b.g
}

// leadsToOwn reports whether values of a type are pointers to the program's types, or
// slices, maps and channels of such.
func (l *lowering) leadsToOwn(t types.Type, depth int) bool {
	if depth > maxGifts {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		n, ok := types.Unalias(u.Elem()).(*types.Named)
		return ok && l.Own[n.Obj().Pkg()] || l.leadsToOwn(u.Elem(), depth+1) && !ok
	case *types.Slice:
		return l.leadsToOwn(u.Elem(), depth+1)
	case *types.Map:
		return l.leadsToOwn(u.Key(), depth+1) || l.leadsToOwn(u.Elem(), depth+1)
	case *types.Chan:
		return l.leadsToOwn(u.Elem(), depth+1)
	case *types.Struct:
		n, ok := types.Unalias(t).(*types.Named)
		return ok && l.Own[n.Obj().Pkg()] && l.hasPointers(t)
	}
	return false
}
