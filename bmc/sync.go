package bmc

import (
	"slices"

	"whoop/ir"
	"whoop/smt/bv"
)

// The synchronisation state of an address is kept in cells beside the object's memory, as
// package interp keeps it: owner (the thread's number plus 1, 0: none), depth (of
// recursive locks), readers (a bit each thread), count (semaphores, arrivals at a
// barrier), limit (of a barrier), once (0 new, 1 running, 2 over) and runner.

const (
	ownerBits = 8
	countBits = 32
	countAll  = 1 << 30 // complete_all: never used up
)

func (x *exec) me() *bv.Term { return x.b.Num(ownerBits, uint64(x.t.num+1)) }

// stateCells are the cells of one part of the synchronisation state at the places of an
// address.
func (x *exec) stateCells(ps []place, what string, width int) []target {
	out := make([]target, len(ps))
	for i, p := range ps {
		out[i] = target{c: x.w.state(p.obj, p.off, what, width), match: p.match}
	}
	return out
}

// syncOp is an operation on synchronisation state.
type syncOp struct {
	*op
	ps []place
}

func (x *exec) beginSync(st *state, in ir.Instr, addr ir.Expr) *syncOp {
	o := &syncOp{op: x.begin(st, in, ir.SeqCst)}
	ps, ok := x.places(x.eval(addr, st), 1, st, in.At())
	o.ps = ps
	if ok != x.b.True {
		o.need = append(o.need, ok)
	}
	o.alive(ps)
	if !x.opt.wants("memory") {
		o.lives(in, ps, x.b.False)
		return o
	}
	// as with other accesses, that is the bug that is looked for
	invalid := x.b.Not(x.b.And(o.need...))
	o.need = nil
	o.lives(in, ps, invalid)
	o.fail("memory", "", invalid)
	return o
}

// destroyedState names the part of the state that says whether a lock, semaphore,
// condition variable or barrier was destroyed.
const destroyedState = "destroyed"

// lives ends executions in which what an operation uses was destroyed, unless the address
// is invalid anyway; what makes it anew lets it live again.
func (o *syncOp) lives(in ir.Instr, ps []place, invalid *bv.Term) {
	x := o.x
	if !x.feat.destroys {
		return
	}
	cells := x.stateCells(ps, destroyedState, 1)
	switch i := in.(type) {
	case *ir.SemInit, *ir.BarrierInit:
		o.putCells(cells, x.b.Num(1, 0), x.b.True)
		return
	case *ir.LockInit:
		if !i.Destroy {
			o.putCells(cells, x.b.Num(1, 0), x.b.True)
			return
		}
	}
	o.need = append(o.need, x.b.Or(invalid, x.b.Eq(o.getCells(cells, 1), x.b.Num(1, 0))))
	if i, ok := in.(*ir.LockInit); ok && i.Destroy {
		o.putCells(cells, x.b.Num(1, 1), x.b.True)
	}
}

// livesAt ends executions in which the condition variable at addr was destroyed.
func (o *syncOp) livesAt(addr ir.Expr) {
	if o.x.feat.destroys {
		ps, _ := o.x.places(o.x.eval(addr, o.st), 1, o.st, o.in.At())
		o.lives(o.in, ps, o.x.b.False)
	}
}

// step is the position of a synchronisation operation: always a point where others may
// run.
func (o *syncOp) force() *event {
	if o.p == nil {
		o.p = o.x.step(o.st, o.in, o.in.At())
		o.p.poise = true
	}
	return o.p
}

// get reads a part of the state.
func (o *syncOp) get(what string, width int) *bv.Term {
	return o.getCells(o.x.stateCells(o.ps, what, width), width)
}

