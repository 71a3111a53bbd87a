package c

import (
	"fmt"
	"slices"
	"strings"

	"whoop/frontend/models"
	"whoop/ir"
)

// Resources that belong to a device: memory, interrupts, registrations and actions that
// functions named devm_* set up. After the driver's remove function has returned, the
// kernel gives them back, the last one first: memory is freed, handlers are stopped,
// actions are called. So it does where the probe function has failed
// (driver-api/driver-model/devres.rst, 2). Each call keeps what it set up in a variable of its own, and the
// function models.ReleaseFunc gives back what is in these variables. Where a call is
// executed several times, an execution gives back the last one alone; the points-to set
// of its variable has all.

// resource is a call of such a function.
type resource struct {
	at    ir.Pos
	op    models.Op
	cell  *ir.Global // the memory, or the object that handlers get; of an action its argument
	named ir.Expr    // of an action: the function, where the call names it
	fn    *ir.Global // where it does not: the variable that has it
	kinds []string   // of the handlers that it starts
	api   string     // the function that registers, where no model describes it
	of    ir.Expr    // what is registered
}

// managed are these calls in a program, and those that give memory back early.
type managed struct {
	resources []resource
	stores    map[ir.Instr]int // what keeps a resource, with the resource's number
	forget    *ir.Func         // is told of memory that is freed early
	// beside are kinds that objects of functions without devm_ are registered with, too.
	beside []string
}

const (
	// devresAction is the kind of the functions that are called when the device goes.
	devresAction = "devres_action"
	// devresCells begins the names of the variables; the functions' names have a dot,
	// too, which C has not.
	devresCells = "devres."
)

// isAction reports whether a call asks for a function to be called when the device goes.
func (a *apiCall) isAction() bool {
	return a.m.EntryKind == devresAction && models.Managed(a.name) && !a.hasMain()
}

// manage keeps what a managed call has set up, for models.ReleaseFunc; v is the call's
// result.
func (a *apiCall) manage(v ir.Expr) {
	if a.cur == nil || a.hasMain() {
		return
	}
	if !models.Managed(a.name) {
		if m := a.program.m.Func("devm_" + a.name); m != nil && m.Op == models.OpAlloc {
			a.managed.beside = append(a.managed.beside, m.Kinds...)
		}
		if a.m.Op == models.OpAlloc && len(a.m.Kinds) > 0 { // makes an object that is registered
			a.where(a.x, works(a.x, v), &ir.Register{Base: at(a.x), API: a.name, Kinds: a.m.Kinds, Of: v})
		}
		return
	}
	r := resource{at: pos(a.x.Position()), op: a.m.Op, kinds: a.m.Kinds}
	switch {
	case a.isAction():
		fn, ok := a.role("fn")
		if !ok || !ir.IsPtr(fn.Type()) {
			return
		}
		if f, ok := base(fn).(ir.FuncAddr); ok && len(f.Func.Params) == 1 && ir.IsPtr(f.Func.Params[0].Type) {
			r.named = f
		} else {
			r.fn = a.keep("action", fn)
		}
		v, _ = a.role("data")
	case a.m.Op == models.OpCallback:
		r.kinds = slices.DeleteFunc([]string{a.m.EntryKind, a.m.ThreadKind}, func(k string) bool { return k == "" })
		v, _ = a.role("obj")
	case a.m.Op == models.OpRegister:
		r.of, v = madeKnown(a.vs, v), nil
	case a.m.Op == models.OpFree:
		a.emit(&ir.Call{Base: at(a.x), Callee: ir.FuncAddr{Func: a.forgetFunc()}, Args: []ir.Expr{ir.Cast{X: a.addr("addr"), T: ir.VPtr}}})
		return
	case a.m.Op != models.OpAlloc:
		return
	}
	if v == nil || !ir.IsPtr(v.Type()) {
		v = ir.Null{T: ir.VPtr}
	}
	r.cell = a.keep("cell", v)
	if a.managed.stores == nil {
		a.managed.stores = map[ir.Instr]int{}
	}
	a.managed.stores[a.cur.Instrs[len(a.cur.Instrs)-1]] = len(a.managed.resources)
	a.managed.resources = append(a.managed.resources, r)
}

// keep stores v in a new variable. The store is atomic: the kernel's list of resources
// has a lock of its own.
func (a *apiCall) keep(what string, v ir.Expr) *ir.Global {
	g := &ir.Global{Name: fmt.Sprintf("%s%s%d", devresCells, what, len(a.managed.resources)+1), Type: v.Type(), Static: true, Pos: pos(a.x.Position())}
	a.p.Globals = append(a.p.Globals, g)
	a.emit(&ir.Store{Base: at(a.x), Addr: ir.GlobalAddr{Global: g}, Val: v, Order: ir.SeqCst})
	return g
}

