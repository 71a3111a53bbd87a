package golang

import (
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/world"
	"whoop/ir"
)

// goMethods starts the methods of an interface value as goroutines, with arguments from
// outside. v is the value, arg where it is made.
func (x *fn) goMethods(t types.Type, v irgen.Value, arg ssa.Value, many bool) {
	it := t.Underlying().(*types.Interface)
	for i := range it.NumMethods() {
		m := it.Method(i)
		if mk, ok := arg.(*ssa.MakeInterface); ok {
			if sel := x.Prog.MethodSets.MethodSet(mk.X.Type()).Lookup(m.Pkg(), m.Name()); sel != nil {
				if target := x.Method(mk.X.Type(), sel); target != nil {
					x.goMethod(target, mk.X, many)
					continue
				}
			}
		}
		d := x.dispatcherOf(t, m)
		sig := m.Type().(*types.Signature)
		others := x.startElsewhere(t, m, v)
		x.goOutside(x.TypeName(t)+"."+m.Name(), sig, v, many, func(y *fn, self, args irgen.Value) {
			if others {
				y.callNearby(d, self, args)
			} else {
				y.irCall(ir.FuncAddr{Func: d.f}, sig, append(self, args...), nil)
			}
		})
	}
}

// goMethod starts a method of a receiver with arguments from outside.
func (x *fn) goMethod(target *ssa.Function, recv ssa.Value, many bool) {
	if x.goElsewhere(target) {
		return
	}
	x.goOutside(x.FuncName(target), target.Signature, x.Val(recv), many, func(y *fn, self, args irgen.Value) {
		y.CallFunc(target, append(append(irgen.Value{}, y.receiverFor(target, recv.Type(), self)...), args...), nil)
	})
}

// goExported starts the exported methods of a value in an interface without methods, as a
// remote procedure call does.
func (x *fn) goExported(v ssa.Value, many bool) {
	set := x.Prog.MethodSets.MethodSet(v.Type())
	for i := range set.Len() {
		if sel := set.At(i); sel.Obj().Exported() {
			if target := x.Method(v.Type(), sel); target != nil {
				x.goMethod(target, v, many)
			}
		}
	}
}

// startElsewhere does as goElsewhere where a method of an interface value is one of
// another module's type. It reports whether there are such types.
func (x *fn) startElsewhere(t types.Type, m *types.Func, v irgen.Value) bool {
	done := map[string]bool{}
	for _, b := range x.Boxes {
		n, ok := types.Unalias(form.Deref(b)).(*types.Named)
		if !ok || done[form.Key(b)] || !x.Elsewhere(n.Obj().Pkg()) || !types.Implements(b, t.Underlying().(*types.Interface)) {
			continue
		}
		done[form.Key(b)] = true
		if f := x.Method(b, x.Prog.MethodSets.MethodSet(b).Lookup(m.Pkg(), m.Name())); f != nil {
			x.When(irgen.Bin("eq", v[0], x.Tag(b)), func() { x.keptStarts(f) })
		}
	}
	return len(done) > 0
}

// callNearby calls a method of an interface value that is none of another module's types.
func (x *fn) callNearby(d *dispatcher, self, args irgen.Value) {
	sig := d.method.Type().(*types.Signature)
	it := d.iface.Underlying().(*types.Interface)
	done := map[string]bool{}
	for _, b := range x.Boxes {
		n, ok := types.Unalias(form.Deref(b)).(*types.Named)
		if !ok || done[form.Key(b)] || form.IsParam(b) || x.Elsewhere(n.Obj().Pkg()) || !types.Implements(b, it) {
			continue
		}
		done[form.Key(b)] = true
		target := x.Method(b, x.Prog.MethodSets.MethodSet(b).Lookup(d.method.Pkg(), d.method.Name()))
		if target == nil {
			x.Fail("a method of %s, which depends on type parameters", b)
		}
		x.When(irgen.Bin("eq", self[0], x.Tag(b)), func() {
			from, to := form.ComponentTypes(sig.Params()), form.ComponentTypes(target.Signature.Params())
			x.CallFunc(target, append(append(irgen.Value{}, x.receiverFor(target, b, x.Unboxed(b, self[1]))...), x.adapt(args, from, to)...), nil)
		})
	}
	x.callWrapped(it, self[0], self[1])
	x.foreignMethod(d, args)
}

