package golang

import (
	"go/types"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// What library functions pass on of what they are given: slices.IndexFunc calls its
// function with the elements of its slice, slices.Collect returns what an iterator
// yields, and bytes.Split parts of its argument. A value of some type that such a
// function hands to a callback, or returns, may be one to which its arguments lead by
// their types.

// pool is values with their types. all: also those that lead nowhere are followed, since
// they are read somewhere.
type pool struct {
	ts  []types.Type
	vs  []irgen.Value
	all bool
}

// maxWithin is how deep in a value others are looked for.
const maxWithin = 3

func (x *fn) poolOf(p *irgen.Call) pool {
	var out pool
	for i, t := range form.ParamTypes(p.Fn.Signature) {
		if i < len(p.Args) && !form.IsParam(t) {
			out.ts, out.vs = append(out.ts, t), append(out.vs, p.Args[i])
		}
	}
	return out
}

// among lists the values of type t to which those of a pool lead.
func (x *fn) among(p pool, t types.Type) []irgen.Value {
	if !p.all && !x.hasPointers(t) || x.Exact || form.IsParam(t) || types.IsInterface(t) && !form.HasMethods(t) {
		return nil
	}
	var out []irgen.Value
	for i, from := range p.ts {
		if len(p.vs[i]) == len(x.lay.Of(from).Leaves) && within(from, t, 0) {
			out = append(out, x.within(from, p.vs[i], t, 0)...)
		}
	}
	return out
}

// within reports whether values of type t can be found in one of another.
func within(from, t types.Type, depth int) bool {
	if types.Identical(from, t) {
		return true
	}
	if depth == maxWithin {
		return false
	}
	for _, in := range parts(from) {
		if within(in, t, depth+1) {
			return true
		}
	}
	return false
}

// parts lists the types of the elements of a value.
func parts(t types.Type) []types.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return []types.Type{u.Elem()}
	case *types.Map:
		return []types.Type{u.Key(), u.Elem()}
	case *types.Signature:
		if f := yields(u); f != nil {
			return form.ComponentTypes(f.Params())
		}
		if u.Params().Len() == 0 {
			return form.ComponentTypes(u.Results())
		}
	}
	return nil
}

// yields is the type of the function that an iterator of a signature calls, or nil.
func yields(sig *types.Signature) *types.Signature {
	if sig.Params().Len() != 1 || sig.Results().Len() != 0 {
		return nil
	}
	f, _ := sig.Params().At(0).Type().Underlying().(*types.Signature)
	return f
}

// within finds values of type t in one of another.
func (x *fn) within(from types.Type, v irgen.Value, t types.Type, depth int) []irgen.Value {
	if types.Identical(from, t) {
		return []irgen.Value{v}
	}
	var out []irgen.Value
	for i, in := range parts(from) {
		if depth == maxWithin || !within(in, t, depth+1) {
			continue
		}
		dst := x.Zeroed(in)
		switch u := from.Underlying().(type) {
		case *types.Slice:
			x.When(irgen.Bin("gt", v[1], ir.IntConst(irgen.IntT, 0)), func() { x.AssignAll(dst, x.Load(in, x.Element(v[0], in, x.havoc(irgen.IntT)), ir.Plain)) })
		case *types.Map:
			x.When(irgen.Not(irgen.IsNil(v[0])), func() {
				k, e := x.mapEntry(v[0])
				x.AssignAll(dst, x.Load(in, [2]ir.Expr{k, e}[i], ir.Plain))
			})
		case *types.Signature:
			x.When(irgen.Not(irgen.IsNil(v[0])), func() { x.AssignAll(dst, x.produced(u, v[0], i)) })
		}
		out = append(out, x.within(in, irgen.UseAll(dst), t, depth+1)...)
	}
	return out
}

// produced is what a function returns, or what an iterator yields: component i of it.
func (x *fn) produced(sig *types.Signature, f ir.Expr, i int) irgen.Value {
	yield := yields(sig)
	if yield == nil {
		t := sig.Results().At(i).Type()
		return x.component(sig.Results(), x.CallDynamic(sig, f, nil), i, t)
	}
	s := x.objectOf("sink", yield.Params())
	r := x.Reg("&sink", ir.Ptr{Elem: s})
	x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: s, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true})
	x.setCode(ir.Use{Reg: r}, s, yield, x.sink(yield, s))
	x.CallDynamic(sig, f, irgen.Value{ir.Cast{X: ir.Use{Reg: r}, T: irgen.FuncT}})
	return x.Load(yield.Params().At(i).Type(), ir.FieldAddr{Base: ir.Use{Reg: r}, S: s, Index: i + 1}, ir.Plain)
}

