package c

import (
	"modernc.org/cc/v4"

	"whoop/ir"
)

// lvalue is a place: a register, or memory at addr. bit is set for bit-fields; addr is
// then the storage unit's.
type lvalue struct {
	reg   *ir.Reg
	addr  ir.Expr
	ct    cc.Type
	order ir.Order
	bit   *ir.Field
	// changes are the bits that the environment may change at any time
	// (models.File.Changes).
	changes uint64
	// at is where an access of the place is reported.
	at ir.Pos
}

// unparen strips parentheses and the layers that only pass an expression on.
func unparen(e cc.ExpressionNode) cc.ExpressionNode {
	for {
		switch x := e.(type) {
		case *cc.PrimaryExpression:
			if x.Case != cc.PrimaryExpressionExpr {
				return e
			}
			e = x.ExpressionList
		case *cc.ExpressionList:
			if x.ExpressionList != nil {
				return e
			}
			e = x.AssignmentExpression
		default:
			return e
		}
	}
}

func orderOf(ct cc.Type) ir.Order {
	if a := ct.Attributes(); a != nil && a.IsVolatile() {
		return ir.Volatile
	}
	return ir.Plain
}

func (l *lowerer) lvalue(e cc.ExpressionNode) lvalue {
	lv, ok := l.tryLvalue(e)
	if !ok {
		l.fail(e, "expression is not a place: %T", unparen(e))
	}
	return lv
}

// tryLvalue evaluates an expression to a place. Struct-valued calls and the like are
// places too: their temporary.
func (l *lowerer) tryLvalue(e cc.ExpressionNode) (lvalue, bool) {
	e = unparen(e)
	p := pos(e.Position())
	switch x := e.(type) {
	case *cc.PrimaryExpression:
		switch x.Case {
		case cc.PrimaryExpressionIdent:
			return l.ident(x)
		case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
			return lvalue{addr: l.stringLit(x), ct: x.Type().Undecay(), order: ir.Plain, at: p}, true
		case cc.PrimaryExpressionStmt:
			if isStruct(x.Type()) {
				return lvalue{addr: l.expr(x), ct: x.Type(), order: ir.Plain, at: p}, true
			}
		}
	case *cc.PostfixExpression:
		return l.postfixPlace(x)
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionDeref {
			return l.deref(x)
		}
		if x.Case == cc.UnaryExpressionReal || x.Case == cc.UnaryExpressionImag {
			return lvalue{}, false
		}
	}
	if isStruct(e.Type()) {
		return lvalue{addr: l.expr(e), ct: e.Type(), order: ir.Plain, at: p}, true
	}
	return lvalue{}, false
}

func (l *lowerer) deref(x *cc.UnaryExpression) (lvalue, bool) {
	ptr := l.expr(x.CastExpression)
	ct := x.Type()
	if pt, ok := x.CastExpression.Type().Decay().(*cc.PointerType); ok {
		ct = pt.Elem() // x.Type() is decayed where it is an array
	}
	lv := lvalue{addr: ptr, ct: ct, order: orderOf(ct), at: pos(x.Position())}
	if markedAccess(x.CastExpression) {
		lv.order = ir.Marked
	}
	if atomicPlace(x) {
		lv.order = ir.SeqCst
	}
	return lv, true
}

// markedAccess recognises *(volatile T *)&x, which READ_ONCE and WRITE_ONCE expand to.
func markedAccess(e cc.ExpressionNode) bool {
	c, ok := unparen(e).(*cc.CastExpression)
	if !ok || c.Case != cc.CastExpressionCast {
		return false
	}
	if volatileIn(c.TypeName) {
		u, ok := unparen(c.CastExpression).(*cc.UnaryExpression)
		return ok && u.Case == cc.UnaryExpressionAddrof
	}
	return false
}

// volatileIn reports whether a type name is written with volatile.
func volatileIn(t *cc.TypeName) bool {
	for q := t.SpecifierQualifierList; q != nil; q = q.SpecifierQualifierList {
		if q.TypeQualifier != nil && q.TypeQualifier.Case == cc.TypeQualifierVolatile {
			return true
		}
	}
	return false
}

func (l *lowerer) ident(x *cc.PrimaryExpression) (lvalue, bool) {
	p := pos(x.Position())
	d, ok := x.ResolvedTo().(*cc.Declarator)
	if !ok {
		return lvalue{}, false
	}
	if d.Name() == "__func__" {
		return lvalue{}, false
	}
	order := orderOf(d.Type())
	if d.IsVolatile() {
		order = ir.Volatile
	}
	if t := d.Type(); atomicAt(d, 0) && t.Kind() != cc.Array {
		order = ir.SeqCst
	}
	v, ok := l.locals[d]
	if !ok && d.IsParam() {
		v, ok = l.byName[d.Name()]
	}
	if ok {
		return lvalue{reg: v.reg, addr: v.addr, ct: d.Type(), order: order, at: p}, true
	}
	if d.Type().Kind() == cc.Function {
		f := l.unit.function(d.Name())
		if f == nil {
			f = l.declareFunc(d, false)
		}
		return lvalue{addr: ir.FuncAddr{Func: f}, ct: d.Type(), order: ir.Plain, at: p}, true
	}
	g := l.global(d.Name())
	if g == nil {
		l.declareGlobal(d, false)
		g = l.global(d.Name())
	}
	if g == nil {
		return lvalue{}, false
	}
	return lvalue{addr: ir.GlobalAddr{Global: g}, ct: d.Type(), order: order, at: p}, true
}

