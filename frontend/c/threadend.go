package c

import (
	"regexp"
	"slices"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// Ends of threads before their functions return (what runs then: threadover.go):
// pthread_exit, and the cancellation points of threads that are cancelled. Cleanup
// handlers of the function itself are called where it ends. Those of its callers are kept
// in a thread-local list, which exists where a thread may end in a function that is
// called between a push and its pop.
//
// pthread_cancel sets an element of $cancelled, by the thread's handle. A thread may end
// at a cancellation point once its own element is set, unless it has said that it is not
// to be cancelled.

// cancelSlots is the length of $cancelled. Threads with higher handles share the element
// 0.
const cancelSlots = 64

// ending is what is known of such ends while a program is lowered.
type ending struct {
	cancels, async bool
	self           bool // some thread may hand on its own handle, as main may
	byPointer      bool // pthread_cancel is called by a pointer, perhaps
	node           *ir.Struct
	head           *ir.Global
	run            *ir.Func
	kept           map[ir.Instr]bool       // what keeps the list
	runs           map[*ir.Func][]ir.Instr // calls of run, by the function that the thread ends in
	inside         []ir.Instr              // calls between a push and its pop
	handles        bool                    // signals have handlers, perhaps, that end waits
	detaches       bool                    // threads are detached, perhaps
	keyed          bool                    // a key has a destructor, perhaps
	ifKeyed        []ir.Instr              // what is of use only then
}

const named = `(?m)(?:^|[^\w\s]|\breturn\b|\belse\b|\bdo\b)\s*`

// A declaration has a type before the name.
var (
	cancelName  = regexp.MustCompile(named + `pthread_cancel\b`)
	cancelTaken = regexp.MustCompile(named + `pthread_cancel\s*[^\s(]`)
	selfName    = regexp.MustCompile(named + `pthread_self\b`)
	handlesName = regexp.MustCompile(named + `(?:sigaction|siginterrupt|sigset|_?_?sysv_signal|syscall)\b`)
	detachName  = regexp.MustCompile(named + `(?:pthread_detach|thrd_detach|pthread_attr_setdetachstate)\b`)
	typeCall    = regexp.MustCompile(named + `pthread_setcanceltype\s*\(`)
)

// note looks for what ends threads in the text of a unit.
func (e *ending) note(text []byte) {
	e.cancels = e.cancels || cancelName.Match(text)
	e.byPointer = e.byPointer || cancelTaken.Match(text)
	e.self = e.self || selfName.Match(text)
	e.handles = e.handles || handlesName.Match(text)
	e.detaches = e.detaches || detachName.Match(text)
	e.async = e.async || typeCall.Match(text)
}

// endingGlobal returns a variable of these models.
func (pr *program) endingGlobal(g ir.Global) *ir.Global {
	if old := pr.globals[g.Name]; old != nil {
		return old
	}
	pr.globals[g.Name] = &g
	pr.p.Globals = append(pr.p.Globals, &g)
	return &g
}

// cancelled is the address of the element of $cancelled for a handle.
func (l *lowerer) cancelled(n cc.Node, handle ir.Expr) ir.Expr {
	g := l.endingGlobal(ir.Global{Name: "$cancelled", Type: ir.Array{Elem: ir.I32, Len: cancelSlots}, Extern: l.ending.byPointer})
	h := l.hold(n, l.conv(n, handle, ir.U64))
	i := ir.Select{C: ir.Binary{Op: "lt", X: h, Y: ir.IntConst(ir.U64, cancelSlots)}, X: h, Y: ir.IntConst(ir.U64, 0)}
	return ir.IndexAddr{Base: ir.GlobalAddr{Global: g}, Idx: ir.Cast{X: i, T: ir.I64}, Stride: 4, T: ir.Ptr{Elem: ir.I32}}
}

// cancelMode is the address of what this thread said of being cancelled: whether, or of
// what type.
func (l *lowerer) cancelMode(class string) ir.Expr {
	name := "$cancel.state"
	if class == "type" {
		name = "$cancel.type"
	}
	return ir.GlobalAddr{Global: l.endingGlobal(ir.Global{Name: name, Type: ir.I32, ThreadLocal: true})}
}

// cancel lowers pthread_cancel.
func (a *apiCall) cancel() ir.Expr {
	h, ok := a.role("handle")
	if !ok {
		a.fail(a.x, "call of %s without a thread", a.name)
	}
	a.warn("woken", a.x, a.name, "%s: a thread that waits is not woken, so that deadlocks are not excluded", a.name)
	a.emit(&ir.Store{Base: at(a.x), Addr: a.cancelled(a.x, h), Val: ir.IntConst(ir.I32, 1), Order: ir.SeqCst})
	return a.ret()
}

// cancelState lowers pthread_setcancelstate and pthread_setcanceltype.
func (a *apiCall) cancelState() ir.Expr {
	v, ok := a.role("val")
	if !ok {
		a.fail(a.x, "call of %s without its argument", a.name)
	}
	mode, old := a.cancelMode(a.m.Class), a.temp(ir.I32)
	a.emit(&ir.Load{Base: at(a.x), Dst: old, Addr: mode, Order: ir.Plain})
	a.emit(&ir.Store{Base: at(a.x), Addr: mode, Val: a.conv(a.x, v, ir.I32), Order: ir.Plain})
	if p, ok := a.role("old"); ok && !isNull(p) && ir.IsPtr(p.Type()) {
		yes, on := a.block("old"), a.block("set")
		a.branch(pos(a.x.Position()), a.truth(a.x, p), yes, on)
		a.start(yes)
		a.emit(&ir.Store{Base: at(a.x), Addr: p, Val: ir.Use{Reg: old}, Order: ir.Plain})
		a.jump(pos(a.x.Position()), on)
		a.start(on)
	}
	return a.ret()
}

// cancellable reports whether a thread that is cancelled ends in a call of a function.
func (l *lowerer) cancellable(name string) bool {
	f := l.unit.function(name)
	return l.mayBeCancelled() && l.m.CancellationPoints[name] && (f == nil || f.Extern)
}

// mayBeCancelled reports whether the function's thread may be cancelled: nobody has
// main's handle unless it is asked for.
func (l *lowerer) mayBeCancelled() bool { return l.f.Name != "main" || l.ending.self }

// self loads the handle of the thread.
func (l *lowerer) self(x cc.Node) ir.Expr {
	self := l.endingGlobal(ir.Global{Name: ir.Self, Type: ir.U64, ThreadLocal: true, Extern: true})
	me := l.temp(ir.U64)
	l.emit(&ir.Load{Base: at(x), Dst: me, Addr: ir.GlobalAddr{Global: self}, Order: ir.Plain})
	return ir.Use{Reg: me}
}

// selfHandle lowers pthread_self. The handle matters only where threads are cancelled.
func (a *apiCall) selfHandle() ir.Expr {
	if !a.ending.cancels {
		return a.ret()
	}
	return a.conv(a.x, a.self(a.x), a.typ())
}

// cancelPoint lets the thread end here, if it was cancelled, after its handlers. With
// anywhere, only if it may be cancelled at any place. While it waits for a condition the
// mutex is free.
func (l *lowerer) cancelPoint(x cc.Node, anywhere bool, mutex ir.Expr) {
	if l.cur == nil {
		return
	}
	p, ends, on := pos(x.Position()), l.block("cancelled"), l.block("on")
	l.jump(p, ends, on)
	l.start(ends)
	if mutex != nil {
		l.emit(&ir.Unlock{Base: at(x), Lock: mutex, Class: "mutex", Mode: ir.Exclusive})
	}
	l.assumeCell(x, l.cancelled(x, l.self(x)), ir.SeqCst, "ne")
	l.assumeCell(x, l.cancelMode(""), ir.Plain, "eq")
	if anywhere {
		l.assumeCell(x, l.cancelMode("type"), ir.Plain, "ne")
	}
	if mutex != nil {
		l.emit(&ir.Lock{Base: at(x), Lock: mutex, Class: "mutex", Mode: ir.Exclusive})
	}
	l.endThread(x)
	l.end(&ir.Stop{TermBase: ir.TermBase{Pos: p}, Kind: "exit"})
	l.start(on)
}

// assumeCell assumes that a cell of 32 bits is 0, or not.
func (l *lowerer) assumeCell(x cc.Node, addr ir.Expr, order ir.Order, op string) {
	v := l.temp(ir.I32)
	l.emit(&ir.Load{Base: at(x), Dst: v, Addr: addr, Order: order})
	l.emit(&ir.Assume{Base: at(x), Cond: ir.Binary{Op: op, X: ir.Use{Reg: v}, Y: ir.IntConst(ir.I32, 0)}})
}

// handler is a cleanup handler with its argument, and its node in the list.
type handler struct {
	fn, arg *ir.Reg
	node    ir.Expr
}

// push pushes a cleanup handler.
func (l *lowerer) push(x cc.Node, fn, arg *ir.Reg) {
	s := l.cleanupNode()
	h := handler{fn, arg, nil}
	n := l.reg("&cleanup", ir.Ptr{Elem: s})
	h.node = ir.Use{Reg: n}
	old := l.temp(ir.Ptr{Elem: s})
	head := ir.GlobalAddr{Global: l.ending.head}
	l.listed(&ir.Alloc{Base: at(x), Dst: n, Elem: s, Count: ir.IntConst(ir.U64, 1), Kind: "stack", Name: "cleanup"})
	l.listed(&ir.Load{Base: at(x), Dst: old, Addr: head, Order: ir.Plain})
	for i, v := range []ir.Expr{ir.Use{Reg: old}, ir.Cast{X: ir.Use{Reg: fn}, T: s.Fields[1].Type}, ir.Use{Reg: arg}} {
		l.listed(&ir.Store{Base: at(x), Addr: ir.FieldAddr{Base: h.node, S: s, Index: i}, Val: v, Order: ir.Plain})
	}
	l.listed(&ir.Store{Base: at(x), Addr: head, Val: h.node, Order: ir.Plain})
	l.handlers = append(l.handlers, h)
}

// unlist takes a handler, and those that were pushed after it, from the list.
func (l *lowerer) unlist(x cc.Node, h handler) {
	s := l.cleanupNode()
	next := l.temp(ir.Ptr{Elem: s})
	l.listed(&ir.Load{Base: at(x), Dst: next, Addr: ir.FieldAddr{Base: h.node, S: s, Index: 0}, Order: ir.Plain})
	l.listed(&ir.Store{Base: at(x), Addr: ir.GlobalAddr{Global: l.ending.head}, Val: ir.Use{Reg: next}, Order: ir.Plain})
}

// listed emits what goes where no list is needed.
func (l *lowerer) listed(in ir.Instr) {
	l.ending.kept[in] = true
	l.emit(in)
}

// endThread calls the handlers that are pushed in this function, the last one first, then
// its callers'.
func (l *lowerer) endThread(x cc.Node) {
	pushed := l.handlers
	l.handlers = nil // what they call runs when they have been taken from the list
	defer func() { l.handlers = pushed }()
	for _, h := range slices.Backward(pushed) {
		l.unlist(x, h)
		l.emit(&ir.Call{Base: at(x), Callee: ir.Use{Reg: h.fn}, Args: []ir.Expr{ir.Use{Reg: h.arg}}})
	}
	l.cleanupNode()
	c := &ir.Call{Base: at(x), Callee: ir.FuncAddr{Func: l.ending.run}}
	l.ending.runs[l.f] = append(l.ending.runs[l.f], c)
	l.emit(c)
}

// cleanupNode is the struct of the list. The first time, it and the function that empties
// it are made.
func (pr *program) cleanupNode() *ir.Struct {
	e := &pr.ending
	if e.node != nil {
		return e.node
	}
	e.kept, e.runs = map[ir.Instr]bool{}, map[*ir.Func][]ir.Instr{}
	s := &ir.Struct{Name: "struct cleanup.handler", Bytes: 24}
	fn := ir.Ptr{Elem: ir.FuncType{Result: ir.Void{}, Params: []ir.Type{ir.VPtr}}}
	s.Fields = []ir.Field{{Name: "next", Type: ir.Ptr{Elem: s}}, {Name: "fn", Type: fn, Offset: 8}, {Name: "arg", Type: ir.VPtr, Offset: 16}}
	e.node = s
	e.head = &ir.Global{Name: "$cleanup", Type: ir.Ptr{Elem: s}, ThreadLocal: true}
	e.run = &ir.Func{Name: "run.cleanup.handlers", Result: ir.Void{}}
	pr.p.Globals, pr.p.Funcs = append(pr.p.Globals, e.head), append(pr.p.Funcs, e.run)
	return s
}

// keepHandlers makes the list of cleanup handlers, or drops it. It is needed where a
// thread may end in a function that is called between a push and its pop.
func (pr *program) keepHandlers() {
	e := &pr.ending
	if e.node == nil {
		return
	}
	within := pr.reached(e.inside)
	needed, drop := false, map[ir.Instr]bool{}
	for f, calls := range e.runs {
		needed = needed || within[f]
		for _, c := range calls {
			drop[c] = !within[f]
		}
	}
	if needed {
		pr.emptyHandlers()
	} else {
		for in := range e.kept {
			drop[in] = true
		}
		pr.p.Funcs = slices.DeleteFunc(pr.p.Funcs, func(f *ir.Func) bool { return f == e.run })
		pr.p.Globals = slices.DeleteFunc(pr.p.Globals, func(g *ir.Global) bool { return g == e.head })
		e.head = nil
	}
	for _, f := range pr.p.Funcs {
		if !needed {
			f.Regs = slices.DeleteFunc(f.Regs, func(r *ir.Reg) bool { return ir.Equal(r.Type, ir.Ptr{Elem: e.node}) })
		}
		for _, b := range f.Blocks {
			b.Instrs = slices.DeleteFunc(b.Instrs, func(in ir.Instr) bool { return drop[in] })
		}
	}
}

// reached are the functions that run in some of these calls, as far as addresses that are
// taken tell.
func (pr *program) reached(calls []ir.Instr) map[*ir.Func]bool {
	out := map[*ir.Func]bool{}
	var taken []*ir.Func
	var add func(f *ir.Func)
	visit := func(in ir.Instr) {
		var fn ir.Expr
		switch in := in.(type) {
		case *ir.Call:
			fn = in.Callee
		case *ir.Once:
			fn = in.Fn
		default:
			return
		}
		if a, ok := fn.(ir.FuncAddr); ok {
			add(a.Func)
			return
		}
		if taken == nil {
			taken = ir.AddressTaken(pr.p)
		}
		for _, f := range taken {
			add(f)
		}
	}
	add = func(f *ir.Func) {
		if out[f] {
			return
		}
		out[f] = true
		for in := range f.Instrs() {
			visit(in)
		}
	}
	for _, in := range calls {
		visit(in)
	}
	return out
}

// emptyHandlers makes the body of the function that takes the handlers from the list and
// calls them.
func (pr *program) emptyHandlers() {
	e := &pr.ending
	f, s := e.run, e.node
	at := ir.Base{}
	if main := pr.funcs["main"]; main != nil {
		at.Pos = main.Pos
	}
	n, next := &ir.Reg{Name: "n", Type: ir.Ptr{Elem: s}}, &ir.Reg{Name: "next", Type: ir.Ptr{Elem: s}}
	fn, arg := &ir.Reg{Name: "fn", Type: s.Fields[1].Type}, &ir.Reg{Name: "arg", Type: ir.VPtr}
	f.Regs = []*ir.Reg{n, next, fn, arg}
	head := ir.GlobalAddr{Global: e.head}
	cell := func(i int) ir.Expr { return ir.FieldAddr{Base: ir.Use{Reg: n}, S: s, Index: i} }
	entry, loop, take, end := &ir.Block{Name: "entry"}, &ir.Block{Name: "loop"}, &ir.Block{Name: "take"}, &ir.Block{Name: "end"}
	entry.Term = &ir.Goto{Targets: []*ir.Block{loop}}
	loop.Instrs = []ir.Instr{&ir.Load{Base: at, Dst: n, Addr: head, Order: ir.Plain}}
	loop.Term = &ir.Branch{Cond: ir.Binary{Op: "eq", X: ir.Use{Reg: n}, Y: zeroOf(n.Type)}, Then: end, Else: take}
	take.Instrs = []ir.Instr{&ir.Load{Base: at, Dst: next, Addr: cell(0), Order: ir.Plain}, &ir.Store{Base: at, Addr: head, Val: ir.Use{Reg: next}, Order: ir.Plain},
		&ir.Load{Base: at, Dst: fn, Addr: cell(1), Order: ir.Plain}, &ir.Load{Base: at, Dst: arg, Addr: cell(2), Order: ir.Plain},
		&ir.Call{Base: at, Callee: ir.Use{Reg: fn}, Args: []ir.Expr{ir.Use{Reg: arg}}}}
	take.Term = &ir.Goto{Targets: []*ir.Block{loop}}
	end.Term = &ir.Return{}
	f.Blocks, f.Pos = []*ir.Block{entry, loop, take, end}, at.Pos
}
