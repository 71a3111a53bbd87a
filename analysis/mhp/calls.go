package mhp

import (
	"slices"
	"sync"

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
	at         map[ir.Instr]instrAt
	blockFn    map[*ir.Block]*ir.Func
	reach      map[*ir.Func]map[*ir.Func]bool
	index      map[*ir.Func]int        // in order
	callers    map[*ir.Func][]*ir.Func // each once
	unsure     []*ir.Func              // those with incomplete calls
	skeletons  map[*ir.Func]*skeleton
	noted      map[*ir.Func][]ir.Instr // notable instructions
	unseen     map[*ir.Func]bool       // see opaque
	// seen: code that was not seen counts as starting, joining and registering nothing.
	seen bool

	mu   sync.Mutex // guards what follows: several goroutines ask
	cfgs map[*ir.Func]*ir.CFG
}

// instrAt is where an instruction is; instructions are counted.
type instrAt struct {
	block  *ir.Block
	number int32
}

func (c *calls) blockOf(in ir.Instr) *ir.Block { return c.at[in].block }
func (c *calls) number(in ir.Instr) int32      { return c.at[in].number }
func (c *calls) fnOf(in ir.Instr) *ir.Func     { return c.blockFn[c.at[in].block] }

func newCalls(p *ir.Program, al *alias.Result, seen bool) *calls {
	c := &calls{seen: seen, callees: map[ir.Instr][]*ir.Func{}, incomplete: map[ir.Instr]bool{}, isCall: map[ir.Instr]bool{},
		sites: map[*ir.Func][]ir.Instr{}, at: map[ir.Instr]instrAt{}, blockFn: map[*ir.Block]*ir.Func{},
		cfgs: map[*ir.Func]*ir.CFG{}, reach: map[*ir.Func]map[*ir.Func]bool{},
		index: map[*ir.Func]int{}, callers: map[*ir.Func][]*ir.Func{},
		skeletons: map[*ir.Func]*skeleton{},
		noted:     map[*ir.Func][]ir.Instr{}}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			c.blockFn[b] = f
			for _, in := range b.Instrs {
				c.at[in] = instrAt{b, int32(len(c.at))}
				if notable(in) {
					c.noted[f] = append(c.noted[f], in)
				}
				c.call(f, in, al)
			}
		}
	}
	done := map[*ir.Func]bool{}
	for _, f := range p.Funcs {
		c.postorder(f, done)
	}
	for i, f := range c.order {
		c.index[f] = i
		c.skeletons[f] = c.newSkeleton(f)
		called := map[*ir.Func]bool{}
		unsure := false
		for _, in := range c.sites[f] {
			unsure = unsure || c.incomplete[in]
			for _, g := range c.callees[in] {
				if !called[g] {
					called[g] = true
					c.callers[g] = append(c.callers[g], f)
				}
			}
		}
		if unsure {
			c.unsure = append(c.unsure, f)
		}
	}
	unseen := slices.Clone(c.unsure)
	for _, f := range c.order {
		if f.Unknown != "" {
			unseen = append(unseen, f)
		}
	}
	c.unseen = c.above(unseen)
	return c
}

// skeleton is the control flow of a function, and its calls.
type skeleton struct {
	blocks []*ir.Block // those that are reached, in reverse postorder
	at     map[*ir.Block]int
	succs  [][]int32
	calls  [][]ir.Instr
	ends   []ending
	spawns []bool // whether the block starts threads
	// callees are what the calls in the blocks lead to, each once.
	callees []*ir.Func
	// returns and exits: some block does.
	returns, exits bool
}

// above is some functions and all that lead to them by calls.
func (c *calls) above(fs []*ir.Func) map[*ir.Func]bool {
	out := map[*ir.Func]bool{}
	var work []*ir.Func
	add := func(f *ir.Func) {
		if f != nil && !out[f] {
			out[f] = true
			work = append(work, f)
		}
	}
	for _, f := range fs {
		add(f)
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		for _, g := range c.callers[f] {
			add(g)
		}
	}
	return out
}