// component is one of several values.
func (x *fn) component(of *types.Tuple, v irgen.Value, i int, t types.Type) irgen.Value {
	at := 0
	for j := range i {
		at += len(x.lay.Of(of.At(j).Type()).Leaves)
	}
	return v[at : at+len(x.lay.Of(t).Leaves)]
}

// objectOf is the type of function values that have captured values of some types.
func (x *fn) objectOf(name string, ts *types.Tuple) *ir.Struct {
	s := x.lay.NewStruct(name)
	s.Fields = []ir.Field{{Name: "__func", Type: x.header, Const: true}}
	off := x.header.Bytes
	for i, t := range form.ComponentTypes(ts) {
		lay := x.lay.Of(t)
		mem := irgen.Sized(lay.Mem)
		off = irgen.RoundUp(off, max(lay.Align, 1))
		s.Fields = append(s.Fields, ir.Field{Name: "__v" + strconv.Itoa(i), Type: mem, Offset: off, Const: name != "sink"})
		off += mem.Size()
	}
	s.Bytes = irgen.RoundUp(off, 8)
	return s
}

func (x *fn) setCode(obj ir.Expr, s *ir.Struct, sig *types.Signature, code *ir.Func) {
	x.putCode(ir.FieldAddr{Base: obj, S: s, Index: 0}, sig, ir.FuncAddr{Func: code})
}

// sink is the code of a function value that keeps what it is called with.
func (x *fn) sink(sig *types.Signature, s *ir.Struct) *ir.Func {
	y, params, self := x.libraryCode("sink", sig, s)
	for i, t := range form.ComponentTypes(sig.Params()) {
		n := len(x.lay.Of(t).Leaves)
		y.Store(t, ir.FieldAddr{Base: self, S: s, Index: i + 1}, params[:n], ir.Plain)
		params = params[n:]
	}
	y.GiveBack(y.outside(sig.Results()))
	y.Prune()
	return y.F
}

// libraryCode begins the code of a function value of the library: its parameters, and the
// object with what it has captured.
func (x *fn) libraryCode(name string, sig *types.Signature, s *ir.Struct) (y *fn, params irgen.Value, self ir.Expr) {
	f := x.signature(name, sig)
	x.codes = append(x.codes, f)
	y = newFn(x.lowering, nil, f)
	y.Pos = x.Pos
	for _, p := range f.Params {
		y.Used[p.Name]++
		switch p.Name {
		case ir.Results:
			y.ret = p
		case ir.Captured:
			self = ir.Cast{X: ir.Use{Reg: p}, T: ir.Ptr{Elem: s}}
		default:
			params = append(params, ir.Use{Reg: p})
		}
	}
	y.Start(y.Block("entry"))
	return y, params, self
}

// passed is a value of type t that a function with what is in a pool hands on: something
// new, or one of them.
func (x *fn) passed(p pool, t types.Type) irgen.Value {
	out := x.outside(t)
	for _, v := range x.among(p, t) {
		out = x.either(t, out, v)
	}
	return out
}

// passedAll is that for several values.
func (x *fn) passedAll(p pool, ts *types.Tuple) irgen.Value {
	var out irgen.Value
	for _, t := range form.ComponentTypes(ts) {
		out = append(out, x.passed(p, t)...)
	}
	return out
}

// handed is what a library function calls a function with: passedAll, but for values of
// type any, which it may have been given before.
func (x *fn) handed(p *irgen.Call, effect library.Op, ts *types.Tuple) irgen.Value {
	if effect != library.OpTouch || x.Exact {
		return x.passedAll(x.poolOf(p), ts)
	}
	var out irgen.Value
	for _, t := range form.ComponentTypes(ts) {
		if it, ok := t.Underlying().(*types.Interface); ok && it.NumMethods() == 0 && !form.IsParam(t) {
			out = append(out, x.fromOutside(t, x.external(x.FuncName(p.Fn), x.pointers(p)))...)
		} else {
			out = append(out, x.passed(x.poolOf(p), t)...)
		}
	}
	return out
}

