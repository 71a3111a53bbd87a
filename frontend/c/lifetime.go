package c

import (
	"regexp"
	"slices"
	"strconv"

	"modernc.org/cc/v4"

	"whoop/frontend/models"
	"whoop/ir"
)

// What runs before main and at the end of the process: constructors are called when main
// begins, in order of their priorities. Functions that atexit and on_exit register are
// kept in a list in memory, at_quick_exit's in another. Who calls exit, or returns from
// main, takes them from the list, one after the other, the last one first, and calls them
// while other threads go on; then the destructors. Taking and adding are atomic.

// hook is a function that runs without being called.
type hook struct {
	f        *ir.Func
	priority int
}

// lifetime is what is known of them while a program is lowered.
type lifetime struct {
	constructors, destructors []hook
	// of the lists: next, a function without parameters, one with two, the second's
	// argument
	node  *ir.Struct
	lists [2]*ir.Global
	// call what is in the lists; the first one the destructors, too
	run         [2]*ir.Func
	registers   [2]bool
	plain, with [2]bool    // some of them are without an argument, or have one
	calls       []ir.Instr // of these functions
}

const (
	atExit = iota
	atQuickExit
)

var priority = regexp.MustCompile(`\b(?:__)?(constructor|destructor)(?:__)?\b(?:\s*\(\s*(\d+)\s*\))?`)

// lastPriority is the priority of a function whose attribute names none: it is called
// after all others, as a destructor before them.
const lastPriority = 1 << 16

// outsideMain notes functions that run before main or after it without being called.
func (u *unit) outsideMain(d *cc.ExternalDeclaration) {
	note := func(a *cc.AttributeSpecifierList, name string) {
		if a == nil {
			return
		}
		for _, m := range priority.FindAllStringSubmatch(cc.NodeSource(a), -1) {
			p, err := strconv.Atoi(m[2])
			if err != nil {
				p = lastPriority
			}
			u.hook(m[1], name, p, pos(d.Position()))
		}
	}
	specifiers := func(s *cc.DeclarationSpecifiers, name string) {
		for ; s != nil; s = s.DeclarationSpecifiers {
			note(s.AttributeSpecifierList, name)
		}
	}
	switch d.Case {
	case cc.ExternalDeclarationFuncDef:
		specifiers(d.FunctionDefinition.DeclarationSpecifiers, d.FunctionDefinition.Declarator.Name())
	case cc.ExternalDeclarationDecl:
		for l := d.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
			specifiers(d.Declaration.DeclarationSpecifiers, l.InitDeclarator.Declarator.Name())
			note(l.InitDeclarator.AttributeSpecifierList, l.InitDeclarator.Declarator.Name())
		}
	}
}

// hook notes a constructor or destructor by its name, once.
func (u *unit) hook(kind, name string, priority int, at ir.Pos) {
	u.hooks = append(u.hooks, namedHook{kind, name, priority, at})
}

// namedHook is a function of a unit with such an attribute.
type namedHook struct {
	kind, name string
	priority   int
	at         ir.Pos
}

// findHooks finds the functions with such attributes, once the unit is declared.
func (u *unit) findHooks() {
	for _, h := range u.hooks {
		f, list := u.function(h.name), &u.life.constructors
		if h.kind == "destructor" {
			list = &u.life.destructors
		}
		if f == nil || slices.ContainsFunc(*list, func(k hook) bool { return k.f == f }) {
			continue
		}
		*list = append(*list, hook{f, h.priority})
	}
}

// hasMain reports whether the program has a main function with a body.
func (pr *program) hasMain() bool {
	f := pr.funcs["main"]
	return f != nil && !f.Extern
}

// atExit lowers the registration of a function that runs when the process ends.
func (a *apiCall) atExit() ir.Expr {
	fn, arg := a.fnRole(), ir.Expr(ir.Null{T: ir.VPtr})
	if !a.hasMain() {
		a.emit(&ir.Register{Base: at(a.x), API: a.name, Kinds: []string{"atexit"}, Fn: fn})
		return a.ret()
	}
	which, member := whichList(a.m), 1
	if v, ok := a.role("data"); !ok {
		a.life.plain[which] = true
	} else {
		arg, member = a.conv(a.x, v, ir.VPtr), 2
		a.life.with[which] = true
	}
	a.life.registers[which] = true
	s := a.exitNode()
	n := a.temp(ir.Ptr{Elem: s})
	p := ir.Use{Reg: n}
	cell := func(i int) ir.Expr { return ir.FieldAddr{Base: p, S: s, Index: i} }
	a.emit(&ir.Alloc{Base: at(a.x), Dst: n, Elem: s, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true, Name: a.name})
	a.emit(&ir.Store{Base: at(a.x), Addr: cell(member), Val: ir.Cast{X: fn, T: s.Fields[member].Type}, Order: ir.SeqCst})
	a.emit(&ir.Store{Base: at(a.x), Addr: cell(3), Val: arg, Order: ir.SeqCst})
	head := ir.GlobalAddr{Global: a.life.lists[which]}
	old := a.temp(ir.Ptr{Elem: s})
	a.emit(&ir.AtomicBegin{Base: at(a.x)})
	a.emit(&ir.Load{Base: at(a.x), Dst: old, Addr: head, Order: ir.SeqCst})
	a.emit(&ir.Store{Base: at(a.x), Addr: cell(0), Val: ir.Use{Reg: old}, Order: ir.SeqCst})
	a.emit(&ir.Store{Base: at(a.x), Addr: head, Val: p, Order: ir.SeqCst})
	a.emit(&ir.AtomicEnd{Base: at(a.x)})
	return a.ret()
}

