package mhp

import (
	"slices"

	"whoop/ir"
)

// Most sites start threads that no join is known to end: all that is to be found out is
// whether the site may have been executed before. For these "plain" sites the problems of
// chain.go are solved together. With startAny and endAll as the only events, what leads
// from one point to another is, for each site, one of
//
//   - nothing, where the second is not reached (not reached);
//   - startAny, where some path has the site with no endAll behind it (in gen);
//   - the identity, where some path has no endAll (keep);
//   - endAll, else.
//
// Whether a point is reached, and keep, are the same for all sites, so a set of sites says
// the rest.

// bits is a set of the numbers of sites; sets are never changed in place.
type bits []uint64

func (b bits) has(i int) bool { return i>>6 < len(b) && b[i>>6]&(1<<(i&63)) != 0 }

// or is the union of two sets; one of them where it is that.
func (b bits) or(c bits) bits {
	if b.covers(c) {
		return b
	}
	if c.covers(b) {
		return c
	}
	out := slices.Clone(b)
	for i := range c {
		if i < len(out) {
			out[i] |= c[i]
		} else {
			out = append(out, c[i])
		}
	}
	return out
}

func (b bits) covers(c bits) bool {
	for i, w := range c {
		if w != 0 && (i >= len(b) || w&^b[i] != 0) {
			return false
		}
	}
	return true
}

// passing is what leads from the start of a function to a point in it.
type passing struct {
	reached, keep bool
	gen           bits
}

// then is p first, q second.
func (p passing) then(q passing) passing {
	switch {
	case !p.reached || !q.reached:
		return passing{}
	case q.keep:
		return passing{true, p.keep, p.gen.or(q.gen)}
	}
	return q
}

func (p passing) join(q passing) passing {
	switch {
	case !q.reached:
		return p
	case !p.reached:
		return q
	}
	return passing{true, p.keep || q.keep, p.gen.or(q.gen)}
}

// grown reports whether p joined with something, which is q, is more than p.
func (p passing) grown(q passing) bool {
	return q.reached && !p.reached || q.keep && !p.keep || !p.gen.covers(q.gen)
}

// plain is the problem of all plain sites.
type plain struct {
	cg    *calls
	bit   map[ir.Instr]int // of the spawns
	alone map[ir.Instr]bool
	all   bits
	sum   map[*ir.Func]passing
	of    map[*ir.Func]*plainFunc
}

// plainFunc is what is known of a function that may meet an event.
type plainFunc struct {
	sk        *skeleton
	in        []passing
	steps     [][]ir.Instr
	ret, exit passing
	enters    []plainEnter
}

type plainEnter struct {
	f    *ir.Func
	with passing
}

// plainRun is what an entry does: the sites that may have been executed when a function
// is called, and when the entry ends.
type plainRun struct {
	p     *plain
	start map[*ir.Func]bits
	end   bits
	// reached and before are what was found for the last instruction: it is asked about
	// one site after the other.
	last    ir.Instr
	reached bool
	before  bits
}

// newPlain solves the problem for some sites.
func (w *world) newPlain(sites []*site) *plain {
	p := &plain{cg: w.cg, bit: map[ir.Instr]int{}, alone: map[ir.Instr]bool{},
		sum: map[*ir.Func]passing{}, of: map[*ir.Func]*plainFunc{}}
	p.all = make(bits, (len(sites)+63)/64)
	for i, s := range sites {
		p.bit[s.spawn] = i
		p.all[i>>6] |= 1 << (i & 63)
	}
	w.aloneFences(func(in ir.Instr) { p.alone[in] = true })
	p.solve()
	return p
}

func (p *plain) solve() {
	var roots []*ir.Func
	for in := range p.bit {
		roots = append(roots, p.cg.fnOf(in))
	}
	for in := range p.alone {
		roots = append(roots, p.cg.fnOf(in))
	}
	relevant := p.cg.above(append(roots, p.cg.unsure...))
	for f := range relevant {
		if len(f.Blocks) > 0 {
			p.of[f] = p.prepare(f, relevant)
		}
	}
	p.cg.inOrder(func(f *ir.Func) bool { return p.of[f] != nil }, p.function)
	for _, x := range p.of {
		p.findEnters(x)
	}
}

// prepare lists what in the blocks of a function may do anything.
func (p *plain) prepare(f *ir.Func, relevant map[*ir.Func]bool) *plainFunc {
	sk := p.cg.skeleton(f)
	x := &plainFunc{sk: sk, in: make([]passing, len(sk.blocks)),
		steps: make([][]ir.Instr, len(sk.blocks))}
	for i, b := range sk.blocks {
		if !sk.spawns[i] && len(sk.calls[i]) == 0 && (i > 0 || len(p.alone) == 0) {
			continue
		}
		for _, in := range b.Instrs {
			_, spawn := p.bit[in]
			if spawn || p.alone[in] || p.cg.isCall[in] && p.matters(in, relevant) {
				x.steps[i] = append(x.steps[i], in)
			}
		}
	}
	return x
}