// forgetFunc is the function that is told of memory that is freed before the device goes.
func (pr *program) forgetFunc() *ir.Func {
	if pr.managed.forget == nil {
		pr.managed.forget = &ir.Func{Name: devresCells + "forget", Result: ir.Void{}, Params: []*ir.Reg{{Name: "p", Type: ir.VPtr}}}
		pr.p.Funcs = append(pr.p.Funcs, pr.managed.forget)
	}
	return pr.managed.forget
}

// devres makes the functions that give back what belongs to a device.
func (pr *program) devres() {
	if f := pr.managed.forget; f != nil && slices.Contains(pr.p.Funcs, f) {
		b := newBuilder(f)
		for _, r := range pr.managed.resources {
			if r.op == models.OpAlloc {
				b.clear(r, f.Params[0])
			}
		}
		b.end()
	}
	order := pr.acquired()
	if len(order) == 0 { // the calls are in functions that nothing calls
		pr.p.Globals = slices.DeleteFunc(pr.p.Globals, func(g *ir.Global) bool { return strings.HasPrefix(g.Name, devresCells) })
		return
	}
	if pr.registrations() {
		order = pr.acquired()
	}
	slices.Reverse(order)
	pr.releaser(models.ReleaseFunc, order, false)
	pr.releaser(models.FailedFunc, order, true)
}

// releaser makes a function that gives resources back. Where the probe has failed, some
// were not set up: actions with data are not called whose data is not there.
func (pr *program) releaser(name string, order []int, failed bool) {
	f := &ir.Func{Name: name, Result: ir.Void{}, Pos: pr.managed.resources[0].at}
	pr.p.Funcs = append(pr.p.Funcs, f)
	b := newBuilder(f)
	for _, i := range order {
		r := pr.managed.resources[i]
		// nothing else mentions it
		if f, ok := r.named.(ir.FuncAddr); ok && !slices.Contains(pr.p.Funcs, f.Func) {
			pr.p.Funcs = append(pr.p.Funcs, f.Func)
		}
		if failed && r.named != nil {
			b.when(ir.Binary{Op: "ne", X: b.load(r.cell, r.at), Y: zeroOf(r.cell.Type)}, r.at, func() { b.release(r, pr.allManaged) })
			continue
		}
		if r.op == models.OpAlloc && len(r.kinds) > 0 && !slices.ContainsFunc(r.kinds, func(k string) bool { return slices.Contains(pr.managed.beside, k) }) {
			b.cur.Instrs = append(b.cur.Instrs, &ir.Unregister{Base: ir.Base{Pos: r.at}, API: "the device's release", Kinds: r.kinds, Of: b.load(r.cell, r.at)})
		}
		b.release(r, pr.allManaged)
	}
	b.end()
}

// registrations notes calls of managed functions that no model describes and that
// register something by their names: what is in the program's operation tables is taken
// to be stopped when the device goes.
func (pr *program) registrations() bool {
	before := len(pr.managed.resources)
	var kinds []string
	for _, g := range pr.p.Globals {
		if s, ok := g.Type.(*ir.Struct); ok {
			tag := strings.TrimPrefix(s.Name, "struct ")
			if t := pr.m.Tables[tag]; t != nil && t.Kind == "" && !strings.HasSuffix(tag, "_driver") && !slices.Contains(kinds, tag) {
				kinds = append(kinds, tag)
			}
		}
	}
	for _, in := range pr.p.Instrs() {
		if c, ok := in.(*ir.Call); ok && len(kinds) > 0 {
			pr.unmodelled(c, kinds)
		}
	}
	return len(pr.managed.resources) > before
}

func (pr *program) unmodelled(c *ir.Call, kinds []string) {
	f, ok := c.Callee.(ir.FuncAddr)
	if !ok || !f.Func.Extern || !models.Managed(f.Func.Name) || !strings.Contains(f.Func.Name, "register") && !strings.Contains(f.Func.Name, "_add") {
		return
	}
	pr.managed.stores[c] = len(pr.managed.resources)
	pr.managed.resources = append(pr.managed.resources, resource{at: c.Pos, op: models.OpRegister, kinds: kinds})
	pr.p.Assume("managed", c.Pos, "what %s starts is stopped before what the device had before is given back", f.Func.Name)
}

// acquired are the numbers of the resources in the order in which a run comes to their
// calls, as far as the text tells: functions in the order of their calls, those first
// that nothing calls.
func (pr *program) acquired() []int {
	called := map[*ir.Func]bool{}
	each := func(f *ir.Func, do func(ir.Instr, *ir.Func)) {
		for in := range f.Instrs() {
			var callee *ir.Func
			if c, ok := in.(*ir.Call); ok {
				if fa, ok := c.Callee.(ir.FuncAddr); ok {
					callee = fa.Func
				}
			}
			do(in, callee)
		}
	}
	for _, f := range pr.p.Funcs {
		each(f, func(_ ir.Instr, g *ir.Func) { called[g] = true })
	}
	var out []int
	seen := map[*ir.Func]bool{}
	var visit func(f *ir.Func)
	visit = func(f *ir.Func) {
		if seen[f] {
			return
		}
		seen[f] = true
		each(f, func(in ir.Instr, g *ir.Func) {
			if i, ok := pr.managed.stores[in]; ok {
				out = append(out, i)
			}
			if g != nil {
				visit(g)
			}
		})
	}
	for _, first := range []bool{true, false} {
		for _, f := range pr.p.Funcs {
			if first == !called[f] {
				visit(f)
			}
		}
	}
	return out
}

