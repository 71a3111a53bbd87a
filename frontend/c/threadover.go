package c

import (
	"slices"

	"whoop/ir"
)

// What runs when a thread is over: the destructors of its thread-specific data, up to
// four times round. Where main ends as a thread, the process ends with the last one; then
// what runs at the end of the process does. It is run by main here, which waits for the
// others.

const (
	// maxKeys is PTHREAD_KEYS_MAX: keys are below it.
	maxKeys = 1024
	// destructorRounds is PTHREAD_DESTRUCTOR_ITERATIONS.
	destructorRounds = 4
)

// keyVariable is a variable of the models of thread-specific data: $specific has a
// thread's values, $keyed is above all keys that the thread has set.
func (pr *program) keyVariable(name string) ir.Expr {
	g := ir.Global{Name: name, Type: ir.U32}
	switch name {
	case "$specific":
		g.Type, g.ThreadLocal = ir.Array{Elem: ir.VPtr, Len: maxKeys}, true
	case "$keyed":
		g.ThreadLocal = true
	case "$destructors":
		g.Type = ir.Array{Elem: destructorType, Len: maxKeys}
	}
	return ir.GlobalAddr{Global: pr.endingGlobal(g)}
}

var destructorType = ir.Ptr{Elem: ir.FuncType{Result: ir.Void{}, Params: []ir.Type{ir.VPtr}}}

// ofKey is the element for a key of one of the arrays.
func (pr *program) ofKey(name string, key ir.Expr) ir.Expr {
	base := pr.keyVariable(name)
	elem := base.(ir.GlobalAddr).Global.Type.(ir.Array).Elem
	return ir.IndexAddr{Base: base, Idx: ir.Cast{X: key, T: ir.I64}, Stride: 8, T: ir.Ptr{Elem: elem}}
}

// newKey makes a key that no other call made, and stores it at the address addr.
func (a *apiCall) newKey(addr, destructor ir.Expr) {
	t := ir.U32
	if pt, ok := addr.Type().(ir.Ptr); ok {
		if it, ok := pt.Elem.(ir.Int); ok {
			t = it
		}
	}
	r := a.temp(ir.U32)
	a.emit(&ir.RMW{Base: at(a.x), Dst: r, Op: "add", Addr: a.keyVariable("$keys"), Val: ir.IntConst(ir.U32, 1), Order: ir.SeqCst})
	a.emit(&ir.Assume{Base: at(a.x), Cond: ir.Binary{Op: "lt", X: ir.Use{Reg: r}, Y: ir.IntConst(ir.U32, maxKeys)}})
	if a.hasMain() && !isNull(destructor) {
		a.ending.keyed = true
		d := ir.Cast{X: destructor, T: destructorType}
		a.emit(&ir.Store{Base: at(a.x), Addr: a.ofKey("$destructors", ir.Use{Reg: r}), Val: d, Order: ir.SeqCst})
	}
	a.emit(&ir.Store{Base: at(a.x), Addr: addr, Val: a.conv(a.x, ir.Use{Reg: r}, t), Order: ir.Plain})
}

// deleteKey lowers the deletion of a key: its destructor is not called any more.
func (a *apiCall) deleteKey() {
	if k, ok := a.role("key"); ok && a.hasMain() {
		a.ifKeyed(&ir.Store{Base: at(a.x), Addr: a.ofKey("$destructors", k), Val: zeroOf(destructorType), Order: ir.SeqCst})
	}
}

// setSpecific stores a thread's value of a key.
func (a *apiCall) setSpecific() {
	v, _ := a.role("val")
	k, _ := a.role("key")
	k = a.hold(a.x, a.conv(a.x, k, ir.U32))
	a.emit(&ir.Store{Base: at(a.x), Addr: a.ofKey("$specific", k), Val: ir.Cast{X: v, T: ir.VPtr}, Order: ir.Plain})
	if !a.hasMain() {
		return
	}
	old, next := a.temp(ir.U32), ir.Binary{Op: "add", X: k, Y: ir.IntConst(ir.U32, 1)}
	top := ir.Select{C: ir.Binary{Op: "gt", X: next, Y: ir.Use{Reg: old}}, X: next, Y: ir.Use{Reg: old}}
	a.ifKeyed(&ir.Load{Base: at(a.x), Dst: old, Addr: a.keyVariable("$keyed"), Order: ir.Plain})
	a.ifKeyed(&ir.Store{Base: at(a.x), Addr: a.keyVariable("$keyed"), Val: top, Order: ir.Plain})
}

