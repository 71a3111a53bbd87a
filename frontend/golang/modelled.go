package golang

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// modelled lowers a call as its model says.
func (x *fn) modelled(p *irgen.Call, m *library.Func) irgen.Value {
	sig := p.Fn.Signature
	if _, now := x.Site.(*ssa.Call); now && x.Exact && len(p.CC.Args) > 0 && followsFirst(p.CC) {
		x.NonNil(p.CC.Args[0])
	}
	if x.Exact {
		if out, ok := x.LibraryExact(p); ok {
			return out
		}
	}
	switch m.Op {
	case library.OpLock, library.OpUnlock, library.OpTryLock:
		if x.Exact {
			return x.LockExact(p.Args[0][0], irgen.RecvType(p), m)
		}
		return x.lockOp(p, m)
	case library.OpOnce:
		if x.Exact {
			x.OnceExact(p, m)
			return nil
		}
		x.onceOp(p, m)
		return nil
	case library.OpCondWait:
		if x.Exact {
			x.CondExact(p, library.OpWait)
			return nil
		}
		x.condWait(p)
		return nil
	case library.OpNewCond:
		return x.newCond(p)
	case library.OpNewSem, library.OpSemWait, library.OpSemTry, library.OpSemPost:
		return x.semaphore(p, m.Op)
	case library.OpAdd, library.OpDone, library.OpWait:
		if x.Exact && x.TypeName(irgen.RecvType(p)) == "sync.WaitGroup" {
			delta := ir.Expr(ir.IntConst(ir.I32, -1))
			if m.Op == library.OpAdd {
				delta = x.Hold(irgen.Typed(p.Args[1][0], ir.I32))
			}
			x.CounterExact(p.Args[0][0], irgen.RecvType(p), m, delta)
			return nil
		}
		if x.Exact {
			x.Inexact()
		}
		x.counterOp(p, m)
		return x.results2(sig)
	case library.OpGo:
		if x.Exact && library.Name(p.Fn) == "(*sync.WaitGroup).Go" {
			x.GoExact(p)
			return nil
		}
		if x.Exact && (m.Many || strings.Contains(library.Name(p.Fn), "errgroup")) {
			x.Inexact()
		}
		x.goOp(p, m)
		return x.handedThrough(p, x.results2(sig))
	case library.OpLoad, library.OpStore, library.OpSwap, library.OpCAS, library.OpUpdate:
		return x.atomic(p, m)
	case library.OpPut, library.OpGet, library.OpRange:
		x.passing.putting(x)
		return x.container(p, m)
	case library.OpAbort, library.OpExit, library.OpPanic:
		if x.Exact {
			return x.ExitExact(p, m)
		}
		x.effect(p, library.OpReads)
		if m.Op == library.OpPanic && x.Sf != nil {
			x.panicsHere()
			return x.arbitrary(sig.Results())
		}
		if m.Op == library.OpExit && x.Sf != nil && x.below[x.Sf] {
			x.unwind(ir.IntConst(ir.U8, irgen.Exits))
		} else if m.Op == library.OpExit && x.Sf != nil {
			x.RunDefers()
		}
		x.Stop(string(m.Op))
		x.Start(x.Block("dead"))
		return x.arbitrary(sig.Results())
	case library.OpOnceFunc:
		if x.Exact {
			x.Cut(x.FuncName(p.Fn))
			return x.arbitrary(sig.Results())
		}
		x.Inexact()
		return x.onceFuncOp(p)
	case library.OpUnknown:
		if x.Exact {
			x.Cut(x.FuncName(p.Fn))
			return x.arbitrary(sig.Results())
		}
		x.Fail("%s", x.FuncName(p.Fn))
	case library.OpCopy:
		return x.shallowCopy(p)
	case library.OpCall:
		x.callbacks(p, m.Op)
		return x.outside(sig.Results())
	}
	p.Fills, p.FillsFirst, p.Uses = m.Fn, m.First, m.Uses
	if m.Assumes != "" && !x.Exact {
		x.p.Assume("library-use", x.Pos, "%s: %s", x.FuncName(p.Fn), m.Assumes)
	}
	if m.Field != "" && !x.Exact {
		if n, ok := types.Unalias(irgen.RecvType(p)).(*types.Named); ok {
			x.callFields(p.Args[0][0], n, 0)
		}
	}
	return x.foreignCall(p, m.Op)
}

// results2 are the results of an operation whose results are not followed.
func (x *fn) results2(sig *types.Signature) irgen.Value {
	if c, ok := x.Site.(*ssa.Call); ok && x.Exact && len(form.Uses(c)) == 0 {
		return x.Zero(sig.Results())
	}
	return x.outside(sig.Results())
}

