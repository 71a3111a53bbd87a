package golang

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/external"
	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// foreignCall is a call of a function outside the program that has no model of its own:
// effect says what it does with what it is given.
func (x *fn) foreignCall(p *irgen.Call, effect library.Op) irgen.Value {
	if c, ok := x.Site.(*ssa.Call); ok && len(form.Uses(c)) == 0 {
		defer func(old bool) { x.Unused = old }(x.Unused)
		x.Unused = true
	}
	if x.reflective(p.Fn) {
		return x.reflectCall(p)
	}
	if x.handsOutPart(p) {
		return x.part(p, effect)
	}
	p.Effect = effect
	x.noteUnseen(p)
	if g := p.Fn.Object(); !x.Exact && g != nil && g.Pkg() != nil && (g.Pkg().Path() == "unique" || g.Pkg().Path() == "weak") && x.hasPointers(p.Fn.Signature.Results()) {
		x.p.Assume("library-use", x.Pos, "what %s returns is not used to get at memory of the program", x.FuncName(p.Fn))
	}
	if x.Exact && x.HoldsCallbacks(p.Fn) {
		x.Cut("what " + x.FuncName(p.Fn) + " calls of what is in the fields of what it is given")
	}
	part, drain := effect == library.OpPart, effect == library.OpDrain && !x.Exact
	if part || effect == library.OpDrain {
		effect = library.OpSelf
	}
	if effect == library.OpWithin {
		if effect, part = library.OpReads, true; x.Exact {
			effect = library.OpTouch
		}
	}
	if p.Fn.Object() != nil && !x.Own[p.Fn.Object().Pkg()] {
		x.effect(p, effect)
	} else {
		x.p.Assume("assembly", x.Pos, "%s has no Go body: it does to what it is given whatever it could", x.FuncName(p.Fn))
		x.effect(p, library.OpTouch)
	}
	if drain { // the elements of the slice that it is called on are taken out of it
		at := p.Args[0][0]
		t := form.Deref(p.Fn.Signature.Recv().Type())
		x.When(irgen.Not(irgen.IsNil(at)), func() {
			v := x.Load(t, at, ir.Relaxed)
			x.Emit(&ir.Touch{Base: x.Base(), Addr: v[0], Write: true, Why: x.FuncName(p.Fn)})
		})
	}
	defer func(old []given) { x.gotBack = old }(x.gotBack)
	x.gotBack = nil
	x.fillsTarget(p)
	if effect == library.OpFill {
		x.decode(p)
	}
	if effect == library.OpTouch {
		x.intoGiven(p)
	}
	if o := p.Fn.Object(); o != nil && x.Elsewhere(o.Pkg()) {
		x.giveAll(p, effect)
	} else {
		x.callbacks(p, effect)
	}
	x.callKept(p)
	x.formatted(p)
	if part && !x.Exact {
		return x.partOf(p)
	}
	if !x.Exact && x.MakesStateful(p.Fn) {
		return x.keep(p, x.returnedFuncs(p, x.outsideOf(p)))
	}
	back := effect == library.OpTouch || library.StoresAny(p.Fn.Signature) && !x.Models.HandsOutNew(p.Fn.Signature)
	if x.Confined() && (back || len(p.Fn.TypeArgs()) > 0 && effect != library.OpSelf) {
		return x.keep(p, x.returned(p, x.fromOutside(p.Fn.Signature.Results(), x.handsBack(x.FuncName(p.Fn), x.pointers(p)))))
	}
	if back || library.GivesAny(p.Fn.Signature) {
		return x.keep(p, x.fromOutside(p.Fn.Signature.Results(), x.external(x.FuncName(p.Fn), x.pointers(p))))
	}
	defer x.keepCause(p)
	if !x.Exact && len(x.pointers(p)) > 0 && slices.ContainsFunc(form.ComponentTypes(p.Fn.Signature.Results()), library.MayBePart) {
		x.p.Assume("library-result", x.Pos, "what library functions return that only read what they are given is a new object")
	}
	return x.knownCause(p, x.keep(p, x.returnedFuncs(p, x.outsideOf(p))))
}

