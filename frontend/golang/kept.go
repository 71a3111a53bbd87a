package golang

import (
	"go/types"

	"whoop/ir"
)

// What library functions keep of what they are given, and call later: a buffered writer writes to the writer that it was made
// for whenever its methods are called, also in another goroutine. Objects of library types that may keep something have a
// member for it, of which it is not known which of the values that were kept it holds; methods of such an object call what
// is in there. What a function is given may also be what it returns, where that has the type.

// keeper says what objects of a library type keep.
type keeper struct {
	ifaces []types.Type // the interfaces of the values that it is given
	funcs  []types.Type // the function types
	slices []types.Type // of a bytes.Reader: what it reads
}

// given is a value that a library function gets and may call: an interface, a value that it puts into one, or a function.
type given struct {
	t types.Type
	v value
}

// keptFields are the members of objects of a library type that keeps something.
func (l *lowering) keptFields(n *types.Named) []ir.Field {
	if l.keepers[n].empty() {
		return nil
	}
	return []ir.Field{{Name: "__value", Type: opaqueT}, {Name: "__kept.type", Type: ir.U32, Offset: 4}, {Name: "__kept.data", Type: ir.VPtr, Offset: 8}}
}

// keptIn is where an object that p points to keeps something; nil where it keeps nothing.
func (x *fn) keptIn(p ir.Expr, n *types.Named) value {
	if x.keepers[n].empty() {
		return nil
	}
	return value{x.member(p, n, 1), x.member(p, n, 2)}
}

// keptBy is where the functions of a package keep something; nil where they keep nothing.
func (x *fn) keptBy(pkg *types.Package) value {
	if x.packageKeeps[pkg].empty() {
		return nil
	}
	g := x.keptGlobals[pkg]
	if g == nil {
		s := x.lay.of(anyType).mem
		g = x.newGlobal("kept by "+pkg.Path(), s, ir.Pos{})
		if x.keptGlobals == nil {
			x.keptGlobals = map[*types.Package]*ir.Global{}
		}
		x.keptGlobals[pkg] = g
	}
	s := x.lay.of(anyType).mem.(*ir.Struct)
	return value{ir.FieldAddr{Base: ir.GlobalAddr{Global: g}, S: s, Index: 0}, ir.FieldAddr{Base: ir.GlobalAddr{Global: g}, S: s, Index: 1}}
}

// gifts lists what a library function is given and may keep.
func (x *fn) gifts(p *prepared) []given {
	var out []given
	for i, t := range paramTypes(p.fn.Signature) {
		if i >= len(p.args) || i == 0 && p.fn.Signature.Recv() != nil || isParam(t) {
			continue
		}
		switch u := t.Underlying().(type) {
		case *types.Signature:
			if _, null := p.args[i][0].(ir.Null); !null {
				out = append(out, given{t, p.args[i]})
			}
		case *types.Interface:
			if x.mayCall(u) || x.mayChange(u) {
				out = append(out, given{t, p.args[i]})
			}
		case *types.Slice:
			if readsLater(p.fn) {
				out = append(out, given{t, p.args[i]})
			}
			if it, ok := u.Elem().Underlying().(*types.Interface); ok && (x.mayCall(it) || x.mayChange(it)) {
				if _, null := p.args[i][0].(ir.Null); !null {
					at := x.element(p.args[i][0], u.Elem(), x.havoc(intT))
					x.when(bin("gt", p.args[i][1], ir.IntConst(intT, 0)), func() {
						out = append(out, given{u.Elem(), x.load(u.Elem(), at, ir.Plain)})
					})
				}
			}
		}
	}
	for _, v := range x.extra[x.site] {
		if n, ok := types.Unalias(deref(v.Type())).(*types.Named); ok && n.NumMethods() > 0 || types.IsInterface(v.Type()) {
			out = append(out, given{v.Type(), x.val(v)})
		}
	}
	return out
}

