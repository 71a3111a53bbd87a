package c

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"whoop/frontend/models"
	"whoop/ir"
)

// apiCall is one call of a modelled function.
type apiCall struct {
	*lowerer
	x    *cc.PostfixExpression
	name string
	m    *models.Func
	es   []cc.ExpressionNode
	vs   []ir.Expr
	// scanned is how many of the model's Inputs the call sets, nil where it has none.
	scanned ir.Expr
	// text is the pointer that a model's Through led to, nil where it has none.
	text ir.Expr
	// result is what the call returns, for functions that it calls with that.
	result ir.Expr
}

// modelled lowers a call as its model says.
func (l *lowerer) modelled(x *cc.PostfixExpression, name string, m *models.Func, es []cc.ExpressionNode) ir.Expr {
	if len(es) == 0 && (len(m.Arg) > 0 || slices.Contains([]string{"length", "compare-text", "compare-bytes"}, m.Ret)) {
		l.fail(x, "a call of %s without its arguments", name)
	}
	a := &apiCall{lowerer: l, x: x, name: name, m: m, es: es, vs: l.values(es)}
	l.numberArgs(x, a.vs)
	a.interruptible()
	a.failing()
	if m.Hidden != "" {
		a.vs = append(a.vs, ir.GlobalAddr{Global: a.libraryState(m.Hidden, ir.Ptr{Elem: ir.I8})})
	}
	if v, ok := a.stepwise(); ok {
		return v
	}
	a.sureCalls()
	a.touches()
	a.leftOut()
	if isStruct(x.Type()) { // no model computes a struct: an arbitrary one
		return l.returnedStruct(x, name)
	}
	if v, ok := a.arithmetic(); ok {
		return v
	}
	a.calls()
	v := a.setUp(a.lower())
	a.leadTo()
	if a.m.Op != models.OpAlloc { // which did it itself
		a.manage(v)
	}
	a.callbacks()
	a.kept()
	if m.NoReturn {
		l.end(&ir.Stop{TermBase: ir.TermBase{Pos: pos(x.Position())}, Kind: "abort"})
		l.revive()
	}
	return v
}

// result type of the call, void as an integer.
func (a *apiCall) typ() ir.Type {
	t := a.types.Type(a.x.Type().Decay())
	if ir.Equal(t, ir.Void{}) {
		return ir.I32
	}
	return t
}

// role is the value of an argument by role; ok is false where the call has none.
func (a *apiCall) role(r string) (ir.Expr, bool) {
	if c, ok := a.m.Const[r]; ok {
		return ir.IntConst(ir.I64, c), true
	}
	i, ok := a.m.Arg[r]
	if !ok || i < 0 || i >= len(a.vs) {
		return nil, false
	}
	v := a.vs[i]
	for _, d := range a.m.Deref {
		if d == r {
			reg := a.temp(a.inMemory(a.x, a.cell(a.es[i])))
			a.emit(&ir.Load{Base: at(a.x), Dst: reg, Addr: v, Order: ir.Plain})
			return ir.Use{Reg: reg}, true
		}
	}
	return v, true
}

// addr is a pointer role; the call is not understood without it.
func (a *apiCall) addr(r string) ir.Expr {
	if a.m.Global != "" && (r == "lock") {
		return ir.GlobalAddr{Global: a.pseudo(a.m.Global)}
	}
	v, ok := a.role(r)
	if !ok {
		a.fail(a.x, "call of %s without its argument for %s", a.name, r)
	}
	if !ir.IsPtr(v.Type()) {
		v = a.conv(a.x, v, ir.VPtr)
	}
	if path := a.m.Field[r]; path != "" {
		v = a.memberPath(v, path)
	}
	return v
}

// pseudo is the global that stands for a lock without an argument (rtnl_lock).
func (u *unit) pseudo(name string) *ir.Global {
	name = ir.LockPrefix + name
	if g := u.program.globals[name]; g != nil {
		return g
	}
	g := &ir.Global{Name: name, Type: ir.U32}
	u.program.globals[name] = g
	u.p.Globals = append(u.p.Globals, g)
	return g
}

