package golang

import (
	"slices"
	"strconv"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// Defer statements in loops: what is deferred is kept in a list, the last first, and is
// run from there when the function returns or unwinds. Statements in one loop have one
// list. What a call takes that is the same in all iterations, as the receiver of the
// function that defers, is not kept there: it is still in its register.

// deferredList is the list of the statements in a loop: head points to the first of its
// nodes, which have a next one, the number of the statement, and what the calls take.
type deferredList struct {
	head    *ir.Reg
	node    *ir.Struct
	members []*deferred
	at      map[*deferred]int // where in nodes what the call of a statement takes begins
}

// pendingList is a place at which what is in a list is run: its code is made when the
// statements have been lowered, which may come later.
type pendingList struct {
	l         *deferredList
	at, after *ir.Block
	run       func(*deferred)
}

// inLoop makes the list of a statement that is in a loop, if others there have not made
// it.
func (x *fn) inLoop(d *deferred) {
	b := d.site.Block()
	for _, o := range x.defers {
		if o.list != nil && (o.site.Block() == b || form.LeadsTo(b, o.site.Block()) && form.LeadsTo(o.site.Block(), b)) {
			d.list = o.list
			d.list.members = append(d.list.members, d)
			return
		}
	}
	node := x.lay.NewStruct("deferred")
	t := ir.Ptr{Elem: node}
	node.Fields, node.Bytes = []ir.Field{{Name: "next", Type: t}, {Name: "which", Type: irgen.IntT, Offset: 8}}, 16
	d.list = &deferredList{head: x.Reg("deferred list", t), node: node, members: []*deferred{d}, at: map[*deferred]int{}}
	x.Assign(d.list.head, ir.Null{T: t})
}

// orderDefers puts defer statements into the order in which they are executed: what comes
// after a loop is after all that is in there.
func orderDefers(ds []*deferred) []*deferred {
	first := func(a, b *deferred) bool {
		x, y := a.site.Block(), b.site.Block()
		return x != y && form.LeadsTo(x, y) && !form.LeadsTo(y, x)
	}
	var out []*deferred
	rest := slices.Clone(ds)
	for len(rest) > 0 {
		i := max(0, slices.IndexFunc(rest, func(d *deferred) bool {
			return !slices.ContainsFunc(rest, func(o *deferred) bool { return first(o, d) })
		}))
		out = append(out, rest[i])
		rest = slices.Delete(rest, i, i+1)
	}
	return out
}

// push puts a prepared call into its list.
func (x *fn) push(d *deferred) {
	l := d.list
	r := x.Temp(ir.Ptr{Elem: l.node})
	x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: l.node, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true, Name: "deferred"})
	values := x.deferredValues(d.call)
	begin := len(l.node.Fields)
	l.at[d] = begin
	for _, v := range values {
		t := v.Type()
		l.node.Fields = append(l.node.Fields, ir.Field{Name: "__" + strconv.Itoa(len(l.node.Fields)), Type: t, Offset: l.node.Bytes})
		l.node.Bytes += max(8, (t.Size()+7)/8*8)
	}
	put := func(i int, v ir.Expr) {
		f := ir.FieldAddr{Base: ir.Use{Reg: r}, S: l.node, Index: i}
		x.Emit(&ir.Store{Base: x.Base(), Addr: f, Val: irgen.Typed(v, l.node.Fields[i].Type), Order: ir.Plain})
	}
	put(0, ir.Use{Reg: l.head})
	put(1, ir.IntConst(irgen.IntT, int64(slices.Index(l.members, d))))
	for i, v := range values {
		put(begin+i, v)
	}
	x.Assign(l.head, ir.Use{Reg: r})
}

// deferredValues are what a prepared call takes that changes from one iteration to the next, as
// values of one leaf each.
func (x *fn) deferredValues(p *irgen.Call) irgen.Value {
	var out irgen.Value
	for i, a := range p.Args {
		if !x.steady(p.CC.Args[i]) {
			out = append(out, a...)
		}
	}
	if x.steady(p.CC.Value) {
		return out
	}
	out = append(out, p.Recv...)
	if p.Self != nil {
		out = append(out, p.Self)
	}
	return out
}

