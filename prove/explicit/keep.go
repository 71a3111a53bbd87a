package explicit

import (
	"math"
	"slices"

	"whoop/ir"
)

// A spot is a register, or a place of the objects of one global or allocation: where
// values may have to be told apart less finely.
type spot struct {
	reg *ir.Reg
	obj int32 // a global; beyond those, an allocation
	off int64
}

// key is the spot of a place.
func (x *exec) key(id int32, off int64) spot {
	o := x.object(id)
	if o.site != nil {
		return spot{obj: int32(len(x.p.start.objs) + x.p.sites[o.site]), off: off}
	}
	if id < 0 { // a thread's copy
		for i := 1; i < len(x.l.tls); i += 2 {
			if x.l.tls[i] == id {
				id = x.l.tls[i-1]
				break
			}
		}
	}
	return spot{obj: id, off: off}
}

// note remembers the type of what is written to a place.
func (p *program) note(k spot, t ir.Type) {
	if old, ok := p.types[k]; !ok || old != nil && !ir.Equal(old, t) {
		p.found = append(p.found, finding{spot: k, typ: t})
	}
}

// A finding is what was found out about a spot. It counts only when all ways to go on
// from a state were tried: each is tried under the same conditions, since otherwise the
// choices of one would not be those of another.
type finding struct {
	spot  spot
	typ   ir.Type // what is written there; nil: the spot has held too much
	rough span
}

// learn lets what was found out count from here on.
func (p *program) learn() {
	for _, f := range p.found {
		switch old, ok := p.types[f.spot]; {
		case f.typ == nil:
			p.rough[f.spot] = f.rough
			delete(p.seen, f.spot)
		case ok && (old == nil || !ir.Equal(old, f.typ)):
			p.types[f.spot] = nil
		default:
			p.types[f.spot] = f.typ
		}
	}
	p.found = p.found[:0]
}

// A step is where one way to go on leads: states by number, and the threads that were
// started; a failing assertion.
type step struct {
	shared, local int32 // local is -1 where the thread has ended
	spawned       []int32
	fails         ir.Instr
	script        []int // the choices
}

// keep makes the state after a step canonical, and numbers it.
func (x *exec) keep() step {
	out := step{local: -1}
	locals := []*local{}
	if !x.gone {
		locals = append(locals, x.l)
	}
	locals = append(locals, x.spawned...)
	for i, l := range locals {
		l.forget()
		if i == 0 && !x.gone {
			x.collect()
		}
		x.exact = x.p.opt.rough != nil && (len(l.frames) == 0 || l.frames[0].fn.f != x.p.opt.rough)
		for k := range l.frames {
			f := &l.frames[k]
			for n, v := range f.regs {
				f.regs[n] = x.coarse(spot{reg: f.fn.list[n], obj: -1}, f.fn.list[n].Type, v)
			}
		}
		for k, o := range l.objs {
			l.objs[k] = x.coarseObject(-int32(k+1), o)
		}
	}
	x.exact = x.p.opt.rough != nil
	known := x.spans
	if x.first != nil { // in shared memory, symbols stand for what they stood for before
		x.spans = append(slices.Clone(x.first), x.spans[len(x.first):]...)
	}
	for i, o := range x.s.objs {
		if i < len(x.p.start.objs) && o == x.p.start.objs[i] {
			continue
		}
		o = x.coarseObject(int32(i), o)
		if i < len(x.p.start.objs) && same(o, x.p.start.objs[i]) {
			o = x.p.start.objs[i]
		}
		x.s.objs[i] = o
	}
	x.s.spans, _ = canonical(x.s.each, x.spans)
	if x.first != nil {
		x.spans = known
	}
	for _, l := range locals {
		var renamed map[int32]int32
		if l.spans, renamed = canonical(l.each, x.spans); l == x.l {
			x.renamed = renamed
		}
		id := x.p.locals.number(x.p.localKey(l), l)
		if l == x.l {
			out.local = id
		} else {
			out.spawned = append(out.spawned, id)
		}
	}
	out.shared = x.p.shareds.number(x.p.sharedKey(x.s), x.s)
	return out
}

// same reports whether two objects hold the same.
func same(a, b *object) bool {
	return a.size == b.size && a.zero == b.zero && a.any == b.any && a.wild == b.wild && a.ended == b.ended && a.site == b.site && slices.Equal(a.cells, b.cells)
}

// forget clears the registers that are not read any more.
func (l *local) forget() {
	for i := range l.frames {
		f := &l.frames[i]
		index, dst := f.index, (*ir.Reg)(nil)
		if i < len(l.frames)-1 {
			dst = f.fn.f.Blocks[f.block].Instrs[index].(*ir.Call).Dst
			index++
		}
		live := f.fn.liveAt(f.block, index)
		for k := range f.regs {
			if !live[k] || dst != nil && f.fn.list[k] == dst {
				f.regs[k] = val{}
			}
		}
	}
}