// handedThrough makes the results of a function possibly be what it was given, where that
// has the type.
func (x *fn) handedThrough(p *irgen.Call, out irgen.Value) irgen.Value {
	if x.Exact {
		return out
	}
	at := 0
	for _, t := range form.ComponentTypes(p.Fn.Signature.Results()) {
		n := len(x.lay.Of(t).Leaves)
		for i, pt := range form.ParamTypes(p.Fn.Signature) {
			if types.Identical(pt, t) && types.IsInterface(t) && i < len(p.Args) {
				copy(out[at:], x.either(t, out[at:at+n], p.Args[i]))
			}
		}
		at += n
	}
	return out
}

// shallowCopy is a method that returns a new value of the type of its receiver with the
// same members.
func (x *fn) shallowCopy(p *irgen.Call) irgen.Value {
	if x.Exact {
		return x.foreignCall(p, library.OpTouch)
	}
	out := x.foreignCall(p, library.OpReads)
	t, to, from := irgen.RecvType(p), out[0], p.Args[0][0]
	x.When(irgen.Not(irgen.IsNil(to)), func() { x.Store(t, to, x.Load(t, from, ir.Plain), ir.Plain) })
	return out
}

func (x *fn) lockOp(p *irgen.Call, m *library.Func) irgen.Value {
	lock := x.Member(p.Args[0][0], irgen.RecvType(p), 0)
	mode := ir.Exclusive
	if m.Mode == "shared" {
		mode = ir.Shared
	}
	switch m.Op {
	case library.OpUnlock:
		x.Emit(&ir.Unlock{Base: x.Base(), Lock: lock, Mode: mode, Class: "mutex"})
		x.access(p, 1)
	case library.OpLock:
		x.access(p, 1)
		x.Emit(&ir.Lock{Base: x.Base(), Lock: lock, Mode: mode, Class: "mutex"})
	default:
		x.access(p, 1)
		ok := x.Temp(ir.Bool{})
		x.Emit(&ir.Lock{Base: x.Base(), Lock: lock, Mode: mode, Class: "mutex", Try: true, Dst: ok})
		return irgen.Value{irgen.Truth(ir.Use{Reg: ok})}
	}
	return nil
}

// onceOp runs a function the first time. Whoever comes later holds its lock shared from
// then on: what the function did is over then; but not of a Once that is overwritten,
// which runs functions anew.
func (x *fn) onceOp(p *irgen.Call, m *library.Func) {
	x.Inexact()
	t := irgen.RecvType(p)
	done, lock := x.Member(p.Args[0][0], t, 0), x.Member(p.Args[0][0], t, 1)
	x.access(p, 2)
	x.Emit(&ir.Lock{Base: x.Base(), Lock: lock, Mode: ir.Exclusive, Class: ir.ClassOnce})
	r := x.Temp(ir.U32)
	x.Emit(&ir.Load{Base: x.Base(), Dst: r, Addr: done, Order: ir.SeqCst})
	x.When(irgen.IsNil(ir.Use{Reg: r}), func() {
		x.tokens.beginOnce(x, p.Args[0][0], t)
		x.CallArg(p, m.Fn, nil)
		x.Emit(&ir.Store{Base: x.Base(), Addr: done, Val: ir.IntConst(ir.U32, 1), Order: ir.SeqCst})
	})
	x.Emit(&ir.Unlock{Base: x.Base(), Lock: lock, Mode: ir.Exclusive, Class: ir.ClassOnce})
	if !x.overwritten.isWritten(firstArg(p), t) {
		x.Emit(&ir.Lock{Base: x.Base(), Lock: lock, Mode: ir.Shared, Class: ir.ClassOnce})
	}
}

// CallArg calls an argument that is a function.
func (x *fn) CallArg(p *irgen.Call, i int, args irgen.Value) irgen.Value {
	t := form.ParamTypes(p.Fn.Signature)[i].Underlying().(*types.Signature)
	if i < len(p.CC.Args) {
		return x.callValue(p.CC.Args[i], p.Args[i][0], t, args)
	}
	return x.CallDynamic(t, p.Args[i][0], args)
}

