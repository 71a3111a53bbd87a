package bmc

import (
	"whoop/ir"
	"whoop/smt/bv"
)

// conc reports whether a target is shared with a thread that may run now. What is
// constant nobody changes: an execution ends where it is written.
func (x *exec) conc(t target, st *state) bool { return st.split && t.c.conc && !t.c.obj.constant() }

// assume ends executions in which c is false, at a point of their own: other threads may
// meet a bug before.
func (x *exec) assume(st *state, c *bv.Term, in ir.Instr, at ir.Pos) {
	if c == x.b.True || st.guard == x.b.False {
		return
	}
	if c == x.b.False {
		x.dead(st, at)
		return
	}
	if !st.split { // nobody else is there to meet a bug before
		st.guard = x.b.And(st.guard, c)
		return
	}
	p := x.step(st, in, at)
	p.cut, p.poise = false, true
	p.require = append(p.require, c)
}

// valid ends executions in which c is false as assume does, and notes that they are
// undefined behaviour.
func (x *exec) valid(st *state, c *bv.Term, in ir.Instr, at ir.Pos, memory bool) {
	if c == x.b.True || st.guard == x.b.False {
		return
	}
	if !st.split {
		x.invalid = append(x.invalid, invalidity{cond: x.b.And(st.guard, x.b.Not(c)), at: at, memory: memory})
		st.guard = x.b.And(st.guard, c)
		return
	}
	p := x.step(st, in, at)
	p.cut, p.poise = false, true
	p.require = append(p.require, c)
	p.invalid, p.memory = x.b.Not(c), memory
	if c == x.b.False {
		st.guard = x.b.False
	}
}

// dead ends a path.
func (x *exec) dead(st *state, at ir.Pos) {
	if !st.split {
		st.guard = x.b.False
		return
	}
	p := x.step(st, nil, at)
	p.cut, p.poise = false, true
	p.require = append(p.require, x.b.False)
	st.guard = x.b.False
}

// op collects what an instruction does to memory, as one step.
type op struct {
	x  *exec
	st *state
	in ir.Instr
	p  *event
	// need must hold for the step to be defined, choice of what is chosen in it.
	need, choice []*bv.Term
	// beyond are conditions under which what the step does is not followed.
	beyond []*bv.Term
	ac     accessInfo
	can    *bv.Term // when the step can be taken; nil: always
	knew   bool     // a shared cell was not read, for the thread knew what is in it
}

func (x *exec) begin(st *state, in ir.Instr, order ir.Order) *op {
	return &op{x: x, st: st, in: in, ac: accessInfo{atomic: order.Atomic()}}
}

// at resolves an address for n bytes.
func (o *op) at(addr *bv.Term, n int64, t ir.Type) []target {
	ps, ok := o.x.places(addr, n, o.st, o.in.At())
	if ok != o.x.b.True {
		o.need = append(o.need, ok)
	}
	o.alive(ps)
	return o.x.alike(o.x.targets(ps, n, t), n, holdsNarrow(n, t), o.st)
}

// alive leaves out executions that use freed memory.
func (o *op) alive(ps []place) {
	for _, p := range ps {
		if p.obj.freed == nil {
			continue
		}
		dead := o.getCells([]target{{c: p.obj.freed, match: o.x.b.True}}, 1)
		o.need = append(o.need, o.x.b.Or(o.x.b.Not(p.match), o.x.b.Eq(dead, o.x.b.Num(1, 0))))
	}
}

// step is the position of the instruction, made where it needs one.
func (o *op) step() *event {
	if o.p == nil {
		known := o.st.known
		o.p = o.x.step(o.st, o.in, o.in.At())
		o.p.spare = o.p.cut && o.spare()
		if o.p.cut && !o.yields() {
			o.p.cut = false
			o.st.known = known
		}
	}
	return o.p
}

// yields reports whether others may run before the instruction, if they may run at all:
// before synchronisation always, or two adjacent regions under locks would become one.
func (o *op) yields() bool {
	return !plain(o.in) || o.x.feat.binds.At(o.in) != nil || o.x.opt.Yield == nil || o.x.opt.Yield(o.in)
}

// spare reports whether Options.Reduced leaves the instruction out, whatever
// Options.Yield does.
func (o *op) spare() bool {
	return plain(o.in) && o.x.feat.binds.At(o.in) == nil && o.x.opt.Reduced != nil && !o.x.opt.Reduced(o.in)
}

// plain reports whether an instruction accesses memory and is no synchronisation.
func plain(in ir.Instr) bool {
	switch in.(type) {
	case *ir.Load, *ir.Store, *ir.RMW, *ir.CmpXchg, *ir.MemCopy, *ir.MemSet, *ir.Touch:
		return true
	}
	return false
}