// ifKeyed emits what goes where no key has a destructor.
func (l *lowerer) ifKeyed(in ir.Instr) {
	l.ending.ifKeyed = append(l.ending.ifKeyed, in)
	l.emit(in)
}

// threadsOver adds what runs when threads are over to their ends.
func (pr *program) threadsOver() {
	e := &pr.ending
	if !e.keyed {
		pr.drop(e.ifKeyed)
	}
	main := pr.funcs["main"]
	if main == nil || len(main.Blocks) == 0 {
		return
	}
	ofMain := pr.reached(callsIn(main))
	ofMain[main] = true
	atEnd := (pr.life.registers[atExit] || len(pr.life.destructors) > 0) && slices.ContainsFunc(pr.p.Funcs, func(f *ir.Func) bool { return ofMain[f] && exits(f) })
	if !e.keyed && !atEnd {
		return
	}
	o := &over{program: pr, atEnd: atEnd, pos: main.Pos, made: map[string]*ir.Func{}}
	fns := o.threadFunctions()
	ofThreads := map[*ir.Func]bool{}
	for _, f := range fns {
		ofThreads[f] = true
		for g := range pr.reached(callsIn(f)) {
			ofThreads[g] = true
		}
	}
	for _, f := range slices.Clone(pr.p.Funcs) {
		if exits(f) {
			o.before(f, o.end(ofMain[f], ofThreads[f]), func(t ir.Term) bool { s, ok := t.(*ir.Stop); return ok && s.Kind == "exit" })
		}
	}
	for _, f := range fns {
		o.before(f, o.end(false, true), func(t ir.Term) bool { _, ok := t.(*ir.Return); return ok })
	}
	if atEnd {
		o.count()
		if o.made["end"] != nil {
			set := &ir.Store{Base: ir.Base{Pos: main.Pos}, Addr: o.isMain(), Val: ir.IntConst(ir.I32, 1), Order: ir.Plain}
			main.Blocks[0].Instrs = slices.Insert(main.Blocks[0].Instrs, 0, ir.Instr(set))
		}
	}
}

// drop takes instructions out of the program.
func (pr *program) drop(ins []ir.Instr) {
	out := map[ir.Instr]bool{}
	for _, in := range ins {
		out[in] = true
	}
	for _, f := range pr.p.Funcs {
		for _, b := range f.Blocks {
			b.Instrs = slices.DeleteFunc(b.Instrs, func(in ir.Instr) bool { return out[in] })
		}
	}
}

func callsIn(f *ir.Func) []ir.Instr {
	var out []ir.Instr
	for in := range f.Instrs() {
		switch in.(type) {
		case *ir.Call, *ir.Once:
			out = append(out, in)
		}
	}
	return out
}

// exits reports whether a thread may end in a function, other than by its return.
func exits(f *ir.Func) bool {
	return slices.ContainsFunc(f.Blocks, func(b *ir.Block) bool { s, ok := b.Term.(*ir.Stop); return ok && s.Kind == "exit" })
}

// over adds calls at the ends of threads.
type over struct {
	*program
	atEnd bool // main may end as a thread, and something runs at the end of the process
	pos   ir.Pos
	made  map[string]*ir.Func
}