// noteUnseen notes a call of a function of another module that is given something through
// which it can get at the program: it may start goroutines.
func (x *fn) noteUnseen(p *irgen.Call) {
	o := p.Fn.Object()
	if o == nil || o.Pkg() == nil || x.Own[o.Pkg()] || len(pointersOf(slices.Concat(p.Args...))) == 0 {
		return
	}
	if r, ok := external.RefOf(p.Fn); ok && x.Elsewhere(o.Pkg()) && x.Modules.World.Known(r) {
		return // what it does with functions was found in its source
	}
	if first, _, _ := strings.Cut(o.Pkg().Path(), "/"); strings.Contains(first, ".") {
		x.p.Seen.Unknown = append(x.p.Seen.Unknown, ir.Assumption{Pos: x.Pos, Text: x.FuncName(p.Fn) + " is not in the program"})
	}
}

// fillsTarget is what errors.As does to the variable that it is given the address of.
func (x *fn) fillsTarget(p *irgen.Call) {
	if x.Exact || library.Name(p.Fn) != "errors.As" {
		return
	}
	x.askedAs(p.Args[0], p.Args[1])
	mk, ok := x.Argument(p, 1).(*ssa.MakeInterface)
	if !ok {
		x.storeFoundIn(p.Args[1])
		return
	}
	pt, ok := mk.X.Type().Underlying().(*types.Pointer)
	if size := x.lay.Of(form.Deref(mk.X.Type())).Mem.Size(); ok && pt != nil && size > 0 {
		x.Emit(&ir.Touch{Base: x.Base(), Addr: x.One(mk.X), Size: ir.IntConst(ir.U64, size), Write: true, Why: "errors.As"})
		x.storeFound(pt.Elem(), x.One(mk.X))
	}
}

// pointers lists the pointers among the arguments, functions left out.
func (x *fn) pointers(p *irgen.Call) irgen.Value {
	var out irgen.Value
	for i, t := range form.ParamTypes(p.Fn.Signature) {
		if _, ok := t.Underlying().(*types.Signature); ok || i >= len(p.Args) {
			continue
		}
		out = append(out, pointersOf(p.Args[i])...)
	}
	return out
}

func pointersOf(v irgen.Value) irgen.Value {
	var out irgen.Value
	for _, e := range v {
		if _, null := e.(ir.Null); null {
			continue
		}
		if ir.IsPtr(e.Type()) {
			out = append(out, e)
		}
	}
	return out
}

// effect is the access of a library function to what it is given.
func (x *fn) effect(p *irgen.Call, effect library.Op) {
	name := x.FuncName(p.Fn)
	if effect == library.OpPure {
		for _, a := range x.contents(p) {
			x.Emit(&ir.Touch{Base: x.Base(), Addr: a, Read: true, Deep: true, Why: name})
		}
		return
	}
	if effect == library.OpOthers {
		x.effectOnOthers(p, name)
		return
	}
	args := x.pointers(p)
	switch effect {
	case library.OpFill, library.OpReads:
		args = x.uncalled(p)
	case library.OpTouch:
		args = x.touched(p)
	}
	if x.Exact && effect != library.OpReads && len(args) > 0 {
		x.Cut("what " + name + " does to what it is given")
		return
	}
	path := ""
	if o := p.Fn.Object(); o != nil && o.Pkg() != nil {
		path = o.Pkg().Path()
	}
	if x.Exact && library.PrintPackage(path) {
		x.PrintsExact(p)
	} else {
		for _, v := range x.Extra[x.Site] {
			args = append(args, pointersOf(x.Val(v))...)
			x.stringer(p, v)
		}
	}
	typed := x.Confined() && !x.reflects(p.Fn)
	unlooked := x.unlooked(p, effect)
	prints := (path == "fmt" || path == "log") && (effect == library.OpReads || p.FillsFirst) && !x.PrintsOtherwise()
	x.readGiven(p, name, prints)
	for i, a := range args {
		first := p.FillsFirst && slices.Contains(pointersOf(p.Args[0]), a)
		in := &ir.Touch{Typed: typed || i < len(unlooked) && unlooked[i], Named: x.Encodes(path), Printed: prints && !first, Base: x.Base(), Addr: a, Read: true, Deep: true, Why: name}
		reads := effect == library.OpReads && isLockless(p.Fn)
		if (effect == library.OpSelf || effect == library.OpFill && p.Fills > 0 || reads) && i == 0 && p.Fn.Signature.Recv() != nil {
			in.Deep, in.Write = false, !reads
			if in.Size = x.receiverSize(p.Fn.Signature); in.Size != nil {
				in.Addr = firstMember(a)
			}
		}
		if effect == library.OpTouch {
			in.Write = true
			x.p.Assume("extern-call", x.Pos, "%s is not in the program: it may read and write what it is given", name)
		}
		if effect == library.OpFill {
			in.Borrow, in.Write = true, in.Write || first || p.Fills == 0 && !p.FillsFirst || p.Fills > 0 && slices.Contains(pointersOf(p.Args[p.Fills]), a)
			in.Makes = in.Write && x.decoded(p) != nil && slices.Contains(pointersOf(p.Args[filled(p)]), a)
			// a variable, not the array of a slice
			if t, ok := a.Type().(ir.Ptr); ok && path == "flag" && scalarCell(t.Elem) {
				in.Deep, in.Size = false, ir.IntConst(ir.U64, t.Elem.Size())
			}
		}
		x.Emit(in)
	}
}

