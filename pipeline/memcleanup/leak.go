package memcleanup

import "whoop/ir"

// Tags of the assertions.
const (
	Tag        = "memcleanup"
	TagUnclear = "memcleanup-unclear"
)

// counter is the global's name.
const counter = "$objects"

// Counts reports whether an allocation is counted: on the heap, and not by the library
// for itself (streams).
func Counts(i *ir.Alloc) bool { return i.Kind == "heap" && i.Name == "" }

// Allocates reports whether a program has allocations that are counted.
func Allocates(p *ir.Program) bool {
	for _, in := range p.Instrs() {
		if a, ok := in.(*ir.Alloc); ok && Counts(a) {
			return true
		}
	}
	return false
}

// Instrumented reports whether a program is a result of Instrument.
func Instrumented(p *ir.Program) bool { return p.GlobalByName(counter) != nil }

// pass is an instrumentation under way.
type pass struct {
	live *ir.Global
	f    *ir.Func
	main bool // f is the program's main function
	// f is a thread's function and nothing else: who leaves by pthread_exit there is no
	// main thread
	only bool
}

// Instrument returns the program with assertions that it frees what it allocates; p
// itself where it allocates nothing.
func Instrument(p *ir.Program) *ir.Program {
	if !Allocates(p) {
		return p
	}
	q := ir.Clone(p)
	w := &pass{live: &ir.Global{Name: counter, Type: ir.U32}}
	q.Globals = append(q.Globals, w.live)
	threads, called := map[*ir.Func]bool{}, uses(q)
	for _, e := range q.Entries {
		if e.Spawned {
			threads[e.Func] = true
		}
	}
	for _, e := range q.Entries {
		if e.Kind == "main" {
			threads[e.Func] = false
		}
	}
	for _, f := range q.Funcs {
		w.f, w.main = f, false
		for _, e := range q.Entries {
			w.main = w.main || e.Kind == "main" && e.Func == f
		}
		w.only = threads[f] && !called[f]
		for _, b := range f.Blocks {
			w.block(b)
		}
	}
	return q
}

// uses are the functions that are called, or whose address is used otherwise than to
// start a thread.
func uses(p *ir.Program) map[*ir.Func]bool {
	out := map[*ir.Func]bool{}
	note := func(e ir.Expr) {
		ir.WalkExpr(e, func(e ir.Expr) bool {
			if fa, ok := e.(ir.FuncAddr); ok {
				out[fa.Func] = true
			}
			return true
		})
	}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				ops := ir.Operands(in)
				if s, ok := in.(*ir.Spawn); ok {
					ops = s.Args
				}
				for _, e := range ops {
					note(e)
				}
			}
			for _, e := range ir.TermOperands(b.Term) {
				note(e)
			}
		}
	}
	for _, g := range p.Globals {
		for _, c := range g.Init {
			note(c.Value)
		}
	}
	return out
}

// block adds what counts, and the assertion before the end.
func (w *pass) block(b *ir.Block) {
	var out []ir.Instr
	for _, in := range b.Instrs {
		out = append(out, in)
		switch i := in.(type) {
		case *ir.Alloc:
			if Counts(i) {
				out = append(out, w.count("add", i.Base, ir.Use{Reg: i.Dst}))
			}
		case *ir.Free:
			if i.Scope {
				continue
			}
			out = append(out, w.count("sub", i.Base, i.Addr))
		}
	}
	tag := ""
	switch t := b.Term.(type) {
	case *ir.Return:
		if w.main {
			tag = Tag
		}
	case *ir.Stop:
		if t.Kind == "abort" || t.Kind == "exit" && !w.only {
			tag = TagUnclear
		}
	}
	if tag != "" {
		out = append(out, w.check(tag, b.Term)...)
	}
	b.Instrs = out
}

// count changes the counter by one, unless the address is null.
func (w *pass) count(op string, base ir.Base, addr ir.Expr) ir.Instr {
	some := ir.Cast{X: ir.Cast{X: addr, T: ir.Bool{}}, T: ir.U32}
	return &ir.RMW{Base: base, Op: op, Addr: ir.GlobalAddr{Global: w.live}, Val: some, Order: ir.SeqCst}
}

// check reads the counter, which must be 0; after pthread_exit it says nothing, so that
// the assertion fails there.
func (w *pass) check(tag string, t ir.Term) []ir.Instr {
	base := ir.Base{Pos: t.At()}
	if s, ok := t.(*ir.Stop); ok && s.Kind == "exit" {
		return []ir.Instr{&ir.Assert{Base: base, Cond: ir.BoolConst(false), Tag: tag, Msg: "the program ends here"}}
	}
	r := &ir.Reg{Name: w.fresh("live"), Type: ir.U32}
	w.f.Regs = append(w.f.Regs, r)
	return []ir.Instr{&ir.Load{Base: base, Dst: r, Addr: ir.GlobalAddr{Global: w.live}, Order: ir.SeqCst},
		&ir.Assert{Base: base, Cond: ir.Binary{Op: "eq", X: ir.Use{Reg: r}, Y: ir.IntConst(ir.U32, 0)}, Tag: tag, Msg: "all memory has been freed at the end"}}
}

// fresh is a name that no register of the function has.
func (w *pass) fresh(name string) string {
	for {
		taken := false
		for _, rs := range [][]*ir.Reg{w.f.Params, w.f.Regs} {
			for _, r := range rs {
				taken = taken || r.Name == name
			}
		}
		if !taken {
			return name
		}
		name += "#"
	}
}
