package messages

import (
	"whoop/ir"
	"whoop/ir/build"
)

// Abstract expands messages for who proves that nothing goes wrong: threads neither wait
// nor find out what others have sent when. A send puts its message into an arbitrary slot
// of the queue, atomically; a receive takes what is in one, or nothing; a selection goes
// to any of its blocks. So there are all executions of the program, and more. What
// accesses a thread makes before a send and after a receive keeps its place: locks that
// stand for an order are there.
func Abstract(p *ir.Program) {
	for _, f := range p.Funcs {
		if !has(f) || !laidOut(f, false) {
			continue
		}
		x := &abstract{build.New(f)}
		rewrite(x.Writer, x.instr, x.term)
	}
}

type abstract struct{ *build.Writer }

func (x *abstract) instr(in ir.Instr) bool {
	switch i := in.(type) {
	case *ir.Send:
		if len(i.Cells) > 0 {
			store(x.Writer, i.Cells, i.Slot, x.slot(i.Chan))
		}
		return true
	case *ir.Receive:
		ok := i.OK
		if ok == nil && len(i.Cells) == 0 {
			return true
		}
		if ok == nil {
			ok = x.Temp(ir.Bool{})
		}
		x.Emit(&ir.Havoc{Base: x.Base(), Dst: ok})
		if len(i.Cells) > 0 {
			x.When(ir.Use{Reg: ok}, func() { load(x.Writer, i.Cells, i.Slot, x.slot(i.Chan)) })
		}
		return true
	case *ir.Close:
		return true
	}
	return false
}

// slot is the address of an arbitrary slot of a queue.
func (x *abstract) slot(q ir.Expr) ir.Expr {
	s := q.Type().(ir.Ptr).Elem.(*ir.Struct)
	arr := s.Fields[len(s.Fields)-1].Type.(ir.Array)
	r := x.Temp(ir.U8)
	x.Emit(&ir.Havoc{Base: x.Base(), Dst: r})
	i := x.Hold(ir.Cast{X: ir.Use{Reg: r}, T: ir.I64})
	return ir.IndexAddr{Base: ir.FieldAddr{Base: q, S: s, Index: len(s.Fields) - 1}, Idx: i, Stride: arr.Elem.Size(), T: ir.Ptr{Elem: arr.Elem}}
}

func (x *abstract) term(t *ir.Selection) {
	if to := t.Succs(); len(to) > 0 {
		x.Jump(to...)
	} else {
		x.Stop("exit")
	}
}