// isLockless reports whether a function is a method of a library's object that leads
// nowhere.
func isLockless(f *ssa.Function) bool {
	r := f.Signature.Recv()
	return r != nil && form.IsPointer(r.Type()) && lockless[form.Key(form.Deref(r.Type()))]
}

// unlooked says of each of the pointers that a function of another module is given
// whether it does not print or encode what that leads to. Of pointers to structs it is
// assumed (open-calls).
func (x *fn) unlooked(p *irgen.Call, effect library.Op) []bool {
	o := p.Fn.Object()
	r, ok := external.RefOf(p.Fn)
	if !ok || o == nil || effect != library.OpTouch || !x.Confined() || !x.Elsewhere(o.Pkg()) {
		return nil
	}
	var out []bool
	for i, t := range form.ParamTypes(p.Fn.Signature) {
		if _, isFunc := t.Underlying().(*types.Signature); isFunc || i >= len(p.Args) {
			continue
		}
		for range pointersOf(p.Args[i]) {
			out = append(out, x.Modules.World.Param(r, i)&external.Looked == 0)
		}
	}
	return out
}

// reflects reports whether a library function may look into whatever it is given.
func (x *fn) reflects(f *ssa.Function) bool {
	o := f.Object()
	return o == nil || o.Pkg() == nil || x.Models.Reflects(o.Pkg().Path())
}

func scalarCell(t ir.Type) bool {
	_, ok := t.(ir.Int)
	return ok
}

// receiverSize is how many bytes lie at a method's receiver, which may be a member of
// something larger; nil for the whole object.
func (x *fn) receiverSize(sig *types.Signature) ir.Expr {
	pt, ok := sig.Recv().Type().Underlying().(*types.Pointer)
	if !ok || x.Exact {
		return nil
	}
	if n := x.lay.Of(pt.Elem()).Mem.Size(); n > 0 {
		return ir.IntConst(ir.U64, n)
	}
	return nil
}

// callbacks calls the functions, and the methods of interfaces, that a library function
// is given: any number of times, in the caller.
func (x *fn) callbacks(p *irgen.Call, effect library.Op) {
	for i, t := range form.ParamTypes(p.Fn.Signature) {
		if i >= len(p.Args) || i == 0 && p.Fn.Signature.Recv() != nil {
			continue
		}
		switch u := t.Underlying().(type) {
		case *types.Signature:
			if _, null := p.Args[i][0].(ir.Null); null {
				continue
			}
			x.p.Assume("callback", x.Pos, "%s calls the function it is given in its caller, before it returns", x.FuncName(p.Fn))
			x.repeatCall(u.Results(), func() irgen.Value { return x.CallArg(p, i, x.handed(p, effect, u.Params())) })
		case *types.Interface:
			x.methodCallbacks(p.Args[i], t, u)
			if u.NumMethods() > 0 && !form.IsParam(t) {
				x.askedCallbacks(p.Args[i], u, effect != library.OpPure)
			}
		}
	}
}

// methodCallbacks calls the methods of an interface, where a type of the program may be
// behind it.
func (x *fn) methodCallbacks(v irgen.Value, t types.Type, u *types.Interface) {
	if form.IsParam(t) || !x.MayCall(u) {
		return
	}
	for i := range u.NumMethods() {
		m := u.Method(i)
		sig := m.Type().(*types.Signature)
		x.repeatCall(sig.Results(), func() irgen.Value { return x.callMethod(x.dispatcherOf(t, m), sig, v, x.outside(sig.Params())) })
	}
}