func (p *plain) matters(in ir.Instr, relevant map[*ir.Func]bool) bool {
	if p.cg.incomplete[in] || len(p.cg.callees[in]) == 0 {
		return true
	}
	return slices.ContainsFunc(p.cg.callees[in], func(g *ir.Func) bool { return relevant[g] })
}

// effect is what executing an instruction does.
func (p *plain) effect(in ir.Instr) passing {
	if i, ok := p.bit[in]; ok {
		one := make(bits, i>>6+1)
		one[i>>6] = 1 << (i & 63)
		return passing{true, true, one}
	}
	if p.alone[in] {
		return passing{reached: true}
	}
	var e passing
	for _, g := range p.cg.callees[in] {
		if p.of[g] != nil {
			e = e.join(p.sum[g])
		} else {
			e = e.join(passing{reached: true, keep: true})
		}
	}
	if p.cg.incomplete[in] {
		e = e.join(passing{true, true, p.all})
	}
	if _, once := in.(*ir.Once); once {
		e = e.join(passing{reached: true, keep: true})
	}
	return e
}

// function computes what leads to the blocks of a function and to its end; it reports
// whether the latter has grown.
func (p *plain) function(f *ir.Func) bool {
	x := p.of[f]
	sk := x.sk
	clear(x.in)
	x.in[0] = passing{reached: true, keep: true}
	x.ret, x.exit = passing{}, passing{}
	sk.forward(func(i int, reach func(to int32)) {
		v := x.in[i]
		for _, in := range x.steps[i] {
			v = v.then(p.effect(in))
		}
		switch sk.ends[i] {
		case returns:
			x.ret = x.ret.join(v)
		case exits:
			x.exit = x.exit.join(v)
		}
		for _, s := range sk.succs[i] {
			if j := x.in[s].join(v); x.in[s].grown(j) {
				x.in[s] = j
				reach(s)
			}
		}
	})
	if !p.sum[f].grown(x.ret) {
		return false
	}
	p.sum[f] = x.ret
	return true
}

func (p *plain) findEnters(x *plainFunc) {
	at := map[*ir.Func]int{}
	for i := range x.sk.blocks {
		for _, in := range x.sk.calls[i] {
			v := p.before(x, i, in)
			for _, g := range p.cg.callees[in] {
				k, ok := at[g]
				if !ok {
					k = len(x.enters)
					at[g] = k
					x.enters = append(x.enters, plainEnter{f: g})
				}
				x.enters[k].with = x.enters[k].with.join(v)
			}
		}
	}
}

// before is what leads to an instruction of a block.
func (p *plain) before(x *plainFunc, block int, in ir.Instr) passing {
	v, n := x.in[block], p.cg.number(in)
	for _, s := range x.steps[block] {
		if p.cg.number(s) >= n {
			break
		}
		v = v.then(p.effect(s))
	}
	return v
}

// after is what has been executed at a point that v leads to.
func (v passing) after(start bits) bits {
	if !v.keep {
		return v.gen
	}
	return v.gen.or(start)
}

// run follows an entry from its start, where no site has been executed.
func (p *plain) run(root *ir.Func) *plainRun {
	r := &plainRun{p: p, start: map[*ir.Func]bits{root: nil}}
	work := []*ir.Func{root}
	enter := func(g *ir.Func, s bits) {
		if old, ok := r.start[g]; !ok || !old.covers(s) {
			r.start[g] = old.or(s)
			work = append(work, g)
		}
	}
	for len(work) > 0 {
		f := work[len(work)-1]
		work = work[:len(work)-1]
		cur := r.start[f]
		x := p.of[f]
		if x == nil {
			sk := p.cg.skeleton(f)
			if sk.exits || f == root && sk.returns {
				r.end = r.end.or(cur)
			}
			for _, g := range sk.callees {
				enter(g, cur)
			}
			continue
		}
		if x.exit.reached {
			r.end = r.end.or(x.exit.after(cur))
		}
		if f == root && x.ret.reached {
			r.end = r.end.or(x.ret.after(cur))
		}
		for _, e := range x.enters {
			if e.with.reached {
				enter(e.f, e.with.after(cur))
			}
		}
	}
	return r
}

// at is the value of a site before an instruction, as a chain has it.
func (r *plainRun) at(site int, in ir.Instr) val {
	if r.last != in {
		r.last = in
		r.reached, r.before = r.find(in)
	}
	switch {
	case !r.reached:
		return none
	case r.before.has(site):
		return top
	}
	return low
}

// find reports whether an instruction is reached, and which sites may have been executed
// then.
func (r *plainRun) find(in ir.Instr) (bool, bits) {
	f := r.p.cg.fnOf(in)
	start, ok := r.start[f]
	if !ok {
		return false, nil
	}
	i, ok := r.p.cg.skeleton(f).at[r.p.cg.blockOf(in)]
	if !ok {
		return false, nil
	}
	x := r.p.of[f]
	if x == nil {
		return true, start
	}
	v := r.p.before(x, i, in)
	return v.reached, v.after(start)
}