// condWait waits for a condition: the lock in its field L is released meanwhile.
func (x *fn) condWait(p *irgen.Call) {
	t := irgen.RecvType(p)
	i := irgen.LockerField(t)
	if i < 0 {
		x.Fail("sync.Cond without a field L")
	}
	ft := t.Underlying().(*types.Struct).Field(i).Type()
	l := x.Load(ft, x.Member(p.Args[0][0], t, i), ir.Plain)
	after := x.Block("waited")
	for _, d := range x.Boxes {
		pt, ok := d.(*types.Pointer)
		if !ok || x.TypeName(pt.Elem()) != "sync.Mutex" && x.TypeName(pt.Elem()) != "sync.RWMutex" {
			continue
		}
		is, els := x.Block("is"), x.Block("else")
		x.Branch(irgen.Bin("eq", l[0], x.Tag(d)), is, els)
		x.Start(is)
		x.Emit(&ir.CondWait{Base: x.Base(), Cond: p.Args[0][0], Mutex: x.Member(x.Unboxed(d, l[1])[0], pt.Elem(), 0)})
		x.Jump(after)
		x.Start(els)
	}
	for _, name := range []string{"Unlock", "Lock"} {
		it := ft.Underlying().(*types.Interface)
		for j := range it.NumMethods() {
			if m := it.Method(j); m.Name() == name {
				x.irCall(ir.FuncAddr{Func: x.dispatcherOf(ft, m).f}, m.Type().(*types.Signature), l, nil)
			}
		}
	}
	x.Jump(after)
	x.Start(after)
}

// newCond makes a condition variable for a lock.
func (x *fn) newCond(p *irgen.Call) irgen.Value {
	t := form.Deref(p.Fn.Signature.Results().At(0).Type())
	s := x.lay.Of(t).Mem
	r := x.Temp(ir.Ptr{Elem: s})
	x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: s, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true})
	i := irgen.LockerField(t)
	x.Store(t.Underlying().(*types.Struct).Field(i).Type(), x.Member(ir.Use{Reg: r}, t, i), p.Args[0], ir.Plain)
	return irgen.Value{ir.Use{Reg: r}}
}

// counterOp is an operation of a WaitGroup: its count is updated atomically, Wait goes on
// when it is 0.
func (x *fn) counterOp(p *irgen.Call, m *library.Func) {
	count := x.Member(p.Args[0][0], irgen.RecvType(p), 0)
	switch m.Op {
	case library.OpAdd:
		x.addsTo(p.Args[0][0], irgen.RecvType(p))
		x.tokens.add(x, p.Args[0][0])
		x.Emit(&ir.RMW{Base: x.Base(), Op: "add", Addr: count, Val: irgen.Typed(p.Args[1][0], ir.U64), Order: ir.SeqCst})
		x.tokens.ownOp(x, library.OpAdd, p.Args[0][0])
	case library.OpDone:
		x.tokens.done(x, x.Site, p.Args[0][0])
		x.tokens.ownOp(x, library.OpDone, p.Args[0][0])
		x.Emit(&ir.RMW{Base: x.Base(), Op: "sub", Addr: count, Val: ir.IntConst(ir.U64, 1), Order: ir.SeqCst})
		x.tokens.ownOp(x, "counted", p.Args[0][0])
	case library.OpWait:
		x.waitsFor(p.Args[0][0], irgen.RecvType(p))
		r := x.Temp(ir.U64)
		x.Emit(&ir.Load{Base: x.Base(), Dst: r, Addr: count, Order: ir.SeqCst})
		x.Emit(&ir.Assume{Base: x.Base(), Cond: irgen.IsNil(ir.Use{Reg: r})})
		x.tokens.wait(x, p.Args[0][0])
		x.tokens.ownOp(x, library.OpWait, p.Args[0][0])
	}
}