// callMethod calls a method of an interface value. Where that is surely of no type of the
// program, it does not ask which it is.
func (x *fn) callMethod(d *dispatcher, sig *types.Signature, recv, args irgen.Value) irgen.Value {
	if u, ok := recv[0].(ir.Use); ok && x.foreigns[u.Reg] && !x.Exact {
		return x.foreignMethod(d, args)
	}
	return x.irCall(ir.FuncAddr{Func: d.f}, sig, append(append(irgen.Value{}, recv...), args...), nil)
}

// external returns a function that makes pointers which code outside the program hands
// out, having been given args.
func (x *fn) external(name string, args irgen.Value) func(ir.Ptr) ir.Expr {
	return x.externalFunc(name, args, false)
}

// relaying is external for code whose accesses are said otherwise.
func (x *fn) relaying(name string, args irgen.Value) func(ir.Ptr) ir.Expr {
	return x.externalFunc(name, args, true)
}

func (x *fn) externalFunc(name string, args irgen.Value, relays bool) func(ir.Ptr) ir.Expr {
	key := name
	if relays {
		key += " (relays)"
	}
	return func(t ir.Ptr) ir.Expr {
		f := x.externs[key]
		if f == nil {
			f = &ir.Func{Name: x.Unique(name), Result: ir.VPtr, Variadic: true, Extern: true, Relays: relays}
			x.externs[key] = f
			x.p.Funcs = append(x.p.Funcs, f)
		}
		r := x.Temp(t)
		x.Emit(&ir.Call{Base: x.Base(), Dst: r, Callee: ir.FuncAddr{Func: f}, Args: args})
		return ir.Use{Reg: r}
	}
}

// outside is what a library function returns that keeps nothing of what it is given.
func (x *fn) outside(t types.Type) irgen.Value { return x.fromOutside(t, nil) }

// fromOutside is a value that comes from outside the program. Pointers are what ext
// makes; without it they are fresh objects, unless these hold pointers themselves.
func (x *fn) fromOutside(t types.Type, ext func(ir.Ptr) ir.Expr) irgen.Value {
	if _, _, special := x.Special(types.Unalias(t)); special || form.IsParam(t) || x.Exact {
		if n, ok := types.Unalias(t).(*types.Named); ok && !x.Exact && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync/atomic" {
			return x.atomicFromOutside(n, ext)
		}
		return x.arbitrary(t)
	}
	lay := x.lay.Of(t)
	switch u := t.Underlying().(type) {
	case *types.Tuple:
		var out irgen.Value
		for i := range u.Len() {
			out = append(out, x.fromOutside(u.At(i).Type(), ext)...)
		}
		return out
	case *types.Struct:
		if form.IsEmpty(t) {
			return x.Zero(t)
		}
		var out irgen.Value
		for i := range u.NumFields() {
			out = append(out, x.fromOutside(u.Field(i).Type(), ext)...)
		}
		return out
	case *types.Array:
		if int64(len(lay.Leaves)) == u.Len()*int64(len(x.lay.Of(u.Elem()).Leaves)) {
			var out irgen.Value
			for range u.Len() {
				out = append(out, x.fromOutside(u.Elem(), ext)...)
			}
			return out
		}
	case *types.Interface:
		v, ok := x.statefulGiven(t, ext)
		if !ok {
			v = x.foreignInterface(ext)
			if ext != nil {
				v = x.narrowed(t, v)
			}
		}
		if ext == nil && x.byUsers && x.usersImplement(u) {
			v = x.either(t, v, x.narrowed(t, x.foreignInterface(x.external("user", nil))))
		}
		return v
	case *types.Signature:
		return irgen.Value{x.unknownFunc(u)}
	case *types.Pointer:
		return irgen.Value{x.pointerFrom(lay.Leaves[0].T.(ir.Ptr), u.Elem(), ir.IntConst(ir.U64, 1), ext)}
	case *types.Map, *types.Chan:
		return irgen.Value{x.libraryContainer(t, ext)}
	case *types.Slice:
		n := x.length(nil)
		return irgen.Value{x.pointerFrom(lay.Leaves[0].T.(ir.Ptr), u.Elem(), irgen.Typed(n, ir.U64), ext), n, n}
	}
	return x.arbitrary(t)
}