// threadFunctions are the functions that run as threads and are not called: where some
// may be, threads run a function that calls it instead.
func (o *over) threadFunctions() []*ir.Func {
	called, indirect := o.called()
	stored := o.stored()
	var out []*ir.Func
	add := func(f *ir.Func) {
		if len(f.Blocks) > 0 && !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	var spawns []*ir.Spawn
	for _, in := range o.p.Instrs() {
		if s, ok := in.(*ir.Spawn); ok {
			spawns = append(spawns, s)
		}
	}
	wrappers := map[any]*ir.Func{}
	for _, s := range spawns {
		if a, ok := s.Fn.(ir.FuncAddr); ok {
			if called[a.Func] || indirect(a.Func.Type()) && stored[a.Func] {
				o.wrap(s, wrappers, a.Func)
				add(s.Fn.(ir.FuncAddr).Func)
			} else {
				add(a.Func)
			}
			continue
		}
		var fit []*ir.Func
		for _, f := range o.p.Funcs {
			if stored[f] && len(f.Params) == len(s.Args) && len(f.Blocks) > 0 {
				fit = append(fit, f)
			}
		}
		if slices.ContainsFunc(fit, func(f *ir.Func) bool { return called[f] || indirect(f.Type()) }) {
			o.wrap(s, wrappers, nil)
			add(s.Fn.(ir.FuncAddr).Func)
			continue
		}
		for _, f := range fit {
			add(f)
		}
	}
	return out
}

// called are the functions that are called by name, and whether functions with so many
// parameters are called by pointers.
func (o *over) called() (map[*ir.Func]bool, func(ir.FuncType) bool) {
	called, arity := map[*ir.Func]bool{}, map[int]bool{}
	for _, f := range o.p.Funcs {
		for _, in := range callsIn(f) {
			fn, n := ir.Expr(nil), 0
			switch in := in.(type) {
			case *ir.Call:
				fn, n = in.Callee, len(in.Args)
			case *ir.Once:
				fn = in.Fn
			}
			if a, ok := fn.(ir.FuncAddr); ok {
				called[a.Func] = true
			} else {
				arity[n] = true
			}
		}
	}
	return called, func(t ir.FuncType) bool { return arity[len(t.Params)] }
}

// stored are the functions whose addresses are taken other than to be called or to start
// threads.
func (o *over) stored() map[*ir.Func]bool {
	out := map[*ir.Func]bool{}
	mark := func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			if a, ok := e.(ir.FuncAddr); ok {
				out[a.Func] = true
			}
			return true
		})
	}
	for _, g := range o.p.Globals {
		for _, c := range g.Init {
			mark(c.Value)
		}
	}
	for _, f := range o.p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				started := ir.Expr(nil)
				switch in := in.(type) {
				case *ir.Spawn:
					started = in.Fn
				case *ir.Call:
					started = in.Callee
				}
				_, direct := started.(ir.FuncAddr)
				for _, e := range ir.Operands(in) {
					if !direct || e != started {
						mark(e)
					}
				}
			}
			for _, e := range ir.TermOperands(b.Term) {
				mark(e)
			}
		}
	}
	return out
}

// wrap lets a thread run a function that calls the thread's function: f, or the one that
// it gets as its first argument.
func (o *over) wrap(s *ir.Spawn, made map[any]*ir.Func, f *ir.Func) {
	key, callee := any(f), s.Fn
	if f == nil {
		key = len(s.Args)
	}
	w := made[key]
	if w == nil {
		w = &ir.Func{Name: "thread.start", Result: ir.VPtr, Pos: o.pos}
		c := &ir.Call{Base: ir.Base{Pos: o.pos}, Callee: callee}
		if f != nil {
			w.Name, w.Result, w.Pos, w.Copy = f.Name+".thread", f.Result, f.Pos, f.Name
		} else {
			p := &ir.Reg{Name: "fn", Type: callee.Type()}
			w.Params, c.Callee = append(w.Params, p), ir.Use{Reg: p}
			if pt, ok := p.Type.(ir.Ptr); ok {
				if ft, ok := pt.Elem.(ir.FuncType); ok {
					w.Result = ft.Result
				}
			}
		}
		for _, v := range s.Args {
			p := &ir.Reg{Name: "arg", Type: v.Type()}
			w.Params, c.Args = append(w.Params, p), append(c.Args, ir.Use{Reg: p})
		}
		ret := &ir.Return{TermBase: ir.TermBase{Pos: w.Pos}}
		if !ir.Equal(w.Result, ir.Void{}) {
			c.Dst = &ir.Reg{Name: "r", Type: w.Result}
			w.Regs, ret.Val = []*ir.Reg{c.Dst}, ir.Use{Reg: c.Dst}
		}
		w.Blocks = []*ir.Block{{Name: "entry", Instrs: []ir.Instr{c}, Term: ret}}
		made[key] = w
		o.p.Funcs = append(o.p.Funcs, w)
	}
	if f == nil {
		s.Args = append([]ir.Expr{callee}, s.Args...)
	}
	s.Fn = ir.FuncAddr{Func: w}
}

