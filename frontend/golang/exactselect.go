package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

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
	val           value
	closed, count *ir.Reg
	room, cap     ir.Expr
	isNil         ir.Expr // nil: never
	at            int     // of what is received in dst
}

// selectExact waits until a case can go on, and takes one of those that can. A send to a
// channel without capacity is first offered: the element lies in the channel, and is
// taken back where another case goes on.
func (x *fn) selectExact(v *ssa.Select) value {
	s := &selection{v: v, after: x.block("selected")}
	tup := v.Type().(*types.Tuple)
	for _, lf := range x.lay.of(tup).leaves {
		s.dst = append(s.dst, x.temp(lf.t))
	}
	first := value{ir.IntConst(intT, -1), boolConst(false)}
	for i := 2; i < tup.Len(); i++ {
		first = append(first, x.zero(tup.At(i).Type())...)
	}
	x.assignAll(s.dst, first)
	offers := x.selectCases(s)
	switch {
	case len(v.States) == 0:
		x.never("blocks in an empty select")
	case !v.Blocking:
		x.trySelect(s)
	case offers > 1:
		x.cut("a select statement that sends to several channels that may have no capacity")
	default:
		x.meetsItself(s)
		x.waitSelect(s)
	}
	x.jump(s.after)
	x.start(s.after)
	return useAll(s.dst)
}

// selectCases prepares the cases; it returns how many are sends to channels that may have
// no capacity.
func (x *fn) selectCases(s *selection) (offers int) {
	at := 2
	for _, st := range s.v.States {
		c := &selectCase{chanRef: x.chanRef(st.Chan), send: st.Dir == types.SendOnly, at: at}
		if c.nilable {
			c.isNil = x.hold(truth(isNil(c.ptr)))
			c.ptr = x.hold(ir.Select{C: cond(c.isNil), X: ir.GlobalAddr{Global: x.nilChan(c.s)}, Y: c.ptr})
		}
		c.closed, c.count = x.temp(chanCell), x.temp(ir.I32)
		if c.send {
			x.atCase(st, func() { x.sendsExact(c.chanRef) })
			c.val = x.val(st.Send)
			c.room, c.cap = x.room(c.chanRef)
			if c.capacity <= 0 {
				s.offer = c
				offers++
			}
		} else {
			at += len(x.lay.of(c.elem).leaves)
		}
		s.cases = append(s.cases, c)
	}
	return offers
}

// nilChan is an object that is read in place of a nil channel.
func (x *fn) nilChan(s *ir.Struct) *ir.Global {
	g := x.nilChans[s]
	if g == nil {
		g = x.newGlobal("nil channel", s, ir.Pos{})
		x.nilChans[s] = g
	}
	return g
}

// ready is the condition that a case can go on, over the registers that were read.
func (c *selectCase) ready() ir.Expr {
	closed := not(isNil(ir.Use{Reg: c.closed}))
	r := bin("lor", closed, bin("gt", ir.Use{Reg: c.count}, ir.IntConst(ir.I32, 0)))
	if c.send {
		r = bin("lor", closed, bin("lt", ir.Use{Reg: c.count}, c.room))
	}
	if c.isNil != nil {
		r = bin("land", not(cond(c.isNil)), r)
	}
	return r
}

// awaitCases reads the state of all channels and begins a section once until holds.
func (x *fn) awaitCases(s *selection, until ir.Expr, what string, more ...any) {
	in := &ir.Await{Base: x.base(), Cond: until, What: what}
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
		in.Addrs = append(in.Addrs, c.chanRef.at(chanClosed), c.chanRef.at(chanCount))
	}
	x.emit(in)
}

func anyReady(cs []*selectCase) ir.Expr {
	var out ir.Expr = ir.BoolConst(false)
	for i, c := range cs {
		if i == 0 {
			out = c.ready()
		} else {
			out = bin("lor", out, c.ready())
		}
	}
	return out
}

// fire carries a case out and ends the section.
func (x *fn) fire(s *selection, c *selectCase) {
	for i, d := range s.cases {
		if d == c {
			x.assign(s.dst[0], ir.IntConst(intT, int64(i)))
		}
	}
	if c.send {
		x.panicInside(isNil(ir.Use{Reg: c.closed}), "send on closed channel")
		x.put(c.chanRef, ir.Use{Reg: c.count}, c.val)
	} else {
		ok := bin("gt", ir.Use{Reg: c.count}, ir.IntConst(ir.I32, 0))
		x.assign(s.dst[1], truth(ok))
		x.when(ok, func() { x.assignAll(s.dst[c.at:], x.take(c.chanRef, ir.Use{Reg: c.count})) })
	}
	x.emit(&ir.AtomicEnd{Base: x.base()})
	x.jump(s.after)
}

// oneOf goes on with an arbitrary one of the cases, or of so many other alternatives.
func (x *fn) oneOf(cs []*selectCase, more int) []*ir.Block {
	var out []*ir.Block
	for range len(cs) + more {
		out = append(out, x.block("case"))
	}
	x.jump(out...)
	return out
}

