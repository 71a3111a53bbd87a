package golang

import (
	"go/types"
	"slices"
	"strconv"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/retained"
	"whoop/ir"
)

// What library functions keep of what they are given, and call later: a buffered writer
// writes to the writer that it was made for whenever its methods are called, also in
// another goroutine. Objects of library types that may keep something have a member for
// it, of which it is not known which of the values that were kept it holds; methods of
// such an object call what is in there. What a function is given may also be what it
// returns, where that has the type.

// given is a value that a library function gets and may call: an interface, a value that
// it puts into one, or a function. kept: it is an interface value, what an object of type
// t keeps.
type given struct {
	t    types.Type
	v    irgen.Value
	kept bool
}

// keptType is the name of the member that says what is kept.
const keptType = "__kept.type"

// keptFields are the members of objects of a library type that keeps something.
func (l *lowering) keptFields(n *types.Named) []ir.Field {
	if l.Keepers[n].Empty() {
		return nil
	}
	return []ir.Field{{Name: "__value", Type: irgen.OpaqueT}, {Name: keptType, Type: ir.U32, Offset: 4}, {Name: "__kept.data", Type: ir.VPtr, Offset: 8}}
}

// keptIn is where an object that p points to keeps something; nil where it keeps nothing.
func (x *fn) keptIn(p ir.Expr, n *types.Named) irgen.Value {
	if x.Keepers[n].Empty() {
		return nil
	}
	at := x.keptMember(n)
	if at < 0 {
		return nil
	}
	return irgen.Value{x.Member(p, n, at), x.Member(p, n, at+1)}
}

// keptMember is the first of the two members in which objects of a library type keep
// something, or -1.
func (l *lowering) keptMember(n *types.Named) int {
	s, ok := l.lay.Of(n).Mem.(*ir.Struct)
	if !ok {
		return -1
	}
	return slices.IndexFunc(s.Fields, func(f ir.Field) bool { return f.Name == keptType })
}

// keptBy is where the functions of a package keep something; nil where they keep nothing.
func (x *fn) keptBy(pkg *types.Package) irgen.Value {
	if x.PackageKeeps[pkg].Empty() {
		return nil
	}
	g := x.keptGlobals[pkg]
	if g == nil {
		s := x.lay.Of(library.AnyType).Mem
		g = x.NewGlobal("kept by "+pkg.Path(), s, ir.Pos{})
		if x.keptGlobals == nil {
			x.keptGlobals = map[*types.Package]*ir.Global{}
		}
		x.keptGlobals[pkg] = g
	}
	s := x.lay.Of(library.AnyType).Mem.(*ir.Struct)
	return irgen.Value{ir.FieldAddr{Base: ir.GlobalAddr{Global: g}, S: s, Index: 0}, ir.FieldAddr{Base: ir.GlobalAddr{Global: g}, S: s, Index: 1}}
}

// gifts lists what a library function is given and may keep.
func (x *fn) gifts(p *irgen.Call) []given {
	var out []given
	for i, t := range form.ParamTypes(p.Fn.Signature) {
		if i >= len(p.Args) || i == 0 && p.Fn.Signature.Recv() != nil || form.IsParam(t) {
			continue
		}
		switch u := t.Underlying().(type) {
		case *types.Signature:
			if _, null := p.Args[i][0].(ir.Null); !null {
				out = append(out, given{t: t, v: p.Args[i]})
			}
		case *types.Pointer:
			if x.WithFields(t) != nil {
				out = append(out, given{t: t, v: p.Args[i]})
			}
		case *types.Interface:
			if x.MayCall(u) || x.MayChange(u) {
				out = append(out, given{t: t, v: p.Args[i]})
			}
		case *types.Slice:
			if library.ReadsLater(p.Fn) {
				out = append(out, given{t: t, v: p.Args[i]})
			}
			if it, ok := u.Elem().Underlying().(*types.Interface); ok && (x.MayCall(it) || x.MayChange(it)) {
				if _, null := p.Args[i][0].(ir.Null); !null {
					at := x.Element(p.Args[i][0], u.Elem(), x.havoc(irgen.IntT))
					x.When(irgen.Bin("gt", p.Args[i][1], ir.IntConst(irgen.IntT, 0)), func() {
						out = append(out, given{t: u.Elem(), v: x.Load(u.Elem(), at, ir.Plain)})
					})
				}
			}
		}
	}
	for _, v := range x.Extra[x.Site] {
		if n, ok := types.Unalias(form.Deref(v.Type())).(*types.Named); ok && n.NumMethods() > 0 || types.IsInterface(v.Type()) {
			out = append(out, given{t: v.Type(), v: x.Val(v)})
		}
	}
	return out
}

