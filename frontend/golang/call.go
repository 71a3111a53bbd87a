package golang

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

func (x *fn) prepare(cc *ssa.CallCommon) *irgen.Call {
	p := &irgen.Call{CC: cc}
	for _, a := range cc.Args {
		if in, ok := a.(ssa.Instruction); ok && x.skip[in] {
			p.Args = append(p.Args, x.Zero(a.Type()))
			continue
		}
		p.Args = append(p.Args, x.Val(a))
	}
	if followsFirst(cc) {
		p.Args[0] = x.followed(cc.Args[0])
	}
	switch v := cc.Value.(type) {
	case *ssa.Builtin:
		return p
	case *ssa.MakeClosure:
		p.Fn, p.Self = v.Fn.(*ssa.Function), x.One(v)
	case *ssa.Function:
		p.Fn = v
	default:
		if cc.IsInvoke() {
			if form.IsParam(v.Type()) && locks[cc.Method.Name()] {
				x.Fail("a call of %s of a value whose type is a type parameter", cc.Method.Name())
			}
			p.Recv = x.boxed(v)
		} else {
			p.Self = x.One(v)
		}
	}
	return p
}

// locks are the names of methods that order what comes after them.
var locks = map[string]bool{"Lock": true, "RLock": true, "TryLock": true, "TryRLock": true, "Unlock": true, "RUnlock": true, "Wait": true}

// followsFirst reports whether a call follows its first argument: a builtin function with
// a map or channel, or a method of a library type, or a function of sync/atomic.
func followsFirst(cc *ssa.CallCommon) bool {
	if len(cc.Args) == 0 || !tracked(cc.Args[0].Type()) {
		return false
	}
	switch v := cc.Value.(type) {
	case *ssa.Builtin:
		return v.Name() == "len" || v.Name() == "delete" || v.Name() == "clear" || v.Name() == "close"
	case *ssa.Function:
		return len(form.Body(v).Blocks) == 0 && (v.Signature.Recv() != nil || v.Pkg != nil && v.Pkg.Pkg.Path() == "sync/atomic")
	}
	return false
}

// perform runs a prepared call.
func (x *fn) perform(p *irgen.Call) irgen.Value {
	switch {
	case p.CC.IsInvoke():
		return x.invoke(p)
	case p.Fn != nil:
		if m := x.laterTest(p); m != nil {
			return x.modelled(p, m)
		}
		if m := x.Models.Model(p.Fn); m != nil && !(x.Exact && m.Op.OnSemaphore()) {
			return x.modelled(p, m)
		}
		if x.Bodies != nil && p.Fn == x.Bodies.Pkg.Func("run") && x.InPlace(p) {
			x.CallArg(p, 2, p.Args[0])
			return irgen.Value{irgen.BoolConst(true)}
		}
		if x.isBody() && p.Fn.Name() == "either" {
			r := x.Temp(irgen.BoolT)
			x.Emit(&ir.Havoc{Base: x.Base(), Dst: r, Input: true})
			return irgen.Value{x.Hold(irgen.Truth(irgen.Not(irgen.IsNil(ir.Use{Reg: r}))))}
		}
		if x.isBody() && p.Fn.Name() == "assigned" {
			return irgen.Value{x.AssignedError(p.Args[0], p.Args[1])}
		}
		if x.isBody() && p.Fn.Name() == "tooMany" {
			x.Cut("a sync.Map with many elements")
			return nil
		}
		if out, ok := x.Sorting(p); ok {
			return out
		}
		if x.Exact && len(form.Body(p.Fn).Blocks) == 0 {
			if out, ok := x.LibraryExact(p); ok {
				return out
			}
		}
		if o, ok := p.Fn.Object().(*types.Func); ok && len(form.Body(p.Fn).Blocks) == 0 {
			return x.foreignCall(p, x.Models.EffectOf(o))
		}
		if f := x.structuredCall(p); f != nil {
			return x.irCall(ir.FuncAddr{Func: f}, p.Fn.Signature, p.Flat(), nil)
		}
		return x.CallFunc(p.Fn, p.Flat(), p.Self)
	case p.Self != nil:
		return x.CallDynamic(p.CC.Signature(), p.Self, p.Flat())
	}
	return x.builtin(p)
}