// succeeded makes the register that says whether the call worked, and the call's result
// that shows it.
func (a *apiCall) succeeded() (*ir.Reg, ir.Expr) {
	if a.m.Success == "" {
		return nil, a.zero(a.typ())
	}
	return a.temp(ir.Bool{}), nil
}

// show computes the result from a success register: zero, nonzero, nonneg or positive
// means it worked.
func (a *apiCall) show(ok *ir.Reg, dflt ir.Expr) ir.Expr {
	if ok == nil {
		return dflt
	}
	t, isInt := a.typ().(ir.Int)
	if !isInt {
		return a.havoc(a.x, a.typ())
	}
	zero := ir.IntConst(t, 0)
	// The value that the model says, or one of those that the outcome allows: an input
	// where it is one, another one where not.
	only := func(value int64, op string, other int64) ir.Expr {
		if value != 0 {
			return ir.IntConst(t, value)
		}
		r := a.temp(t)
		a.emit(&ir.Havoc{Base: at(a.x), Dst: r, Input: true})
		return ir.Select{C: ir.Binary{Op: op, X: ir.Use{Reg: r}, Y: zero}, X: ir.Use{Reg: r}, Y: ir.IntConst(t, other)}
	}
	var good, bad ir.Expr
	switch a.m.Success {
	case "zero":
		good, bad = zero, only(a.m.Failure, "ne", 1)
	case "nonneg":
		good, bad = only(a.m.Worked, "ge", 0), only(a.m.Failure, "lt", -1)
	case "positive":
		good, bad = only(a.m.Worked, "gt", 1), only(a.m.Failure, "le", 0)
	default:
		good, bad = only(a.m.Worked, "ne", 1), zero
	}
	return a.hold(a.x, ir.Select{C: ir.Use{Reg: ok}, X: good, Y: bad})
}

func (a *apiCall) lower() ir.Expr {
	b := at(a.x)
	a.seqCall(a.m)
	a.anew = append(a.anew, a.m.Anew...)
	switch a.m.Op {
	case models.OpLock:
		return a.lock()
	case models.OpUnlock:
		if lock, ok := a.bitLock(); ok {
			a.emit(&ir.Unlock{Base: b, Lock: lock, Mode: a.mode(), Class: a.m.Class})
		}
		a.irq(false)
	case models.OpDowngrade:
		lock, _ := a.role("lock")
		a.emit(&ir.AtomicBegin{Base: b})
		a.emit(&ir.Unlock{Base: b, Lock: lock, Mode: ir.Exclusive, Class: a.m.Class})
		a.emit(&ir.Lock{Base: b, Lock: lock, Mode: ir.Shared, Class: a.m.Class})
		a.emit(&ir.AtomicEnd{Base: b})
	case models.OpLockInit, models.OpLockDestroy:
		a.emit(&ir.LockInit{Base: b, Lock: a.addr("lock"), Class: a.m.Class, Recursive: a.recursiveInit(), Destroy: a.m.Op == models.OpLockDestroy})
	case models.OpLockAttr:
		a.setAttr()
	case models.OpCondWait:
		if a.ending.cancels && a.mayBeCancelled() {
			a.cancelPoint(a.x, false, a.addr("mutex"))
		}
		ok, v := a.succeeded()
		a.emit(&ir.CondWait{Base: b, Cond: a.addr("cond"), Mutex: a.addr("mutex"), Timed: ok != nil, Dst: ok})
		return a.show(ok, v)
	case models.OpCondSignal, models.OpCondBcast:
		a.emit(&ir.CondSignal{Base: b, Cond: a.addr("cond"), Broadcast: a.m.Op == models.OpCondBcast})
	case models.OpSemInit:
		v, ok := a.role("val")
		if !ok {
			v = ir.IntConst(ir.I32, 0)
		}
		a.emit(&ir.SemInit{Base: b, Sem: a.addr("sem"), Val: v})
	case models.OpSemWait:
		ok, v := a.succeeded()
		a.emit(&ir.SemWait{Base: b, Sem: a.addr("sem"), Try: ok != nil, Dst: ok})
		return a.show(ok, v)
	case models.OpSemPost, models.OpSemPostAll:
		a.emit(&ir.SemPost{Base: b, Sem: a.addr("sem"), All: a.m.Op == models.OpSemPostAll})
	case models.OpBarrierInit:
		v, _ := a.role("count")
		if v == nil {
			v = a.havoc(a.x, ir.U32)
		}
		a.emit(&ir.BarrierInit{Base: b, Barrier: a.addr("barrier"), Count: v})
	case models.OpBarrierWait:
		serial := a.temp(ir.Bool{})
		a.emit(&ir.BarrierWait{Base: b, Barrier: a.addr("barrier"), Dst: serial})
		// PTHREAD_BARRIER_SERIAL_THREAD in one thread, 0 in the others
		if t, ok := a.typ().(ir.Int); ok {
			return a.hold(a.x, ir.Select{C: ir.Use{Reg: serial}, X: ir.IntConst(t, -1), Y: ir.IntConst(t, 0)})
		}
		return a.havoc(a.x, a.typ())
	case models.OpOnce:
		a.emit(&ir.Once{Base: b, Ctl: a.addr("ctl"), Fn: a.fnRole()})
	case models.OpAtomicBegin:
		a.emit(&ir.AtomicBegin{Base: b})
	case models.OpAtomicEnd:
		a.emit(&ir.AtomicEnd{Base: b})
	case models.OpIrqDisable:
		a.irq(true)
		return a.havoc(a.x, a.typ())
	case models.OpIrqEnable:
		a.irq(false)
	case models.OpFence:
		a.emit(&ir.Fence{Base: b, Order: ir.SeqCst})
	default:
		return a.more()
	}
	return a.ret()
}

