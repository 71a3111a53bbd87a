package messages

import (
	"slices"
	"strconv"

	"whoop/ir"
	"whoop/ir/build"
)

// Selections of exact programs. A send to a queue without capacity is first offered: the
// message lies in the queue, and is taken back where another case goes on.

// selection is a selection that is expanded.
type selection struct {
	cases []*theCase
	// offer is the case, if there is one, that may have to wait for a receiver after it
	// has sent.
	offer *theCase
	other *ir.Block // the default
}

type theCase struct {
	*queue
	carriedOut
	send, late    bool
	closed, count *ir.Reg
	room, cap     ir.Expr
	isNil         ir.Expr // nil: never
}

func (x *exact) unique(name string, taken func(string) bool) string {
	s := name
	for n := 2; taken(s); n++ {
		s = name + "#" + strconv.Itoa(n)
	}
	return s
}

// splitCases takes the blocks of cases apart at their messages. These blocks are reached
// from their selections only, which write them where they are needed.
func (x *exact) splitCases() {
	for _, b := range slices.Clone(x.F.Blocks) {
		t, ok := b.Term.(*ir.Selection)
		if !ok {
			continue
		}
		for _, c := range t.Cases {
			k := slices.IndexFunc(c.To.Instrs, func(in ir.Instr) bool { return ir.MessageOf(in) != nil })
			after := x.Block("selected")
			after.Instrs, after.Term = c.To.Instrs[k+1:], c.To.Term
			x.cases[c.To] = carriedOut{before: c.To.Instrs[:k:k], do: c.To.Instrs[k], after: after}
			x.F.Blocks[slices.Index(x.F.Blocks, c.To)] = after
		}
	}
}

// selects waits until a case can go on, and takes one of those that can.
func (x *exact) selects(t *ir.Selection) {
	s := &selection{other: t.Default}
	offers := x.selectCases(s, t)
	switch {
	case len(t.Cases) == 0 && t.Default == nil:
		x.never("blocks in an empty select")
	case t.Default != nil:
		x.trySelect(s)
	case offers > 1:
		x.cut("a select statement that sends to several channels that may have no capacity")
		for _, r := range ir.Defs(s.cases[0].do) { // nothing is done, and found out
			if ir.Equal(r.Type, ir.Bool{}) {
				x.Assign(r, ir.BoolConst(false))
			}
		}
		x.Jump(s.cases[0].after)
	default:
		x.meetsItself(s)
		x.waitSelect(s)
	}
}

// selectCases prepares the cases; it returns how many are sends to queues that may have
// no capacity.
func (x *exact) selectCases(s *selection, t *ir.Selection) (offers int) {
	for _, a := range t.Cases {
		c := &theCase{queue: queueOf(a.Chan, a.Capacity), send: a.Send, late: a.Late, carriedOut: x.cases[a.To]}
		if c.nilable {
			c.isNil = x.Hold(build.IsNil(c.ptr))
			c.ptr = x.Hold(ir.Select{C: c.isNil, X: ir.GlobalAddr{Global: x.nothingFor(c.s)}, Y: c.ptr})
		}
		c.closed, c.count = x.Temp(Flag), x.Temp(ir.I32)
		if c.send {
			c.room, c.cap = x.room(c.queue)
			if c.capacity <= 0 {
				s.offer = c
				offers++
			}
		}
		s.cases = append(s.cases, c)
	}
	return offers
}

// nothingFor is an object that is read in place of a null queue.
func (x *exact) nothingFor(s *ir.Struct) *ir.Global {
	g := x.nothing[s]
	if g == nil {
		name := x.unique("nil channel", func(n string) bool {
			return slices.ContainsFunc(x.p.Globals, func(g *ir.Global) bool { return g.Name == n })
		})
		g = &ir.Global{Name: name, Type: s}
		x.p.Globals, x.nothing[s] = append(x.p.Globals, g), g
	}
	return g
}

// ready is the condition that a case can go on, over the registers that were read.
func (c *theCase) ready() ir.Expr {
	closed := build.Not(build.IsNil(ir.Use{Reg: c.closed}))
	r := build.Bin("lor", closed, build.Bin("gt", ir.Use{Reg: c.count}, n32(0)))
	if c.send {
		r = build.Bin("lor", closed, build.Bin("lt", ir.Use{Reg: c.count}, c.room))
	}
	if c.isNil != nil {
		r = build.Bin("land", build.Not(c.isNil), r)
	}
	return r
}

// awaitCases reads the state of all queues and begins a section once until holds.
func (x *exact) awaitCases(s *selection, in *ir.Await) {
	in.Base = x.Base()
	for _, c := range s.cases {
		op := ir.QueueReceive
		if c.send {
			op = ir.QueueSend
		}
		in.Queues = append(in.Queues, c.queues(op, len(in.Addrs))...)
		in.Dsts = append(in.Dsts, c.closed, c.count)
		in.Addrs = append(in.Addrs, c.queue.at(Closed), c.queue.at(Count))
	}
	x.Emit(in)
}

func anyReady(cs []*theCase) ir.Expr {
	var out ir.Expr = ir.BoolConst(false)
	for i, c := range cs {
		if i == 0 {
			out = c.ready()
		} else {
			out = build.Bin("lor", out, c.ready())
		}
	}
	return out
}

// begins copies what comes before the message of a case.
func (x *exact) begins(c *theCase) {
	for _, in := range c.before {
		x.Emit(ir.CloneInstr(in))
	}
}