// remembered is the contents of a shared cell where the thread knows them.
func (o *op) remembered(t target) *bv.Term {
	if o.p != nil && o.p.cut || o.p == nil && o.st.split && o.st.atomic == 0 && o.yields() {
		return nil
	}
	return o.st.known.get(t.c.idx)
}

// remember notes the contents of a shared cell after a write of v, or a read that yielded
// it, at a single place.
func (o *op) remember(ts []target, v *bv.Term, write bool) {
	if len(ts) == 1 && ts[0].match == o.x.b.True && v.Width == ts[0].c.width {
		o.st.known = o.st.known.set(ts[0].c.idx, v)
		return
	}
	if !write {
		return
	}
	for _, t := range ts {
		if old := o.st.known.get(t.c.idx); old != nil {
			o.st.known = o.st.known.set(t.c.idx, o.x.b.Ite(t.match, o.x.insert(old, v, t.lo), old))
		}
	}
}

// read reads n bytes.
func (o *op) read(ts []target, n int64) *bv.Term {
	x, w := o.x, accessBits(ts, n)
	var shared []target
	var v *bv.Term
	for i := len(ts) - 1; i >= 0; i-- {
		t := ts[i]
		x.touch(t.c, o.st, false)
		var val *bv.Term
		if x.conc(t, o.st) {
			if val = o.remembered(t); val == nil || x.mayRace(o.in) {
				shared = append(shared, t)
				continue
			}
			o.knew = true
		} else if val = o.st.mem.get(t.c.idx); val == nil {
			val = x.initial(t.c)
		}
		val = x.b.Extract(val, t.lo+w-1, t.lo)
		if v == nil {
			v = val
		} else {
			v = x.b.Ite(t.match, val, v)
		}
	}
	if len(shared) == 0 {
		if v == nil {
			return x.b.Num(w, 0) // nowhere: the path ends
		}
		return v
	}
	p := o.step()
	o.ac.touches = append(o.ac.touches, touched{width: w, targets: shared})
	known := values{}
	for _, t := range shared {
		if t.c.width != w {
			known = values{any: true}
			break
		}
		known.add(x.valuesOf(x.initial(t.c)), maxTargets)
		known.add(t.c.vals, maxTargets)
	}
	rv := x.b.Fresh("r", w)
	if n, ok := known.only(); ok && len(shared) == 1 && w <= 64 {
		rv = x.b.Num(w, n)
	} else {
		x.vals[rv] = &known
		p.reads = append(p.reads, &read{v: rv, targets: shared})
	}
	o.remember(shared, rv, false)
	if v == nil {
		return rv
	}
	any := x.b.False
	for _, t := range shared {
		any = x.b.Or(any, t.match)
	}
	return x.b.Ite(any, rv, v)
}

// constant reports whether nothing may write the object.
func (o *object) constant() bool { return o.global != nil && o.global.Const && !o.global.Extern }

// writable leaves out executions that write to constant objects.
func (o *op) writable(ps []place, c *bv.Term) {
	for _, p := range ps {
		if p.obj.constant() {
			o.need = append(o.need, o.x.b.Not(o.x.b.And(p.match, c)))
		}
	}
}

// write writes v.
func (o *op) write(ts []target, v *bv.Term) { o.writeIf(ts, v, o.x.b.True) }

// writeIf writes v where c holds.
func (o *op) writeIf(ts []target, v, c *bv.Term) {
	x := o.x
	var shared []target
	for _, t := range ts {
		o.writable([]place{{obj: t.c.obj, match: t.match}}, c)
		x.touch(t.c, o.st, true)
		if x.conc(t, o.st) {
			t.match = x.b.And(t.match, c)
			shared = append(shared, t)
			x.store(t.c, v)
			continue
		}
		old := o.st.mem.get(t.c.idx)
		if old == nil {
			old = x.initial(t.c)
		}
		o.st.mem = o.st.mem.set(t.c.idx, x.b.Ite(x.b.And(t.match, c), x.insert(old, v, t.lo), old))
	}
	if len(shared) == 0 {
		return
	}
	p := o.step()
	p.maybe = p.maybe || c != x.b.True
	o.ac.touches = append(o.ac.touches, touched{write: true, width: v.Width, targets: shared})
	p.writes = append(p.writes, &write{val: v, targets: shared})
	o.remember(shared, v, true)
}

// partOf is why a copy or fill is not followed.
const partOf = "a copy or fill of unknown length or place that takes a part of a pointer, or has too many parts"

