package messages

import (
	"strings"

	"whoop/ir"
	"whoop/ir/build"
)

// Exact expands messages for engines that run programs: threads wait (ir.Await), and
// what a queue holds is in its memory, as Closed to Buffer say. So there are the
// executions of the program and no others, up to places where it is not known what it
// does: there they call a function that is unknown.
func Exact(p *ir.Program) {
	c := &common{p: p, cuts: map[string]*ir.Func{}, nothing: map[*ir.Struct]*ir.Global{}, names: map[string]bool{}}
	for _, f := range p.Funcs {
		c.names[f.Name] = true
		if strings.HasPrefix(f.Name, cutName) {
			c.cuts[f.Unknown] = f
		}
	}
	for _, f := range p.Funcs[:len(p.Funcs):len(p.Funcs)] {
		if !has(f) || !laidOut(f, true) {
			continue
		}
		x := &exact{build.New(f), c, map[*ir.Block]carriedOut{}}
		x.splitCases()
		rewrite(x.Writer, x.instr, x.selects)
	}
}

// common is what functions have in common: those that are unknown, by the reason, and
// objects that are read in place of null queues.
type common struct {
	p       *ir.Program
	cuts    map[string]*ir.Func
	nothing map[*ir.Struct]*ir.Global
	names   map[string]bool
}

// exact expands the messages of one function. cases are the blocks of selections.
type exact struct {
	*build.Writer
	*common
	cases map[*ir.Block]carriedOut
}

// carriedOut is the block of a case: what comes before the message, the message, and the
// block that goes on.
type carriedOut struct {
	before []ir.Instr
	do     ir.Instr
	after  *ir.Block
}

// cutName is how functions are called that are unknown because of a reason.
const cutName = "not followed"

// cut ends executions at a place where it is not known what the program does.
func (x *exact) cut(reason string) {
	f := x.cuts[reason]
	if f == nil {
		f = &ir.Func{Name: x.unique(cutName, func(s string) bool { return x.names[s] }), Result: ir.Void{}, Unknown: reason, Pos: x.Pos}
		x.cuts[reason], x.names[f.Name] = f, true
		x.p.Funcs = append(x.p.Funcs, f)
	}
	x.Emit(&ir.Call{Base: x.Base(), Callee: ir.FuncAddr{Func: f}})
}

// queue is a queue that is operated on; capacity is -1 where it is not known. slots is
// how many messages fit into its memory.
type queue struct {
	ptr      ir.Expr
	s        *ir.Struct
	slots    int64
	nilable  bool
	capacity int64
}

func queueOf(q ir.Expr, capacity int64) *queue {
	s := q.Type().(ir.Ptr).Elem.(*ir.Struct)
	_, fixed := q.(ir.GlobalAddr)
	out := &queue{ptr: q, s: s, nilable: !fixed, capacity: capacity}
	if len(s.Fields) > Buffer {
		out.slots = s.Fields[Buffer].Type.(ir.Array).Len
	}
	return out
}

func (q *queue) at(i int) ir.Expr { return ir.FieldAddr{Base: q.ptr, S: q.s, Index: i} }

func (q *queue) slot(i int64) ir.Expr {
	arr := q.s.Fields[Buffer].Type.(ir.Array)
	return ir.IndexAddr{Base: q.at(Buffer), Idx: ir.IntConst(ir.I64, i), Stride: arr.Elem.Size(), T: ir.Ptr{Elem: arr.Elem}}
}

// queues tells that the section of an await with the queue's two first cells at an index
// of the addresses sends to it, or receives from it.
func (q *queue) queues(op ir.QueueOp, at int) []ir.Queue {
	if q.capacity == 0 {
		return nil
	}
	return []ir.Queue{{Op: op, At: at, Size: q.s.Size()}}
}

func n32(n int64) ir.Expr { return ir.IntConst(ir.I32, n) }

func (x *exact) set(addr, v ir.Expr) {
	x.Emit(&ir.Store{Base: x.Base(), Addr: addr, Val: v, Order: ir.SeqCst})
}

func (x *exact) get(addr ir.Expr) ir.Expr {
	r := x.Temp(addr.Type().(ir.Ptr).Elem)
	x.Emit(&ir.Load{Base: x.Base(), Dst: r, Addr: addr, Order: ir.SeqCst})
	return ir.Use{Reg: r}
}