// heirlooms lists what the objects keep that a library function is given.
func (x *fn) heirlooms(p *irgen.Call) []given {
	var out []given
	for i, t := range form.ParamTypes(p.Fn.Signature) {
		n := x.KeepingType(t)
		if n == nil || i >= len(p.Args) || len(p.Args[i]) != 1 || !ir.IsPtr(p.Args[i][0].Type()) || x.Keepers[n].Empty() {
			continue
		}
		at := p.Args[i][0]
		dst := []*ir.Reg{x.Temp(ir.U32), x.Temp(ir.VPtr)}
		x.Assign(dst[0], ir.IntConst(ir.U32, 0))
		x.Assign(dst[1], ir.Null{T: ir.VPtr})
		x.When(irgen.Not(irgen.IsNil(at)), func() {
			if kept := x.keptIn(at, n); kept != nil {
				x.AssignAll(dst, x.keptValue(kept))
			}
		})
		out = append(out, given{t: t, v: irgen.UseAll(dst), kept: true})
	}
	return out
}

// keep stores what a library function was given where it may be kept, and returns the
// results, which may be one of them.
func (x *fn) keep(p *irgen.Call, out irgen.Value) irgen.Value {
	if x.Exact || p.Fn.Object() == nil || x.Own[p.Fn.Object().Pkg()] {
		return out
	}
	sig, m := p.Fn.Signature, x.Models.ByName(library.Name(p.Fn))
	gs, results := x.gifts(p), out
	keeps := library.IsSetter(p.Fn.Name())
	if m != nil && m.Keeps != "" {
		i, err := strconv.Atoi(m.Keeps)
		g := given{t: m.KeptType(sig)}
		if err == nil {
			g.v = p.Args[i]
		} else {
			g.v = out[:len(x.lay.Of(g.t).Leaves)]
		}
		gs, keeps = append(gs, g), true
	}
	var hs []given
	if keeps || x.HandsOnKept(sig) {
		hs = x.heirlooms(p)
	}
	if len(gs)+len(hs)+len(x.gotBack) == 0 {
		return out
	}
	results = x.keepResults(p, out, gs, hs)
	if !keeps {
		return results
	}
	gs = append(gs, hs...)
	if sig.Recv() == nil {
		for _, pkg := range library.KeptWith(p.Fn.Object().Pkg(), x.Prog) {
			x.keepAt(x.keptBy(pkg), x.PackageKeeps[pkg], gs)
		}
	} else if k := x.KeepingType(sig.Recv().Type()); k != nil && ir.IsPtr(p.Args[0][0].Type()) {
		x.keepAt(x.keptIn(p.Args[0][0], k), x.Keepers[k], gs)
		if library.IsCommandLine(x.Argument(p, 0)) {
			x.keepAt(x.keptBy(k.Obj().Pkg()), x.PackageKeeps[k.Obj().Pkg()], gs)
		}
	}
	return results
}

// keepResults makes the results of a library function possibly be what it is given, wrap
// that, or keep it.
func (x *fn) keepResults(p *irgen.Call, out irgen.Value, gs, hs []given) irgen.Value {
	sig, at, getter := p.Fn.Signature, 0, x.LibrarySources.Getter(p.Fn)
	for i := range sig.Results().Len() {
		t := sig.Results().At(i).Type()
		n := len(x.lay.Of(t).Leaves)
		for _, g := range gs {
			x.orGiven(t, out[at:at+n], g)
			if !getter {
				x.orWrapped(t, out[at:at+n], g)
			}
		}
		if getter {
			x.orPart(p, t, out[at:at+n], hs)
		} else {
			for _, h := range hs {
				x.orWrapped(t, out[at:at+n], h)
			}
		}
		for _, g := range x.gotBack {
			x.orBack(t, out[at:at+n], g)
		}
		if k := x.KeepingType(t); k != nil && n == 1 && ir.IsPtr(out[at].Type()) {
			all := hs
			if sig.Recv() == nil {
				all = append(slices.Clone(gs), hs...)
			}
			x.When(irgen.Not(irgen.IsNil(out[at])), func() { x.keepAt(x.keptIn(out[at], k), x.Keepers[k], all) })
			for i, pt := range form.ParamTypes(sig) {
				if types.Identical(pt, t) && !x.Keepers[k].Empty() && i < len(p.Args) {
					out[at] = x.either(t, out[at:at+1], p.Args[i])[0]
				}
			}
		}
		at += n
	}
	return out
}

// orGiven makes a result of type t possibly be g.
func (x *fn) orGiven(t types.Type, v irgen.Value, g given) {
	in := g.v
	if g.kept {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Signature:
		if !types.Identical(u, g.t.Underlying()) {
			return
		}
	case *types.Interface:
		if u.NumMethods() == 0 || !types.Implements(g.t, u) {
			return
		}
		if !types.IsInterface(g.t) {
			in = x.Boxed(g.t, g.v)
		}
	default:
		return
	}
	var dst []*ir.Reg
	for _, e := range v {
		dst = append(dst, x.Temp(e.Type()))
		x.Assign(dst[len(dst)-1], e)
	}
	x.When(irgen.Cond(x.havoc(irgen.BoolT)), func() {
		for i, r := range dst {
			x.Assign(r, in[i])
		}
	})
	for i, r := range dst {
		v[i] = ir.Use{Reg: r}
	}
}

