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

// externalText is what is assumed of a function that nothing is known about.
const externalText = "%s is external and not modelled: it may read and write what its arguments reach, but nothing else, keeps no address of it for later calls, takes and releases no locks and starts no threads"

// external is a call of a function that nothing is known about: it may read and write
// whatever its arguments reach.
func (l *lowerer) external(x *cc.PostfixExpression, f *ir.Func, d *cc.Declarator) ir.Expr {
	vs := l.values(args(x))
	if l.opts.IgnoreExterns {
		l.warn("extern-ignored", x, f.Name, "%s is external and not modelled: assumed to do nothing", f.Name)
	} else {
		text := externalText
		if l.core() {
			text += "; what it gets as void *, without a size, it hands back as it is; objects that the kernel made it accesses under the kernel's own locks, and what is behind a pointer to const, with what that leads to, it only reads"
		}
		l.warn("extern-call", x, f.Name, text, f.Name)
		l.endsByName(x, f.Name, vs)
		for i, v := range vs {
			if !l.visits(x, f.Name, v, vs) {
				l.touch(x, f, d, i, v)
			}
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

// throughPointers records the same assumption of a function whose address is taken, and
// which may so be called through a pointer. A driver's are mostly for the kernel to call.
func (pr *program) throughPointers(f *ir.Func, at ir.Pos) {
	main := pr.funcs["main"]
	kind, text := "extern-call", externalText
	if pr.opts.IgnoreExterns {
		kind, text = "extern-ignored", "%s is external and not modelled: assumed to do nothing"
	}
	if main == nil || main.Extern || pr.warned[kind+f.Name] {
		return
	}
	pr.warned[kind+f.Name] = true
	pr.p.Assume(kind, at, text, f.Name)
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

// visits lowers the calls of a function in an argument of one of the kernel's whose name
// says that it calls it for each of some objects: any number of times, one after the
// other, before it returns. What it gets as void *, the function gets; other pointers lead
// to objects of the kernel.
func (l *lowerer) visits(x *cc.PostfixExpression, name string, fn ir.Expr, vs []ir.Expr) bool {
	p, _ := fn.Type().(ir.Ptr)
	ft, isFunc := p.Elem.(ir.FuncType)
	if !isFunc || isNull(fn) || !l.core() || l.cur == nil || ft.Variadic || !models.Visits(name) {
		return false
	}
	l.warn("registration", x, "visits "+name, "%s calls the functions that it gets before it returns, and not later", name)
	here, head, body, after := pos(x.Position()), l.block("visit"), l.block("visited"), l.block("visit.end")
	fn = l.hold(x, fn)
	l.jump(here, head)
	l.start(head)
	more := l.temp(ir.Bool{})
	l.emit(&ir.Havoc{Base: at(x), Dst: more})
	l.branch(here, ir.Use{Reg: more}, body, after)
	l.start(body)
	var args []ir.Expr
	for _, t := range ft.Params {
		v := l.returned(x, t)
		if ir.Equal(t, ir.VPtr) {
			v = l.oneOf(x, v, vs)
		}
		args = append(args, v)
	}
	call := &ir.Call{Base: at(x), Callee: fn, Args: args}
	if !ir.Equal(ft.Result, ir.Void{}) {
		call.Dst = l.temp(ft.Result)
	}
	l.emit(call)
	l.jump(here, head)
	l.start(after)
	return true
}

// oneOf is one of the pointers among vs, none of them to a function, or v.
func (l *lowerer) oneOf(x *cc.PostfixExpression, v ir.Expr, vs []ir.Expr) ir.Expr {
	for _, o := range vs {
		p, ok := o.Type().(ir.Ptr)
		if !ok || isNull(o) {
			continue
		}
		if _, fn := p.Elem.(ir.FuncType); fn {
			continue
		}
		which := l.temp(ir.Bool{})
		l.emit(&ir.Havoc{Base: at(x), Dst: which})
		v = ir.Select{C: ir.Use{Reg: which}, X: ir.Cast{X: o, T: ir.VPtr}, Y: v}
	}
	return v
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