// keep stores what a library function was given where it may be kept, and returns the results, which may be one of them.
func (x *fn) keep(p *prepared, out value) value {
	if x.exact || p.fn.Object() == nil || x.own[p.fn.Object().Pkg()] {
		return out
	}
	gs := x.gifts(p)
	if len(gs) == 0 {
		return out
	}
	sig, at := p.fn.Signature, 0
	for i := range sig.Results().Len() {
		t := sig.Results().At(i).Type()
		n := len(x.lay.of(t).leaves)
		for _, g := range gs {
			x.orGiven(t, out[at:at+n], g)
			x.orWrapped(t, out[at:at+n], g)
		}
		if k := x.keepingType(t); k != nil && sig.Recv() == nil && n == 1 && ir.IsPtr(out[at].Type()) {
			x.when(not(isNil(out[at])), func() { x.keepAt(x.keptIn(out[at], k), x.keepers[k], gs) })
		}
		at += n
	}
	if !isSetter(p.fn.Name()) {
		return out
	}
	if sig.Recv() == nil {
		pkg := p.fn.Object().Pkg()
		x.keepAt(x.keptBy(pkg), x.packageKeeps[pkg], gs)
	} else if k := x.keepingType(sig.Recv().Type()); k != nil && ir.IsPtr(p.args[0][0].Type()) {
		x.keepAt(x.keptIn(p.args[0][0], k), x.keepers[k], gs)
	}
	return out
}

// orGiven makes a result of type t possibly be g.
func (x *fn) orGiven(t types.Type, v value, g given) {
	in := g.v
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
			in = x.boxed(g.t, g.v)
		}
	default:
		return
	}
	var dst []*ir.Reg
	for _, e := range v {
		dst = append(dst, x.temp(e.Type()))
		x.assign(dst[len(dst)-1], e)
	}
	x.when(cond(x.havoc(boolT)), func() {
		for i, r := range dst {
			x.assign(r, in[i])
		}
	})
	for i, r := range dst {
		v[i] = ir.Use{Reg: r}
	}
}

// keepAt stores one of the given values, or, where that is a library object, what it keeps itself.
func (x *fn) keepAt(at value, k *keeper, gs []given) {
	if at == nil {
		return
	}
	put := func(v value) {
		x.when(cond(x.havoc(boolT)), func() {
			x.emit(&ir.Store{Base: x.base(), Addr: at[0], Val: v[0], Order: ir.Relaxed})
			x.emit(&ir.Store{Base: x.base(), Addr: at[1], Val: typed(v[1], ir.VPtr), Order: ir.Relaxed})
		})
	}
	for _, g := range gs {
		in := g.v
		if !types.IsInterface(g.t) {
			in = x.boxed(g.t, g.v)
		}
		put(in)
		for _, t := range x.boxes {
			n, ok := types.Unalias(deref(t)).(*types.Named)
			it, isInterface := g.t.Underlying().(*types.Interface)
			if _, isPtr := t.Underlying().(*types.Pointer); ok && isPtr && isInterface && !x.keepers[n].empty() && types.Implements(t, it) {
				x.when(bin("eq", in[0], x.tag(t)), func() { put(x.keptValue(x.keptIn(x.unboxed(t, in[1])[0], n))) })
			}
		}
	}
}

// keptValue loads what is kept.
func (x *fn) keptValue(at value) value {
	tag, data := x.temp(ir.U32), x.temp(ir.VPtr)
	x.emit(&ir.Load{Base: x.base(), Dst: tag, Addr: at[0], Order: ir.Relaxed})
	x.emit(&ir.Load{Base: x.base(), Dst: data, Addr: at[1], Order: ir.Relaxed})
	return value{ir.Use{Reg: tag}, ir.Use{Reg: data}}
}

