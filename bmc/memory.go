package bmc

import (
	"fmt"
	"sort"

	"whoop/ir"
	"whoop/smt/bv"
)

// place is a range of bytes that an address may mean, with the condition under which it
// does.
type place struct {
	obj   *object
	off   int64
	match *bv.Term
}

// places resolves an address for an access of n bytes. ok is the condition that it is one
// of them; executions where it is not (null, out of bounds) end there. nil where nothing
// is known about the address.
func (x *exec) places(addr *bv.Term, n int64, st *state, at ir.Pos) ([]place, *bv.Term) {
	vs := x.valuesOf(addr)
	if vs.any {
		x.limit(st, "pointer", at, "an access through a pointer that may lead anywhere")
		return nil, x.b.False
	}
	var out []place
	for _, a := range vs.sorted() {
		if p, ok := x.place(a, n); ok {
			out = append(out, p)
		}
	}
	for _, s := range sortedSpans(vs.arrays) {
		out = append(out, x.elements(addr, s, n, st, at)...)
	}
	out = unique(out)
	if len(out) == 1 && len(vs.arrays) == 0 && len(vs.nums) == 1 {
		out[0].match = x.b.True
		return out, x.fits(out, n)
	}
	var any []*bv.Term
	for i := range out {
		out[i].match = x.equals(addr, makeAddr(out[i].obj.id, out[i].off))
		any = append(any, out[i].match)
	}
	kept := out[:0]
	for _, p := range out {
		if p.match != x.b.False {
			kept = append(kept, p)
		}
	}
	return kept, x.b.And(anyOf(x.b, any), x.fits(kept, n))
}

// fits is the condition that n bytes at each place are within its object, where that was
// made with a size that is no literal.
func (u *unrolling) fits(ps []place, n int64) *bv.Term {
	all := u.b.True
	for _, p := range ps {
		if size := u.sizes[p.obj]; size != nil {
			in := u.b.False
			if p.off >= 0 {
				in = u.b.ULe(u.b.Num(64, uint64(p.off+n)), size)
			}
			all = u.b.And(all, u.b.Or(u.b.Not(p.match), in))
		}
	}
	return all
}

// fewBases bounds the addresses that are told apart in an address with an offset that is
// not known.
const fewBases = 8

// equals is t = n. Where t is one of few addresses and an offset, there is an equation of
// the offset for each of them: these can be solved, and the sum need not be computed.
func (u *unrolling) equals(t *bv.Term, n uint64) *bv.Term {
	if t.Op == bv.OpAdd && t.Args[1].Op != bv.OpNum {
		for i, base := range t.Args {
			v := u.valuesOf(base)
			if v.any || len(v.arrays) > 0 || len(v.nums) > fewBases {
				continue
			}
			var any []*bv.Term
			for _, m := range v.sorted() {
				any = append(any, u.b.And(u.equals(base, m), u.equals(t.Args[1-i], (n-m)&(1<<t.Width-1))))
			}
			return u.b.Or(any...)
		}
	}
	if k, ok := lastLiteral(t); ok {
		return u.equals(t.Args[0], (n-k)&(1<<t.Width-1))
	}
	return u.b.Eq(t, u.b.Num(t.Width, n))
}

// lastLiteral is the literal of a sum.
func lastLiteral(t *bv.Term) (uint64, bool) {
	if t.Op != bv.OpAdd {
		return 0, false
	}
	return t.Args[1].IsNum()
}

func (x *exec) place(a uint64, n int64) (place, bool) {
	id, off := objectOf(a), offsetOf(a)
	if id <= 0 || id >= len(x.w.objs) {
		return place{}, false
	}
	o := x.w.objs[id]
	if o.size >= 0 && (off < 0 || off+n > o.size && !o.unsized) {
		return place{}, false
	}
	return place{obj: o, off: off}, true
}

// elements are the places of a span within the bounds of its object.
func (x *exec) elements(addr *bv.Term, s span, n int64, st *state, at ir.Pos) []place {
	id, off := objectOf(s.base), offsetOf(s.base)
	if id <= 0 || id >= len(x.w.objs) {
		return nil
	}
	o := x.w.objs[id]
	if o.size < 0 {
		x.note("pointer", at, "an index into memory of unknown size is taken to be one that is used elsewhere")
		var out []place
		for _, c := range o.cells {
			if (c.lo-off)%s.stride == 0 {
				out = append(out, place{obj: o, off: c.lo})
			}
		}
		x.elsewhere(st, addr, o, out, at)
		return out
	}
	first := off % s.stride
	if first < 0 {
		first += s.stride
	}
	end := o.size
	if (o.size-first)/s.stride > int64(x.opt.MaxCells) {
		first = max(first, off)
		few := int64(max(x.opt.FewCells, 0))
		end = first + few*s.stride
		x.beyond(st, addr, o, first, end, few, at)
	}
	var out []place
	for k := first; k+n <= min(end, o.size); k += s.stride {
		out = append(out, place{obj: o, off: k})
	}
	return out
}