// withValues is the call with other such values.
func (x *fn) withValues(p *irgen.Call, vs irgen.Value) *irgen.Call {
	q := *p
	q.Args = slices.Clone(p.Args)
	for i, a := range p.Args {
		if !x.steady(p.CC.Args[i]) {
			q.Args[i] = vs[:len(a):len(a)]
			vs = vs[len(a):]
		}
	}
	if x.steady(p.CC.Value) {
		return &q
	}
	if p.Recv != nil {
		q.Recv = vs[:len(p.Recv):len(p.Recv)]
		vs = vs[len(p.Recv):]
	}
	if p.Self != nil {
		q.Self = vs[0]
	}
	return &q
}

// steady reports whether a value is the same in all iterations of a loop, and is in
// registers that have it until the function ends.
func (x *fn) steady(v ssa.Value) bool {
	switch v := v.(type) {
	case *ssa.Parameter, *ssa.FreeVar, *ssa.Const, *ssa.Global, *ssa.Function:
		return true
	case *ssa.FieldAddr:
		return x.steady(v.X)
	case *ssa.ChangeType:
		return x.steady(v.X)
	case *ssa.UnOp:
		if of, captured := v.X.(*ssa.FreeVar); captured && x.capturedVals[of] != nil {
			return form.Leads(v.Type())
		}
	case *ssa.Phi:
		return false
	}
	in, ok := v.(ssa.Instruction)
	return ok && !form.OnCycle(in.Block())
}

// runList runs what is in the list of a statement, each by run; once for all statements
// that have it.
func (x *fn) runList(d *deferred, run func(*deferred)) {
	if d.list.last(x.defers) != d {
		return
	}
	p := pendingList{l: d.list, at: x.Block("deferred in a loop"), after: x.Block("after"), run: run}
	x.Jump(p.at)
	x.pending = append(x.pending, p)
	x.Start(p.after)
}

// last is the last of a list's statements.
func (l *deferredList) last(ds []*deferred) *deferred {
	var out *deferred
	for _, d := range ds {
		if d.list == l {
			out = d
		}
	}
	return out
}

// finishLists makes the code of runList.
func (x *fn) finishLists() {
	for ; len(x.pending) > 0; x.pending = x.pending[1:] {
		p := x.pending[0]
		l := p.l
		x.Start(p.at)
		next, body := x.Block("next deferred"), x.Block("run deferred")
		x.Jump(next)
		x.Start(next)
		x.Branch(irgen.IsNil(ir.Use{Reg: l.head}), p.after, body)
		x.Start(body)
		saved := x.Site
		node := x.Temp(l.head.Type)
		x.Assign(node, ir.Use{Reg: l.head})
		get := func(i int) ir.Expr {
			r := x.Temp(l.node.Fields[i].Type)
			x.Emit(&ir.Load{Base: x.Base(), Dst: r, Addr: ir.FieldAddr{Base: ir.Use{Reg: node}, S: l.node, Index: i}, Order: ir.Plain})
			return ir.Use{Reg: r}
		}
		x.Assign(l.head, get(0))
		which := get(1)
		for k, d := range l.members {
			if d.call == nil { // the statement cannot be reached
				continue
			}
			x.Pos, x.Site = x.lowering.Pos(d.site.Pos()), d.site
			is, els := x.Block("is"), x.Block("else")
			x.Branch(irgen.Bin("eq", which, ir.IntConst(irgen.IntT, int64(k))), is, els)
			x.Start(is)
			var vs irgen.Value
			for i := range x.deferredValues(d.call) {
				vs = append(vs, get(l.at[d]+i))
			}
			one := *d
			one.call = x.withValues(d.call, vs)
			p.run(&one)
			x.Jump(next)
			x.Start(els)
		}
		x.Site = saved
		x.Jump(next)
	}
}
