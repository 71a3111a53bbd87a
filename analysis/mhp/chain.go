package mhp

import (
	"whoop/analysis/dataflow"
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
	in       map[*ir.Func]map[*ir.Block]fn // of relevant functions
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
// returns, then ever more.
func (c *chain) solve() {
	c.findRelevant()
	c.sum = map[*ir.Func]fn{}
	c.in = map[*ir.Func]map[*ir.Block]fn{}
	for changed := true; changed; {
		changed = false
		for _, f := range c.cg.order {
			if c.relevant[f] && c.function(f) {
				changed = true
			}
		}
	}
}

// findRelevant marks the functions whose execution may meet an event.
func (c *chain) findRelevant() {
	c.relevant = map[*ir.Func]bool{}
	for in := range c.events {
		c.relevant[c.cg.fnOf[in]] = true
	}
	for e := range c.edges {
		c.relevant[c.cg.blockFn[e.From]] = true
	}
	for f := range c.leave {
		c.relevant[f] = true
	}
	for changed := true; changed; {
		changed = false
		for _, f := range c.cg.order {
			if c.relevant[f] {
				continue
			}
			for _, in := range c.cg.sites[f] {
				hit := c.cg.incomplete[in]
				for _, g := range c.cg.callees[in] {
					hit = hit || c.relevant[g]
				}
				if hit {
					c.relevant[f], changed = true, true
					break
				}
			}
		}
	}
}

// function recomputes f's block values and summary; it reports whether the summary grew.
func (c *chain) function(f *ir.Func) bool {
	if len(f.Blocks) == 0 {
		return false
	}
	var out fn
	l := fns{}
	c.in[f] = dataflow.Forward(c.cg.cfg(f).RPO, l, f.Blocks[0], identity, func(b *ir.Block, v fn, emit func(*ir.Block, fn)) {
		for _, in := range b.Instrs {
			v = v.then(c.effect(in))
		}
		if _, ok := b.Term.(*ir.Return); ok {
			out = l.Join(out, v)
		}
		for _, s := range b.Succs() {
			if e, ok := c.edges[ir.Edge{From: b, To: s}]; ok {
				emit(s, v.then(e))
			} else {
				emit(s, v)
			}
		}
	})
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

// values are the values at the instructions that one entry executes.
type values struct {
	number map[ir.Instr]int32
	before []val // by number
	// end is the value when the entry's function, or a thread in it, ends.
	end val
}

func (c *calls) newValues() *values {
	return &values{number: c.number, before: make([]val, len(c.number))}
}

// at returns the value before an instruction.
func (v *values) at(in ir.Instr) val {
	n, ok := v.number[in]
	if !ok {
		return none
	}
	return v.before[n]
}

// run follows one entry from its start, with the given value there.
func (c *chain) run(root *ir.Func, start val) *values {
	v := c.cg.newValues()
	at := map[*ir.Func]val{root: start}
	work := []*ir.Func{root}
	for len(work) > 0 {
		f := work[0]
		work = work[1:]
		for _, b := range c.cg.cfg(f).RPO {
			cur := at[f]
			if c.relevant[f] {
				cur = c.in[f][b][cur]
			}
			for _, in := range b.Instrs {
				if cur == none {
					break
				}
				n := c.cg.number[in]
				v.before[n] = max(v.before[n], cur)
				for _, g := range c.cg.callees[in] {
					w := cur
					if a, ok := c.around[in]; ok {
						w = a[0][cur]
					}
					if w > at[g] {
						at[g] = w
						work = append(work, g)
					}
				}
				cur = c.effect(in)[cur]
			}
			_, ret := b.Term.(*ir.Return)
			if s, ok := b.Term.(*ir.Stop); ok && s.Kind == "exit" || ret && f == root {
				v.end = max(v.end, cur)
			}
		}
	}
	return v
}