// elsewhere leaves out the executions of a state in which addr is in an object of unknown
// size, and at none of the places: that is no error.
func (x *exec) elsewhere(st *state, addr *bv.Term, o *object, ps []place, at ir.Pos) {
	start, end := x.b.Num(addr.Width, makeAddr(o.id, 0)), x.b.Num(addr.Width, makeAddr(o.id, 1<<31-1))
	there := []*bv.Term{x.b.ULt(addr, start), x.b.ULt(end, addr)}
	for _, p := range ps {
		there = append(there, x.equals(addr, makeAddr(o.id, p.off)))
	}
	x.assume(st, x.b.Or(there...), nil, at)
}

// beyond ends the paths of a state on which addr is in an object, and not at the offsets
// from first up to end.
func (x *exec) beyond(st *state, addr *bv.Term, o *object, first, end, few int64, at ir.Pos) {
	below := func(off int64) *bv.Term { return x.b.ULt(addr, x.b.Num(addr.Width, makeAddr(o.id, off))) }
	within := below(o.size)
	if o.unsized {
		within = below(1 << 30)
	}
	if size := x.sizes[o]; size != nil {
		within = x.b.And(within, x.b.ULt(addr, x.b.Add(x.b.Num(addr.Width, makeAddr(o.id, 0)), size)))
	}
	there := x.b.And(x.b.Not(below(0)), within, x.b.Or(below(first), x.b.Not(below(min(end, o.size)))))
	rest := st.clone()
	rest.guard = x.b.And(st.guard, there)
	x.limit(rest, "array", at, fmt.Sprintf("an unknown index into %s beyond the first %d elements", o.name, few))
	if !st.split {
		st.guard = x.b.And(st.guard, x.b.Not(there))
	}
}

func sortedSpans(m map[span]bool) []span {
	out := make([]span, 0, len(m))
	for s := range m {
		out = append(out, s)
	}
	sort.Slice(out, func(i, j int) bool {
		if out[i].base != out[j].base {
			return out[i].base < out[j].base
		}
		return out[i].stride < out[j].stride
	})
	return out
}

func unique(ps []place) []place {
	seen := map[place]bool{}
	out := ps[:0]
	for _, p := range ps {
		if !seen[p] {
			seen[p] = true
			out = append(out, p)
		}
	}
	return out
}

// targets maps places to cells.
func (x *exec) targets(ps []place, n int64, t ir.Type) []target {
	out := make([]target, len(ps))
	for i, p := range ps {
		c := x.w.cell(p.obj, p.off, n, t)
		out[i] = target{c: c, lo: int(8 * (p.off - c.lo)), match: p.match}
	}
	return out
}

// touch records that the thread accesses a cell here.
func (x *exec) touch(c *cell, st *state, write bool) {
	a := c.acc[x.t.num]
	if a == nil {
		a = &access{}
		c.acc[x.t.num] = a
	}
	if write {
		a.write = true
		a.writeBy = a.writeBy.or(st.live)
	} else {
		a.readBy = a.readBy.or(st.live)
	}
}

// initial is what a cell holds at first.
func (x *unrolling) initial(c *cell) *bv.Term {
	if v := x.init[c]; v != nil {
		return v
	}
	v := x.initialOf(c)
	x.init[c] = v
	return v
}

func (u *unrolling) initialOf(c *cell) *bv.Term {
	o := c.obj
	if c.name != "" {
		n := int64(0)
		if c.name == "count" && o.global != nil {
			n, _ = ir.InitialCount(o.global, c.lo)
		}
		return u.b.Num(c.width, uint64(n))
	}
	if o.self != 0 && c.width == 64 {
		return u.b.Num(64, o.self)
	}
	if o.global != nil && !o.global.Extern {
		return u.globalInit(c)
	}
	if o.zero {
		return u.zeroes(c.width)
	}
	if pt, ok := c.typ.(ir.Ptr); ok && o.extern && c.width == 64 {
		return u.inputPointer(fmt.Sprintf("in:%s@%d", o.name, c.lo), pt, o.depth+1, false, false)
	}
	// to follow it is an error, to compare it with null is not
	if _, ok := c.typ.(ir.Ptr); ok && c.width == 64 {
		return u.oneOf(fmt.Sprintf("init:%d:%s@%d", o.id, o.name, c.lo), []uint64{0, nowhere})
	}
	v := u.b.Var(fmt.Sprintf("init:%d:%s@%d-%d", o.id, o.name, c.lo, c.hi), c.width)
	u.vals[v] = &values{any: true}
	return v
}

func (u *unrolling) zeroes(w int) *bv.Term {
	if w <= 64 {
		return u.b.Num(w, 0)
	}
	return u.b.Concat(u.zeroes(w-64), u.b.Num(64, 0))
}