// goElsewhere starts a method of another module's type: what the program gave to that
// module is called by it, and what it does to its own objects is that module's affair. It
// reports whether the method is one.
func (x *fn) goElsewhere(f *ssa.Function) bool {
	if o := f.Object(); o == nil || !x.Elsewhere(o.Pkg()) {
		return false
	}
	x.keptStarts(f)
	return true
}

// libraryObject reports whether a parameter of interface type is surely no value of the
// program's types.
func (x *fn) libraryObject(p *irgen.Call, i int, it *types.Interface) bool {
	if x.Exact {
		return false
	}
	if mk, ok := x.Argument(p, i).(*ssa.MakeInterface); ok {
		n, ok := types.Unalias(form.Deref(mk.X.Type())).(*types.Named)
		_, isFunc := mk.X.Type().Underlying().(*types.Signature)
		return ok && !x.Own[n.Obj().Pkg()] && !x.Elsewhere(n.Obj().Pkg()) && !isFunc && x.Keepers[n].Empty() && len(x.SetFields[n]) == 0
	}
	return !x.MayCall(it) && !slices.ContainsFunc(x.Boxes, func(b types.Type) bool { return x.WithFields(b) != nil && types.Implements(b, it) })
}

// assumeUnused assumes that the program leaves library objects alone which a library
// function goes on using after it has returned.
func (x *fn) assumeUnused(p *irgen.Call) {
	x.p.Assume("library-use", x.Pos, "%s: objects of the library that it is given, such as a bytes.Buffer, are not used before what it has started is over", x.FuncName(p.Fn))
}

// goOutside starts a function that makes arguments, which only the goroutine has, and
// calls something on self with them.
func (x *fn) goOutside(name string, sig *types.Signature, self irgen.Value, many bool, call func(y *fn, self, args irgen.Value)) {
	x.goWithArgs(name, self, many, func(y *fn) irgen.Value { return y.outside(sig.Params()) }, call)
}

// goWithArgs is goOutside with arguments that args makes.
func (x *fn) goWithArgs(name string, self irgen.Value, many bool, args func(y *fn) irgen.Value, call func(y *fn, self, args irgen.Value)) {
	f := &ir.Func{Name: x.Unique("go " + name), Pos: x.Pos, Result: ir.Void{}}
	y := newFn(x.lowering, nil, f)
	y.Pos = x.Pos
	var inner, outer irgen.Value
	for i, e := range self {
		if c, ok := e.(ir.Cast); ok {
			if _, fixed := c.X.(ir.GlobalAddr); fixed {
				inner = append(inner, e)
				continue
			}
		}
		if _, fixed := e.(ir.GlobalAddr); fixed {
			inner = append(inner, e)
			continue
		}
		f.Params = append(f.Params, y.parameter("self"+strconv.Itoa(i), e.Type()))
		inner, outer = append(inner, ir.Use{Reg: f.Params[len(f.Params)-1]}), append(outer, e)
	}
	x.p.Funcs = append(x.p.Funcs, f)
	y.Start(y.Block("entry"))
	call(y, inner, args(y))
	y.GiveBack(nil)
	y.Prune()
	site := x.Site
	x.many(many, func() {
		x.Spawn(site, ir.FuncAddr{Func: f}, types.NewSignatureType(nil, nil, nil, nil, nil, false), outer, nil)
	})
}

func (x *fn) parameter(name string, t ir.Type) *ir.Reg {
	x.Used[name]++
	return &ir.Reg{Name: name, Type: t}
}

// goCallbacks calls the methods of interfaces that a function is given besides what it
// starts: Accept of the listener of a server.
func (x *fn) goCallbacks(p *irgen.Call, m *library.Func) {
	if x.Exact {
		return
	}
	for i, t := range form.ParamTypes(p.Fn.Signature) {
		u, ok := t.Underlying().(*types.Interface)
		if !ok || i >= len(p.Args) || i == m.Fn && m.Field == "" || u.NumMethods() == 0 || i == 0 && p.Fn.Signature.Recv() != nil {
			continue
		}
		x.methodCallbacks(p.Args[i], t, u)
	}
}

