package precise

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// Package sync, exactly: the state of each type lies in memory, and operations are
// sections that wait for it. A lock is nobody's, so that one goroutine may take it and
// another give it back.

// ExactTypes are the representations of library types in place of those of the models.
func ExactTypes() map[string]*library.Type {
	return map[string]*library.Type{
		"sync.RWMutex":   {Size: 24, Fields: []string{"writer", "readers"}, Kinds: []string{"u32", "u32"}},
		"sync.Once":      {Size: 12, Fields: []string{"done", "running"}, Kinds: []string{"u32", "u32"}},
		"sync.WaitGroup": {Size: 16, Fields: []string{"count", "waiters", "round", "first"}, Kinds: []string{"i32", "u32", "u32", "u32"}},
	}
}

func one32() ir.Expr { return ir.IntConst(ir.U32, 1) }

func Zero32() ir.Expr { return ir.IntConst(ir.U32, 0) }

// LockExact is an operation of a Mutex or RWMutex at an address.
func (x *Fn) LockExact(p ir.Expr, t types.Type, m *library.Func) irgen.Value {
	state := x.Member(p, t, 0)
	r := x.Temp(ir.U32)
	read := ir.Use{Reg: r}
	rw := x.TypeName(t) == "sync.RWMutex"
	if m.Op == library.OpTryLock {
		x.Weak("a failed TryLock")
	}
	if rw {
		return x.rwLock(p, t, m)
	}
	switch m.Op {
	case library.OpLock:
		x.section("locks", []*ir.Reg{r}, []ir.Expr{state}, irgen.IsNil(read), func() { x.set(state, one32()) })
	case library.OpUnlock:
		x.section("unlocks", []*ir.Reg{r}, []ir.Expr{state}, ir.BoolConst(true), func() {
			x.fatalUnless(irgen.Not(irgen.IsNil(read)), "sync: unlock of unlocked mutex")
			x.set(state, Zero32())
		})
	default:
		x.section("tries to lock", []*ir.Reg{r}, []ir.Expr{state}, ir.BoolConst(true), func() { x.When(irgen.IsNil(read), func() { x.set(state, one32()) }) })
		return irgen.Value{irgen.Truth(irgen.IsNil(read))}
	}
	return nil
}

// rwLock is an operation of a RWMutex: a writer first keeps new readers out, then waits
// for those that there are.
func (x *Fn) rwLock(p ir.Expr, t types.Type, m *library.Func) irgen.Value {
	writer, readers := x.Member(p, t, 0), x.Member(p, t, 1)
	w, n := x.Temp(ir.U32), x.Temp(ir.U32)
	both, at := []*ir.Reg{w, n}, []ir.Expr{writer, readers}
	noWriter, noReader := irgen.IsNil(ir.Use{Reg: w}), irgen.IsNil(ir.Use{Reg: n})
	shared, always := m.Mode == "shared", ir.BoolConst(true)
	switch {
	case m.Op == library.OpLock && shared:
		x.section("read-locks", both, at, noWriter, func() { x.set(readers, irgen.Bin("add", ir.Use{Reg: n}, one32())) })
	case m.Op == library.OpLock:
		x.section("locks", both, at, noWriter, func() { x.set(writer, one32()) })
		x.section("has locked", both[1:], at[1:], noReader, func() {})
	case m.Op == library.OpUnlock && shared:
		x.section("read-unlocks", both, at, always, func() {
			x.fatalUnless(irgen.Not(noReader), "sync: RUnlock of unlocked RWMutex")
			x.set(readers, irgen.Bin("sub", ir.Use{Reg: n}, one32()))
		})
	case m.Op == library.OpUnlock:
		x.section("unlocks", both, at, always, func() {
			x.fatalUnless(irgen.Not(noWriter), "sync: Unlock of unlocked RWMutex")
			x.set(writer, Zero32())
		})
	case shared:
		x.section("tries to read-lock", both, at, always, func() {
			x.When(noWriter, func() { x.set(readers, irgen.Bin("add", ir.Use{Reg: n}, one32())) })
		})
		return irgen.Value{irgen.Truth(noWriter)}
	default:
		free := irgen.Bin("land", noWriter, noReader)
		x.section("tries to lock", both, at, always, func() { x.When(free, func() { x.set(writer, one32()) }) })
		return irgen.Value{irgen.Truth(free)}
	}
	return nil
}

