package bmc

import (
	"errors"
	"fmt"

	"whoop/ir"
	"whoop/smt/bv"
)

var errTooLarge = errors.New("the unfolded program is too large")

// newThread makes the thread of a key; its number is the same in every pass.
func (u *unrolling) newThread(key, name string, f *ir.Func, parent *thread) *thread {
	n, ok := u.w.nums[key]
	if !ok {
		n = len(u.w.nums)
		u.w.nums[key] = n
		u.w.change("a thread")
	}
	t := &thread{num: n, key: key, name: name, fn: f, parent: parent, end: -1}
	ctl := u.w.object("t:"+key, func() *object { return &object{name: name, zero: true} })
	t.ended = u.shared(ctl, "ended", 1)
	t.result = u.w.state(ctl, 0, "result", 64)
	t.waits = u.shared(ctl, "waits", 64)
	if parent != nil {
		t.start = u.shared(ctl, "started", 1)
		for p := parent; p != nil; p = p.parent {
			p.below.put(n)
		}
	}
	u.threads = append(u.threads, t)
	return t
}

func (u *unrolling) shared(o *object, what string, width int) *cell {
	c := u.w.state(o, 0, what, width)
	c.conc = true
	return c
}

// runThread unfolds a thread that starts with the memory of st.
func (u *unrolling) runThread(t *thread, args []*bv.Term, mem pmap) {
	x := &exec{unrolling: u, t: t, spawned: map[*ir.Spawn]int{}}
	st := &state{guard: u.b.True, mem: mem, split: t.start != nil}
	if t.start != nil {
		p := x.step(st, nil, t.fn.Pos)
		p.kind, p.cut, p.poise = posStart, true, true
		v := u.b.Fresh("start", 1)
		p.reads = append(p.reads, &read{v: v, targets: []target{{c: t.start, match: u.b.True}}})
		may := u.b.Eq(v, u.b.Num(1, 1))
		if t.root {
			args = x.boundArgs(t.fn, p, st, args)
			may = u.b.And(may, x.environment(p, st, args))
		}
		p.blocked(u.b, may)
	}
	if len(t.fn.Blocks) == 0 {
		x.limit(st, "unknown", t.fn.Pos, t.fn.Name+": "+t.fn.Unknown)
		return
	}
	val, out := x.call(t.fn, args, st, hashOf(t.key))
	x.finish(val, out)
}

// finish makes the end of the thread.
func (x *exec) finish(val *bv.Term, out *state) {
	if val == nil {
		val = x.b.Num(64, 0)
	}
	val = x.fit([]*bv.Term{val}, 0, ir.U64)
	for _, e := range x.ends {
		if out == nil {
			out, val = e.st, e.val
		} else {
			e.st.regs, out.regs = nil, nil
			val = x.b.Ite(x.choice(out.guard, e.st.guard), val, e.val)
			out = x.merge(out, e.st)
		}
	}
	if out == nil {
		return
	}
	x.flush(out)
	out.split = true
	p := x.step(out, nil, ir.Pos{})
	p.kind = posEnd
	x.set(p, x.t.ended, x.b.Num(1, 1), x.b.True)
	x.touch(x.t.result, out, true)
	if x.t.result.conc {
		p.writes = append(p.writes, &write{val: val, targets: []target{{c: x.t.result, match: x.b.True}}})
		x.store(x.t.result, val)
	} else {
		out.mem = out.mem.set(x.t.result.idx, val)
	}
	x.release(p)
	x.t.log = append(x.t.log, &logEntry{guard: out.guard, pos: p.num})
	p.log = len(x.t.log) - 1
	x.t.end = p.num
	x.t.final = out
}

// spawn starts a thread for each function the pointer may be; they are unfolded at once,
// with the memory that their creator leaves them.
func (x *exec) spawn(i *ir.Spawn, st *state, ctx uint64) *state {
	b := x.b
	callee := x.eval(i.Fn, st)
	fs, known := x.functions(callee)
	if !known {
		x.limit(st, "pointer", i.Pos, "a thread that may run any function")
		return nil
	}
	var args []*bv.Term
	for _, a := range i.Args {
		args = append(args, x.eval(a, st))
	}
	if x.spawned[i]++; x.spawned[i] > x.opt.MaxSpawns {
		x.absent(i, st)
		return st
	}
	x.flush(st)
	o := &syncOp{op: x.begin(st, i, ir.Plain)}
	p := o.force()
	var fail *bv.Term
	made := b.True
	if i.OK != nil && x.opt.Failures {
		fail = x.fresh("fail", 1)
		made = b.Eq(fail, b.Num(1, 0))
	}
	if i.OK != nil {
		x.setReg(i.OK, made, st)
	}
	handle := b.Num(64, 0)
	var kids []*thread
	var any []*bv.Term
	for _, f := range fs {
		is := b.Eq(callee, b.Num(64, makeAddr(fnBase+x.number(f), 0)))
		if is == b.False {
			continue
		}
		any = append(any, is)
		if f.Unknown != "" || len(f.Blocks) == 0 {
			x.limit(st, "unknown", i.Pos, "a thread that runs "+f.Name+", which is not known")
			return nil
		}
		if len(x.threads) >= x.opt.MaxThreads {
			x.limit(st, "threads", i.Pos, fmt.Sprintf("more than %d threads", x.opt.MaxThreads))
			return nil
		}
		t := x.newThread("t"+hexKey(hashOf(x.t.key, ctx, f.Name)), f.Name, f, x.t)
		t.live0 = st.live
		kids = append(kids, t)
		handle = b.Ite(is, b.Num(64, uint64(t.num+1)), handle)
		x.set(p, t.start, b.Num(1, 1), b.And(is, made))
	}
	o.need = append(o.need, b.Or(any...))
	x.storeHandle(o, i, handle, made, st)
	o.end(fail)
	e := x.t.log[len(x.t.log)-1]
	for _, t := range kids {
		e.spawn = t
		st.live.put(t.num)
		t.args = x.fitAll(args, t.fn)
		x.runThread(t, args, st.mem)
		st.live = st.live.or(t.below)
		if x.err != nil {
			return nil
		}
	}
	if len(kids) > 1 {
		x.note("spawn", i.Pos, "a thread that runs one of several functions")
	}
	return st
}

