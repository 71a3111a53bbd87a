package c

import (
	"math/big"
	"slices"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// System calls by number, and futexes. The kernel looks at the word and lets the thread
// wait in one step, under a lock of its own. That is what a condition variable at the
// word's address is, with one mutex for all: a wake-up without a cause is allowed for
// both.

// systemCalls names the models of system calls by their numbers, for LP64 and ILP32.
var systemCalls = map[[2]int64]string{
	{202, 240}: "$syscall.futex", {186, 224}: "gettid", {24, 158}: "sched_yield", {39, 20}: "getpid", {324, 375}: "membarrier",
}

const (
	futexWait, futexWake             = 0, 1
	futexWaitBitset, futexWakeBitset = 9, 10
	futexFlags                       = 128 | 256 // private, of the real-time clock
	// wokenAll is how many are woken where all are.
	wokenAll = 64
	// otherFutex is the function that stands for operations that are not followed.
	otherFutex = "futex.other"
)

// systemCall lowers a call of syscall where the number is known and has a model.
func (l *lowerer) systemCall(x *cc.PostfixExpression, name string) (ir.Expr, bool) {
	as := args(x)
	if f := l.unit.function(name); name != "syscall" || len(as) == 0 || f != nil && !f.Extern {
		return nil, false
	}
	n, ok := intValue(as[0])
	if !ok || !n.IsInt64() {
		return nil, false
	}
	for k, model := range systemCalls {
		own := k[0]
		if l.types.narrow {
			own = k[1]
		}
		if m := l.m.Func(model); own == n.Int64() && m != nil {
			return l.modelled(x, model, m, as[1:]), true
		}
	}
	return nil, false
}

// futexCall is a call whose operation is not a constant: other is what it does where that
// is none of those that are followed, op the operation in terms of the function's
// parameters.
type futexCall struct {
	f     *ir.Func
	op    ir.Expr
	other *ir.Block
}

// futex lowers operations on futexes.
func (a *apiCall) futex() ir.Expr {
	addr := a.addr("addr")
	if it, ok := pointee(addr).(ir.Int); !ok || it.Size() != 4 {
		addr = ir.Cast{X: addr, T: ir.Ptr{Elem: ir.U32}}
	}
	op, ok := a.role("op")
	val, ok2 := a.role("val")
	if !ok || !ok2 {
		a.fail(a.x, "call of %s without its arguments", a.name)
	}
	addr, val = a.hold(a.x, addr), a.hold(a.x, a.conv(a.x, val, ir.U32))
	r := a.temp(a.typ())
	p := pos(a.x.Position())
	if n, ok := ir.IntOf(op); ok {
		a.futexOp(n, addr, val, r)
		return ir.Use{Reg: r}
	}
	cmd := ir.Binary{Op: "and", X: a.conv(a.x, op, ir.I32), Y: ir.IntConst(ir.I32, ^futexFlags)}
	is := func(ns ...int64) ir.Expr {
		e := ir.Expr(ir.BoolConst(false))
		for _, n := range ns {
			e = ir.Binary{Op: "lor", X: e, Y: ir.Binary{Op: "eq", X: cmd, Y: ir.IntConst(ir.I32, n)}}
		}
		return e
	}
	wait, no, wake, other, after := a.block("futex.wait"), a.block("futex"), a.block("futex.wake"), a.block("futex.other"), a.block("futex.done")
	a.branch(p, is(futexWait, futexWaitBitset), wait, no)
	a.start(wait)
	a.futexOp(futexWait, addr, val, r)
	a.jump(p, after)
	a.start(no)
	a.branch(p, is(futexWake, futexWakeBitset), wake, other)
	a.start(wake)
	a.futexOp(futexWake, addr, val, r)
	a.jump(p, after)
	a.start(other)
	a.program.futexes = append(a.program.futexes, futexCall{a.f, cmd, other})
	a.futexOp(-1, addr, val, r)
	a.jump(p, after)
	a.start(after)
	return ir.Use{Reg: r}
}

// futexOp lowers one operation; r gets its result.
func (a *apiCall) futexOp(op int64, addr, val ir.Expr, r *ir.Reg) {
	b, mutex := at(a.x), ir.Expr(ir.GlobalAddr{Global: a.pseudo("futex")})
	lock := func() { a.emit(&ir.Lock{Base: b, Lock: mutex, Mode: ir.Exclusive, Class: "mutex"}) }
	unlock := func() { a.emit(&ir.Unlock{Base: b, Lock: mutex, Mode: ir.Exclusive, Class: "mutex"}) }
	switch op &^ futexFlags {
	case futexWait, futexWaitBitset:
		if a.ending.cancels && a.mayBeCancelled() && a.ending.async {
			a.cancelPoint(a.x, true, nil)
		}
		lock()
		a.futexWait(addr, val, mutex, r)
		unlock()
	case futexWake, futexWakeBitset:
		lock()
		a.futexWake(addr, val)
		unlock()
		a.howMany(val, r)
	default:
		a.emit(&ir.Call{Base: b, Callee: ir.FuncAddr{Func: a.unknownFunction(otherFutex, "an operation on a futex other than to wait and to wake", b.Pos)}})
		a.emit(&ir.Havoc{Base: b, Dst: r})
	}
}

// howMany sets r to the number of threads that were woken. A number that nobody looks at
// is no input.
func (a *apiCall) howMany(n ir.Expr, r *ir.Reg) {
	p, b, any := pos(a.x.Position()), at(a.x), a.temp(ir.Bool{})
	one, more, after := a.block("one"), a.block("more"), a.block("number")
	a.branch(p, ir.Binary{Op: "le", X: n, Y: ir.IntConst(ir.U32, 1)}, one, more)
	a.start(one)
	hs := []ir.Instr{&ir.Havoc{Base: b, Dst: any, Input: true},
		&ir.Assign{Base: b, Dst: r, X: ir.Cast{X: ir.Use{Reg: any}, T: r.Type}}}
	a.emit(hs[0])
	a.emit(hs[1])
	a.jump(p, after)
	a.start(more)
	hs = append(hs, &ir.Havoc{Base: b, Dst: r, Input: true},
		&ir.Assume{Base: b, Cond: ir.Binary{Op: "ge", X: ir.Use{Reg: r}, Y: a.zero(r.Type)}})
	a.emit(hs[2])
	a.emit(hs[3])
	a.jump(p, after)
	a.start(after)
	a.program.numbers = append(a.program.numbers, answer{a.f, r, hs})
}

// answer is an arbitrary number that some instructions make.
type answer struct {
	f    *ir.Func
	r    *ir.Reg
	made []ir.Instr
}

// dropAnswers drops those that nobody looks at.
func (pr *program) dropAnswers() {
	used := map[*ir.Reg]bool{}
	var drop []ir.Instr
	for _, n := range pr.numbers {
		note := func(e ir.Expr) {
			ir.WalkExpr(e, func(e ir.Expr) bool {
				if u, ok := e.(ir.Use); ok && u.Reg == n.r {
					used[n.r] = true
				}
				return true
			})
		}
		for _, b := range n.f.Blocks {
			for _, in := range b.Instrs {
				if !slices.Contains(n.made, in) {
					for _, e := range ir.Operands(in) {
						note(e)
					}
				}
			}
			for _, e := range ir.TermOperands(b.Term) {
				note(e)
			}
		}
		if !used[n.r] {
			drop = append(drop, n.made...)
		}
	}
	pr.drop(drop)
}

// futexWait waits where the word has the value. It returns 0, or -1 where the value is
// another one, after a signal, or when the time is over.
func (a *apiCall) futexWait(addr, val, mutex ir.Expr, r *ir.Reg) {
	p, b := pos(a.x.Position()), at(a.x)
	waits, differs, after := a.block("waits"), a.block("differs"), a.block("waited")
	word := a.temp(pointee(addr).(ir.Int))
	a.emit(&ir.Load{Base: b, Dst: word, Addr: addr, Order: ir.SeqCst})
	a.branch(p, ir.Binary{Op: "eq", X: ir.Cast{X: ir.Use{Reg: word}, T: ir.U32}, Y: val}, waits, differs)
	a.start(waits)
	t, timed := a.role("timeout")
	timed = timed && !isNull(t)
	a.emit(&ir.CondWait{Base: b, Cond: addr, Mutex: mutex, Timed: timed})
	failed := a.temp(ir.Bool{})
	a.emit(&ir.Havoc{Base: b, Dst: failed, Input: true})
	t0, minus := a.zero(r.Type), a.conv(a.x, ir.IntConst(ir.I32, -1), r.Type)
	a.emit(&ir.Assign{Base: b, Dst: r, X: ir.Select{C: ir.Use{Reg: failed}, X: minus, Y: t0}})
	a.jump(p, after)
	a.start(differs)
	a.emit(&ir.Assign{Base: b, Dst: r, X: minus})
	a.jump(p, after)
	a.start(after)
}

// futexWake wakes so many that wait.
func (a *apiCall) futexWake(addr, n ir.Expr) {
	p, b := pos(a.x.Position()), at(a.x)
	one := &ir.CondSignal{Base: b, Cond: addr}
	all := &ir.CondSignal{Base: b, Cond: addr, Broadcast: true}
	if k, ok := ir.IntOf(n); ok && (k <= 1 || k >= wokenAll) {
		if k <= 1 {
			a.emit(one)
		} else {
			a.emit(all)
		}
		return
	}
	i := a.temp(ir.U32)
	every, some, loop, next, after := a.block("all"), a.block("some"), a.block("wake"), a.block("next"), a.block("woken")
	a.branch(p, ir.Binary{Op: "ge", X: n, Y: ir.IntConst(ir.U32, wokenAll)}, every, some)
	a.start(every)
	a.emit(all)
	a.jump(p, after)
	a.start(some)
	a.emit(&ir.Assign{Base: b, Dst: i, X: ir.IntConst(ir.U32, 1)})
	a.jump(p, loop)
	a.start(loop)
	a.emit(one)
	a.branch(p, ir.Binary{Op: "lt", X: ir.Use{Reg: i}, Y: n}, next, after)
	a.start(next)
	a.emit(&ir.Assign{Base: b, Dst: i, X: ir.Binary{Op: "add", X: ir.Use{Reg: i}, Y: ir.IntConst(ir.U32, 1)}})
	a.jump(p, loop)
	a.start(after)
}

// unknownFunction is a function that stands for what is not followed.
func (pr *program) unknownFunction(name, why string, at ir.Pos) *ir.Func {
	f := pr.funcs[name]
	if f == nil {
		f = &ir.Func{Name: name, Result: ir.Void{}, Unknown: why, Pos: at}
		pr.funcs[name] = f
		pr.p.Funcs = append(pr.p.Funcs, f)
	}
	return f
}

// namedFutexes takes out what other operations do where all callers of the function name
// one that is followed.
func (pr *program) namedFutexes() {
	f := pr.funcs[otherFutex]
	if f == nil {
		return
	}
	taken := map[*ir.Func]bool{}
	for _, f := range ir.AddressTaken(pr.p) {
		taken[f] = true
	}
	for _, c := range pr.futexes {
		if !taken[c.f] && c.f.Name != "main" && pr.namesOperation(c) {
			c.other.Instrs, c.other.Term = nil, &ir.Stop{TermBase: ir.TermBase{Pos: c.other.Term.At()}, Kind: "unreachable"}
		}
	}
	for _, g := range pr.p.Funcs {
		for _, in := range callsIn(g) {
			if c, ok := in.(*ir.Call); ok && c.Callee == (ir.FuncAddr{Func: f}) {
				pr.p.Assume("unknown-function", c.Pos, "%s is not followed", f.Unknown)
				return
			}
		}
	}
}

// namesOperation reports whether all calls of a function make the operation of one of its
// calls a constant that is followed.
func (pr *program) namesOperation(c futexCall) bool {
	for _, r := range c.f.Params {
		for in := range c.f.Instrs() {
			for _, d := range ir.Defs(in) {
				if d == r {
					return false
				}
			}
		}
	}
	for _, g := range pr.p.Funcs {
		for _, in := range callsIn(g) {
			call, ok := in.(*ir.Call)
			if !ok || call.Callee != (ir.FuncAddr{Func: c.f}) {
				continue
			}
			v := ir.MapExpr(c.op, func(e ir.Expr) ir.Expr {
				for i, p := range c.f.Params {
					if u, ok := e.(ir.Use); ok && u.Reg == p && i < len(call.Args) {
						return call.Args[i]
					}
				}
				return e
			})
			switch n, ok := constantBits(v); {
			case !ok:
				return false
			case n != futexWait && n != futexWake && n != futexWaitBitset && n != futexWakeBitset:
				return false
			}
		}
	}
	return true
}

// constantBits is the value of an expression of constants, conversions, and bits that are
// set, cleared or selected; of others ok is false.
func constantBits(e ir.Expr) (n int64, ok bool) {
	switch e := e.(type) {
	case ir.Const:
		return e.Val.Int64(), e.Val.IsInt64()
	case ir.Cast:
		it, isInt := e.T.(ir.Int)
		n, ok := constantBits(e.X)
		return n, ok && isInt && it.Size() >= 4 && new(big.Int).Abs(big.NewInt(n)).BitLen() < 31
	case ir.Binary:
		x, okX := constantBits(e.X)
		y, okY := constantBits(e.Y)
		switch e.Op {
		case "or":
			return x | y, okX && okY
		case "and":
			return x & y, okX && okY
		case "xor":
			return x ^ y, okX && okY
		}
	}
	return 0, false
}
