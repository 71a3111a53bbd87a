package bmc

import (
	"sort"

	"whoop/ir"
	"whoop/smt/bv"
)

// waitAt is the cell that says where a thread waits: an address, or 0.
func (x *exec) waitAt(t *thread) target {
	x.w.waiters[t.num] = t.waits
	return target{c: t.waits, match: x.b.True}
}

// others are the cells of all threads that may wait somewhere, but the thread itself.
func (x *exec) others() []*cell {
	var out []*cell
	var nums []int
	for n := range x.w.waiters {
		if n != x.t.num {
			nums = append(nums, n)
		}
	}
	sort.Ints(nums)
	for _, n := range nums {
		out = append(out, x.w.waiters[n])
	}
	return out
}

// condWait is two steps, with a third between them where the wait may time out: the mutex
// is released and the thread waits; it gives up waiting; it was woken and takes the mutex
// again.
func (x *exec) condWait(i *ir.CondWait, st *state) {
	b := x.b
	if _, known := x.w.waiters[x.t.num]; !known {
		x.w.change("a thread that waits")
	}
	addr := x.eval(i.Cond, st)
	o := x.beginSync(st, i, i.Mutex)
	o.livesAt(i.Cond)
	s := x.lockState(o, ir.Shared, false)
	o.fail("unlock-not-held", "the thread waits with a mutex that it does not hold", b.Not(s.mine))
	o.put("owner", b.Num(ownerBits, 0), b.True)
	if x.feat.recursive {
		o.put("depth", b.Num(ownerBits, 0), b.True)
	}
	o.putCells([]target{x.waitAt(x.t)}, addr, b.True)
	o.force()
	o.end(nil)
	signalled := b.True
	if i.Timed {
		t := &syncOp{op: x.begin(st, i, ir.SeqCst)}
		t.force()
		signalled = b.Eq(t.getCells([]target{x.waitAt(x.t)}, 64), b.Num(64, 0))
		t.putCells([]target{x.waitAt(x.t)}, b.Num(64, 0), b.True)
		t.end(nil)
		e := x.t.log[len(x.t.log)-1]
		e.guard = b.And(e.guard, b.Not(signalled))
	}
	r := x.beginSync(st, i, i.Mutex)
	woken := b.Eq(r.getCells([]target{x.waitAt(x.t)}, 64), b.Num(64, 0))
	again := x.lockState(r, ir.Exclusive, false)
	r.block(b.And(woken, b.Not(again.busy)))
	r.put("owner", x.me(), b.True)
	if x.feat.recursive {
		r.put("depth", s.depth, b.True)
	}
	r.force()
	r.end(nil)
	if i.Dst != nil {
		x.setReg(i.Dst, signalled, st)
	}
}

// await reads the cells, waits until the condition holds of them, and begins an atomic
// section.
func (x *exec) await(i *ir.Await, st *state) {
	o := x.begin(st, i, ir.SeqCst)
	if st.atomic == 0 {
		o.p = x.step(st, i, i.Pos)
		o.p.poise = true
	}
	vals := make([]*bv.Term, len(i.Dsts))
	for k, r := range i.Dsts {
		n := cellSize(r.Type)
		vals[k] = x.fromMemory(o.read(o.at(x.eval(i.Addrs[k], st), n, r.Type), n), r.Type)
	}
	for k, r := range i.Dsts {
		x.setReg(r, vals[k], st)
	}
	var result *bv.Term
	if len(vals) == 1 {
		result = vals[0]
	}
	c := x.eval(i.Cond, st)
	if st.atomic == 0 {
		o.block(c)
		o.end(result)
	} else {
		o.end(result)
		x.assume(st, c, nil, i.Pos)
	}
	st.atomic++
}

// condSignal wakes one of those that wait, or all.
func (x *exec) condSignal(i *ir.CondSignal, st *state) {
	b := x.b
	addr := x.eval(i.Cond, st)
	o := &syncOp{op: x.begin(st, i, ir.SeqCst)}
	o.livesAt(i.Cond)
	cells := x.others()
	if len(cells) == 0 || !st.split {
		o.end(nil)
		return
	}
	o.force()
	sel := x.fresh("wake", ownerBits)
	var waiting, chosen []*bv.Term
	for _, c := range cells {
		v := o.getCells([]target{{c: c, match: b.True}}, 64)
		w := b.Eq(v, addr)
		is := b.Eq(sel, b.Num(ownerBits, uint64(x.w.waiterOf(c))))
		if i.Broadcast {
			is = b.True
		}
		waiting, chosen = append(waiting, w), append(chosen, b.And(w, is))
	}
	for k, c := range cells {
		o.putCells([]target{{c: c, match: b.True}}, b.Num(64, 0), chosen[k])
	}
	if !i.Broadcast {
		o.choice = append(o.choice, b.Implies(b.Or(waiting...), b.Or(chosen...)))
	}
	o.end(sel)
}

// barrierWait is two steps: arrival, which lets all others go where it is the last one,
// and passing.
func (x *exec) barrierWait(i *ir.BarrierWait, st *state) {
	b := x.b
	if _, known := x.w.waiters[x.t.num]; !known {
		x.w.change("a thread that waits")
	}
	addr := x.eval(i.Barrier, st)
	o := x.beginSync(st, i, i.Barrier)
	n, limit := o.get("count", countBits), o.get("limit", countBits)
	more := b.Add(n, b.Num(countBits, 1))
	last := b.Not(b.SLt(more, limit))
	o.put("count", b.Ite(last, b.Num(countBits, 0), more), b.True)
	o.force()
	for _, c := range x.others() {
		t := []target{{c: c, match: b.True}}
		o.putCells(t, b.Num(64, 0), b.And(last, b.Eq(o.getCells(t, 64), addr)))
	}
	o.putCells([]target{x.waitAt(x.t)}, addr, b.Not(last))
	o.end(nil)
	p := &syncOp{op: x.begin(st, i, ir.SeqCst)}
	p.force()
	p.block(b.Eq(p.getCells([]target{x.waitAt(x.t)}, 64), b.Num(64, 0)))
	if p.can != nil { // nil: it never waits
		p.p.blocked(b, p.can)
	}
	if i.Dst != nil {
		x.setReg(i.Dst, last, st)
	}
}

// once runs a function where no one has; others wait until it has ended.
func (x *exec) once(i *ir.Once, st *state, ctx uint64) *state {
	b := x.b
	o := x.beginSync(st, i, i.Ctl)
	s, runner := o.get("once", 2), o.get("runner", ownerBits)
	running := b.Eq(s, b.Num(2, 1))
	mine := b.Eq(runner, x.me())
	o.block(b.Not(b.And(running, b.Not(mine))))
	o.fail("double-lock", "the function of a once control runs it again", b.And(running, mine))
	first := b.Eq(s, b.Num(2, 0))
	o.put("once", b.Num(2, 1), first)
	o.put("runner", x.me(), first)
	o.end(nil)
	run := st.clone()
	run.guard = b.And(st.guard, first)
	st.guard = b.And(st.guard, b.Not(first))
	if run.guard != b.False {
		run = x.callAny(x.eval(i.Fn, run), nil, i, run, ctx)
	}
	if run == nil || run.guard == b.False {
		return st
	}
	e := x.beginSync(run, i, i.Ctl)
	e.put("once", b.Num(2, 2), b.True)
	over := &logEntry{guard: run.guard, pos: -1, over: true}
	if e.p != nil {
		over.pos, e.p.log = e.p.num, len(x.t.log)
	}
	x.t.log = append(x.t.log, over)
	if st.guard == b.False {
		return run
	}
	return x.merge(run, st)
}