// keepAt stores one of the given values, or, where that is a library object, what it
// keeps itself.
func (x *fn) keepAt(at irgen.Value, k *retained.Keeper, gs []given) {
	if at == nil || k.Empty() {
		return
	}
	put := func(v irgen.Value) {
		x.When(irgen.Cond(x.havoc(irgen.BoolT)), func() {
			x.Emit(&ir.Store{Base: x.Base(), Addr: at[0], Val: v[0], Order: ir.Relaxed})
			x.Emit(&ir.Store{Base: x.Base(), Addr: at[1], Val: irgen.Typed(v[1], ir.VPtr), Order: ir.Relaxed})
		})
	}
	for _, g := range gs {
		in := g.v
		if !g.kept && !types.IsInterface(g.t) {
			in = x.Boxed(g.t, g.v)
		}
		put(in)
		if g.kept {
			continue
		}
		for _, t := range x.Boxes {
			n, ok := types.Unalias(form.Deref(t)).(*types.Named)
			it, isInterface := g.t.Underlying().(*types.Interface)
			if _, isPtr := t.Underlying().(*types.Pointer); ok && isPtr && isInterface && !x.Keepers[n].Empty() && types.Implements(t, it) {
				x.When(irgen.Bin("eq", in[0], x.Tag(t)), func() { put(x.keptValue(x.keptIn(x.Unboxed(t, in[1])[0], n))) })
			}
		}
	}
}

// keptValue loads what is kept.
func (x *fn) keptValue(at irgen.Value) irgen.Value {
	tag, data := x.Temp(ir.U32), x.Temp(ir.VPtr)
	x.Emit(&ir.Load{Base: x.Base(), Dst: tag, Addr: at[0], Order: ir.Relaxed})
	x.Emit(&ir.Load{Base: x.Base(), Dst: data, Addr: at[1], Order: ir.Relaxed})
	return irgen.Value{ir.Use{Reg: tag}, ir.Use{Reg: data}}
}

// callKept calls what the objects that a library function is given keep, and what its
// package keeps.
func (x *fn) callKept(p *irgen.Call) {
	if x.Exact || p.Fn.Object() == nil || x.Own[p.Fn.Object().Pkg()] || x.LibrarySources.Getter(p.Fn) {
		return
	}
	for i, t := range form.ParamTypes(p.Fn.Signature) {
		if i >= len(p.Args) || len(p.Args[i]) == 0 {
			continue
		}
		if u, ok := t.Underlying().(*types.Signature); ok && i == 0 && p.Fn.Signature.Recv() != nil && !x.Elsewhere(p.Fn.Object().Pkg()) {
			x.callReceiver(p, u)
		}
		if n, ok := types.Unalias(t).(*types.Named); ok && i == 0 && p.Fn.Signature.Recv() != nil && len(x.SetFields[n]) > 0 {
			x.callValueFields(n, p.Args[0])
		}
		if _, ok := t.Underlying().(*types.Pointer); !ok {
			continue
		}
		if n, ok := types.Unalias(form.Deref(t)).(*types.Named); ok {
			if x.Elsewhere(n.Obj().Pkg()) {
				continue // see keptcalls.go
			}
			x.serialised(n, p.Args[i][0], func() { x.callKeptAt(p, x.keptIn(p.Args[i][0], n), x.Keepers[n]) })
			if x.Models.SafeType(n) && len(x.SetFields[n]) > 0 {
				at := p.Args[i][0]
				x.When(irgen.Not(irgen.IsNil(at)), func() { x.readFields(at, n) })
			}
			if !x.Models.StartsFields(n) {
				x.callAllFields(p.Args[i][0], n)
			}
		}
	}
	pkg := p.Fn.Object().Pkg()
	if at := x.keptBy(pkg); at != nil && !x.Elsewhere(pkg) {
		x.underLock(pkg.Path(), func() ir.Expr { return x.packageLock(pkg) }, func() { x.callKeptAt(p, at, x.PackageKeeps[pkg]) })
	}
}

// callReceiver calls the receiver of a method of a function type, such as
// http.HandlerFunc, with what the method is given.
func (x *fn) callReceiver(p *irgen.Call, sig *types.Signature) {
	if _, null := p.Args[0][0].(ir.Null); null {
		return
	}
	args, ps := x.outside(sig.Params()), p.Fn.Signature.Params()
	if ps.Len() == sig.Params().Len() {
		same := true
		for i := range ps.Len() {
			same = same && types.Identical(ps.At(i).Type(), sig.Params().At(i).Type())
		}
		if same {
			args = nil
			for _, a := range p.Args[1:] {
				args = append(args, a...)
			}
		}
	}
	x.repeat(func() { x.CallDynamic(sig, p.Args[0][0], args) })
}

