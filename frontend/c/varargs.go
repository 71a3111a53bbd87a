package c

import (
	"modernc.org/cc/v4"

	"whoop/ir"
)

// Variadic arguments are passed in memory: a call of a function with "..." makes a block
// of slots on its stack, one for each argument after the named ones, and passes its
// address as one more argument. A va_list points to the next slot. A slot begins with the
// argument where that is a pointer, and null where not, for those of whom the types are
// not known (vprintf); then follows the argument itself.

const (
	// slotBytes is the size of a slot; structs may take several.
	slotBytes = 16
	// maxForwarded is how many arguments of a va_list are looked at that a library
	// function gets.
	maxForwarded = 8
)

// slotType is the type of slots. What a function type has as last parameter that points
// to it is not declared by the program.
func (t *Types) slotType() *ir.Struct {
	if t.slot == nil {
		t.slot = &ir.Struct{Name: ir.VariadicSlot, Bytes: slotBytes, Fields: []ir.Field{{Name: "pointer", Type: t.ptr(ir.Void{})}, {Name: "value", Type: ir.U64, Offset: 8}}}
		t.list = append(t.list, t.slot)
	}
	return t.slot
}

// variadic reports whether functions of a type get a block of slots.
func variadic(x *cc.FunctionType) bool { return x.IsVariadic() && len(x.Parameters()) > 0 }

// takesSlots says the same of a type in the IR.
func (t *Types) takesSlots(ft ir.FuncType) bool {
	if !ft.Variadic || len(ft.Params) == 0 {
		return false
	}
	p, ok := ft.Params[len(ft.Params)-1].(ir.Ptr)
	return ok && p.Elem == ir.Type(t.slot) && t.slot != nil
}

// slots makes the block for arguments vs, of which the types are those of es; nil where
// they are not known.
func (l *lowerer) slots(x *cc.PostfixExpression, vs []ir.Expr, es []cc.ExpressionNode) ir.Expr {
	l.program.mostArguments = max(l.program.mostArguments, len(vs))
	type place struct{ off, size int64 }
	var places []place
	end := int64(0)
	for i, v := range vs {
		size := v.Type().Size()
		if es != nil && isStruct(es[i].Type()) {
			size = l.types.SizeOf(es[i].Type())
		}
		places = append(places, place{end, size})
		end += (8 + max(size, 1) + slotBytes - 1) / slotBytes * slotBytes
	}
	count := end/slotBytes + maxForwarded
	if count < 2*maxForwarded {
		count = 2 * maxForwarded
	}
	s := l.types.slotType()
	r := l.reg("&variadic", ir.Ptr{Elem: ir.Array{Elem: s, Len: count}})
	l.emit(&ir.Alloc{Base: at(x), Dst: r, Elem: ir.Array{Elem: s, Len: count}, Count: ir.IntConst(ir.U64, 1), Kind: "stack", Zero: true, Name: "variadic"})
	block := decay(ir.Use{Reg: r})
	for i, v := range vs {
		slot := ir.IndexAddr{Base: block, Idx: ir.IntConst(ir.I64, places[i].off/slotBytes), Stride: slotBytes, T: ir.Ptr{Elem: s}}
		value := func(t ir.Type) ir.Expr {
			return ir.Cast{X: ir.FieldAddr{Base: slot, S: s, Index: 1}, T: ir.Ptr{Elem: t}}
		}
		switch t := v.Type().(type) {
		case ir.Ptr:
			if es != nil && isStruct(es[i].Type()) {
				st := l.types.Type(es[i].Type())
				l.copy(x, value(st), v, st, ir.Plain)
				continue
			}
			l.emit(&ir.Store{Base: at(x), Addr: ir.FieldAddr{Base: slot, S: s, Index: 0}, Val: l.conv(x, v, l.types.ptr(ir.Void{})), Order: ir.Plain})
			l.emit(&ir.Store{Base: at(x), Addr: value(l.types.ptr(ir.Void{})), Val: l.conv(x, v, l.types.ptr(ir.Void{})), Order: ir.Plain})
		case ir.Int:
			p := promote(t)
			l.emit(&ir.Store{Base: at(x), Addr: value(p), Val: l.conv(x, v, p), Order: ir.Plain})
		default:
			l.emit(&ir.Store{Base: at(x), Addr: value(t), Val: v, Order: ir.Plain})
		}
	}
	return block
}

