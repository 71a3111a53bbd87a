package c

import (
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// Leaving blocks and functions other than by their ends. Where longjmp goes on is not followed: a setjmp that returns again calls a function that is not understood, so
// that what the threads do that get there is undecided, and nothing else. Cleanup handlers that are pushed around a call of pthread_exit, in the same function, are called.

// nonlocal lowers setjmp and longjmp, by whatever names; ok is false for other functions.
func (l *lowerer) nonlocal(x *cc.PostfixExpression, name string, as []cc.ExpressionNode) (ir.Expr, bool) {
	switch name {
	case "setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "__builtin_setjmp":
		l.values(as)
		p, again, on := pos(x.Position()), l.block("again"), l.block("set")
		r := l.temp(ir.I32)
		l.emit(&ir.Assign{Base: at(x), Dst: r, X: ir.IntConst(ir.I32, 0)})
		l.jump(p, on, again)
		l.start(again)
		l.emit(&ir.Call{Base: at(x), Callee: ir.FuncAddr{Func: l.returnsAgain(p)}})
		l.emit(&ir.Havoc{Base: at(x), Dst: r})
		l.jump(p, on)
		l.start(on)
		return ir.Use{Reg: r}, true
	case "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk", "__builtin_longjmp":
		l.values(as)
		l.end(&ir.Stop{TermBase: ir.TermBase{Pos: pos(x.Position())}, Kind: "unreachable"})
		l.revive()
		return ir.IntConst(ir.I32, 0), true
	}
	return nil, false
}

// returnsAgain is the function that stands for what is not followed.
func (pr *program) returnsAgain(at ir.Pos) *ir.Func {
	const name = "setjmp.again"
	f := pr.funcs[name]
	if f == nil {
		f = &ir.Func{Name: name, Result: ir.Void{}, Unknown: "setjmp returns again, after longjmp", Pos: at}
		pr.funcs[name] = f
		pr.p.Funcs = append(pr.p.Funcs, f)
		pr.p.Assume("unknown-function", at, "where setjmp returns again, after longjmp, is not followed")
	}
	return f
}

// handler is a cleanup handler with its argument.
type handler struct{ fn, arg *ir.Reg }

// cleanup lowers the functions that the macros pthread_cleanup_push and pthread_cleanup_pop call: between them a handler is pushed. Popping calls it by itself.
func (l *lowerer) cleanup(x *cc.PostfixExpression, name string) bool {
	switch name {
	case "__pthread_register_cancel", "__pthread_register_cancel_defer":
		fn, arg := l.variable("__cancel_routine"), l.variable("__cancel_arg")
		if fn == nil || arg == nil {
			return false
		}
		l.handlers = append(l.handlers, handler{fn, arg})
		l.pushes[l.f] = true
	case "__pthread_unregister_cancel", "__pthread_unregister_cancel_restore":
		if n := len(l.handlers); n > 0 {
			l.handlers = l.handlers[:n-1]
		}
	default:
		return false
	}
	return true
}

// variable is the register of the local variable of a name that was declared last, nil where there is none.
func (l *lowerer) variable(name string) *ir.Reg {
	for _, r := range slices.Backward(l.f.Regs) {
		if r.Name == name || strings.HasPrefix(r.Name, name+"#") {
			return r
		}
	}
	return nil
}

// cancelCall is a call of pthread_cancel; a declaration has a type before the name.
var cancelCall = regexp.MustCompile(`(?m)(?:^|[;{}(),=!&|?:]|\breturn\b|\belse\b|\bdo\b)\s*pthread_cancel\s*\(`)

// cancellable reports whether a thread may end in a call of a function where it is cancelled: a cancellation point, or, where handlers are pushed here, any
// function of the program.
func (l *lowerer) cancellable(name string) bool {
	if l.f.Name == "main" {
		return false
	}
	f := l.unit.function(name)
	return l.m.CancellationPoints[name] && (f == nil || f.Extern) || len(l.handlers) > 0 && (name == "" || f != nil && !f.Extern)
}

// cancelPoint lets the thread end here, or not, after its handlers. Whether it was cancelled is not followed.
func (l *lowerer) cancelPoint(x cc.Node) {
	if l.cur == nil {
		return
	}
	p, r, ends, on := pos(x.Position()), l.temp(ir.Bool{}), l.block("cancelled"), l.block("on")
	l.emit(&ir.Havoc{Base: at(x), Dst: r})
	l.branch(p, ir.Use{Reg: r}, ends, on)
	l.start(ends)
	l.runHandlers(x)
	l.end(&ir.Stop{TermBase: ir.TermBase{Pos: p}, Kind: "exit"})
	l.start(on)
}

func (l *lowerer) runHandlers(x cc.Node) {
	for _, h := range slices.Backward(l.handlers) {
		l.emit(&ir.Call{Base: at(x), Callee: ir.Use{Reg: h.fn}, Args: []ir.Expr{ir.Use{Reg: h.arg}}})
	}
}

// endThread calls the handlers that are pushed in this function, the last one first.
func (l *lowerer) endThread(x cc.Node) {
	l.runHandlers(x)
	if _, known := l.threadEnds[l.f]; !known {
		l.threadEnds[l.f] = pos(x.Position())
	}
}

// otherHandlers notes where a thread may end in a function that is called while handlers of another one are pushed.
func (pr *program) otherHandlers() {
	for _, f := range pr.p.Funcs {
		at, ends := pr.threadEnds[f]
		if ends && (len(pr.pushes) > 1 || len(pr.pushes) == 1 && !pr.pushes[f]) {
			pr.p.Assume("unmodelled", at, "pthread_exit: that cleanup handlers run which callers have pushed")
		}
	}
}
