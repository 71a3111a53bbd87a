package golang

import (
	"go/constant"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/ir"
)

// A channel in memory, exactly: whether it is closed, its capacity, how many elements it
// holds, how many were sent and received, and the elements, the oldest first. A channel
// without capacity holds the element of one sender, who waits until it is received.
const (
	chanClosed = iota
	chanTimer  // 1: of a timer
	chanCap
	chanCount
	chanSent
	chanTaken
	chanEnds // what sends read and a close writes: see misuse.go
	chanBuffer
)

// maxSlots bounds how many elements a channel holds; executions in which it would be more
// are cut.
const maxSlots = 16

// The cells of a channel: flags, and the numbers of elements sent and received.
var chanCell, ticket = ir.Int{Bits: 8}, ir.Int{Bits: 16}

// exactChan is the object that a channel points to.
func (l *layouts) exactChan(name, id string, u *types.Chan) *ir.Struct {
	s := l.sharedStruct(id, name, 24, ir.Field{Name: "__closed", Type: chanCell}, ir.Field{Name: "__timer", Type: ir.U32, Offset: 4},
		ir.Field{Name: "__cap", Type: ir.I32, Offset: 8}, ir.Field{Name: "__count", Type: ir.I32, Offset: 12},
		ir.Field{Name: "__sent", Type: ticket, Offset: 16}, ir.Field{Name: "__taken", Type: ticket, Offset: 18},
		ir.Field{Name: "__ends", Type: chanCell, Offset: 20})
	if el := l.of(u.Elem()); el.size > 0 {
		n := l.slots(u)
		s.Fields = append(s.Fields, ir.Field{Name: "__buffer", Type: ir.Array{Elem: el.mem, Len: n}, Offset: 24})
		s.Bytes = 24 + n*roundUp(el.size, max(el.align, 1))
	}
	return s
}

// chanCaps notes the capacities of the channels of each element type: the largest
// constant one, and whether others are 0, positive or not constant.
type chanCaps struct {
	most                  int64
	zero, some, arbitrary bool
}

