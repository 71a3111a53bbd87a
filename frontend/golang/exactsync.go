package golang

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

// exactTypes are the representations of library types in place of those of the models.
func exactTypes() map[string]*library.Type {
	return map[string]*library.Type{
		"sync.RWMutex":   {Size: 24, Fields: []string{"writer", "readers"}, Kinds: []string{"u32", "u32"}},
		"sync.Once":      {Size: 12, Fields: []string{"done", "running"}, Kinds: []string{"u32", "u32"}},
		"sync.WaitGroup": {Size: 16, Fields: []string{"count", "waiters", "round", "first"}, Kinds: []string{"i32", "u32", "u32", "u32"}},
	}
}

func one32() ir.Expr { return ir.IntConst(ir.U32, 1) }

func zero32() ir.Expr { return ir.IntConst(ir.U32, 0) }

// lockExact is an operation of a Mutex or RWMutex at an address.
func (x *fn) lockExact(p ir.Expr, t types.Type, m *library.Func) irgen.Value {
	state := x.member(p, t, 0)
	r := x.Temp(ir.U32)
	read := ir.Use{Reg: r}
	rw := x.TypeName(t) == "sync.RWMutex"
	if m.Op == "trylock" {
		x.weak("a failed TryLock")
	}
	if rw {
		return x.rwLock(p, t, m)
	}
	switch m.Op {
	case "lock":
		x.section("locks", []*ir.Reg{r}, []ir.Expr{state}, irgen.IsNil(read), func() { x.set(state, one32()) })
	case "unlock":
		x.section("unlocks", []*ir.Reg{r}, []ir.Expr{state}, ir.BoolConst(true), func() {
			x.fatalUnless(irgen.Not(irgen.IsNil(read)), "sync: unlock of unlocked mutex")
			x.set(state, zero32())
		})
	default:
		x.section("tries to lock", []*ir.Reg{r}, []ir.Expr{state}, ir.BoolConst(true), func() { x.When(irgen.IsNil(read), func() { x.set(state, one32()) }) })
		return irgen.Value{irgen.Truth(irgen.IsNil(read))}
	}
	return nil
}

