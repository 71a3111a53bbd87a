package mhp

import (
	"whoop/analysis/alias"
	"whoop/ir"
)

// calls is the call graph with what the analysis needs to know about every function.
type calls struct {
	order      []*ir.Func // callees first, as far as possible
	callees    map[ir.Instr][]*ir.Func
	incomplete map[ir.Instr]bool // other functions may be called, too
	isCall     map[ir.Instr]bool
	sites      map[*ir.Func][]ir.Instr // the calls in a function
	fnOf       map[ir.Instr]*ir.Func
	number     map[ir.Instr]int32 // instructions, counted
	blockFn    map[*ir.Block]*ir.Func
	cfgs       map[*ir.Func]*ir.CFG
	reach      map[*ir.Func]map[*ir.Func]bool
	// seen: code that was not seen counts as starting, joining and registering nothing.
	seen bool
}

func newCalls(p *ir.Program, al *alias.Result, seen bool) *calls {
	c := &calls{seen: seen, callees: map[ir.Instr][]*ir.Func{}, incomplete: map[ir.Instr]bool{}, isCall: map[ir.Instr]bool{},
		sites: map[*ir.Func][]ir.Instr{}, fnOf: map[ir.Instr]*ir.Func{}, number: map[ir.Instr]int32{}, blockFn: map[*ir.Block]*ir.Func{},
		cfgs: map[*ir.Func]*ir.CFG{}, reach: map[*ir.Func]map[*ir.Func]bool{}}
	for _, f := range p.Funcs {
		c.cfgs[f] = ir.NewCFG(f)
		for _, b := range f.Blocks {
			c.blockFn[b] = f
			for _, in := range b.Instrs {
				c.fnOf[in] = f
				c.number[in] = int32(len(c.number))
				c.call(f, in, al)
			}
		}
	}
	done := map[*ir.Func]bool{}
	for _, f := range p.Funcs {
		c.postorder(f, done)
	}
	return c
}

func (c *calls) cfg(f *ir.Func) *ir.CFG { return c.cfgs[f] }

// call records what an instruction calls, if it is a call.
func (c *calls) call(f *ir.Func, in ir.Instr, al *alias.Result) {
	var fs []*ir.Func
	complete := true
	switch in := in.(type) {
	case *ir.Call:
		if g := ir.FuncOf(in.Callee); g != nil {
			fs = []*ir.Func{g}
		} else {
			fs, complete = al.Callees(in)
		}
	case *ir.Once:
		fs = al.Funcs(in.Fn, f)
		complete = len(fs) > 0
	default:
		return
	}
	for _, g := range fs {
		complete = complete && g.Unknown == ""
	}
	c.isCall[in] = true
	c.callees[in] = fs
	c.incomplete[in] = !complete && !c.seen
	c.sites[f] = append(c.sites[f], in)
}

func (c *calls) postorder(f *ir.Func, seen map[*ir.Func]bool) {
	if seen[f] {
		return
	}
	seen[f] = true
	for _, in := range c.sites[f] {
		for _, g := range c.callees[in] {
			c.postorder(g, seen)
		}
	}
	c.order = append(c.order, f)
}

// reachable returns the functions that executing f may execute, f included.
func (c *calls) reachable(f *ir.Func) map[*ir.Func]bool {
	if r := c.reach[f]; r != nil {
		return r
	}
	r := map[*ir.Func]bool{f: true}
	work := []*ir.Func{f}
	for len(work) > 0 {
		g := work[len(work)-1]
		work = work[:len(work)-1]
		for _, in := range c.sites[g] {
			for _, h := range c.callees[in] {
				if !r[h] {
					r[h] = true
					work = append(work, h)
				}
			}
		}
	}
	c.reach[f] = r
	return r
}

// opaque reports whether executing f may execute code that was not seen.
func (c *calls) opaque(f *ir.Func) bool {
	if c.seen {
		return false
	}
	for g := range c.reachable(f) {
		if g.Unknown != "" {
			return true
		}
		for _, in := range c.sites[g] {
			if c.incomplete[in] {
				return true
			}
		}
	}
	return false
}

// instrs calls visit for every instruction that executing f may execute, in program
// order.
func (c *calls) instrs(f *ir.Func, visit func(ir.Instr)) {
	r := c.reachable(f)
	for _, g := range c.order {
		if !r[g] {
			continue
		}
		for _, b := range g.Blocks {
			for _, in := range b.Instrs {
				visit(in)
			}
		}
	}
}
