package c

import (
	"strconv"
	"strings"

	"whoop/frontend/models"
	"whoop/ir"
)

// qsort and bsearch of few elements, step by step: sorting by insertion, which is stable,
// and looking at the middle. Where there are more, the function is called any number of
// times with any elements.

// maxSorted is how many elements are few.
const maxSorted = 16

// elements are what such a call works on.
type elements struct {
	base   ir.Expr
	t      ir.Type
	stride int64
	count  ir.Expr
	called models.CalledBack
}

// elementsOf are those of a call; ok is false where their type is not seen.
func (a *apiCall) elementsOf() (e elements, ok bool) {
	i := 0
	if a.m.Class == "search" {
		i = 1
	}
	size, ok1 := a.role("size")
	count, ok2 := a.role("count")
	if !a.hasMain() || !ok1 || !ok2 || i >= len(a.vs) || !ir.IsPtr(a.vs[i].Type()) || len(a.m.Calls) != 1 {
		return e, false
	}
	e.called = a.m.Calls[0]
	e.stride, ok = ir.IntOf(size)
	if !ok || e.called.Arg >= len(a.vs) || isNull(a.vs[e.called.Arg]) || !ir.IsPtr(a.vs[e.called.Arg].Type()) {
		return e, false
	}
	e.base = a.vs[i]
	for c, isCast := e.base.(ir.Cast); isCast && ir.IsPtr(c.X.Type()); c, isCast = e.base.(ir.Cast) {
		e.base = c.X
	}
	e.t = pointee(e.base)
	for arr, isArray := e.t.(ir.Array); isArray; arr, isArray = e.t.(ir.Array) {
		e.t = arr.Elem
	}
	switch e.t.(type) {
	case ir.Int, ir.Ptr, *ir.Struct:
	default:
		return e, false
	}
	e.count = a.hold(a.x, a.conv(a.x, count, ir.U64))
	return e, e.t.Size() == e.stride
}

// at is the address of an element.
func (e elements) at(i ir.Expr) ir.Expr {
	return ir.IndexAddr{Base: e.base, Idx: ir.Cast{X: i, T: ir.I64}, Stride: e.stride, T: ir.Ptr{Elem: e.t}}
}

// stepwise lowers a call with few elements; ok is false where it is not one of these
// functions.
func (a *apiCall) stepwise() (ir.Expr, bool) {
	if a.m.Class != "sort" && a.m.Class != "search" {
		return nil, false
	}
	e, ok := a.elementsOf()
	n, fixed := ir.IntOf(e.count)
	if !ok || fixed && n > maxSorted {
		return nil, false
	}
	r := a.temp(a.typ())
	if fixed {
		a.fewElements(e, r)
		return ir.Use{Reg: r}, true
	}
	p, few, many, after := pos(a.x.Position()), a.block("few"), a.block("many"), a.block("done")
	a.branch(p, ir.Binary{Op: "le", X: e.count, Y: ir.IntConst(ir.U64, maxSorted)}, few, many)
	a.start(many)
	a.sureCalls()
	a.touches()
	a.calls()
	a.emit(&ir.Assign{Base: at(a.x), Dst: r, X: a.ret()})
	a.jump(p, after)
	a.start(few)
	a.fewElements(e, r)
	a.jump(p, after)
	a.start(after)
	return ir.Use{Reg: r}, true
}

// fewElements does the work step by step; r gets the result.
func (a *apiCall) fewElements(e elements, r *ir.Reg) {
	if a.m.Class == "sort" {
		a.emit(&ir.Assign{Base: at(a.x), Dst: r, X: a.zero(r.Type)})
		a.insertion(e)
	} else {
		a.middle(e, r)
	}
}

// compare calls the function with two elements, or what the model says instead.
func (a *apiCall) compare(e elements, elems ...ir.Expr) ir.Expr {
	fn := a.vs[e.called.Arg]
	ft, ok := fn.Type().(ir.Ptr).Elem.(ir.FuncType)
	if !ok || !ir.IsInt(ft.Result) {
		ft = ir.FuncType{Result: ir.I32}
		for range e.called.Params {
			ft.Params = append(ft.Params, ir.VPtr)
		}
		fn = ir.Cast{X: fn, T: ir.Ptr{Elem: ft}}
	}
	var vs []ir.Expr
	for i, t := range ft.Params {
		v := ir.Expr(nil)
		if i < len(e.called.Params) {
			kind, n, _ := strings.Cut(e.called.Params[i], ":")
			if k, err := strconv.Atoi(n); kind == "element" && len(elems) > 0 {
				v, elems = elems[0], elems[1:]
			} else if err == nil && k < len(a.vs) {
				v = a.vs[k]
			}
		}
		if v == nil {
			v = a.returned(a.x, t)
		}
		vs = append(vs, a.conv(a.x, v, t))
	}
	r := a.temp(ft.Result)
	a.emit(&ir.Call{Base: at(a.x), Callee: fn, Args: vs, Dst: r})
	return ir.Use{Reg: r}
}