// goWith starts a function value with an argument of the call that starts it.
func (x *fn) goWith(p *irgen.Call, m *library.Func, sig *types.Signature, many bool) {
	self := append(append(irgen.Value{}, p.Args[m.Fn]...), p.Args[m.With]...)
	x.goOutside(x.givenTo(x.FuncName(p.Fn)), types.NewSignatureType(nil, nil, nil, nil, nil, false), self, many, func(y *fn, self, _ irgen.Value) {
		y.CallDynamic(sig, self[0], self[1:])
	})
}

// goField starts what is in a field of the receiver, http.Server.Handler, and the
// functions in its other fields. Where the program sets no field of such structs, there
// is nothing to start.
func (x *fn) goField(p *irgen.Call, m *library.Func) {
	t, at := form.Deref(form.ParamTypes(p.Fn.Signature)[m.Fn]), p.Args[m.Fn][0]
	st, ok := t.Underlying().(*types.Struct)
	if _, _, special := x.Special(types.Unalias(t)); !ok || special {
		return
	}
	if n, ok := types.Unalias(t).(*types.Named); ok && !x.Exact {
		x.readFields(at, n)
		x.goKept(at, n)
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		sig, isFunc := f.Type().Underlying().(*types.Signature)
		if _, isInterface := f.Type().Underlying().(*types.Interface); f.Name() != m.Field && m.Field != "*" && !isFunc || !isFunc && !isInterface {
			continue
		}
		if n, ok := types.Unalias(t).(*types.Named); !ok || !x.SetFields[n][i] {
			continue
		}
		if it, ok := f.Type().Underlying().(*types.Interface); ok && !x.MayCall(it) {
			if !x.Exact && x.MayChange(it) {
				x.assumeUnused(p)
			}
			continue
		}
		v := x.Load(f.Type(), x.Member(at, t, i), ir.Plain)
		x.When(irgen.Not(irgen.IsNil(v[0])), func() {
			if isFunc {
				x.goFunction(sig, nil, v[0], m.Many)
			} else {
				x.goMethods(f.Type(), v, nil, m.Many)
			}
		})
	}
}

// goKept starts what library objects keep to which fields of a struct lead: the writer of
// http.Server.ErrorLog.
func (x *fn) goKept(p ir.Expr, n *types.Named) {
	st := n.Underlying().(*types.Struct)
	for i := range st.NumFields() {
		t := st.Field(i).Type()
		in := x.KeepingType(t)
		if _, isPtr := t.Underlying().(*types.Pointer); !isPtr || !x.SetFields[n][i] || in == nil || x.Keepers[in].Empty() {
			continue
		}
		v := x.Load(t, x.Member(p, n, i), ir.Plain)
		x.When(irgen.Not(irgen.IsNil(v[0])), func() {
			x.goOutside(x.TypeName(t)+" in use", types.NewSignatureType(nil, nil, nil, nil, nil, false), v, true, func(y *fn, self, _ irgen.Value) { y.callKeptBy(in, self[0]) })
		})
	}
}

// goBoxed starts a function that is given as a value of any type: a finalizer.
func (x *fn) goBoxed(p *irgen.Call, m *library.Func) {
	mk, ok := x.Argument(p, m.Fn).(*ssa.MakeInterface)
	if !ok {
		if c, ok := x.Argument(p, m.Fn).(*ssa.Const); ok && c.Value == nil {
			return
		}
		x.Fail("%s with a function that is not known here", x.FuncName(p.Fn))
	}
	sig, ok := mk.X.Type().Underlying().(*types.Signature)
	if !ok {
		x.goExported(mk.X, m.Many)
		return
	}
	if obj, ok := x.Argument(p, 0).(*ssa.MakeInterface); ok && m.Fn == 1 && !x.Exact && sig.Params().Len() == 1 && types.Identical(sig.Params().At(0).Type(), obj.X.Type()) {
		x.goFinalizer(sig, x.One(mk.X), obj.X)
		return
	}
	x.goFunction(sig, mk.X, x.One(mk.X), m.Many)
}