// before calls a function where another one ends in a way.
func (o *over) before(f, end *ir.Func, ends func(ir.Term) bool) {
	for _, b := range f.Blocks {
		if ends(b.Term) {
			b.Instrs = append(b.Instrs, &ir.Call{Base: ir.Base{Pos: b.Term.At()}, Callee: ir.FuncAddr{Func: end}})
		}
	}
}

// end is the function that main calls where it ends as a thread, or other threads where
// they end, or both.
func (o *over) end(main, threads bool) *ir.Func {
	switch {
	case !o.atEnd:
		return o.destructors()
	case main && threads:
		return o.make("end", func(f *ir.Func) {
			r := &ir.Reg{Name: "main", Type: ir.I32}
			f.Regs = append(f.Regs, r)
			yes, no := &ir.Block{Name: "main", Term: &ir.Return{}}, &ir.Block{Name: "thread", Term: &ir.Return{}}
			yes.Instrs = []ir.Instr{o.call(o.end(true, false))}
			no.Instrs = []ir.Instr{o.call(o.end(false, true))}
			is := ir.Binary{Op: "ne", X: ir.Use{Reg: r}, Y: ir.IntConst(ir.I32, 0)}
			f.Blocks = []*ir.Block{{Name: "entry", Instrs: []ir.Instr{&ir.Load{Base: ir.Base{Pos: o.pos}, Dst: r, Addr: o.isMain(), Order: ir.Plain}},
				Term: &ir.Branch{Cond: is, Then: yes, Else: no}}, yes, no}
		})
	case main:
		return o.make("main.end", o.mainEnd)
	}
	return o.make("thread.end", func(f *ir.Func) {
		b := &ir.Block{Name: "entry", Term: &ir.Return{}}
		if o.ending.keyed {
			b.Instrs = append(b.Instrs, o.call(o.destructors()))
		}
		b.Instrs = append(b.Instrs, o.add(ir.IntConst(ir.I32, -1)))
		f.Blocks = []*ir.Block{b}
	})
}

// mainEnd waits for all other threads, and ends the process.
func (o *over) mainEnd(f *ir.Func) {
	base, term := ir.Base{Pos: o.pos}, ir.TermBase{Pos: o.pos}
	b := &ir.Block{Name: "entry", Term: &ir.Return{}}
	if o.ending.keyed {
		b.Instrs = append(b.Instrs, o.call(o.destructors()))
	}
	n := &ir.Reg{Name: "threads", Type: ir.I32}
	f.Regs = []*ir.Reg{n}
	last := o.make("process.end", func(g *ir.Func) {
		g.Alone = true
		run := o.call(o.life.run[atExit])
		run.Args = []ir.Expr{ir.IntConst(ir.I32, 0)}
		g.Blocks = []*ir.Block{{Name: "entry", Instrs: []ir.Instr{&ir.Fence{Base: base, Order: ir.SeqCst}, run}, Term: &ir.Stop{TermBase: term, Kind: "abort"}}}
	})
	b.Instrs = append(b.Instrs,
		&ir.Await{Base: base, Dsts: []*ir.Reg{n}, Addrs: []ir.Expr{o.threads()}, Cond: ir.Binary{Op: "eq", X: ir.Use{Reg: n}, Y: ir.IntConst(ir.I32, 0)}, What: "waits for the threads"},
		&ir.AtomicEnd{Base: base}, o.call(last))
	f.Blocks = []*ir.Block{b}
}

func (o *over) make(name string, body func(*ir.Func)) *ir.Func {
	f := o.made[name]
	if f == nil {
		f = &ir.Func{Name: "run." + name, Result: ir.Void{}, Pos: o.pos}
		o.made[name] = f
		body(f)
		o.p.Funcs = append(o.p.Funcs, f)
	}
	return f
}

func (o *over) call(f *ir.Func) *ir.Call {
	return &ir.Call{Base: ir.Base{Pos: o.pos}, Callee: ir.FuncAddr{Func: f}}
}

// threads is the address of the number of threads that have been started and are not
// over.
func (o *over) threads() ir.Expr {
	return ir.GlobalAddr{Global: o.endingGlobal(ir.Global{Name: "$threads", Type: ir.I32})}
}

// isMain is the address of what tells the thread of main.
func (o *over) isMain() ir.Expr {
	return ir.GlobalAddr{Global: o.endingGlobal(ir.Global{Name: "$main", Type: ir.I32, ThreadLocal: true})}
}

