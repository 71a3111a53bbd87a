package c

import (
	"modernc.org/cc/v4"

	"whoop/frontend/models"
	"whoop/ir"
)

// Functions that take locks, start and join threads, and register handlers.

// mode is the lock mode a model states; "" where the call does not say which
// (pthread_rwlock_unlock).
func (a *apiCall) mode() ir.Mode {
	if a.m.Mode == "any" {
		return ""
	}
	return ir.Mode(a.m.Mode)
}

func (a *apiCall) lock() ir.Expr {
	a.irq(true)
	mode := a.mode()
	if mode == "" {
		mode = ir.Exclusive
	}
	ok, v := a.succeeded()
	lock, known := a.bitLock()
	if !known {
		return a.ret()
	}
	a.emit(&ir.Lock{Base: at(a.x), Lock: lock, Mode: mode, Class: a.m.Class, Recursive: a.m.Recursive, Try: ok != nil, Dst: ok})
	if ok == nil && a.x.Type().Kind() != cc.Void && len(a.m.Irq) > 0 {
		return a.havoc(a.x, a.typ()) // saved flags
	}
	return a.show(ok, v)
}

func (a *apiCall) irq(disable bool) {
	for _, k := range a.m.Irq {
		if disable {
			a.emit(&ir.IrqDisable{Base: at(a.x), Kind: k})
		} else {
			a.emit(&ir.IrqEnable{Base: at(a.x), Kind: k, Restore: a.m.IrqRestore})
		}
	}
}

// params lists the values passed to a callback, by the model's Params.
func (a *apiCall) params() []ir.Expr {
	var out []ir.Expr
	for _, r := range a.m.Params {
		v, _ := a.role(r)
		out = append(out, v)
	}
	return out
}

func (a *apiCall) spawn() ir.Expr {
	s := &ir.Spawn{Base: at(a.x), Fn: a.fnRole()}
	if v, ok := a.role("data"); ok {
		s.Args = []ir.Expr{v}
	} else {
		s.Args = a.params()
	}
	if h, ok := a.role("handle"); ok {
		s.HandleAddr = h
	}
	ok, v := a.succeeded()
	s.OK = ok
	if a.m.Ret == "handle" {
		s.Dst = a.temp(a.typ())
	}
	a.emit(s)
	if s.Dst != nil {
		return ir.Use{Reg: s.Dst}
	}
	return a.show(ok, v)
}

func (a *apiCall) join() ir.Expr {
	h, ok := a.role("handle")
	if !ok {
		a.fail(a.x, "call of %s without a thread", a.name)
	}
	j := &ir.Join{Base: at(a.x), Handle: h}
	if res, ok := a.role("result"); ok {
		if _, null := res.(ir.Null); !null && ir.IsPtr(res.Type()) {
			j.Dst = a.temp(ir.VPtr)
			a.emit(j)
			yes, after := a.block("result"), a.block("joined")
			a.branch(j.Pos, a.truth(a.x, res), yes, after)
			a.start(yes)
			var val ir.Expr = ir.Use{Reg: j.Dst}
			if pt := res.Type().(ir.Ptr); ir.IsInt(pt.Elem) {
				val = ir.Cast{X: val, T: pt.Elem}
			}
			a.emit(&ir.Store{Base: at(a.x), Addr: res, Val: val, Order: ir.Plain})
			a.jump(j.Pos, after)
			a.start(after)
			return a.zero(a.typ())
		}
	}
	a.emit(j)
	return a.zero(a.typ())
}

func (a *apiCall) register() ir.Expr {
	r := &ir.Register{Base: at(a.x), API: a.name, Kinds: a.m.Kinds, Of: madeKnown(a.vs, nil)}
	if obj, ok := a.role("obj"); ok {
		r.Obj = obj
	}
	if a.m.Op != models.OpCallback {
		return a.registered(r)
	}
	if len(a.m.Members) > 0 {
		return a.members()
	}
	if a.isAction() {
		return a.ret()
	}
	fn, ok := a.role("fn")
	if !ok {
		return a.ret()
	}
	r.Fn, r.Kinds = fn, []string{a.m.EntryKind}
	r.Args = a.params()
	if k, ok := a.role("key"); ok {
		a.newKey(k, fn)
		if a.hasMain() {
			return a.ret()
		}
	}
	thread, ok := a.role("thread")
	switch {
	case !ok || isNull(thread):
		return a.registered(r)
	case isNull(fn):
		r.Fn, r.Kinds = thread, []string{a.m.ThreadKind}
		return a.registered(r)
	}
	return a.registered(r, &ir.Register{Base: at(a.x), API: a.name, Kinds: []string{a.m.ThreadKind}, Obj: r.Obj, Fn: thread, Args: r.Args})
}

// isNull reports whether e is written as a null pointer.
func isNull(e ir.Expr) bool {
	switch x := base(e).(type) {
	case ir.Null:
		return true
	case ir.Const:
		return x.Val.Sign() == 0
	}
	return false
}

// registered makes the registrations happen only where the call's result says that it
// worked: for functions that return an integer, zero unless the model says otherwise.
func (a *apiCall) registered(rs ...*ir.Register) ir.Expr {
	emit := func() {
		for _, r := range rs {
			a.emit(r)
		}
	}
	p := rs[0].Pos
	if a.m.Success == "" && a.x.Type().Kind() == cc.Int {
		m := *a.m
		m.Success = "zero"
		a.m = &m
	}
	if a.m.Success == "" {
		v := a.ret()
		if worked := works(a.x, v); worked != nil && ir.IsPtr(v.Type()) {
			v = a.hold(a.x, v)
			for _, r := range rs {
				if r.Fn == nil {
					r.Of = v
				}
			}
			a.where(a.x, works(a.x, v), rs...)
			return v
		}
		emit()
		return v
	}
	if a.m.Ret == "zero" { // it works, as allocations do
		emit()
		return a.zero(a.typ())
	}
	ok := a.temp(ir.Bool{})
	a.emit(&ir.Havoc{Base: at(a.x), Dst: ok})
	yes, after := a.block("registered"), a.block("register")
	a.branch(p, ir.Use{Reg: ok}, yes, after)
	a.start(yes)
	emit()
	a.jump(p, after)
	a.start(after)
	return a.show(ok, nil)
}
