package precise

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
	"whoop/ir/messages"
)

// maxSlots bounds how many elements a channel holds; executions in which it would be more
// are cut.
const maxSlots = 16

// chanCaps notes the capacities of the channels of each element type: the largest
// constant one, and whether others are 0, positive or not constant.
type chanCaps struct {
	most                  int64
	zero, some, arbitrary bool
}

func (l *Program) NoteCap(v *ssa.MakeChan) {
	k := form.Key(form.ElemOf(v.Type()))
	c := l.caps[k]
	if c == nil {
		c = &chanCaps{}
		l.caps[k] = c
	}
	switch n := constCap(v); {
	case n < 0:
		c.arbitrary = true
	case n == 0:
		c.zero = true
	default:
		c.some, c.most = true, max(c.most, n)
	}
}

// NoteClose notes that channels of an element type are closed.
func (l *Program) NoteClose(c *ssa.CallCommon) {
	if b, ok := c.Value.(*ssa.Builtin); ok && b.Name() == "close" {
		l.closed[form.Key(form.ElemOf(c.Args[0].Type()))] = true
	}
}

// constCap is the capacity where it is constant, else -1.
func constCap(v *ssa.MakeChan) int64 {
	if c, ok := v.Size.(*ssa.Const); ok && c.Value != nil {
		if n, exact := constant.Int64Val(constant.ToInt(c.Value)); exact {
			return n
		}
	}
	return -1
}

// SlotsOf is how many elements channels of a type may hold in memory.
func (l *Program) SlotsOf(u *types.Chan) int64 {
	c := l.caps[form.Key(u.Elem())]
	switch {
	case c == nil:
		return 1
	case c.arbitrary:
		return max(8, min(c.most, maxSlots))
	}
	return max(1, min(c.most, maxSlots))
}

// CapacityOf is the capacity of a channel where it is known, else -1.
func (x *Fn) CapacityOf(q ir.Expr, elem types.Type) int64 {
	if g, ok := q.(ir.GlobalAddr); ok && x.CapOf[g.Global] != nil {
		return constCap(x.CapOf[g.Global])
	}
	if k := x.caps[form.Key(elem)]; k != nil && k.zero && !k.some && !k.arbitrary {
		return 0
	}
	return -1
}

// IsClosed reports whether channels of an element type are closed.
func (l *Program) IsClosed(elem types.Type) bool { return l.closed[form.Key(elem)] }

func (x *Fn) MakeChan(v *ssa.MakeChan) ir.Expr {
	x.Ordered("makechan: size out of range", ir.IntConst(irgen.IntT, 0), irgen.Typed(x.One(v.Size), irgen.IntT))
	p := x.Made(v, "chan")
	s := x.lay.ChanObject(v.Type().Underlying().(*types.Chan))
	x.set(ir.FieldAddr{Base: p, S: s, Index: messages.Cap}, x.Hold(irgen.Typed(x.One(v.Size), ir.I32)))
	return p
}

// ChanLength is len or cap of a channel.
func (x *Fn) ChanLength(v ssa.Value, capacity bool) ir.Expr {
	u := v.Type().Underlying().(*types.Chan)
	s := x.lay.ChanObject(u)
	q := irgen.Typed(x.One(v), ir.Ptr{Elem: s})
	known := x.CapacityOf(q, u.Elem())
	n := x.Temp(irgen.IntT)
	x.Assign(n, ir.IntConst(irgen.IntT, 0))
	member := func(i int) ir.Expr { return x.Get(ir.FieldAddr{Base: q, S: s, Index: i}, ir.I32) }
	read := func() {
		k := ir.Expr(ir.IntConst(ir.I32, known))
		if known < 0 {
			k = member(messages.Cap)
		}
		if capacity {
			x.Assign(n, k)
		} else if known != 0 {
			x.When(irgen.Not(irgen.IsNil(k)), func() { x.Assign(n, member(messages.Count)) })
		}
	}
	if _, fixed := q.(ir.GlobalAddr); fixed {
		read()
	} else {
		x.When(irgen.Not(irgen.IsNil(q)), read)
	}
	return ir.Use{Reg: n}
}