func (a *apiCall) fnRole() ir.Expr {
	v, ok := a.role("fn")
	if !ok {
		a.fail(a.x, "call of %s without a function", a.name)
	}
	return v
}

// more lowers threads and control.
func (a *apiCall) more() ir.Expr {
	b := at(a.x)
	p := ir.TermBase{Pos: pos(a.x.Position())}
	switch a.m.Op {
	case models.OpSpawn:
		return a.spawn()
	case models.OpJoin:
		return a.join()
	case models.OpDetach:
		v, _ := a.role("handle")
		// a thread that detaches itself is not joined
		if v != nil && strings.Join(strings.Fields(cc.NodeSource(a.es[0])), "") != "pthread_self()" {
			a.emit(&ir.Detach{Base: b, Handle: v})
		}
	case models.OpAtExit:
		return a.atExit()
	case models.OpSelf:
		return a.selfHandle()
	case models.OpCancel:
		return a.cancel()
	case models.OpCancelState:
		return a.cancelState()
	case models.OpThreadExit, models.OpAbort, models.OpExit:
		if a.m.Op == models.OpExit {
			a.leave()
		}
		stop := &ir.Stop{TermBase: p, Kind: "abort"}
		if a.m.Op == models.OpThreadExit {
			if sem, ok := a.role("sem"); ok && !isNull(sem) { // it is completed first
				a.emit(&ir.SemPost{Base: b, Sem: a.addr("sem")})
			}
			// the macros call it only where setjmp returns again
			if a.name != "__pthread_unwind_next" {
				a.endThread(a.x)
			}
			stop.Kind = "exit"
			stop.Val, _ = a.role("val")
		}
		a.end(stop)
		a.revive()
	case models.OpError:
		tag, msg := "reach_error", a.name+" is reached"
		if strings.Contains(a.name, "assert") {
			tag, msg = "assert", "the assertion is false"
		}
		if a.m.Class == "bug" {
			tag, msg = "assert", "BUG()"
		}
		a.emit(&ir.Assert{Base: b, Cond: ir.BoolConst(false), Tag: tag, Msg: msg})
		a.end(&ir.Stop{TermBase: p, Kind: "abort"})
		a.revive()
	case models.OpAssume, models.OpAssert:
		v, ok := a.role("val")
		if !ok {
			a.fail(a.x, "call of %s without a condition", a.name)
		}
		c := a.truth(a.x, v)
		if a.m.Op == models.OpAssert {
			a.emit(&ir.Assert{Base: b, Cond: c, Tag: "assert", Msg: "assertion"})
		}
		a.emit(&ir.Assume{Base: b, Cond: c})
	case models.OpNondet:
		if a.x.Type().Kind() == cc.Bool || a.name == "__VERIFIER_nondet_bool" {
			if t, ok := a.typ().(ir.Int); ok {
				r := a.temp(ir.Bool{})
				a.emit(&ir.Havoc{Base: b, Dst: r, Input: true})
				return a.hold(a.x, ir.Cast{X: ir.Use{Reg: r}, T: t})
			}
		}
		r := a.temp(a.typ())
		a.emit(&ir.Havoc{Base: b, Dst: r, Input: true})
		return ir.Use{Reg: r}
	case models.OpRegister, models.OpCallback:
		return a.register()
	case models.OpUnregister:
		obj, _ := a.role("obj")
		a.emit(&ir.Unregister{Base: b, API: a.name, Obj: obj, Kinds: a.m.Kinds, ForGood: a.m.ForGood, Of: madeKnown(a.vs, nil)})
	case models.OpKeySet:
		a.setSpecific()
	case models.OpFutex:
		return a.futex()
	case models.OpKeyDelete:
		a.deleteKey()
	case models.OpKeyGet:
		r := a.temp(ir.VPtr)
		k, _ := a.role("key")
		a.emit(&ir.Load{Base: b, Dst: r, Addr: a.ofKey("$specific", k), Order: ir.Plain})
		return ir.Cast{X: ir.Use{Reg: r}, T: a.typ()}
	case models.OpPure:
	case models.OpIdentity:
		if len(a.vs) > 0 {
			return a.conv(a.x, a.vs[max(a.m.Arg["val"], 0)], a.typ())
		}
	case models.OpEffects: // touches did it
	default:
		return a.memory()
	}
	return a.ret()
}