// invoke calls a method of an interface through its dispatcher.
func (x *fn) invoke(p *irgen.Call) irgen.Value {
	d := x.dispatcherOf(p.CC.Value.Type(), p.CC.Method)
	x.noteOpen(x.TypeName(d.iface)+"."+d.method.Name(), d.method.Type().(*types.Signature))
	return x.callMethod(d, p.CC.Method.Type().(*types.Signature), p.Recv, p.Flat())
}

// CallFunc calls a function; captured is the function value of a closure.
func (x *fn) CallFunc(sf *ssa.Function, args irgen.Value, captured ir.Expr) irgen.Value {
	if g := form.Body(sf); g != sf && len(g.Blocks) > 0 {
		x.standsFor(sf)
		out := x.CallFunc(g, x.adapt(args, form.ParamTypes(sf.Signature), form.ParamTypes(g.Signature)), captured)
		return x.adapt(out, form.ComponentTypes(g.Signature.Results()), form.ComponentTypes(sf.Signature.Results()))
	}
	if m := x.Models.Model(sf); m != nil {
		return x.modelled(x.repack(sf, args), m)
	}
	if isInitialisation(sf) && (len(sf.Blocks) == 0 || x.initCalls.again[x.Site]) {
		return nil
	}
	if len(sf.Blocks) == 0 {
		return x.foreignCall(x.repack(sf, args), x.Models.EffectOf(sf.Object().(*types.Func)))
	}
	f := x.declare(sf)
	if len(sf.FreeVars) == 0 {
		captured = nil
	}
	return x.irCall(ir.FuncAddr{Func: f}, sf.Signature, args, captured)
}

// adapt turns values of an instance's types into those of the generic function's, or
// back. Where they differ in form, the value is arbitrary; addresses would be lost so,
// and the function is not understood then.
func (x *fn) adapt(v irgen.Value, from, to []types.Type) irgen.Value {
	var out irgen.Value
	for i, t := range from {
		n := len(x.lay.Of(t).Leaves)
		if n == len(x.lay.Of(to[i]).Leaves) {
			for j, lf := range x.lay.Of(to[i]).Leaves {
				if ir.IsPtr(lf.T) != ir.IsPtr(v[j].Type()) {
					x.losesAddress(t, to[i])
					out = append(out, x.ZeroLeaf(lf))
				} else {
					out = append(out, irgen.Typed(v[j], lf.T))
				}
			}
		} else {
			x.losesAddress(t, to[i])
			out = append(out, x.arbitrary(to[i])...)
		}
		v = v[n:]
	}
	return out
}

// standsFor gives up on an instance of a generic function that the generic body does not
// describe. The body knows nothing of what a type parameter of its own stands for: memory of
// that type has other members there, and no pointers. It describes instances where each of
// its type parameters stands for one of the caller's, which nobody knows more about.
func (x *fn) standsFor(sf *ssa.Function) {
	if !x.Exact {
		if why := notGeneral(sf); why != "" {
			x.Fail("%s", why)
		}
	}
}

// notGeneral says why the generic body of a function does not describe an instance of it;
// "" where it does.
func notGeneral(sf *ssa.Function) string {
	for _, t := range sf.TypeArgs() {
		if !form.OnlyParams([]types.Type{t}) {
			return fmt.Sprintf("a generic function with %s for a type parameter, in generic code", t)
		}
	}
	if !form.OnlyParams(sf.TypeArgs()) {
		return "a generic function with one type parameter for two, in generic code"
	}
	return ""
}

// losesAddress gives up where values of one type, which may have addresses in them,
// cannot be told as ones of another.
func (x *fn) losesAddress(from, to types.Type) {
	if !x.Exact && (x.hasPointers(from) || x.hasPointers(to)) {
		x.Fail("a value of %s as one of %s, in a generic function", from, to)
	}
}

// repack makes a prepared call out of flat arguments.
func (x *fn) repack(sf *ssa.Function, args irgen.Value) *irgen.Call {
	p := &irgen.Call{Fn: sf, CC: &ssa.CallCommon{Value: sf}}
	for _, t := range form.ParamTypes(sf.Signature) {
		n := len(x.lay.Of(t).Leaves)
		p.Args = append(p.Args, args[:n])
		args = args[n:]
	}
	return p
}

// CallDynamic calls a function value.
func (x *fn) CallDynamic(sig *types.Signature, self ir.Expr, args irgen.Value) irgen.Value {
	if x.LibraryMode {
		x.unknownFunc(sig)
	}
	x.noteOpenFunc(sig)
	return x.irCall(x.code(self, sig), sig, args, self)
}