// callKept calls what the objects that a library function is given keep, and what its package keeps.
func (x *fn) callKept(p *prepared) {
	if x.exact || p.fn.Object() == nil || x.own[p.fn.Object().Pkg()] {
		return
	}
	for i, t := range paramTypes(p.fn.Signature) {
		if i >= len(p.args) || len(p.args[i]) == 0 {
			continue
		}
		if u, ok := t.Underlying().(*types.Signature); ok && i == 0 && p.fn.Signature.Recv() != nil {
			x.callReceiver(p, u)
		}
		if n, ok := types.Unalias(t).(*types.Named); ok && i == 0 && p.fn.Signature.Recv() != nil && len(x.setFields[n]) > 0 {
			x.callValueFields(n, p.args[0])
		}
		if _, ok := t.Underlying().(*types.Pointer); !ok {
			continue
		}
		if n, ok := types.Unalias(deref(t)).(*types.Named); ok {
			x.serialised(n, p.args[i][0], func() { x.callKeptAt(x.keptIn(p.args[i][0], n), x.keepers[n]) })
			if !x.m.startsFields(n) {
				x.callFields(p.args[i][0], n, 0)
			}
		}
	}
	pkg := p.fn.Object().Pkg()
	x.callKeptAt(x.keptBy(pkg), x.packageKeeps[pkg])
}

// serialised does something under the lock of a logger, which holds it while it writes.
func (x *fn) serialised(n *types.Named, p ir.Expr, do func()) {
	if n.Obj().Pkg() == nil || n.Obj().Pkg().Path() != "log" || x.keptIn(p, n) == nil {
		do()
		return
	}
	lock := x.member(p, n, 0)
	x.emit(&ir.Lock{Base: x.base(), Lock: lock, Mode: ir.Exclusive, Class: ir.ClassLibrary})
	do()
	x.emit(&ir.Unlock{Base: x.base(), Lock: lock, Mode: ir.Exclusive, Class: ir.ClassLibrary})
}

// callReceiver calls the receiver of a method of a function type, such as http.HandlerFunc, with what the method is given.
func (x *fn) callReceiver(p *prepared, sig *types.Signature) {
	if _, null := p.args[0][0].(ir.Null); null {
		return
	}
	args, ps := x.outside(sig.Params()), p.fn.Signature.Params()
	if ps.Len() == sig.Params().Len() {
		same := true
		for i := range ps.Len() {
			same = same && types.Identical(ps.At(i).Type(), sig.Params().At(i).Type())
		}
		if same {
			args = nil
			for _, a := range p.args[1:] {
				args = append(args, a...)
			}
		}
	}
	x.repeat(func() { x.callDynamic(sig, p.args[0][0], args) })
}

// callKeptAt calls what is kept: the methods of values of the program's types, and functions.
func (x *fn) callKeptAt(at value, k *keeper) {
	if at != nil {
		x.callKeptIn(x.keptValue(at), k, 0)
	}
}

// callKeptIn does that with a value that is kept.
func (x *fn) callKeptIn(v value, k *keeper, depth int) {
	if !x.wrapped.empty() && depth < maxWrapped {
		x.when(bin("eq", v[0], x.tag(wrapper)), func() { x.useWrapped(v[1], depth) })
	}
	done := map[string]bool{}
	for _, t := range k.ifaces {
		it := t.Underlying().(*types.Interface)
		for _, b := range x.boxes {
			if !done[key(b)+" "+key(it)] && types.Implements(b, it) {
				done[key(b)+" "+key(it)] = true
				x.callKeptValue(v, b, it)
				x.changeBoxed(v, b, it)
			}
		}
	}
	for _, t := range k.slices {
		x.when(bin("eq", v[0], x.tag(t)), func() {
			x.emit(&ir.Touch{Base: x.base(), Addr: x.unboxed(t, v[1])[0], Read: true, Why: "what a reader reads"})
		})
	}
	for _, t := range k.funcs {
		sig := t.Underlying().(*types.Signature)
		x.when(bin("eq", v[0], x.tag(t)), func() {
			x.repeat(func() { x.callDynamic(sig, x.unboxed(t, v[1])[0], x.outside(sig.Params())) })
		})
	}
}

