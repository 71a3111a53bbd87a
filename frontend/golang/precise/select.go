package precise

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// selection is a select statement that is lowered.
type selection struct {
	v     *ssa.Select
	cases []*selectCase
	// offer is the case, if there is one, that may have to wait for a receiver after it
	// has sent.
	offer *selectCase
	dst   []*ir.Reg // index, ok, what is received
	after *ir.Block
}

type selectCase struct {
	*chanRef
	send          bool
	val           irgen.Value
	closed, count *ir.Reg
	room, cap     ir.Expr
	isNil         ir.Expr // nil: never
	at            int     // of what is received in dst
}

// SelectExact waits until a case can go on, and takes one of those that can. A send to a
// channel without capacity is first offered: the element lies in the channel, and is
// taken back where another case goes on.
func (x *Fn) SelectExact(v *ssa.Select) irgen.Value {
	s := &selection{v: v, after: x.Block("selected")}
	tup := v.Type().(*types.Tuple)
	for _, lf := range x.lay.Of(tup).Leaves {
		s.dst = append(s.dst, x.Temp(lf.T))
	}
	first := irgen.Value{ir.IntConst(irgen.IntT, -1), irgen.BoolConst(false)}
	for i := 2; i < tup.Len(); i++ {
		first = append(first, x.Zero(tup.At(i).Type())...)
	}
	x.AssignAll(s.dst, first)
	offers := x.selectCases(s)
	switch {
	case len(v.States) == 0:
		x.never("blocks in an empty select")
	case !v.Blocking:
		x.trySelect(s)
	case offers > 1:
		x.Cut("a select statement that sends to several channels that may have no capacity")
	default:
		x.meetsItself(s)
		x.waitSelect(s)
	}
	x.Jump(s.after)
	x.Start(s.after)
	return irgen.UseAll(s.dst)
}

// selectCases prepares the cases; it returns how many are sends to channels that may have
// no capacity.
func (x *Fn) selectCases(s *selection) (offers int) {
	at := 2
	for _, st := range s.v.States {
		c := &selectCase{chanRef: x.chanRef(st.Chan), send: st.Dir == types.SendOnly, at: at}
		if c.nilable {
			c.isNil = x.Hold(irgen.Truth(irgen.IsNil(c.ptr)))
			c.ptr = x.Hold(ir.Select{C: irgen.Cond(c.isNil), X: ir.GlobalAddr{Global: x.nilChan(c.s)}, Y: c.ptr})
		}
		c.closed, c.count = x.Temp(irgen.ChanCell), x.Temp(ir.I32)
		if c.send {
			x.AtCase(st, func() { x.sendsExact(c.chanRef) })
			c.val = x.Val(st.Send)
			c.room, c.cap = x.room(c.chanRef)
			if c.capacity <= 0 {
				s.offer = c
				offers++
			}
		} else {
			at += len(x.lay.Of(c.elem).Leaves)
		}
		s.cases = append(s.cases, c)
	}
	return offers
}

// nilChan is an object that is read in place of a nil channel.
func (x *Fn) nilChan(s *ir.Struct) *ir.Global {
	g := x.nilChans[s]
	if g == nil {
		g = x.NewGlobal("nil channel", s, ir.Pos{})
		x.nilChans[s] = g
	}
	return g
}

// ready is the condition that a case can go on, over the registers that were read.
func (c *selectCase) ready() ir.Expr {
	closed := irgen.Not(irgen.IsNil(ir.Use{Reg: c.closed}))
	r := irgen.Bin("lor", closed, irgen.Bin("gt", ir.Use{Reg: c.count}, ir.IntConst(ir.I32, 0)))
	if c.send {
		r = irgen.Bin("lor", closed, irgen.Bin("lt", ir.Use{Reg: c.count}, c.room))
	}
	if c.isNil != nil {
		r = irgen.Bin("land", irgen.Not(irgen.Cond(c.isNil)), r)
	}
	return r
}

