package golang

import (
	"go/constant"
	"go/types"
	"math/big"

	"golang.org/x/tools/go/ssa"

	"whoop/ir"
)

// value is a Go value as its leaves.
type value []ir.Expr

// layoutOf is the layout of a value's type.
func (l *lowering) layoutOf(v ssa.Value) *layout { return l.lay.of(v.Type()) }

// zero is the zero value of a type.
func (x *fn) zero(t types.Type) value {
	var out value
	for _, lf := range x.lay.of(t).leaves {
		out = append(out, x.zeroLeaf(lf))
	}
	return out
}

func (x *fn) zeroLeaf(lf leaf) ir.Expr {
	switch t := lf.t.(type) {
	case ir.Int:
		return ir.IntConst(t, 0)
	case ir.Ptr:
		if lf.blob == nil {
			return ir.Null{T: t}
		}
		r := x.temp(t)
		x.emit(&ir.Alloc{Base: x.base(), Dst: r, Elem: lf.blob, Count: ir.IntConst(ir.U64, 1), Kind: "stack", Zero: true, Name: "zero"})
		return ir.Use{Reg: r}
	}
	panic("a leaf is an integer or a pointer")
}

// arbitrary is any value of a type. Pointers in it are null or to fresh objects: see
// fromOutside for others.
func (x *fn) arbitrary(t types.Type) value {
	if x.Exact {
		return x.unknownValue(t)
	}
	var out value
	for _, lf := range x.lay.of(t).leaves {
		if ir.IsPtr(lf.t) {
			out = append(out, x.zeroLeaf(lf))
		} else {
			out = append(out, x.havoc(lf.t))
		}
	}
	return out
}

func (x *fn) havoc(t ir.Type) ir.Expr {
	if !x.unused {
		x.inexact()
	}
	r := x.temp(t)
	x.emit(&ir.Havoc{Base: x.base(), Dst: r})
	return ir.Use{Reg: r}
}

// inexact notes that the program does more than the Go program here: what is proved of it
// holds, but what it may do wrong need not be possible. The first place is enough.
func (x *fn) inexact() {
	if x.Exact {
		x.cut(x.notExact())
		return
	}
	if !x.approximate {
		x.approximate = true
		x.p.Assume("inexact", x.pos, "the lowering does more than the Go program from here on: its races need not be real")
	}
}

// load reads a value from memory.
func (x *fn) load(t types.Type, addr ir.Expr, order ir.Order) value {
	var out value
	for _, lf := range x.lay.of(t).leaves {
		r := x.temp(lf.t)
		if lf.blob != nil {
			x.emit(&ir.Alloc{Base: x.base(), Dst: r, Elem: lf.blob, Count: ir.IntConst(ir.U64, 1), Kind: "heap"})
			x.emit(&ir.MemCopy{Base: x.base(), Dst: ir.Use{Reg: r}, Src: lf.addr(addr), Size: ir.IntConst(ir.U64, lf.blob.Size()), Elem: lf.blob, Order: order})
		} else {
			x.emit(&ir.Load{Base: x.base(), Dst: r, Addr: lf.addr(addr), Order: order})
		}
		out = append(out, ir.Use{Reg: r})
	}
	return out
}

// store writes a value to memory.
func (x *fn) store(t types.Type, addr ir.Expr, v value, order ir.Order) {
	for i, lf := range x.lay.of(t).leaves {
		if lf.blob != nil {
			x.emit(&ir.MemCopy{Base: x.base(), Dst: lf.addr(addr), Src: v[i], Size: ir.IntConst(ir.U64, lf.blob.Size()), Elem: lf.blob, Order: order})
		} else {
			x.emit(&ir.Store{Base: x.base(), Addr: lf.addr(addr), Val: typed(v[i], lf.t), Order: order})
		}
	}
}

// typed converts between pointer types where a cell's type matters.
func typed(e ir.Expr, t ir.Type) ir.Expr {
	if ir.Equal(e.Type(), t) {
		return e
	}
	if n, ok := e.(ir.Null); ok && ir.IsPtr(t) {
		n.T = t.(ir.Ptr)
		return n
	}
	return ir.Cast{X: e, T: t}
}

// constant is a Go constant.
func (x *fn) constant(c *ssa.Const) value {
	if c.Value == nil {
		return x.zero(c.Type())
	}
	lay := x.lay.of(c.Type())
	if len(lay.leaves) != 1 {
		return x.arbitrary(c.Type()) // a constant of a type parameter's type
	}
	t, ok := lay.leaves[0].t.(ir.Int)
	if !ok {
		if i, exact := constant.Int64Val(constant.ToInt(c.Value)); exact {
			// uintptr constants as unsafe.Pointer
			return value{ir.Cast{X: ir.IntConst(ir.U64, i), T: lay.leaves[0].t}}
		}
		return x.arbitrary(c.Type())
	}
	switch b, _ := c.Type().Underlying().(*types.Basic); {
	case c.Value.Kind() == constant.Bool:
		return value{boolConst(constant.BoolVal(c.Value))}
	case b != nil && b.Info()&types.IsInteger != 0:
		v, ok := new(big.Int).SetString(constant.ToInt(c.Value).ExactString(), 10)
		if ok {
			return value{ir.Const{T: t, Val: ir.Wrap(t, v)}}
		}
	}
	return value{x.text(c.Value.ExactString())}
}

func boolConst(b bool) ir.Expr {
	if b {
		return ir.IntConst(boolT, 1)
	}
	return ir.IntConst(boolT, 0)
}

// cond is a Go bool as a condition.
func cond(e ir.Expr) ir.Expr {
	if c, ok := e.(ir.Cast); ok && ir.Equal(c.X.Type(), ir.Bool{}) {
		return c.X
	}
	if c, ok := e.(ir.Const); ok {
		return ir.BoolConst(c.Val.Sign() != 0)
	}
	return ir.Cast{X: e, T: ir.Bool{}}
}

// truth is a condition as a Go bool.
func truth(c ir.Expr) ir.Expr { return ir.Cast{X: c, T: boolT} }

func bin(op string, a, b ir.Expr) ir.Expr { return ir.Binary{Op: op, X: a, Y: b} }

func not(c ir.Expr) ir.Expr { return ir.Unary{Op: "lnot", X: c} }

// isNil says that the scalar is the null pointer, or the number 0.
func isNil(e ir.Expr) ir.Expr {
	if p, ok := e.Type().(ir.Ptr); ok {
		return bin("eq", e, ir.Null{T: p})
	}
	return bin("eq", e, ir.IntConst(e.Type().(ir.Int), 0))
}

// hold puts an expression into a register, so that it can be used after what it reads has
// changed.
func (x *fn) hold(e ir.Expr) ir.Expr {
	switch e.(type) {
	case ir.Use, ir.Const, ir.Null, ir.GlobalAddr, ir.FuncAddr:
		return e
	}
	r := x.temp(e.Type())
	x.emit(&ir.Assign{Base: x.base(), Dst: r, X: e})
	return ir.Use{Reg: r}
}

func (x *fn) holdAll(v value) value {
	out := make(value, len(v))
	for i, e := range v {
		out[i] = x.hold(e)
	}
	return out
}

// size counts the nodes of an expression.
func size(e ir.Expr) int {
	n := 0
	ir.WalkExpr(e, func(ir.Expr) bool { n++; return true })
	return n
}
