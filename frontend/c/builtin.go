package c

import (
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// Builtin functions of compilers, but for atomic ones.

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
