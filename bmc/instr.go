package bmc

import (
	"whoop/ir"
	"whoop/smt/bv"
	"whoop/smt/irterm"
)

// block executes a block and schedules its successors.
func (x *exec) block(v *visit, a *agenda, info *funcInfo, loops map[string]*loopRun, ret *returned) {
	st := v.st
	fr := &x.stack[len(x.stack)-1]
	here := hashOf(fr.ctx, v.key)
	for i, in := range v.block.Instrs {
		if st == nil || st.guard == x.b.False || x.err != nil {
			return
		}
		x.size++
		if x.size > x.opt.MaxSize {
			x.err = errTooLarge
			return
		}
		st = x.instr(in, st, hashOf(here, i))
	}
	if st == nil || st.guard == x.b.False || x.err != nil {
		return
	}
	x.term(v, st, a, info, loops, ret)
}

func (x *exec) term(v *visit, st *state, a *agenda, info *funcInfo, loops map[string]*loopRun, ret *returned) {
	switch t := v.block.Term.(type) {
	case *ir.Goto:
		x.jump(v, t, st, a, info)
	case *ir.Branch:
		c := x.eval(t.Cond, st)
		if c == x.b.True || c == x.b.False {
			x.decided(v, t, c == x.b.True, info.order, loops)
		} else {
			x.undecided(v, t, info.order, loops)
		}
		els := st.clone()
		els.guard = x.b.And(st.guard, x.b.Not(c))
		st.guard = x.b.And(st.guard, c)
		if st.guard != x.b.False {
			x.arrive(a, info.order, v, t.Then, st)
		}
		if els.guard != x.b.False {
			x.arrive(a, info.order, v, t.Else, els)
		}
	case *ir.Return:
		var val *bv.Term
		if t.Val != nil {
			val = x.eval(t.Val, st)
		}
		if ret.st == nil {
			ret.st, ret.val = st, val
			return
		}
		if ret.val != nil && val != nil {
			ret.val = x.b.Ite(x.choice(ret.st.guard, st.guard), ret.val, val)
		}
		ret.st = x.merge(ret.st, st)
	case *ir.Stop:
		x.stop(t, st)
	}
}

// decided notes at a branch whose condition is a literal that it keeps the execution in
// the loops it could leave.
func (x *exec) decided(v *visit, t *ir.Branch, then bool, o *order, loops map[string]*loopRun) {
	taken, other := t.Then, t.Else
	if !then {
		taken, other = other, taken
	}
	for i, c := range o.path[v.block] {
		inside := func(b *ir.Block) bool { p := o.path[b]; return i < len(p) && p[i] == c }
		if inside(taken) && !inside(other) {
			if l := loops[loopID(v.key, i)]; l != nil {
				l.sawExit = true
			}
		}
	}
}

// undecided notes the loops that a branch may leave.
func (x *exec) undecided(v *visit, t *ir.Branch, o *order, loops map[string]*loopRun) {
	for i, c := range o.path[v.block] {
		inside := func(b *ir.Block) bool { p := o.path[b]; return i < len(p) && p[i] == c }
		if inside(t.Then) != inside(t.Else) {
			if l := loops[loopID(v.key, i)]; l != nil {
				l.open = true
			}
		}
	}
}

// jump goes to one of several targets.
func (x *exec) jump(v *visit, t *ir.Goto, st *state, a *agenda, info *funcInfo) {
	n := len(t.Targets)
	if n == 1 {
		x.arrive(a, info.order, v, t.Targets[0], st)
		return
	}
	w := 1
	for 1<<w < n {
		w++
	}
	c := x.fresh("goto", w)
	x.t.log = append(x.t.log, &logEntry{term: t, guard: st.guard, result: c, pos: -1})
	rest := st.guard
	for i, b := range t.Targets {
		s := st.clone()
		if i == n-1 {
			s.guard = rest
		} else {
			is := x.b.Eq(c, x.b.Num(w, uint64(i)))
			s.guard = x.b.And(rest, is)
			rest = x.b.And(rest, x.b.Not(is))
		}
		x.arrive(a, info.order, v, b, s)
	}
}