// absentHandle is the handle of threads that are created and do not run.
const absentHandle = 1 << 20

// absent creates a thread that does not get to run: in all executions that are looked at,
// others run instead.
func (x *exec) absent(i *ir.Spawn, st *state) {
	x.shallow = true
	x.note("threads", i.Pos, "of the threads that are created here the first %d run", x.opt.MaxSpawns)
	handle := x.b.Num(64, absentHandle)
	if i.OK != nil {
		x.setReg(i.OK, x.b.True, st)
	}
	o := &syncOp{op: x.begin(st, i, ir.Plain)}
	x.storeHandle(o, i, handle, x.b.True, st)
	o.end(nil)
}

func (x *exec) fitAll(args []*bv.Term, f *ir.Func) []*bv.Term {
	var out []*bv.Term
	for i, p := range f.Params {
		out = append(out, x.fit(args, i, p.Type))
	}
	return out
}

// storeHandle writes a new thread's handle where the program wants it.
func (x *exec) storeHandle(o *syncOp, i *ir.Spawn, handle, made *bv.Term, st *state) {
	if i.HandleAddr != nil {
		t := ir.Type(ir.U64)
		if p, ok := i.HandleAddr.Type().(ir.Ptr); ok {
			switch e := p.Elem.(type) {
			case ir.Int, ir.Ptr:
				t = e
			}
		}
		n := cellSize(t)
		o.ac.atomic = false
		o.writeIf(o.at(x.eval(i.HandleAddr, st), n, t), x.b.Extract(handle, memoryWidth(n, t)-1, 0), made)
	}
	if i.Dst != nil {
		x.setReg(i.Dst, x.fit([]*bv.Term{handle}, 0, i.Dst.Type), st)
	}
}

// join waits for the end of a thread. What the thread did to memory that nobody else used
// meanwhile is the joining thread's from then on.
func (x *exec) join(i *ir.Join, st *state, ctx uint64) {
	b := x.b
	h := x.within(st, x.fit([]*bv.Term{x.eval(i.Handle, st)}, 0, ir.U64))
	vs := x.valuesOf(h)
	if vs.any || len(vs.arrays) > 0 {
		x.limit(st, "pointer", i.Pos, "a join of a thread that may be any")
		return
	}
	for _, v := range vs.sorted() {
		if v == absentHandle {
			x.limit(st, "threads", i.Pos, "a join of a thread that is not followed")
			return
		}
	}
	x.flush(st)
	o := &syncOp{op: x.begin(st, i, ir.SeqCst)}
	p := o.force()
	var any, over []*bv.Term
	var one *thread
	n := 0
	for _, v := range vs.sorted() {
		t := x.byNum(int(v) - 1)
		if t == nil {
			continue
		}
		is := b.Eq(h, b.Num(64, v))
		any = append(any, is)
		r := b.Fresh("ended", 1)
		p.reads = append(p.reads, &read{v: r, targets: []target{{c: t.ended, match: b.True}}})
		over = append(over, b.And(is, b.Eq(r, b.Num(1, 1))))
		one = t
		n++
	}
	o.need = append(o.need, b.Or(any...))
	o.block(b.Or(b.Or(over...), b.Not(b.Or(any...))))
	if n == 1 && i.Dst != nil {
		if !one.result.conc {
			x.adopt(one, st)
		}
		v := o.getCells([]target{{c: one.result, match: b.True}}, 64)
		x.setReg(i.Dst, x.fit([]*bv.Term{v}, 0, i.Dst.Type), st)
	} else if i.Dst != nil {
		x.note("join", i.Pos, "the result of one of several threads is arbitrary")
		x.setReg(i.Dst, x.havoc(i.Dst.Type, ctx), st)
	}
	o.end(nil)
	if n == 1 {
		x.adopt(one, st)
	}
}

// within chooses the sides of conditional terms that the paths of st take: where a
// thread's creation may fail, its handle is written on some only.
func (x *exec) within(st *state, t *bv.Term) *bv.Term {
	holds := map[*bv.Term]bool{st.guard: true}
	if st.guard.Op == bv.OpAnd {
		for _, c := range st.guard.Args {
			holds[c] = true
		}
	}
	for t.Op == bv.OpIte {
		switch {
		case holds[t.Args[0]]:
			t = t.Args[1]
		case holds[x.b.Not(t.Args[0])]:
			t = t.Args[2]
		default:
			return t
		}
	}
	return t
}

// adopt takes over what an ended thread left.
func (x *exec) adopt(t *thread, st *state) {
	st.live.drop(t.num)
	for k := range st.live {
		st.live[k] &^= t.below[k]
	}
	if t.final == nil {
		return
	}
	st.live = st.live.or(t.final.live)
	t.final.mem.each(func(k int, v *bv.Term) {
		c := x.w.cells[k]
		if c.conc {
			return
		}
		for n, a := range c.acc {
			if a.write && (n == t.num || t.below.has(n)) {
				st.mem = st.mem.set(k, v)
				return
			}
		}
	})
}

func (u *unrolling) byNum(n int) *thread {
	for _, t := range u.threads {
		if t.num == n {
			return t
		}
	}
	return nil
}