func (o *over) add(n ir.Expr) ir.Instr {
	return &ir.RMW{Base: ir.Base{Pos: o.pos}, Op: "add", Addr: o.threads(), Val: n, Order: ir.SeqCst}
}

// count counts the threads that are started.
func (o *over) count() {
	for _, f := range o.p.Funcs {
		for _, b := range f.Blocks {
			for i := len(b.Instrs) - 1; i >= 0; i-- {
				s, ok := b.Instrs[i].(*ir.Spawn)
				if !ok {
					continue
				}
				if s.OK != nil {
					failed := ir.Select{C: ir.Use{Reg: s.OK}, X: ir.IntConst(ir.I32, 0), Y: ir.IntConst(ir.I32, -1)}
					b.Instrs = slices.Insert(b.Instrs, i+1, o.add(failed))
				}
				b.Instrs = slices.Insert(b.Instrs, i, o.add(ir.IntConst(ir.I32, 1)))
			}
		}
	}
}

// destructors is the function that calls the destructors of a thread's values, as long as
// there are values, and no more than four times round.
func (o *over) destructors() *ir.Func {
	return o.make("key.destructors", func(f *ir.Func) {
		base := ir.Base{Pos: o.pos}
		reg := func(name string, t ir.Type) *ir.Reg {
			r := &ir.Reg{Name: name, Type: t}
			f.Regs = append(f.Regs, r)
			return r
		}
		use := func(r *ir.Reg) ir.Expr { return ir.Use{Reg: r} }
		number := func(n int64) ir.Expr { return ir.IntConst(ir.U32, n) }
		set := func(r *ir.Reg, v ir.Expr) ir.Instr { return &ir.Assign{Base: base, Dst: r, X: v} }
		next := func(r *ir.Reg) ir.Instr { return set(r, ir.Binary{Op: "add", X: use(r), Y: number(1)}) }
		i, k, top, again := reg("round", ir.U32), reg("key", ir.U32), reg("top", ir.U32), reg("again", ir.U32)
		v, d := reg("value", ir.VPtr), reg("destructor", destructorType)
		names := []string{"entry", "rounds", "round", "keys", "look", "clear", "call", "next", "over", "end"}
		bs := map[string]*ir.Block{}
		for _, n := range names {
			bs[n] = &ir.Block{Name: n}
			f.Blocks = append(f.Blocks, bs[n])
		}
		to := func(from, to string, ins ...ir.Instr) {
			bs[from].Instrs, bs[from].Term = ins, &ir.Goto{Targets: []*ir.Block{bs[to]}}
		}
		branch := func(from string, c ir.Expr, then, other string, ins ...ir.Instr) {
			bs[from].Instrs, bs[from].Term = ins, &ir.Branch{Cond: c, Then: bs[then], Else: bs[other]}
		}
		null := func(r *ir.Reg) ir.Expr { return ir.Binary{Op: "eq", X: use(r), Y: zeroOf(r.Type)} }
		to("entry", "rounds", set(i, number(0)))
		branch("rounds", ir.Binary{Op: "lt", X: use(i), Y: number(destructorRounds)}, "round", "end")
		to("round", "keys", set(again, number(0)), set(k, number(0)))
		branch("keys", ir.Binary{Op: "lt", X: use(k), Y: use(top)}, "look", "over", &ir.Load{Base: base, Dst: top, Addr: o.keyVariable("$keyed"), Order: ir.Plain})
		branch("look", null(v), "next", "clear", &ir.Load{Base: base, Dst: v, Addr: o.ofKey("$specific", use(k)), Order: ir.Plain})
		branch("clear", null(d), "next", "call", &ir.Load{Base: base, Dst: d, Addr: o.ofKey("$destructors", use(k)), Order: ir.SeqCst})
		to("call", "next", &ir.Store{Base: base, Addr: o.ofKey("$specific", use(k)), Val: zeroOf(ir.VPtr), Order: ir.Plain},
			&ir.Call{Base: base, Callee: use(d), Args: []ir.Expr{use(v)}}, set(again, number(1)))
		to("next", "keys", next(k))
		branch("over", ir.Binary{Op: "eq", X: use(again), Y: number(0)}, "end", "rounds", next(i))
		bs["end"].Term = &ir.Return{}
	})
}
