package c

import (
	"strings"

	"modernc.org/cc/v4"

	"whoop/frontend/models"
	"whoop/ir"
)

// memory lowers allocation, block and atomic operations.
func (a *apiCall) memory() ir.Expr {
	b := at(a.x)
	switch a.m.Op {
	case models.OpAlloc, models.OpRealloc:
		return a.allocate(nil)
	case models.OpFree:
		a.emit(&ir.Free{Base: b, Addr: a.addr("addr")})
	case models.OpMemCopy:
		dst, src, size := a.addr("dst"), a.addr("src"), a.size()
		a.emit(&ir.MemCopy{Base: b, Dst: dst, Src: src, Size: size, Elem: copied(dst, src, size), Order: ir.Plain})
	case models.OpStrCopy:
		a.copyString()
	case models.OpMemSet:
		v, ok := a.role("val")
		if !ok {
			v = ir.IntConst(ir.U8, 0)
		}
		a.emit(&ir.MemSet{Base: b, Dst: a.addr("dst"), Val: a.conv(a.x, v, ir.U8), Size: a.size(), Order: ir.Plain})
	case models.OpAtomicLoad:
		p, t := a.atomicCell()
		r := a.temp(t)
		a.emit(&ir.Load{Base: b, Dst: r, Addr: p, Order: a.order()})
		return a.conv(a.x, ir.Use{Reg: r}, a.typ())
	case models.OpAtomicStore:
		p, t := a.atomicCell()
		v, ok := a.role("val")
		if !ok {
			v = a.zero(t)
		}
		a.emit(&ir.Store{Base: b, Addr: p, Val: a.conv(a.x, v, t), Order: a.order()})
	case models.OpRMW:
		return a.rmw()
	case models.OpBitOp:
		return a.bitOp()
	case models.OpCmpXchg:
		return a.cmpXchg()
	default:
		a.fail(a.x, "model of %s: unknown operation %q", a.name, a.m.Op)
	}
	return a.ret()
}

// order is the memory order of an atomic operation: the model's, or the one that the
// function's name ends with.
func (a *apiCall) order() ir.Order {
	if a.m.Order != "" {
		return ir.Order(a.m.Order)
	}
	for _, o := range []ir.Order{ir.Relaxed, ir.Acquire, ir.Release} { // as the kernel names them
		if strings.HasSuffix(a.name, "_"+string(o)) {
			return o
		}
	}
	return ir.SeqCst
}

func (a *apiCall) size() ir.Expr {
	v, ok := a.role("size")
	if !ok {
		return a.havoc(a.x, ir.U64)
	}
	return a.conv(a.x, v, ir.U64)
}

// atomicCell is the address and type of the integer an atomic operation works on: the
// first scalar of what the argument points to (atomic_t is a struct).
func (a *apiCall) atomicCell() (ir.Expr, ir.Type) {
	p := a.addr("addr")
	t := p.Type().(ir.Ptr).Elem
	for {
		switch s := t.(type) {
		case *ir.Struct:
			if len(s.Fields) == 0 {
				return p, ir.I32
			}
			p, t = ir.FieldAddr{Base: p, S: s, Index: 0}, s.Fields[0].Type
			continue
		case ir.Array:
			p, t = decay(p), s.Elem
			continue
		case ir.Void:
			t = ir.I32
		}
		return p, t
	}
}

func (a *apiCall) rmw() ir.Expr {
	p, t := a.atomicCell()
	v, ok := a.role("val")
	if !ok {
		v = a.havoc(a.x, t)
	}
	v = a.conv(a.x, v, t)
	r := a.temp(t)
	a.emit(&ir.RMW{Base: at(a.x), Dst: r, Op: a.m.RMWOp, Addr: p, Val: v, Order: a.order()})
	it, isInt := t.(ir.Int)
	if !isInt {
		return a.conv(a.x, ir.Use{Reg: r}, a.typ())
	}
	var nv ir.Expr = ir.Use{Reg: r}
	switch a.m.RMWOp {
	case "add", "sub", "and", "or", "xor":
		nv = ir.Binary{Op: a.m.RMWOp, X: nv, Y: v}
	}
	switch a.m.Ret {
	case "old":
		return a.conv(a.x, ir.Use{Reg: r}, a.typ())
	case "new":
		return a.conv(a.x, nv, a.typ())
	case "test-zero":
		return a.conv(a.x, ir.Cast{X: ir.Binary{Op: "eq", X: nv, Y: ir.IntConst(it, 0)}, T: ir.I32}, a.typ())
	}
	return a.ret()
}

