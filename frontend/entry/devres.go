package entry

import (
	"fmt"
	"slices"

	"whoop/frontend/models"
	"whoop/ir"
)

// releases makes the function that gives back a device's resources an entry point of its
// own where a driver's table has no function for the device's end: the kernel calls it
// then all the same.
func (x *inferrer) releases() {
	f := x.p.FuncByName(models.ReleaseFunc)
	if f == nil || x.removers() != nil {
		return
	}
	r := role{kind: models.ReleaseFunc, exit: true, notSelf: true}
	for _, g := range x.p.Funcs {
		for _, s := range x.roles[g] {
			if s.init && s.table != nil && len(s.table.Exit) > 0 && s.table.Releases(s.table.Exit[0]) {
				r.table, r.instance, r.member = s.table, s.instance, s.table.Exit[0]
				r.kind = s.table.Struct + "." + r.member
			}
		}
	}
	x.add(f, r)
}

// removers are the functions after which the kernel gives back a device's resources.
func (x *inferrer) removers() (out []*ir.Func) {
	for _, f := range x.p.Funcs {
		if slices.ContainsFunc(x.roles[f], func(r role) bool { return r.table != nil && r.table.Releases(r.member) }) {
			out = append(out, f)
		}
	}
	return out
}

// release calls the function that gives back a device's resources where those functions
// return that end the device. One that the program itself calls, too, gets a caller that
// does so.
func (x *inferrer) release() {
	f := x.p.FuncByName(models.ReleaseFunc)
	if f == nil {
		return
	}
	for _, g := range x.removers() {
		e := x.p.Entries[slices.IndexFunc(x.p.Entries, func(e *ir.Entry) bool { return e.Func == g })]
		if len(x.cg.calls[g]) > 0 {
			g = around(g)
			x.p.Funcs = append(x.p.Funcs, g)
			e.Func = g
		}
		for _, b := range g.Blocks {
			if r, ok := b.Term.(*ir.Return); ok {
				b.Instrs = append(b.Instrs, &ir.Call{Base: ir.Base{Pos: r.Pos}, Callee: ir.FuncAddr{Func: f}})
			}
		}
	}
}

// failed calls the function that gives back a device's resources after a probe that has
// failed: where it returns something else than zero.
func (x *inferrer) failed() {
	f := x.p.FuncByName(models.FailedFunc)
	if f == nil {
		return
	}
	used := false
	for _, e := range slices.Clone(x.p.Entries) {
		if !slices.ContainsFunc(x.roles[e.Func], func(r role) bool {
			return r.init && r.table != nil && (r.member == r.table.First || r.member == r.table.First+"_new") && len(r.table.Exit) > 0 && r.table.Releases(r.table.Exit[0])
		}) {
			continue
		}
		if afterFailure(x.own(e), func(at ir.Pos) ir.Instr {
			return &ir.Call{Base: ir.Base{Pos: at}, Callee: ir.FuncAddr{Func: f}}
		}) {
			used = true
		}
	}
	if !used {
		x.p.Funcs = slices.DeleteFunc(x.p.Funcs, func(g *ir.Func) bool { return g == f })
	}
}

// afterFailure adds an instruction where a function returns something else than zero, and
// reports whether it may.
func afterFailure(g *ir.Func, add func(at ir.Pos) ir.Instr) bool {
	used := false
	for _, b := range slices.Clone(g.Blocks) {
		r, ok := b.Term.(*ir.Return)
		if !ok || r.Val == nil || !ir.IsInt(r.Val.Type()) {
			continue
		}
		t, _ := r.Val.Type().(ir.Int)
		if k, ok := r.Val.(ir.Const); ok {
			if k.Val.Sign() != 0 {
				b.Instrs, used = append(b.Instrs, add(r.Pos)), true
			}
			continue
		}
		n := len(g.Blocks)
		worked := &ir.Block{Name: fmt.Sprintf("worked%d", n), Term: r}
		again := *r
		failed := &ir.Block{Name: fmt.Sprintf("failed%d", n), Instrs: []ir.Instr{add(r.Pos)}, Term: &again}
		g.Blocks = append(g.Blocks, worked, failed)
		b.Term = &ir.Branch{TermBase: r.TermBase, Cond: ir.Binary{Op: "eq", X: r.Val, Y: ir.IntConst(t, 0)}, Then: worked, Else: failed}
		used = true
	}
	return used
}

// around is a function that calls f.
func around(f *ir.Func) *ir.Func {
	g := &ir.Func{Name: f.Name + ".device", Result: f.Result, Pos: f.Pos}
	call := &ir.Call{Base: ir.Base{Pos: f.Pos}, Callee: ir.FuncAddr{Func: f}}
	for _, p := range f.Params {
		q := &ir.Reg{Name: p.Name, Type: p.Type}
		g.Params = append(g.Params, q)
		call.Args = append(call.Args, ir.Use{Reg: q})
	}
	ret := &ir.Return{TermBase: ir.TermBase{Pos: f.Pos}}
	if !ir.Equal(f.Result, ir.Void{}) {
		call.Dst = &ir.Reg{Name: "result", Type: f.Result}
		g.Regs = append(g.Regs, call.Dst)
		ret.Val = ir.Use{Reg: call.Dst}
	}
	g.Blocks = []*ir.Block{{Name: "entry", Instrs: []ir.Instr{call}, Term: ret}}
	return g
}
