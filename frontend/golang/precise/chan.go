package precise

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
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
	k := form.Key(v.Type().Underlying().(*types.Chan).Elem())
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
		l.closed[form.Key(c.Args[0].Type().Underlying().(*types.Chan).Elem())] = true
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

// chanRef is a channel that is operated on.
type chanRef struct {
	ptr      ir.Expr
	s        *ir.Struct
	elem     types.Type
	slots    int64
	nilable  bool
	capacity int64 // where it is known; -1: not
}

func (c *chanRef) at(i int) ir.Expr { return ir.FieldAddr{Base: c.ptr, S: c.s, Index: i} }

func (x *Fn) chanRef(v ssa.Value) *chanRef {
	u := v.Type().Underlying().(*types.Chan)
	s := x.lay.ChanObject(u)
	c := &chanRef{ptr: irgen.Typed(x.One(v), ir.Ptr{Elem: s}), s: s, elem: u.Elem(), slots: x.SlotsOf(u), capacity: -1}
	_, fixed := c.ptr.(ir.GlobalAddr)
	c.nilable = !fixed
	if g, ok := c.ptr.(ir.GlobalAddr); ok && x.CapOf[g.Global] != nil {
		c.capacity = constCap(x.CapOf[g.Global])
		return c
	}
	if k := x.caps[form.Key(u.Elem())]; k != nil && k.zero && !k.some && !k.arbitrary {
		c.capacity = 0
	}
	return c
}

// queue tells that the section of an await with its two first cells at an index of the
// addresses sends to the channel, or receives from it.
func (c *chanRef) queue(op ir.QueueOp, at int) []ir.Queue {
	if c.capacity == 0 {
		return nil
	}
	return []ir.Queue{{Op: op, At: at, Size: c.s.Size()}}
}

// room is how many elements fit into the channel: one where a sender waits for its
// element to be received. capacity is the expression of the capacity.
func (x *Fn) room(c *chanRef) (room, capacity ir.Expr) {
	if c.capacity >= 0 {
		return ir.IntConst(ir.I32, max(c.capacity, 1)), ir.IntConst(ir.I32, c.capacity)
	}
	capacity = x.Get(c.at(irgen.ChanCap), ir.I32)
	return x.Hold(ir.Select{C: irgen.Bin("eq", capacity, ir.IntConst(ir.I32, 0)), X: ir.IntConst(ir.I32, 1), Y: capacity}), capacity
}

func (x *Fn) MakeChan(v *ssa.MakeChan) ir.Expr {
	x.Ordered("makechan: size out of range", ir.IntConst(irgen.IntT, 0), irgen.Typed(x.One(v.Size), irgen.IntT))
	p := x.Made(v, "chan")
	s := x.lay.ChanObject(v.Type().Underlying().(*types.Chan))
	x.set(ir.FieldAddr{Base: p, S: s, Index: irgen.ChanCap}, x.Hold(irgen.Typed(x.One(v.Size), ir.I32)))
	return p
}

// orNil blocks where the channel is nil.
func (x *Fn) orNil(c *chanRef, what string) {
	if c.nilable {
		x.When(irgen.IsNil(c.ptr), func() { x.never(what + " a nil channel") })
	}
}

// put adds an element; there are count ones.
func (x *Fn) put(c *chanRef, count ir.Expr, v irgen.Value) {
	if len(v) > 0 && x.lay.Of(c.elem).Size > 0 {
		if c.capacity < 0 || c.capacity > c.slots {
			x.When(irgen.Bin("ge", count, ir.IntConst(ir.I32, c.slots)), func() { x.Cut("the buffer of a channel holds many elements") })
		}
		after := x.Block("put")
		for i := range c.slots {
			if i == c.slots-1 || c.capacity == 0 {
				x.Store(c.elem, x.chanElement(c, i), v, ir.SeqCst)
				break
			}
			here, next := x.Block("slot"), x.Block("else")
			x.Branch(irgen.Bin("eq", count, ir.IntConst(ir.I32, i)), here, next)
			x.Start(here)
			x.Store(c.elem, x.chanElement(c, i), v, ir.SeqCst)
			x.Jump(after)
			x.Start(next)
		}
		x.Jump(after)
		x.Start(after)
	}
	x.set(c.at(irgen.ChanCount), irgen.Bin("add", count, ir.IntConst(ir.I32, 1)))
}

