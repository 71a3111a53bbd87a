package golang

import (
	"fmt"
	"go/types"
	"path/filepath"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/external"
	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/retained"
	"whoop/ir"
)

// What the program gives to functions of other modules: functions, and values with
// methods. Package external has found out in their source what they do with it
// (docs/reference/golang.md, other modules). What they start, or may call from goroutines
// of theirs, is an entry point, which may run any number of times from then on. What they
// call at once is called at the place of the call. What they keep and call in later calls
// lies in a variable, one for each package and type, and each function that may do so
// calls what is there (keptcalls.go).

// recipient is who is given something: what a function of a package does with it.
type recipient struct {
	pkg  string
	name string
	bits external.Bits
	// now reports whether the function may call, before it returns, what a key stands
	// for.
	now func(external.Key) bool
	// args are what a function is given that is called before the call returns; nil: what
	// the modules have.
	args func(*types.Tuple) irgen.Value
	// starts: what it calls, it starts.
	starts bool
}

// maxGifts is how deep in what is given, and in what callbacks return, functions are
// looked for.
const maxGifts = 4

// giveAll lowers what a function of another module does with the functions and values
// with methods that it is given.
func (x *fn) giveAll(p *irgen.Call, effect library.Op) {
	r, ok := external.RefOf(p.Fn)
	if !ok {
		return
	}
	w := x.Modules.World
	for i, t := range form.ParamTypes(p.Fn.Signature) {
		if i >= len(p.Args) {
			break
		}
		x.mayComeBack(r.Package(), t, p.Args[i])
	}
	elems := x.variadicGifts(p)
	for i, t := range form.ParamTypes(p.Fn.Signature) {
		if i >= len(p.Args) || form.IsParam(t) {
			continue
		}
		to := &recipient{pkg: r.Package(), name: x.FuncName(p.Fn), bits: w.Param(r, i), now: func(k external.Key) bool { return w.Now(r, k) },
			args: func(ts *types.Tuple) irgen.Value { return x.handed(p, effect, ts) }}
		x.giveKeeper(to, t, p.Args[i])
		if i == len(p.Args)-1 && elems != nil {
			for _, e := range elems {
				x.giveElement(to, e)
			}
			continue
		}
		x.give(to, t, p.Args[i], x.Argument(p, i), 0)
	}
	x.keptCalls(string(r), p.Fn.Signature, func(k external.Key) bool { return w.Now(r, k) })
}

// variadicGifts are the elements of a call's variadic slice, as they are written; nil
// where that is not known.
func (x *fn) variadicGifts(p *irgen.Call) []ssa.Value {
	c, ok := x.Site.(*ssa.Call)
	if !ok || p.CC != &c.Call || !p.CC.Signature().Variadic() {
		return nil
	}
	elems, _ := form.VariadicElems(c)
	return elems
}

// giveElement is give for an element of a variadic slice, also one that is put into an
// interface there.
func (x *fn) giveElement(to *recipient, v ssa.Value) {
	t := v.Type()
	if types.IsInterface(t) || !x.HasOwnMethods(t) {
		x.give(to, t, x.Val(v), v, 0)
	} else if to.bits != 0 {
		x.giveTyped(to, t, x.Val(v), true, 0)
	}
}

// giveKeeper starts what an object of the standard library keeps that a recipient is
// given, if the recipient's modules may use it in goroutines: a bufio.Writer that writes
// to a writer of the program.
func (x *fn) giveKeeper(to *recipient, t types.Type, v irgen.Value) {
	n := x.KeepingType(t)
	if n == nil || !form.IsPointer(t) || x.Keepers[n].Empty() || x.Elsewhere(n.Obj().Pkg()) || !x.KeepsAsync(to.pkg, x.Keepers[n]) {
		return
	}
	x.When(irgen.Not(irgen.IsNil(v[0])), func() {
		x.startedBy("callback", func() {
			x.goWithArgs(x.TypeName(t)+" in use", v, true, func(y *fn) irgen.Value { return nil }, func(y *fn, self, _ irgen.Value) { y.callKeptBy(n, self[0]) })
		})
	})
}