// callKeptValue calls the methods of an interface on a value whose dynamic type is b, if that is a type of the program or a function
// type.
func (x *fn) callKeptValue(v value, b types.Type, it *types.Interface) {
	n, ok := types.Unalias(deref(b)).(*types.Named)
	if !ok {
		return
	}
	sig, isFunc := n.Underlying().(*types.Signature)
	if !x.own[n.Obj().Pkg()] && !isFunc {
		return
	}
	x.when(bin("eq", v[0], x.tag(b)), func() {
		if isFunc && !x.own[n.Obj().Pkg()] {
			x.repeat(func() { x.callDynamic(sig, x.unboxed(b, v[1])[0], x.outside(sig.Params())) })
			return
		}
		for i := range it.NumMethods() {
			sel := x.prog.MethodSets.MethodSet(b).Lookup(it.Method(i).Pkg(), it.Method(i).Name())
			if sel == nil {
				continue
			}
			target := x.method(b, sel)
			if target == nil {
				x.fail("a method of %s, which depends on type parameters", b)
			}
			x.repeat(func() {
				x.callFunc(target, append(append(value{}, x.unboxed(b, v[1])...), x.outside(target.Signature.Params())...), nil)
			})
		}
	})
}

// maxFields is how deep library structs are gone through for what the program puts into their fields.
const maxFields = 3

// callFields calls what the program puts into the exported fields of a library struct, and of library structs that it puts there.
func (x *fn) callFields(p ir.Expr, n *types.Named, depth int) {
	st, ok := n.Underlying().(*types.Struct)
	if _, _, special := x.special(n); !ok || special || depth == maxFields {
		return
	}
	for i := range st.NumFields() {
		if !x.setFields[n][i] {
			continue
		}
		t := st.Field(i).Type()
		load := func() value { return x.load(t, x.member(p, n, i), ir.Plain) }
		switch u := t.Underlying().(type) {
		case *types.Signature:
			f := load()
			x.when(not(isNil(f[0])), func() { x.repeat(func() { x.callDynamic(u, f[0], x.outside(u.Params())) }) })
		case *types.Pointer:
			if in := x.withFields(t); in != nil {
				v := load()
				x.when(not(isNil(v[0])), func() { x.callFields(v[0], in, depth+1) })
			}
		case *types.Interface:
			if u.NumMethods() == 0 {
				continue
			}
			v := load()
			x.methodCallbacks(v, t, u)
			x.askedCallbacks(v, u, true)
			done := map[string]bool{}
			for _, b := range x.boxes {
				if in := x.withFields(b); in != nil && !done[key(b)] && types.Implements(b, u) {
					done[key(b)] = true
					x.when(bin("eq", v[0], x.tag(b)), func() { x.callFields(x.unboxed(b, v[1])[0], in, depth+1) })
				}
			}
		}
	}
}

// callValueFields is callFields for a struct that is no pointer.
func (x *fn) callValueFields(n *types.Named, v value) {
	if _, ok := n.Underlying().(*types.Struct); !ok || x.lay.of(n).mem.Size() == 0 || len(v) != len(x.lay.of(n).leaves) {
		return
	}
	mem := x.lay.of(n).mem
	r := x.temp(ir.Ptr{Elem: mem})
	x.emit(&ir.Alloc{Base: x.base(), Dst: r, Elem: mem, Count: ir.IntConst(ir.U64, 1), Kind: "stack", Zero: true, Name: "receiver"})
	x.store(n, ir.Use{Reg: r}, v, ir.Plain)
	x.callFields(ir.Use{Reg: r}, n, 0)
}

// withFields is the library struct that a type points to, if the program sets fields of such structs.
func (l *lowering) withFields(t types.Type) *types.Named {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || len(l.setFields[n]) == 0 {
		return nil
	}
	return n
}