func (u *unrolling) globalInit(c *cell) *bv.Term {
	if c.wide {
		return u.narrowInit(c)
	}
	v := u.zeroes(c.width)
	x := &exec{unrolling: u, t: u.threads[0], spawned: map[*ir.Spawn]int{}}
	for _, ic := range c.obj.global.Init {
		n := ic.Type.Size()
		if ic.Offset+n <= c.lo || ic.Offset >= c.hi {
			continue
		}
		val := x.eval(ic.Value, nil)
		if k, ok := val.IsNum(); holdsNarrow(n, ic.Type) && !(ok && k == 0) {
			u.poisoned(c)
		}
		w := int(8 * n)
		if val.Width < w {
			val = u.b.ZExt(val, w)
		}
		// The part of the initialiser inside the cell.
		lo, hi := max(ic.Offset, c.lo), min(ic.Offset+n, c.hi)
		part := u.b.Extract(val, int(8*(hi-ic.Offset))-1, int(8*(lo-ic.Offset)))
		v = u.insert(v, part, int(8*(lo-c.lo)))
	}
	return v
}

// insert replaces the bits of v from lo on by those of p.
func (u *unrolling) insert(v, p *bv.Term, lo int) *bv.Term {
	if p.Width == v.Width {
		return p
	}
	if lo > 0 {
		p = u.b.Concat(p, u.b.Extract(v, lo-1, 0))
	}
	if p.Width < v.Width {
		p = u.b.Concat(u.b.Extract(v, v.Width-1, p.Width), p)
	}
	return p
}

// maxDepth is how many pointers deep memory of the environment is made.
const maxDepth = 3

// inputPointer is an arbitrary pointer of the environment: a fresh object, null unless
// nonnull says otherwise, or one that threads got as arguments.
func (u *unrolling) inputPointer(key string, t ir.Ptr, depth int, private, nonnull bool) *bv.Term {
	return u.inputPointers(key, t, depth, private, nonnull, u.oneOf)
}

// inputPointers is inputPointer where of says what is one of the addresses.
func (u *unrolling) inputPointers(key string, t ir.Ptr, depth int, private, nonnull bool, of func(string, []uint64) *bv.Term) *bv.Term {
	if ft, ok := t.Elem.(ir.FuncType); ok {
		return of(key, u.inputFunctions(ft))
	}
	typ := t.Elem.String()
	var alts []uint64
	if !nonnull {
		alts = append(alts, 0)
	}
	if depth <= maxDepth {
		o := u.w.object("env:"+key, func() *object {
			return &object{name: key, size: -1, extern: true, depth: depth}
		})
		alts = append(alts, makeAddr(o.id, 0))
		if depth == 0 && !private {
			defer func() { u.envs[typ] = append(u.envs[typ], o) }()
		}
	}
	if !private {
		for _, o := range u.envs[typ] {
			alts = append(alts, makeAddr(o.id, 0))
		}
	}
	return of(key, alts)
}

// oneOf is a variable with the given values: the same one for a key.
func (u *unrolling) oneOf(key string, alts []uint64) *bv.Term {
	return u.chosen(u.b.Var("sel:"+key, selectors(alts)), alts)
}

// freshOf is a new variable with the given values.
func (u *unrolling) freshOf(key string, alts []uint64) *bv.Term {
	return u.chosen(u.b.Fresh("sel:"+key, selectors(alts)), alts)
}

// selectors is how many bits tell alternatives apart.
func selectors(alts []uint64) int {
	w := 1
	for 1<<w < len(alts) {
		w++
	}
	return w
}

// chosen is the alternative that sel selects, the first where it selects none.
func (u *unrolling) chosen(sel *bv.Term, alts []uint64) *bv.Term {
	w := sel.Width
	v := u.b.Num(64, alts[0])
	for i, a := range alts[1:] {
		v = u.b.Ite(u.b.Eq(sel, u.b.Num(w, uint64(i+1))), u.b.Num(64, a), v)
	}
	return v
}

func (u *unrolling) inputFunctions(ft ir.FuncType) []uint64 {
	alts := []uint64{0}
	if u.main && !u.p().TypeSafe { // drivers hold functions of the kernel, which are not run
		alts = append(alts, unseen)
	}
	for _, f := range u.callees[ft.String()] {
		alts = append(alts, makeAddr(fnBase+u.number(f), 0))
	}
	return alts
}

func (u *unrolling) p() *ir.Program { return u.w.p }

// store adds a term to what a shared cell may hold.
func (x *exec) store(c *cell, v *bv.Term) {
	limit := maxVals
	if c.width == 64 {
		limit = maxTargets
	}
	vs := x.valuesOf(v)
	if v.Width != c.width || v.Width == 0 {
		vs = values{any: true}
	}
	if c.vals.add(vs, limit) {
		if c.width == 64 {
			c.vals.widen()
		}
		x.w.change("values of " + c.obj.name)
	}
}