func (x *fn) require(c ir.Expr) { x.emit(&ir.Assume{Base: x.base(), Cond: c}) }

// trySelect is a select statement with a default case.
func (x *fn) trySelect(s *selection) {
	x.awaitCases(s, ir.BoolConst(true), "selects at")
	targets := x.oneOf(s.cases, 1)
	var sure []*selectCase // that cannot be left for the default case
	for i, c := range s.cases {
		x.start(targets[i])
		x.require(c.ready())
		if c.send && c.capacity <= 0 {
			x.when(isNil(c.cap), func() {
				x.when(isNil(ir.Use{Reg: c.closed}), func() { x.cut("a select statement with default that sends to a channel without capacity") })
			})
		} else {
			sure = append(sure, c)
		}
		x.fire(s, c)
	}
	x.start(targets[len(s.cases)])
	for _, c := range s.cases {
		// whether somebody receives is not known, but what is closed is, and what has
		// room
		if c.send && c.capacity <= 0 {
			open := bin("land", isNil(ir.Use{Reg: c.closed}), bin("lor", isNil(c.cap), not(c.ready())))
			if c.isNil != nil {
				open = bin("lor", cond(c.isNil), open)
			}
			x.require(open)
		}
	}
	for _, c := range sure {
		if c.send {
			x.weak("that a select finds a channel full")
		}
		none := not(c.ready())
		if !c.send && types.TypeString(c.elem, nil) == "time.Time" { // a timer need not have fired
			none = bin("lor", none, not(isNil(x.get(c.chanRef.at(chanTimer), ir.U32))))
		}
		x.require(none)
	}
	x.emit(&ir.AtomicEnd{Base: x.base()})
}

// waitSelect is a select statement without default.
func (x *fn) waitSelect(s *selection) {
	x.awaitCases(s, anyReady(s.cases), "selects at")
	targets := x.oneOf(s.cases, 0)
	for i, c := range s.cases {
		x.start(targets[i])
		x.require(c.ready())
		if c != s.offer {
			x.fire(s, c)
			continue
		}
		x.assign(s.dst[0], ir.IntConst(intT, int64(i)))
		x.panicInside(isNil(ir.Use{Reg: c.closed}), "send on closed channel")
		x.put(c.chanRef, ir.Use{Reg: c.count}, c.val)
		my := x.number(c.chanRef)
		x.emit(&ir.AtomicEnd{Base: x.base()})
		if c.capacity != 0 {
			offered := x.block("offered")
			x.branch(isNil(c.cap), offered, s.after)
			x.start(offered)
		}
		x.offered(s, c, my)
	}
	x.start(x.block("dead"))
}

// meetsItself cuts executions in which a select statement sends to a channel without
// capacity from which it also receives: its offer would keep out the sender that it waits
// for.
func (x *fn) meetsItself(s *selection) {
	o := s.offer
	if o == nil {
		return
	}
	for _, c := range s.cases {
		if c.send || !types.Identical(c.elem, o.elem) {
			continue
		}
		same := bin("land", isNil(o.cap), bin("eq", c.ptr, typed(o.ptr, c.ptr.Type())))
		if o.isNil != nil {
			same = bin("land", same, not(cond(o.isNil)))
		}
		x.when(same, func() { x.cut("a select statement that sends to and receives from a channel without capacity") })
	}
}

// offered waits until the element with number my is received, or another case goes on,
// which takes it back.
func (x *fn) offered(s *selection, o *selectCase, my ir.Expr) {
	taken := x.temp(ticket)
	got := bin("ne", ir.Use{Reg: taken}, my)
	var others []*selectCase
	for _, c := range s.cases {
		if c == o {
			continue
		}
		d := *c
		d.isNil = truth(bin("eq", c.ptr, typed(o.ptr, c.ptr.Type()))) // its own offer
		if c.isNil != nil {
			d.isNil = truth(bin("lor", cond(d.isNil), cond(c.isNil)))
		}
		others = append(others, &d)
	}
	over := bin("lor", got, not(isNil(ir.Use{Reg: o.closed})))
	x.awaitCases(s, bin("lor", over, anyReady(others)), "waits in a select for a receiver at", taken, o.chanRef.at(chanTaken))
	targets := x.oneOf(others, 1)
	k := 0
	for i, c := range s.cases {
		if c == o {
			continue
		}
		x.start(targets[k])
		x.require(bin("land", not(got), others[k].ready()))
		k++
		x.set(o.chanRef.at(chanCount), ir.IntConst(ir.I32, 0))
		x.set(o.chanRef.at(chanSent), my)
		x.assign(s.dst[0], ir.IntConst(intT, int64(i)))
		x.fire(s, c)
	}
	x.start(targets[k])
	x.require(over)
	x.panicInside(got, "send on closed channel")
	x.emit(&ir.AtomicEnd{Base: x.base()})
	x.jump(s.after)
}