// atomicFromOutside is a value of package sync/atomic, with what may be in it.
func (x *fn) atomicFromOutside(n *types.Named, ext func(ir.Ptr) ir.Expr) irgen.Value {
	switch lay := x.lay.Of(n); {
	case n.Obj().Name() == "Pointer" && n.TypeArgs().Len() == 1 && len(lay.Leaves) == 1:
		return irgen.Value{x.pointerFrom(lay.Leaves[0].T.(ir.Ptr), n.TypeArgs().At(0), ir.IntConst(ir.U64, 1), ext)}
	case n.Obj().Name() == "Value" && len(lay.Leaves) == 2:
		return x.foreignInterface(ext)
	}
	return x.arbitrary(n)
}

// maxNested is how deep maps and channels from outside that are in each other are told
// apart.
const maxNested = 3

// libraryContainer is a map or channel from outside, with what may be in it.
func (x *fn) libraryContainer(t types.Type, ext func(ir.Ptr) ir.Expr) ir.Expr {
	if x.nested == maxNested {
		return x.external("library", nil)(x.lay.Of(t).Leaves[0].T.(ir.Ptr))
	}
	if ext != nil && x.nested == 0 { // or one that they got
		c := x.libraryContainer(t, nil)
		return x.either(t, irgen.Value{c}, irgen.Value{ext(x.lay.Of(t).Leaves[0].T.(ir.Ptr))})[0]
	}
	x.nested++
	defer func() { x.nested-- }()
	c := x.MakeObject(t, "library")
	x.When(irgen.Cond(x.havoc(irgen.BoolT)), func() {
		switch u := t.Underlying().(type) {
		case *types.Map:
			key, val := x.mapEntry(c)
			x.Store(u.Key(), key, x.fromOutside(u.Key(), ext), ir.Relaxed)
			x.Store(u.Elem(), val, x.fromOutside(u.Elem(), ext), ir.Relaxed)
		case *types.Chan:
			if x.lay.Of(u.Elem()).Size > 0 {
				x.send(c, u.Elem(), x.fromOutside(u.Elem(), ext), false)
			}
		}
	})
	return c
}

// pointerFrom is a pointer to n elements that comes from outside.
func (x *fn) pointerFrom(t ir.Ptr, elem types.Type, n ir.Expr, ext func(ir.Ptr) ir.Expr) ir.Expr {
	_, isStruct := elem.Underlying().(*types.Struct)
	if ext == nil && x.hasPointers(elem) && (!isStruct || x.inObject && !x.allNew) {
		ext = x.external("library", nil)
	}
	if ext != nil {
		return ext(t)
	}
	mem := irgen.Sized(t.Elem)
	r := x.Temp(ir.Ptr{Elem: mem})
	x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: mem, Count: n, Kind: "heap", MayFail: true})
	if x.hasPointers(elem) {
		x.fillObject(elem, ir.Use{Reg: r})
	}
	return ir.Use{Reg: r}
}

// fillObject puts into an object that a library function has made what comes from
// outside; pointers in there lead to objects that are not told apart.
func (x *fn) fillObject(t types.Type, at ir.Expr) {
	x.p.Assume("library-result", x.Pos, "what library functions return that only read what they are given is a new object")
	defer func(in, all bool) { x.inObject, x.allNew = in, all }(x.inObject, x.allNew)
	x.inObject, x.allNew = true, x.allNew && !x.inObject
	x.When(irgen.Not(irgen.IsNil(at)), func() { x.Store(t, at, x.fromOutside(t, nil), ir.Relaxed) })
}

func (l *lowering) hasPointers(t types.Type) bool {
	for _, lf := range l.lay.Of(t).Leaves {
		if ir.IsPtr(lf.T) {
			return true
		}
	}
	return false
}

// foreignInterface is nil or a value of a type that the program does not know; with ext
// also one that it does.
func (x *fn) foreignInterface(ext func(ir.Ptr) ir.Expr) irgen.Value {
	if ext != nil {
		return irgen.Value{x.havoc(ir.U32), ext(ir.VPtr)}
	}
	var box ir.Expr
	if x.LibraryMode {
		box = x.sharedBox()
	} else {
		box = x.NewBox()
	}
	tag := x.Hold(ir.Select{C: irgen.Cond(x.havoc(irgen.BoolT)), X: ir.IntConst(ir.U32, 0), Y: x.Tag(irgen.Foreign)})
	x.foreigns[tag.(ir.Use).Reg] = true
	return irgen.Value{tag, ir.Cast{X: box, T: ir.VPtr}}
}