func (l *lowerer) postfixPlace(x *cc.PostfixExpression) (lvalue, bool) {
	p := pos(x.Position())
	switch x.Case {
	case cc.PostfixExpressionIndex:
		base, idx := x.PostfixExpression, x.ExpressionList
		if _, ok := base.Type().Decay().(*cc.PointerType); !ok {
			base, idx = idx, base
		}
		if _, ok := base.Type().Decay().(*cc.PointerType); !ok {
			l.fail(x, "an element of a vector")
		}
		ct := x.Type() // cc decays it where the element is an array
		if pt, ok := base.Type().Decay().(*cc.PointerType); ok {
			ct = pt.Elem()
		}
		addr := l.index(x, l.expr(base), l.expr(idx), ct)
		lv := lvalue{addr: addr, ct: ct, order: orderOf(ct), at: p}
		if atomicPlace(x) {
			lv.order = ir.SeqCst
		}
		return lv, true
	case cc.PostfixExpressionSelect:
		in, ok := l.tryLvalue(x.PostfixExpression)
		if !ok || in.addr == nil {
			l.fail(x, "member of a value without a place")
		}
		return l.member(x, in.addr, x.PostfixExpression.Type(), in.order), true
	case cc.PostfixExpressionPSelect:
		pt, ok := x.PostfixExpression.Type().Decay().(*cc.PointerType)
		if !ok {
			l.fail(x, "-> on something that is not a pointer")
		}
		return l.member(x, l.expr(x.PostfixExpression), pt.Elem(), orderOf(pt.Elem())), true
	case cc.PostfixExpressionComplit:
		ct := x.Type()
		if a := ct.Undecay(); a != nil && a.Kind() == cc.Array {
			ct = a
		}
		if l.static {
			return lvalue{addr: l.literal(x, ct), ct: ct, order: ir.Plain, at: p}, true
		}
		addr := l.stack("literal", l.types.Type(ct), p)
		l.declared(addr)
		l.initList(addr, ct, x.InitializerList, 0, true)
		return lvalue{addr: addr, ct: ct, order: ir.Plain, at: p}, true
	case cc.PostfixExpressionCall:
		if isStruct(x.Type()) {
			return lvalue{addr: l.expr(x), ct: x.Type(), order: ir.Plain, at: p}, true
		}
	}
	return lvalue{}, false
}

// index is base + idx elements of type ct.
func (l *lowerer) index(n cc.Node, base, idx ir.Expr, ct cc.Type) ir.Expr {
	if !ir.IsInt(idx.Type()) {
		idx = l.conv(n, idx, ir.I64)
	}
	return ir.IndexAddr{Base: base, Idx: idx, Stride: l.stride(n, ct), T: ir.Ptr{Elem: l.types.Type(ct)}}
}

// stride is the size of an element; rows whose length is not a constant are not
// supported.
func (l *lowerer) stride(n cc.Node, ct cc.Type) int64 {
	for t := ct; ; {
		a, ok := t.(*cc.ArrayType)
		if !ok {
			return l.types.SizeOf(ct)
		}
		if a.IsVLA() {
			l.fail(n, "an array of arrays of variable length")
		}
		t = a.Elem()
	}
}

// member selects the field of x in the struct of type ct at base.
func (l *lowerer) member(x *cc.PostfixExpression, base ir.Expr, ct cc.Type, outer ir.Order) lvalue {
	s := l.types.Struct(ct)
	f := x.Field()
	if f == nil {
		l.fail(x, "member is not resolved")
	}
	path := search(s, f.Name())
	if path == nil {
		path = l.types.FieldIndex(s, f)
	}
	if path == nil {
		l.fail(x, "no member %s in %s", f.Name(), s.Name)
	}
	lv := lvalue{addr: base, ct: f.Type(), order: orderOf(x.Type()), at: pos(x.Position())}
	if orderOf(f.Type()) == ir.Volatile {
		lv.order = ir.Volatile
	}
	for _, i := range path {
		lv.addr = ir.FieldAddr{Base: lv.addr, S: s, Index: i}
		fld := s.Fields[i]
		if fld.BitWidth > 0 {
			lv.bit = &fld
		}
		lv.changes = l.m.Changes[s.Name][fld.Name]
		if sub, ok := fld.Type.(*ir.Struct); ok {
			s = sub
		}
	}
	if f.Declarator() != nil && atomicAt(f.Declarator(), 0) {
		lv.order = ir.SeqCst
	}
	if outer == ir.Volatile && lv.order == ir.Plain {
		lv.order = ir.Volatile
	}
	if outer == ir.Marked {
		lv.order = ir.Marked
	}
	return lv
}