// collect drops the objects of the thread that nothing leads to.
func (x *exec) collect() {
	l := x.l
	if len(l.objs) == 0 {
		return
	}
	used := make([]bool, len(l.objs))
	var visit func(v val) val
	mark := func(id int32) {
		if id < 0 && !used[-id-1] {
			used[-id-1] = true
			l.objs[-id-1].each(visit)
		}
	}
	visit = func(v val) val {
		if v.kind == pointer || v.kind == inside {
			mark(v.o)
		}
		return v
	}
	for _, f := range l.frames {
		for _, v := range f.regs {
			visit(v)
		}
	}
	for i := 1; i < len(l.tls); i += 2 {
		mark(l.tls[i])
	}
	for _, h := range l.held {
		mark(h.o)
	}
	now := make([]int32, len(l.objs))
	var objs []*object
	for i, o := range l.objs {
		if used[i] {
			objs = append(objs, o)
			now[i] = -int32(len(objs))
		}
	}
	if len(objs) == len(l.objs) {
		return
	}
	l.objs = objs
	l.each(func(v val) val {
		if (v.kind == pointer || v.kind == inside) && v.o < 0 {
			v.o = now[-v.o-1]
		}
		return v
	})
	for i, h := range l.held {
		if h.o < 0 {
			l.held[i].o = now[-h.o-1]
		}
	}
	for i := 1; i < len(l.tls); i += 2 {
		l.tls[i] = now[-l.tls[i]-1]
	}
	for i := range l.frames {
		f := &l.frames[i]
		var stack []int32
		for _, id := range f.stack {
			if id >= 0 {
				stack = append(stack, id)
			} else if n := now[-id-1]; n < 0 {
				stack = append(stack, n)
			}
		}
		f.stack = stack
	}
}

func (x *exec) coarseObject(id int32, o *object) *object {
	if o == nil {
		return nil
	}
	out := o
	for i, c := range o.cells {
		if c.size <= 0 {
			continue
		}
		k := x.key(id, c.off)
		t := x.p.types[k]
		if v := x.coarse(k, t, c.val); v != c.val {
			if out == o {
				out = o.clone()
			}
			out.cells[i].val = v
		}
	}
	return out
}

// coarse is what is kept of a value: at spots that have held too many, the class of a
// number.
func (x *exec) coarse(k spot, t ir.Type, v val) val {
	v = x.fixed(v)
	if v.kind != number && v.kind != symbol {
		return v
	}
	i, ok := t.(ir.Int)
	if !ok {
		return v
	}
	all, ok := limits(i)
	if !ok {
		return v
	}
	r, ok := x.span(v)
	if !ok {
		r = all
	}
	if !r.within(all) {
		return v
	}
	mod, rough := x.p.rough[k]
	if !rough {
		if !x.exact {
			x.p.sees(k, r)
		}
		return v
	}
	if v.kind == number && i.Bits == 64 && !i.Signed && v.n < 0 {
		return x.symbol(one(math.MaxInt64))
	}
	var ways []span
	for n := r.lo; ; {
		c := clip(x.p.class(n), all)
		ways = append(ways, c)
		if c.hi >= r.hi {
			break
		}
		n = c.hi + 1
	}
	w := ways[0]
	if len(ways) > 1 {
		w = ways[x.choose(len(ways))]
		x.narrow(v, w)
	}
	if mod.m != 0 {
		if n, ok := r.leaves(mod.m); ok && n == mod.r || v.kind == number && residue(v.n, mod.m) == mod.r {
			w.m, w.r = mod.m, mod.r
			w = w.tight()
		}
	}
	if _, ok := w.single(); w == r || ok && v.kind == number {
		return v
	}
	return x.symbol(w)
}

// sees notes what a spot has held. When that is too much, it is told apart by classes
// from there on, and by what remainder all of it left.
func (p *program) sees(k spot, r span) {
	seen := p.seen[k]
	if seen == nil {
		seen = map[span]bool{}
		p.seen[k] = seen
	}
	seen[r] = true
	if len(seen) <= p.opt.Values || k.reg != nil && p.finer[k.reg] && len(seen) <= 2*maxElements {
		return
	}
	mod, first, some := span{}, int64(0), false
	for s := range seen {
		n, ok := s.single()
		if !ok && s.m == 0 {
			mod.m = 1
			break
		}
		if !ok {
			n, mod.m = s.r, gcd(mod.m, s.m)
		}
		if c := p.class(n); ok && c.lo == c.hi { // it is told apart anyway
			continue
		}
		if !some {
			first, some = n, true
		}
		d, ok := plus(n, -first)
		if !ok {
			mod.m = 1
			break
		}
		mod.m = gcd(mod.m, max(d, -d))
	}
	if mod.m <= 1 {
		mod = span{}
	} else {
		mod.r = residue(first, mod.m)
	}
	p.found = append(p.found, finding{spot: k, rough: mod})
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func clip(a, b span) span { return span{lo: max(a.lo, b.lo), hi: min(a.hi, b.hi)} }
