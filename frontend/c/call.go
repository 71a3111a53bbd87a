package c

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"whoop/frontend/models"
	"whoop/ir"
)

// args lists a call's argument expressions.
func args(x *cc.PostfixExpression) []cc.ExpressionNode {
	var out []cc.ExpressionNode
	for a := x.ArgumentExpressionList; a != nil; a = a.ArgumentExpressionList {
		out = append(out, a.AssignmentExpression)
	}
	return out
}

// callee returns the name of the function a call names directly, and its declarator; ""
// for pointers.
func callee(x *cc.PostfixExpression) (string, *cc.Declarator) {
	p, ok := unparen(x.PostfixExpression).(*cc.PrimaryExpression)
	if !ok {
		if u, isUnary := unparen(x.PostfixExpression).(*cc.UnaryExpression); isUnary && u.Case == cc.UnaryExpressionDeref {
			p, ok = unparen(u.CastExpression).(*cc.PrimaryExpression)
		}
		if !ok {
			return "", nil
		}
	}
	if p.Case != cc.PrimaryExpressionIdent {
		return "", nil
	}
	d, ok := p.ResolvedTo().(*cc.Declarator)
	if !ok {
		return p.Token.SrcStr(), nil // implicitly declared
	}
	if d.Type().Kind() != cc.Function {
		return "", nil
	}
	return d.Name(), d
}

func (l *lowerer) call(x *cc.PostfixExpression) ir.Expr {
	name, d := callee(x)
	if l.ending.cancels && l.cancellable(name) {
		l.cancelPoint(x, false, nil)
	}
	if name == "" {
		return l.indirect(x)
	}
	if v, ok := l.nonlocal(x, name, args(x)); ok {
		return v
	}
	if v, ok := l.builtin(x, name, args(x)); ok {
		return v
	}
	if l.cleanup(x, name) {
		return ir.IntConst(ir.I32, 0)
	}
	if v, ok := l.systemCall(x, name); ok {
		return v
	}
	f := l.unit.function(name)
	m := l.m.Func(name)
	if m != nil && (f == nil || f.Extern || (synchronises(m) || m.Instead) && l.preferred(name) || l.u.asm[name] && atomicModel(m)) {
		return l.modelled(x, name, m, args(x))
	}
	// cc makes a declarator at the use
	if l.u.kernel && f == nil && (d == nil || d.Position() == x.PostfixExpression.Position()) {
		l.fail(x, "%s is not declared: it may be a macro of a header that is missing", name)
	}
	if f == nil && d != nil {
		f = l.declareFunc(d, false)
	}
	if f == nil {
		f = &ir.Func{Name: name, Extern: true, Result: ir.I32, Variadic: true, Pos: pos(x.Position())}
		l.program.funcs[name] = f
		l.p.Funcs = append(l.p.Funcs, f)
	}
	if f.Extern {
		return l.external(x, f, d)
	}
	return l.direct(x, f)
}

// synchronises: a model of these kinds is preferred to a body that is there.
func synchronises(m *models.Func) bool {
	switch m.Op {
	case models.OpLock, models.OpUnlock, models.OpDowngrade, models.OpLockInit, models.OpLockDestroy, models.OpAtomicBegin, models.OpAtomicEnd, models.OpCondWait,
		models.OpSemInit, models.OpNondet, models.OpAssume, models.OpError, models.OpSpawn, models.OpJoin:
		return true
	}
	return false
}