// handOverMethod is giveAll for a call of a method of an interface, on a value of a type
// of another module.
func (x *fn) handOverMethod(d *dispatcher, args irgen.Value) {
	pkg := d.method.Pkg()
	if x.Exact || x.Modules == nil || x.Modules.World == nil || pkg == nil {
		return
	}
	w, k := x.Modules.World, external.MethodKey(d.method)
	if _, known := w.MethodParam(k, 0); !known && !x.Elsewhere(pkg) {
		return // a method of a type of the standard library, or of users
	}
	sig := d.method.Type().(*types.Signature)
	f := x.handOverFunc("method "+string(k), x.TypeName(d.iface)+"."+d.method.Name(), pkg.Path(), sig, 1,
		func(i int) (external.Bits, bool) { return w.MethodParam(k, i) }, func(c external.Key) bool { return w.MethodNow(k, c) })
	x.callWith(f, args)
}

// callWith calls a function that returns nothing.
func (x *fn) callWith(f *ir.Func, args irgen.Value) {
	args = append(irgen.Value{}, args...)
	x.retype(ir.FuncAddr{Func: f}, args)
	x.Emit(&ir.Call{Base: x.Base(), Callee: ir.FuncAddr{Func: f}, Args: args})
}

// handOverValue is giveAll for a call of a function value that other modules made; the
// standard library and users make others. Values in interfaces are left to it for the
// time of the call (open-calls): the next handler's arguments, what a decoder fills.
func (x *fn) handOverValue(sig *types.Signature, args irgen.Value) {
	if x.Exact || x.Modules == nil || x.Modules.World == nil {
		return
	}
	w, k := x.Modules.World, external.FuncKey(sig)
	pkg, known := w.FuncPackage(k)
	if !known {
		return
	}
	f := x.handOverFunc("function "+string(k), "a function of package "+pkg, pkg, sig, 0,
		func(i int) (external.Bits, bool) { return w.FuncParam(k, i) }, func(c external.Key) bool { return w.FuncNow(k, c) })
	x.callWith(f, args)
}

// handOverFunc is the function that does so, with the arguments of the call. Its first
// parameter is number first of the functions that param is about.
func (l *lowering) handOverFunc(id, name, pkg string, sig *types.Signature, first int, param func(int) (external.Bits, bool), now func(external.Key) bool) *ir.Func {
	id += " " + form.Key(sig.Params()) // the key of generic functions says less
	if f := l.handOvers[id]; f != nil {
		return f
	}
	if l.handOvers == nil {
		l.handOvers = map[string]*ir.Func{}
	}
	f := &ir.Func{Name: l.Unique("given to " + name), Result: ir.Void{}}
	l.handOvers[id] = f
	l.p.Funcs = append(l.p.Funcs, f)
	x := newFn(l, nil, f)
	ts := form.ComponentTypes(sig.Params())
	var args []irgen.Value
	for i, t := range ts {
		var v irgen.Value
		for _, lf := range l.lay.Of(t).Leaves {
			f.Params = append(f.Params, x.parameter(irgen.Join("p"+strconv.Itoa(i), lf.Name), lf.T))
			v = append(v, ir.Use{Reg: f.Params[len(f.Params)-1]})
		}
		args = append(args, v)
	}
	x.Start(x.Block("entry"))
	value := first == 0 // of functions that other modules made: see open-calls
	for i, t := range ts {
		if !value {
			x.mayComeBack(pkg, t, args[i])
		}
	}
	for i, t := range ts {
		if value && types.IsInterface(t) {
			continue
		}
		bits, known := param(i + first)
		if !known {
			bits = external.All
		}
		x.give(&recipient{pkg: pkg, name: name, bits: bits, now: now}, t, args[i], nil, 0)
	}
	x.keptCalls(id, sig, now)
	x.GiveBack(nil)
	x.Prune()
	return f
}

// give lowers what a recipient does with a value. arg is where it is made, nil where that
// is not known.
func (x *fn) give(to *recipient, t types.Type, v irgen.Value, arg ssa.Value, depth int) {
	if to.bits == 0 || depth > maxGifts || !carriesCallbacks(t, 0) {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Signature:
		x.giveFunc(to, t, u, v, arg, depth)
	case *types.Interface:
		x.giveMethods(to, t, v, arg, depth)
	case *types.Slice:
		x.When(irgen.Bin("gt", v[1], ir.IntConst(irgen.IntT, 0)), func() {
			x.give(to, u.Elem(), x.Load(u.Elem(), x.Element(v[0], u.Elem(), x.havoc(irgen.IntT)), ir.Plain), nil, depth+1)
		})
	case *types.Map:
		x.When(irgen.Not(irgen.IsNil(v[0])), func() {
			_, e := x.mapEntry(v[0])
			x.give(to, u.Elem(), x.Load(u.Elem(), e, ir.Plain), nil, depth+1)
		})
	case *types.Chan:
		if u.Dir() != types.SendOnly {
			x.Choose(nil, func() { x.give(to, u.Elem(), x.receive(v[0], u.Elem(), false), nil, depth+1) }, nil)
		}
	case *types.Struct:
		if _, _, special := x.Special(types.Unalias(t)); special {
			return
		}
		at := 0
		for i := range u.NumFields() {
			n := len(x.lay.Of(u.Field(i).Type()).Leaves)
			x.give(to, u.Field(i).Type(), v[at:at+n], nil, depth+1)
			at += n
		}
	case *types.Pointer:
		if _, isStruct := u.Elem().Underlying().(*types.Struct); !isStruct {
			x.When(irgen.Not(irgen.IsNil(v[0])), func() { x.give(to, u.Elem(), x.Load(u.Elem(), v[0], ir.Plain), nil, depth+1) })
		}
	}
}

