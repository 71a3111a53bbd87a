package c

import (
	"math/big"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// conv converts a value to an IR type as C does.
func (l *lowerer) conv(n cc.Node, v ir.Expr, t ir.Type) ir.Expr {
	from := v.Type()
	if ir.Equal(from, t) {
		return v
	}
	if ir.Equal(t, ir.Void{}) {
		return v
	}
	if _, ok := t.(ir.FuncType); ok {
		panic(unsupported{l.lastPlace(), "a conversion to a function"})
	}
	if l.types.narrow { // pointers and integers become each other as integers of 32 bits
		if to, ok := t.(ir.Int); ok && ir.IsPtr(from) && to.Bits != 32 {
			return l.conv(n, l.conv(n, v, ir.I32), to)
		}
		if is, ok := from.(ir.Int); ok && ir.IsPtr(t) && is != ir.I32 {
			return l.conv(n, l.conv(n, v, ir.I32), t)
		}
	}
	if to, ok := t.(ir.Int); ok {
		if c, ok := floatToInt(v, to); ok {
			return c
		}
	}
	if c, ok := v.(ir.Const); ok {
		switch t := t.(type) {
		case ir.Opaque:
			if f := wholeFloat(c, t); ir.Equal(f.Type(), t) {
				return f
			}
		case ir.Int:
			return ir.Const{T: t, Val: ir.Wrap(t, c.Val)}
		case ir.Ptr:
			if c.Val.Sign() == 0 {
				return ir.Null{T: t}
			}
		}
	}
	switch x := v.(type) {
	case ir.Null:
		switch t := t.(type) {
		case ir.Ptr:
			return ir.Null{T: t}
		case ir.Int:
			return ir.IntConst(t, 0)
		}
	case ir.FieldAddr:
		if it, ok := t.(ir.Int); ok {
			if off, ok := nullOffset(x); ok {
				return ir.IntConst(it, off)
			}
		}
	case ir.Cast:
		// A pointer that went through an integer is still that pointer.
		if ir.IsPtr(t) && ir.IsPtr(x.X.Type()) && ir.IsInt(x.T) && int64(x.T.(ir.Int).Bits) >= 8*l.types.ptr(ir.Void{}).Size() {
			return l.conv(n, x.X, t)
		}
	case ir.Binary:
		if p, ok := l.pointerSum(x, t); ok {
			return p
		}
	}
	if ir.IsPtr(from) && ir.IsInt(t) && l.types.narrow && !ir.IsNarrow(from) {
		v = ir.Cast{X: v, T: ir.Ptr{Elem: from.(ir.Ptr).Elem, Narrow: true}}
	}
	return ir.Cast{X: v, T: t}
}

// convTo converts a value to a C type: to _Bool by comparing with zero.
func (l *lowerer) convTo(n cc.Node, v ir.Expr, ct cc.Type) ir.Expr {
	if ct.Kind() != cc.Bool {
		return l.conv(n, v, l.types.Type(ct))
	}
	if c, ok := l.truth(n, v).(ir.BoolConst); ok {
		if c {
			return ir.IntConst(ir.U8, 1)
		}
		return ir.IntConst(ir.U8, 0)
	}
	return ir.Cast{X: l.truth(n, v), T: ir.U8}
}

// nullOffset computes &((T *)0)->m.
func nullOffset(e ir.Expr) (int64, bool) {
	switch e := e.(type) {
	case ir.Null:
		return 0, true
	case ir.Const:
		return e.Val.Int64(), e.Val.IsInt64()
	case ir.Cast:
		return nullOffset(e.X)
	case ir.FieldAddr:
		off, ok := nullOffset(e.Base)
		return off + e.S.Fields[e.Index].Offset, ok
	case ir.IndexAddr:
		off, ok := nullOffset(e.Base)
		c, isConst := e.Idx.(ir.Const)
		if ok && isConst {
			return off + c.Val.Int64()*e.Stride, true
		}
	}
	return 0, false
}

// pointerSum keeps (T *)((unsigned long)p ± k) a pointer derived from p.
func (l *lowerer) pointerSum(b ir.Binary, t ir.Type) (ir.Expr, bool) {
	pt, ok := t.(ir.Ptr)
	if !ok || (b.Op != "add" && b.Op != "sub") {
		return nil, false
	}
	c, ok := b.X.(ir.Cast)
	if !ok || !ir.IsPtr(c.X.Type()) {
		return nil, false
	}
	var idx ir.Expr = b.Y
	if b.Op == "sub" {
		k, ok := b.Y.(ir.Const)
		if !ok {
			idx = ir.Unary{Op: "neg", X: ir.Cast{X: b.Y, T: ir.I64}}
		} else {
			idx = ir.Const{T: ir.I64, Val: ir.Wrap(ir.I64, new(big.Int).Neg(k.Val))}
		}
	} else if k, ok := b.Y.(ir.Const); ok {
		idx = ir.Const{T: ir.I64, Val: ir.Wrap(ir.I64, k.Val)}
	}
	return ir.IndexAddr{Base: c.X, Idx: idx, Stride: 1, T: pt}, true
}

// common is the type two arithmetic operands are converted to.
func (l *lowerer) common(a, b ir.Type) ir.Type {
	for _, t := range []ir.Type{a, b} {
		if _, ok := t.(ir.Opaque); ok {
			return t
		}
	}
	if ir.IsPtr(a) {
		a = l.types.word()
	}
	if ir.IsPtr(b) {
		b = l.types.word()
	}
	x, y := promote(a), promote(b)
	if x.Bits != y.Bits {
		if x.Bits > y.Bits {
			return x
		}
		return y
	}
	return ir.Int{Bits: x.Bits, Signed: x.Signed && y.Signed}
}

// promote is the integer promotion.
func promote(t ir.Type) ir.Int {
	it, ok := t.(ir.Int)
	if !ok {
		return ir.U64 // pointers taken as integers
	}
	if it.Bits < 32 {
		return ir.I32
	}
	return it
}

// arith is x op e for the binary operators, pointer arithmetic included. xt is x's C
// type.
func (l *lowerer) arith(n cc.ExpressionNode, op string, x ir.Expr, xt cc.Type, e cc.ExpressionNode) ir.Expr {
	return l.operate(n, op, x, xt, l.expr(e), e.Type())
}

// operate is x op y; xt and yt are their C types.
func (l *lowerer) operate(n cc.ExpressionNode, op string, x ir.Expr, xt cc.Type, y ir.Expr, yt cc.Type) ir.Expr {
	if op == "shl" || op == "shr" {
		return l.shift(n, op, x, y)
	}
	px, py := ir.IsPtr(x.Type()), ir.IsPtr(y.Type())
	switch {
	case px && py && op == "sub":
		return l.pointerDiff(n, x, y, l.pointee(n, x, xt))
	case px && (op == "add" || op == "sub"):
		return l.offset(n, x, y, op, l.pointee(n, x, xt))
	case py && op == "add":
		return l.offset(n, y, x, op, l.pointee(n, y, yt))
	}
	return l.binary(n, op, x, y)
}

func (l *lowerer) offset(n cc.Node, p, i ir.Expr, op string, size int64) ir.Expr {
	if !ir.IsInt(i.Type()) {
		i = l.conv(n, i, ir.I64)
	}
	if op == "sub" {
		if c, ok := i.(ir.Const); ok {
			i = ir.Const{T: ir.I64, Val: ir.Wrap(ir.I64, new(big.Int).Neg(c.Val))}
		} else {
			i = ir.Unary{Op: "neg", X: l.conv(n, i, ir.I64)}
		}
	}
	return ir.IndexAddr{Base: p, Idx: i, Stride: size, T: p.Type().(ir.Ptr)}
}

func (l *lowerer) pointerDiff(n cc.Node, x, y ir.Expr, size int64) ir.Expr {
	var d ir.Expr = ir.Binary{Op: "sub", X: ir.Cast{X: x, T: ir.I64}, Y: ir.Cast{X: y, T: ir.I64}}
	if size > 1 {
		d = ir.Binary{Op: "div", X: d, Y: ir.IntConst(ir.I64, size)}
	}
	if l.types.narrow {
		return ir.Cast{X: d, T: ir.I32}
	}
	return d
}

// binary is an arithmetic operator on converted operands; constants are folded.
func (l *lowerer) binary(n cc.Node, op string, x, y ir.Expr) ir.Expr {
	t := l.common(x.Type(), y.Type())
	it, ok := t.(ir.Int)
	if !ok {
		return l.havoc(n, t)
	}
	x, y = l.conv(n, x, it), l.conv(n, y, it)
	l.fits(n, op, it, x, y)
	if a, ok := x.(ir.Const); ok {
		if b, ok := y.(ir.Const); ok {
			if v, ok := fold(op, it, a.Val, b.Val); ok {
				return v
			}
		}
	}
	return ir.Binary{Op: op, X: x, Y: y}
}

func fold(op string, t ir.Int, a, b *big.Int) (ir.Expr, bool) {
	r := new(big.Int)
	switch op {
	case "add":
		r.Add(a, b)
	case "sub":
		r.Sub(a, b)
	case "mul":
		r.Mul(a, b)
	case "and":
		r.And(a, b)
	case "or":
		r.Or(a, b)
	case "xor":
		r.Xor(a, b)
	case "div", "rem":
		if b.Sign() == 0 {
			return nil, false
		}
		q, m := new(big.Int).QuoRem(a, b, new(big.Int))
		r = q
		if op == "rem" {
			r = m
		}
	default:
		return nil, false
	}
	return ir.Const{T: t, Val: ir.Wrap(t, r)}, true
}

func (l *lowerer) shift(n cc.Node, op string, x, y ir.Expr) ir.Expr {
	if !ir.IsInt(x.Type()) || !ir.IsInt(y.Type()) {
		return l.havoc(n, ir.I32)
	}
	t := promote(x.Type())
	x = l.conv(n, x, t)
	l.fitsShift(n, op, x, l.conv(n, y, promote(y.Type())))
	y = l.conv(n, y, t)
	a, ok := x.(ir.Const)
	b, ok2 := y.(ir.Const)
	if ok && ok2 && b.Val.IsInt64() && b.Val.Int64() >= 0 && b.Val.Int64() < int64(t.Bits) {
		r := new(big.Int)
		if op == "shl" {
			r.Lsh(a.Val, uint(b.Val.Int64()))
		} else {
			r.Rsh(a.Val, uint(b.Val.Int64()))
		}
		return ir.Const{T: t, Val: ir.Wrap(t, r)}
	}
	return ir.Binary{Op: op, X: x, Y: y}
}

// truth is v ≠ 0.
func (l *lowerer) truth(n cc.Node, v ir.Expr) ir.Expr {
	if c, ok := v.(ir.Cast); ok {
		if _, isBool := c.X.Type().(ir.Bool); isBool {
			return c.X
		}
	}
	switch c := v.(type) {
	case ir.Const:
		return ir.BoolConst(c.Val.Sign() != 0)
	case ir.Null:
		return ir.BoolConst(false)
	case ir.FuncAddr:
		return ir.BoolConst(true)
	}
	if f, ok := floatOf(v); ok {
		return ir.BoolConst(f != 0)
	}
	if _, ok := v.Type().(ir.Opaque); ok {
		return l.havoc(n, ir.Bool{})
	}
	return ir.Cast{X: v, T: ir.Bool{}}
}

// boolean evaluates an expression as a condition, to a Bool.
func (l *lowerer) boolean(e cc.ExpressionNode) ir.Expr {
	e = unparen(e)
	switch x := e.(type) {
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionNot {
			return not(l.boolean(x.CastExpression))
		}
	case *cc.RelationalExpression:
		op := map[cc.RelationalExpressionCase]string{cc.RelationalExpressionLt: "lt", cc.RelationalExpressionGt: "gt", cc.RelationalExpressionLeq: "le", cc.RelationalExpressionGeq: "ge"}[x.Case]
		return l.compare(x, op, x.RelationalExpression, x.ShiftExpression)
	case *cc.EqualityExpression:
		op := "eq"
		if x.Case == cc.EqualityExpressionNeq {
			op = "ne"
		}
		return l.compare(x, op, x.EqualityExpression, x.RelationalExpression)
	case *cc.LogicalAndExpression, *cc.LogicalOrExpression:
		r := l.temp(ir.Bool{})
		yes, no, after := l.block("true"), l.block("false"), l.block("bool")
		l.cond(e, yes, no)
		for _, b := range []*ir.Block{yes, no} {
			l.start(b)
			l.emit(&ir.Assign{Base: at(e), Dst: r, X: ir.BoolConst(b == yes)})
			l.jump(pos(e.Position()), after)
		}
		l.start(after)
		return ir.Use{Reg: r}
	}
	return l.truth(e, l.expr(e))
}

func not(v ir.Expr) ir.Expr {
	switch x := v.(type) {
	case ir.BoolConst:
		return !x
	case ir.Unary:
		if x.Op == "lnot" {
			return x.X
		}
	}
	return ir.Unary{Op: "lnot", X: v}
}

func (l *lowerer) compare(n cc.Node, op string, a, b cc.ExpressionNode) ir.Expr {
	x, y := l.expr(a), l.expr(b)
	if c, ok := compareFloats(op, x, y); ok && !l.types.narrow {
		return c
	}
	if ir.IsPtr(x.Type()) || ir.IsPtr(y.Type()) {
		return ir.Binary{Op: op, X: l.conv(n, x, ir.VPtr), Y: l.conv(n, y, ir.VPtr)}
	}
	t, ok := l.common(x.Type(), y.Type()).(ir.Int)
	if !ok {
		return l.havoc(n, ir.Bool{})
	}
	x, y = l.conv(n, x, t), l.conv(n, y, t)
	if c, ok := x.(ir.Const); ok {
		if d, ok := y.(ir.Const); ok {
			s := c.Val.Cmp(d.Val)
			return ir.BoolConst(map[string]bool{"eq": s == 0, "ne": s != 0, "lt": s < 0, "le": s <= 0, "gt": s > 0, "ge": s >= 0}[op])
		}
	}
	return ir.Binary{Op: op, X: x, Y: y}
}

// cond branches on an expression, with short circuits.
func (l *lowerer) cond(e cc.ExpressionNode, yes, no *ir.Block) {
	l.revive()
	e = unparen(e)
	switch x := e.(type) {
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionNot {
			l.cond(x.CastExpression, no, yes)
			return
		}
	case *cc.LogicalAndExpression:
		mid := l.block("and")
		l.cond(x.LogicalAndExpression, mid, no)
		l.start(mid)
		l.cond(x.InclusiveOrExpression, yes, no)
		return
	case *cc.LogicalOrExpression:
		mid := l.block("or")
		l.cond(x.LogicalOrExpression, yes, mid)
		l.start(mid)
		l.cond(x.LogicalAndExpression, yes, no)
		return
	}
	c := l.boolean(e)
	switch c {
	case ir.BoolConst(true):
		l.jump(pos(e.Position()), yes)
	case ir.BoolConst(false):
		l.jump(pos(e.Position()), no)
	default:
		l.branch(pos(e.Position()), c, yes, no)
	}
}

func (l *lowerer) conditional(x *cc.ConditionalExpression) ir.Expr {
	if e := l.chosen(x); e != nil {
		return l.conv(x, l.expr(e), l.arithType(x))
	}
	void := x.Type().Kind() == cc.Void
	t := l.arithType(x)
	if isStruct(x.Type()) {
		t = ir.Ptr{Elem: t}
	}
	yes, no, after := l.block("yes"), l.block("no"), l.block("either")
	var r *ir.Reg
	if !void {
		r = l.temp(t)
	}
	set := func(v ir.Expr) {
		if r != nil && l.cur != nil {
			l.emit(&ir.Assign{Base: at(x), Dst: r, X: l.conv(x, v, t)})
		}
		l.jump(pos(x.Position()), after)
	}
	if x.ExpressionList == nil { // GNU: a ?: b
		v := l.hold(x, l.expr(x.LogicalOrExpression))
		l.branch(pos(x.Position()), l.truth(x, v), yes, no)
		l.start(yes)
		set(v)
	} else {
		l.cond(x.LogicalOrExpression, yes, no)
		l.start(yes)
		set(l.expr(x.ExpressionList))
	}
	l.start(no)
	set(l.expr(x.ConditionalExpression))
	l.start(after)
	if void {
		return ir.IntConst(ir.I32, 0)
	}
	return ir.Use{Reg: r}
}

// chosen is the operand of a static initialiser's conditional that a constant chooses: (1
// ? suspend : NULL). Nothing is evaluated there.
func (l *lowerer) chosen(x *cc.ConditionalExpression) cc.ExpressionNode {
	n, ok := intValue(x.LogicalOrExpression)
	switch {
	case !l.static || !ok || x.ExpressionList == nil || isStruct(x.Type()):
		return nil
	case n.Sign() != 0:
		return x.ExpressionList
	}
	return x.ConditionalExpression
}

var assignOps = map[cc.AssignmentExpressionCase]string{
	cc.AssignmentExpressionMul: "mul", cc.AssignmentExpressionDiv: "div", cc.AssignmentExpressionMod: "rem", cc.AssignmentExpressionAdd: "add",
	cc.AssignmentExpressionSub: "sub", cc.AssignmentExpressionLsh: "shl", cc.AssignmentExpressionRsh: "shr", cc.AssignmentExpressionAnd: "and",
	cc.AssignmentExpressionXor: "xor", cc.AssignmentExpressionOr: "or",
}

func (l *lowerer) assignment(x *cc.AssignmentExpression) ir.Expr {
	ct := x.UnaryExpression.Type()
	if x.Case == cc.AssignmentExpressionAssign {
		v, ok := l.alloc(x.AssignmentExpression, ct)
		if !ok {
			v = l.expr(x.AssignmentExpression)
		}
		lv := l.lvalue(x.UnaryExpression)
		if isStruct(ct) {
			l.store(x, lv, v)
			return lv.addr
		}
		v = l.hold(x, l.convTo(x, v, lv.ct))
		l.store(x, lv, v)
		return l.kept(lv, v)
	}
	return l.compoundAssign(x, assignOps[x.Case])
}

// compoundAssign is x op= e: one atomic update on _Atomic places.
func (l *lowerer) compoundAssign(x *cc.AssignmentExpression, op string) ir.Expr {
	lv := l.lvalue(x.UnaryExpression)
	t := l.types.Type(lv.ct)
	atomicOp := op == "add" || op == "sub" || op == "and" || op == "or" || op == "xor"
	atomic := lv.order.Atomic() && lv.reg == nil
	if atomic && lv.ct.Kind() == cc.Bool && (op == "add" || op == "sub") {
		atomicOp = false
	}
	if atomic && atomicOp && ir.IsInt(t) {
		v := l.hold(x, l.convTo(x, l.expr(x.AssignmentExpression), lv.ct))
		r := l.temp(t)
		l.emit(&ir.RMW{Base: ir.Base{Pos: lv.at}, Dst: r, Op: op, Addr: lv.addr, Val: v, Order: lv.order})
		l.wraps(x, op, ir.Use{Reg: r}, v)
		return ir.Binary{Op: op, X: ir.Use{Reg: r}, Y: v}
	}
	if atomic { // there is no such instruction: a section that reads and writes
		y := l.hold(x, l.expr(x.AssignmentExpression))
		l.emit(&ir.AtomicBegin{Base: at(x)})
		old := l.hold(x, l.load(x, lv))
		v := l.hold(x, l.convTo(x, l.operate(x, op, old, lv.ct, y, x.AssignmentExpression.Type()), lv.ct))
		l.store(x, lv, v)
		l.emit(&ir.AtomicEnd{Base: at(x)})
		return v
	}
	old := l.hold(x, l.load(x, lv))
	v := l.operate(x, op, old, lv.ct, l.expr(x.AssignmentExpression), x.AssignmentExpression.Type())
	v = l.hold(x, l.convTo(x, v, lv.ct))
	l.store(x, lv, v)
	return l.kept(lv, v)
}

// kept is the value that a place has after a store of v: a bit-field keeps some bits
// only.
func (l *lowerer) kept(lv lvalue, v ir.Expr) ir.Expr {
	if lv.bit == nil || lv.ct.Kind() == cc.Bool {
		return v
	}
	t := v.Type().(ir.Int)
	n := ir.IntConst(t, int64(t.Bits-lv.bit.BitWidth))
	return l.narrow(lv.bit, ir.Binary{Op: "shr", X: ir.Binary{Op: "shl", X: v, Y: n}, Y: n})
}

// narrow is the integer promotion of the value of a bit-field: to int, where that holds
// all its values.
func (l *lowerer) narrow(f *ir.Field, v ir.Expr) ir.Expr {
	if t := v.Type().(ir.Int); f.BitWidth < 32 || f.BitWidth == 32 && t.Signed {
		return l.conv(nil, v, ir.I32)
	}
	return v
}

// wideBits notes arithmetic of a bit-field that is wider than int, and narrower than its
// type: for gcc the result is as wide as the bit-field, for others as its type.
func (l *lowerer) wideBits(n cc.Node, operands ...cc.ExpressionNode) {
	var found *cc.Field
	for _, e := range operands {
		x, ok := unparen(e).(*cc.PostfixExpression)
		bits := int64(0)
		if ok && x.Field() != nil && x.Field().IsBitfield() {
			bits = x.Field().ValueBits()
		}
		switch size := l.types.SizeOf(e.Type()) * 8; {
		case bits > 32 && bits < size:
			found = x.Field()
		case bits == 0 && size > 32:
			return // the result is as wide as this operand
		}
	}
	if found != nil {
		l.warn("unmodelled", n, "wide "+found.Name(), "compilers disagree about how wide the result of arithmetic with bit-field %s is", found.Name())
	}
}
