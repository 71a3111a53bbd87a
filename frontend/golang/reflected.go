package golang

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// A reflect.Value is represented by the value of which it was made, or in which that is
// found that it stands for, as an interface. What is done by it may be done to all that
// leads to: Set and its like write that, Call calls the functions and methods there, with
// arguments that may be all that was given to package reflect.

// reflectValue reports whether a type is reflect.Value.
func reflectValue(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "reflect" && n.Obj().Name() == "Value"
}

// reflective reports whether a function of package reflect is given, or returns, values
// of the program.
func (l *lowering) reflective(f *ssa.Function) bool {
	if l.Exact || f.Object() == nil || f.Object().Pkg() == nil || f.Object().Pkg().Path() != "reflect" || l.Models.ByName(library.Name(f)) != nil {
		return false
	}
	for _, t := range append(form.ParamTypes(f.Signature), form.ComponentTypes(f.Signature.Results())...) {
		if s, ok := t.Underlying().(*types.Slice); ok {
			t = s.Elem()
		}
		if reflectValue(t) {
			return true
		}
	}
	return f.Name() == "Swapper"
}

// changes reports whether a function of package reflect writes to what it is given.
func changes(name string) bool {
	for _, p := range []string{"Set", "Clear", "Grow", "Send", "TrySend", "Recv", "TryRecv", "Append", "Copy", "Select", "Call", "Swapper", "Close"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// describes reports whether a function of package reflect tells of the value's type, or of
// the reflect.Value itself, or where something lies, and reads nothing there.
func describes(name string) bool {
	switch name {
	case "Type", "Kind", "NumField", "NumMethod", "IsValid", "Addr", "UnsafeAddr", "Field", "New", "NewAt", "Zero", "MakeMap", "MakeMapWithSize", "MakeSlice", "MakeChan":
		return true
	}
	return strings.HasPrefix(name, "Can") && name != "CanConvert" || strings.HasPrefix(name, "Overflow")
}

// ofPointer reports whether a function is called on the reflect.Value of a pointer, which
// the Value has in itself: reflect.ValueOf(p).Elem() reads nothing.
func (x *fn) ofPointer(p *irgen.Call) bool {
	c, ok := x.Argument(p, 0).(*ssa.Call)
	if !ok || c.Call.StaticCallee() == nil {
		return false
	}
	switch library.Name(c.Call.StaticCallee()) {
	case "(reflect.Value).Addr":
		return true
	case "reflect.ValueOf":
		mk, ok := c.Call.Args[0].(*ssa.MakeInterface)
		return ok && form.IsPointer(mk.X.Type())
	}
	return false
}

// reflectCall is a call of such a function.
func (x *fn) reflectCall(p *irgen.Call) irgen.Value {
	name, sig := p.Fn.Name(), p.Fn.Signature
	if name == "ValueOf" {
		return p.Args[0]
	}
	var given irgen.Value // what the arguments lead to
	var root irgen.Value
	for i, t := range form.ParamTypes(sig) {
		if i >= len(p.Args) {
			continue
		}
		_, isFunc := t.Underlying().(*types.Signature)
		switch {
		case isFunc:
			x.callbacks(p, library.OpTouch)
		case reflectValue(t) && root == nil:
			root = p.Args[i]
		}
		for _, a := range pointersOf(p.Args[i]) {
			if reflectValue(t) { // may lead to all that is in interfaces
				a = ir.Cast{X: a, T: ir.Ptr{Elem: x.box}}
			}
			given = append(given, a)
		}
	}
	for _, v := range x.Extra[x.Site] {
		given = append(given, pointersOf(x.Val(v))...)
	}
	ext := x.relaying("reflect", given)
	for _, a := range given {
		if describes(name) || (name == "Elem" || name == "Interface") && x.ofPointer(p) {
			break
		}
		x.Emit(&ir.Touch{Base: x.Base(), Addr: a, Read: true, Write: changes(name), Deep: true, Why: x.FuncName(p.Fn)})
	}
	if strings.HasPrefix(name, "Method") {
		x.p.Assume("reflect", x.Pos, "methods that package reflect finds are called by its Call alone")
	}
	if strings.HasPrefix(name, "Call") && root != nil {
		x.reflectedCalls(root, ext)
		if at := x.reflectedResults(); at != nil { // in a slice of Values
			root = x.either(library.AnyType, root, x.Load(library.AnyType, at, ir.Relaxed))
		}
	}
	var out irgen.Value
	for _, t := range form.ComponentTypes(sig.Results()) {
		out = append(out, x.reflected(t, root, ext)...)
	}
	if name == "Swapper" {
		p.Effect = library.OpTouch
		return x.returnedFuncs(p, out)
	}
	return out
}

// reflected is what such a function returns: what it was given, or what other functions
// were.
func (x *fn) reflected(t types.Type, root irgen.Value, ext func(ir.Ptr) ir.Expr) irgen.Value {
	some := func() irgen.Value {
		v := irgen.Value{x.havoc(ir.U32), ext(ir.VPtr)}
		if root != nil {
			v = x.either(library.AnyType, v, root)
		}
		return v
	}
	if reflectValue(t) {
		if root != nil {
			return root
		}
		return some()
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		if u.NumMethods() == 0 {
			return some()
		}
	case *types.Slice:
		if reflectValue(u.Elem()) {
			r := x.Temp(ir.Ptr{Elem: x.lay.Of(u.Elem()).Mem})
			x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: x.lay.Of(u.Elem()).Mem, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true})
			x.Store(u.Elem(), ir.Use{Reg: r}, some(), ir.Plain)
			n := x.length(nil)
			return irgen.Value{ir.Use{Reg: r}, n, n}
		}
	}
	return x.fromOutside(t, ext)
}