// carriesCallbacks reports whether a value may have functions or values with methods in
// it.
func carriesCallbacks(t types.Type, depth int) bool {
	if depth > maxGifts || form.IsParam(t) {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Signature, *types.Interface:
		return true
	case *types.Slice:
		return carriesCallbacks(u.Elem(), depth+1)
	case *types.Map:
		return carriesCallbacks(u.Elem(), depth+1)
	case *types.Chan:
		return carriesCallbacks(u.Elem(), depth+1)
	case *types.Pointer:
		_, isStruct := u.Elem().Underlying().(*types.Struct)
		return !isStruct && carriesCallbacks(u.Elem(), depth+1)
	case *types.Struct:
		for i := range u.NumFields() {
			if carriesCallbacks(u.Field(i).Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// giveFunc lowers what a recipient does with a function.
func (x *fn) giveFunc(to *recipient, t types.Type, sig *types.Signature, v irgen.Value, arg ssa.Value, depth int) {
	if _, null := v[0].(ir.Null); null {
		return
	}
	if to.bits&external.Go != 0 || to.bits&external.Kept != 0 && x.Async(to.pkg, t, sig) {
		x.assumeSource(to, "calls the function it is given in goroutines, or keeps it for code that does")
		if form.StaticFunc(retained.Plain(arg)) != nil {
			x.goGiven(to, sig, arg, v[0], depth)
		} else {
			x.startOnce(to, t, "", v, func(y *fn, v irgen.Value) { y.goGiven(to, sig, nil, v[0], depth) })
		}
		return
	}
	if to.bits&external.Now != 0 {
		x.assumeSource(to, "calls the function it is given before it returns, in its caller")
		x.When(irgen.Not(irgen.IsNil(v[0])), func() {
			x.repeatCall(sig.Results(), func() irgen.Value {
				out := x.callGiven(sig, arg, v[0], x.argsFrom(to, sig.Params()))
				x.giveResults(to, form.StaticFunc(retained.Plain(arg)), sig.Results(), out, depth)
				return out
			})
		})
	}
	if to.bits&external.Kept != 0 {
		x.assumeSource(to, "keeps the function it is given; functions of these modules call it in their callers")
		x.keepFor(to.pkg, t, v, arg)
	}
}

func (x *fn) assumeSource(to *recipient, what string) {
	x.p.Assume("callback", x.Pos, "%s %s: found in its source", to.name, what)
}

// callGiven calls a function value, directly where it is known.
func (x *fn) callGiven(sig *types.Signature, arg ssa.Value, self ir.Expr, args irgen.Value) irgen.Value {
	if sf := form.StaticFunc(retained.Plain(arg)); sf != nil {
		return x.callValue(retained.Plain(arg), self, sig, args)
	}
	return x.CallDynamic(sig, self, args)
}

// goGiven makes an entry point of a function that modules may call at any time.
func (x *fn) goGiven(to *recipient, sig *types.Signature, arg ssa.Value, self ir.Expr, depth int) {
	name := x.givenTo(to.name)
	sf := form.StaticFunc(retained.Plain(arg))
	if sf != nil {
		name = x.FuncName(sf)
	}
	start := func() {
		x.startedBy("callback", func() {
			x.goWithArgs(name, irgen.Value{self}, true, func(y *fn) irgen.Value { return y.fromModules(to.pkg, sig.Params()) }, func(y *fn, self, args irgen.Value) {
				var out irgen.Value
				if sf != nil {
					out = y.CallFunc(sf, args, self[0])
				} else {
					out = y.CallDynamic(sig, self[0], args)
				}
				y.giveResults(to, sf, sig.Results(), out, depth)
			})
		})
	}
	if sf != nil {
		start()
	} else {
		x.When(irgen.Not(irgen.IsNil(self)), start)
	}
}

// givenTo is the name of an entry point that is a function which is not known by name: to
// whom it is given, and where. With no recipient it is that of the call at hand.
func (x *fn) givenTo(recipient string) string {
	if c, ok := x.Site.(ssa.CallInstruction); ok && recipient == "" {
		if f := c.Common().StaticCallee(); f != nil {
			recipient = x.FuncName(f)
		}
	}
	if recipient == "" {
		return "function value"
	}
	at := fmt.Sprintf("%s:%d", filepath.Base(x.Pos.File), x.Pos.Line)
	switch {
	case x.Pos.File == "":
		return "function given to " + recipient
	case x.several:
		return "functions given to " + recipient + ", first at " + at
	}
	return "function given to " + recipient + " at " + at
}

// startedBy gives the goroutines that start makes a kind.
func (x *fn) startedBy(kind string, start func()) {
	n := len(x.spawns)
	start()
	for i := range x.spawns[n:] {
		x.spawns[n+i].kind = kind
	}
}

// giveResults lowers what modules do with what a function of the program returns to them;
// f is nil where it is not known.
func (x *fn) giveResults(to *recipient, f *ssa.Function, res *types.Tuple, out irgen.Value, depth int) {
	at := 0
	for i, t := range form.ComponentTypes(res) {
		n := len(x.lay.Of(t).Leaves)
		it, ok := t.Underlying().(*types.Interface)
		if data := ok && it.NumMethods() == 0; !data && !types.Identical(t, form.ErrorType) && depth < maxGifts/2 {
			x.give(keeping(to.pkg), t, out[at:at+n], soleResult(f, i), depth+2)
		}
		at += n
	}
}

// keeping is a package that keeps something.
func keeping(pkg string) *recipient {
	return &recipient{pkg: pkg, name: "package " + pkg, bits: external.Kept, now: func(external.Key) bool { return false }}
}

// soleResult is what a function returns, where only one of its statements returns
// something; nil elsewhere.
func soleResult(f *ssa.Function, i int) ssa.Value {
	var out ssa.Value
	if f == nil {
		return nil
	}
	for _, b := range f.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok || i >= len(ret.Results) {
			continue
		}
		if c, ok := ret.Results[i].(*ssa.Const); ok && c.Value == nil {
			continue
		}
		if out != nil {
			return nil
		}
		out = ret.Results[i]
	}
	return out
}

// argsFrom is what a recipient calls a function with before it returns.
func (x *fn) argsFrom(to *recipient, ts *types.Tuple) irgen.Value {
	if to.args != nil {
		return to.args(ts)
	}
	return x.fromModules(to.pkg, ts)
}

// giveMethods lowers what a recipient does with a value in an interface: methods of the
// program's types, and functions that are made to have methods.
func (x *fn) giveMethods(to *recipient, t types.Type, v irgen.Value, arg ssa.Value, depth int) {
	var made ssa.Value // the function that is in it, where that is known
	mk, ok := arg.(*ssa.MakeInterface)
	if ok && mk.Parent() != x.Sf {
		made, ok = mk.X, false
	}
	if ok {
		if x.HasOwnMethods(mk.X.Type()) {
			x.giveTyped(to, mk.X.Type(), x.Val(mk.X), true, depth)
		} else if sig, ok := mk.X.Type().Underlying().(*types.Signature); ok {
			x.giveFunc(to, mk.X.Type(), sig, x.Val(mk.X), mk.X, depth)
		}
		return
	}
	if bs := x.GivenBoxes(t); len(bs) <= fewBoxes || made != nil || to.bits != external.Kept || to.starts {
		x.giveBoxed(to, bs, v, made, depth)
	} else {
		x.keepMethods(to, t, bs, v, depth)
	}
}

// giveBoxed is giveMethods for the types that a value may be of.
func (x *fn) giveBoxed(to *recipient, bs []types.Type, v irgen.Value, made ssa.Value, depth int) {
	for _, b := range bs {
		x.When(irgen.Bin("eq", v[0], x.Tag(b)), func() {
			if sig, ok := b.Underlying().(*types.Signature); ok && made != nil && types.Identical(made.Type(), b) {
				x.giveFunc(to, b, sig, x.Unboxed(b, v[1]), made, depth)
				return
			}
			x.giveTyped(to, b, x.Unboxed(b, v[1]), false, depth)
		})
	}
}

// fewBoxes is of how many types a value that is kept may be, at most, where a place that
// keeps it has the code for that. Elsewhere a function has it: places times types are
// many.
const fewBoxes = 4

// keepMethods calls the function that keeps values in an interface for a recipient that
// does nothing else with them: what it does is the same at all places.
func (x *fn) keepMethods(to *recipient, t types.Type, bs []types.Type, v irgen.Value, depth int) {
	name := fmt.Sprintf("kept by %s in %s, %s %d", to.pkg, form.Key(t), to.name, depth)
	f := x.outlined(name, name, func(y *fn, v irgen.Value) { y.giveBoxed(to, bs, v, nil, depth) })
	x.Emit(&ir.Call{Base: x.Base(), Callee: ir.FuncAddr{Func: f}, Args: []ir.Expr{v[0], irgen.Typed(v[1], ir.VPtr)}})
}

// outlined is the function, made once, that does something with a value in an interface,
// for places that would have the same code.
func (x *fn) outlined(id, name string, do func(y *fn, v irgen.Value)) *ir.Func {
	if f := x.moduleVars.outlined[id]; f != nil {
		return f
	}
	f := &ir.Func{Name: x.Unique(name), Result: ir.Void{}}
	y := newFn(x.lowering, nil, f)
	y.Pos = x.Pos
	f.Params = []*ir.Reg{y.parameter("$type", ir.U32), y.parameter("$data", ir.VPtr)}
	y.Start(y.Block("entry"))
	do(y, irgen.Value{ir.Use{Reg: f.Params[0]}, ir.Use{Reg: f.Params[1]}})
	y.GiveBack(nil)
	y.Prune()
	if x.moduleVars.outlined == nil {
		x.moduleVars.outlined = map[string]*ir.Func{}
	}
	x.moduleVars.outlined[id] = f
	x.p.Funcs = append(x.p.Funcs, f)
	return f
}

// giveTyped lowers what a recipient does with a value of a type of the program that is in
// an interface; known: it is put there at this place.
func (x *fn) giveTyped(to *recipient, t types.Type, v irgen.Value, known bool, depth int) {
	if sig, ok := t.Underlying().(*types.Signature); ok && !x.HasOwnMethods(t) {
		x.giveFunc(to, t, sig, v, nil, depth)
		return
	}
	keep, which := false, ""
	var started []func(y *fn, v irgen.Value)
	for _, sel := range x.GivenMethods(t) {
		target := x.Method(t, sel)
		if target == nil || len(form.Body(target).Blocks) == 0 {
			continue
		}
		m := sel.Obj().(*types.Func)
		sig, k := m.Type().(*types.Signature), external.MethodKey(m)
		call := func(y *fn, self, args irgen.Value) {
			from, into := form.ComponentTypes(sig.Params()), form.ComponentTypes(target.Signature.Params())
			out := y.CallFunc(target, append(append(irgen.Value{}, y.receiverFor(target, t, self)...), y.adapt(args, from, into)...), nil)
			if target.Signature.Results().Len() == sig.Results().Len() && types.Identical(target.Signature.Results(), sig.Results()) {
				y.giveResults(to, form.Body(target), sig.Results(), out, depth)
			}
		}
		switch {
		case to.starts && to.now(k), to.bits&(external.Go|external.Kept) != 0 && x.Modules.World.Async(to.pkg, k):
			x.assumeSource(to, "calls methods of what it is given in goroutines, or keeps it for code that does")
			which += " " + m.Name()
			started = append(started, func(y *fn, v irgen.Value) {
				y.startedBy("callback", func() {
					y.goWithArgs(x.FuncName(target), v, true, func(y *fn) irgen.Value { return y.fromModules(to.pkg, sig.Params()) }, call)
				})
			})
		case to.bits&external.Now != 0 && to.now(k):
			x.repeat(func() { call(x, v, x.argsFrom(to, sig.Params())) })
			keep = true
		default:
			keep = true
		}
	}
	switch {
	case len(started) == 0:
	case known:
		for _, start := range started {
			start(x, v)
		}
	default:
		x.startOnce(to, t, which, v, func(y *fn, v irgen.Value) {
			for _, start := range started {
				start(y, v)
			}
		})
	}
	if keep && to.bits&external.Kept != 0 {
		x.keepFor(to.pkg, library.AnyType, x.Boxed(t, v), nil)
	}
}
