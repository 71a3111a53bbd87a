package c

import (
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// Atomic builtin functions of compilers, and the functions of <stdatomic.h>.

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
