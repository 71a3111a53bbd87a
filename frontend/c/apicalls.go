package c

import (
	"slices"
	"strconv"
	"strings"

	"whoop/frontend/models"
	"whoop/ir"
)

// Functions of the program that library functions call, or have called by other threads
// later.

// calls lowers the calls that a library function makes of functions in its arguments: any
// number of each, one after the other.
func (a *apiCall) calls() {
	if len(a.m.Calls) == 0 || a.cur == nil || a.setsUp() {
		return
	}
	p, head, after := pos(a.x.Position()), a.block("callbacks"), a.block("called.back")
	a.jump(p, head)
	for _, c := range a.m.Calls {
		if c.Arg >= len(a.vs) || isNull(a.vs[c.Arg]) || !ir.IsPtr(a.vs[c.Arg].Type()) {
			continue
		}
		a.start(head)
		more, body, next := a.temp(ir.Bool{}), a.block("callback"), a.block("callbacks")
		a.emit(&ir.Havoc{Base: at(a.x), Dst: more})
		a.branch(p, ir.Use{Reg: more}, body, next)
		a.start(body)
		a.callBack(c, false)
		a.jump(p, head)
		head = next
	}
	a.start(head)
	a.jump(p, after)
	a.start(after)
}

// setsUp reports whether the functions that the call calls get its result.
func (a *apiCall) setsUp() bool {
	return slices.ContainsFunc(a.m.Calls, func(c models.CalledBack) bool { return slices.Contains(c.Params, models.PassedResult) })
}

// setUp lowers the call of a function that sets up what the call has made (alloc_netdev):
// once, where there is something.
func (a *apiCall) setUp(v ir.Expr) ir.Expr {
	if a.cur == nil || v == nil || !ir.IsPtr(v.Type()) || !a.setsUp() {
		return v
	}
	v = a.hold(a.x, v)
	p, some, on := pos(a.x.Position()), a.block("made"), a.block("set.up")
	a.branch(p, ir.Binary{Op: "ne", X: v, Y: zeroOf(v.Type())}, some, on)
	a.start(some)
	a.result = v
	for _, c := range a.m.Calls {
		if c.Arg < len(a.vs) && !isNull(a.vs[c.Arg]) && ir.IsPtr(a.vs[c.Arg].Type()) {
			a.callBack(c, false)
		}
	}
	a.jump(p, on)
	a.start(on)
	return v
}

// sureCalls lowers the first calls of those functions that are called for sure, where
// there are elements enough: before anything that the library perhaps does.
func (a *apiCall) sureCalls() {
	for _, c := range a.m.Calls {
		n, ok := a.role("count")
		if c.Least == 0 || !ok || !ir.IsInt(n.Type()) || c.Arg >= len(a.vs) || isNull(a.vs[c.Arg]) || !ir.IsPtr(a.vs[c.Arg].Type()) {
			continue
		}
		p, some, on := pos(a.x.Position()), a.block("elements"), a.block("called.once")
		a.branch(p, ir.Binary{Op: "le", X: ir.IntConst(ir.U64, c.Least), Y: a.conv(a.x, n, ir.U64)}, some, on)
		a.start(some)
		a.callBack(c, true)
		a.jump(p, on)
		a.start(on)
	}
}

// callBack lowers one call of a function in an argument. The first one gets the first
// elements, which an implementation may choose; others get any.
func (a *apiCall) callBack(c models.CalledBack, first bool) {
	if c.Member != "" {
		a.callMember(c)
		return
	}
	fn := a.vs[c.Arg]
	ft, ok := fn.Type().(ir.Ptr).Elem.(ir.FuncType)
	if !ok {
		ft = ir.FuncType{Result: ir.I32}
		for range c.Params {
			ft.Params = append(ft.Params, ir.VPtr)
		}
		fn = ir.Cast{X: fn, T: ir.Ptr{Elem: ft}}
	}
	var vs []ir.Expr
	elements := int64(0)
	for i, t := range ft.Params {
		v := ir.Expr(nil)
		if i < len(c.Params) {
			element := int64(-1)
			if first && strings.HasPrefix(c.Params[i], "element:") {
				element = elements
				elements++
			}
			v = a.passed(c.Params[i], element)
		}
		if v == nil {
			v = a.returned(a.x, t)
		}
		vs = append(vs, a.conv(a.x, v, t))
	}
	call := &ir.Call{Base: at(a.x), Callee: fn, Args: vs}
	if !ir.Equal(ft.Result, ir.Void{}) {
		call.Dst = a.temp(ft.Result)
	}
	a.emit(call)
}