// end closes the step: addresses must be valid, and the interpreter will meet the
// instruction.
func (o *op) end(result *bv.Term) {
	x := o.x
	need := x.b.And(o.need...)
	beyond := x.b.And(x.b.Or(o.beyond...), need)
	if o.p == nil {
		if o.knew && o.st.split && o.st.atomic == 0 {
			x.t.omitted++
		}
		x.valid(o.st, need, nil, o.in.At(), memoryOp(o.in))
		if beyond != x.b.False {
			rest := o.st.clone()
			rest.guard = x.b.And(rest.guard, beyond)
			x.limit(rest, "size", o.in.At(), partOf)
			o.st.guard = x.b.And(o.st.guard, x.b.Not(beyond))
		}
		x.logged(o.st, o.in, result, nil)
		return
	}
	if beyond != x.b.False {
		l := limit{"size", o.in.At(), partOf, true}
		x.limits = append(x.limits, l)
		o.p.beyond, o.p.limit = beyond, &l
		o.p.require = append(o.p.require, x.b.Not(beyond))
		o.p.poise = true
	}
	for _, c := range o.p.checks {
		c.bad = x.b.And(c.bad, need)
	}
	if o.can != nil { // an invalid address is an error and not a reason to wait
		o.p.blocked(x.b, x.b.Or(o.can, x.b.Not(need)))
	}
	if len(o.choice) > 0 {
		o.p.require = append(o.p.require, o.choice...)
		o.p.poise = true
	}
	if need != x.b.True {
		o.p.require = append(o.p.require, need)
		o.p.invalid, o.p.memory = x.b.Not(need), memoryOp(o.in)
		o.p.poise = true
	}
	if len(o.ac.touches) > 0 {
		ac := o.ac
		o.p.ac = &ac
		o.p.poise = o.p.poise || x.mayRace(o.in)
	}
	x.logged(o.st, o.in, result, o.p)
}

// memoryOp reports whether an instruction accesses or frees memory, and is not an
// operation on a lock or thread.
func memoryOp(in ir.Instr) bool {
	switch in.(type) {
	case *ir.Load, *ir.Store, *ir.RMW, *ir.CmpXchg, *ir.MemCopy, *ir.MemSet, *ir.Touch, *ir.Free:
		return true
	}
	return false
}

// cellSize is the bytes of a value in memory.
func cellSize(t ir.Type) int64 { return max(t.Size(), 1) }

// toMemory makes a register's value what is stored, fromMemory the reverse.
func (x *exec) toMemory(v *bv.Term, t ir.Type) *bv.Term {
	return x.extend(v, t, memoryWidth(cellSize(t), t))
}

func (x *exec) fromMemory(v *bv.Term, t ir.Type) *bv.Term {
	if w := width(t); w > v.Width {
		return x.b.ZExt(v, w) // nowhere: the path ends
	} else if w > 0 {
		return x.b.Extract(v, w-1, 0)
	}
	return x.b.Not(x.b.Eq(v, x.b.Num(v.Width, 0)))
}

// pieces are the parts of [off, off+n) that the cells of an object divide it into; bytes
// that belong to no cell are left out: nothing reads them.
func (x *exec) pieces(o *object, off, n int64) [][2]int64 {
	o.blocks = true
	var out [][2]int64
	for _, c := range o.cells {
		if lo, hi := max(c.lo, off), min(c.hi, off+n); !c.standIn && lo < hi {
			out = append(out, [2]int64{lo - off, hi - lo})
		}
	}
	return out
}

// begins makes stand-ins where accesses of several bytes begin, if races are looked for.
func (x *exec) begins(in ir.Instr, ps []place) {
	for _, p := range ps {
		if x.mayRace(in) && p.off >= 0 && (p.obj.size < 0 || p.off < p.obj.size) {
			x.w.standIn(p.obj, p.off)
		}
	}
}

// aside notes that a step accesses the stand-ins of an object, each where its condition
// holds.
func (o *op) aside(obj *object, when func(off int64) *bv.Term, write bool) {
	obj.blocks = true
	for _, c := range obj.cells {
		if c.standIn {
			o.reaches(c, c.lo, []*bv.Term{when(c.lo)}, write)
		}
	}
}

// cut divides pieces at the borders of others, and adds those.
func cutPieces(a, b [][2]int64) [][2]int64 {
	borders := map[int64]bool{}
	in := map[int64]bool{}
	for _, ps := range [][][2]int64{a, b} {
		for _, p := range ps {
			borders[p[0]], borders[p[0]+p[1]] = true, true
			for k := range p[1] {
				in[p[0]+k] = true
			}
		}
	}
	var out [][2]int64
	for _, ps := range [][][2]int64{a, b} {
		for _, p := range ps {
			for k := p[0]; k < p[0]+p[1]; {
				e := k + 1
				for e < p[0]+p[1] && !borders[e] {
					e++
				}
				out = append(out, [2]int64{k, e - k})
				k = e
			}
		}
	}
	seen := map[[2]int64]bool{}
	kept := out[:0]
	for _, p := range out {
		if !seen[p] {
			seen[p] = true
			kept = append(kept, p)
		}
	}
	return kept
}

// mayRace reports whether races of an access are looked for.
func (x *exec) mayRace(in ir.Instr) bool {
	return x.opt.wants("race") && (x.opt.NoRace == nil || !x.opt.NoRace(in))
}