// callValue calls a function value, directly where it is known.
func (x *fn) callValue(v ssa.Value, self ir.Expr, sig *types.Signature, args irgen.Value) irgen.Value {
	switch v := v.(type) {
	case *ssa.MakeClosure:
		return x.CallFunc(v.Fn.(*ssa.Function), args, self)
	case *ssa.Function:
		return x.CallFunc(v, args, nil)
	}
	return x.CallDynamic(sig, self, args)
}

// code reads the code address of a function value.
func (x *fn) code(self ir.Expr, sig *types.Signature) ir.Expr {
	if x.Exact {
		x.PanicUnless(irgen.Not(irgen.IsNil(self)), "nil pointer dereference: a nil function is called")
	}
	r := x.Reg("code", irgen.CodePtr)
	// Where the function value is always nil, no function is called. That the call is
	// understood all the same is what "no function" is for, which is never called.
	self = ir.Select{C: ir.BoolConst(false), X: irgen.Typed(x.noFunction(sig), self.Type()), Y: self}
	if x.LibraryMode {
		x.unknownFunc(sig) // is among those that come from outside
	}
	at := ir.FieldAddr{Base: ir.Cast{X: self, T: ir.Ptr{Elem: x.header}}, S: x.header, Index: x.slot(sig)}
	x.Emit(&ir.Load{Base: x.Base(), Dst: r, Addr: at, Order: ir.Plain})
	return ir.Use{Reg: r}
}

// irCall emits a call and collects its results.
func (x *fn) irCall(callee ir.Expr, sig *types.Signature, args irgen.Value, captured ir.Expr) irgen.Value {
	args = append(irgen.Value{}, args...)
	t, ret := x.results(sig)
	var to ir.Expr
	if ret != nil {
		r := x.Reg("&results", ir.Ptr{Elem: ret})
		x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: ret, Count: ir.IntConst(ir.U64, 1), Kind: "stack", Name: "results"})
		to = ir.Use{Reg: r}
		args = append(args, to)
	}
	if captured != nil {
		args = append(args, captured)
	}
	x.retype(callee, args)
	in := &ir.Call{Base: x.Base(), Callee: callee, Args: args}
	var out irgen.Value
	if !ir.Equal(t, ir.Void{}) {
		in.Dst = x.Temp(t)
		out = append(out, ir.Use{Reg: in.Dst})
	}
	x.Emit(in)
	x.Propagate()
	if ret != nil {
		for i, f := range ret.Fields {
			r := x.Temp(f.Type)
			x.Emit(&ir.Load{Base: x.Base(), Dst: r, Addr: ir.FieldAddr{Base: to, S: ret, Index: i}, Order: ir.Plain})
			out = append(out, ir.Use{Reg: r})
		}
	}
	return out
}

// retype gives arguments the types of the parameters of a known callee.
func (x *fn) retype(callee ir.Expr, args irgen.Value) {
	fa, ok := callee.(ir.FuncAddr)
	if !ok {
		return
	}
	for i, p := range fa.Func.Params {
		if i < len(args) {
			args[i] = irgen.Typed(args[i], p.Type)
		}
	}
}

// goStmt starts a goroutine.
func (x *fn) goStmt(in *ssa.Go) {
	p := x.prepare(&in.Call)
	switch {
	case x.isCall(in):
		x.CallFunc(p.Fn, p.Flat(), p.Self)
	case in.Call.IsInvoke():
		d := x.dispatcherOf(in.Call.Value.Type(), in.Call.Method)
		x.Spawn(in, ir.FuncAddr{Func: d.f}, in.Call.Method.Type().(*types.Signature), append(append(irgen.Value{}, p.Recv...), p.Flat()...), nil)
	case p.Fn != nil:
		x.spawnFunc(in, p.Fn, p.Flat(), p.Self)
	case p.Self != nil:
		x.Spawn(in, x.code(p.Self, in.Call.Signature()), in.Call.Signature(), p.Flat(), p.Self)
	default:
		switch name := in.Call.Value.Name(); name {
		case "panic", "print", "println": // touches nothing; what comes after the end of the program does not matter
			if x.Exact && name == "panic" {
				x.Cut("a goroutine that panics at once")
			}
		default:
			x.Fail("go with the builtin %s", name)
		}
	}
}