// callKeptAt calls what is kept: the methods of values of the program's types, and
// functions.
func (x *fn) callKeptAt(p *irgen.Call, at irgen.Value, k *retained.Keeper) {
	if at == nil {
		return
	}
	v := x.keptValue(at)
	x.callKeptIn(v, k, 0)
	for _, t := range k.Data {
		switch p.Uses {
		case "write":
			x.When(irgen.Bin("eq", v[0], x.Tag(t)), func() {
				for _, a := range pointersOf(x.Unboxed(t, v[1])) {
					x.Emit(&ir.Touch{Base: x.Base(), Addr: a, Read: true, Write: true, Why: x.FuncName(p.Fn)})
				}
			})
		case "visit":
			x.When(irgen.Bin("eq", v[0], x.Tag(t)), func() { x.visit(library.Templating, t, x.Unboxed(t, v[1])) })
		}
	}
}

// callKeptIn does that with a value that is kept.
func (x *fn) callKeptIn(v irgen.Value, k *retained.Keeper, depth int) {
	if !x.Wrapped.Empty() && depth < maxWrapped {
		x.When(irgen.Bin("eq", v[0], x.Tag(retained.Wrapper)), func() { x.writing(true, func() { x.useWrapped(v[1], depth) }) })
	}
	done := map[string]bool{}
	for _, t := range k.Ifaces {
		it := t.Underlying().(*types.Interface)
		for _, b := range x.Boxes {
			if !done[form.Key(b)+" "+form.Key(it)] && types.Implements(b, it) {
				done[form.Key(b)+" "+form.Key(it)] = true
				x.writing(form.Key(t) == "io.Writer", func() {
					x.callKeptValue(v, b, it)
					if n, ok := types.Unalias(form.Deref(b)).(*types.Named); ok && x.Own[n.Obj().Pkg()] {
						x.askMethods(v, b, it)
					}
					x.changeBoxed(v, b, it)
				})
			}
		}
	}
	if i := slices.IndexFunc(k.Ifaces, func(t types.Type) bool { return x.MayBeStateful(t.Underlying().(*types.Interface)) }); i >= 0 {
		x.writing(true, func() { x.changeState(k.Ifaces[i].Underlying().(*types.Interface), v[0], v[1], true) })
	}
	for _, t := range k.Slices {
		x.When(irgen.Bin("eq", v[0], x.Tag(t)), func() {
			x.Emit(&ir.Touch{Base: x.Base(), Addr: x.Unboxed(t, v[1])[0], Read: true, Why: "what a reader reads"})
		})
	}
	for _, t := range k.Fields {
		x.When(irgen.Bin("eq", v[0], x.Tag(t)), func() { x.useFields(x.Unboxed(t, v[1])[0], x.WithFields(t)) })
	}
	for _, t := range k.Funcs {
		sig := t.Underlying().(*types.Signature)
		x.When(irgen.Bin("eq", v[0], x.Tag(t)), func() {
			x.repeatCall(sig.Results(), func() irgen.Value { return x.CallDynamic(sig, x.Unboxed(t, v[1])[0], x.outside(sig.Params())) })
		})
	}
}

// callKeptValue calls the methods of an interface on a value whose dynamic type is b, if
// that is a type of the program or a function type.
func (x *fn) callKeptValue(v irgen.Value, b types.Type, it *types.Interface) {
	n, ok := types.Unalias(form.Deref(b)).(*types.Named)
	if !ok {
		return
	}
	sig, isFunc := n.Underlying().(*types.Signature)
	if !x.Own[n.Obj().Pkg()] && !isFunc {
		return
	}
	x.When(irgen.Bin("eq", v[0], x.Tag(b)), func() {
		if isFunc && !x.Own[n.Obj().Pkg()] {
			x.repeat(func() { x.CallDynamic(sig, x.Unboxed(b, v[1])[0], x.outside(sig.Params())) })
			return
		}
		for i := range it.NumMethods() {
			sel := x.Prog.MethodSets.MethodSet(b).Lookup(it.Method(i).Pkg(), it.Method(i).Name())
			if sel == nil {
				continue
			}
			target := x.Method(b, sel)
			if target == nil {
				x.Fail("a method of %s, which depends on type parameters", b)
			}
			x.repeatCall(target.Signature.Results(), func() irgen.Value {
				return x.CallFunc(target, append(append(irgen.Value{}, x.receiverFor(target, b, x.Unboxed(b, v[1]))...), x.outside(target.Signature.Params())...), nil)
			})
		}
	})
}
