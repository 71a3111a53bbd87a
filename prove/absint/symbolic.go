package absint

import (
	"errors"
	"maps"
	"slices"

	"whoop/ir"
	"whoop/smt/bv"
	"whoop/smt/irterm"
)

// Bounds of the symbolic execution.
const (
	maxPoints = 150
	maxPaths  = 1500
)

var errTooLarge = errors.New("too large")

// A path is a symbolic execution from a point.
type path struct {
	iv     *invariants
	from   *point
	regs   map[*ir.Reg]*bv.Term
	locals map[slot]*bv.Term
	shared map[slot]*bv.Term
	guard  []*bv.Term
	depth  int
	// seen is the transition of a thread that goes no further than what others notice of
	// this step: others may run before an assertion fails, or the thread aborts the
	// program.
	seen *transition
}

func (p *path) clone() *path {
	c := *p
	c.regs, c.locals, c.shared, c.guard = maps.Clone(p.regs), maps.Clone(p.locals), maps.Clone(p.shared), slices.Clone(p.guard)
	return &c
}

// explore finds the transitions of a point.
func (iv *invariants) explore(p *point) error {
	b := iv.b
	x := &path{iv: iv, from: p, regs: map[*ir.Reg]*bv.Term{}, locals: map[slot]*bv.Term{}, shared: map[slot]*bv.Term{}, depth: p.depth}
	if p.block == nil { // the thread is started
		flag := slot{kind: startedSlot, flag: p.thread}
		x.guard = append(x.guard, x.get(flag))
		for _, c := range iv.own[p.thread] {
			x.locals[iv.slotOf(c)] = iv.first(c)
		}
		for _, l := range iv.locks {
			x.locals[slot{kind: heldSlot, lock: l}] = b.False
		}
		return x.arrive(p.thread.cfg.RPO[0], 0)
	}
	for _, s := range p.slots {
		v := b.Var(s.name("k"), s.width)
		if s.kind == regSlot {
			x.regs[s.reg] = v
		} else {
			x.locals[s] = v
		}
	}
	return x.run(p.block, p.index, p.depth == 0)
}

// first is what a thread's own cell holds at first.
func (iv *invariants) first(c int) *bv.Term {
	x := iv.a.cells[c]
	if v, ok := x.start.single(); ok {
		return iv.b.Num(x.typ.Bits, uint64(v))
	}
	return iv.b.Fresh("init", x.typ.Bits)
}

// get is the present value of a slot.
func (x *path) get(s slot) *bv.Term {
	m := x.shared
	if s.local() {
		m = x.locals
	}
	if v := m[s]; v != nil {
		return v
	}
	return x.iv.b.Var(s.name("k"), s.width)
}

func (x *path) put(s slot, v *bv.Term) {
	if s.local() {
		x.locals[s] = v
	} else {
		x.shared[s] = v
	}
}

// arrive ends the path at a place where others may run, or goes on.
func (x *path) arrive(b *ir.Block, index int) error {
	if index == 0 && x.from.thread.heads[b] && (x.depth > 0 || x.iv.spins(x.from.thread)[b]) {
		return x.end(b, index)
	}
	return x.run(b, index, false)
}

// spins are the heads of loops that can go round without anything that others notice.
func (iv *invariants) spins(t *thread) map[*ir.Block]bool {
	if m := iv.cuts[t]; m != nil {
		return m
	}
	quiet := map[*ir.Block]bool{}
	for _, b := range t.cfg.RPO {
		quiet[b] = !slices.ContainsFunc(b.Instrs, iv.visible)
	}
	cuts := map[*ir.Block]bool{}
	for h := range t.heads {
		seen := map[*ir.Block]bool{}
		for work := []*ir.Block{h}; len(work) > 0; {
			b := work[len(work)-1]
			work = work[:len(work)-1]
			if seen[b] || !quiet[b] {
				continue
			}
			seen[b] = true
			for _, s := range b.Succs() {
				cuts[h] = cuts[h] || s == h
				work = append(work, s)
			}
		}
	}
	iv.cuts[t] = cuts
	return cuts
}