// OnceExact runs a function the first time; others wait until it is over.
func (x *Fn) OnceExact(p *irgen.Call, m *library.Func) {
	t := irgen.RecvType(p)
	done, running := x.Member(p.Args[0][0], t, 0), x.Member(p.Args[0][0], t, 1)
	d, r := x.Temp(ir.U32), x.Temp(ir.U32)
	first := irgen.IsNil(ir.Use{Reg: d})
	x.section("does once", []*ir.Reg{d, r}, []ir.Expr{done, running}, irgen.Bin("lor", irgen.Not(first), irgen.IsNil(ir.Use{Reg: r})), func() {
		x.When(first, func() { x.set(running, one32()) })
	})
	x.When(first, func() {
		x.Quietly(func() { x.CallArg(p, m.Fn, nil) })
		x.section("has done once", nil, nil, ir.BoolConst(true), func() {
			x.set(done, one32())
			x.set(running, Zero32())
		})
		x.Propagate()
	})
}

// CounterExact is an operation of a WaitGroup.
func (x *Fn) CounterExact(p ir.Expr, t types.Type, m *library.Func, delta ir.Expr) {
	count, waiters, round, first := x.Member(p, t, 0), x.Member(p, t, 1), x.Member(p, t, 2), x.Member(p, t, 3)
	c, w, n := x.Temp(ir.I32), x.Temp(ir.U32), x.Temp(ir.U32)
	all, at := []*ir.Reg{c, w, n}, []ir.Expr{count, waiters, round}
	old, none := ir.Use{Reg: c}, ir.IntConst(ir.I32, 0)
	if m.Op == library.OpWait {
		x.section("waits for", all, at, ir.BoolConst(true), func() {
			x.When(irgen.Bin("ne", old, none), func() { x.set(waiters, irgen.Bin("add", ir.Use{Reg: w}, one32())) })
		})
		x.When(irgen.Bin("ne", old, none), func() {
			// The first one to wait must be ordered with the first Add: package sync
			// tells the race detector so.
			x.When(irgen.IsNil(ir.Use{Reg: w}), func() { x.Emit(&ir.Store{Base: x.Base(), Addr: first, Val: Zero32(), Order: ir.Plain, As: ir.OpWait}) })
			c2, w2, n2 := x.Temp(ir.I32), x.Temp(ir.U32), x.Temp(ir.U32)
			x.section("goes on after", []*ir.Reg{c2, w2, n2}, at, irgen.Bin("ne", ir.Use{Reg: n2}, ir.Use{Reg: n}), func() {
				x.PanicUnless(irgen.Bin("land", irgen.Bin("eq", ir.Use{Reg: c2}, none), irgen.IsNil(ir.Use{Reg: w2})), "sync: WaitGroup is reused before previous Wait has returned")
			})
		})
		return
	}
	what := "adds to"
	if m.Op == library.OpDone {
		what = "is done with"
	}
	x.section(what, all, at, ir.BoolConst(true), func() {
		sum := x.Hold(irgen.Bin("add", old, delta))
		x.PanicUnless(irgen.Bin("ge", sum, none), "sync: negative WaitGroup counter")
		x.PanicUnless(irgen.Not(irgen.Bin("land", irgen.Bin("gt", delta, none), irgen.Bin("land", irgen.Bin("eq", old, none), irgen.Not(irgen.IsNil(ir.Use{Reg: w}))))), "sync: WaitGroup misuse: Add called concurrently with Wait")
		x.set(count, sum)
		x.When(irgen.Bin("land", irgen.Bin("eq", sum, none), irgen.Not(irgen.IsNil(ir.Use{Reg: w}))), func() {
			x.set(waiters, Zero32())
			x.set(round, irgen.Bin("add", ir.Use{Reg: n}, one32()))
		})
	})
	if m.Op == library.OpAdd {
		x.When(irgen.Bin("land", irgen.Bin("eq", old, none), irgen.Bin("gt", delta, none)), func() {
			x.Emit(&ir.Load{Base: x.Base(), Dst: x.Temp(ir.U32), Addr: first, Order: ir.Plain, As: ir.OpAdd})
		})
	}
}

// notified is the address of the tickets of a Cond, as package sync keeps them: of the
// next one that waits, and of the next one that is woken.
func (x *Fn) notified(p ir.Expr, t types.Type) (next, woken ir.Expr) {
	st := t.Underlying().(*types.Struct)
	for i := range st.NumFields() {
		if st.Field(i).Name() == "notify" {
			p = x.Member(p, t, i)
		}
	}
	at := func(off int64) ir.Expr {
		return ir.IndexAddr{Base: p, Idx: ir.IntConst(irgen.IntT, off), Stride: 1, T: ir.Ptr{Elem: ir.U32}}
	}
	return at(0), at(4)
}