// spawnFunc starts a goroutine that runs a known function.
func (x *fn) spawnFunc(site ssa.Instruction, sf *ssa.Function, args irgen.Value, captured ir.Expr) {
	if g := form.Body(sf); g != sf && len(g.Blocks) > 0 {
		x.standsFor(sf)
		args = x.adapt(args, form.ParamTypes(sf.Signature), form.ParamTypes(g.Signature))
		sf = g
	}
	if tks := x.tokens.start[site]; tks != nil {
		x.spawnWith(site, tks, sf, args, captured)
		return
	}
	if _, ret := x.results(sf.Signature); ret != nil && captured == nil || len(sf.Blocks) == 0 {
		x.Spawn(site, ir.FuncAddr{Func: x.wrapper("go "+x.FuncName(sf), sf, x.Pos, nil, nil)}, types.NewSignatureType(nil, nil, nil, nil, nil, false), args, nil)
		return
	}
	f := x.declare(sf)
	if len(sf.FreeVars) == 0 {
		captured = nil
	}
	x.Spawn(site, ir.FuncAddr{Func: f}, sf.Signature, args, captured)
}

// spawned is a go statement, for finding the entry points.
type spawned struct {
	site ssa.Instruction
	fn   *ir.Func // nil where it is not known
	in   *ir.Spawn
	kind string // of the entry; "" means goroutine
}

func (x *fn) Spawn(site ssa.Instruction, callee ir.Expr, sig *types.Signature, args irgen.Value, captured ir.Expr) {
	args = append(irgen.Value{}, args...)
	_, ret := x.results(sig)
	switch fa, known := callee.(ir.FuncAddr); {
	case known && ret != nil:
		callee, ret = x.dropsResults(fa, sig, args, captured), nil
	case !known && x.LibraryMode && !x.Exact:
		callee, args, ret = x.startsValue(callee, sig, args, captured), append(irgen.Value{callee}, args...), nil
	}
	if ret != nil {
		r := x.Reg("&results", ir.Ptr{Elem: ret})
		x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: ret, Count: ir.IntConst(ir.U64, 1), Kind: "heap"})
		args = append(args, ir.Use{Reg: r})
	}
	if captured != nil {
		args = append(args, captured)
	}
	x.retype(callee, args)
	callee, args = x.numbered(site, callee, args)
	callee, args = x.goroutine(callee, args)
	s := &ir.Spawn{Base: x.Base(), Fn: callee, Args: args}
	x.Emit(s)
	sp := spawned{site: site, in: s}
	if fa, ok := callee.(ir.FuncAddr); ok {
		sp.fn = fa.Func
	}
	x.spawns = append(x.spawns, sp)
}

// dropsResults is a function that calls another one, as a goroutine, with room of its own
// for what that returns beside its first result.
func (x *fn) dropsResults(callee ir.FuncAddr, sig *types.Signature, args irgen.Value,
	captured ir.Expr) ir.Expr {
	k := "drops " + callee.Func.Name
	f := x.starters[k]
	if f == nil {
		f = &ir.Func{Name: x.Unique("go " + ir.PlainName(callee.Func.Name)), Pos: callee.Func.Pos, Result: ir.Void{}}
		x.starters[k] = f
		x.goCalls(f, callee, sig, args, captured)
	}
	return ir.FuncAddr{Func: f}
}

// startsValue is a function that calls what a function value has, with its code as the
// first argument: in a library that may be a function of users', which is no goroutine's
// function by itself.
func (x *fn) startsValue(code ir.Expr, sig *types.Signature, args irgen.Value, captured ir.Expr) ir.Expr {
	f := &ir.Func{Name: x.Unique(x.givenTo("go")), Pos: x.Pos, Result: ir.Void{}}
	r := &ir.Reg{Name: "code", Type: code.Type()}
	f.Params = append(f.Params, r)
	x.goCalls(f, ir.Use{Reg: r}, sig, args, captured)
	return ir.FuncAddr{Func: f}
}