// end makes the path a transition.
func (x *path) end(b *ir.Block, index int) error {
	iv := x.iv
	to := iv.pointAt(x.from.thread, b, index, x.depth)
	if len(iv.points) > maxPoints {
		return errTooLarge
	}
	t := &transition{from: x.from, to: to, guard: iv.b.And(x.guard...), locals: map[slot]*bv.Term{}, shared: x.shared}
	for _, s := range to.slots {
		if s.kind == regSlot {
			t.locals[s] = x.reg(s.reg)
		} else {
			t.locals[s] = x.get(s)
		}
	}
	if iv.paths++; iv.paths > maxPaths {
		return errTooLarge
	}
	if t.guard != iv.b.False {
		x.from.steps = append(x.from.steps, t)
	}
	return nil
}

// run executes from an instruction to the next point; one visible instruction is executed
// where first says so.
func (x *path) run(b *ir.Block, index int, first bool) error {
	iv := x.iv
	if iv.work++; iv.work > 200_000 || iv.work%64 == 0 && iv.a.ctx.Err() != nil {
		return errTooLarge
	}
	for i := index; i < len(b.Instrs); i++ {
		in := b.Instrs[i]
		if x.depth == 0 && iv.visible(in) {
			piecewise := iv.piecewise(x.from.thread, in)
			if !first || piecewise && (x.from.block != b || x.from.index != i) {
				return x.end(b, i)
			}
			first = false
			if piecewise {
				if err := x.clone().part(b, i); err != nil {
					return err
				}
			}
		}
		was := x.depth
		ok, err := x.step(in)
		if err != nil || !ok {
			return err
		}
		if x.depth == 0 && (was > 0 || iv.visible(in)) {
			x.seen = &transition{from: x.from, to: iv.ended(x.from.thread), guard: iv.b.And(x.guard...), locals: map[slot]*bv.Term{}, shared: maps.Clone(x.shared)}
		}
	}
	switch t := b.Term.(type) {
	case *ir.Goto:
		for _, to := range t.Targets {
			if err := x.clone().arrive(to, 0); err != nil {
				return err
			}
		}
	case *ir.Branch:
		c := x.eval(t.Cond)
		for _, want := range []bool{true, false} {
			y, to, g := x.clone(), t.Else, iv.b.Not(c)
			if want {
				to, g = t.Then, c
			}
			if g == iv.b.False {
				continue
			}
			y.guard = append(y.guard, g)
			if err := y.arrive(to, 0); err != nil {
				return err
			}
		}
	case *ir.Return, *ir.Stop:
		x.stop(t)
	}
	return nil
}

// piecewise reports whether others may notice an instruction before it has done all that
// it does: copies of memory, and code that is not seen.
func (iv *invariants) piecewise(t *thread, in ir.Instr) bool {
	switch in.(type) {
	case *ir.Load, *ir.Store, *ir.RMW, *ir.CmpXchg, *ir.Alloc, *ir.Spawn:
		return false
	}
	return len(iv.written(t, in)) > 0
}

// part is a part of what a piecewise instruction writes; the thread stays where it is,
// and others may run.
func (x *path) part(b *ir.Block, index int) error {
	for _, s := range x.iv.written(x.from.thread, b.Instrs[index]) {
		if !s.local() {
			x.put(s, x.iv.b.Fresh("part", s.width))
		}
	}
	return x.end(b, index)
}

// stop ends the thread, or the program. A thread that ends within an atomic section ends
// the section.
func (x *path) stop(t ir.Term) {
	iv := x.iv
	if s, ok := t.(*ir.Stop); x.depth == 0 || ok && s.Kind != "exit" {
		x.mayEnd(iv.b.False)
		return
	}
	x.from.steps = append(x.from.steps, &transition{from: x.from, to: iv.ended(x.from.thread), guard: iv.b.And(x.guard...), locals: map[slot]*bv.Term{}, shared: x.shared})
}

// mayEnd lets the thread end after what others noticed, where it may not go on because a
// condition is false. It goes to where it does nothing.
func (x *path) mayEnd(c *bv.Term) {
	if c == x.iv.b.True || x.seen == nil || x.depth > 0 || len(x.seen.shared) == 0 && !x.iv.counting {
		return
	}
	x.from.steps = append(x.from.steps, x.seen)
	x.seen = nil
}