func (a *apiCall) cmpXchg() ir.Expr {
	p, t := a.atomicCell()
	e, _ := a.role("expected")
	n, _ := a.role("new")
	if e == nil || n == nil {
		a.fail(a.x, "call of %s without its values", a.name)
	}
	old, ok := a.temp(t), a.temp(ir.Bool{})
	a.emit(&ir.CmpXchg{Base: at(a.x), Dst: old, OK: ok, Addr: p, Expected: a.conv(a.x, e, t), New: a.conv(a.x, n, t), Order: a.order()})
	if a.m.Ret == "success" {
		return ir.Cast{X: ir.Use{Reg: ok}, T: ir.I32}
	}
	return a.conv(a.x, ir.Use{Reg: old}, a.typ())
}

// alloc lowers an allocation whose type is known from where its result goes; ok is false
// for other expressions.
func (l *lowerer) alloc(e cc.ExpressionNode, to cc.Type) (ir.Expr, bool) {
	e = unparen(e)
	for {
		c, isCast := e.(*cc.CastExpression)
		if !isCast || c.Case != cc.CastExpressionCast {
			break
		}
		p, isPtr := c.TypeName.Type().(*cc.PointerType)
		if !isPtr || p.Elem().Kind() != cc.Void {
			break
		}
		e = unparen(c.CastExpression)
	}
	x, ok := e.(*cc.PostfixExpression)
	if !ok || x.Case != cc.PostfixExpressionCall {
		return nil, false
	}
	name, _ := callee(x)
	m := l.m.Func(name)
	if m == nil || m.Op != models.OpAlloc && m.Op != models.OpRealloc {
		return nil, false
	}
	if f := l.unit.function(name); f != nil && !f.Extern {
		return nil, false
	}
	pt, ok := to.Decay().(*cc.PointerType)
	if !ok || pt.Elem().Kind() == cc.Void || pt.Elem().IsIncomplete() {
		return nil, false
	}
	es := args(x)
	a := &apiCall{lowerer: l, x: x, name: name, m: m, es: es, vs: l.values(es)}
	a.touches()
	a.leftOut()
	return a.allocate(l.types.Type(pt.Elem())), true
}

// allocate makes an object of elements of type elem (bytes where nil).
func (a *apiCall) allocate(elem ir.Type) ir.Expr {
	if elem == nil {
		elem = a.elemOf()
	}
	if h, ok := a.m.Arg["handle"]; ok && elem == nil && h < len(a.vs) {
		elem = handleElem(a.vs[h])
	}
	elem, count, bytes, total := a.amount(elem)
	r := a.temp(ir.Ptr{Elem: elem})
	if a.m.Op == models.OpRealloc {
		if old, ok := a.role("addr"); ok {
			a.emit(&ir.Alloc{Base: at(a.x), Dst: r, Elem: elem, Count: count, Bytes: bytes, Kind: "heap", MayFail: true, Name: a.m.Class})
			a.moved(old, ir.Use{Reg: r}, total)
			return a.conv(a.x, ir.Use{Reg: r}, a.typ())
		}
	}
	a.emit(&ir.Alloc{Base: at(a.x), Dst: r, Elem: elem, Count: count, Bytes: bytes, Kind: "heap", Zero: a.m.Zero, MayFail: a.m.Ret != "nonnull", Name: a.m.Class})
	a.manage(ir.Use{Reg: r})
	if src, ok := a.role("src"); ok && ir.IsPtr(src.Type()) {
		a.duplicate(src, ir.Use{Reg: r}, total)
	}
	if h, ok := a.role("handle"); ok && ir.IsPtr(h.Type()) {
		a.emit(&ir.Store{Base: at(a.x), Addr: h, Val: ir.Cast{X: ir.Use{Reg: r}, T: ir.VPtr}, Order: ir.Plain})
		return a.havoc(a.x, a.typ())
	}
	return a.conv(a.x, ir.Use{Reg: r}, a.typ())
}

// amount is what an allocation makes: count elements of a type, or so many bytes where
// that is not nil (see ir.Alloc); total is its bytes. The product of two arguments that
// is more than there can be is the largest number, for which there is no memory.
func (a *apiCall) amount(elem ir.Type) (of ir.Type, count, bytes, total ir.Expr) {
	total = a.size() // arbitrary where the call does not say
	whole, times := total, ir.Expr(nil)
	if c, ok := a.role("count"); ok {
		times = a.conv(a.x, c, ir.U64)
		if _, ok := times.(ir.Const); ok {
			whole, times = times, whole
		}
		total = a.product(times, whole)
	}
	if elem == nil || elem.Size() == 0 {
		elem = ir.U8
	}
	n := elem.Size()
	size, known := whole.(ir.Const)
	known = known && size.Val.IsInt64()
	if n <= 1 {
		return elem, total, nil, total
	}
	if known && size.Val.Int64()%n == 0 {
		count = ir.IntConst(ir.U64, size.Val.Int64()/n)
		if times != nil {
			count = a.product(times, count)
		}
		return elem, count, nil, total
	}
	if _, ok := total.(ir.Const); ok { // a struct with a tail, or another type: bytes
		return ir.U8, total, nil, total
	}
	count = a.binary(a.x, "div", total, ir.IntConst(ir.U64, n))
	if times == nil && multiple(total, n) {
		return elem, count, nil, total
	}
	return elem, count, total, total
}