// fire carries a case out and ends the section.
func (x *exact) fire(c *theCase) {
	x.begins(c)
	if c.send {
		x.fireSend(c)
	} else {
		x.received(c.queue, c.do.(*ir.Receive), build.Bin("gt", ir.Use{Reg: c.count}, n32(0)), ir.Use{Reg: c.count})
	}
	x.Emit(&ir.AtomicEnd{Base: x.Base()})
	x.Jump(c.after)
}

// fireSend sends unless the queue is closed: then the case is over.
func (x *exact) fireSend(c *theCase) {
	i := c.do.(*ir.Send)
	x.orClosed(i, build.Not(build.IsNil(ir.Use{Reg: c.closed})), c.after)
	x.put(c.queue, ir.Use{Reg: c.count}, &i.Message)
}

// oneOf goes on with an arbitrary one of the cases, or of so many other alternatives.
func (x *exact) oneOf(cs []*theCase, more int) []*ir.Block {
	var out []*ir.Block
	for range len(cs) + more {
		out = append(out, x.Block("case"))
	}
	x.Jump(out...)
	return out
}

func (x *exact) require(c ir.Expr) { x.Emit(&ir.Assume{Base: x.Base(), Cond: c}) }

// trySelect is a selection with a default.
func (x *exact) trySelect(s *selection) {
	x.awaitCases(s, &ir.Await{Cond: ir.BoolConst(true), What: "selects at"})
	targets := x.oneOf(s.cases, 1)
	var sure []*theCase // that cannot be left for the default
	for i, c := range s.cases {
		x.Start(targets[i])
		x.require(c.ready())
		if c.send && c.capacity <= 0 {
			x.When(build.IsNil(c.cap), func() {
				x.When(build.IsNil(ir.Use{Reg: c.closed}), func() { x.cut("a select statement with default that sends to a channel without capacity") })
			})
		} else {
			sure = append(sure, c)
		}
		x.fire(c)
	}
	x.Start(targets[len(s.cases)])
	for _, c := range s.cases {
		// whether somebody receives is not known, but what is closed is, and what has
		// room
		if c.send && c.capacity <= 0 {
			open := build.Bin("land", build.IsNil(ir.Use{Reg: c.closed}), build.Bin("lor", build.IsNil(c.cap), build.Not(c.ready())))
			if c.isNil != nil {
				open = build.Bin("lor", c.isNil, open)
			}
			x.require(open)
		}
	}
	for _, c := range sure {
		none := build.Not(c.ready())
		if c.late { // a timer need not have fired
			none = build.Bin("lor", none, build.Not(build.IsNil(x.get(c.queue.at(Timer)))))
		}
		x.require(none)
	}
	x.Emit(&ir.AtomicEnd{Base: x.Base()})
	x.Jump(s.other)
}

// waitSelect is a selection without default.
func (x *exact) waitSelect(s *selection) {
	x.awaitCases(s, &ir.Await{Cond: anyReady(s.cases), What: "selects at"})
	targets := x.oneOf(s.cases, 0)
	for i, c := range s.cases {
		x.Start(targets[i])
		x.require(c.ready())
		if c != s.offer {
			x.fire(c)
			continue
		}
		x.begins(c)
		x.fireSend(c)
		my := x.number(c.queue)
		x.Emit(&ir.AtomicEnd{Base: x.Base()})
		if c.capacity != 0 {
			offered := x.Block("offered")
			x.Branch(build.IsNil(c.cap), offered, c.after)
			x.Start(offered)
		}
		x.offered(s, c, my)
	}
}

// meetsItself cuts executions in which a selection sends to a queue without capacity from
// which it also receives: its offer would keep out the sender that it waits for.
func (x *exact) meetsItself(s *selection) {
	o := s.offer
	if o == nil {
		return
	}
	for _, c := range s.cases {
		if c.send || c.s != o.s {
			continue
		}
		same := build.Bin("land", build.IsNil(o.cap), build.Bin("eq", c.ptr, build.Typed(o.ptr, c.ptr.Type())))
		if o.isNil != nil {
			same = build.Bin("land", same, build.Not(o.isNil))
		}
		x.When(same, func() { x.cut("a select statement that sends to and receives from a channel without capacity") })
	}
}

// offered waits until the message with number my is received, or another case goes on,
// which takes it back.
func (x *exact) offered(s *selection, o *theCase, my ir.Expr) {
	taken := x.Temp(Ticket)
	got := build.Bin("ne", ir.Use{Reg: taken}, my)
	var others []*theCase
	for _, c := range s.cases {
		if c == o {
			continue
		}
		d := *c
		d.isNil = build.Bin("eq", c.ptr, build.Typed(o.ptr, c.ptr.Type())) // its own offer
		if c.isNil != nil {
			d.isNil = build.Bin("lor", d.isNil, c.isNil)
		}
		others = append(others, &d)
	}
	over := build.Bin("lor", got, build.Not(build.IsNil(ir.Use{Reg: o.closed})))
	x.awaitCases(s, &ir.Await{Cond: build.Bin("lor", over, anyReady(others)), What: "waits in a select for a receiver at",
		Dsts: []*ir.Reg{taken}, Addrs: []ir.Expr{o.queue.at(Taken)}})
	targets := x.oneOf(others, 1)
	for k, c := range others {
		x.Start(targets[k])
		x.require(build.Bin("land", build.Not(got), c.ready()))
		x.set(o.queue.at(Count), n32(0))
		x.set(o.queue.at(Sent), my)
		x.fire(c)
	}
	x.Start(targets[len(others)])
	x.require(over)
	if r := o.do.(*ir.Send).Closed; r != nil {
		x.Assign(r, build.Not(got))
	}
	x.Emit(&ir.AtomicEnd{Base: x.Base()})
	x.Jump(o.after)
}