func whichList(m *models.Func) int {
	if m.Class == "quick" {
		return atQuickExit
	}
	return atExit
}

// leave calls what is to run before the process ends.
func (a *apiCall) leave() {
	if !a.hasMain() {
		return
	}
	a.exitNode()
	status := ir.Expr(ir.IntConst(ir.I32, 0))
	if v, ok := a.role("val"); ok {
		status = a.conv(a.x, v, ir.I32)
	}
	call := &ir.Call{Base: at(a.x), Callee: ir.FuncAddr{Func: a.life.run[whichList(a.m)]}, Args: []ir.Expr{status}}
	a.life.calls = append(a.life.calls, call)
	a.emit(call)
}

// exitNode is the struct of the lists. The first time, these and the functions that empty
// them are made.
func (pr *program) exitNode() *ir.Struct {
	if pr.life.node != nil {
		return pr.life.node
	}
	plain, with := ir.FuncType{Result: ir.Void{}}, ir.FuncType{Result: ir.Void{}, Params: []ir.Type{ir.I32, ir.VPtr}}
	s := &ir.Struct{Name: "struct exit.handler", Bytes: 32}
	for i, f := range []struct {
		name string
		t    ir.Type
	}{{"next", ir.Ptr{Elem: s}}, {"fn", ir.Ptr{Elem: plain}}, {"on", ir.Ptr{Elem: with}}, {"arg", ir.VPtr}} {
		s.Fields = append(s.Fields, ir.Field{Name: f.name, Type: f.t, Offset: int64(8 * i)})
	}
	pr.life.node = s
	for i, name := range []string{"exit.handlers", "quick.exit.handlers"} {
		g := &ir.Global{Name: name, Type: ir.Ptr{Elem: s}, Static: true}
		pr.p.Globals = append(pr.p.Globals, g)
		f := &ir.Func{Name: "run." + name, Result: ir.Void{}, Params: []*ir.Reg{{Name: "status", Type: ir.I32}}}
		pr.p.Funcs = append(pr.p.Funcs, f)
		pr.life.lists[i], pr.life.run[i] = g, f
	}
	return s
}

// emptyList makes the body of a function that takes the functions of a list, the last one
// first, and calls them; then those at the end.
func (pr *program) emptyList(f *ir.Func, list *ir.Global, plain, with bool, ends []hook) {
	s := pr.life.node
	reg := func(name string, t ir.Type) *ir.Reg {
		r := &ir.Reg{Name: name, Type: t}
		f.Regs = append(f.Regs, r)
		return r
	}
	n, next := reg("n", ir.Ptr{Elem: s}), reg("next", ir.Ptr{Elem: s})
	fn, on, arg := reg("fn", s.Fields[1].Type), reg("on", s.Fields[2].Type), reg("arg", ir.VPtr)
	use := func(r *ir.Reg) ir.Expr { return ir.Use{Reg: r} }
	isNull := func(r *ir.Reg) ir.Expr { return ir.Binary{Op: "eq", X: use(r), Y: zeroOf(r.Type)} }
	cell := func(i int) ir.Expr { return ir.FieldAddr{Base: use(n), S: s, Index: i} }
	head := ir.GlobalAddr{Global: list}
	entry, take, call := &ir.Block{Name: "entry"}, &ir.Block{Name: "take"}, &ir.Block{Name: "call"}
	one, two, empty := &ir.Block{Name: "plain"}, &ir.Block{Name: "with"}, &ir.Block{Name: "empty"}
	loop := &ir.Block{Name: "loop"}
	entry.Term = &ir.Goto{Targets: []*ir.Block{loop}}
	loop.Instrs = []ir.Instr{&ir.AtomicBegin{}, &ir.Load{Dst: n, Addr: head, Order: ir.SeqCst}}
	loop.Term = &ir.Branch{Cond: isNull(n), Then: empty, Else: take}
	take.Instrs = []ir.Instr{&ir.Load{Dst: next, Addr: cell(0), Order: ir.SeqCst}, &ir.Store{Addr: head, Val: use(next), Order: ir.SeqCst}, &ir.AtomicEnd{},
		&ir.Load{Dst: fn, Addr: cell(1), Order: ir.SeqCst}, &ir.Load{Dst: on, Addr: cell(2), Order: ir.SeqCst}, &ir.Load{Dst: arg, Addr: cell(3), Order: ir.SeqCst}}
	take.Term = &ir.Goto{Targets: []*ir.Block{call}}
	call.Term = &ir.Branch{Cond: isNull(fn), Then: two, Else: one}
	one.Term = &ir.Goto{Targets: []*ir.Block{loop}}
	if plain {
		one.Instrs = []ir.Instr{&ir.Call{Callee: use(fn)}}
	}
	two.Instrs = []ir.Instr{&ir.Call{Callee: use(on), Args: []ir.Expr{use(f.Params[0]), use(arg)}}}
	two.Term = &ir.Goto{Targets: []*ir.Block{loop}}
	if !with { // a call of no function at all would be one of any
		two.Instrs, two.Term = nil, &ir.Stop{Kind: "unreachable"}
	}
	empty.Instrs = []ir.Instr{&ir.AtomicEnd{}}
	for _, h := range ends {
		empty.Instrs = append(empty.Instrs, calling(h.f))
	}
	empty.Term = &ir.Return{}
	f.Blocks = []*ir.Block{entry, loop, take, call, one, two, empty}
	f.Pos = pr.funcs["main"].Pos
	for in := range f.Instrs() {
		switch in := in.(type) {
		case *ir.Call:
			in.Pos = f.Pos
		case *ir.Load:
			in.Pos = f.Pos
		case *ir.Store:
			in.Pos = f.Pos
		}
	}
}