// reflectedResults is where what functions return that package reflect calls is put, in an
// interface: one place does for all, since it is not known which call reaches which
// function. It is nil where the program lets reflect call nothing.
func (x *fn) reflectedResults() ir.Expr {
	if x.callsReflected == nil {
		calls := slices.ContainsFunc(x.Sources, func(f *ssa.Function) bool {
			return slices.ContainsFunc(f.Blocks, func(b *ssa.BasicBlock) bool {
				return slices.ContainsFunc(b.Instrs, func(in ssa.Instruction) bool {
					c, ok := in.(ssa.CallInstruction)
					if !ok || c.Common().StaticCallee() == nil {
						return false
					}
					name := library.Name(c.Common().StaticCallee())
					return name == "(reflect.Value).Call" || name == "(reflect.Value).CallSlice"
				})
			})
		})
		x.callsReflected = &calls
	}
	if !*x.callsReflected {
		return nil
	}
	if x.reflectResults == nil {
		x.reflectResults = x.NewGlobal("results of reflected calls", x.lay.Of(library.AnyType).Mem, ir.Pos{})
	}
	return ir.GlobalAddr{Global: x.reflectResults}
}

// keepReflected puts what such a function returned there.
func (x *fn) keepReflected(sig *types.Signature, out irgen.Value) {
	at := x.reflectedResults()
	if at == nil {
		return
	}
	for _, t := range form.ComponentTypes(sig.Results()) {
		n := len(x.lay.Of(t).Leaves)
		v := out[:n]
		out = out[n:]
		if !x.hasPointers(t) || form.IsParam(t) {
			continue
		}
		if !types.IsInterface(t) {
			v = x.Boxed(t, v)
		}
		x.When(irgen.Cond(x.havoc(irgen.BoolT)), func() { x.Store(library.AnyType, at, v, ir.Relaxed) })
	}
}

// reflectedCalls calls the functions and methods of what is in a value, and of what that
// leads to.
func (x *fn) reflectedCalls(v irgen.Value, ext func(ir.Ptr) ir.Expr) {
	done := map[string]bool{}
	ts := slices.Clone(x.Boxes)
	returned := func(sig *types.Signature) { // a function that was returned may be called, too
		for _, t := range form.ComponentTypes(sig.Results()) {
			if _, ok := t.Underlying().(*types.Signature); ok {
				ts = append(ts, t)
			}
		}
	}
	for i := 0; i < len(ts); i++ {
		t := ts[i]
		if done[form.Key(t)] {
			continue
		}
		done[form.Key(t)] = true
		if sig, ok := t.Underlying().(*types.Signature); ok {
			returned(sig)
			x.When(irgen.Bin("eq", v[0], x.Tag(t)), func() {
				x.repeat(func() {
					x.keepReflected(sig, x.CallDynamic(sig, x.Unboxed(t, v[1])[0], x.fromOutside(sig.Params(), ext)))
				})
			})
			continue
		}
		for _, m := range x.VisitedMethods(library.Templating, t) {
			f := x.Method(t, m)
			returned(f.Signature)
			x.When(irgen.Bin("eq", v[0], x.Tag(t)), func() {
				x.repeat(func() {
					x.keepReflected(f.Signature, x.CallFunc(f, append(append(irgen.Value{}, x.receiverFor(f, t, x.Unboxed(t, v[1]))...), x.fromOutside(f.Signature.Params(), ext)...), nil))
				})
			})
		}
	}
	x.visit(library.Templating, library.AnyType, v)
}