// preferred reports whether a model is preferred to a body: in a program with a main
// function, the names of its own functions mean what their bodies do.
func (l *lowerer) preferred(name string) bool {
	if main := l.program.funcs["main"]; main == nil || main.Extern {
		return true
	}
	for _, p := range []string{"__VERIFIER_", "pthread_", "reach_error", "__assert"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// values evaluates arguments left to right; structs become addresses of copies.
func (l *lowerer) values(es []cc.ExpressionNode) []ir.Expr {
	var out []ir.Expr
	for _, e := range es {
		v := l.expr(e)
		if isStruct(e.Type()) {
			tmp := l.stack("arg", l.types.Type(e.Type()), pos(e.Position()))
			l.copyStruct(e, tmp, v, e.Type())
			v = tmp
		}
		out = append(out, l.keep(e, v))
	}
	return out
}

// keep holds a value that reads registers, so that later arguments' effects do not change
// it.
func (l *lowerer) keep(n cc.Node, v ir.Expr) ir.Expr { return v }

func (l *lowerer) direct(x *cc.PostfixExpression, f *ir.Func) ir.Expr {
	vs := l.values(args(x))
	return l.emitCall(x, ir.FuncAddr{Func: f}, f.Type(), vs)
}

// emitCall calls a function value of type ft.
func (l *lowerer) emitCall(x *cc.PostfixExpression, callee ir.Expr, ft ir.FuncType, vs []ir.Expr) ir.Expr {
	l.boolArgs(x, vs)
	var result ir.Expr
	if l.types.takesSlots(ft) {
		named := len(ft.Params) - 1
		if isStruct(x.Type()) {
			named--
		}
		l.passesPointers(vs[min(named, len(vs)):])
		for len(vs) < named {
			vs = append(vs, l.havoc(x, ft.Params[len(vs)]))
		}
		var types []cc.ExpressionNode
		if as := args(x); len(as) == len(vs) {
			types = as[named:]
		}
		vs = append(vs[:named:named], l.slots(x, vs[named:], types))
	}
	if isStruct(x.Type()) {
		result = l.stack("result", l.types.Type(x.Type()), pos(x.Position()))
		vs = append([]ir.Expr{result}, vs...)
	}
	for i := range vs {
		if i < len(ft.Params) {
			vs[i] = l.conv(x, vs[i], ft.Params[i])
		}
	}
	for i := len(vs); i < len(ft.Params); i++ {
		vs = append(vs, l.havoc(x, ft.Params[i]))
	}
	if len(vs) > len(ft.Params) && !ft.Variadic {
		vs = vs[:len(ft.Params)]
	}
	l.passesPointers(vs[min(len(ft.Params), len(vs)):])
	c := &ir.Call{Base: at(x), Callee: callee, Args: vs}
	if result == nil && !ir.Equal(ft.Result, ir.Void{}) {
		c.Dst = l.temp(ft.Result)
	}
	l.emit(c)
	switch {
	case result != nil:
		return result
	case c.Dst != nil:
		return ir.Use{Reg: c.Dst}
	}
	return ir.IntConst(ir.I32, 0)
}

// parameters are those of the prototype that a call is of; nil where there is none.
func parameters(x *cc.PostfixExpression) []*cc.Parameter {
	t := x.PostfixExpression.Type()
	if p, ok := t.Decay().(*cc.PointerType); ok {
		t = p.Elem()
	}
	if ft, ok := t.(*cc.FunctionType); ok {
		return ft.Parameters()
	}
	return nil
}

// numberArgs converts the arguments of a modelled function that are numbers to the types
// of its parameters.
func (l *lowerer) numberArgs(x *cc.PostfixExpression, vs []ir.Expr) {
	l.boolArgs(x, vs)
	for i, p := range parameters(x) {
		if i >= len(vs) || p.Type().Kind() == cc.Bool {
			continue
		}
		if t, ok := l.types.Type(p.Type().Decay()).(ir.Int); ok && ir.IsInt(vs[i].Type()) {
			vs[i] = l.conv(x, vs[i], t)
		}
	}
}

// boolArgs converts the arguments for parameters of type _Bool.
func (l *lowerer) boolArgs(x *cc.PostfixExpression, vs []ir.Expr) {
	for i, p := range parameters(x) {
		if i < len(vs) && p.Type().Kind() == cc.Bool {
			vs[i] = l.convTo(x, vs[i], p.Type())
		}
	}
}

func (l *lowerer) indirect(x *cc.PostfixExpression) ir.Expr {
	fn := l.expr(x.PostfixExpression)
	ft, ok := fn.Type().(ir.Ptr)
	if !ok {
		l.fail(x, "call of something that is not a function")
	}
	t, ok := ft.Elem.(ir.FuncType)
	if !ok {
		t = ir.FuncType{Result: l.types.Type(x.Type()), Variadic: true}
		fn = ir.Cast{X: fn, T: ir.Ptr{Elem: t}}
	}
	fn = l.hold(x, fn)
	vs := l.values(args(x))
	l.throughPointer(x, vs)
	return l.emitCall(x, fn, t, vs)
}

// external is a call of a function that nothing is known about: it may read and write
// whatever its arguments reach.
func (l *lowerer) external(x *cc.PostfixExpression, f *ir.Func, d *cc.Declarator) ir.Expr {
	vs := l.values(args(x))
	if l.opts.IgnoreExterns {
		l.warn("extern-ignored", x, f.Name, "%s is external and not modelled: assumed to do nothing", f.Name)
	} else {
		text := "%s is external and not modelled: it may read and write what its arguments reach, but nothing else, keeps no address of it for later calls, takes and releases no locks and starts no threads"
		if l.core() {
			text += "; what it gets as void *, without a size, it hands back as it is; objects that the kernel made it accesses under the kernel's own locks, and what is behind a pointer to const, with what that leads to, it only reads"
		}
		l.warn("extern-call", x, f.Name, text, f.Name)
		l.endsByName(x, f.Name, vs)
		for i, v := range vs {
			l.touch(x, f, d, i, v)
		}
		l.frees(x, f.Name, vs)
	}
	if isStruct(x.Type()) {
		return l.returnedStruct(x, f.Name)
	}
	l.allocates(x, f.Name)
	v := l.returned(x, l.types.Type(x.Type().Decay()))
	if !l.opts.IgnoreExterns {
		l.startsByName(x, f.Name, vs, v)
	}
	return v
}

// warn records an assumption once for each function.
func (l *lowerer) warn(kind string, n cc.Node, key, format string, a ...any) {
	if !l.warned[kind+key] {
		l.warned[kind+key] = true
		l.keys[len(l.p.Assumptions)] = kind + key
		l.p.Assume(kind, pos(n.Position()), format, a...)
	}
}

// touch is the effect of passing v to an unknown function.
func (l *lowerer) touch(x *cc.PostfixExpression, f *ir.Func, d *cc.Declarator, i int, v ir.Expr) {
	if !l.u.core && !ir.IsPtr(v.Type()) {
		v = addressIn(v)
	}
	pt, ok := v.Type().(ir.Ptr)
	if !ok || isNull(v) {
		return
	}
	if _, fn := pt.Elem.(ir.FuncType); fn {
		l.gets(x, f.Name, v)
		return
	}
	write := true
	if c, lit := base(v).(ir.GlobalAddr); lit && c.Global.Const {
		if _, table := c.Global.Type.(*ir.Struct); !table && !leadsOn(c.Global.Type) {
			return
		}
		write = false
	}
	if l.core() && l.cookie(d, i) {
		v = l.hold(x, v) // what type it had is not known there
	}
	inner := !write && !l.u.core && leadsOn(pt.Elem)
	if to := constParameter(d, i); to != nil {
		st, isStruct := pt.Elem.(*ir.Struct)
		// what it is const for, the functions in it are not
		write = write && !l.u.core && isStruct && callsBack(st)
		inner = !write && !l.u.core && (l.leadsToWritable(to) || to.Kind() == cc.Void && leadsOn(pt.Elem))
	}
	t := &ir.Touch{Base: at(x), Addr: v, Read: true, Write: write, Deep: true, Core: l.core(), Why: f.Name}
	t.Perhaps = !l.u.core
	l.emit(t)
	if inner { // a pointer to const says nothing of what is behind pointers there
		l.emit(&ir.Touch{Base: at(x), Addr: v, Write: true, Deep: true, Inner: true,
			Perhaps: true, Why: f.Name})
	}
}

// constParameter is what a parameter of a function leads to, where that is const; else
// nil.
func constParameter(d *cc.Declarator, i int) cc.Type {
	if d == nil {
		return nil
	}
	ft, ok := d.Type().(*cc.FunctionType)
	if !ok || i >= len(ft.Parameters()) {
		return nil
	}
	p, ok := ft.Parameters()[i].Type().Decay().(*cc.PointerType)
	if !ok || !p.Elem().Attributes().IsConst() {
		return nil
	}
	return p.Elem()
}

// leadsToWritable reports whether values of a type have pointers to what is not const.
// What the parser knows of members does not say what they point to.
func (l *lowerer) leadsToWritable(t cc.Type) bool {
	p, ok := t.(*cc.PointerType)
	if !ok {
		return leadsOn(l.types.Type(t))
	}
	_, fn := p.Elem().(*cc.FunctionType)
	return !fn && (!p.Elem().Attributes().IsConst() || l.leadsToWritable(p.Elem()))
}

// leadsOn reports whether values of a type have pointers to data.
func leadsOn(t ir.Type) bool {
	switch x := t.(type) {
	case ir.Array:
		return leadsOn(x.Elem)
	case *ir.Struct:
		return slices.ContainsFunc(x.Fields, func(f ir.Field) bool { return leadsOn(f.Type) })
	case ir.Ptr:
		_, fn := x.Elem.(ir.FuncType)
		return !fn
	}
	return false
}

// addressIn is the pointer that an integer was made of.
func addressIn(v ir.Expr) ir.Expr {
	for e := v; ; {
		c, ok := e.(ir.Cast)
		if !ok {
			return v
		}
		if e = c.X; ir.IsPtr(e.Type()) {
			return e
		}
	}
}

// gets makes a function that another one gets an entry point.
func (l *lowerer) gets(x *cc.PostfixExpression, name string, v ir.Expr) {
	l.p.Assume("extern-callback", pos(x.Position()), "%s gets a function: it is assumed to be called later, as an entry point of its own", name)
	l.emit(&ir.Register{Base: at(x), API: name, Fn: v, Kinds: []string{"callback"}})
}

// core reports whether functions that are not seen are the kernel's.
func (l *lowerer) core() bool {
	main := l.program.funcs["main"]
	return l.u.core && (main == nil || main.Extern)
}

// base strips address arithmetic.
func base(e ir.Expr) ir.Expr {
	for {
		switch x := e.(type) {
		case ir.FieldAddr:
			e = x.Base
		case ir.IndexAddr:
			e = x.Base
		case ir.Cast:
			e = x.X
		default:
			return e
		}
	}
}

// builtin lowers the compiler's own functions; ok is false for other names.
func (l *lowerer) builtin(x *cc.PostfixExpression, name string, as []cc.ExpressionNode) (ir.Expr, bool) {
	if v, ok := l.atomicBuiltin(x, name, as); ok {
		return v, true
	}
	if name == "__ccgo__types_compatible_p" && len(as) == 2 {
		same := ir.Equal(l.types.Type(as[0].Type()), l.types.Type(as[1].Type()))
		return ir.Cast{X: ir.BoolConst(same), T: ir.I32}, true
	}
	if !strings.HasPrefix(name, "__builtin_") && name != "__whoop_va_arg" {
		return nil, false
	}
	t := l.types.Type(x.Type().Decay())
	switch name {
	case "__builtin_expect", "__builtin_expect_with_probability", "__builtin_assume_aligned":
		v := l.expr(as[0])
		for _, a := range as[1:] {
			l.effect(a)
		}
		return v, true
	case "__builtin_unreachable", "__builtin_trap":
		kind := "unreachable"
		if name == "__builtin_trap" { // ends the program
			kind = "abort"
		}
		l.end(&ir.Stop{TermBase: ir.TermBase{Pos: pos(x.Position())}, Kind: kind})
		l.revive()
		return ir.IntConst(ir.I32, 0), true
	case "__builtin_choose_expr":
		if n, ok := intValue(as[0]); ok && len(as) == 3 {
			if n.Sign() != 0 {
				return l.expr(as[1]), true
			}
			return l.expr(as[2]), true
		}
		return l.havoc(x, t), true
	case "__builtin_constant_p", "__builtin_types_compatible_p", "__builtin_offsetof", "__builtin_object_size":
		if n, ok := intValue(x); ok {
			return l.constant(x, n), true
		}
		if name == "__builtin_constant_p" {
			return ir.IntConst(ir.I32, 0), true
		}
		return l.havoc(x, t), true
	case "__builtin_va_start":
		if len(as) > 0 {
			l.startList(x, as[0])
		}
		return ir.IntConst(ir.I32, 0), true
	case "__builtin_va_copy":
		if len(as) == 2 {
			l.store(x, l.lvalue(as[0]), l.expr(as[1]))
		}
		return ir.IntConst(ir.I32, 0), true
	case "__whoop_va_arg":
		l.fail(x, "a variadic argument of unknown type")
	case "__builtin_va_end", "__builtin_prefetch", "__builtin___clear_cache":
		return ir.IntConst(ir.I32, 0), true
	case "__builtin_alloca", "__builtin_alloca_with_align":
		if len(as) > 0 {
			r := l.temp(ir.Ptr{Elem: ir.U8})
			l.emit(&ir.Alloc{Base: at(x), Dst: r, Elem: ir.U8, Count: l.conv(x, l.expr(as[0]), ir.U64), Kind: "stack", Name: "alloca"})
			return l.conv(x, ir.Use{Reg: r}, t), true
		}
	}
	if v, ok := l.mathBuiltin(x, name, as); ok {
		return v, true
	}
	plain := strings.TrimPrefix(strings.TrimSuffix(name, "_chk"), "__builtin_")
	plain = strings.TrimPrefix(plain, "__")
	if m := l.m.Func(plain); m != nil {
		return l.modelled(x, plain, m, as), true
	}
	vs := l.values(as)
	if strings.HasSuffix(name, "_overflow") && len(vs) == 3 && ir.IsPtr(vs[2].Type()) {
		l.emit(&ir.Touch{Base: at(x), Addr: vs[2], Write: true, Why: name})
		return l.havoc(x, t), true
	}
	for _, v := range vs {
		if ir.IsPtr(v.Type()) {
			l.warn("extern-call", x, name, "%s is not modelled: it may read and write what its arguments reach, but takes and releases no locks and starts no threads", name)
			l.emit(&ir.Touch{Base: at(x), Addr: v, Read: true, Write: true, Deep: true, Perhaps: true, Why: name})
		}
	}
	return l.havoc(x, t), true
}

// atomicBuiltin lowers __atomic_* and __sync_*.
func (l *lowerer) atomicBuiltin(x *cc.PostfixExpression, name string, as []cc.ExpressionNode) (ir.Expr, bool) {
	if (name == "__whoop_atomic_init" || name == typedPrefix+"__c11_atomic_init") && len(as) == 2 {
		vs := l.values(as)
		t := l.inMemory(x, l.cell(as[0]))
		if _, ok := t.(*ir.Struct); ok && ir.IsPtr(vs[1].Type()) {
			l.copy(x, vs[0], vs[1], t, ir.Plain)
			return ir.IntConst(ir.I32, 0), true
		}
		// C11 7.17.2.2: not atomic
		l.emit(&ir.Store{Base: at(x), Addr: vs[0], Val: l.conv(x, vs[1], t), Order: ir.Plain})
		return ir.IntConst(ir.I32, 0), true
	}
	if f := l.unit.function(name); f != nil && !f.Extern {
		return nil, false // the program's own
	}
	name = l.atomicName(x, name)
	op, ok := atomicOperation(name)
	if !ok {
		return nil, false
	}
	if op == "thread_fence" || op == "signal_fence" || op == "synchronize" {
		l.emit(&ir.Fence{Base: at(x), Order: ir.SeqCst})
		return ir.IntConst(ir.I32, 0), true
	}
	if op == "always_lock_free" || op == "is_lock_free" {
		for _, a := range as {
			l.effect(a)
		}
		return ir.IntConst(ir.U8, 1), true
	}
	if op == "load" && len(as) == 3 {
		if r := l.registerAt(as[1]); r != nil {
			a := l.expr(as[0])
			v := l.temp(l.inMemory(x, l.cell(as[0])))
			l.emit(&ir.Load{Base: at(x), Dst: v, Addr: a, Order: memoryOrder(name, as)})
			l.emit(&ir.Assign{Base: at(x), Dst: r, X: l.conv(x, ir.Use{Reg: v}, r.Type)})
			return ir.IntConst(ir.I32, 0), true
		}
	}
	vs := l.values(as)
	if len(vs) == 0 {
		return nil, false
	}
	t := l.atomicCell(x, name, as[0])
	if op == "test_and_set" || op == "clear" { // a flag may be a struct of its byte
		vs[0], t = firstCell(vs[0], t)
	} else {
		t = l.inMemory(x, t)
	}
	if s, ok := t.(*ir.Struct); ok {
		return l.atomicStruct(x, name, op, s, vs, as), true
	}
	v, ok := l.atomicOp(x, name, op, t, vs, as)
	if ok && sizeSuffix.MatchString(name) && x.Type().Kind() != cc.Void { // no macro casts it
		v = l.convTo(x, v, x.Type())
	}
	return v, ok
}

// cell is the type of what an operation's pointer points to.
func (l *lowerer) cell(e cc.ExpressionNode) ir.Type {
	pt, ok := e.Type().Decay().(*cc.PointerType)
	if !ok {
		l.fail(e, "an operation on memory, of something that is no pointer")
	}
	return l.types.Type(pt.Elem())
}

// inMemory gives up where a type is none of memory.
func (l *lowerer) inMemory(n cc.Node, t ir.Type) ir.Type {
	switch t.(type) {
	case ir.Void, ir.FuncType:
		l.fail(n, "an operation on memory that has no type of its own")
	}
	return t
}

func (l *lowerer) atomicOp(x *cc.PostfixExpression, name, op string, t ir.Type, vs []ir.Expr, as []cc.ExpressionNode) (ir.Expr, bool) {
	a, order := vs[0], memoryOrder(name, as)
	val := func(i int) ir.Expr {
		if i < len(vs) {
			if pt, ok := as[0].Type().Decay().(*cc.PointerType); ok && pt.Elem().Kind() == cc.Bool {
				return l.hold(x, l.convTo(x, vs[i], pt.Elem()))
			}
			return l.hold(x, l.conv(x, vs[i], t))
		}
		return l.havoc(x, t)
	}
	deref := func(i int) ir.Expr { // the generic forms take pointers to values
		r := l.temp(t)
		l.emit(&ir.Load{Base: at(x), Dst: r, Addr: vs[i], Order: ir.Plain})
		return ir.Use{Reg: r}
	}
	generic := isGeneric(name)
	rmw := func(rop string, v ir.Expr) *ir.Reg {
		r := l.temp(t)
		l.emit(&ir.RMW{Base: at(x), Dst: r, Op: rop, Addr: a, Val: v, Order: order})
		return r
	}
	switch op {
	case "load":
		r := l.temp(t)
		l.emit(&ir.Load{Base: at(x), Dst: r, Addr: a, Order: order})
		if generic && len(vs) == 3 {
			l.emit(&ir.Store{Base: at(x), Addr: vs[1], Val: ir.Use{Reg: r}, Order: ir.Plain})
		}
		return ir.Use{Reg: r}, true
	case "store":
		v := val(1)
		if generic {
			v = deref(1)
		}
		l.emit(&ir.Store{Base: at(x), Addr: a, Val: v, Order: order})
		return ir.IntConst(ir.I32, 0), true
	case "exchange", "lock_test_and_set", "swap":
		if op == "exchange" && generic && len(vs) >= 3 {
			r := rmw("xchg", deref(1))
			l.emit(&ir.Store{Base: at(x), Addr: vs[2], Val: ir.Use{Reg: r}, Order: ir.Plain})
			return ir.IntConst(ir.I32, 0), true
		}
		return ir.Use{Reg: rmw("xchg", val(1))}, true
	case "test_and_set":
		return l.testAndSet(x, a, t, order), true
	case "clear":
		l.clearFlag(x, a, t, order)
		return ir.IntConst(ir.I32, 0), true
	case "lock_release":
		l.emit(&ir.Store{Base: at(x), Addr: a, Val: l.zero(t), Order: ir.Release})
		return ir.IntConst(ir.I32, 0), true
	case "bool_compare_and_swap", "val_compare_and_swap":
		old, ok := l.temp(t), l.temp(ir.Bool{})
		l.emit(&ir.CmpXchg{Base: at(x), Dst: old, OK: ok, Addr: a, Expected: val(1), New: val(2), Order: ir.SeqCst})
		if op[0] == 'b' {
			return ir.Cast{X: ir.Use{Reg: ok}, T: ir.U8}, true
		}
		return ir.Use{Reg: old}, true
	case "compare_exchange":
		nv := val(2)
		if generic {
			nv = deref(2)
		}
		old, ok := l.temp(t), l.temp(ir.Bool{})
		l.compares(vs[1])
		l.emit(&ir.CmpXchg{Base: at(x), Dst: old, OK: ok, Addr: a, Expected: deref(1), New: nv, Order: order, Weak: weakExchange(as)})
		yes, no := l.block("failed"), l.block("swapped")
		l.branch(pos(x.Position()), ir.Use{Reg: ok}, no, yes)
		l.start(yes)
		l.emit(&ir.Store{Base: at(x), Addr: vs[1], Val: ir.Use{Reg: old}, Order: ir.Plain})
		l.jump(pos(x.Position()), no)
		l.start(no)
		return ir.Cast{X: ir.Use{Reg: ok}, T: ir.U8}, true
	}
	if pt, ok := t.(ir.Ptr); ok {
		unit := int64(1)
		if strings.HasPrefix(name, "__c11_") {
			unit = l.elemSize(x, as[0].Type().Decay().(*cc.PointerType).Elem())
		}
		if v, ok := l.atomicPointer(x, op, a, pt, vs, unit, order); ok {
			return v, true
		}
	}
	if (op == "fetch_max" || op == "fetch_min") && ir.IsInt(t) {
		return l.extremum(x, op, a, t, val(1), order), true
	}
	if o, before, ok := readModifyWrite(op); ok && ir.IsInt(t) {
		v := val(1)
		old := rmw(o, v)
		if before {
			return ir.Use{Reg: old}, true
		}
		return l.hold(x, newValue(o, ir.Use{Reg: old}, v)), true
	}
	l.fail(x, "atomic builtin %s", name)
	return nil, false
}

// atomicPointer adds to an atomic pointer, or subtracts, in a unit of so many bytes:
// gcc's functions count bytes, clang's __c11 ones elements (C11 7.17.7.5 leaves it open).
// There is no such instruction: a section that reads and writes.
func (l *lowerer) atomicPointer(x cc.Node, op string, a ir.Expr, t ir.Ptr, vs []ir.Expr, unit int64, order ir.Order) (ir.Expr, bool) {
	var name string
	before := true
	switch op {
	case "fetch_add", "fetch_and_add", "fetch_sub", "fetch_and_sub":
		name = op[len(op)-3:]
	case "add_fetch", "add_and_fetch", "sub_fetch", "sub_and_fetch":
		name, before = op[:3], false
	default:
		return nil, false
	}
	if len(vs) < 2 || !ir.IsInt(vs[1].Type()) {
		return nil, false
	}
	a, d := l.hold(x, a), l.hold(x, l.conv(x, vs[1], ir.I64))
	l.emit(&ir.AtomicBegin{Base: at(x)})
	old := l.temp(t)
	l.emit(&ir.Load{Base: at(x), Dst: old, Addr: a, Order: order})
	v := l.hold(x, l.offset(x, ir.Use{Reg: old}, d, name, unit))
	l.emit(&ir.Store{Base: at(x), Addr: a, Val: v, Order: order})
	l.emit(&ir.AtomicEnd{Base: at(x)})
	if before {
		return ir.Use{Reg: old}, true
	}
	return v, true
}

// readModifyWrite is the operator of a function that changes a number, and whether it
// returns what the number was before.
func readModifyWrite(op string) (operator string, before, ok bool) {
	for _, o := range []string{"add", "sub", "and", "or", "xor", "nand"} {
		switch op {
		case "fetch_" + o, "fetch_and_" + o:
			return o, true, true
		case o + "_fetch", o + "_and_fetch":
			return o, false, true
		}
	}
	return "", false, false
}

// newValue is the value after a read-modify-write.
func newValue(op string, old, v ir.Expr) ir.Expr {
	if op == "nand" {
		return ir.Unary{Op: "not", X: ir.Binary{Op: "and", X: old, Y: v}}
	}
	return ir.Binary{Op: op, X: old, Y: v}
}