// calling is a call of a function of the program, with zeros.
func calling(f *ir.Func) *ir.Call {
	c := &ir.Call{Base: ir.Base{Pos: f.Pos}, Callee: ir.FuncAddr{Func: f}}
	for _, p := range f.Params {
		c.Args = append(c.Args, zeroOf(p.Type))
	}
	return c
}

// zeroOf is the zero of a type that parameters of main have.
func zeroOf(t ir.Type) ir.Expr {
	if it, ok := t.(ir.Int); ok {
		return ir.IntConst(it, 0)
	}
	return ir.Null{T: t.(ir.Ptr)}
}

// lifetimes lets main call what runs before it and after it, and drops what no program
// needs that registers nothing.
func (pr *program) lifetimes() {
	main := pr.funcs["main"]
	if main == nil || len(main.Blocks) == 0 {
		return
	}
	l := &pr.life
	slices.SortStableFunc(l.constructors, func(a, b hook) int { return a.priority - b.priority })
	slices.SortStableFunc(l.destructors, func(a, b hook) int { return b.priority - a.priority })
	needed := [2]bool{l.registers[atExit] || len(l.destructors) > 0, l.registers[atQuickExit]}
	if needed[atExit] {
		pr.exitNode()
		pr.endMain(main)
	}
	if l.node != nil {
		pr.keepNeeded(needed)
	}
	var first []ir.Instr
	for _, h := range l.constructors {
		c := calling(h.f)
		for i, p := range main.Params {
			if i < len(c.Args) && ir.Equal(p.Type, c.Args[i].Type()) {
				c.Args[i] = ir.Use{Reg: p}
			}
		}
		first = append(first, c)
	}
	main.Blocks[0].Instrs = append(first, main.Blocks[0].Instrs...)
}

// endMain calls what runs after main where it returns.
func (pr *program) endMain(main *ir.Func) {
	for _, b := range main.Blocks {
		if r, ok := b.Term.(*ir.Return); ok {
			status := ir.Expr(ir.IntConst(ir.I32, 0))
			if r.Val != nil && ir.Equal(r.Val.Type(), ir.I32) {
				status = r.Val
			}
			b.Instrs = append(b.Instrs, &ir.Call{Base: ir.Base{Pos: r.Pos}, Callee: ir.FuncAddr{Func: pr.life.run[atExit]}, Args: []ir.Expr{status}})
		}
	}
}

// keepNeeded makes the functions that are needed and drops the others with their calls.
func (pr *program) keepNeeded(needed [2]bool) {
	l := &pr.life
	unneeded := map[ir.Expr]bool{}
	for i, f := range l.run {
		if needed[i] {
			pr.emptyList(f, l.lists[i], l.plain[i], l.with[i], map[bool][]hook{true: l.destructors}[i == atExit])
			continue
		}
		unneeded[ir.FuncAddr{Func: f}] = true
		pr.p.Funcs = slices.DeleteFunc(pr.p.Funcs, func(g *ir.Func) bool { return g == f })
		pr.p.Globals = slices.DeleteFunc(pr.p.Globals, func(g *ir.Global) bool { return g == l.lists[i] })
	}
	drop := map[ir.Instr]bool{}
	for _, c := range l.calls {
		drop[c] = unneeded[c.(*ir.Call).Callee]
	}
	for _, f := range pr.p.Funcs {
		for _, b := range f.Blocks {
			b.Instrs = slices.DeleteFunc(b.Instrs, func(in ir.Instr) bool { return drop[in] })
		}
	}
}