// goFinalizer starts a finalizer of an object. Nobody else has that any more, but what
// its members lead to: it gets a copy. Where the object has a lock, it gets the object
// itself.
func (x *fn) goFinalizer(sig *types.Signature, f ir.Expr, obj ssa.Value) {
	at, elem := x.One(obj), form.Deref(obj.Type())
	if mem := x.lay.Of(elem).Mem; mem.Size() > 0 && !x.HoldsLock(elem, 0) {
		x.p.Assume("library-use", x.Pos, "runtime.SetFinalizer: what the members of the object point to at the time of the call is all that the finalizer finds there")
		r := x.Temp(ir.Ptr{Elem: mem})
		x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: mem, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true})
		x.When(irgen.Not(irgen.IsNil(at)), func() { x.Store(elem, ir.Use{Reg: r}, x.Load(elem, at, ir.Plain), ir.Plain) })
		at = ir.Use{Reg: r}
	}
	x.goOutside("finalizer", types.NewSignatureType(nil, nil, nil, nil, nil, false), irgen.Value{f, at}, true, func(y *fn, self, _ irgen.Value) { y.CallDynamic(sig, self[0], self[1:]) })
}

// goFunction starts a function value with arguments from outside.
func (x *fn) goFunction(sig *types.Signature, v ssa.Value, self ir.Expr, many bool) {
	sf := form.StaticFunc(v)
	if sf != nil && (sig.Params().Len() == 0 || x.Exact) {
		site := x.Site
		x.many(many, func() { x.spawnFunc(site, sf, nil, self) })
		return
	}
	name := x.givenTo("")
	if sf != nil {
		name = x.FuncName(sf)
	}
	x.goOutside(name, sig, irgen.Value{self}, many, func(y *fn, self, args irgen.Value) {
		if sf != nil {
			y.CallFunc(sf, args, self[0])
		} else {
			y.CallDynamic(sig, self[0], args)
		}
	})
}

// startResults starts the functions among what an entry point returns: users of a library
// call them whenever they like.
func (x *fn) startResults(sf *ssa.Function, out irgen.Value) {
	if !x.LibraryMode || x.Exact || sf.Object() == nil || !sf.Object().Exported() {
		return
	}
	at, res := 0, sf.Signature.Results()
	for i := range res.Len() {
		t := res.At(i).Type()
		n := len(x.lay.Of(t).Leaves)
		x.startWithin("what "+x.FuncName(sf)+" returns", t, out[at:at+n], 0)
		at += n
	}
}

// startWithin starts the functions to which a value leads that users got.
func (x *fn) startWithin(name string, t types.Type, v irgen.Value, depth int) {
	if x.handsFunctions(t, depth) {
		x.startedBy("callback", func() { x.startInside(name, t, v, depth) })
	}
}

func (x *fn) startInside(name string, t types.Type, v irgen.Value, depth int) {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		x.When(irgen.Not(irgen.IsNil(v[0])), func() {
			x.goOutside(name, u, irgen.Value{v[0]}, true, func(y *fn, self, args irgen.Value) {
				out, at := y.CallDynamic(u, self[0], args), 0
				for t := range u.Results().Variables() {
					n := len(y.lay.Of(t.Type()).Leaves)
					y.startWithin("the result of "+name, t.Type(), out[at:at+n], depth+1)
					at += n
				}
			})
		})
	case *types.Chan:
		if u.Dir() != types.SendOnly {
			x.Choose(nil, func() { x.startWithin(name, u.Elem(), x.receive(v[0], u.Elem(), false), depth+1) }, nil)
		}
	case *types.Interface:
		x.startBoxed(name, v, t)
	case *types.Struct:
		at := 0
		for i := range u.NumFields() {
			n := len(x.lay.Of(u.Field(i).Type()).Leaves)
			if u.Field(i).Exported() {
				x.startWithin(name, u.Field(i).Type(), v[at:at+n], depth+1)
			}
			at += n
		}
	case *types.Pointer:
		if st, ok := u.Elem().Underlying().(*types.Struct); ok {
			x.When(irgen.Not(irgen.IsNil(v[0])), func() { x.startFields(name, u.Elem(), st, v[0], depth) })
		}
	case *types.Slice:
		x.When(irgen.Bin("gt", v[1], ir.IntConst(irgen.IntT, 0)), func() {
			x.startWithin(name, u.Elem(), x.Load(u.Elem(), x.Element(v[0], u.Elem(), x.havoc(irgen.IntT)), ir.Plain), depth+1)
		})
	case *types.Map:
		x.When(irgen.Not(irgen.IsNil(v[0])), func() {
			_, e := x.mapEntry(v[0])
			x.startWithin(name, u.Elem(), x.Load(u.Elem(), e, ir.Plain), depth+1)
		})
	}
}