// load reads a place. Arrays, functions and structs yield their address.
func (l *lowerer) load(n cc.Node, lv lvalue) ir.Expr {
	if lv.reg != nil {
		return ir.Use{Reg: lv.reg}
	}
	switch lv.ct.Kind() {
	case cc.Array:
		return decay(lv.addr)
	case cc.Struct, cc.Union:
		if lv.order == ir.SeqCst {
			return l.atomicLoad(n, lv.addr, l.types.Type(lv.ct))
		}
		return lv.addr
	case cc.Function:
		return lv.addr
	case cc.Void:
		return lv.addr
	}
	t := l.types.Type(lv.ct)
	if lv.bit != nil {
		r := l.temp(lv.bit.Type)
		l.emit(&ir.Load{Base: ir.Base{Pos: lv.at}, Dst: r, Addr: lv.addr, Order: lv.order})
		return l.extract(r, lv.bit, t)
	}
	r := l.temp(t)
	l.emit(&ir.Load{Base: ir.Base{Pos: lv.at}, Dst: r, Addr: lv.addr, Order: lv.order})
	return l.changed(lv, r)
}

// changed is what was read of a place into r, with the bits that the environment may have
// changed.
func (l *lowerer) changed(lv lvalue, r *ir.Reg) ir.Expr {
	t, ok := r.Type.(ir.Int)
	if !ok || lv.changes == 0 {
		return ir.Use{Reg: r}
	}
	other := l.temp(t)
	l.emit(&ir.Havoc{Base: ir.Base{Pos: lv.at}, Dst: other, Input: true})
	bits := int64(lv.changes)
	keep := ir.Binary{Op: "and", X: ir.Use{Reg: r}, Y: ir.IntConst(t, ^bits)}
	return ir.Binary{Op: "or", X: keep, Y: ir.Binary{Op: "and", X: ir.Use{Reg: other}, Y: ir.IntConst(t, bits)}}
}

// decay turns the address of an array into that of its first element.
func decay(a ir.Expr) ir.Expr {
	if p, ok := a.Type().(ir.Ptr); ok {
		if arr, ok := p.Elem.(ir.Array); ok {
			return ir.IndexAddr{Base: a, Idx: ir.IntConst(ir.I64, 0), Stride: arr.Elem.Size(), T: ir.Ptr{Elem: arr.Elem}}
		}
	}
	return a
}

// extract takes a bit-field of a declared type out of its storage unit.
func (l *lowerer) extract(unit *ir.Reg, f *ir.Field, declared ir.Type) ir.Expr {
	t := unit.Type.(ir.Int)
	up := ir.IntConst(t, int64(t.Bits-f.BitWidth-f.BitOffset))
	down := ir.IntConst(t, int64(t.Bits-f.BitWidth))
	v := ir.Binary{Op: "shr", X: ir.Binary{Op: "shl", X: ir.Use{Reg: unit}, Y: up}, Y: down}
	return l.narrow(f, l.conv(nil, v, declared))
}

// store writes v, of the place's type, to a place.
func (l *lowerer) store(n cc.Node, lv lvalue, v ir.Expr) {
	if lv.reg != nil {
		l.emit(&ir.Assign{Base: ir.Base{Pos: lv.at}, Dst: lv.reg, X: l.conv(n, v, lv.reg.Type)})
		return
	}
	if isStruct(lv.ct) {
		if t := l.types.Type(lv.ct); lv.order == ir.SeqCst {
			l.atomicStore(n, lv.addr, l.snapshot(n, v, t), t)
		} else {
			l.copy(n, lv.addr, v, t, ir.Plain)
		}
		return
	}
	t := l.types.Type(lv.ct)
	v = l.conv(n, v, t)
	if lv.bit != nil {
		v = l.insert(lv, lv.bit.Type, l.conv(n, v, lv.bit.Type))
	}
	l.emit(&ir.Store{Base: ir.Base{Pos: lv.at}, Addr: lv.addr, Val: v, Order: lv.order})
}

// insert merges a bit-field into its storage unit, which is read for it.
func (l *lowerer) insert(lv lvalue, t ir.Type, v ir.Expr) ir.Expr {
	it := t.(ir.Int)
	r := l.temp(t)
	l.emit(&ir.Load{Base: ir.Base{Pos: lv.at}, Dst: r, Addr: lv.addr, Order: lv.order})
	mask := int64(1)<<uint(lv.bit.BitWidth) - 1
	m := ir.IntConst(it, mask<<uint(lv.bit.BitOffset))
	val := ir.Binary{Op: "and", X: ir.Binary{Op: "shl", X: v, Y: ir.IntConst(it, int64(lv.bit.BitOffset))}, Y: m}
	return ir.Binary{Op: "or", X: ir.Binary{Op: "and", X: ir.Use{Reg: r}, Y: ir.Unary{Op: "not", X: m}}, Y: val}
}

// copyStruct copies a struct from the address src to dst.
func (l *lowerer) copyStruct(n cc.Node, dst, src ir.Expr, ct cc.Type) {
	l.copy(n, dst, src, l.types.Type(ct), ir.Plain)
}