// awaitCases reads the state of all channels and begins a section once until holds.
func (x *Fn) awaitCases(s *selection, until ir.Expr, what string, more ...any) {
	in := &ir.Await{Base: x.Base(), Cond: until, What: what}
	for i := 0; i < len(more); i += 2 {
		in.Dsts, in.Addrs = append(in.Dsts, more[i].(*ir.Reg)), append(in.Addrs, more[i+1].(ir.Expr))
	}
	for _, c := range s.cases {
		op := ir.QueueReceive
		if c.send {
			op = ir.QueueSend
		}
		in.Queues = append(in.Queues, c.queue(op, len(in.Addrs))...)
		in.Dsts = append(in.Dsts, c.closed, c.count)
		in.Addrs = append(in.Addrs, c.chanRef.at(irgen.ChanClosed), c.chanRef.at(irgen.ChanCount))
	}
	x.Emit(in)
}

func anyReady(cs []*selectCase) ir.Expr {
	var out ir.Expr = ir.BoolConst(false)
	for i, c := range cs {
		if i == 0 {
			out = c.ready()
		} else {
			out = irgen.Bin("lor", out, c.ready())
		}
	}
	return out
}

// fire carries a case out and ends the section.
func (x *Fn) fire(s *selection, c *selectCase) {
	for i, d := range s.cases {
		if d == c {
			x.Assign(s.dst[0], ir.IntConst(irgen.IntT, int64(i)))
		}
	}
	if c.send {
		x.PanicInside(irgen.IsNil(ir.Use{Reg: c.closed}), "send on closed channel")
		x.put(c.chanRef, ir.Use{Reg: c.count}, c.val)
	} else {
		ok := irgen.Bin("gt", ir.Use{Reg: c.count}, ir.IntConst(ir.I32, 0))
		x.Assign(s.dst[1], irgen.Truth(ok))
		x.When(ok, func() { x.AssignAll(s.dst[c.at:], x.take(c.chanRef, ir.Use{Reg: c.count})) })
	}
	x.Emit(&ir.AtomicEnd{Base: x.Base()})
	x.Jump(s.after)
}

// oneOf goes on with an arbitrary one of the cases, or of so many other alternatives.
func (x *Fn) oneOf(cs []*selectCase, more int) []*ir.Block {
	var out []*ir.Block
	for range len(cs) + more {
		out = append(out, x.Block("case"))
	}
	x.Jump(out...)
	return out
}

func (x *Fn) Require(c ir.Expr) { x.Emit(&ir.Assume{Base: x.Base(), Cond: c}) }

// trySelect is a select statement with a default case.
func (x *Fn) trySelect(s *selection) {
	x.awaitCases(s, ir.BoolConst(true), "selects at")
	targets := x.oneOf(s.cases, 1)
	var sure []*selectCase // that cannot be left for the default case
	for i, c := range s.cases {
		x.Start(targets[i])
		x.Require(c.ready())
		if c.send && c.capacity <= 0 {
			x.When(irgen.IsNil(c.cap), func() {
				x.When(irgen.IsNil(ir.Use{Reg: c.closed}), func() { x.Cut("a select statement with default that sends to a channel without capacity") })
			})
		} else {
			sure = append(sure, c)
		}
		x.fire(s, c)
	}
	x.Start(targets[len(s.cases)])
	for _, c := range s.cases {
		// whether somebody receives is not known, but what is closed is, and what has
		// room
		if c.send && c.capacity <= 0 {
			open := irgen.Bin("land", irgen.IsNil(ir.Use{Reg: c.closed}), irgen.Bin("lor", irgen.IsNil(c.cap), irgen.Not(c.ready())))
			if c.isNil != nil {
				open = irgen.Bin("lor", irgen.Cond(c.isNil), open)
			}
			x.Require(open)
		}
	}
	for _, c := range sure {
		if c.send {
			x.Weak("that a select finds a channel full")
		}
		none := irgen.Not(c.ready())
		if !c.send && types.TypeString(c.elem, nil) == "time.Time" { // a timer need not have fired
			none = irgen.Bin("lor", none, irgen.Not(irgen.IsNil(x.Get(c.chanRef.at(irgen.ChanTimer), ir.U32))))
		}
		x.Require(none)
	}
	x.Emit(&ir.AtomicEnd{Base: x.Base()})
}

