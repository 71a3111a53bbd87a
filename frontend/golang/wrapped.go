package golang

import (
	"go/types"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/retained"
	"whoop/ir"
)

// What library functions return in interfaces may be a value of the library's that keeps
// what they were given, and calls it when it is used: io.TeeReader and io.NopCloser wrap
// readers, http.FileServer a file system. Such a value has a type of its own here, of
// which the contents are what is kept.

// maxWrapped is how deep values that wrap wrapping values are looked into.
const maxWrapped = 3

// orWrapped makes a result of type t possibly wrap g, which is not of that type itself.
func (x *fn) orWrapped(t types.Type, v irgen.Value, g given) {
	it, ok := t.Underlying().(*types.Interface)
	if !ok || form.IsParam(t) || !library.MayWrap(it) || !g.kept && types.Implements(g.t, it) || g.kept && !library.Takes(it) || x.Wrapped.Empty() {
		return
	}
	if !x.MayHoldWrapped(it) {
		x.Fail("a library function that was not seen to be called returns a %s", t)
	}
	in := g.v
	if !g.kept && !types.IsInterface(g.t) {
		in = x.Boxed(g.t, g.v)
	}
	for i, e := range x.either(t, v, x.Boxed(retained.Wrapper, in)) {
		v[i] = e
	}
}

// callWrapped is what a method of a wrapping value does.
func (x *fn) callWrapped(it *types.Interface, tag, data ir.Expr) {
	if x.Exact || x.Wrapped.Empty() || !x.MayHoldWrapped(it) {
		return
	}
	x.When(irgen.Bin("eq", tag, x.Tag(retained.Wrapper)), func() { x.useWrapped(data, 0) })
}

// useWrapped calls a function that calls what a wrapping value keeps, if it keeps
// anything.
func (x *fn) useWrapped(data ir.Expr, depth int) {
	if x.wrappers[depth] == nil {
		f := &ir.Func{Name: x.Unique("use of " + retained.Wrapper.Obj().Name()), Result: ir.Void{}, Params: []*ir.Reg{{Name: "$type", Type: ir.U32}, {Name: "$data", Type: ir.VPtr}}}
		x.wrappers[depth] = f
		x.p.Funcs = append(x.p.Funcs, f)
		y := newFn(x.lowering, nil, f)
		y.Used = map[string]int{"$type": 1, "$data": 1}
		y.Start(y.Block("entry"))
		y.callKeptIn(irgen.Value{ir.Use{Reg: f.Params[0]}, ir.Use{Reg: f.Params[1]}}, &x.Wrapped, depth+1)
		y.GiveBack(nil)
		y.Prune()
	}
	v := x.Unboxed(retained.Wrapper, data)
	x.When(irgen.Not(irgen.IsNil(v[1])), func() {
		x.Emit(&ir.Call{Base: x.Base(), Callee: ir.FuncAddr{Func: x.wrappers[depth]}, Args: []ir.Expr{v[0], irgen.Typed(v[1], ir.VPtr)}})
	})
}