func (x *Fn) chanElement(c *chanRef, i int64) ir.Expr {
	arr := c.s.Fields[irgen.ChanBuffer].Type.(ir.Array)
	return ir.IndexAddr{Base: c.at(irgen.ChanBuffer), Idx: ir.IntConst(irgen.IntT, i), Stride: arr.Elem.Size(), T: ir.Ptr{Elem: arr.Elem}}
}

// take removes the oldest of count elements and returns it.
func (x *Fn) take(c *chanRef, count ir.Expr) irgen.Value {
	var out irgen.Value
	if x.lay.Of(c.elem).Size > 0 {
		out = x.Load(c.elem, x.chanElement(c, 0), ir.SeqCst)
		for i := int64(1); i < c.slots && c.capacity != 0; i++ {
			x.Store(c.elem, x.chanElement(c, i-1), x.Load(c.elem, x.chanElement(c, i), ir.SeqCst), ir.SeqCst)
		}
		if c.capacity != 0 && c.slots > 1 { // what is not in use is zero, see ir.Queue
			x.Store(c.elem, x.chanElement(c, c.slots-1), x.Zero(c.elem), ir.SeqCst)
		}
	} else {
		out = x.Zero(c.elem)
	}
	x.set(c.at(irgen.ChanCount), irgen.Bin("sub", count, ir.IntConst(ir.I32, 1)))
	if c.capacity <= 0 {
		x.set(c.at(irgen.ChanTaken), x.Hold(irgen.Bin("add", x.Get(c.at(irgen.ChanTaken), irgen.Ticket), ir.IntConst(irgen.Ticket, 1))))
	}
	return out
}

// number gives an element that is sent its number.
func (x *Fn) number(c *chanRef) ir.Expr {
	my := x.Get(c.at(irgen.ChanSent), irgen.Ticket)
	x.set(c.at(irgen.ChanSent), irgen.Bin("add", my, ir.IntConst(irgen.Ticket, 1)))
	return my
}

func (x *Fn) SendExact(ch ssa.Value, v irgen.Value) {
	c := x.chanRef(ch)
	x.orNil(c, "sends to")
	x.sendsExact(c)
	room, capacity := x.room(c)
	closed, count := x.Temp(irgen.ChanCell), x.Temp(ir.I32)
	var my ir.Expr
	x.sectionOf(&ir.Await{What: "sends to", Dsts: []*ir.Reg{closed, count},
		Addrs:  []ir.Expr{c.at(irgen.ChanClosed), c.at(irgen.ChanCount)},
		Cond:   irgen.Bin("lor", irgen.Not(irgen.IsNil(ir.Use{Reg: closed})), irgen.Bin("lt", ir.Use{Reg: count}, room)),
		Queues: c.queue(ir.QueueSend, 0)}, func() {
		x.PanicUnless(irgen.IsNil(ir.Use{Reg: closed}), "send on closed channel")
		x.put(c, ir.Use{Reg: count}, v)
		if c.capacity <= 0 {
			my = x.number(c)
		}
	})
	switch c.capacity {
	case 0:
		x.handOver(c, my)
	case -1:
		x.When(irgen.IsNil(capacity), func() { x.handOver(c, my) })
	}
}

// sendsExact reads what a close of the channel writes, where channels of its type are
// closed.
func (x *Fn) sendsExact(c *chanRef) {
	if x.closed[form.Key(c.elem)] {
		x.Emit(&ir.Load{Base: x.Base(), Dst: x.Temp(irgen.ChanCell), Addr: c.at(irgen.ChanEnds), Order: ir.Plain, As: ir.OpSend})
	}
}