// callMember lowers one call of a function in a member of some struct in the array that an
// argument points to, where it is not null.
func (a *apiCall) callMember(c models.CalledBack) {
	pt, ok := a.vs[c.Arg].Type().(ir.Ptr)
	s, isStruct := pt.Elem.(*ir.Struct)
	if !ok || !isStruct {
		a.gets(a.x, a.name, a.vs[c.Arg])
		return
	}
	element := a.hold(a.x, ir.IndexAddr{Base: a.vs[c.Arg], Idx: a.havoc(a.x, ir.I64), Stride: s.Size(), T: pt})
	cell := a.memberPath(element, c.Member)
	pp, ok := cell.Type().(ir.Ptr)
	if !ok || !ir.IsPtr(pp.Elem) {
		return
	}
	ft, ok := pp.Elem.(ir.Ptr).Elem.(ir.FuncType)
	if !ok {
		return
	}
	r := a.temp(pp.Elem)
	a.emit(&ir.Load{Base: at(a.x), Dst: r, Addr: cell, Order: ir.Plain})
	p, some, on := pos(a.x.Position()), a.block("callback"), a.block("called.back")
	a.branch(p, ir.Binary{Op: "ne", X: ir.Use{Reg: r}, Y: zeroOf(pp.Elem)}, some, on)
	a.start(some)
	var vs []ir.Expr
	for i, t := range ft.Params {
		v := ir.Expr(nil)
		if i < len(c.Params) {
			if v = a.passed(c.Params[i], -1); strings.HasPrefix(c.Params[i], "element:") {
				v = element
			}
		}
		if v == nil {
			v = a.returned(a.x, t)
		}
		vs = append(vs, a.conv(a.x, v, t))
	}
	call := &ir.Call{Base: at(a.x), Callee: ir.Use{Reg: r}, Args: vs}
	if !ir.Equal(ft.Result, ir.Void{}) {
		call.Dst = a.temp(ft.Result)
	}
	a.emit(call)
	if g, isGlobal := base(a.vs[c.Arg]).(ir.GlobalAddr); isGlobal && g.Global.Const {
		off := int64(0)
		if f, isField := cell.(ir.FieldAddr); isField {
			off = f.S.Fields[f.Index].Offset
		}
		a.tableCalls = append(a.tableCalls, tableCall{call, a.cur, g.Global, s, off})
	}
	a.jump(p, on)
	a.start(on)
}

// tableCall is a call, in a block, of a function in the member at off of some element of a
// constant table.
type tableCall struct {
	call  *ir.Call
	block *ir.Block
	table *ir.Global
	s     *ir.Struct
	off   int64
}

// emptyTables removes the calls of functions in tables that have none.
func (pr *program) emptyTables() {
	for _, t := range pr.tableCalls {
		arr, ok := t.table.Type.(ir.Array)
		if !ok || t.table.Extern || !ir.Equal(arr.Elem, t.s) || slices.ContainsFunc(t.table.Init, func(c ir.InitCell) bool {
			return c.Offset%t.s.Size() == t.off && !ir.IsNull(c.Value)
		}) {
			continue
		}
		t.block.Instrs = slices.DeleteFunc(t.block.Instrs, func(in ir.Instr) bool { return in == ir.Instr(t.call) })
	}
}

// passed is what a model says is passed to a function: nil for anything. Of elements it
// is the one of that number, any where that is negative.
func (a *apiCall) passed(what string, element int64) ir.Expr {
	if what == models.PassedResult {
		return a.result
	}
	kind, n, _ := strings.Cut(what, ":")
	i, err := strconv.Atoi(n)
	if err != nil || i >= len(a.vs) {
		return nil
	}
	v := a.vs[i]
	pt, ok := v.Type().(ir.Ptr)
	if kind != "element" || !ok {
		return v
	}
	size, ok := a.role("size")
	stride, isConst := ir.IntOf(size)
	if element >= 0 && ok && isConst && stride > 0 {
		return ir.IndexAddr{Base: v, Idx: ir.IntConst(ir.I64, element), Stride: stride, T: pt}
	}
	k := a.havoc(a.x, ir.I64)
	if !ok || !isConst || stride <= 0 {
		return ir.IndexAddr{Base: v, Idx: k, Stride: 1, T: pt}
	}
	if n, ok := a.role("count"); ok {
		in := ir.Binary{Op: "land", X: ir.Binary{Op: "le", X: ir.IntConst(ir.I64, 0), Y: k}, Y: ir.Binary{Op: "lt", X: k, Y: a.conv(a.x, n, ir.I64)}}
		a.emit(&ir.Assume{Base: at(a.x), Cond: in})
	}
	return ir.IndexAddr{Base: v, Idx: k, Stride: stride, T: pt}
}

// members registers the functions in members of the struct that role fn points to, where
// it is not null.
func (a *apiCall) members() ir.Expr {
	v, ok := a.role("fn")
	if !ok || !ir.IsPtr(v.Type()) {
		return a.ret()
	}
	s, isStruct := pointee(v).(*ir.Struct)
	if !isStruct {
		a.gets(a.x, a.name, v)
		return a.ret()
	}
	v = ir.Cast{X: v, T: ir.Ptr{Elem: s}}
	a.ifGiven(a, v, func() {
		for _, name := range a.m.Members {
			cell := a.memberPath(v, name)
			pp, ok := cell.Type().(ir.Ptr)
			if !ok || !ir.IsPtr(pp.Elem) {
				continue
			}
			r := a.temp(pp.Elem)
			a.emit(&ir.Load{Base: at(a.x), Dst: r, Addr: cell, Order: ir.Plain})
			a.emit(&ir.Register{Base: at(a.x), API: a.name, Kinds: []string{a.m.EntryKind}, Fn: ir.Use{Reg: r}, Args: a.copies(v)})
		}
	})
	return a.ret()
}

// copies are the values that the registered functions get: copies of members of the
// struct at v, in memory of the library.
func (a *apiCall) copies(v ir.Expr) (out []ir.Expr) {
	for _, q := range a.m.Params {
		name, ok := strings.CutPrefix(q, "member:")
		if !ok {
			out = append(out, nil)
			continue
		}
		cell := a.memberPath(v, name)
		t, isStruct := pointee(cell).(*ir.Struct)
		if !isStruct {
			out = append(out, nil)
			continue
		}
		r := a.temp(ir.Ptr{Elem: t})
		a.emit(&ir.Alloc{Base: at(a.x), Dst: r, Elem: t, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Name: a.name})
		a.copy(a.x, ir.Use{Reg: r}, cell, t, ir.Plain)
		out = append(out, ir.Use{Reg: r})
	}
	return out
}