// foreignMethod is what a dispatcher does for dynamic types that the program does not
// know.
func (x *fn) foreignMethod(d *dispatcher, args irgen.Value) irgen.Value {
	out := x.foreignResults(d, args)
	x.usersMayPanic()
	return out
}

// foreignResults is what such a method returns, and does with its arguments.
func (x *fn) foreignResults(d *dispatcher, args irgen.Value) irgen.Value {
	sig := d.method.Type().(*types.Signature)
	effect := x.Models.EffectOf(d.method)
	given := pointersOf(args)
	x.p.Assume("foreign-implementation", ir.Pos{}, "types of other packages behind %s may be used concurrently: their methods access only what they are given as arguments", x.TypeName(d.iface))
	if x.LibraryMode {
		x.useSessions(form.ComponentTypes(sig.Params()), args, false)
	}
	x.handOverMethod(d, args)
	// a value that was put in before: ctx.Value
	if library.GivesAny(sig) || isContainer(d.iface) && x.Confined() && library.AnyGiven(sig) {
		return x.fromOutside(sig.Results(), x.external(x.TypeName(d.iface)+"."+d.method.Name()+" of other types", given))
	}
	if m := x.Models.ByName(library.MethodName(d.method)); m != nil && m.Op == library.OpFresh {
		x.allNew = true
		defer func() { x.allNew = false }()
		return x.usersGive(sig.Results())
	}
	if effect == library.OpPure || effect == library.OpOthers {
		return x.usersGive(sig.Results())
	}
	if len(given) == 0 {
		return x.usersGive(sig.Results())
	}
	if effect == library.OpReads || effect == library.OpFill || effect == library.OpSelf {
		// as the same method does that is called directly
		p := d.method.Pkg()
		typed := x.Confined() && p != nil && !x.Models.Reflects(p.Path())
		for _, g := range given {
			x.Emit(&ir.Touch{Typed: typed, Base: x.Base(), Addr: g, Read: effect != library.OpFill, Write: effect == library.OpFill, Deep: effect != library.OpFill, Why: d.method.Name()})
		}
		return x.usersGive(sig.Results())
	}
	if x.Confined() {
		if x.Elsewhere(d.method.Pkg()) {
			k := external.MethodKey(d.method)
			defer func(old func(int) bool) { x.lookedAt = old }(x.lookedAt)
			x.lookedAt = func(i int) bool {
				b, known := x.Modules.World.MethodParam(k, i+1)
				return !known || b&external.Looked != 0
			}
		}
		return x.confinedCall(x.TypeName(d.iface)+"."+d.method.Name(), sig, args)
	}
	ext := x.external(x.TypeName(d.iface)+"."+d.method.Name()+" of other types", given)
	ext(ir.VPtr)
	return x.fromOutside(sig.Results(), ext)
}

// findVariadic finds library calls whose variadic arguments need not be put into a slice:
// the calls only read them.
func (x *fn) findVariadic(order []*ssa.BasicBlock) {
	x.skip, x.Extra = map[ssa.Instruction]bool{}, map[ssa.Instruction][]ssa.Value{}
	for _, b := range order {
		for _, in := range b.Instrs {
			c, ok := in.(*ssa.Call)
			if !ok || len(c.Call.Args) == 0 || !c.Call.Signature().Variadic() {
				continue
			}
			f := c.Call.StaticCallee()
			if f == nil || len(form.Body(f).Blocks) > 0 || f.Object() == nil {
				continue
			}
			eff := x.Models.EffectOf(f.Object().(*types.Func))
			if m := x.Models.Model(f); m != nil {
				if eff = m.Op; m.First && !x.Exact {
					eff = library.OpReads
				}
			}
			if eff == library.OpPure || eff == library.OpReads || eff == library.OpOthers || eff == library.OpAbort {
				x.variadic(c)
			}
		}
	}
}

// variadic takes the elements of a call's variadic slice apart, if that is made for the
// call alone.
func (x *fn) variadic(c *ssa.Call) {
	elems, skip := form.VariadicElems(c)
	if skip == nil {
		return
	}
	for _, in := range skip {
		x.skip[in] = true
	}
	x.Extra[c] = elems
}
