package c

import (
	"fmt"
	"slices"

	"whoop/ir"
)

// What happens beside the program because of a call: other processes, asynchronous input
// and output, and accesses of the library to memory that it was given.

// beside says that what the call lets happen beside the program is not followed.
func (a *apiCall) beside() {
	for _, i := range a.m.ReadsLater {
		a.accessLater(i, false)
	}
	for _, i := range a.m.WritesLater {
		a.accessLater(i, true)
	}
	at := at(a.x)
	switch {
	case a.m.Unfollowed != "":
		f := a.unknownFunction("$beside."+a.name, a.name+": "+a.m.Unfollowed, at.Pos)
		c := &ir.Call{Base: at, Callee: ir.FuncAddr{Func: f}}
		if a.m.Class == "stream" {
			a.program.later = append(a.program.later, c)
		} else {
			a.p.Assume("unknown-function", at.Pos, "%s: %s are not followed", a.name, a.m.Unfollowed)
		}
		a.emit(c)
	case a.m.Processes == "shares" && a.flagged():
		a.program.shared = true
	case a.m.Processes == "makes":
		f := a.unknownFunction("$process", "another process with the same memory", at.Pos)
		c := &ir.Call{Base: at, Callee: ir.FuncAddr{Func: f}}
		a.program.forks = append(a.program.forks, c)
		a.emit(c)
	}
}

// processes drops what stands for other processes where they share no memory.
func (pr *program) processes() {
	if !pr.shared {
		pr.drop(pr.forks)
	} else if len(pr.forks) > 0 {
		pr.p.Assume("unknown-function", pr.forks[0].At(), "what another process does to memory that processes share is not followed")
	}
}

// accessLater lets the library access what an argument points to from here on, as a
// thread of its own.
func (a *apiCall) accessLater(i int, write bool) {
	if i >= len(a.vs) || isNull(a.vs[i]) || !ir.IsPtr(a.vs[i].Type()) {
		return
	}
	v := a.vs[i]
	if g, ok := base(v).(ir.GlobalAddr); ok && g.Global.Const {
		return
	}
	p, b := &ir.Reg{Name: "memory", Type: v.Type()}, at(a.x)
	f := &ir.Func{Name: "library." + a.name, Params: []*ir.Reg{p}, Result: ir.VPtr, Pos: b.Pos}
	t := &ir.Touch{Base: b, Addr: ir.Use{Reg: p}, Read: true, Write: write, Perhaps: true, Why: a.name}
	f.Blocks = []*ir.Block{{Name: "entry", Instrs: []ir.Instr{t}, Term: &ir.Return{TermBase: ir.TermBase{Pos: b.Pos}, Val: ir.Null{T: ir.VPtr}}}}
	for n := 2; slices.ContainsFunc(a.p.Funcs, func(g *ir.Func) bool { return g.Name == f.Name }); n++ {
		f.Name = fmt.Sprintf("library.%s.%d", a.name, n)
	}
	a.p.Funcs = append(a.p.Funcs, f)
	a.program.inline[f] = true // it is there only if it is called
	s := &ir.Spawn{Base: b, Fn: ir.FuncAddr{Func: f}, Args: []ir.Expr{v}}
	a.program.later = append(a.program.later, s)
	a.emit(s)
}

// laterOnly drops what the library does later in programs of one thread.
func (pr *program) laterOnly() {
	for _, in := range pr.p.Instrs() {
		switch in.(type) {
		case *ir.Spawn, *ir.Register:
			if !slices.Contains(pr.later, in) {
				return
			}
		}
	}
	pr.drop(pr.later)
}

// environ accesses what the variable environ leads to where the call works on the
// environment.
func (a *apiCall) environ() {
	changes := slices.Contains(a.m.State, "environment")
	if !changes && !slices.Contains(a.m.StateReads, "environment") {
		return
	}
	a.program.environment = append(a.program.environment, pos(a.x.Position()))
	for _, name := range []string{"environ", "__environ"} {
		if g := a.program.globals[name]; g != nil && a.hasMain() {
			t := &ir.Touch{Base: at(a.x), Addr: ir.GlobalAddr{Global: g}, Read: true, Write: changes, Deep: true, Perhaps: true, Why: a.name}
			a.program.environs = append(a.program.environs, t)
			a.emit(t)
		}
	}
}

// dropEnvirons drops these accesses where the program does not look at the variables.
func (pr *program) dropEnvirons() {
	for _, in := range pr.p.Instrs() {
		if slices.Contains(pr.environs, in) {
			continue
		}
		for _, e := range ir.Operands(in) {
			if g, ok := base(e).(ir.GlobalAddr); ok &&
				(g.Global.Name == "environ" || g.Global.Name == "__environ") {
				return
			}
		}
	}
	pr.drop(pr.environs)
}
