package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// Channels are queues of messages (ir.Send and the like). What that is to an engine is up
// to package ir/messages. Only where executions are exact, operations on channels that
// are closed or nil panic, and capacities are known.

// queue is a channel as a queue.
func (x *fn) queue(v ssa.Value) ir.Expr {
	if x.Exact {
		return irgen.Typed(x.One(v), ir.Ptr{Elem: x.lay.ChanObject(v.Type().Underlying().(*types.Chan))})
	}
	return x.followed(v)[0]
}

// message is one that is sent to a queue or received, without what is in it.
func (x *fn) message(q ir.Expr, elem types.Type) ir.Message {
	m := ir.Message{Chan: q, Capacity: x.CapacityOf(q, elem)}
	lay := x.lay.Of(elem)
	if lay.Size == 0 {
		return m
	}
	m.Slot = x.Reg("slot", ir.Ptr{Elem: lay.Mem})
	for _, lf := range lay.Leaves {
		m.Cells = append(m.Cells, ir.Cell{At: lf.Addr(ir.Use{Reg: m.Slot}), Copy: lf.Blob != nil})
	}
	return m
}

// inexactly notes that what is received is not followed, where executions are not exact.
func (x *fn) inexactly() {
	if !x.Exact {
		x.Inexact()
	}
}

// send puts a value into a channel; selected: as a case of a select statement.
func (x *fn) send(q ir.Expr, elem types.Type, v irgen.Value, selected bool) {
	x.inexactly()
	m := x.message(q, elem)
	m.Selected = selected
	for i := range m.Cells {
		m.Cells[i].Val = irgen.Typed(v[i], x.lay.Of(elem).Leaves[i].T)
	}
	in := &ir.Send{Base: x.Base(), Message: m}
	x.Emit(in)
	x.orClosed(&in.Closed, "send on closed channel")
}

// orClosed is a panic where an operation finds a channel closed.
func (x *fn) orClosed(closed **ir.Reg, msg string) {
	if x.Exact {
		*closed = x.Temp(ir.Bool{})
		x.PanicUnless(irgen.Not(ir.Use{Reg: *closed}), msg)
	}
}

// receive takes a value out of a channel, or the zero value where it is closed.
func (x *fn) receive(q ir.Expr, elem types.Type, commaOk bool) irgen.Value {
	dst := x.Zeroed(elem)
	return x.receiveInto(q, elem, dst, commaOk, false)
}

// receiveInto is receive, into registers that have the zero value.
func (x *fn) receiveInto(q ir.Expr, elem types.Type, dst []*ir.Reg, commaOk, selected bool) irgen.Value {
	x.inexactly()
	m := x.message(q, elem)
	m.Selected = selected
	for i := range m.Cells {
		m.Cells[i].Dst = dst[i]
	}
	in := &ir.Receive{Base: x.Base(), Message: m}
	out := irgen.UseAll(dst)
	if commaOk {
		in.OK = x.Temp(ir.Bool{})
		out = append(out, irgen.Truth(ir.Use{Reg: in.OK}))
	}
	x.Emit(in)
	return out
}

// sendStmt is a send statement.
func (x *fn) sendStmt(in *ssa.Send) {
	v := x.Val(in.X)
	x.sends(in.Chan)
	x.tokens.releasing(x, in.Chan)
	x.passing.sending(x, in.Chan, v)
	x.send(x.queue(in.Chan), elemOf(in.Chan), v, false)
}

// received is what comes after something is received from a channel.
func (x *fn) received(ch ssa.Value, out irgen.Value, commaOk bool) {
	x.tokens.received(x, ch)
	x.numbers.received(x, ch, out, commaOk)
	x.passing.received(x, ch, out)
}

// arrow is a receive outside of select statements.
func (x *fn) arrow(v *ssa.UnOp) irgen.Value {
	out := x.receive(x.queue(v.X), elemOf(v.X), v.CommaOk)
	x.received(v.X, out, v.CommaOk)
	return out
}

// closeChan is the builtin close.
func (x *fn) closeChan(ch ssa.Value) {
	q := x.queue(ch)
	if _, fixed := q.(ir.GlobalAddr); x.Exact && !fixed {
		x.PanicUnless(irgen.Not(irgen.IsNil(q)), "close of nil channel")
	}
	x.closes(ch)
	x.tokens.releasing(x, ch)
	in := &ir.Close{Base: x.Base(), Chan: q, Capacity: x.CapacityOf(q, elemOf(ch))}
	x.Emit(in)
	x.orClosed(&in.Closed, "close of closed channel")
}

// selects is a select statement.
func (x *fn) selects(v *ssa.Select) irgen.Value {
	x.inexactly()
	tup := v.Type().(*types.Tuple)
	var dst []*ir.Reg
	for _, lf := range x.lay.Of(tup).Leaves {
		dst = append(dst, x.Temp(lf.T))
	}
	first := irgen.Value{ir.IntConst(irgen.IntT, -1), irgen.BoolConst(false)}
	for i := 2; i < tup.Len(); i++ {
		first = append(first, x.Zero(tup.At(i).Type())...)
	}
	x.AssignAll(dst, first)
	after := x.Block("selected")
	sel, vals := x.cases(v)
	if !v.Blocking {
		sel.Default = after
	}
	x.End(sel)
	at := 2
	for i, s := range v.States {
		x.Start(sel.Cases[i].To)
		q, elem := sel.Cases[i].Chan, elemOf(s.Chan)
		if s.Dir == types.SendOnly {
			x.passing.sending(x, s.Chan, vals[i])
			x.send(q, elem, vals[i], true)
		} else {
			n := len(x.lay.Of(elem).Leaves)
			in := x.receiveInto(q, elem, dst[at:at+n], true, true)
			x.received(s.Chan, in, true)
			x.Assign(dst[1], in[n])
			at += n
		}
		x.Assign(dst[0], ir.IntConst(irgen.IntT, int64(i)))
		x.Jump(after)
	}
	x.Start(after)
	return irgen.UseAll(dst)
}

// cases are the cases of a select statement, and what they send.
func (x *fn) cases(v *ssa.Select) (sel *ir.Selection, vals []irgen.Value) {
	sel = &ir.Selection{TermBase: x.Term()}
	for _, s := range v.States {
		c := ir.Case{Send: s.Dir == types.SendOnly, Chan: x.queue(s.Chan), To: x.Block("case")}
		c.Capacity = x.CapacityOf(c.Chan, elemOf(s.Chan))
		c.Late = !c.Send && types.TypeString(elemOf(s.Chan), nil) == "time.Time"
		var val irgen.Value
		if c.Send {
			x.AtCase(s, func() { x.sends(s.Chan) })
			x.tokens.releasing(x, s.Chan)
			val = x.Val(s.Send)
			if x.Exact && !v.Blocking && c.Capacity > 0 {
				x.Weak("that a select finds a channel full")
			}
		}
		sel.Cases, vals = append(sel.Cases, c), append(vals, val)
	}
	return sel, vals
}

func elemOf(ch ssa.Value) types.Type { return form.ElemOf(ch.Type()) }

// AtCase emits something at the place of a case of a select statement.
func (x *fn) AtCase(s *ssa.SelectState, emit func()) {
	pos := x.Pos
	defer func() { x.Pos = pos }()
	if s.Pos.IsValid() {
		x.Pos = x.lowering.Pos(s.Pos)
	}
	emit()
}