// getCells reads cells of any width; what is shared is read at the operation's position.
func (o *op) getCells(ts []target, width int) *bv.Term {
	x := o.x
	var v *bv.Term
	var shared []target
	for i := len(ts) - 1; i >= 0; i-- {
		t := ts[i]
		x.touch(t.c, o.st, false)
		if x.conc(t, o.st) {
			shared = append(shared, t)
			continue
		}
		val := o.st.mem.get(t.c.idx)
		if val == nil {
			val = x.initial(t.c)
		}
		if v == nil {
			v = val
		} else {
			v = x.b.Ite(t.match, val, v)
		}
	}
	if len(shared) == 0 {
		if v == nil {
			return x.b.Num(width, 0) // nowhere: the path ends
		}
		return v
	}
	rv := x.b.Fresh("s", width)
	known := values{}
	for _, t := range shared {
		known.add(x.valuesOf(x.initial(t.c)), maxTargets)
		known.add(t.c.vals, maxTargets)
	}
	if n, ok := known.only(); ok && len(shared) == 1 {
		rv = x.b.Num(rv.Width, n)
	} else {
		x.vals[rv] = &known
		p := o.step()
		p.reads = append(p.reads, &read{v: rv, targets: shared})
	}
	if v == nil {
		return rv
	}
	any := x.b.False
	for _, t := range shared {
		any = x.b.Or(any, t.match)
	}
	return x.b.Ite(any, rv, v)
}

// put writes a part of the state where c holds.
func (o *syncOp) put(what string, v, c *bv.Term) {
	o.putCells(o.x.stateCells(o.ps, what, v.Width), v, c)
}

func (o *op) putCells(ts []target, v, c *bv.Term) {
	x := o.x
	var shared []target
	for _, t := range ts {
		x.touch(t.c, o.st, true)
		m := x.b.And(t.match, c)
		if x.conc(t, o.st) {
			t.match = m
			shared = append(shared, t)
			x.store(t.c, v)
			continue
		}
		old := o.st.mem.get(t.c.idx)
		if old == nil {
			old = x.initial(t.c)
		}
		o.st.mem = o.st.mem.set(t.c.idx, x.b.Ite(m, v, old))
	}
	if len(shared) > 0 {
		p := o.step()
		p.writes = append(p.writes, &write{val: v, targets: shared})
	}
}

// block makes the step one that can be taken only where c holds, a term over the
// operation's reads.
func (o *op) block(c *bv.Term) {
	if c == o.x.b.True {
		return
	}
	o.step()
	o.p.poise = true
	o.can = c
	if !o.x.endless(o.in) && o.x.opt.wants("deadlock") {
		o.x.note("waits", o.in.At(), "a wait that another entry point may end is not taken for a deadlock")
	}
}

// blocked sets when a step can be taken: c, with the values of the position's reads
// replaced by those of another time.
func (p *event) blocked(b *bv.Builder, c *bv.Term) {
	vars := make([]*bv.Term, len(p.reads))
	for i, r := range p.reads {
		vars[i] = r.v
	}
	p.enabled = func(v func(i int) *bv.Term) *bv.Term {
		vals := make(map[*bv.Term]*bv.Term, len(vars))
		for i := range vars {
			vals[vars[i]] = v(i)
		}
		return b.Substitute(c, vals)
	}
}

// fail makes the step an error where bad holds.
func (o *op) fail(kind, msg string, bad *bv.Term) {
	if bad == o.x.b.False {
		return
	}
	if !o.x.opt.wants(kind) { // executions end here all the same, which is to be said
		o.need = append(o.need, o.x.b.Not(bad))
		return
	}
	p := o.step()
	p.poise = true
	p.checks = append(p.checks, &check{kind: kind, msg: msg, bad: bad})
	p.require = append(p.require, o.x.b.Not(bad))
}