// stop ends the thread or the program.
func (x *exec) stop(t *ir.Stop, st *state) {
	switch t.Kind {
	case "exit":
		r := returned{st: st, val: x.b.Num(64, 0)}
		if t.Val != nil {
			r.val = x.fit([]*bv.Term{x.eval(t.Val, st)}, 0, ir.U64)
		}
		x.ends = append(x.ends, r)
		if x.main && x.t.parent == nil && x.opt.wants("deadlock") {
			x.note("main-exit", t.Pos, "what other threads do after main has left by pthread_exit")
		}
	case "abort":
		p := x.step(st, nil, t.Pos)
		p.kind = posAbort
		x.t.log = append(x.t.log, &logEntry{term: t, guard: st.guard, pos: p.num})
		p.log = len(x.t.log) - 1
	default:
		if !x.p().TypeSafe && t.Pos.Line > 0 { // the program says that nothing gets here
			x.valid(st, x.b.False, nil, t.Pos, false)
		}
		x.dead(st, t.Pos)
	}
}

// instr executes an instruction; the state it returns is nil where no path goes on.
func (x *exec) instr(in ir.Instr, st *state, ctx uint64) *state {
	b := x.b
	x.at = in.At()
	switch i := in.(type) {
	case *ir.Assign:
		x.setReg(i.Dst, x.eval(i.X, st), st)
	case *ir.Load:
		n := cellSize(i.Dst.Type)
		o := x.begin(st, in, i.Order)
		v := x.fromMemory(o.read(o.at(x.eval(i.Addr, st), n, i.Dst.Type), n), i.Dst.Type)
		o.end(v)
		x.setReg(i.Dst, v, st)
	case *ir.Store:
		t := i.Val.Type()
		x.overwritten(st, i.Pos, i.Addr, cellSize(t), nil)
		o := x.begin(st, in, i.Order)
		v := x.toMemory(x.eval(i.Val, st), t)
		o.write(o.at(x.eval(i.Addr, st), cellSize(t), t), v)
		o.end(o.bind())
	case *ir.RMW:
		x.overwritten(st, i.Pos, i.Addr, cellSize(i.Val.Type()), nil)
		x.rmw(i, st)
	case *ir.CmpXchg:
		x.overwritten(st, i.Pos, i.Addr, cellSize(i.New.Type()), nil)
		x.cmpXchg(i, st)
	case *ir.Alloc:
		x.alloc(i, st, ctx)
	case *ir.Free:
		x.free(i, st)
	case *ir.MemCopy:
		x.memCopy(i, st)
	case *ir.MemSet:
		x.memSet(i, st)
	case *ir.Touch:
		x.touchAll(i, st)
	case *ir.Havoc:
		if p, ok := i.Dst.Type.(ir.Ptr); ok && i.Outside && !opaque(p.Elem) {
			x.note("pointer", i.Pos, "what a function that is not seen returns here is taken to lead to memory that nobody else has")
		}
		v := x.havoc(i.Dst.Type, ctx)
		e := x.logged(st, in, v, nil)
		if !i.Input {
			e.guesses = []*bv.Term{v}
		}
		x.setReg(i.Dst, v, st)
	case *ir.Assume:
		x.assume(st, x.eval(i.Cond, st), nil, in.At())
	case *ir.Assert:
		x.assert(i, st)
	case *ir.Call:
		return x.callInstr(i, st, ctx)
	case *ir.Fence, *ir.Yield, *ir.IrqDisable, *ir.IrqEnable:
		x.logged(st, in, nil, nil)
	case *ir.Register:
		x.register(i, st)
	case *ir.Unregister:
		x.unregister(i, st)
	case *ir.AtomicBegin:
		if st.atomic == 0 {
			p := x.step(st, in, in.At())
			x.logged(st, in, nil, p)
		}
		st.atomic++
	case *ir.Await:
		x.await(i, st)
	case *ir.AtomicEnd:
		st.atomic = max(st.atomic-1, 0)
		x.logged(st, in, nil, nil)
	default:
		return x.syncInstr(in, st, ctx)
	}
	_ = b
	return st
}

