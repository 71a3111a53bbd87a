package mhp

import (
	"cmp"
	"slices"

	"whoop/ir"
)

// val is a point of the chain none < low < mid < top.
type val uint8

const (
	none val = iota // this point is not reached
	low             // nothing is alive (registered, …)
	mid             // something is alive, and a join is known to end it
	top             // anything may be alive
)

// fn maps a value at one point to the value at another; it is monotone and keeps none.
type fn [4]val

var identity = fn{none, low, mid, top}

// then applies f first, g second.
func (f fn) then(g fn) fn { return fn{g[f[0]], g[f[1]], g[f[2]], g[f[3]]} }

// fns is the lattice of functions, ordered pointwise.
type fns struct{}

func (fns) Bottom() fn { return fn{} }
func (fns) Join(a, b fn) fn {
	for i := range a {
		a[i] = max(a[i], b[i])
	}
	return a
}
func (fns) Equal(a, b fn) bool { return a == b }

// chain is one interprocedural problem over the chain of values, for the whole program:
// each function's summary maps the value at its start to the value at its return.
//
// A problem has few events, so only what changes the value is looked at: of each block
// the events and those calls that may lead to one ("steps"), and of the functions those
// whose execution may meet one ("relevant").
type chain struct {
	cg *calls
	// events are the effects of instructions; others have none (calls have that of their
	// callees).
	events map[ir.Instr]fn
	// edges are the effects of control-flow edges.
	edges map[ir.Edge]fn
	// around are applied before and after a call.
	around map[ir.Instr][2]fn
	// leave are applied on return.
	leave map[*ir.Func]fn
	// unknown is the effect of code not seen.
	unknown fn

	relevant map[*ir.Func]bool
	sum      map[*ir.Func]fn
	of       map[*ir.Func]*solved // of relevant functions
}

// solved is what a chain knows of a relevant function.
type solved struct {
	sk *skeleton
	// in are the values at the starts of the blocks, steps what changes them there.
	in    []fn
	steps [][]ir.Instr
	// edges are the effects of the edges from the blocks, nil where none has any.
	edges map[int32][]fn
	// ret and exit are the values where the function returns, and where the program ends.
	ret, exit fn
	// enters are the values with which functions are called.
	enters []entering
}

type entering struct {
	f    *ir.Func
	with fn
}

func newChain(cg *calls, unknown fn) *chain {
	return &chain{cg: cg, events: map[ir.Instr]fn{}, edges: map[ir.Edge]fn{}, around: map[ir.Instr][2]fn{},
		leave: map[*ir.Func]fn{}, unknown: unknown}
}

// onEdge adds the effect of an edge; it comes before those added earlier.
func (c *chain) onEdge(from, to *ir.Block, e fn) {
	k := ir.Edge{From: from, To: to}
	if old, ok := c.edges[k]; ok {
		e = e.then(old)
	}
	c.edges[k] = e
}

// solve computes summaries to the fixpoint: first assuming that no relevant function
// returns, then ever more. A function is looked at again when the summary of one that it
// calls has grown, callees first.
func (c *chain) solve() {
	c.findRelevant()
	c.sum, c.of = map[*ir.Func]fn{}, map[*ir.Func]*solved{}
	events := map[*ir.Block][]ir.Instr{}
	for in := range c.events {
		b := c.cg.blockOf(in)
		events[b] = append(events[b], in)
	}
	for f := range c.relevant {
		if len(f.Blocks) > 0 {
			c.of[f] = c.prepare(f, events)
		}
	}
	c.cg.inOrder(func(f *ir.Func) bool { return c.of[f] != nil }, c.function)
	for _, x := range c.of {
		c.findEnters(x)
	}
}

// findRelevant marks the functions whose execution may meet an event.
func (c *chain) findRelevant() {
	var fs []*ir.Func
	for in := range c.events {
		fs = append(fs, c.cg.fnOf(in))
	}
	for e := range c.edges {
		fs = append(fs, c.cg.blockFn[e.From])
	}
	for f := range c.leave {
		fs = append(fs, f)
	}
	c.relevant = c.cg.above(append(fs, c.cg.unsure...))
}

// prepare finds what in a function may change the value.
func (c *chain) prepare(f *ir.Func, events map[*ir.Block][]ir.Instr) *solved {
	sk := c.cg.skeleton(f)
	x := &solved{sk: sk, in: make([]fn, len(sk.blocks)), steps: make([][]ir.Instr, len(sk.blocks))}
	for i, b := range sk.blocks {
		es := events[b]
		for _, in := range sk.calls[i] {
			if _, ok := c.events[in]; !ok && c.matters(in) {
				es = append(es, in)
			}
		}
		if len(es) > 1 {
			slices.SortFunc(es, func(a, b ir.Instr) int {
				return cmp.Compare(c.cg.number(a),
					c.cg.number(b))
			})
		}
		x.steps[i] = es
	}
	for e, eff := range c.edges {
		if c.cg.blockFn[e.From] == f {
			x.onEdge(e, eff)
		}
	}
	return x
}

// onEdge notes the effect of an edge in the function.
func (x *solved) onEdge(e ir.Edge, eff fn) {
	i := slices.Index(x.sk.blocks, e.From)
	if i < 0 {
		return
	}
	if x.edges == nil {
		x.edges = map[int32][]fn{}
	}
	es := x.edges[int32(i)]
	if es == nil {
		es = slices.Repeat([]fn{identity}, len(x.sk.succs[i]))
		x.edges[int32(i)] = es
	}
	for k, s := range x.sk.succs[i] {
		if x.sk.blocks[s] == e.To {
			es[k] = eff
		}
	}
}