func (x *fn) startFields(name string, t types.Type, st *types.Struct, p ir.Expr, depth int) {
	s, ok := x.lay.Of(t).Mem.(*ir.Struct)
	if _, _, special := x.Special(types.Unalias(t)); special || !ok || len(s.Fields) < st.NumFields() {
		return
	}
	for i := range st.NumFields() {
		if f := st.Field(i); f.Exported() && x.handsFunctions(f.Type(), depth+1) {
			x.startWithin(name, f.Type(), x.Load(f.Type(), ir.FieldAddr{Base: irgen.Typed(p, ir.Ptr{Elem: s}), S: s, Index: i}, ir.Plain), depth+1)
		}
	}
}

// startBoxed starts functions in an interface: an http.HandlerFunc. Methods of the
// program's types are entry points, or not, of their own.
func (x *fn) startBoxed(name string, v irgen.Value, t types.Type) {
	done := map[string]bool{}
	var fs []types.Type
	for _, b := range x.Boxes {
		_, ok := b.Underlying().(*types.Signature)
		if ok && !done[form.Key(b)] && types.Implements(b, t.Underlying().(*types.Interface)) {
			done[form.Key(b)] = true
			fs = append(fs, b)
		}
	}
	if len(fs) <= fewBoxes {
		x.startTypes(name, v, fs)
		return
	}
	id := "start of what is in " + form.Key(t)
	f := x.outlined(id, id, func(y *fn, v irgen.Value) { y.startTypes("what users get in "+x.TypeName(t), v, fs) })
	x.Emit(&ir.Call{Base: x.Base(), Callee: ir.FuncAddr{Func: f}, Args: []ir.Expr{v[0], irgen.Typed(v[1], ir.VPtr)}})
}

// startTypes starts what is in an interface, where that is of one of some function types.
func (x *fn) startTypes(name string, v irgen.Value, fs []types.Type) {
	for _, t := range fs {
		sig := t.Underlying().(*types.Signature)
		x.When(irgen.Bin("eq", v[0], x.Tag(t)), func() {
			x.goOutside(name, sig, x.Unboxed(t, v[1]), true, func(y *fn, self, args irgen.Value) { y.CallDynamic(sig, self[0], args) })
		})
	}
}

// handsFunctions reports whether users get functions of the program with a value of a
// type.
func (l *lowering) handsFunctions(t types.Type, depth int) bool {
	if form.IsParam(t) {
		return false // it is the user's type: what is in it comes from users
	}
	if n, ok := types.Unalias(form.Deref(t)).(*types.Named); depth == world.MaxStarted || ok && depth > 0 && !types.IsInterface(n) && n.Obj().Pkg() != nil && !l.Own[n.Obj().Pkg()] {
		return false // what is in structs of libraries is theirs to call
	}
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Interface:
		return slices.ContainsFunc(l.Boxes, func(b types.Type) bool {
			_, ok := b.Underlying().(*types.Signature)
			return ok && types.Implements(b, u)
		})
	case *types.Struct:
		for i := range u.NumFields() {
			if u.Field(i).Exported() && l.handsFunctions(u.Field(i).Type(), depth+1) {
				return true
			}
		}
	case *types.Pointer:
		st, ok := u.Elem().Underlying().(*types.Struct)
		return ok && l.handsFunctions(st, depth)
	case *types.Slice:
		return l.handsFunctions(u.Elem(), depth+1)
	case *types.Map:
		return l.handsFunctions(u.Elem(), depth+1)
	case *types.Chan:
		return u.Dir() != types.SendOnly && l.handsFunctions(u.Elem(), depth+1)
	}
	return false
}
