package boogie

import (
	"fmt"
	"strings"

	"whoop/ir"
)

// findExits finds the functions that may end their thread: by "stop exit", or in a call.
func (t *program) findExits() {
	t.exits = map[*ir.Func]bool{}
	for changed := true; changed; {
		changed = false
		for _, f := range t.ir.Funcs {
			if !t.exits[f] && t.mayExit(f) {
				t.exits[f], changed = true, true
			}
		}
	}
}

func (t *program) mayExit(f *ir.Func) bool {
	for _, b := range f.Blocks {
		if s, ok := b.Term.(*ir.Stop); ok && s.Kind == "exit" {
			return true
		}
		for _, in := range b.Instrs {
			var fns []*ir.Func
			switch in := in.(type) {
			case *ir.Call:
				fns, _ = t.res.Callees(in)
			case *ir.Once:
				fns = t.res.Funcs(in.Fn, f)
			}
			for _, g := range fns {
				if t.exits[g] {
					return true
				}
			}
		}
	}
	return false
}

// dispatch does something for each function that a pointer may be, by a chain of
// comparisons; what is no function of the program goes to other.
func (p *proc) dispatch(fn ir.Expr, fns []*ir.Func, do func(f *ir.Func), other func()) {
	if f := ir.FuncOf(fn); f != nil && len(fns) == 1 && fns[0] == f {
		do(f)
		return
	}
	v := p.value(fn)
	if _, reg := fn.(ir.Use); !reg {
		t := p.temp(ir.VPtr)
		p.line("%s := %s;", t, v)
		v = t
	}
	for k, f := range fns {
		if k == 0 {
			p.open("if (%s == %s) {", v, p.address(f))
		} else {
			p.reopen("} else if (%s == %s) {", v, p.address(f))
		}
		do(f)
	}
	if len(fns) == 0 {
		other()
		return
	}
	p.reopen("} else {")
	other()
	p.close()
}

func (p *proc) call(i *ir.Call) {
	fns, complete := p.res.Callees(i)
	if f := ir.FuncOf(i.Callee); f != nil {
		fns, complete = []*ir.Func{f}, true
	}
	args := p.operands(i.Args)
	p.dispatch(i.Callee, fns, func(f *ir.Func) {
		if len(f.Blocks) == 0 {
			p.unseen(i)
		}
		v := p.invoke(f, args, i.Dst)
		if i.Dst != nil && v.s != p.reg(i.Dst) {
			p.line("%s := %s;", p.reg(i.Dst), bare(p.fit(v, f.Result, i.Dst.Type).s))
		}
	}, func() {
		if complete {
			p.line("assume false; // the pointer is one of the above")
			return
		}
		p.line("// a function that is not known")
		p.note("calls of functions that are not known change what their arguments lead to, and yield an arbitrary value")
		p.unseen(i)
		if i.Dst != nil {
			p.line("%s := %s;", p.reg(i.Dst), p.arbitrary(i.Dst.Type).s)
		}
	})
}

// unseen is what the code of a function without a body may do to memory.
func (p *proc) unseen(i *ir.Call) {
	done := map[*class]bool{}
	for _, a := range p.res.Accesses(i) {
		if !a.Write {
			continue
		}
		for _, c := range p.mem.classesOf(a) {
			if !done[c] {
				done[c] = true
				p.line("havoc %s; // code not seen", c.name)
			}
		}
	}
}

// operand is an argument: a value and its type.
type operand struct {
	val
	t ir.Type
}

func (p *proc) operands(es []ir.Expr) []operand {
	out := make([]operand, len(es))
	for k, e := range es {
		if e != nil {
			out[k] = operand{p.expr(e), e.Type()}
		}
	}
	return out
}

// fit converts a value where a function is called by a pointer of another type.
func (p *proc) fit(v val, from, to ir.Type) val {
	if sameKind(from, to) {
		return v
	}
	if boogieType(from) == "int" && boogieType(to) == "bool" {
		return val{s: "(" + v.s + " != 0)"}
	}
	return p.cast(v, from, to)
}

// actuals are the arguments of a call of f, the thread not included; those that are
// missing are arbitrary.
func (p *proc) actuals(f *ir.Func, args []operand) string {
	var b strings.Builder
	for k, r := range f.Params {
		v := val{}
		if k < len(args) && args[k].t != nil {
			v = p.fit(args[k].val, args[k].t, r.Type)
		} else {
			v = p.arbitrary(r.Type)
		}
		b.WriteString(", " + bare(v.s))
	}
	return b.String()
}

// invoke calls f and returns its result; it lies in the variable of dst where its type is
// the result's.
func (p *proc) invoke(f *ir.Func, args []operand, dst *ir.Reg) val {
	p.reach(f)
	as := p.actuals(f, args)
	var outs []string
	var v val
	if _, void := f.Result.(ir.Void); !void {
		r := ""
		if dst != nil && !dst.Ghost && sameKind(dst.Type, f.Result) {
			r = p.reg(dst)
		} else {
			r = p.temp(f.Result)
		}
		outs, v = append(outs, r), typed(r, f.Result)
	} else if dst != nil {
		v = p.arbitrary(dst.Type)
	}
	exit := "$exit"
	if p.exits[f] {
		if p.f == nil {
			exit = p.temp(ir.Bool{})
		}
		outs = append(outs, exit)
	}
	to := ""
	if len(outs) > 0 {
		to = strings.Join(outs, ", ") + " := "
	}
	p.line("call %s%s($tid%s);", to, p.name[f], as)
	if p.exits[f] && p.f != nil {
		p.line("if ($exit) { return; }")
	}
	if len(f.Blocks) == 0 && v.s != "" {
		p.inRange(v.s, f.Result)
	}
	return v
}