// opaque reports whether t is a struct of which nothing is known.
func opaque(t ir.Type) bool {
	s, ok := t.(*ir.Struct)
	return ok && s.Size() == 0
}

func (x *exec) havoc(t ir.Type, ctx uint64) *bv.Term {
	if pt, ok := t.(ir.Ptr); ok { // to an object that is the same in every pass
		return x.inputPointer("havoc"+hexKey(hashOf(x.t.key, ctx)), pt, 1, false, false)
	}
	return x.fresh("havoc", width(t))
}

func (x *exec) assert(i *ir.Assert, st *state) {
	c := x.eval(i.Cond, st)
	if c == x.b.True {
		return
	}
	p := x.step(st, i, i.Pos)
	p.cut, p.poise = false, true
	p.checks = append(p.checks, &check{kind: "assert", tag: i.Tag, msg: i.Msg, bad: x.b.Not(c)})
	p.require = append(p.require, c)
	x.logged(st, i, nil, p)
}

func (x *exec) rmw(i *ir.RMW, st *state) {
	b := x.b
	t := i.Val.Type()
	n := cellSize(t)
	o := x.begin(st, i, i.Order)
	ts := o.at(x.eval(i.Addr, st), n, t)
	old := o.read(ts, n)
	v := x.eval(i.Val, st)
	was := x.fromMemory(old, t)
	o.write(ts, x.toMemory(irterm.Update(b, i.Op, was, v), t))
	o.end(was)
	if i.Dst != nil {
		x.setReg(i.Dst, x.fit([]*bv.Term{was}, 0, i.Dst.Type), st)
	}
}

func (x *exec) cmpXchg(i *ir.CmpXchg, st *state) {
	b := x.b
	t := i.New.Type()
	n := cellSize(t)
	o := x.begin(st, i, i.Order)
	ts := o.at(x.eval(i.Addr, st), n, t)
	was := x.fromMemory(o.read(ts, n), t)
	ok := b.Eq(was, x.fit([]*bv.Term{x.eval(i.Expected, st)}, 0, t))
	var fail *bv.Term
	if i.Weak {
		fail = x.fresh("weak", 1)
		ok = b.And(ok, b.Eq(fail, b.Num(1, 0)))
	}
	o.writeIf(ts, x.toMemory(x.eval(i.New, st), t), ok)
	o.end(was)
	last := x.t.log[len(x.t.log)-1]
	last.result, last.spurious = was, fail
	if i.Dst != nil {
		x.setReg(i.Dst, was, st)
	}
	if i.OK != nil {
		x.setReg(i.OK, ok, st)
	}
}

func (x *exec) callInstr(i *ir.Call, st *state, ctx uint64) *state {
	var args []*bv.Term
	for _, a := range i.Args {
		args = append(args, x.eval(a, st))
	}
	if fa, ok := i.Callee.(ir.FuncAddr); ok {
		return x.callFunc(fa.Func, args, i, st, ctx)
	}
	callee := x.eval(i.Callee, st)
	return x.callAny(callee, args, i, st, ctx)
}