// section runs code that no other thread interleaves, once an await can go on.
func (x *exact) section(in *ir.Await, body func()) {
	in.Base = x.Base()
	x.Emit(in)
	body()
	x.Emit(&ir.AtomicEnd{Base: x.Base()})
}

// never blocks for ever.
func (x *exact) never(what string) {
	x.Emit(&ir.Await{Base: x.Base(), Cond: ir.BoolConst(false), What: what})
	x.Stop("unreachable")
}

func (x *exact) orNil(q *queue, what string) {
	if q.nilable {
		x.When(build.IsNil(q.ptr), func() { x.never(what + " a nil channel") })
	}
}

func (x *exact) instr(in ir.Instr) bool {
	switch i := in.(type) {
	case *ir.Send:
		x.send(i)
	case *ir.Receive:
		x.receive(i)
	case *ir.Close:
		x.close(i)
	default:
		return false
	}
	return true
}

// room is how many messages fit into a queue: one where a sender waits for its message to
// be received.
func (x *exact) room(q *queue) (room, capacity ir.Expr) {
	if q.capacity >= 0 {
		return n32(max(q.capacity, 1)), n32(q.capacity)
	}
	capacity = x.get(q.at(Cap))
	return x.Hold(ir.Select{C: build.Bin("eq", capacity, n32(0)), X: n32(1), Y: capacity}), capacity
}

// put adds a message behind count ones, or cuts the execution where there is no memory
// for it.
func (x *exact) put(q *queue, count ir.Expr, m *ir.Message) {
	if len(m.Cells) > 0 {
		if q.capacity < 0 || q.capacity > q.slots {
			x.When(build.Bin("ge", count, n32(q.slots)), func() { x.cut("the buffer of a channel holds many elements") })
		}
		after := x.Block("put")
		for i := range q.slots {
			if i == q.slots-1 || q.capacity == 0 {
				store(x.Writer, m.Cells, m.Slot, q.slot(i))
				break
			}
			here, next := x.Block("slot"), x.Block("else")
			x.Branch(build.Bin("eq", count, n32(i)), here, next)
			x.Start(here)
			store(x.Writer, m.Cells, m.Slot, q.slot(i))
			x.Jump(after)
			x.Start(next)
		}
		x.Jump(after)
		x.Start(after)
	}
	x.set(q.at(Count), build.Bin("add", count, n32(1)))
}

// take removes the oldest of count messages.
func (x *exact) take(q *queue, count ir.Expr, m *ir.Message) {
	if len(m.Cells) > 0 {
		load(x.Writer, m.Cells, m.Slot, q.slot(0))
		move := func(to int64, vs []ir.Expr) {
			cells := append([]ir.Cell{}, m.Cells...)
			for i := range cells {
				cells[i].Val = vs[i]
			}
			store(x.Writer, cells, m.Slot, q.slot(to))
		}
		for i := int64(1); i < q.slots && q.capacity != 0; i++ {
			move(i-1, values(x.Writer, m.Cells, m.Slot, q.slot(i)))
		}
		if q.capacity != 0 && q.slots > 1 { // what is not in use is zero, see ir.Queue
			move(q.slots-1, x.zeros(m.Cells))
		}
	}
	x.set(q.at(Count), build.Bin("sub", count, n32(1)))
	if q.capacity <= 0 {
		x.set(q.at(Taken), x.Hold(build.Bin("add", x.get(q.at(Taken)), ir.IntConst(Ticket, 1))))
	}
}

// zeros are the values of an empty slot.
func (x *exact) zeros(cells []ir.Cell) []ir.Expr {
	var out []ir.Expr
	for _, c := range cells {
		switch t := cellOf(c).(type) {
		case ir.Int:
			out = append(out, ir.IntConst(t, 0))
		case ir.Ptr:
			out = append(out, ir.Null{T: t})
		default:
			r := x.Temp(ir.Ptr{Elem: t})
			x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: t, Count: ir.IntConst(ir.U64, 1), Kind: "stack", Zero: true, Name: "zero"})
			out = append(out, ir.Use{Reg: r})
		}
	}
	return out
}

// number gives a message that is sent its number.
func (x *exact) number(q *queue) ir.Expr {
	my := x.get(q.at(Sent))
	x.set(q.at(Sent), build.Bin("add", my, ir.IntConst(Ticket, 1)))
	return my
}