// product is x times y, or the largest number where that has more than 64 bits.
func (a *apiCall) product(x, y ir.Expr) ir.Expr {
	p := a.binary(a.x, "mul", x, y)
	if _, ok := p.(ir.Const); ok || isNumber(y, 1) {
		return p
	}
	if isNumber(y, 0) {
		return y
	}
	most := ir.IntConst(ir.U64, -1)
	over := ir.Expr(ir.Binary{Op: "gt", X: x, Y: a.binary(a.x, "div", most, y)})
	if _, ok := y.(ir.Const); !ok {
		over = ir.Binary{Op: "land", X: ir.Binary{Op: "ne", X: y, Y: ir.IntConst(ir.U64, 0)}, Y: over}
	}
	return ir.Select{C: over, X: most, Y: p}
}

// isNumber reports whether an expression is that constant.
func isNumber(e ir.Expr, n int64) bool {
	c, ok := e.(ir.Const)
	return ok && c.Val.IsInt64() && c.Val.Int64() == n
}

// multiple reports whether a number of bytes is written as a multiple of n; that the
// product may have more than 64 bits is not looked at.
func multiple(e ir.Expr, n int64) bool {
	b, ok := e.(ir.Binary)
	if !ok || b.Op != "mul" {
		return false
	}
	for _, f := range []ir.Expr{b.X, b.Y} {
		if c, ok := f.(ir.Const); ok && c.Val.IsInt64() && c.Val.Int64()%n == 0 {
			return true
		}
	}
	return false
}

// duplicate copies so many bytes into a new object, if there is one.
func (a *apiCall) duplicate(src, made, total ir.Expr) {
	p, copies, after := pos(a.x.Position()), a.block("copy"), a.block("copied")
	a.branch(p, a.truth(a.x, made), copies, after)
	a.start(copies)
	a.emit(&ir.MemCopy{Base: at(a.x), Dst: made, Src: src, Size: total, Order: ir.Plain})
	a.jump(p, after)
	a.start(after)
}

// moved copies what an object and a new one of so many bytes have in common, and frees
// the old one: where there are both, since an allocation that fails leaves the old one as
// it is.
func (a *apiCall) moved(old, made, total ir.Expr) {
	p, copies, moves, after := pos(a.x.Position()), a.block("reallocated"), a.block("move"), a.block("moved")
	if !ir.IsPtr(old.Type()) {
		old = a.conv(a.x, old, ir.VPtr)
	}
	old = a.hold(a.x, old)
	a.branch(p, a.truth(a.x, made), copies, after)
	a.start(copies)
	a.branch(p, a.truth(a.x, old), moves, after)
	a.start(moves)
	a.emit(&ir.MemCopy{Base: at(a.x), Dst: made, Src: old, Size: total, Fit: true, Order: ir.Plain})
	a.emit(&ir.Free{Base: at(a.x), Addr: old})
	a.jump(p, after)
	a.start(after)
}

// handleElem is T where an allocation's result is stored through a T **, casts to void **
// aside.
func handleElem(h ir.Expr) ir.Type {
	for {
		c, ok := h.(ir.Cast)
		if !ok || !ir.IsPtr(c.X.Type()) {
			break
		}
		h = c.X
	}
	if p, ok := pointee(h).(ir.Ptr); ok && !ir.Equal(p.Elem, ir.Void{}) {
		return p.Elem
	}
	return nil
}

// copyString copies a string: so many bytes where it is a literal, as many as there may
// be where not.
func (a *apiCall) copyString() {
	dst, src := a.addr("dst"), a.addr("src")
	if p, ok := unparen(a.es[a.m.Arg["src"]]).(*cc.PrimaryExpression); ok && p.Case == cc.PrimaryExpressionString {
		if text, ok := stringValue(p); ok {
			text, _, _ = strings.Cut(text, "\x00")
			a.emit(&ir.MemCopy{Base: at(a.x), Dst: dst, Src: src, Size: ir.IntConst(ir.U64, int64(len(text))+1), Order: ir.Plain})
			return
		}
	}
	if !constantText(src) {
		a.touchText(src, memberSize(src), false)
	}
	a.touchText(dst, memberSize(dst), true)
}