// matters reports whether a call may have another effect than none.
func (c *chain) matters(in ir.Instr) bool {
	if _, ok := c.around[in]; ok || c.cg.incomplete[in] || len(c.cg.callees[in]) == 0 {
		return true
	}
	return slices.ContainsFunc(c.cg.callees[in], func(g *ir.Func) bool { return c.relevant[g] })
}

// function recomputes f's block values and summary; it reports whether the summary grew.
func (c *chain) function(f *ir.Func) bool {
	x, l := c.of[f], fns{}
	sk := x.sk
	clear(x.in)
	x.in[0] = identity
	x.ret, x.exit = fn{}, fn{}
	sk.forward(func(i int, reach func(to int32)) {
		v := x.in[i]
		for _, in := range x.steps[i] {
			v = v.then(c.effect(in))
		}
		switch sk.ends[i] {
		case returns:
			x.ret = l.Join(x.ret, v)
		case exits:
			x.exit = l.Join(x.exit, v)
		}
		es := x.edges[int32(i)]
		for k, s := range sk.succs[i] {
			w := v
			if es != nil {
				w = v.then(es[k])
			}
			if j := l.Join(x.in[s], w); j != x.in[s] {
				x.in[s] = j
				reach(s)
			}
		}
	})
	out := x.ret
	if e, ok := c.leave[f]; ok {
		out = out.then(e)
	}
	if out == c.sum[f] {
		return false
	}
	c.sum[f] = out
	return true
}

// effect is what executing an instruction does.
func (c *chain) effect(in ir.Instr) fn {
	if e, ok := c.events[in]; ok {
		return e
	}
	if !c.cg.isCall[in] {
		return identity
	}
	var e fn
	for _, g := range c.cg.callees[in] {
		if c.relevant[g] {
			e = fns{}.Join(e, c.sum[g])
		} else {
			e = fns{}.Join(e, identity)
		}
	}
	if c.cg.incomplete[in] {
		e = fns{}.Join(e, c.unknown)
	}
	if _, once := in.(*ir.Once); once {
		e = fns{}.Join(e, identity)
	}
	if a, ok := c.around[in]; ok {
		e = a[0].then(e).then(a[1])
	}
	return e
}

// findEnters finds the values with which a function calls others.
func (c *chain) findEnters(x *solved) {
	at := map[*ir.Func]int{}
	for i := range x.sk.blocks {
		for _, in := range x.sk.calls[i] {
			v := c.before(x, i, in)
			if a, ok := c.around[in]; ok {
				v = v.then(a[0])
			}
			for _, g := range c.cg.callees[in] {
				k, ok := at[g]
				if !ok {
					k = len(x.enters)
					at[g] = k
					x.enters = append(x.enters, entering{f: g})
				}
				x.enters[k].with = fns{}.Join(x.enters[k].with, v)
			}
		}
	}
}

// before is the value before an instruction of a block.
func (c *chain) before(x *solved, block int, in ir.Instr) fn {
	v, n := x.in[block], c.cg.number(in)
	for _, s := range x.steps[block] {
		if c.cg.number(s) >= n {
			break
		}
		v = v.then(c.effect(s))
	}
	return v
}

// values are the values at the instructions that one entry executes.
type values struct {
	c *chain
	// plain and site are there instead for a plain site.
	plain *plainRun
	site  int
	// start are the values at the starts of functions, by their indexes.
	start []val
	// end is the value when the entry's function, or a thread in it, ends.
	end val
	// opaque: anything may be alive everywhere in what the entry reaches.
	opaque map[*ir.Func]bool
}

// at returns the value before an instruction.
func (v *values) at(in ir.Instr) val {
	if v.plain != nil {
		return v.plain.at(v.site, in)
	}
	f := v.c.cg.fnOf(in)
	if v.opaque != nil {
		if v.opaque[f] {
			return top
		}
		return none
	}
	if f == nil || v.start[v.c.cg.index[f]] == none {
		return none
	}
	i, ok := v.c.cg.skeleton(f).at[v.c.cg.blockOf(in)]
	if !ok {
		return none
	}
	if x := v.c.of[f]; x != nil {
		return v.c.before(x, i, in)[v.start[v.c.cg.index[f]]]
	}
	return v.start[v.c.cg.index[f]]
}

// most is the highest value at any instruction that is executed.
func (v *values) most() val {
	m := v.end
	for i, w := range v.start {
		f := v.c.cg.order[i]
		x := v.c.of[f]
		if w == none || x == nil {
			m = max(m, w)
			continue
		}
		for k, b := range x.sk.blocks {
			if len(b.Instrs) == 0 {
				continue
			}
			m = max(m, x.in[k][w], v.at(b.Instrs[len(b.Instrs)-1]))
			for _, s := range x.steps[k] {
				m = max(m, v.at(s))
			}
		}
	}
	return m
}

// run follows one entry from its start, with the given value there.
func (c *chain) run(root *ir.Func, start val) *values {
	v := &values{c: c, start: make([]val, len(c.cg.order))}
	v.start[c.cg.index[root]] = start
	work := []*ir.Func{root}
	enter := func(g *ir.Func, w val) {
		if i := c.cg.index[g]; w > v.start[i] {
			v.start[i] = w
			work = append(work, g)
		}
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		cur := v.start[c.cg.index[f]]
		if x := c.of[f]; x != nil {
			v.end = max(v.end, x.exit[cur])
			if f == root {
				v.end = max(v.end, x.ret[cur])
			}
			for _, e := range x.enters {
				enter(e.f, e.with[cur])
			}
			continue
		}
		sk := c.cg.skeleton(f)
		if sk.exits || f == root && sk.returns {
			v.end = max(v.end, cur)
		}
		for _, g := range sk.callees {
			enter(g, cur)
		}
	}
	return v
}