// goCalls makes the body of a goroutine's function, which calls another one.
func (x *fn) goCalls(f *ir.Func, callee ir.Expr, sig *types.Signature, args irgen.Value, captured ir.Expr) {
	x.p.Funcs = append(x.p.Funcs, f)
	y := newFn(x.lowering, nil, f)
	y.Pos = f.Pos
	var in irgen.Value
	for i, a := range args {
		r := &ir.Reg{Name: "p" + strconv.Itoa(i), Type: a.Type()}
		f.Params = append(f.Params, r)
		in = append(in, ir.Use{Reg: r})
	}
	var self ir.Expr
	if captured != nil {
		r := &ir.Reg{Name: ir.Captured, Type: captured.Type()}
		f.Params = append(f.Params, r)
		self = ir.Use{Reg: r}
	}
	y.Start(y.Block("entry"))
	y.irCall(callee, sig, in, self)
	y.End(&ir.Return{TermBase: y.Term()})
}

// funcValue is a function as a value: a constant object with its code.
func (x *fn) funcValue(sf *ssa.Function) ir.Expr {
	g := x.closures[sf]
	if g == nil {
		code := x.wrapper(x.FuncName(sf)+" (value)", sf, x.lowering.Pos(sf.Pos()), nil, nil)
		g = x.NewGlobal("func "+x.FuncName(sf), x.header, x.lowering.Pos(sf.Pos()))
		g.Const = true
		g.Init = x.codeCell(sf.Signature, code)
		x.closures[sf] = g
		x.codes = append(x.codes, code)
	}
	return ir.Cast{X: ir.GlobalAddr{Global: g}, T: irgen.FuncT}
}

// wrapper makes a function with the parameters of sf, and one for captured variables that
// it does not use, that calls sf; with recv it has no parameter for the receiver, which
// is recv; given are arguments that it passes instead of what it gets.
func (l *lowering) wrapper(name string, sf *ssa.Function, at ir.Pos, recv ir.Expr, given map[int]ir.Expr) (f *ir.Func) {
	f = &ir.Func{Name: l.Unique(name), Pos: at}
	for i, t := range form.ParamTypes(sf.Signature) {
		if i == 0 && recv != nil {
			continue
		}
		for _, lf := range l.lay.Of(t).Leaves {
			f.Params = append(f.Params, &ir.Reg{Name: irgen.Join("p"+string(rune('0'+i%10)), lf.Name), Type: lf.T})
		}
	}
	for i, p := range f.Params { // parameters beyond the tenth
		for _, q := range f.Params[:i] {
			if q.Name == p.Name {
				p.Name += "'"
			}
		}
	}
	var args irgen.Value
	if recv != nil {
		args = append(args, recv)
	}
	for _, p := range f.Params {
		args = append(args, ir.Use{Reg: p})
	}
	defer l.orGiveUp(f)
	x := newFn(l, nil, f)
	var ret *ir.Struct
	f.Result, ret = l.results(sf.Signature)
	if ret != nil && !strings.HasPrefix(name, "go ") {
		x.ret = &ir.Reg{Name: ir.Results, Type: ir.Ptr{Elem: ret}}
		f.Params = append(f.Params, x.ret)
	}
	if strings.HasSuffix(name, " (value)") {
		f.Params = append(f.Params, &ir.Reg{Name: ir.Captured, Type: irgen.FuncT})
	}
	for _, p := range f.Params {
		x.Used[p.Name]++
	}
	l.p.Funcs = append(l.p.Funcs, f)
	x.Pos = f.Pos
	x.Start(x.Block("entry"))
	for i, v := range given {
		args[i] = v
	}
	if strings.HasPrefix(name, "go ") && l.copiesReceiver(sf) {
		t := sf.Params[0].Type()
		own := x.Zeroed(t)
		x.usersOwn(t, func(p ir.Expr) { x.AssignAll(own, x.Load(t, p, ir.Plain)) })
		copy(args, irgen.UseAll(own))
	}
	if strings.HasPrefix(name, "go ") && l.LibraryMode {
		args = x.narrowedAll(form.ParamTypes(sf.Signature), args)
		if l.IsServed(sf) { // what it is given belongs to the call
			own := x.outside(sf.Signature.Params())
			copy(args[len(args)-len(own):], own)
		}
	}
	out := x.CallFunc(sf, args, nil)
	if strings.HasPrefix(name, "go ") {
		x.useSessions(form.ComponentTypes(sf.Signature.Results()), out, true)
		x.handOut(out)
		x.handMembers(sf.Signature.Results(), out, 0)
		x.usersRead(sf, out)
		x.startResults(sf, out)
		f.Result, out = ir.Void{}, nil
	}
	x.GiveBack(out)
	x.Prune()
	return f
}
