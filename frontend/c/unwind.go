package c

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// Leaving blocks and functions other than by their ends. Where longjmp goes on is not
// followed: a setjmp that returns again calls a function that is not understood, so that
// what the threads do that get there is undecided, and nothing else. Cleanup handlers:
// threadend.go.

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
	if pr.funcs[name] == nil {
		pr.p.Assume("unknown-function", at, "where setjmp returns again, after longjmp, is not followed")
	}
	return pr.unknownFunction(name, "setjmp returns again, after longjmp", at)
}

// cleanup lowers the functions that the macros pthread_cleanup_push and
// pthread_cleanup_pop call: between them a handler is pushed. Popping calls it by itself.
func (l *lowerer) cleanup(x *cc.PostfixExpression, name string) bool {
	switch name {
	case "__pthread_register_cancel", "__pthread_register_cancel_defer":
		fn, arg := l.variable("__cancel_routine"), l.variable("__cancel_arg")
		if fn == nil || arg == nil {
			return false
		}
		l.push(x, fn, arg)
	case "__pthread_unregister_cancel", "__pthread_unregister_cancel_restore":
		if n := len(l.handlers); n > 0 {
			l.unlist(x, l.handlers[n-1])
			l.handlers = l.handlers[:n-1]
		}
	default:
		return false
	}
	return true
}

// variable is the register of the local variable of a name that was declared last, nil
// where there is none.
func (l *lowerer) variable(name string) *ir.Reg {
	for _, r := range slices.Backward(l.f.Regs) {
		if r.Name == name || strings.HasPrefix(r.Name, name+"#") {
			return r
		}
	}
	return nil
}