// ended is the point of threads that do nothing any more.
func (iv *invariants) ended(t *thread) *point {
	k := pointKey{t, nil, -1, 0}
	if p := iv.byKey[k]; p != nil {
		return p
	}
	p := &point{id: len(iv.points), thread: t, index: -1}
	iv.byKey[k] = p
	iv.points = append(iv.points, p)
	return p
}

// reg is a register's value; one that is not known may be any, and stays that.
func (x *path) reg(r *ir.Reg) *bv.Term {
	if v := x.regs[r]; v != nil {
		return v
	}
	w, ok := width(r.Type)
	if !ok {
		return nil
	}
	v := x.iv.b.Fresh("any", w)
	x.regs[r] = v
	return v
}

func (x *path) set(r *ir.Reg, v *bv.Term) {
	if r == nil {
		return
	}
	if v == nil {
		delete(x.regs, r)
		return
	}
	x.regs[r] = v
}

// step is the effect of an instruction; false: the path ends.
func (x *path) step(in ir.Instr) (bool, error) {
	b := x.iv.b
	t := x.from.thread
	if err := x.touches(in); err != nil {
		return false, err
	}
	switch in := in.(type) {
	case *ir.Assign:
		x.set(in.Dst, x.eval(in.X))
	case *ir.Load:
		v := x.load(in, in.Dst.Type)
		if v == nil {
			v = x.within(in)
		}
		x.set(in.Dst, v)
	case *ir.Store:
		x.store(in, x.eval(in.Val), in.Val.Type(), b.True)
	case *ir.RMW:
		old := x.load(in, in.Val.Type())
		if old == nil {
			x.forget(in)
			break
		}
		x.store(in, irterm.Update(b, in.Op, old, x.eval(in.Val)), in.Val.Type(), b.True)
		x.set(in.Dst, old)
	case *ir.CmpXchg:
		old := x.load(in, in.New.Type())
		want := x.eval(in.Expected)
		if old == nil || want == nil {
			x.forget(in)
			break
		}
		ok := b.Eq(old, want)
		if in.Weak {
			ok = b.And(ok, b.Fresh("weak", 0))
		}
		x.store(in, x.eval(in.New), in.New.Type(), ok)
		x.set(in.Dst, old)
		x.set(in.OK, ok)
	case *ir.Alloc:
		p := b.Fresh("object", 64)
		if !in.MayFail {
			x.guard = append(x.guard, b.Not(b.Eq(p, b.Num(64, 0))))
		}
		x.set(in.Dst, p)
		for _, c := range x.iv.a.allocated[in] {
			if cell := x.iv.a.cells[c]; x.iv.tracked(t, c) {
				v := b.Fresh("init", cell.typ.Bits)
				if in.Zero {
					v = b.Num(cell.typ.Bits, 0)
				}
				x.put(x.iv.slotOf(c), v)
			}
		}
	case *ir.Assume:
		c := x.eval(in.Cond)
		x.mayEnd(c)
		x.guard = append(x.guard, c)
	case *ir.Assert:
		c := x.eval(in.Cond)
		x.mayEnd(c)
		x.iv.obligations = append(x.iv.obligations, obligation{x.from, x.iv.a.flat.orig[in], b.And(append(slices.Clone(x.guard), b.Not(c))...)})
		x.guard = append(x.guard, c)
	case *ir.Lock:
		if l, ok := t.lockOf(in); ok && slices.Contains(exclusive, in.Class) && in.Mode != ir.Shared && slices.Contains(x.iv.locks, l) {
			x.guard = append(x.guard, b.Not(x.get(slot{kind: takenSlot, lock: l})))
			x.put(slot{kind: takenSlot, lock: l}, b.True)
			x.put(slot{kind: heldSlot, lock: l}, b.True)
		}
	case *ir.Unlock:
		x.unlock(in)
	case *ir.AtomicBegin:
		x.depth++
	case *ir.AtomicEnd:
		x.depth = max(x.depth-1, 0)
	case *ir.Spawn:
		for _, u := range x.iv.a.spawned[in] {
			x.put(slot{kind: startedSlot, flag: u}, b.True)
			x.started(u)
		}
		x.forget(in)
	case *ir.Free:
	default:
		x.forget(in)
	}
	return !slices.Contains(x.guard, b.False), nil
}

