package golang

import (
	"go/token"
	"go/types"

	"whoop/ir"
)

// What library functions return in interfaces may be a value of the library's that keeps what they were given, and calls it when it is used: io.TeeReader and io.NopCloser wrap readers,
// http.FileServer a file system. Such a value has a type of its own here, of which the contents are what is kept.

// wrapper is the dynamic type of such values.
var wrapper = types.NewNamed(types.NewTypeName(token.NoPos, nil, "wrapping value", nil), anyType, nil)

// maxWrapped is how deep values that wrap wrapping values are looked into.
const maxWrapped = 3

// wraps reports whether a library function may return a value in an interface that keeps what it was given.
func wraps(sig *types.Signature) bool {
	for i := range sig.Results().Len() {
		if it, ok := sig.Results().At(i).Type().Underlying().(*types.Interface); ok && mayWrap(it) {
			return true
		}
	}
	return false
}

// handsOnInside reports whether a library function may return a value in an interface that keeps what the objects do which it is given: one whose methods are given something,
// not only asked, as those of net.Addr.
func handsOnInside(sig *types.Signature) bool {
	for _, t := range componentTypes(sig.Results()) {
		if it, ok := t.Underlying().(*types.Interface); ok && mayWrap(it) && takes(it) {
			return true
		}
	}
	return false
}

func takes(it *types.Interface) bool {
	for i := range it.NumMethods() {
		if it.Method(i).Signature().Params().Len() > 0 {
			return true
		}
	}
	return false
}

// mayWrap reports whether wrapping values are looked for behind an interface: errors and contexts are followed otherwise.
func mayWrap(it *types.Interface) bool {
	if it.NumMethods() == 0 {
		return false
	}
	for i := range it.NumMethods() {
		if name := it.Method(i).Name(); name == "Error" || name == "Deadline" {
			return false
		}
	}
	return true
}

// orWrapped makes a result of type t possibly wrap g, which is not of that type itself.
func (x *fn) orWrapped(t types.Type, v value, g given) {
	it, ok := t.Underlying().(*types.Interface)
	if !ok || isParam(t) || !mayWrap(it) || !g.kept && types.Implements(g.t, it) || g.kept && !takes(it) || x.wrapped.empty() {
		return
	}
	in := g.v
	if !g.kept && !types.IsInterface(g.t) {
		in = x.boxed(g.t, g.v)
	}
	for i, e := range x.either(t, v, x.boxed(wrapper, in)) {
		v[i] = e
	}
}

// callWrapped is what a method of a wrapping value does.
func (x *fn) callWrapped(it *types.Interface, tag, data ir.Expr) {
	if x.exact || x.wrapped.empty() || !mayWrap(it) {
		return
	}
	x.when(bin("eq", tag, x.tag(wrapper)), func() { x.useWrapped(data, 0) })
}

// useWrapped calls a function that calls what a wrapping value keeps.
func (x *fn) useWrapped(data ir.Expr, depth int) {
	if x.wrappers[depth] == nil {
		f := &ir.Func{Name: x.unique("use of " + wrapper.Obj().Name()), Result: ir.Void{}, Params: []*ir.Reg{{Name: "$data", Type: ir.VPtr}}}
		x.wrappers[depth] = f
		x.p.Funcs = append(x.p.Funcs, f)
		y := newFn(x.lowering, nil, f)
		y.used = map[string]int{"$data": 1}
		y.start(y.block("entry"))
		y.callKeptIn(y.unboxed(wrapper, ir.Use{Reg: f.Params[0]}), &x.wrapped, depth+1)
		y.giveBack(nil)
		y.prune()
	}
	x.emit(&ir.Call{Base: x.base(), Callee: ir.FuncAddr{Func: x.wrappers[depth]}, Args: []ir.Expr{typed(data, ir.VPtr)}})
}