// allManaged reports whether all handlers of some kinds belong to devices: then all of
// them are stopped.
func (pr *program) allManaged(kinds []string) bool {
	for _, in := range pr.p.Instrs() {
		if r, ok := in.(*ir.Register); ok && r.Fn != nil && !models.Managed(r.API) &&
			slices.ContainsFunc(r.Kinds, func(k string) bool {
				return slices.Contains(kinds,
					k)
			}) {
			return false
		}
	}
	return true
}

// builder fills a function block by block.
type builder struct {
	f   *ir.Func
	cur *ir.Block
}

func newBuilder(f *ir.Func) *builder {
	b := &builder{f: f}
	b.start(&ir.Block{Name: "entry"})
	return b
}

func (b *builder) start(k *ir.Block) {
	b.f.Blocks = append(b.f.Blocks, k)
	b.cur = k
}

func (b *builder) end() { b.cur.Term = &ir.Return{TermBase: ir.TermBase{Pos: b.f.Pos}} }

// load reads a variable into a new register.
func (b *builder) load(g *ir.Global, at ir.Pos) ir.Expr {
	r := &ir.Reg{Name: fmt.Sprintf("r%d", len(b.f.Regs)), Type: g.Type}
	b.f.Regs = append(b.f.Regs, r)
	b.cur.Instrs = append(b.cur.Instrs, &ir.Load{Base: ir.Base{Pos: at}, Dst: r, Addr: ir.GlobalAddr{Global: g}, Order: ir.SeqCst})
	return ir.Use{Reg: r}
}

// when runs what do adds where the condition holds.
func (b *builder) when(cond ir.Expr, at ir.Pos, do func()) {
	n := len(b.f.Blocks)
	yes, after := &ir.Block{Name: fmt.Sprintf("do%d", n)}, &ir.Block{Name: fmt.Sprintf("after%d", n)}
	b.cur.Term = &ir.Branch{TermBase: ir.TermBase{Pos: at}, Cond: cond, Then: yes, Else: after}
	b.start(yes)
	do()
	b.cur.Term = &ir.Goto{TermBase: ir.TermBase{Pos: at}, Targets: []*ir.Block{after}}
	b.start(after)
}

// clear forgets the memory of r where it is p.
func (b *builder) clear(r resource, p *ir.Reg) {
	v := b.load(r.cell, r.at)
	b.when(ir.Binary{Op: "eq", X: ir.Cast{X: v, T: ir.VPtr}, Y: ir.Use{Reg: p}}, r.at, func() { b.setNull(r.cell, r.at) })
}

func (b *builder) setNull(g *ir.Global, at ir.Pos) {
	b.cur.Instrs = append(b.cur.Instrs, &ir.Store{Base: ir.Base{Pos: at}, Addr: ir.GlobalAddr{Global: g}, Val: zeroOf(g.Type), Order: ir.SeqCst})
}

func (b *builder) call(fn, arg ir.Expr, at ir.Pos) {
	if ft, ok := fn.Type().(ir.Ptr).Elem.(ir.FuncType); ok && len(ft.Params) == 1 && !ir.Equal(arg.Type(), ft.Params[0]) {
		arg = ir.Cast{X: arg, T: ft.Params[0]}
	}
	b.cur.Instrs = append(b.cur.Instrs, &ir.Call{Base: ir.Base{Pos: at}, Callee: fn, Args: []ir.Expr{arg}})
}

// release gives r back.
func (b *builder) release(r resource, all func(kinds []string) bool) {
	base := ir.Base{Pos: r.at}
	switch {
	case r.fn != nil || r.named != nil:
		if r.named != nil { // a driver that gets as far as remove has asked for it
			b.call(r.named, b.load(r.cell, r.at), r.at)
			return
		}
		fn := b.load(r.fn, r.at)
		b.when(ir.Binary{Op: "ne", X: fn, Y: zeroOf(fn.Type())}, r.at, func() { b.call(fn, b.load(r.cell, r.at), r.at) })
	case r.op == models.OpAlloc:
		p := b.load(r.cell, r.at)
		b.setNull(r.cell, r.at)
		b.cur.Instrs = append(b.cur.Instrs, &ir.Free{Base: base, Addr: p})
	default:
		in := &ir.Unregister{Base: base, API: "the device's release", Kinds: r.kinds, Of: r.of}
		if r.api != "" {
			in.API = r.api
		}
		if r.op == models.OpCallback && !all(r.kinds) {
			in.Obj = b.load(r.cell, r.at)
		}
		b.cur.Instrs = append(b.cur.Instrs, in)
	}
}