// waitSelect is a select statement without default.
func (x *Fn) waitSelect(s *selection) {
	x.awaitCases(s, anyReady(s.cases), "selects at")
	targets := x.oneOf(s.cases, 0)
	for i, c := range s.cases {
		x.Start(targets[i])
		x.Require(c.ready())
		if c != s.offer {
			x.fire(s, c)
			continue
		}
		x.Assign(s.dst[0], ir.IntConst(irgen.IntT, int64(i)))
		x.PanicInside(irgen.IsNil(ir.Use{Reg: c.closed}), "send on closed channel")
		x.put(c.chanRef, ir.Use{Reg: c.count}, c.val)
		my := x.number(c.chanRef)
		x.Emit(&ir.AtomicEnd{Base: x.Base()})
		if c.capacity != 0 {
			offered := x.Block("offered")
			x.Branch(irgen.IsNil(c.cap), offered, s.after)
			x.Start(offered)
		}
		x.offered(s, c, my)
	}
	x.Start(x.Block("dead"))
}

// meetsItself cuts executions in which a select statement sends to a channel without
// capacity from which it also receives: its offer would keep out the sender that it waits
// for.
func (x *Fn) meetsItself(s *selection) {
	o := s.offer
	if o == nil {
		return
	}
	for _, c := range s.cases {
		if c.send || !types.Identical(c.elem, o.elem) {
			continue
		}
		same := irgen.Bin("land", irgen.IsNil(o.cap), irgen.Bin("eq", c.ptr, irgen.Typed(o.ptr, c.ptr.Type())))
		if o.isNil != nil {
			same = irgen.Bin("land", same, irgen.Not(irgen.Cond(o.isNil)))
		}
		x.When(same, func() { x.Cut("a select statement that sends to and receives from a channel without capacity") })
	}
}

// offered waits until the element with number my is received, or another case goes on,
// which takes it back.
func (x *Fn) offered(s *selection, o *selectCase, my ir.Expr) {
	taken := x.Temp(irgen.Ticket)
	got := irgen.Bin("ne", ir.Use{Reg: taken}, my)
	var others []*selectCase
	for _, c := range s.cases {
		if c == o {
			continue
		}
		d := *c
		d.isNil = irgen.Truth(irgen.Bin("eq", c.ptr, irgen.Typed(o.ptr, c.ptr.Type()))) // its own offer
		if c.isNil != nil {
			d.isNil = irgen.Truth(irgen.Bin("lor", irgen.Cond(d.isNil), irgen.Cond(c.isNil)))
		}
		others = append(others, &d)
	}
	over := irgen.Bin("lor", got, irgen.Not(irgen.IsNil(ir.Use{Reg: o.closed})))
	x.awaitCases(s, irgen.Bin("lor", over, anyReady(others)), "waits in a select for a receiver at", taken, o.chanRef.at(irgen.ChanTaken))
	targets := x.oneOf(others, 1)
	k := 0
	for i, c := range s.cases {
		if c == o {
			continue
		}
		x.Start(targets[k])
		x.Require(irgen.Bin("land", irgen.Not(got), others[k].ready()))
		k++
		x.set(o.chanRef.at(irgen.ChanCount), ir.IntConst(ir.I32, 0))
		x.set(o.chanRef.at(irgen.ChanSent), my)
		x.Assign(s.dst[0], ir.IntConst(irgen.IntT, int64(i)))
		x.fire(s, c)
	}
	x.Start(targets[k])
	x.Require(over)
	x.PanicInside(got, "send on closed channel")
	x.Emit(&ir.AtomicEnd{Base: x.Base()})
	x.Jump(s.after)
}

// AtCase emits something at the place of a case of a select statement.
func (x *Fn) AtCase(s *ssa.SelectState, emit func()) {
	pos := x.Pos
	defer func() { x.Pos = pos }()
	if s.Pos.IsValid() {
		x.Pos = x.World.Pos(s.Pos)
	}
	emit()
}
