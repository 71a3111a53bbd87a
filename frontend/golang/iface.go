package golang

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

func (x *fn) makeInterface(v *ssa.MakeInterface) irgen.Value {
	return x.Boxed(v.X.Type(), x.Val(v.X))
}

// NewBox makes an empty box.
func (x *fn) NewBox() ir.Expr {
	r := x.Reg("box", ir.Ptr{Elem: x.box})
	x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: x.box, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true})
	return ir.Use{Reg: r}
}

// sharedBox is the box of all values in libraries that lead nowhere: what is found in it
// is arbitrary. Interfaces are not compared by their boxes.
func (x *fn) sharedBox() ir.Expr {
	if x.scalars == nil {
		x.scalars = x.NewGlobal("interface values without pointers", x.box, ir.Pos{})
		x.scalars.Const, x.scalars.Extern = true, true
	}
	return ir.Cast{X: ir.GlobalAddr{Global: x.scalars}, T: ir.VPtr}
}

func (x *fn) typeAssert(v *ssa.TypeAssert) irgen.Value {
	in := x.Val(v.X)
	var ok ir.Expr
	var get func() irgen.Value
	var others []outcome
	if form.IsParam(v.AssertedType) { // a value of the user's type, of which nothing is known
		ok = irgen.Bin("land", irgen.Not(irgen.IsNil(in[0])), irgen.Cond(x.havoc(irgen.BoolT)))
		get = func() irgen.Value { return x.arbitrary(v.AssertedType) }
	} else if _, isIface := v.AssertedType.Underlying().(*types.Interface); isIface && x.Exact {
		ok = x.Implements(in, v.AssertedType)
		get = func() irgen.Value { return in }
	} else if isIface {
		ok = irgen.Bin("land", irgen.Not(irgen.IsNil(in[0])), irgen.Cond(x.havoc(irgen.BoolT)))
		get = func() irgen.Value { return in }
	} else {
		ok = x.isOf(in[0], v.AssertedType)
		get = func() irgen.Value { return x.Unboxed(v.AssertedType, in[1]) }
		others = x.alsoOne(in, v.AssertedType)
	}
	ok = x.Hold(irgen.Truth(ok))
	outcomes := append([]outcome{{ok, get}}, others...)
	for _, o := range others {
		ok = x.Hold(irgen.Truth(irgen.Bin("lor", irgen.Cond(ok), irgen.Cond(o.ok))))
	}
	if !v.CommaOk {
		if x.Exact {
			x.PanicUnless(irgen.Cond(ok), "interface conversion: the value has another type")
		} else if x.Sf != nil && x.recovers() {
			x.When(irgen.Not(irgen.Cond(ok)), x.panicsHere)
		} else {
			x.Emit(&ir.Assume{Base: x.Base(), Cond: irgen.Cond(ok)})
		}
		if len(outcomes) == 1 {
			out := x.HoldAll(get())
			x.passing.gotten(x, v, out)
			return out
		}
	}
	var dst []*ir.Reg
	for i, z := range x.Zero(v.AssertedType) {
		dst = append(dst, x.Temp(x.lay.Of(v.AssertedType).Leaves[i].T))
		x.Assign(dst[i], z)
	}
	for _, o := range outcomes {
		x.When(irgen.Cond(o.ok), func() {
			for i, e := range o.get() {
				x.Assign(dst[i], e)
			}
		})
	}
	var out irgen.Value
	for _, r := range dst {
		out = append(out, ir.Use{Reg: r})
	}
	x.passing.gotten(x, v, out)
	if v.CommaOk {
		out = append(out, ok)
	}
	return out
}

// dispatcher is the function that an interface's method call runs: it chooses by the
// dynamic type.
type dispatcher struct {
	method *types.Func
	iface  types.Type
	f      *ir.Func
	done   int // how many dynamic types it handles
}

// dispatcherOf returns the dispatcher of a method of an interface type.
func (l *lowering) dispatcherOf(iface types.Type, m *types.Func) *dispatcher {
	k := form.Key(iface.Underlying()) + "." + m.Id()
	if form.IsParam(iface) {
		k += " of a type parameter"
	}
	if d := l.dispatch[k]; d != nil {
		return d
	}
	name := l.TypeName(iface) + "." + m.Name()
	f := &ir.Func{Name: l.Unique(name)}
	f.Params = []*ir.Reg{{Name: "$type", Type: ir.U32}, {Name: "$data", Type: ir.VPtr}}
	sig := m.Type().(*types.Signature)
	for i := range sig.Params().Len() {
		for _, lf := range l.lay.Of(sig.Params().At(i).Type()).Leaves {
			f.Params = append(f.Params, &ir.Reg{Name: irgen.Join(fmt.Sprintf("p%d", i), lf.Name), Type: lf.T})
		}
	}
	var ret *ir.Struct
	f.Result, ret = l.results(sig)
	if ret != nil {
		f.Params = append(f.Params, &ir.Reg{Name: ir.Results, Type: ir.Ptr{Elem: ret}})
	}
	l.p.Funcs = append(l.p.Funcs, f)
	d := &dispatcher{method: m, iface: iface, f: f, done: -1}
	l.dispatch[k] = d
	l.order = append(l.order, d)
	return d
}

// dispatchers makes the bodies of the dispatchers anew where dynamic types have come up
// since; it reports whether any changed.
func (l *lowering) dispatchers() bool {
	changed := false
	for i := 0; i < len(l.order); i++ {
		if d := l.order[i]; d.done != len(l.precise.Dynamic) {
			d.done = len(l.precise.Dynamic)
			l.dispatchBody(d)
			changed = true
		}
	}
	return l.narrowBodies() || changed
}