// intoGiven makes maps and slices that a generic library function is given possibly have in
// them what else it is given: maps.Copy, slices.Insert. Members of these that users cannot
// name are copied, too.
func (x *fn) intoGiven(p *irgen.Call) {
	if x.Exact || len(p.Fn.TypeArgs()) == 0 || len(p.Args) < 2 {
		return
	}
	given := x.poolOf(p)
	given.all = true
	for i, t := range form.ParamTypes(p.Fn.Signature) {
		if i >= len(p.Args) {
			continue
		}
		at := p.Args[i][0]
		into := func(t types.Type, addr ir.Expr, order ir.Order) {
			for _, v := range x.among(given, t) {
				x.When(irgen.Cond(x.havoc(irgen.BoolT)), func() { x.Store(t, addr, v, order) })
			}
		}
		switch u := t.Underlying().(type) {
		case *types.Map:
			x.When(irgen.Not(irgen.IsNil(at)), func() {
				key, val := x.mapEntry(at)
				into(u.Key(), key, ir.Relaxed)
				into(u.Elem(), val, ir.Relaxed)
			})
		case *types.Slice:
			if x.hasPointers(u.Elem()) {
				x.When(irgen.Bin("gt", p.Args[i][2], ir.IntConst(irgen.IntT, 0)),
					func() { into(u.Elem(), x.Element(at, u.Elem(), x.havoc(irgen.IntT)), ir.Plain) })
			}
		}
	}
}

// returned makes the results of a library function possibly have in them what the
// function was given.
func (x *fn) returned(p *irgen.Call, out irgen.Value) irgen.Value {
	if x.Exact || p.Fn.Object() == nil || x.Own[p.Fn.Object().Pkg()] {
		return out
	}
	given, at := x.poolOf(p), 0
	var with irgen.Value
	for _, t := range form.ComponentTypes(p.Fn.Signature.Results()) {
		n := len(x.lay.Of(t).Leaves)
		with = append(with, x.foundError(p, t, x.returnedOne(p, given, t, out[at:at+n]))...)
		at += n
	}
	return append(with, out[at:]...)
}

func (x *fn) returnedOne(p *irgen.Call, given pool, t types.Type, v irgen.Value) irgen.Value {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		vs := x.among(given, u.Elem())
		if len(vs) == 0 {
			return v
		}
		r := x.Temp(ir.Ptr{Elem: x.lay.Of(u.Elem()).Mem})
		x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: x.lay.Of(u.Elem()).Mem, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true})
		for _, e := range vs {
			x.When(irgen.Cond(x.havoc(irgen.BoolT)), func() { x.Store(u.Elem(), ir.Use{Reg: r}, e, ir.Plain) })
		}
		n := x.length(nil)
		return x.either(t, v, irgen.Value{ir.Use{Reg: r}, n, n})
	case *types.Map:
		ks, es := x.among(given, u.Key()), x.among(given, u.Elem())
		if len(ks)+len(es) == 0 {
			return v
		}
		m := x.MakeObject(t, "library")
		k, e := x.mapEntry(m)
		for _, in := range ks {
			x.When(irgen.Cond(x.havoc(irgen.BoolT)), func() { x.Store(u.Key(), k, in, ir.Relaxed) })
		}
		for _, in := range es {
			x.When(irgen.Cond(x.havoc(irgen.BoolT)), func() { x.Store(u.Elem(), e, in, ir.Relaxed) })
		}
		return x.either(t, v, irgen.Value{m})
	case *types.Signature:
		return x.returnedFunc(p, given, t, u, v)
	case *types.Pointer:
		for _, in := range x.among(given, t) {
			v = x.either(t, v, in)
		}
	}
	return v
}

// returnedFuncs is returned for functions alone, of a library function that otherwise
// returns something new.
func (x *fn) returnedFuncs(p *irgen.Call, out irgen.Value) irgen.Value {
	given, at := x.poolOf(p), 0
	for _, t := range form.ComponentTypes(p.Fn.Signature.Results()) {
		n := len(x.lay.Of(t).Leaves)
		if u, ok := t.Underlying().(*types.Signature); ok && !x.Exact {
			copy(out[at:], x.returnedFunc(p, given, t, u, out[at:at+n]))
		}
		at += n
	}
	return out
}