// state is the await of a queue's state.
func (x *exact) state(q *queue, what string) (in *ir.Await, closed, count ir.Expr) {
	c, n := x.Temp(Flag), x.Temp(ir.I32)
	in = &ir.Await{What: what, Dsts: []*ir.Reg{c, n}, Addrs: []ir.Expr{q.at(Closed), q.at(Count)}}
	return in, build.Not(build.IsNil(ir.Use{Reg: c})), ir.Use{Reg: n}
}

func (x *exact) send(i *ir.Send) {
	q := queueOf(i.Chan, i.Capacity)
	x.orNil(q, "sends to")
	room, capacity := x.room(q)
	in, closed, count := x.state(q, "sends to")
	in.Base = x.Base()
	in.Cond, in.Queues = build.Bin("lor", closed, build.Bin("lt", count, room)), q.queues(ir.QueueSend, 0)
	x.Emit(in)
	after := x.Block("sent")
	isClosed := x.orClosed(i, closed, after)
	x.put(q, count, &i.Message)
	if q.capacity > 0 {
		x.Emit(&ir.AtomicEnd{Base: x.Base()})
	} else {
		my := x.number(q)
		x.Emit(&ir.AtomicEnd{Base: x.Base()})
		if q.capacity < 0 {
			hand := x.Block("hands over")
			x.Branch(build.IsNil(capacity), hand, after)
			x.Start(hand)
		}
		x.handOver(q, my, isClosed)
	}
	x.Jump(after)
	x.Start(after)
}

// orClosed goes on where a queue is not closed. Where it is, it ends the section and goes
// to a block.
func (x *exact) orClosed(i *ir.Send, closed ir.Expr, after *ir.Block) *ir.Reg {
	isClosed, over, on := i.Closed, x.Block("closed"), x.Block("open")
	if isClosed == nil {
		isClosed = x.Temp(ir.Bool{})
	}
	x.Assign(isClosed, closed)
	x.Branch(ir.Use{Reg: isClosed}, over, on)
	x.Start(over)
	x.Emit(&ir.AtomicEnd{Base: x.Base()})
	x.Jump(after)
	x.Start(on)
	return isClosed
}

// handOver waits until the message with a number is received, or the queue is closed.
func (x *exact) handOver(q *queue, my ir.Expr, isClosed *ir.Reg) {
	closed, taken := x.Temp(Flag), x.Temp(Ticket)
	got := build.Bin("ne", ir.Use{Reg: taken}, my)
	x.section(&ir.Await{What: "hands over to a receiver of", Dsts: []*ir.Reg{closed, taken}, Addrs: []ir.Expr{q.at(Closed), q.at(Taken)},
		Cond: build.Bin("lor", build.Not(build.IsNil(ir.Use{Reg: closed})), got)},
		func() { x.Assign(isClosed, build.Not(got)) })
}

func (x *exact) receive(i *ir.Receive) {
	q := queueOf(i.Chan, i.Capacity)
	x.orNil(q, "receives from")
	in, closed, count := x.state(q, "receives from")
	ok := build.Bin("gt", count, n32(0))
	in.Cond, in.Queues = build.Bin("lor", closed, ok), q.queues(ir.QueueReceive, 0)
	x.section(in, func() { x.received(q, i, ok, count) })
}

// received takes a message out of a queue where there is one.
func (x *exact) received(q *queue, i *ir.Receive, ok, count ir.Expr) {
	x.When(ok, func() { x.take(q, count, &i.Message) })
	if i.OK != nil {
		x.Assign(i.OK, ok)
	}
}

func (x *exact) close(i *ir.Close) {
	q := queueOf(i.Chan, i.Capacity)
	_, capacity := x.room(q)
	r := x.Temp(Flag)
	open := build.IsNil(ir.Use{Reg: r})
	x.section(&ir.Await{What: "closes", Dsts: []*ir.Reg{r}, Addrs: []ir.Expr{q.at(Closed)}, Cond: ir.BoolConst(true)}, func() {
		x.When(open, func() {
			x.set(q.at(Closed), ir.IntConst(Flag, 1))
			// a sender that waits finds it closed
			empty := func() { x.set(q.at(Count), n32(0)) }
			switch q.capacity {
			case 0:
				empty()
			case -1:
				x.When(build.IsNil(capacity), empty)
			}
		})
	})
	if i.Closed != nil {
		x.Assign(i.Closed, build.Not(open))
	}
}