// once runs a function if no thread has; others wait for its end.
func (p *proc) once(i *ir.Once) {
	a, run := p.value(i.Ctl), p.temp(ir.Bool{})
	p.line("call %s := %s($tid, %s);", run, p.use("$once_begin"), a)
	p.open("if (%s) {", run)
	fns := p.res.Funcs(i.Fn, p.f)
	p.dispatch(i.Fn, fns, func(f *ir.Func) { p.invoke(f, nil, nil) }, func() { p.unknownFunction() })
	p.line("call %s($tid, %s);", p.use("$once_end"), a)
	p.close()
}

func (p *proc) unknownFunction() {
	p.line("// a function that is not known")
	p.note("functions that are not known are not run as threads, nor once")
}

// spawn starts a thread.
func (p *proc) spawn(i *ir.Spawn) {
	if i.OK != nil {
		p.into(i.OK, func(v string) { p.line("havoc %s;", v) })
		p.open("if (%s) {", p.reg(i.OK))
	}
	args := p.operands(i.Args)
	handle := ""
	if i.HandleAddr != nil {
		handle = p.value(i.HandleAddr)
	}
	t := p.newThread()
	if handle != "" {
		typ := handleType(i)
		p.store(p.cellClass(i), handle, p.handle(t, typ), typ)
	}
	if i.Dst != nil {
		p.line("%s := %s;", p.reg(i.Dst), p.handle(t, i.Dst.Type).s)
	}
	p.start(t, i.Fn, args)
	if i.OK != nil {
		p.close()
	}
}

// newThread makes the number of a thread.
func (p *proc) newThread() string {
	t := p.temp(ir.I64)
	p.line("call %s := %s();", t, p.use("$new_thread"))
	return t
}

// start starts a function as thread t.
func (p *proc) start(t string, fn ir.Expr, args []operand) {
	p.dispatch(fn, p.res.Funcs(fn, p.f), func(f *ir.Func) {
		p.threads[f] = true
		p.reach(f)
		p.line("async call $thread.%s(%s%s);", p.name[f], t, p.actuals(f, args))
	}, func() { p.unknownFunction() })
}

// handle is the handle of thread t as a value of a type: its number, or the address of an
// object that stands for it.
func (p *proc) handle(t string, typ ir.Type) val {
	if !ir.IsPtr(typ) {
		return p.fit(val{s: t}, ir.Int{Bits: 128, Signed: true}, typ)
	}
	h := p.temp(typ)
	p.line("call %s := %s();", h, p.use("$alloc"))
	p.line("%s[%s] := %s;", p.use("$thread_of"), h, t)
	return val{s: h}
}

func (p *proc) join(i *ir.Join) {
	t := p.temp(ir.I64)
	p.line("%s := %s;", t, p.value(i.Handle))
	if p.feat.pointerHandles {
		p.line("if (%s[%s] != 0) { %s := $thread_of[%s]; }", p.use("$thread_of"), t, t, t)
	}
	p.line("assume %s[%s];", p.use("$done"), t)
	if i.Dst != nil {
		p.into(i.Dst, func(v string) {
			p.line("%s := %s;", v, p.fit(val{s: p.use("$result") + "[" + t + "]"}, ir.Int{Bits: 128, Signed: true}, i.Dst.Type).s)
		})
	}
}

// register makes entries runnable. The function of a callback is run once, as a thread,
// unless main runs chosen entries.
func (p *proc) register(i *ir.Register) {
	p.line("// %s: registers", comment(i.API))
	if i.Fn == nil {
		if p.waitsForInit() {
			p.line("$registered := true;")
		}
		return
	}
	if len(p.pair) > 0 {
		p.note("callbacks run only where they are one of the two entry points")
		return
	}
	p.note("a callback runs once for each time it is registered (%s)", i.API)
	args := p.operands(i.Args)
	p.start(p.newThread(), i.Fn, args)
}

// threadProcs are the procedures that run functions as threads.
func (t *program) threadProcs() string {
	var b strings.Builder
	for _, f := range t.ir.Funcs {
		if !t.threads[f] {
			continue
		}
		p := t.newProc(nil)
		params, args := "$tid: int", []operand{}
		for k, r := range f.Params {
			n := fmt.Sprintf("a%d", k)
			params += fmt.Sprintf(", %s: %s", n, boogieType(r.Type))
			args = append(args, operand{typed(n, r.Type), r.Type})
		}
		p.line("yield;")
		p.threadLocals()
		v := p.invoke(f, args, nil)
		p.line("yield;")
		if v.s != "" && boogieType(f.Result) == "int" && t.helpers["$result"] {
			p.line("$result[$tid] := %s;", v.s)
		}
		p.line("%s[$tid] := true;", p.use("$done"))
		b.WriteString(p.finish(fmt.Sprintf("// A thread that runs %s.\nprocedure $thread.%s(%s)", comment(f.Name), t.name[f], params), nil))
	}
	return b.String()
}