// rwLock is an operation of a RWMutex: a writer first keeps new readers out, then waits
// for those that there are.
func (x *fn) rwLock(p ir.Expr, t types.Type, m *library.Func) irgen.Value {
	writer, readers := x.member(p, t, 0), x.member(p, t, 1)
	w, n := x.Temp(ir.U32), x.Temp(ir.U32)
	both, at := []*ir.Reg{w, n}, []ir.Expr{writer, readers}
	noWriter, noReader := irgen.IsNil(ir.Use{Reg: w}), irgen.IsNil(ir.Use{Reg: n})
	shared, always := m.Mode == "shared", ir.BoolConst(true)
	switch {
	case m.Op == "lock" && shared:
		x.section("read-locks", both, at, noWriter, func() { x.set(readers, irgen.Bin("add", ir.Use{Reg: n}, one32())) })
	case m.Op == "lock":
		x.section("locks", both, at, noWriter, func() { x.set(writer, one32()) })
		x.section("has locked", both[1:], at[1:], noReader, func() {})
	case m.Op == "unlock" && shared:
		x.section("read-unlocks", both, at, always, func() {
			x.fatalUnless(irgen.Not(noReader), "sync: RUnlock of unlocked RWMutex")
			x.set(readers, irgen.Bin("sub", ir.Use{Reg: n}, one32()))
		})
	case m.Op == "unlock":
		x.section("unlocks", both, at, always, func() {
			x.fatalUnless(irgen.Not(noWriter), "sync: Unlock of unlocked RWMutex")
			x.set(writer, zero32())
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

// onceExact runs a function the first time; others wait until it is over.
func (x *fn) onceExact(p *prepared, m *library.Func) {
	t := recvType(p)
	done, running := x.member(p.args[0][0], t, 0), x.member(p.args[0][0], t, 1)
	d, r := x.Temp(ir.U32), x.Temp(ir.U32)
	first := irgen.IsNil(ir.Use{Reg: d})
	x.section("does once", []*ir.Reg{d, r}, []ir.Expr{done, running}, irgen.Bin("lor", irgen.Not(first), irgen.IsNil(ir.Use{Reg: r})), func() {
		x.When(first, func() { x.set(running, one32()) })
	})
	x.When(first, func() {
		x.quietly(func() { x.callArg(p, m.Fn, nil) })
		x.section("has done once", nil, nil, ir.BoolConst(true), func() {
			x.set(done, one32())
			x.set(running, zero32())
		})
		x.propagate()
	})
}

// counterExact is an operation of a WaitGroup.
func (x *fn) counterExact(p ir.Expr, t types.Type, m *library.Func, delta ir.Expr) {
	count, waiters, round, first := x.member(p, t, 0), x.member(p, t, 1), x.member(p, t, 2), x.member(p, t, 3)
	c, w, n := x.Temp(ir.I32), x.Temp(ir.U32), x.Temp(ir.U32)
	all, at := []*ir.Reg{c, w, n}, []ir.Expr{count, waiters, round}
	old, none := ir.Use{Reg: c}, ir.IntConst(ir.I32, 0)
	if m.Op == "wait" {
		x.section("waits for", all, at, ir.BoolConst(true), func() {
			x.When(irgen.Bin("ne", old, none), func() { x.set(waiters, irgen.Bin("add", ir.Use{Reg: w}, one32())) })
		})
		x.When(irgen.Bin("ne", old, none), func() {
			// The first one to wait must be ordered with the first Add: package sync
			// tells the race detector so.
			x.When(irgen.IsNil(ir.Use{Reg: w}), func() { x.Emit(&ir.Store{Base: x.Base(), Addr: first, Val: zero32(), Order: ir.Plain, As: ir.OpWait}) })
			c2, w2, n2 := x.Temp(ir.I32), x.Temp(ir.U32), x.Temp(ir.U32)
			x.section("goes on after", []*ir.Reg{c2, w2, n2}, at, irgen.Bin("ne", ir.Use{Reg: n2}, ir.Use{Reg: n}), func() {
				x.panicUnless(irgen.Bin("land", irgen.Bin("eq", ir.Use{Reg: c2}, none), irgen.IsNil(ir.Use{Reg: w2})), "sync: WaitGroup is reused before previous Wait has returned")
			})
		})
		return
	}
	what := "adds to"
	if m.Op == "done" {
		what = "is done with"
	}
	x.section(what, all, at, ir.BoolConst(true), func() {
		sum := x.Hold(irgen.Bin("add", old, delta))
		x.panicUnless(irgen.Bin("ge", sum, none), "sync: negative WaitGroup counter")
		x.panicUnless(irgen.Not(irgen.Bin("land", irgen.Bin("gt", delta, none), irgen.Bin("land", irgen.Bin("eq", old, none), irgen.Not(irgen.IsNil(ir.Use{Reg: w}))))), "sync: WaitGroup misuse: Add called concurrently with Wait")
		x.set(count, sum)
		x.When(irgen.Bin("land", irgen.Bin("eq", sum, none), irgen.Not(irgen.IsNil(ir.Use{Reg: w}))), func() {
			x.set(waiters, zero32())
			x.set(round, irgen.Bin("add", ir.Use{Reg: n}, one32()))
		})
	})
	if m.Op == "add" {
		x.When(irgen.Bin("land", irgen.Bin("eq", old, none), irgen.Bin("gt", delta, none)), func() {
			x.Emit(&ir.Load{Base: x.Base(), Dst: x.Temp(ir.U32), Addr: first, Order: ir.Plain, As: ir.OpAdd})
		})
	}
}

// notified is the address of the tickets of a Cond, as package sync keeps them: of the
// next one that waits, and of the next one that is woken.
func (x *fn) notified(p ir.Expr, t types.Type) (next, woken ir.Expr) {
	st := t.Underlying().(*types.Struct)
	for i := range st.NumFields() {
		if st.Field(i).Name() == "notify" {
			p = x.member(p, t, i)
		}
	}
	at := func(off int64) ir.Expr {
		return ir.IndexAddr{Base: p, Idx: ir.IntConst(irgen.IntT, off), Stride: 1, T: ir.Ptr{Elem: ir.U32}}
	}
	return at(0), at(4)
}

// condExact is an operation of a Cond.
func (x *fn) condExact(p *prepared, op string) {
	next, woken := x.notified(p.args[0][0], recvType(p))
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
func (x *fn) lockerCall(p *prepared, name string) {
	t := recvType(p)
	i := lockerField(t)
	ft := t.Underlying().(*types.Struct).Field(i).Type()
	l := x.Load(ft, x.member(p.args[0][0], t, i), ir.Plain)
	after := x.Block("locker")
	op := map[string]string{"Lock": "lock", "Unlock": "unlock"}[name]
	for _, d := range x.Boxes {
		pt, ok := d.(*types.Pointer)
		if !ok || x.TypeName(pt.Elem()) != "sync.Mutex" && x.TypeName(pt.Elem()) != "sync.RWMutex" {
			continue
		}
		is, els := x.Block("is"), x.Block("else")
		x.Branch(irgen.Bin("eq", l[0], x.tag(d)), is, els)
		x.Start(is)
		x.lockExact(x.unboxed(d, l[1])[0], pt.Elem(), &library.Func{Op: op})
		x.Jump(after)
		x.Start(els)
	}
	x.cut("the lock of a sync.Cond that is no Mutex")
	x.Jump(after)
	x.Start(after)
}

// goExact starts a goroutine that a WaitGroup counts.
func (x *fn) goExact(p *prepared) {
	t := recvType(p)
	x.counterExact(p.args[0][0], t, &library.Func{Op: "add"}, ir.IntConst(ir.I32, 1))
	group, fv := p.args[0][0], p.args[1][0]
	f := &ir.Func{Name: x.unique("goroutine"), Result: ir.Void{}, Pos: x.Pos, Params: []*ir.Reg{{Name: "group", Type: group.Type()}, {Name: "f", Type: fv.Type()}}}
	y := newFn(x.lowering, nil, f)
	y.Used["group"], y.Used["f"] = 1, 1
	x.p.Funcs = append(x.p.Funcs, f)
	y.Pos = x.Pos
	y.Start(y.Block("entry"))
	sig := form.ParamTypes(p.fn.Signature)[1].Underlying().(*types.Signature)
	self := ir.Use{Reg: f.Params[1]}
	if sf := form.StaticFunc(x.argument(p, 1)); sf != nil {
		f.Name = x.unique(x.FuncName(sf) + " (goroutine)")
		y.callFunc(sf, nil, self)
	} else {
		y.callDynamic(sig, self, nil)
	}
	y.counterExact(ir.Use{Reg: f.Params[0]}, t, &library.Func{Op: "done"}, ir.IntConst(ir.I32, -1))
	y.giveBack(nil)
	y.prune()
	x.spawn(x.site, ir.FuncAddr{Func: f}, types.NewSignatureType(nil, nil, nil, nil, nil, false), irgen.Value{group, fv}, nil)
}

// argument is an argument of a call as it was written, nil where it is not known.
func (x *fn) argument(p *prepared, i int) ssa.Value {
	if i < len(p.cc.Args) {
		return p.cc.Args[i]
	}
	return nil
}