// usesLater reports whether a function that a library function returns may do something
// to what that was given. Package context has others.
func (x *fn) usesLater(p *irgen.Call) bool {
	if p.Fn.Object() == nil || len(p.Fn.TypeArgs()) > 0 || p.Effect == "" {
		return false
	}
	switch path := p.Fn.Object().Pkg().Path(); path {
	case "context", "time", "iter", "os/signal":
		return false
	}
	for i, t := range form.ParamTypes(p.Fn.Signature) {
		if _, isFunc := t.Underlying().(*types.Signature); isFunc || i < len(p.Args) && len(pointersOf(p.Args[i])) > 0 {
			return true
		}
	}
	return false
}

// returnedFunc is a function that a library function returns: one that hands on what that
// was given, and does to that what it did.
func (x *fn) returnedFunc(p *irgen.Call, given pool, t types.Type, sig *types.Signature, v irgen.Value) irgen.Value {
	yield := yields(sig)
	leads := false
	for _, r := range form.ComponentTypes(sig.Results()) {
		leads = leads || x.leads(given, r)
	}
	if yield != nil {
		for _, e := range form.ComponentTypes(yield.Params()) {
			leads = leads || x.leads(given, e)
		}
	}
	if again := x.usesLater(p); !leads && !again {
		return v
	} else if !again {
		p = nil
	}
	var vars []*types.Var
	for _, g := range given.ts {
		vars = append(vars, types.NewParam(0, nil, "", g))
	}
	s := x.objectOf("library function", types.NewTuple(vars...))
	r := x.Reg("&function", ir.Ptr{Elem: s})
	x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: s, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true})
	for i, g := range given.ts {
		if x.lay.Of(g).Mem.Size() > 0 {
			x.Store(g, ir.FieldAddr{Base: ir.Use{Reg: r}, S: s, Index: i + 1}, given.vs[i], ir.Plain)
		}
	}
	x.setCode(ir.Use{Reg: r}, s, sig, x.handingOn(p, given, sig, s))
	return x.either(t, v, irgen.Value{ir.Cast{X: ir.Use{Reg: r}, T: irgen.FuncT}})
}

// leads reports whether one gets from a pool to values of a type.
func (x *fn) leads(p pool, t types.Type) bool {
	if form.IsParam(t) || types.IsInterface(t) && !form.HasMethods(t) {
		return false
	}
	for _, from := range p.ts {
		if (x.hasPointers(t) || !types.Identical(from, t)) && within(from, t, 0) {
			return true
		}
	}
	return false
}

// handingOn is the code of a function that calls what it is called with, and returns,
// what is in a pool. With p, it does what p did.
func (x *fn) handingOn(p *irgen.Call, given pool, sig *types.Signature, s *ir.Struct) *ir.Func {
	y, params, self := x.libraryCode("library function", sig, s)
	have := pool{ts: given.ts, all: true}
	for i, g := range given.ts {
		if x.lay.Of(g).Mem.Size() == 0 {
			have.vs = append(have.vs, y.Zero(g))
			continue
		}
		have.vs = append(have.vs, y.Load(g, ir.FieldAddr{Base: self, S: s, Index: i + 1}, ir.Plain))
	}
	if p != nil {
		q := &irgen.Call{Fn: p.Fn, CC: &ssa.CallCommon{Value: p.Fn}, Args: have.vs, Effect: p.Effect}
		y.effect(q, q.Effect)
		y.callbacks(q, q.Effect)
		y.callKept(q)
	}
	at := 0
	for _, t := range form.ComponentTypes(sig.Params()) {
		if u, ok := t.Underlying().(*types.Signature); ok {
			f := params[at]
			y.When(irgen.Not(irgen.IsNil(f)), func() { y.repeat(func() { y.CallDynamic(u, f, y.passedAll(have, u.Params())) }) })
		}
		at += len(x.lay.Of(t).Leaves)
	}
	y.GiveBack(y.passedAll(have, sig.Results()))
	y.Prune()
	return y.F
}