// ret is the result a model states for calls that compute nothing.
func (a *apiCall) ret() ir.Expr {
	t := a.typ()
	switch a.m.Ret {
	case "zero":
		return a.zero(t)
	case "arg:0", "arg:1", "arg:2", "arg:3", "arg:4":
		if i := int(a.m.Ret[4] - '0'); i < len(a.vs) {
			return a.conv(a.x, a.vs[i], t)
		}
	case "length", "compare-text", "compare-bytes":
		if v, ok := a.aboutText(t); ok {
			return v
		}
	case "static", "static-nonnull":
		if v, ok := a.shared(t, a.m.Ret == "static"); ok {
			return v
		}
	case "own":
		if v, ok := a.own(t); ok {
			return v
		}
	case "in-through":
		if v, ok := a.inText(t); ok {
			return v
		}
	case "bool":
		if it, ok := t.(ir.Int); ok {
			return ir.Cast{X: a.havoc(a.x, ir.Bool{}), T: it}
		}
	}
	if strings.HasPrefix(a.m.Ret, "in-arg:") {
		if v, ok := a.within(a.m.Ret, t); ok {
			return v
		}
	}
	if it, isInt := t.(ir.Int); isInt && strings.HasPrefix(a.m.Ret, "input") && a.anyText() {
		return a.input(it)
	}
	if a.scanned != nil {
		return a.conv(a.x, a.scanned, t)
	}
	if a.x.Type().Kind() == cc.Void {
		return ir.IntConst(ir.I32, 0)
	}
	switch a.m.Op {
	case models.OpUnlock, models.OpCondSignal, models.OpCondBcast, models.OpOnce, models.OpLockInit, models.OpSemPost, models.OpSemInit:
		return a.zero(t)
	}
	v := a.returned(a.x, t)
	if a.m.Ret == "nonnull" {
		a.emit(&ir.Assume{Base: at(a.x), Cond: ir.Cast{X: v, T: ir.Bool{}}})
	}
	return v
}