func (l *lowering) noteCap(v *ssa.MakeChan) {
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

// noteClose notes that channels of an element type are closed.
func (l *lowering) noteClose(c *ssa.CallCommon) {
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

// slotsOf is how many elements channels of a type may hold in memory.
func (l *lowering) slotsOf(u *types.Chan) int64 {
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

func (x *fn) chanRef(v ssa.Value) *chanRef {
	u := v.Type().Underlying().(*types.Chan)
	s := x.lay.chanObject(u)
	c := &chanRef{ptr: typed(x.one(v), ir.Ptr{Elem: s}), s: s, elem: u.Elem(), slots: x.slotsOf(u), capacity: -1}
	_, fixed := c.ptr.(ir.GlobalAddr)
	c.nilable = !fixed
	if g, ok := c.ptr.(ir.GlobalAddr); ok && x.capOf[g.Global] != nil {
		c.capacity = constCap(x.capOf[g.Global])
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
func (x *fn) room(c *chanRef) (room, capacity ir.Expr) {
	if c.capacity >= 0 {
		return ir.IntConst(ir.I32, max(c.capacity, 1)), ir.IntConst(ir.I32, c.capacity)
	}
	capacity = x.get(c.at(chanCap), ir.I32)
	return x.hold(ir.Select{C: bin("eq", capacity, ir.IntConst(ir.I32, 0)), X: ir.IntConst(ir.I32, 1), Y: capacity}), capacity
}

func (x *fn) makeChan(v *ssa.MakeChan) ir.Expr {
	x.ordered("makechan: size out of range", ir.IntConst(intT, 0), typed(x.one(v.Size), intT))
	p := x.made(v, "chan")
	s := x.lay.chanObject(v.Type().Underlying().(*types.Chan))
	x.set(ir.FieldAddr{Base: p, S: s, Index: chanCap}, x.hold(typed(x.one(v.Size), ir.I32)))
	return p
}

// orNil blocks where the channel is nil.
func (x *fn) orNil(c *chanRef, what string) {
	if c.nilable {
		x.when(isNil(c.ptr), func() { x.never(what + " a nil channel") })
	}
}

// put adds an element; there are count ones.
func (x *fn) put(c *chanRef, count ir.Expr, v value) {
	if len(v) > 0 && x.lay.of(c.elem).size > 0 {
		if c.capacity < 0 || c.capacity > c.slots {
			x.when(bin("ge", count, ir.IntConst(ir.I32, c.slots)), func() { x.cut("the buffer of a channel holds many elements") })
		}
		after := x.block("put")
		for i := range c.slots {
			if i == c.slots-1 || c.capacity == 0 {
				x.store(c.elem, x.chanElement(c, i), v, ir.SeqCst)
				break
			}
			here, next := x.block("slot"), x.block("else")
			x.branch(bin("eq", count, ir.IntConst(ir.I32, i)), here, next)
			x.start(here)
			x.store(c.elem, x.chanElement(c, i), v, ir.SeqCst)
			x.jump(after)
			x.start(next)
		}
		x.jump(after)
		x.start(after)
	}
	x.set(c.at(chanCount), bin("add", count, ir.IntConst(ir.I32, 1)))
}

func (x *fn) chanElement(c *chanRef, i int64) ir.Expr {
	arr := c.s.Fields[chanBuffer].Type.(ir.Array)
	return ir.IndexAddr{Base: c.at(chanBuffer), Idx: ir.IntConst(intT, i), Stride: arr.Elem.Size(), T: ir.Ptr{Elem: arr.Elem}}
}

// take removes the oldest of count elements and returns it.
func (x *fn) take(c *chanRef, count ir.Expr) value {
	var out value
	if x.lay.of(c.elem).size > 0 {
		out = x.load(c.elem, x.chanElement(c, 0), ir.SeqCst)
		for i := int64(1); i < c.slots && c.capacity != 0; i++ {
			x.store(c.elem, x.chanElement(c, i-1), x.load(c.elem, x.chanElement(c, i), ir.SeqCst), ir.SeqCst)
		}
		if c.capacity != 0 && c.slots > 1 { // what is not in use is zero, see ir.Queue
			x.store(c.elem, x.chanElement(c, c.slots-1), x.zero(c.elem), ir.SeqCst)
		}
	} else {
		out = x.zero(c.elem)
	}
	x.set(c.at(chanCount), bin("sub", count, ir.IntConst(ir.I32, 1)))
	if c.capacity <= 0 {
		x.set(c.at(chanTaken), x.hold(bin("add", x.get(c.at(chanTaken), ticket), ir.IntConst(ticket, 1))))
	}
	return out
}

// number gives an element that is sent its number.
func (x *fn) number(c *chanRef) ir.Expr {
	my := x.get(c.at(chanSent), ticket)
	x.set(c.at(chanSent), bin("add", my, ir.IntConst(ticket, 1)))
	return my
}

func (x *fn) sendExact(ch ssa.Value, v value) {
	c := x.chanRef(ch)
	x.orNil(c, "sends to")
	x.sendsExact(c)
	room, capacity := x.room(c)
	closed, count := x.temp(chanCell), x.temp(ir.I32)
	var my ir.Expr
	x.sectionOf(&ir.Await{What: "sends to", Dsts: []*ir.Reg{closed, count},
		Addrs:  []ir.Expr{c.at(chanClosed), c.at(chanCount)},
		Cond:   bin("lor", not(isNil(ir.Use{Reg: closed})), bin("lt", ir.Use{Reg: count}, room)),
		Queues: c.queue(ir.QueueSend, 0)}, func() {
		x.panicUnless(isNil(ir.Use{Reg: closed}), "send on closed channel")
		x.put(c, ir.Use{Reg: count}, v)
		if c.capacity <= 0 {
			my = x.number(c)
		}
	})
	switch c.capacity {
	case 0:
		x.handOver(c, my)
	case -1:
		x.when(isNil(capacity), func() { x.handOver(c, my) })
	}
}

// sendsExact reads what a close of the channel writes, where channels of its type are
// closed.
func (x *fn) sendsExact(c *chanRef) {
	if x.closed[form.Key(c.elem)] {
		x.emit(&ir.Load{Base: x.base(), Dst: x.temp(chanCell), Addr: c.at(chanEnds), Order: ir.Plain, As: ir.OpSend})
	}
}

// handOver waits until the element with a number is received.
func (x *fn) handOver(c *chanRef, my ir.Expr) {
	closed, taken := x.temp(chanCell), x.temp(ticket)
	got := bin("ne", ir.Use{Reg: taken}, my)
	x.section("hands over to a receiver of", []*ir.Reg{closed, taken}, []ir.Expr{c.at(chanClosed), c.at(chanTaken)}, bin("lor", not(isNil(ir.Use{Reg: closed})), got),
		func() { x.panicUnless(got, "send on closed channel") })
}

func (x *fn) receiveExact(ch ssa.Value, commaOk bool) value {
	c := x.chanRef(ch)
	x.orNil(c, "receives from")
	closed, count := x.temp(chanCell), x.temp(ir.I32)
	dst := x.zeroed(c.elem)
	ok := bin("gt", ir.Use{Reg: count}, ir.IntConst(ir.I32, 0))
	x.sectionOf(&ir.Await{What: "receives from", Dsts: []*ir.Reg{closed, count},
		Addrs:  []ir.Expr{c.at(chanClosed), c.at(chanCount)},
		Cond:   bin("lor", not(isNil(ir.Use{Reg: closed})), ok),
		Queues: c.queue(ir.QueueReceive, 0)}, func() {
		x.when(ok, func() { x.assignAll(dst, x.take(c, ir.Use{Reg: count})) })
	})
	out := useAll(dst)
	if commaOk {
		out = append(out, truth(ok))
	}
	return out
}

// zeroed are registers with the zero value of a type.
func (x *fn) zeroed(t types.Type) []*ir.Reg {
	var dst []*ir.Reg
	for i, z := range x.zero(t) {
		dst = append(dst, x.temp(x.lay.of(t).leaves[i].t))
		x.assign(dst[i], z)
	}
	return dst
}

func (x *fn) assignAll(dst []*ir.Reg, v value) {
	for i, e := range v {
		x.assign(dst[i], e)
	}
}

func useAll(rs []*ir.Reg) value {
	var out value
	for _, r := range rs {
		out = append(out, ir.Use{Reg: r})
	}
	return out
}

func (x *fn) closeExact(ch ssa.Value) {
	c := x.chanRef(ch)
	if c.nilable {
		x.panicUnless(not(isNil(c.ptr)), "close of nil channel")
	}
	x.emit(&ir.Store{Base: x.base(), Addr: c.at(chanEnds), Val: ir.IntConst(chanCell, 0), Order: ir.Plain, As: ir.OpClose})
	_, capacity := x.room(c)
	closed := x.temp(chanCell)
	x.section("closes", []*ir.Reg{closed}, []ir.Expr{c.at(chanClosed)}, ir.BoolConst(true), func() {
		x.panicUnless(isNil(ir.Use{Reg: closed}), "close of closed channel")
		x.set(c.at(chanClosed), ir.IntConst(chanCell, 1))
		// a sender that waits panics
		empty := func() { x.set(c.at(chanCount), ir.IntConst(ir.I32, 0)) }
		switch c.capacity {
		case 0:
			empty()
		case -1:
			x.when(isNil(capacity), empty)
		}
	})
}

// chanLength is len or cap of a channel.
func (x *fn) chanLength(v ssa.Value, capacity bool) ir.Expr {
	c := x.chanRef(v)
	n := x.temp(intT)
	x.assign(n, ir.IntConst(intT, 0))
	read := func() {
		_, k := x.room(c)
		if capacity {
			x.assign(n, k)
		} else if c.capacity != 0 {
			x.when(not(isNil(k)), func() { x.assign(n, x.get(c.at(chanCount), ir.I32)) })
		}
	}
	if c.nilable {
		x.when(not(isNil(c.ptr)), read)
	} else {
		read()
	}
	return ir.Use{Reg: n}
}