// startList is va_start: the list begins with the function's own slots.
func (l *lowerer) startList(x *cc.PostfixExpression, list cc.ExpressionNode) {
	if n := len(l.f.Params); n > 0 && l.types.takesSlots(l.f.Type()) {
		l.store(x, l.lvalue(list), l.conv(x, ir.Use{Reg: l.f.Params[n-1]}, l.types.ptr(ir.Void{})))
		return
	}
	l.fail(x, "va_start in a function without named parameters")
}

// argumentOf lowers a cast of the address that va_arg expands to: pointers are at the
// beginning of their slots, where nothing else is.
func (l *lowerer) argumentOf(x *cc.CastExpression) (ir.Expr, bool) {
	if x.Case != cc.CastExpressionCast {
		return nil, false
	}
	call, ok := unparen(x.CastExpression).(*cc.PostfixExpression)
	if !ok || call.Case != cc.PostfixExpressionCall {
		return nil, false
	}
	name, _ := callee(call)
	p, isPtr := x.TypeName.Type().(*cc.PointerType)
	if name != "__whoop_va_arg" || !isPtr {
		return nil, false
	}
	t := p.Elem()
	return l.conv(x, l.nextArgument(call, args(call)[0], l.types.SizeOf(t), t.Decay().Kind() == cc.Ptr), l.types.Type(x.TypeName.Type())), true
}

// nextArgument is the address of the value in the next slot, which is so many bytes
// large.
func (l *lowerer) nextArgument(x *cc.PostfixExpression, list cc.ExpressionNode, size int64, pointer bool) ir.Expr {
	lv := l.lvalue(list)
	s := l.types.slotType()
	slot := l.hold(x, ir.Cast{X: l.load(list, lv), T: ir.Ptr{Elem: s}})
	n := (8 + max(size, 1) + slotBytes - 1) / slotBytes
	next := ir.IndexAddr{Base: slot, Idx: ir.IntConst(ir.I64, n), Stride: slotBytes, T: ir.Ptr{Elem: s}}
	l.store(x, lv, l.conv(x, next, l.types.ptr(ir.Void{})))
	if pointer {
		return ir.FieldAddr{Base: slot, S: s, Index: 0}
	}
	return ir.FieldAddr{Base: slot, S: s, Index: 1}
}

// vaList reads what the arguments in a va_list point to, or some of it; where the
// function scans, or may find %n in its format, it writes there.
func (a *apiCall) vaList() {
	i := a.m.VaList - 1
	if i >= len(a.vs) || !ir.IsPtr(a.vs[i].Type()) {
		return
	}
	s := a.types.slotType()
	list := a.hold(a.x, ir.Cast{X: a.vs[i], T: ir.Ptr{Elem: s}})
	for k := range int64(maxForwarded) {
		slot := ir.IndexAddr{Base: list, Idx: ir.IntConst(ir.I64, k), Stride: slotBytes, T: ir.Ptr{Elem: s}}
		r := a.temp(s.Fields[0].Type)
		load := &ir.Load{Base: at(a.x), Dst: r, Addr: ir.FieldAddr{Base: slot, S: s, Index: 0}, Order: ir.Plain}
		use := &ir.Touch{Base: at(a.x), Addr: ir.Use{Reg: r}, Read: true, Write: a.m.Scans, Perhaps: true, Why: a.name}
		for _, in := range []ir.Instr{load, use} {
			a.emit(in)
			a.program.forwarded = append(a.program.forwarded, in)
		}
	}
}