// CondExact is an operation of a Cond.
func (x *Fn) CondExact(p *irgen.Call, op library.Op) {
	next, woken := x.notified(p.Args[0][0], irgen.RecvType(p))
	n, w := x.Temp(ir.U32), x.Temp(ir.U32)
	both, at := []*ir.Reg{n, w}, []ir.Expr{next, woken}
	switch op {
	case "signal":
		x.section("signals", both, at, ir.BoolConst(true), func() {
			x.When(irgen.Bin("ne", ir.Use{Reg: n}, ir.Use{Reg: w}), func() { x.set(woken, irgen.Bin("add", ir.Use{Reg: w}, one32())) })
		})
	case "broadcast":
		x.section("broadcasts", both, at, ir.BoolConst(true), func() { x.set(woken, ir.Use{Reg: n}) })
	default:
		x.section("waits at", both, at, ir.BoolConst(true), func() { x.set(next, irgen.Bin("add", ir.Use{Reg: n}, one32())) })
		x.lockerCall(p, "Unlock")
		w2 := x.Temp(ir.U32)
		x.section("is woken at", []*ir.Reg{w2}, at[1:], irgen.Bin("gt", ir.Use{Reg: w2}, ir.Use{Reg: n}), func() {})
		x.lockerCall(p, "Lock")
	}
}

// lockerCall calls a method of the lock of a Cond.
func (x *Fn) lockerCall(p *irgen.Call, name string) {
	t := irgen.RecvType(p)
	i := irgen.LockerField(t)
	ft := t.Underlying().(*types.Struct).Field(i).Type()
	l := x.Load(ft, x.Member(p.Args[0][0], t, i), ir.Plain)
	after := x.Block("locker")
	op := map[string]library.Op{"Lock": library.OpLock, "Unlock": library.OpUnlock}[name]
	for _, d := range x.Boxes {
		pt, ok := d.(*types.Pointer)
		if !ok || x.TypeName(pt.Elem()) != "sync.Mutex" && x.TypeName(pt.Elem()) != "sync.RWMutex" {
			continue
		}
		is, els := x.Block("is"), x.Block("else")
		x.Branch(irgen.Bin("eq", l[0], x.Tag(d)), is, els)
		x.Start(is)
		x.LockExact(x.Unboxed(d, l[1])[0], pt.Elem(), &library.Func{Op: op})
		x.Jump(after)
		x.Start(els)
	}
	x.Cut("the lock of a sync.Cond that is no Mutex")
	x.Jump(after)
	x.Start(after)
}

// GoExact starts a goroutine that a WaitGroup counts.
func (x *Fn) GoExact(p *irgen.Call) {
	t := irgen.RecvType(p)
	x.CounterExact(p.Args[0][0], t, &library.Func{Op: library.OpAdd}, ir.IntConst(ir.I32, 1))
	group, fv := p.Args[0][0], p.Args[1][0]
	f := &ir.Func{Name: x.Unique("goroutine"), Result: ir.Void{}, Pos: x.Pos, Params: []*ir.Reg{{Name: "group", Type: group.Type()}, {Name: "f", Type: fv.Type()}}}
	y := x.newFn(f)
	y.Used["group"], y.Used["f"] = 1, 1
	x.p.Funcs = append(x.p.Funcs, f)
	y.Pos = x.Pos
	y.Start(y.Block("entry"))
	sig := form.ParamTypes(p.Fn.Signature)[1].Underlying().(*types.Signature)
	self := ir.Use{Reg: f.Params[1]}
	if sf := form.StaticFunc(x.Argument(p, 1)); sf != nil {
		f.Name = x.Unique(x.FuncName(sf) + " (goroutine)")
		y.CallFunc(sf, nil, self)
	} else {
		y.CallDynamic(sig, self, nil)
	}
	y.CounterExact(ir.Use{Reg: f.Params[0]}, t, &library.Func{Op: library.OpDone}, ir.IntConst(ir.I32, -1))
	y.GiveBack(nil)
	y.Prune()
	x.Spawn(x.Site, ir.FuncAddr{Func: f}, types.NewSignatureType(nil, nil, nil, nil, nil, false), irgen.Value{group, fv}, nil)
}

// Argument is an argument of a call as it was written, nil where it is not known.
func (x *Fn) Argument(p *irgen.Call, i int) ssa.Value {
	if i < len(p.CC.Args) {
		return p.CC.Args[i]
	}
	return nil
}
