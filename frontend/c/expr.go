package c

import (
	"fmt"
	"math/big"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// effect evaluates an expression for its effects.
func (l *lowerer) effect(e cc.ExpressionNode) {
	if x, ok := e.(*cc.ExpressionList); ok && x.ExpressionList != nil {
		l.effect(x.AssignmentExpression)
		l.effect(x.ExpressionList)
		return
	}
	if lv := unparen(e); lv != nil {
		switch x := lv.(type) {
		case *cc.PostfixExpression:
			if x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec {
				l.increment(x, x.PostfixExpression, x.Case == cc.PostfixExpressionInc, false)
				return
			}
		case *cc.CastExpression:
			if x.Case == cc.CastExpressionCast && x.TypeName.Type().Kind() == cc.Void {
				l.effect(x.CastExpression)
				return
			}
		}
	}
	l.ignored = unparen(e)
	l.expr(e)
	l.seqIgnored(e)
}

// hold keeps a value that later effects might change.
func (l *lowerer) hold(n cc.Node, v ir.Expr) ir.Expr {
	switch v.(type) {
	case ir.Const, ir.Null, ir.GlobalAddr, ir.FuncAddr, ir.OpaqueConst:
		return v
	}
	r := l.temp(v.Type())
	l.emit(&ir.Assign{Base: at(n), Dst: r, X: v})
	return ir.Use{Reg: r}
}

func (l *lowerer) havoc(n cc.Node, t ir.Type) ir.Expr {
	if ir.Equal(t, ir.Void{}) {
		return ir.IntConst(ir.I32, 0)
	}
	r := l.temp(t)
	l.emit(&ir.Havoc{Base: at(n), Dst: r})
	return ir.Use{Reg: r}
}

// returned is what a call of a function that is not seen returns.
func (l *lowerer) returned(n cc.Node, t ir.Type) ir.Expr {
	if !ir.IsPtr(t) {
		return l.havoc(n, t)
	}
	r := l.temp(t)
	l.emit(&ir.Havoc{Base: at(n), Dst: r, Outside: true})
	return ir.Use{Reg: r}
}

// returnedStruct is a struct that a function returns which is not seen: anything.
func (l *lowerer) returnedStruct(x *cc.PostfixExpression, name string) ir.Expr {
	t := l.types.Type(x.Type())
	r := l.stack("result", t, pos(x.Position()))
	touch := &ir.Touch{Base: at(x), Addr: r, Size: ir.IntConst(ir.U64, t.Size()), Write: true,
		Why: name}
	if leadsOn(t) { // to what the function knows
		touch = &ir.Touch{Base: at(x), Addr: r, Read: true, Write: true, Deep: true,
			Core: l.core(), Perhaps: true, Why: name}
	}
	l.emit(touch)
	return r
}

// expr evaluates an expression. Struct values are represented by their address; void ones
// by an arbitrary integer.
func (l *lowerer) expr(e cc.ExpressionNode) ir.Expr {
	l.revive()
	if x, ok := e.(*cc.ExpressionList); ok && x.ExpressionList != nil {
		l.effect(x.AssignmentExpression)
		return l.expr(x.ExpressionList)
	}
	e = unparen(e)
	switch x := e.(type) {
	case *cc.ExpressionList:
		l.effect(x.AssignmentExpression)
		return l.expr(x.ExpressionList)
	case *cc.PrimaryExpression:
		return l.primary(x)
	case *cc.PostfixExpression:
		return l.postfix(x)
	case *cc.UnaryExpression:
		return l.unary(x)
	case *cc.CastExpression:
		return l.castExpr(x)
	case *cc.MultiplicativeExpression:
		op := map[cc.MultiplicativeExpressionCase]string{cc.MultiplicativeExpressionMul: "mul", cc.MultiplicativeExpressionDiv: "div", cc.MultiplicativeExpressionMod: "rem"}[x.Case]
		l.wideBits(x, x.MultiplicativeExpression, x.CastExpression)
		return l.arith(x, op, l.expr(x.MultiplicativeExpression), x.MultiplicativeExpression.Type(), x.CastExpression)
	case *cc.AdditiveExpression:
		op := "add"
		if x.Case == cc.AdditiveExpressionSub {
			op = "sub"
		}
		l.wideBits(x, x.AdditiveExpression, x.MultiplicativeExpression)
		return l.arith(x, op, l.expr(x.AdditiveExpression), x.AdditiveExpression.Type(), x.MultiplicativeExpression)
	case *cc.ShiftExpression:
		op := "shl"
		if x.Case == cc.ShiftExpressionRsh {
			op = "shr"
		}
		l.wideBits(x, x.ShiftExpression)
		return l.shift(x, op, l.expr(x.ShiftExpression), l.expr(x.AdditiveExpression))
	case *cc.AndExpression:
		return l.arith(x, "and", l.expr(x.AndExpression), x.AndExpression.Type(), x.EqualityExpression)
	case *cc.ExclusiveOrExpression:
		return l.arith(x, "xor", l.expr(x.ExclusiveOrExpression), x.ExclusiveOrExpression.Type(), x.AndExpression)
	case *cc.InclusiveOrExpression:
		return l.arith(x, "or", l.expr(x.InclusiveOrExpression), x.InclusiveOrExpression.Type(), x.ExclusiveOrExpression)
	case *cc.RelationalExpression, *cc.EqualityExpression, *cc.LogicalAndExpression, *cc.LogicalOrExpression:
		return ir.Cast{X: l.boolean(e), T: ir.I32}
	case *cc.ConditionalExpression:
		return l.conditional(x)
	case *cc.AssignmentExpression:
		return l.assignment(x)
	}
	l.fail(e, "expression %T", e)
	return nil
}

func (l *lowerer) primary(x *cc.PrimaryExpression) ir.Expr {
	t := l.types.Type(x.Type().Decay())
	switch x.Case {
	case cc.PrimaryExpressionIdent:
		if lv, ok := l.ident(x); ok {
			return l.load(x, lv)
		}
		if n, ok := intValue(x); ok {
			if v, ok := l.enumerator(x); ok {
				return ir.Const{T: ir.I32, Val: v}
			}
			return l.constant(x, n)
		}
		return l.specialIdent(x)
	case cc.PrimaryExpressionInt, cc.PrimaryExpressionChar, cc.PrimaryExpressionLChar:
		if n, ok := intValue(x); ok {
			return l.constant(x, n)
		}
	case cc.PrimaryExpressionFloat:
		return ir.OpaqueConst{T: t, Text: x.Token.SrcStr()}
	case cc.PrimaryExpressionString, cc.PrimaryExpressionLString:
		return decay(l.stringLit(x))
	case cc.PrimaryExpressionStmt:
		return l.stmtExpr(x)
	case cc.PrimaryExpressionGeneric:
		return l.genericSelection(x)
	}
	l.fail(x, "expression %s", x.Case)
	return nil
}

// specialIdent handles names that resolve to nothing: __func__ and functions used without
// a declaration.
func (l *lowerer) specialIdent(x *cc.PrimaryExpression) ir.Expr {
	switch name := x.Token.SrcStr(); name {
	case "__func__", "__FUNCTION__", "__PRETTY_FUNCTION__":
		return decay(l.stringGlobal(l.name, x))
	default:
		l.fail(x, "%s is not declared", name)
	}
	return nil
}

func (l *lowerer) constant(e cc.ExpressionNode, n *big.Int) ir.Expr {
	switch t := l.types.Type(e.Type().Decay()).(type) {
	case ir.Int:
		return ir.Const{T: t, Val: ir.Wrap(t, n)}
	case ir.Ptr:
		return l.conv(e, ir.Const{T: ir.U64, Val: ir.Wrap(ir.U64, n)}, t)
	}
	return ir.Const{T: ir.I32, Val: ir.Wrap(ir.I32, n)}
}

// stringLit is the address of a string literal's global.
func (l *lowerer) stringLit(x *cc.PrimaryExpression) ir.Expr {
	text, ok := stringValue(x)
	if !ok {
		l.otherString(x)
	}
	return l.stringGlobal(text, x)
}

func (u *unit) stringGlobal(text string, n cc.Node) ir.Expr {
	u.program.strings++
	g := &ir.Global{Name: fmt.Sprintf("str.%d", u.program.strings), Type: ir.Array{Elem: ir.I8, Len: int64(len(text)) + 1}, Pos: pos(n.Position()),
		Const: true, Static: true, Init: stringCells(text, 0, pos(n.Position()))}
	u.p.Globals = append(u.p.Globals, g)
	return ir.GlobalAddr{Global: g}
}

// stmtExpr is ({ …; value; }).
func (l *lowerer) stmtExpr(x *cc.PrimaryExpression) ir.Expr {
	outer := l.within
	l.within = cc.NodeSource(x.CompoundStatement)
	defer func() { l.within = outer }()
	var last ir.Expr = ir.IntConst(ir.I32, 0)
	for b := x.CompoundStatement.BlockItemList; b != nil; b = b.BlockItemList {
		s := b.BlockItem.Statement
		if b.BlockItemList == nil && b.BlockItem.Case == cc.BlockItemStmt {
			if v, ok := l.lastValue(s); ok {
				last = v
				continue
			}
		}
		l.item(b.BlockItem)
	}
	l.revive()
	return last
}

// lastValue evaluates the final statement of a statement expression.
func (l *lowerer) lastValue(s *cc.Statement) (ir.Expr, bool) {
	l.revive()
	if s.Case != cc.StatementExpr || s.ExpressionStatement.ExpressionList == nil {
		return nil, false
	}
	e := s.ExpressionStatement.ExpressionList
	if e.Type().Kind() == cc.Void {
		l.effect(e)
		return ir.IntConst(ir.I32, 0), true
	}
	return l.hold(e, l.expr(e)), true
}

func (l *lowerer) postfix(x *cc.PostfixExpression) ir.Expr {
	switch x.Case {
	case cc.PostfixExpressionCall:
		return l.call(x)
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		return l.increment(x, x.PostfixExpression, x.Case == cc.PostfixExpressionInc, false)
	}
	lv := l.lvalue(x)
	return l.argument(x, lv, l.load(x, lv))
}

func (l *lowerer) unary(x *cc.UnaryExpression) ir.Expr {
	switch x.Case {
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		return l.increment(x, x.UnaryExpression, x.Case == cc.UnaryExpressionInc, true)
	case cc.UnaryExpressionAddrof:
		return l.addressOf(x)
	case cc.UnaryExpressionDeref:
		return l.load(x, l.lvalue(x))
	case cc.UnaryExpressionPlus:
		return l.conv(x, l.expr(x.CastExpression), l.arithType(x))
	case cc.UnaryExpressionMinus, cc.UnaryExpressionCpl:
		return l.negate(x)
	case cc.UnaryExpressionNot:
		return ir.Cast{X: l.boolean(x), T: ir.I32}
	case cc.UnaryExpressionSizeofExpr:
		return l.sizeofExpr(x)
	case cc.UnaryExpressionSizeofType:
		if a, ok := x.TypeName.Type().(*cc.ArrayType); ok && a.IsVLA() && a.SizeExpression() != nil {
			n := l.hold(x, l.conv(x, l.expr(a.SizeExpression()), l.types.word()))
			return ir.Binary{Op: "mul", X: n, Y: ir.IntConst(l.types.word(), l.stride(x, a.Elem()))}
		}
		return ir.IntConst(l.types.word(), l.types.SizeOf(x.TypeName.Type()))
	case cc.UnaryExpressionAlignofExpr:
		return ir.IntConst(l.types.word(), l.types.alignOf(x.UnaryExpression.Type()))
	case cc.UnaryExpressionAlignofType:
		return ir.IntConst(l.types.word(), l.types.alignOf(x.TypeName.Type()))
	case cc.UnaryExpressionLabelAddr:
		return l.labelAddress(x)
	}
	l.fail(x, "expression %s", x.Case)
	return nil
}

func (l *lowerer) negate(x *cc.UnaryExpression) ir.Expr {
	l.wideBits(x, x.CastExpression)
	t := l.arithType(x)
	v := l.conv(x, l.expr(x.CastExpression), t)
	if f, ok := floatOf(v); ok && x.Case == cc.UnaryExpressionMinus && f != 0 {
		if c, ok := floatConst(-f, t); ok {
			return c
		}
	}
	if !ir.IsInt(t) {
		return l.havoc(x, t)
	}
	op := "neg"
	if x.Case == cc.UnaryExpressionCpl {
		op = "not"
	}
	if op == "neg" {
		l.fits(x, "sub", t.(ir.Int), ir.IntConst(t.(ir.Int), 0), v)
	}
	if c, ok := v.(ir.Const); ok {
		n := new(big.Int).Neg(c.Val)
		if op == "not" {
			n = new(big.Int).Not(c.Val)
		}
		return ir.Const{T: c.T, Val: ir.Wrap(c.T, n)}
	}
	return ir.Unary{Op: op, X: v}
}

func (l *lowerer) sizeofExpr(x *cc.UnaryExpression) ir.Expr {
	t := x.UnaryExpression.Type()
	if p, ok := unparen(x.UnaryExpression).(*cc.PrimaryExpression); ok && p.Case == cc.PrimaryExpressionIdent {
		if d, ok := p.ResolvedTo().(*cc.Declarator); ok && d.IsParam() {
			if _, array := t.(*cc.ArrayType); array || d.Type().Kind() == cc.Ptr {
				// cc gives the size of an array parameter
				return ir.IntConst(l.types.word(), l.types.SizeOf(t.Decay()))
			}
		} else if ok {
			t = d.Type()
		}
	}
	if v, ok := unparen(x.UnaryExpression).(*cc.PrimaryExpression); ok && v.Case == cc.PrimaryExpressionString {
		t = v.Type().Undecay()
	}
	if a, ok := t.(*cc.ArrayType); ok && a.IsVLA() {
		return l.havoc(x, l.types.word())
	}
	if t.Kind() == cc.Ptr {
		if u := t.Undecay(); u != nil && u.Kind() == cc.Array {
			t = u
		}
	}
	return ir.IntConst(l.types.word(), l.types.SizeOf(t))
}

func (l *lowerer) addressOf(x *cc.UnaryExpression) ir.Expr {
	lv := l.lvalue(x.CastExpression)
	if lv.addr == nil {
		l.fail(x, "address of a register variable")
	}
	return lv.addr
}

// increment is ++ or --; after: the result is the new value.
func (l *lowerer) increment(n cc.Node, e cc.ExpressionNode, up, after bool) ir.Expr {
	lv := l.lvalue(e)
	t := l.types.Type(lv.ct)
	atomic := lv.order.Atomic() && lv.reg == nil
	counts := ir.IsInt(t) && lv.ct.Kind() != cc.Bool
	if atomic && !counts { // no instruction does this: a section that reads and writes
		l.emit(&ir.AtomicBegin{Base: at(n)})
		defer l.emit(&ir.AtomicEnd{Base: at(n)})
	}
	if atomic && counts {
		op := map[bool]string{true: "add", false: "sub"}[up]
		r := l.temp(t)
		l.emit(&ir.RMW{Base: ir.Base{Pos: lv.at}, Dst: r, Op: op, Addr: lv.addr, Val: ir.IntConst(t.(ir.Int), 1), Order: lv.order})
		l.wraps(n, op, ir.Use{Reg: r}, ir.IntConst(t.(ir.Int), 1))
		if after {
			return ir.Binary{Op: op, X: ir.Use{Reg: r}, Y: ir.IntConst(t.(ir.Int), 1)}
		}
		return ir.Use{Reg: r}
	}
	old := l.hold(n, l.load(n, lv))
	var v ir.Expr
	switch it := old.Type().(type) {
	case ir.Int:
		op := "add"
		if !up {
			op = "sub"
		}
		if it.Bits >= 32 && lv.ct.Kind() != cc.Bool {
			l.fits(n, op, it, old, ir.IntConst(it, 1))
		}
		v = ir.Binary{Op: op, X: old, Y: ir.IntConst(it, 1)}
	case ir.Ptr:
		d := int64(1)
		if !up {
			d = -1
		}
		v = ir.IndexAddr{Base: old, Idx: ir.IntConst(ir.I64, d), Stride: l.elemSize(n, lv.ct), T: it}
	default:
		v = l.havoc(n, t)
	}
	v = l.hold(n, l.convTo(n, v, lv.ct))
	l.store(n, lv, v)
	if after {
		return l.kept(lv, v)
	}
	return old
}

// elemSize is the size of what a pointer type points to (1 for void and functions).
func (l *lowerer) elemSize(n cc.Node, t cc.Type) int64 {
	if p, ok := t.Decay().(*cc.PointerType); ok {
		return l.stride(n, p.Elem())
	}
	return 1
}

// pointee is the size of what a pointer of C type t points to. For the address of an
// array cc says a pointer to the first element; the value knows better.
func (l *lowerer) pointee(n cc.Node, v ir.Expr, t cc.Type) int64 {
	if p, ok := v.Type().(ir.Ptr); ok {
		if a, ok := p.Elem.(ir.Array); ok && a.Size() > 0 {
			return a.Size()
		}
	}
	return l.elemSize(n, t)
}

func (l *lowerer) castExpr(x *cc.CastExpression) ir.Expr {
	if v, ok := l.argumentOf(x); ok {
		return v
	}
	t := x.TypeName.Type()
	if t.Kind() == cc.Void {
		l.effect(x.CastExpression)
		return ir.IntConst(ir.I32, 0)
	}
	if isStruct(t) {
		return l.castToUnion(x, t)
	}
	if v, ok := l.alloc(x.CastExpression, t); ok {
		return l.conv(x, v, l.types.Type(t))
	}
	v := l.expr(x.CastExpression)
	return l.convTo(x, v, t)
}