// goOp starts a goroutine that runs an argument.
func (x *fn) goOp(p *irgen.Call, m *library.Func) {
	defer func(n int) {
		for i := range x.spawns[n:] {
			x.spawns[n+i].kind = m.Kind
		}
	}(len(x.spawns))
	if x.isGroup(form.ParamTypes(p.Fn.Signature)[0]) {
		x.access(p, 2)
		x.addsTo(p.Args[0][0], irgen.RecvType(p))
		x.tokens.add(x, p.Args[0][0])
	}
	site, many := x.Site, m.Many || m.Kind == "timer" && x.resets
	x.goCallbacks(p, m)
	if m.Field != "" {
		x.goField(p, m)
		return
	}
	t := form.ParamTypes(p.Fn.Signature)[m.Fn].Underlying()
	if it, ok := t.(*types.Interface); ok {
		if it.NumMethods() == 0 {
			x.goBoxed(p, m)
		} else if x.libraryObject(p, m.Fn, it) {
			x.assumeUnused(p)
		} else if c, ok := x.Argument(p, m.Fn).(*ssa.Const); !ok || c.Value != nil {
			x.goMethods(form.ParamTypes(p.Fn.Signature)[m.Fn], p.Args[m.Fn], x.Argument(p, m.Fn), many)
		}
		return
	}
	self, sig := p.Args[m.Fn][0], t.(*types.Signature)
	if m.With > 0 && !x.Exact {
		x.goWith(p, m, sig, many)
		return
	}
	if m.Fn < len(p.CC.Args) {
		if sf := form.StaticFunc(p.CC.Args[m.Fn]); sf != nil {
			if sig.Params().Len() > 0 && !x.Exact {
				x.goFunction(sig, p.CC.Args[m.Fn], self, many)
				return
			}
			x.many(many, func() { x.spawnFunc(site, sf, nil, self) })
			return
		}
	}
	if sig.Params().Len() > 0 && !x.Exact {
		x.goFunction(sig, nil, self, many)
		return
	}
	x.many(many, func() { x.Spawn(site, x.code(self, sig), sig, x.outside(sig.Params()), self) })
}

// many runs what starts a goroutine once, or any number of times.
func (x *fn) many(yes bool, start func()) {
	if yes {
		x.repeat(start)
	} else {
		start()
	}
}

// atomic lowers an operation of sync/atomic.
func (x *fn) atomic(p *irgen.Call, m *library.Func) irgen.Value {
	t := irgen.RecvType(p)
	addr := p.Args[0][0]
	if p.Fn.Signature.Recv() == nil {
		return x.atomicCell(p, m, addr, x.lay.Of(t).Leaves[0].T)
	}
	leaves := x.lay.Of(t).Leaves
	if len(leaves) == 1 {
		return x.atomicCell(p, m, x.Member(addr, t, 0), leaves[0].T)
	}
	return x.atomicValue(p, m, addr, leaves)
}

func (x *fn) atomicCell(p *irgen.Call, m *library.Func, addr ir.Expr, t ir.Type) irgen.Value {
	results := x.lay.Of(p.Fn.Signature.Results()).Leaves
	arg := func(i int) ir.Expr { return irgen.Typed(p.Args[i][0], t) }
	old := x.Temp(t)
	back := func(e ir.Expr) irgen.Value {
		if b, ok := p.Fn.Signature.Results().At(0).Type().Underlying().(*types.Basic); ok && b.Kind() == types.Bool {
			e = irgen.Truth(irgen.Bin("ne", e, ir.IntConst(t.(ir.Int), 0)))
		}
		return irgen.Value{x.Hold(irgen.Typed(e, results[0].T))}
	}
	switch m.Op {
	case library.OpLoad:
		x.Emit(&ir.Load{Base: x.Base(), Dst: old, Addr: addr, Order: ir.SeqCst})
		return back(ir.Use{Reg: old})
	case library.OpStore:
		x.Emit(&ir.Store{Base: x.Base(), Addr: addr, Val: arg(1), Order: ir.SeqCst})
		return nil
	case library.OpSwap:
		x.Emit(&ir.RMW{Base: x.Base(), Dst: old, Op: "xchg", Addr: addr, Val: arg(1), Order: ir.SeqCst})
		return back(ir.Use{Reg: old})
	case library.OpUpdate:
		x.Emit(&ir.RMW{Base: x.Base(), Dst: old, Op: m.Arith, Addr: addr, Val: arg(1), Order: ir.SeqCst})
		if m.Arith == "add" {
			return back(irgen.Bin("add", ir.Use{Reg: old}, arg(1)))
		}
		return back(ir.Use{Reg: old})
	}
	ok := x.Temp(ir.Bool{})
	x.Emit(&ir.CmpXchg{Base: x.Base(), Dst: old, OK: ok, Addr: addr, Expected: arg(1), New: arg(2), Order: ir.SeqCst})
	return irgen.Value{x.Hold(irgen.Truth(ir.Use{Reg: ok}))}
}

