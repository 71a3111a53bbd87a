package c

import (
	"math/big"

	"modernc.org/cc/v4"

	"whoop/ir"
)

func (l *lowerer) compound(n *cc.CompoundStatement) {
	l.open()
	l.items(n)
	l.close(pos(n.Token2.Position()))
}

// items lowers what is in a block.
func (l *lowerer) items(n *cc.CompoundStatement) {
	for b := n.BlockItemList; b != nil; b = b.BlockItemList {
		l.item(b.BlockItem)
	}
}

func (l *lowerer) item(n *cc.BlockItem) {
	switch n.Case {
	case cc.BlockItemDecl:
		l.declaration(n.Declaration)
	case cc.BlockItemStmt:
		l.stmt(n.Statement)
	case cc.BlockItemFuncDef:
		l.fail(n, "nested function")
	}
}

// dead gives code after a jump a block of its own, which prune drops unless a label is in
// it.
func (l *lowerer) revive() {
	if l.cur == nil {
		b := l.block("dead")
		l.dead[b] = true
		l.start(b)
	}
}

func (l *lowerer) stmt(n *cc.Statement) {
	l.revive()
	if l.ending.cancels && l.ending.async && l.mayBeCancelled() {
		l.cancelPoint(n, true, nil)
	}
	switch n.Case {
	case cc.StatementLabeled:
		l.labeled(n.LabeledStatement)
	case cc.StatementCompound:
		l.compound(n.CompoundStatement)
	case cc.StatementExpr:
		if n.ExpressionStatement.ExpressionList != nil {
			l.effect(n.ExpressionStatement.ExpressionList)
		}
	case cc.StatementSelection:
		l.selection(n.SelectionStatement)
	case cc.StatementIteration:
		l.iteration(n.IterationStatement)
	case cc.StatementJump:
		l.jumpStmt(n.JumpStatement)
	case cc.StatementAsm:
		l.asm(n.AsmStatement)
	}
}

func (l *lowerer) label(name string) *ir.Block {
	b := l.labels[name]
	if b == nil {
		b = l.block(name + ".")
		l.labels[name] = b
	}
	return b
}

func (l *lowerer) labeled(n *cc.LabeledStatement) {
	var b *ir.Block
	switch n.Case {
	case cc.LabeledStatementLabel:
		b = l.label(n.Token.SrcStr())
	default:
		b = l.cases[n]
		if b == nil {
			l.fail(n, "case label outside a switch")
		}
	}
	l.jump(pos(n.Position()), b)
	l.start(b)
	l.stmt(n.Statement)
}

func (l *lowerer) jumpStmt(n *cc.JumpStatement) {
	p := pos(n.Position())
	switch n.Case {
	case cc.JumpStatementGoto:
		l.scopes[0].jumps = true
		l.jump(p, l.label(n.Token2.SrcStr()))
	case cc.JumpStatementGotoExpr:
		l.scopes[0].jumps = true
		v := l.hold(n, l.conv(n, l.expr(n.ExpressionList), ir.VPtr))
		if l.cur != nil {
			l.computed = append(l.computed, computedGoto{l.cur, v, p})
			l.end(&ir.Stop{TermBase: ir.TermBase{Pos: p}, Kind: "unreachable"})
		}
	case cc.JumpStatementContinue:
		l.leave(l.around(l.cnt[len(l.cnt)-1]), p)
		l.jump(p, l.cnt[len(l.cnt)-1])
	case cc.JumpStatementBreak:
		l.leave(l.around(l.brk[len(l.brk)-1]), p)
		l.jump(p, l.brk[len(l.brk)-1])
	case cc.JumpStatementReturn:
		l.returnStmt(n)
	}
}

func (l *lowerer) returnStmt(n *cc.JumpStatement) {
	p := pos(n.Position())
	if n.ExpressionList == nil {
		var v ir.Expr
		if !ir.Equal(l.f.Result, ir.Void{}) {
			r := l.temp(l.f.Result)
			l.emit(&ir.Havoc{Base: at(n), Dst: r, Input: true}) // nobody may use it
			v = ir.Use{Reg: r}
		}
		l.leave(0, p)
		l.end(&ir.Return{TermBase: ir.TermBase{Pos: p}, Val: v})
		return
	}
	if l.result != nil {
		src := l.expr(n.ExpressionList)
		l.copyStruct(n, l.result, src, n.ExpressionList.Type())
		l.leave(0, p)
		l.end(&ir.Return{TermBase: ir.TermBase{Pos: p}})
		return
	}
	if ir.Equal(l.f.Result, ir.Void{}) {
		l.effect(n.ExpressionList)
		l.leave(0, p)
		l.end(&ir.Return{TermBase: ir.TermBase{Pos: p}})
		return
	}
	v := l.expr(n.ExpressionList)
	if l.returns != nil && l.returns.Kind() == cc.Bool {
		v = l.convTo(n, v, l.returns)
	}
	v = l.conv(n, v, l.f.Result)
	if len(l.scopes[0].vars) > 0 || len(l.scopes) > 1 {
		v = l.hold(n, v)
	}
	l.leave(0, p)
	l.end(&ir.Return{TermBase: ir.TermBase{Pos: p}, Val: v})
}