// inOrder calls step for the functions that some condition holds of, callees first; again
// for callers of those for which it reports that something has changed.
func (c *calls) inOrder(some func(*ir.Func) bool, step func(*ir.Func) bool) {
	waits, left := make([]bool, len(c.order)), 0
	for i, f := range c.order {
		if some(f) {
			waits[i] = true
			left++
		}
	}
	for left > 0 {
		for i, f := range c.order {
			if !waits[i] {
				continue
			}
			waits[i] = false
			left--
			if !step(f) {
				continue
			}
			for _, g := range c.callers[f] {
				if k := c.index[g]; !waits[k] && some(g) {
					waits[k] = true
					left++
				}
			}
		}
	}
}

// forward calls step for the first block, and for those that step says are reached with
// something new, in the order of the blocks as far as possible.
func (sk *skeleton) forward(step func(block int, reach func(to int32))) {
	waits, left := make([]bool, len(sk.blocks)), 1
	waits[0] = true
	reach := func(to int32) {
		if !waits[to] {
			waits[to] = true
			left++
		}
	}
	for left > 0 {
		for i := range waits {
			if waits[i] {
				waits[i] = false
				left--
				step(i, reach)
			}
		}
	}
}

// ending says how a block ends.
type ending byte

const (
	goesOn ending = iota
	returns
	exits // the program, or the thread
)

func (c *calls) skeleton(f *ir.Func) *skeleton { return c.skeletons[f] }

func (c *calls) newSkeleton(f *ir.Func) *skeleton {
	sk := &skeleton{at: map[*ir.Block]int{}}
	if len(f.Blocks) == 0 {
		return sk
	}
	sk.blocks = ir.RPO(f)
	for i, b := range sk.blocks {
		sk.at[b] = i
	}
	n := len(sk.blocks)
	sk.succs, sk.calls, sk.ends, sk.spawns = make([][]int32, n), make([][]ir.Instr, n),
		make([]ending, n), make([]bool, n)
	called := map[*ir.Func]bool{}
	for i, b := range sk.blocks {
		for _, s := range b.Succs() {
			sk.succs[i] = append(sk.succs[i], int32(sk.at[s]))
		}
		switch t := b.Term.(type) {
		case *ir.Return:
			sk.ends[i], sk.returns = returns, true
		case *ir.Stop:
			if t.Kind == "exit" {
				sk.ends[i], sk.exits = exits, true
			}
		}
		for _, in := range b.Instrs {
			if _, ok := in.(*ir.Spawn); ok {
				sk.spawns[i] = true
			}
			if !c.isCall[in] {
				continue
			}
			sk.calls[i] = append(sk.calls[i], in)
			for _, g := range c.callees[in] {
				if !called[g] {
					called[g] = true
					sk.callees = append(sk.callees, g)
				}
			}
		}
	}
	return sk
}

// cfg is the control flow of a function.
func (c *calls) cfg(f *ir.Func) *ir.CFG {
	c.mu.Lock()
	defer c.mu.Unlock()
	g := c.cfgs[f]
	if g == nil {
		g = ir.NewCFG(f)
		c.cfgs[f] = g
	}
	return g
}

// forget drops what can be had again: few questions are left.
func (c *calls) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.cfgs)
}

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
	return !c.seen && c.unseen[f]
}

// notable reports whether an instruction registers something or ends that, touches what
// code not seen does, or waits at a barrier.
func notable(in ir.Instr) bool {
	switch in := in.(type) {
	case *ir.Register, *ir.Unregister, *ir.BarrierWait:
		return true
	case *ir.Touch:
		return in.Deep
	}
	return false
}

// notables calls visit for every notable instruction that executing f may execute, in
// program order.
func (c *calls) notables(f *ir.Func, visit func(ir.Instr)) {
	r := c.reachable(f)
	for _, g := range c.order {
		if r[g] {
			for _, in := range c.noted[g] {
				visit(in)
			}
		}
	}
}