// insertion sorts. All elements are read and written where there are two: implementations
// copy them out and back.
func (a *apiCall) insertion(e elements) {
	p, b := pos(a.x.Position()), at(a.x)
	i, j := a.temp(ir.U64), a.temp(ir.U64)
	num := func(n int64) ir.Expr { return ir.IntConst(ir.U64, n) }
	back := func(r *ir.Reg) ir.Expr { return ir.Binary{Op: "sub", X: ir.Use{Reg: r}, Y: num(1)} }
	two, outer, next, inner, look, swap, on, done := a.block("two"), a.block("sort"), a.block("element"), a.block("insert"), a.block("look"), a.block("swap"), a.block("on"), a.block("sorted")
	a.branch(p, ir.Binary{Op: "le", X: num(2), Y: e.count}, two, done)
	a.start(two)
	a.emit(&ir.Assign{Base: b, Dst: i, X: num(0)})
	a.jump(p, outer)
	a.start(outer)
	a.branch(p, ir.Binary{Op: "lt", X: ir.Use{Reg: i}, Y: e.count}, next, done)
	a.start(next)
	a.rewrite(e, e.at(ir.Use{Reg: i}))
	a.emit(&ir.Assign{Base: b, Dst: j, X: ir.Use{Reg: i}})
	a.jump(p, inner)
	a.start(inner)
	a.branch(p, ir.Binary{Op: "lt", X: num(0), Y: ir.Use{Reg: j}}, look, on)
	a.start(look)
	left, right := e.at(back(j)), e.at(ir.Use{Reg: j})
	c := a.compare(e, left, right)
	a.branch(p, ir.Binary{Op: "lt", X: a.zero(c.Type()), Y: c}, swap, on)
	a.start(swap)
	a.swapElements(e, left, right)
	a.emit(&ir.Assign{Base: b, Dst: j, X: back(j)})
	a.jump(p, inner)
	a.start(on)
	a.emit(&ir.Assign{Base: b, Dst: i, X: ir.Binary{Op: "add", X: ir.Use{Reg: i}, Y: num(1)}})
	a.jump(p, outer)
	a.start(done)
}

// rewrite reads and writes an element.
func (a *apiCall) rewrite(e elements, x ir.Expr) {
	b := at(a.x)
	if s, ok := e.t.(*ir.Struct); ok {
		a.emit(&ir.MemCopy{Base: b, Dst: x, Src: x, Size: ir.IntConst(ir.U64, e.stride), Elem: s, Order: ir.Plain})
		return
	}
	r := a.temp(e.t)
	a.emit(&ir.Load{Base: b, Dst: r, Addr: x, Order: ir.Plain})
	a.emit(&ir.Store{Base: b, Addr: x, Val: ir.Use{Reg: r}, Order: ir.Plain})
}

// swapElements exchanges two elements.
func (a *apiCall) swapElements(e elements, x, y ir.Expr) {
	b := at(a.x)
	if s, ok := e.t.(*ir.Struct); ok {
		tmp := ir.Use{Reg: a.temp(ir.Ptr{Elem: s})}
		a.emit(&ir.Alloc{Base: b, Dst: tmp.Reg, Elem: s, Count: ir.IntConst(ir.U64, 1), Kind: "stack", Name: "element"})
		for _, c := range [][2]ir.Expr{{tmp, x}, {x, y}, {y, tmp}} {
			a.emit(&ir.MemCopy{Base: b, Dst: c[0], Src: c[1], Size: ir.IntConst(ir.U64, e.stride), Elem: s, Order: ir.Plain})
		}
		return
	}
	u, v := a.temp(e.t), a.temp(e.t)
	a.emit(&ir.Load{Base: b, Dst: u, Addr: x, Order: ir.Plain})
	a.emit(&ir.Load{Base: b, Dst: v, Addr: y, Order: ir.Plain})
	a.emit(&ir.Store{Base: b, Addr: x, Val: ir.Use{Reg: v}, Order: ir.Plain})
	a.emit(&ir.Store{Base: b, Addr: y, Val: ir.Use{Reg: u}, Order: ir.Plain})
}

// middle looks for the key: r gets the address of an element that is equal, or null.
func (a *apiCall) middle(e elements, r *ir.Reg) {
	p, b := pos(a.x.Position()), at(a.x)
	lo, hi, mid := a.temp(ir.U64), a.temp(ir.U64), a.temp(ir.U64)
	use := func(r *ir.Reg) ir.Expr { return ir.Use{Reg: r} }
	num := func(n int64) ir.Expr { return ir.IntConst(ir.U64, n) }
	loop, look, found, other, below, above, done := a.block("search"), a.block("look"), a.block("found"), a.block("other"), a.block("below"), a.block("above"), a.block("searched")
	a.emit(&ir.Assign{Base: b, Dst: lo, X: num(0)})
	a.emit(&ir.Assign{Base: b, Dst: hi, X: e.count})
	a.emit(&ir.Assign{Base: b, Dst: r, X: a.zero(r.Type)})
	a.jump(p, loop)
	a.start(loop)
	a.branch(p, ir.Binary{Op: "lt", X: use(lo), Y: use(hi)}, look, done)
	a.start(look)
	a.emit(&ir.Assign{Base: b, Dst: mid, X: ir.Binary{Op: "div", X: ir.Binary{Op: "add", X: use(lo), Y: use(hi)}, Y: num(2)}})
	c := a.compare(e, e.at(use(mid)))
	a.branch(p, ir.Binary{Op: "eq", X: c, Y: a.zero(c.Type())}, found, other)
	a.start(found)
	a.emit(&ir.Assign{Base: b, Dst: r, X: a.conv(a.x, e.at(use(mid)), r.Type)})
	a.jump(p, done)
	a.start(other)
	a.branch(p, ir.Binary{Op: "lt", X: c, Y: a.zero(c.Type())}, below, above)
	a.start(below)
	a.emit(&ir.Assign{Base: b, Dst: hi, X: use(mid)})
	a.jump(p, loop)
	a.start(above)
	a.emit(&ir.Assign{Base: b, Dst: lo, X: ir.Binary{Op: "add", X: use(mid), Y: num(1)}})
	a.jump(p, loop)
	a.start(done)
}