func (l *lowerer) selection(n *cc.SelectionStatement) {
	if n.Case == cc.SelectionStatementSwitch {
		l.switchStmt(n)
		return
	}
	then, after := l.block("then"), l.block("endif")
	els := after
	if n.Case == cc.SelectionStatementIfElse {
		els = l.block("else")
	}
	l.cond(n.ExpressionList, then, els)
	l.start(then)
	l.stmt(n.Statement)
	l.jump(pos(n.Position()), after)
	if els != after {
		l.start(els)
		l.stmt(n.Statement2)
		l.jump(pos(n.Position()), after)
	}
	l.start(after)
}

func (l *lowerer) switchStmt(n *cc.SelectionStatement) {
	v := l.expr(n.ExpressionList)
	if t, ok := v.Type().(ir.Int); ok {
		v = l.conv(n, v, promote(t))
	}
	v = l.hold(n, v)
	after := l.block("endswitch")
	if l.cases == nil {
		l.cases = map[*cc.LabeledStatement]*ir.Block{}
	}
	deflt, chosen := after, (*ir.Block)(nil)
	for _, c := range n.LabeledStatements() {
		b := l.block("case")
		l.cases[c] = b
		switch c.Case {
		case cc.LabeledStatementDefault:
			deflt = b
		case cc.LabeledStatementCaseLabel, cc.LabeledStatementRange:
			if is, known := l.knownCase(c, v); known {
				if is && chosen == nil {
					chosen = b
				}
				continue
			}
			next := l.block("test")
			l.branch(pos(c.Position()), l.caseTest(c, v), b, next)
			l.start(next)
		}
	}
	if chosen != nil { // switch (sizeof(x)): the other cases are dead
		deflt = chosen
	}
	l.jump(pos(n.Position()), deflt)
	l.brk = append(l.brk, after)
	l.mark(after)
	l.revive()
	if n.Statement.Case == cc.StatementCompound { // its cases may lie behind declarations
		l.open()
		l.scopes[len(l.scopes)-1].skips = true
		l.items(n.Statement.CompoundStatement)
		l.close(pos(n.Position()))
	} else {
		l.stmt(n.Statement)
	}
	l.jump(pos(n.Position()), after)
	l.brk = l.brk[:len(l.brk)-1]
	l.start(after)
}

// knownCase reports whether a switch on a constant goes to a case.
func (l *lowerer) knownCase(c *cc.LabeledStatement, v ir.Expr) (is, known bool) {
	x, ok := v.(ir.Const)
	if !ok || c.Case != cc.LabeledStatementCaseLabel {
		return false, false
	}
	eq := l.caseTest(c, v).(ir.Binary)
	y, ok := eq.Y.(ir.Const)
	return ok && x.Val.Cmp(y.Val) == 0, ok
}

func (l *lowerer) caseTest(c *cc.LabeledStatement, v ir.Expr) ir.Expr {
	t, ok := v.Type().(ir.Int)
	if !ok {
		l.fail(c, "switch on a value that is not an integer")
	}
	value := func(e cc.ExpressionNode) ir.Expr {
		n, ok := intValue(e)
		if !ok {
			l.fail(c, "case label that is not a constant")
		}
		if own, ok := l.enumerated(e); ok {
			n = own
		}
		return ir.Const{T: t, Val: ir.Wrap(t, n)}
	}
	if c.Case == cc.LabeledStatementCaseLabel {
		return ir.Binary{Op: "eq", X: v, Y: value(c.ConstantExpression)}
	}
	return ir.Binary{Op: "land", X: ir.Binary{Op: "ge", X: v, Y: value(c.ConstantExpression)},
		Y: ir.Binary{Op: "le", X: v, Y: value(c.ConstantExpression2)}}
}

// intValue returns the integer constant cc computed for e.
func intValue(e cc.ExpressionNode) (*big.Int, bool) {
	switch v := e.Value().(type) {
	case cc.Int64Value:
		return big.NewInt(int64(v)), true
	case cc.UInt64Value:
		return new(big.Int).SetUint64(uint64(v)), true
	}
	return nil, false
}