// callAny calls through a pointer: each function it may be, on the paths where it is that
// one.
func (x *exec) callAny(callee *bv.Term, args []*bv.Term, i ir.Instr, st *state, ctx uint64) *state {
	fs, ok := x.functions(callee)
	if !ok {
		x.limit(st, "pointer", i.At(), "a call through a pointer that may be any function")
		return nil
	}
	var out *state
	var any []*bv.Term
	for _, f := range fs {
		is := x.b.Eq(callee, x.b.Num(64, makeAddr(fnBase+x.number(f), 0)))
		if is == x.b.False {
			continue
		}
		any = append(any, is)
	}
	if is := x.b.Eq(callee, x.b.Num(64, unseen)); is != x.b.False {
		s := st.clone()
		s.guard = x.b.And(s.guard, is)
		x.limit(s, "extern-call", i.At(), "a function that is not seen is called")
		any = append(any, is)
	}
	x.valid(st, x.b.Or(any...), nil, i.At(), false)
	for _, f := range fs {
		is := x.b.Eq(callee, x.b.Num(64, makeAddr(fnBase+x.number(f), 0)))
		s := st.clone()
		if s.guard = x.b.And(s.guard, is); s.guard == x.b.False {
			continue
		}
		call, _ := i.(*ir.Call)
		if r := x.callFunc(f, args, call, s, ctx); r != nil && out == nil {
			out = r
		} else if r != nil {
			out = x.merge(out, r)
		}
	}
	return out
}

// functions are those a pointer may be; false where it may be anything.
func (x *exec) functions(callee *bv.Term) ([]*ir.Func, bool) {
	vs := x.valuesOf(callee)
	if vs.any || len(vs.arrays) > 0 {
		return nil, false
	}
	var fs []*ir.Func
	for _, a := range vs.sorted() {
		if f := x.function(a); f != nil {
			fs = append(fs, f)
		}
	}
	return fs, true
}

// callFunc calls a function; i is nil where there is no call instruction (Once).
func (x *exec) callFunc(f *ir.Func, args []*bv.Term, i *ir.Call, st *state, ctx uint64) *state {
	var at ir.Pos
	if i != nil {
		at = i.Pos
	}
	if f.Unknown != "" {
		x.limit(st, "unknown", at, f.Name+": "+f.Unknown)
		return nil
	}
	if len(f.Blocks) == 0 {
		x.extern(f, i, st, ctx)
		return st
	}
	n := 0
	for k := len(x.stack) - 1; k >= 0; k-- {
		if fr := &x.stack[k]; fr.f == f {
			if !nearer(fr.args, args) {
				n++
			}
			if len(x.stack)-k > x.opt.MaxTurns {
				n = x.opt.Recursion + 1
			}
		}
	}
	if n > x.opt.Recursion || len(x.stack) > x.opt.MaxTurns {
		x.limit(st, "recursion", at, f.Name+" may call itself more often than was unfolded")
		return nil
	}
	x.t.log = append(x.t.log, &logEntry{in: instrOf(i), guard: st.guard, pos: -1})
	val, out := x.call(f, args, st, hashOf(ctx, f.Name))
	if out == nil {
		return nil
	}
	if i != nil && i.Dst != nil && val != nil {
		x.setReg(i.Dst, x.fit([]*bv.Term{val}, 0, i.Dst.Type), out)
	}
	return out
}

func instrOf(i *ir.Call) ir.Instr {
	if i == nil {
		return nil
	}
	return i
}

// nearer reports whether some argument is a literal that differs from what it was in the
// call before.
func nearer(before, now []*bv.Term) bool {
	for i := range min(len(before), len(now)) {
		if before[i] != now[i] && before[i].Op == bv.OpNum && now[i].Op == bv.OpNum {
			return true
		}
	}
	return false
}

// extern is a call of a function without a body: its result is arbitrary.
func (x *exec) extern(f *ir.Func, i *ir.Call, st *state, ctx uint64) {
	if i == nil {
		return
	}
	x.note("extern-call", i.Pos, "%s has no body: its result is arbitrary, and it changes nothing", f.Name)
	if i.Dst == nil {
		x.logged(st, i, nil, nil)
		return
	}
	v := x.havoc(i.Dst.Type, hashOf(ctx, f.Name))
	x.logged(st, i, v, nil).guesses = []*bv.Term{v}
	x.setReg(i.Dst, v, st)
}