// unlock releases what the instruction may mean.
func (x *path) unlock(in *ir.Unlock) {
	b := x.iv.b
	rs, unknown := x.iv.a.alias.Target(in)
	for _, l := range x.iv.locks {
		if !unknown && !slices.ContainsFunc(rs, func(r region) bool { return lockID(r.ID) == l }) {
			continue
		}
		held, taken := slot{kind: heldSlot, lock: l}, slot{kind: takenSlot, lock: l}
		rel := x.get(held)
		if unknown || len(rs) != 1 {
			rel = b.And(rel, b.Fresh("which", 0))
		}
		x.put(taken, b.And(x.get(taken), b.Not(rel)))
		x.put(held, b.And(x.get(held), b.Not(rel)))
	}
}

// forget is an instruction of which only is known what it may write.
func (x *path) forget(in ir.Instr) {
	for _, d := range ir.Defs(in) {
		x.set(d, nil)
	}
	for _, s := range x.iv.written(x.from.thread, in) {
		x.put(s, x.iv.b.Fresh("any", s.width))
	}
}

// written are the variables that an instruction may write.
func (iv *invariants) written(t *thread, in ir.Instr) (out []slot) {
	for _, acc := range iv.a.alias.Accesses(in) {
		if !acc.Write {
			continue
		}
		for _, r := range acc.Regions {
			if iv.tracked(t, r.ID) {
				out = append(out, iv.slotOf(r.ID))
			}
		}
	}
	return out
}

// load reads; nil where it is not known.
func (x *path) load(in ir.Instr, t ir.Type) *bv.Term {
	cells, ok := x.from.thread.cellsOf(in, t.Size())
	w, num := width(t)
	if !ok || !num || w == 0 {
		return nil
	}
	var v *bv.Term
	for _, c := range cells {
		if !x.iv.tracked(x.from.thread, c) || x.iv.a.cells[c].typ.Bits != w {
			return nil
		}
		y := x.get(x.iv.slotOf(c))
		if v == nil {
			v = y
		} else {
			v = x.iv.b.Ite(x.iv.b.Fresh("which", 0), v, y)
		}
	}
	return v
}

// within is what a load reads of memory whose contents are not followed: something within
// the interval that is known of it; nil where none is.
func (x *path) within(in *ir.Load) *bv.Term {
	t, ok := in.Dst.Type.(ir.Int)
	v, seen := x.iv.a.loads[x.iv.a.flat.orig[in]]
	if !ok || !seen || t.Bits > 64 || v.lo > v.hi {
		return nil
	}
	b := x.iv.b
	n := b.Fresh("any", t.Bits)
	num := func(k int64) *bv.Term { return b.Num(t.Bits, uint64(k)&(^uint64(0)>>(64-t.Bits))) }
	le := b.ULe
	if t.Signed {
		le = b.SLe
	}
	if v.lo != negInf {
		x.guard = append(x.guard, le(num(v.lo), n))
	}
	if v.hi != posInf {
		x.guard = append(x.guard, le(n, num(v.hi)))
	}
	return n
}

// store writes where a condition holds.
func (x *path) store(in ir.Instr, v *bv.Term, t ir.Type, cond *bv.Term) {
	b := x.iv.b
	cells, ok := x.from.thread.cellsOf(in, t.Size())
	for _, c := range cells {
		if !x.iv.tracked(x.from.thread, c) {
			continue
		}
		s := x.iv.slotOf(c)
		y := v
		if !ok || v == nil || v.Width != s.width {
			y = b.Fresh("any", s.width)
		}
		g := cond
		if len(cells) > 1 || !ok {
			g = b.And(g, b.Fresh("which", 0))
		}
		x.put(s, b.Ite(g, y, x.get(s)))
	}
}