// atomicValue is an operation on the interface in an atomic.Value, whose two words are
// accessed one after the other.
func (x *fn) atomicValue(p *irgen.Call, m *library.Func, addr ir.Expr, leaves []irgen.Leaf) irgen.Value {
	if x.Exact {
		if m.Op != library.OpLoad {
			x.PanicUnless(irgen.Not(irgen.IsNil(p.Args[len(p.Args)-1][0])), "atomic.Value is given nil")
		}
		x.Emit(&ir.AtomicBegin{Base: x.Base()})
		defer func() { x.Emit(&ir.AtomicEnd{Base: x.Base()}) }()
		if m.Op != library.OpLoad {
			is := x.Get(leaves[0].Addr(x.cast(addr, irgen.RecvType(p))), leaves[0].T)
			x.PanicInside(irgen.Bin("lor", irgen.IsNil(is), irgen.Bin("eq", is, p.Args[len(p.Args)-1][0])), "atomic.Value is given a value of another type")
		}
	}
	var old irgen.Value
	if m.Op != library.OpStore {
		for _, lf := range leaves {
			r := x.Temp(lf.T)
			x.Emit(&ir.Load{Base: x.Base(), Dst: r, Addr: lf.Addr(x.cast(addr, irgen.RecvType(p))), Order: ir.SeqCst})
			old = append(old, ir.Use{Reg: r})
		}
	}
	put := func(v irgen.Value) {
		for i, lf := range leaves {
			x.Emit(&ir.Store{Base: x.Base(), Addr: lf.Addr(x.cast(addr, irgen.RecvType(p))), Val: irgen.Typed(v[i], lf.T), Order: ir.SeqCst})
		}
	}
	switch m.Op {
	case library.OpStore:
		put(p.Args[1])
		return nil
	case library.OpSwap:
		put(p.Args[1])
	case library.OpCAS:
		ok := x.havoc(irgen.BoolT)
		x.When(irgen.Cond(ok), func() { put(p.Args[2]) })
		return irgen.Value{ok}
	}
	return old
}

func (x *fn) cast(p ir.Expr, t types.Type) ir.Expr {
	return irgen.Typed(p, ir.Ptr{Elem: x.lay.Of(t).Mem})
}

// container is an operation of sync.Map or sync.Pool: a set of interface values, of which
// any may be meant.
func (x *fn) container(p *irgen.Call, m *library.Func) irgen.Value {
	t := irgen.RecvType(p)
	s := x.lay.Of(t).Mem.(*ir.Struct)
	arr := s.Fields[len(s.Fields)-1].Type.(ir.Array)
	cell := func() ir.Expr {
		i := x.havoc(ir.Int{Bits: 6})
		return ir.IndexAddr{Base: x.Member(p.Args[0][0], t, len(s.Fields)-1), Idx: x.Hold(ir.Cast{X: i, T: irgen.IntT}), Stride: arr.Elem.Size(), T: ir.Ptr{Elem: arr.Elem}}
	}
	for _, a := range p.Args[1:] {
		if len(a) == 2 {
			x.Store(library.AnyType, cell(), a, ir.SeqCst)
		}
	}
	get := func() irgen.Value { return x.Load(library.AnyType, cell(), ir.SeqCst) }
	if m.Op == library.OpRange {
		x.repeat(func() { x.CallArg(p, m.Fn, append(get(), get()...)) })
		return nil
	}
	var out irgen.Value
	res := p.Fn.Signature.Results()
	for i := range res.Len() {
		if types.IsInterface(res.At(i).Type()) {
			v := get()
			if at := fieldIndex(s, "__new"); at >= 0 {
				v = x.orNew(p, s, at, v)
			}
			out = append(out, v...)
		} else {
			out = append(out, x.arbitrary(res.At(i).Type())...)
		}
	}
	return x.HoldAll(out)
}

func fieldIndex(s *ir.Struct, name string) int {
	for i, f := range s.Fields {
		if f.Name == name {
			return i
		}
	}
	return -1
}

// orNew is an element of a sync.Pool, or what its New function makes.
func (x *fn) orNew(p *irgen.Call, s *ir.Struct, at int, v irgen.Value) irgen.Value {
	dst := []*ir.Reg{x.Temp(ir.U32), x.Temp(ir.VPtr)}
	set := func(v irgen.Value) {
		for i, r := range dst {
			x.Assign(r, v[i])
		}
	}
	set(v)
	r := x.Temp(irgen.FuncT)
	x.Emit(&ir.Load{Base: x.Base(), Dst: r, Addr: x.Member(p.Args[0][0], irgen.RecvType(p), at), Order: ir.Plain})
	make := types.NewSignatureType(nil, nil, nil, nil, types.NewTuple(types.NewParam(0, nil, "", library.AnyType)), false)
	x.When(irgen.Bin("land", irgen.Cond(x.havoc(irgen.BoolT)), irgen.Not(irgen.IsNil(ir.Use{Reg: r}))), func() { set(x.CallDynamic(make, ir.Use{Reg: r}, nil)) })
	return irgen.Value{ir.Use{Reg: dst[0]}, ir.Use{Reg: dst[1]}}
}