func (l *lowerer) iteration(n *cc.IterationStatement) {
	head, body, next, after := l.block("loop"), l.block("body"), l.block("next"), l.block("endloop")
	p := pos(n.Position())
	l.brk, l.cnt = append(l.brk, after), append(l.cnt, next)
	if n.Case == cc.IterationStatementForDecl { // whose variables end with it
		l.open()
		defer l.close(p)
	}
	l.mark(after)
	l.mark(next)
	defer func() { l.brk, l.cnt = l.brk[:len(l.brk)-1], l.cnt[:len(l.cnt)-1] }()
	test := n.ExpressionList
	switch n.Case {
	case cc.IterationStatementDo:
		l.jump(p, body)
		l.start(body)
		l.stmt(n.Statement)
		l.jump(p, next)
		l.start(next)
		l.cond(test, body, after)
		l.start(after)
		return
	case cc.IterationStatementFor:
		if n.ExpressionList != nil {
			l.effect(n.ExpressionList)
		}
		test = n.ExpressionList2
	case cc.IterationStatementForDecl:
		l.declaration(n.Declaration)
		test = n.ExpressionList
	}
	l.jump(p, head)
	l.start(head)
	if test == nil {
		l.jump(p, body)
	} else {
		l.cond(test, body, after)
	}
	l.start(body)
	l.stmt(n.Statement)
	l.jump(p, next)
	l.start(next)
	step := n.ExpressionList3
	if n.Case == cc.IterationStatementForDecl {
		step = n.ExpressionList2
	}
	if step != nil && n.Case != cc.IterationStatementWhile {
		l.effect(step)
	}
	l.jump(p, head)
	l.start(after)
}

// declaration lowers the declarations of locals.
func (l *lowerer) declaration(n *cc.Declaration) {
	if n.Case == cc.DeclarationAuto {
		l.local(n.Declarator, n.Initializer)
		return
	}
	all := ""
	for s := n.DeclarationSpecifiers; s != nil; s = s.DeclarationSpecifiers {
		if s.Case == cc.DeclarationSpecifiersAttr {
			all += cc.NodeSource(s.AttributeSpecifierList)
		}
	}
	for d := n.InitDeclaratorList; d != nil; d = d.InitDeclaratorList {
		own := all
		if a := d.InitDeclarator.AttributeSpecifierList; a != nil {
			own += cc.NodeSource(a)
		}
		l.withCleanup(d.InitDeclarator, own)
		if x := d.InitDeclarator.Declarator; x != nil && x.IsExtern() && !x.IsTypename() {
			l.secondName(x, cc.NodeSource(n))
		}
	}
}

func (l *lowerer) local(d *cc.Declarator, init *cc.Initializer) {
	l.revive()
	if d == nil || d.IsTypename() {
		return
	}
	t := d.Type()
	if t.Kind() == cc.Function {
		l.declareFunc(d, false)
		return
	}
	if d.IsExtern() {
		l.declareGlobal(d, false)
		return
	}
	if d.IsStatic() || d.IsThreadLocal() {
		if d.Name() == "__func__" {
			return // specialIdent makes it where it is used
		}
		l.staticLocal(d, init)
		return
	}
	if t.Kind() == cc.Void {
		l.fail(d, "a variable of type void")
	}
	it := l.types.Type(t)
	_, array := t.(*cc.ArrayType)
	if !isStruct(t) && !array && (!d.AddressTaken() || l.onlyLoaded(d)) {
		r := l.reg(d.Name(), it)
		l.locals[d] = local{reg: r}
		l.owned(r)
		if init != nil {
			e := scalarInit(init)
			v, ok := l.alloc(e, t)
			if !ok {
				v = l.expr(e)
			}
			if t.Kind() == cc.Bool {
				v = l.truth(d, v)
			}
			l.emit(&ir.Assign{Base: at(d), Dst: r, X: l.conv(d, v, it)})
		}
		return
	}
	l.memoryLocal(d, it, init)
}

// scalarInit unwraps { 5 }.
func scalarInit(i *cc.Initializer) cc.ExpressionNode {
	for i.Case == cc.InitializerInitList {
		i = i.InitializerList.Initializer
	}
	return i.AssignmentExpression
}

func (l *lowerer) memoryLocal(d *cc.Declarator, it ir.Type, init *cc.Initializer) {
	var addr ir.Expr
	if a, ok := d.Type().(*cc.ArrayType); ok && a.IsVLA() {
		l.stride(d, a.Elem())
		elem := l.types.Type(a.Elem())
		r := l.reg("&"+d.Name(), ir.Ptr{Elem: elem})
		var count ir.Expr = l.havoc(d, ir.U64)
		if e := a.SizeExpression(); e != nil {
			count = l.conv(d, l.expr(e), ir.U64)
		}
		l.emit(&ir.Alloc{Base: at(d), Dst: r, Elem: elem, Count: count, Kind: "stack", Name: d.Name()})
		addr = ir.Use{Reg: r}
	} else {
		addr = l.stack(d.Name(), it, pos(d.Position()))
	}
	l.locals[d] = local{addr: addr}
	l.declared(addr)
	if init != nil {
		l.initMemory(addr, d.Type(), init)
	}
}

// staticLocal makes a global of a local with static storage.
func (l *lowerer) staticLocal(d *cc.Declarator, init *cc.Initializer) {
	g := &ir.Global{Name: l.unique(l.name + "." + d.Name()), Type: l.types.Type(d.Type()), Pos: pos(d.Position()), Static: true,
		ThreadLocal: d.IsThreadLocal(), Const: constObject(d)}
	l.p.Globals = append(l.p.Globals, g)
	l.locals[d] = local{addr: ir.GlobalAddr{Global: g}}
	if init != nil {
		l.initGlobal(g, d.Type(), init)
	}
}