// syncInstr executes the synchronisation instructions.
func (x *exec) syncInstr(in ir.Instr, st *state, ctx uint64) *state {
	switch i := in.(type) {
	case *ir.Lock:
		x.lock(i, st)
	case *ir.Unlock:
		x.unlock(i, st)
	case *ir.LockInit:
		x.lockInit(i, st)
	case *ir.CondWait:
		x.condWait(i, st)
	case *ir.CondSignal:
		x.condSignal(i, st)
	case *ir.SemInit:
		o := x.beginSync(st, in, i.Sem)
		o.put("count", x.extend(x.eval(i.Val, st), i.Val.Type(), countBits), x.b.True)
		o.end(nil)
	case *ir.SemWait:
		x.semWait(i, st)
	case *ir.SemPost:
		o := x.beginSync(st, in, i.Sem)
		n := o.get("count", countBits)
		more := x.b.Ite(x.all(n), n, x.b.Add(n, x.b.Num(countBits, 1)))
		if i.All {
			more = x.b.Num(countBits, countAll)
		}
		o.put("count", more, x.b.True)
		o.end(nil)
	case *ir.BarrierInit:
		o := x.beginSync(st, in, i.Barrier)
		o.put("limit", x.extend(x.eval(i.Count, st), i.Count.Type(), countBits), x.b.True)
		o.put("count", x.b.Num(countBits, 0), x.b.True)
		o.end(nil)
	case *ir.BarrierWait:
		x.barrierWait(i, st)
	case *ir.Once:
		return x.once(i, st, ctx)
	case *ir.Spawn:
		return x.spawn(i, st, ctx)
	case *ir.Join:
		x.join(i, st, ctx)
	case *ir.Detach:
		x.logged(st, in, nil, nil)
	default:
		x.note("instruction", in.At(), "%T is not modelled", in)
	}
	return st
}

func (x *exec) all(n *bv.Term) *bv.Term { return x.b.Eq(n, x.b.Num(countBits, countAll)) }

// lockState reads who holds a lock, and says whether the thread must wait, or waits for
// itself.
type lockState struct {
	owner, depth, readers *bv.Term
	mine, busy, self      *bv.Term
	bit                   *bv.Term // of the thread among the readers
}

func (x *exec) lockState(o *syncOp, mode ir.Mode, recursive bool) lockState {
	b := x.b
	var s lockState
	s.owner = o.get("owner", ownerBits)
	s.mine = b.Eq(s.owner, x.me())
	zero := b.Eq(s.owner, b.Num(ownerBits, 0))
	s.busy = b.Not(b.Or(zero, s.mine))
	s.self = s.mine
	if x.feat.recursive {
		s.depth = o.get("depth", ownerBits)
		rec := b.Bool(recursive)
		if !recursive {
			rec = b.Eq(o.get("recursive", 1), b.Num(1, 1))
		}
		s.self = b.And(s.mine, b.Not(rec))
	}
	if x.feat.shared {
		s.readers = o.get("readers", 64)
		s.bit = b.Num(64, 1<<(x.t.num%64))
		if mode != ir.Shared {
			none := b.Eq(s.readers, b.Num(64, 0))
			reads := x.reading(s)
			s.busy = b.Or(s.busy, b.And(b.Not(none), b.Not(reads)))
			s.self = b.Or(s.self, b.And(reads, b.Not(s.mine)))
		}
	}
	return s
}

// reading is whether the thread holds the lock as a reader.
func (x *exec) reading(s lockState) *bv.Term {
	n := x.t.num % 64
	return x.b.Eq(x.b.Extract(s.readers, n, n), x.b.Num(1, 1))
}

func (x *exec) lock(i *ir.Lock, st *state) {
	b := x.b
	o := x.beginSync(st, i, i.Lock)
	s := x.lockState(o, i.Mode, i.Recursive)
	var ok *bv.Term
	if i.Try {
		ok = b.And(b.Not(s.busy), b.Not(s.self))
	} else {
		ok = b.True
		o.block(b.Not(s.busy))
		o.fail("double-lock", "the thread holds the lock already", b.And(s.self, b.Not(s.busy)))
	}
	x.take(o, s, i.Mode, ok)
	o.end(ok)
	if i.Dst != nil {
		x.setReg(i.Dst, ok, st)
	}
}