// handOver waits until the element with a number is received.
func (x *Fn) handOver(c *chanRef, my ir.Expr) {
	closed, taken := x.Temp(irgen.ChanCell), x.Temp(irgen.Ticket)
	got := irgen.Bin("ne", ir.Use{Reg: taken}, my)
	x.section("hands over to a receiver of", []*ir.Reg{closed, taken}, []ir.Expr{c.at(irgen.ChanClosed), c.at(irgen.ChanTaken)}, irgen.Bin("lor", irgen.Not(irgen.IsNil(ir.Use{Reg: closed})), got),
		func() { x.PanicUnless(got, "send on closed channel") })
}

func (x *Fn) ReceiveExact(ch ssa.Value, commaOk bool) irgen.Value {
	c := x.chanRef(ch)
	x.orNil(c, "receives from")
	closed, count := x.Temp(irgen.ChanCell), x.Temp(ir.I32)
	dst := x.Zeroed(c.elem)
	ok := irgen.Bin("gt", ir.Use{Reg: count}, ir.IntConst(ir.I32, 0))
	x.sectionOf(&ir.Await{What: "receives from", Dsts: []*ir.Reg{closed, count},
		Addrs:  []ir.Expr{c.at(irgen.ChanClosed), c.at(irgen.ChanCount)},
		Cond:   irgen.Bin("lor", irgen.Not(irgen.IsNil(ir.Use{Reg: closed})), ok),
		Queues: c.queue(ir.QueueReceive, 0)}, func() {
		x.When(ok, func() { x.AssignAll(dst, x.take(c, ir.Use{Reg: count})) })
	})
	out := irgen.UseAll(dst)
	if commaOk {
		out = append(out, irgen.Truth(ok))
	}
	return out
}

func (x *Fn) CloseExact(ch ssa.Value) {
	c := x.chanRef(ch)
	if c.nilable {
		x.PanicUnless(irgen.Not(irgen.IsNil(c.ptr)), "close of nil channel")
	}
	x.Emit(&ir.Store{Base: x.Base(), Addr: c.at(irgen.ChanEnds), Val: ir.IntConst(irgen.ChanCell, 0), Order: ir.Plain, As: ir.OpClose})
	_, capacity := x.room(c)
	closed := x.Temp(irgen.ChanCell)
	x.section("closes", []*ir.Reg{closed}, []ir.Expr{c.at(irgen.ChanClosed)}, ir.BoolConst(true), func() {
		x.PanicUnless(irgen.IsNil(ir.Use{Reg: closed}), "close of closed channel")
		x.set(c.at(irgen.ChanClosed), ir.IntConst(irgen.ChanCell, 1))
		// a sender that waits panics
		empty := func() { x.set(c.at(irgen.ChanCount), ir.IntConst(ir.I32, 0)) }
		switch c.capacity {
		case 0:
			empty()
		case -1:
			x.When(irgen.IsNil(capacity), empty)
		}
	})
}

// ChanLength is len or cap of a channel.
func (x *Fn) ChanLength(v ssa.Value, capacity bool) ir.Expr {
	c := x.chanRef(v)
	n := x.Temp(irgen.IntT)
	x.Assign(n, ir.IntConst(irgen.IntT, 0))
	read := func() {
		_, k := x.room(c)
		if capacity {
			x.Assign(n, k)
		} else if c.capacity != 0 {
			x.When(irgen.Not(irgen.IsNil(k)), func() { x.Assign(n, x.Get(c.at(irgen.ChanCount), ir.I32)) })
		}
	}
	if c.nilable {
		x.When(irgen.Not(irgen.IsNil(c.ptr)), read)
	} else {
		read()
	}
	return ir.Use{Reg: n}
}