// implementors lists the dynamic types that have the method.
func (l *lowering) implementors(d *dispatcher) []types.Type {
	var out []types.Type
	it := d.iface.Underlying().(*types.Interface)
	for _, t := range l.inInterfaces(it) {
		if (l.satisfies(t, it) || l.MayImplement(t, it)) && !l.comparedAnyway(t, d.method) {
			out = append(out, t)
		}
	}
	return out
}

// receiverFor is what a method is given that method has found for a type: one by value of
// a generic type gets what a pointer leads to.
func (x *fn) receiverFor(target *ssa.Function, t types.Type, v irgen.Value) irgen.Value {
	r := target.Signature.Recv()
	if r == nil || !form.IsPointer(t) || form.IsPointer(r.Type()) || types.IsInterface(r.Type()) {
		return v
	}
	return x.Load(r.Type(), irgen.Typed(v[0], ir.Ptr{Elem: x.lay.Of(r.Type()).Mem}), ir.Plain)
}

// embedded finds what a promoted method of a type with type parameters is called on, with
// its type: what is embedded in a value.
func (x *fn) embedded(t types.Type, sel *types.Selection, v irgen.Value) (types.Type, irgen.Value) {
	for _, i := range sel.Index()[:len(sel.Index())-1] {
		s, ok := x.lay.Of(form.Deref(t)).Mem.(*ir.Struct)
		st, isStruct := form.Deref(t).Underlying().(*types.Struct)
		if !ok || !isStruct || !form.IsPointer(t) || i >= len(s.Fields) {
			x.Fail("a method of %s, which depends on type parameters", t)
		}
		f := st.Field(i)
		at := ir.FieldAddr{Base: irgen.Typed(v[0], ir.Ptr{Elem: s}), S: s, Index: i}
		if form.IsPointer(f.Type()) || types.IsInterface(f.Type()) {
			t, v = f.Type(), x.Load(f.Type(), at, ir.Plain)
		} else {
			t, v = types.NewPointer(f.Type()), irgen.Value{at}
		}
	}
	f := sel.Obj().(*types.Func)
	if r := f.Signature().Recv(); !types.IsInterface(t) && (r == nil || !form.IsPointer(t) ||
		form.DependsOnParams(r.Type()) || x.Prog.FuncValue(f) == nil) {
		x.Fail("a method of %s, which depends on type parameters", t)
	}
	return t, v
}

func (l *lowering) dispatchBody(d *dispatcher) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case irgen.Unsupported:
			l.giveUp(d.f, r.At, r.Reason)
		default:
			l.giveUp(d.f, d.f.Pos, fmt.Sprintf("lowering failed: %v%s", r, where()))
		}
	}()
	d.f.Unknown = ""
	d.f.Blocks, d.f.Regs = nil, nil
	sig := d.method.Type().(*types.Signature)
	x := newFn(l, nil, d.f)
	x.Used = map[string]int{"$type": 1, "$data": 1}
	x.Pos = l.Pos(d.method.Pos())
	if p := d.method.Pkg(); p == nil || !l.Own[p] {
		x.Pos = ir.Pos{}
	}
	x.Start(x.Block("entry"))
	var args irgen.Value
	n := 2
	for i := range sig.Params().Len() {
		for range l.lay.Of(sig.Params().At(i).Type()).Leaves {
			args = append(args, ir.Use{Reg: d.f.Params[n]})
			n++
		}
	}
	if n < len(d.f.Params) {
		x.ret = d.f.Params[n]
	}
	tag, data := ir.Use{Reg: d.f.Params[0]}, ir.Use{Reg: d.f.Params[1]}
	for _, t := range l.implementors(d) {
		sel := l.Prog.MethodSets.MethodSet(t).Lookup(d.method.Pkg(), d.method.Name())
		if sel == nil {
			continue
		}
		then, els := x.Block("is"), x.Block("else")
		x.Branch(irgen.Bin("eq", tag, l.Tag(t)), then, els)
		x.Start(then)
		at, self := t, x.Unboxed(t, data)
		target := l.Method(t, sel)
		if target == nil {
			if form.IsParam(t) {
				x.Fail("a method of %s, which depends on type parameters", t)
			}
			at, self = x.embedded(t, sel, self)
			if types.IsInterface(at) {
				d := x.dispatcherOf(at, sel.Obj().(*types.Func))
				x.GiveBack(x.callMethod(d, sig, self, args))
				x.Start(els)
				continue
			}
			target = l.Prog.FuncValue(sel.Obj().(*types.Func).Origin())
		}
		recv := x.receiverFor(target, at, self)
		from, to := form.ComponentTypes(sig.Params()), form.ComponentTypes(target.Signature.Params())
		out := x.CallFunc(target, append(recv, x.adapt(args, from, to)...), nil)
		x.GiveBack(x.adapt(out, form.ComponentTypes(target.Signature.Results()), form.ComponentTypes(sig.Results())))
		x.Start(els)
	}
	if x.Exact {
		x.PanicUnless(irgen.Not(irgen.IsNil(tag)), "nil pointer dereference: a method of a nil interface is called")
	} else {
		x.Require(irgen.Not(irgen.IsNil(tag))) // it panics
	}
	if !x.Exact && l.Sealed(d.iface.Underlying().(*types.Interface)) {
		x.Require(ir.BoolConst(false)) // it has none of the program's types
		x.GiveBack(x.Zero(sig.Results()))
		x.Prune()
		return
	}
	x.callWrapped(d.iface.Underlying().(*types.Interface), tag, data)
	x.changeState(d.iface.Underlying().(*types.Interface), tag, data, !library.ReadsState(d.method.Name()))
	x.GiveBack(x.foreignMethod(d, args))
	x.Prune()
}
