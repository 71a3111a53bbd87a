package c

import (
	"strings"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// Atomic operations on structs: copies in atomic sections, since instructions of the IR
// load and store numbers and pointers.

// atomicStruct lowers an operation of the __atomic_ functions on a struct of type t; name
// is the function's, op without what is said of the size. The values of the _n forms are
// addresses, as those of structs are, so that both forms are alike. The result is the
// address of a struct, too, where it is one.
func (l *lowerer) atomicStruct(x *cc.PostfixExpression, name, op string, t *ir.Struct, vs []ir.Expr, as []cc.ExpressionNode) ir.Expr {
	a, need := vs[0], map[string]int{"load": 1, "store": 2, "exchange": 2, "compare_exchange": 3}[op]
	if need == 0 || strings.HasPrefix(name, "__sync_") || len(vs) < need {
		l.fail(x, "%s of a struct", name)
	}
	for _, v := range vs[:need] {
		if !ir.IsPtr(v.Type()) {
			l.fail(x, "%s of a struct and of something that is none", name)
		}
	}
	generic := isGeneric(name)
	switch op {
	case "load":
		v := l.atomicLoad(x, a, t)
		if generic && len(vs) == 3 {
			l.copy(x, vs[1], v, t, ir.Plain)
		}
		return v
	case "store":
		l.atomicStore(x, a, l.snapshot(x, vs[1], t), t)
		return ir.IntConst(ir.I32, 0)
	case "exchange":
		v, old := l.snapshot(x, vs[1], t), l.stack("old", t, pos(x.Position()))
		l.emit(&ir.AtomicBegin{Base: at(x)})
		l.copy(x, old, a, t, ir.SeqCst)
		l.copy(x, a, v, t, ir.SeqCst)
		l.emit(&ir.AtomicEnd{Base: at(x)})
		if generic && len(vs) == 4 {
			l.copy(x, vs[2], old, t, ir.Plain)
		}
		return old
	}
	return l.swapStruct(x, t, vs, weakExchange(as))
}

// swapStruct is compare_exchange: a, the expected value and the new one are given by
// their addresses. A weak one may fail without cause.
func (l *lowerer) swapStruct(x *cc.PostfixExpression, t *ir.Struct, vs []ir.Expr, weak bool) ir.Expr {
	a, p := vs[0], pos(x.Position())
	expected, v, old := l.snapshot(x, vs[1], t), l.snapshot(x, vs[2], t), l.stack("old", t, p)
	swap, end := l.block("swap"), l.block("compared")
	failed, after := l.block("failed"), l.block("exchanged")
	l.emit(&ir.AtomicBegin{Base: at(x)})
	l.copy(x, old, a, t, ir.SeqCst)
	same := l.hold(x, l.sameStruct(x, old, expected, t))
	if weak {
		does := l.temp(ir.Bool{})
		l.emit(&ir.Havoc{Base: at(x), Dst: does, Input: true})
		same = l.hold(x, ir.Binary{Op: "land", X: same, Y: ir.Use{Reg: does}})
	}
	l.branch(p, same, swap, end)
	l.start(swap)
	l.copy(x, a, v, t, ir.SeqCst)
	l.jump(p, end)
	l.start(end)
	l.emit(&ir.AtomicEnd{Base: at(x)})
	l.branch(p, same, after, failed)
	l.start(failed)
	l.copy(x, vs[1], old, t, ir.Plain)
	l.jump(p, after)
	l.start(after)
	return ir.Cast{X: same, T: ir.I32}
}

// atomicLoad copies the struct at a at once, and returns the copy's address.
func (l *lowerer) atomicLoad(n cc.Node, a ir.Expr, t ir.Type) ir.Expr {
	v := l.stack("loaded", t, pos(n.Position()))
	l.emit(&ir.AtomicBegin{Base: at(n)})
	l.copy(n, v, a, t, ir.SeqCst)
	l.emit(&ir.AtomicEnd{Base: at(n)})
	return v
}

// atomicStore copies the struct at v, which is the thread's own, to a at once.
func (l *lowerer) atomicStore(n cc.Node, a, v ir.Expr, t ir.Type) {
	l.emit(&ir.AtomicBegin{Base: at(n)})
	l.copy(n, a, v, t, ir.SeqCst)
	l.emit(&ir.AtomicEnd{Base: at(n)})
}

// snapshot is a copy of the struct at p that is the thread's own.
func (l *lowerer) snapshot(n cc.Node, p ir.Expr, t ir.Type) ir.Expr {
	v := l.stack("value", t, pos(n.Position()))
	l.copy(n, v, p, t, ir.Plain)
	return v
}

func (l *lowerer) copy(n cc.Node, dst, src ir.Expr, t ir.Type, o ir.Order) {
	l.emit(&ir.MemCopy{Base: at(n), Dst: dst, Src: src, Size: ir.IntConst(ir.U64, t.Size()), Elem: t, Order: o})
}

// maxCompared bounds the numbers in a struct that is compared.
const maxCompared = 32

// sameStruct compares two structs byte by byte, which is what compare_exchange does: as
// the numbers they are made of. Where these are not all of it, equal numbers may be taken
// for different.
func (l *lowerer) sameStruct(n cc.Node, a, b ir.Expr, t *ir.Struct) ir.Expr {
	var same ir.Expr = ir.BoolConst(true)
	left, count := t.Size(), 0
	var walk func(a, b ir.Expr, t ir.Type)
	walk = func(a, b ir.Expr, t ir.Type) {
		switch t := t.(type) {
		case *ir.Struct:
			if t.Union {
				l.fail(n, "compare-exchange of a union")
			}
			end := int64(-1)
			for i, f := range t.Fields {
				if f.Offset > end { // not a second bit-field of a unit
					walk(ir.FieldAddr{Base: a, S: t, Index: i}, ir.FieldAddr{Base: b, S: t, Index: i}, f.Type)
					end = f.Offset
				}
			}
		case ir.Array:
			for i := int64(0); i < t.Len && count <= maxCompared; i++ {
				elem := func(p ir.Expr) ir.Expr {
					return ir.IndexAddr{Base: p, Idx: ir.IntConst(ir.I64, i), Stride: t.Elem.Size(), T: ir.Ptr{Elem: t.Elem}}
				}
				walk(elem(a), elem(b), t.Elem)
			}
		default:
			if count++; count > maxCompared || !ir.IsInt(t) && !ir.IsPtr(t) {
				l.fail(n, "compare-exchange of a struct with %s", t)
			}
			left -= t.Size()
			v, w := l.temp(t), l.temp(t)
			l.emit(&ir.Load{Base: at(n), Dst: v, Addr: a, Order: ir.Plain})
			l.emit(&ir.Load{Base: at(n), Dst: w, Addr: b, Order: ir.Plain})
			same = ir.Binary{Op: "land", X: same, Y: ir.Binary{Op: "eq", X: ir.Use{Reg: v}, Y: ir.Use{Reg: w}}}
		}
	}
	walk(a, b, t)
	switch {
	case left < 0:
		l.fail(n, "compare-exchange of a struct with bytes that belong to several members")
	case left > 0: // bytes between members are compared, too, and nothing says what they are
		same = ir.Binary{Op: "land", X: same, Y: l.havoc(n, ir.Bool{})}
	}
	return same
}
