package golang

import (
	"golang.org/x/tools/go/ssa"

	"whoop/ir"
)

// Defer statements in loops: what is deferred is kept in a list, the last first, and is run from there when the function returns or unwinds.

// deferredList is the list of one statement: head points to the first of its nodes, which have a next one and what the call takes.
type deferredList struct {
	head *ir.Reg
	node *ir.Struct
}

// pendingList is a place at which what is in a list is run: its code is made when the statement has been lowered, which may come later.
type pendingList struct {
	d         *deferred
	at, after *ir.Block
	run       func(*deferred)
}

// inLoop makes the list of a statement that is in a loop. Two in one loop would have one list.
func (x *fn) inLoop(d *deferred) {
	b := d.site.Block()
	for _, o := range x.defers {
		if o.list != nil && (o.site.Block() == b || leadsTo(b, o.site.Block()) && leadsTo(o.site.Block(), b)) {
			x.locate(d.site)
			x.fail("several defer statements in one loop")
		}
	}
	node := x.lay.newStruct("deferred")
	t := ir.Ptr{Elem: node}
	node.Fields, node.Bytes = []ir.Field{{Name: "next", Type: t}}, 8
	d.list = &deferredList{head: x.reg("deferred list", t), node: node}
	x.assign(d.list.head, ir.Null{T: t})
}

// push puts a prepared call into its list.
func (x *fn) push(d *deferred) {
	l := d.list
	r := x.temp(ir.Ptr{Elem: l.node})
	x.emit(&ir.Alloc{Base: x.base(), Dst: r, Elem: l.node, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true, Name: "deferred"})
	values := d.call.values()
	for len(l.node.Fields) < len(values)+1 {
		t := values[len(l.node.Fields)-1].Type()
		l.node.Fields = append(l.node.Fields, ir.Field{Name: "__" + itoa(len(l.node.Fields)), Type: t, Offset: l.node.Bytes})
		l.node.Bytes += max(8, (t.Size()+7)/8*8)
	}
	put := func(i int, v ir.Expr) {
		f := ir.FieldAddr{Base: ir.Use{Reg: r}, S: l.node, Index: i}
		x.emit(&ir.Store{Base: x.base(), Addr: f, Val: typed(v, l.node.Fields[i].Type), Order: ir.Plain})
	}
	put(0, ir.Use{Reg: l.head})
	for i, v := range values {
		put(i+1, v)
	}
	x.assign(l.head, ir.Use{Reg: r})
}

// values are what a prepared call takes, as values of one leaf each.
func (p *prepared) values() value {
	out := p.flat()
	out = append(out, p.recv...)
	if p.self != nil {
		out = append(out, p.self)
	}
	return out
}

// with is the call with other values.
func (p *prepared) with(vs value) *prepared {
	q := *p
	q.args, q.recv = nil, nil
	for _, a := range p.args {
		q.args = append(q.args, vs[:len(a):len(a)])
		vs = vs[len(a):]
	}
	if p.recv != nil {
		q.recv = vs[:len(p.recv):len(p.recv)]
		vs = vs[len(p.recv):]
	}
	if p.self != nil {
		q.self = vs[0]
	}
	return &q
}

// runList runs what is in a list, each by run.
func (x *fn) runList(d *deferred, run func(*deferred)) {
	p := pendingList{d: d, at: x.block("deferred in a loop"), after: x.block("after"), run: run}
	x.jump(p.at)
	x.pending = append(x.pending, p)
	x.start(p.after)
}

// finishLists makes the code of runList.
func (x *fn) finishLists() {
	for ; len(x.pending) > 0; x.pending = x.pending[1:] {
		p := x.pending[0]
		x.start(p.at)
		if p.d.call == nil { // the statement cannot be reached
			x.jump(p.after)
			continue
		}
		l := p.d.list
		next, body := x.block("next deferred"), x.block("run deferred")
		x.jump(next)
		x.start(next)
		x.branch(isNil(ir.Use{Reg: l.head}), p.after, body)
		x.start(body)
		x.pos = x.lowering.pos(p.d.site.Pos())
		saved := x.site
		x.site = p.d.site
		node := x.temp(l.head.Type)
		x.assign(node, ir.Use{Reg: l.head})
		get := func(i int) ir.Expr {
			r := x.temp(l.node.Fields[i].Type)
			x.emit(&ir.Load{Base: x.base(), Dst: r, Addr: ir.FieldAddr{Base: ir.Use{Reg: node}, S: l.node, Index: i}, Order: ir.Plain})
			return ir.Use{Reg: r}
		}
		x.assign(l.head, get(0))
		var vs value
		for i := range p.d.call.values() {
			vs = append(vs, get(i+1))
		}
		one := *p.d
		one.call = p.d.call.with(vs)
		p.run(&one)
		x.site = saved
		x.jump(next)
	}
}

// leadsTo reports whether a non-empty path leads from one block to another.
func leadsTo(a, b *ssa.BasicBlock) bool {
	seen := map[*ssa.BasicBlock]bool{}
	work := append([]*ssa.BasicBlock{}, a.Succs...)
	for len(work) > 0 {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if s == b {
			return true
		}
		if !seen[s] {
			seen[s] = true
			work = append(work, s.Succs...)
		}
	}
	return false
}

// onCycle reports whether a non-empty path leads from b to itself.
func onCycle(b *ssa.BasicBlock) bool { return leadsTo(b, b) }