// take writes that the thread holds a lock from now on, where ok.
func (x *exec) take(o *syncOp, s lockState, mode ir.Mode, ok *bv.Term) {
	b := x.b
	if mode == ir.Shared {
		if x.feat.shared {
			o.need = append(o.need, b.Or(b.Not(ok), s.mine, b.Not(x.reading(s))))
			o.put("readers", b.BOr(s.readers, s.bit), b.And(ok, b.Not(s.mine)))
		}
		if x.feat.recursive {
			o.put("depth", b.Add(s.depth, b.Num(ownerBits, 1)), b.And(ok, s.mine))
		}
		return
	}
	o.put("owner", x.me(), ok)
	if x.feat.recursive {
		o.put("depth", b.Add(s.depth, b.Num(ownerBits, 1)), ok)
	}
}

func (x *exec) unlock(i *ir.Unlock, st *state) {
	b := x.b
	o := x.beginSync(st, i, i.Lock)
	s := x.lockState(o, ir.Shared, false)
	asOwner, asReader := s.mine, b.False
	if x.feat.shared {
		asReader = x.reading(s)
	}
	switch i.Mode {
	case ir.Shared:
		if x.feat.recursive {
			asOwner = b.And(asOwner, b.ULt(b.Num(ownerBits, 1), s.depth))
		} else {
			asOwner = b.False
		}
	case ir.Exclusive:
		asReader = b.False
	}
	o.fail("unlock-not-held", "the thread does not hold the lock", b.Not(b.Or(asOwner, asReader)))
	last := asOwner
	if x.feat.recursive {
		last = b.And(asOwner, b.Eq(s.depth, b.Num(ownerBits, 1)))
		o.put("depth", b.Sub(s.depth, b.Num(ownerBits, 1)), asOwner)
	}
	o.put("owner", b.Num(ownerBits, 0), last)
	if x.feat.shared {
		o.put("readers", b.BAnd(s.readers, b.BNot(s.bit)), b.And(asReader, b.Not(asOwner)))
	}
	o.end(nil)
}

func (x *exec) lockInit(i *ir.LockInit, st *state) {
	o := x.beginSync(st, i, i.Lock)
	if i.Destroy { // of a lock that is held: nobody says what that does
		o.need = append(o.need, x.b.Eq(o.get("owner", ownerBits), x.b.Num(ownerBits, 0)))
		if x.feat.shared {
			o.need = append(o.need, x.b.Eq(o.get("readers", 64), x.b.Num(64, 0)))
		}
	}
	if !i.Destroy {
		o.put("owner", x.b.Num(ownerBits, 0), x.b.True)
		if x.feat.recursive {
			rec := uint64(0)
			if i.Recursive {
				rec = 1
			}
			o.put("recursive", x.b.Num(1, rec), x.b.True)
			o.put("depth", x.b.Num(ownerBits, 0), x.b.True)
		}
		if x.feat.shared {
			o.put("readers", x.b.Num(64, 0), x.b.True)
		}
	}
	o.end(nil)
}

// countsElsewhere reports whether a semaphore begins with a count that is not known.
func countsElsewhere(p place) bool {
	if p.obj.global == nil {
		return false
	}
	_, known := ir.InitialCount(p.obj.global, p.off)
	return !known
}

func (x *exec) semWait(i *ir.SemWait, st *state) {
	b := x.b
	o := x.beginSync(st, i, i.Sem)
	if slices.ContainsFunc(o.ps, countsElsewhere) {
		o.end(nil)
		x.limit(st, "unknown", i.At(), "another unit gives the semaphore its count")
		return
	}
	n := o.get("count", countBits)
	ok := b.SLt(b.Num(countBits, 0), n)
	if !i.Try {
		o.block(ok)
	}
	o.put("count", b.Ite(x.all(n), n, b.Sub(n, b.Num(countBits, 1))), ok)
	o.end(ok)
	if i.Dst != nil {
		x.setReg(i.Dst, ok, st)
	}
}
