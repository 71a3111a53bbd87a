package c

import (
	"whoop/frontend/models"
	"whoop/ir"
)

// Programs keep malloc and free in pointers, to have them replaced. What a call through
// such a pointer does is known then: the library's functions whose addresses are taken
// get bodies, where these are an allocation or an end of one.

// allocators gives bodies to functions of the library that allocate and free, in programs
// with a main function.
func (pr *program) allocators() {
	if !pr.hasMain() {
		return
	}
	registered := pr.registered()
	for _, f := range ir.AddressTaken(pr.p) {
		m := pr.m.Func(f.Name)
		if registered[f] || !f.Extern || m == nil || f.Variadic || len(f.Blocks) > 0 {
			continue
		}
		switch m.Op {
		case models.OpAlloc:
			pr.allocates(f, m)
		case models.OpFree:
			pr.frees(f, m)
		}
	}
}

// registered are the functions that calls of the library register, to be called later:
// free of what is under a key is no entry point.
func (pr *program) registered() map[*ir.Func]bool {
	out := map[*ir.Func]bool{}
	for _, in := range pr.p.Instrs() {
		if r, ok := in.(*ir.Register); ok && r.Fn != nil {
			ir.WalkExpr(r.Fn, func(e ir.Expr) bool {
				if a, ok := e.(ir.FuncAddr); ok {
					out[a.Func] = true
				}
				return true
			})
		}
	}
	return out
}

// argument is the parameter that has a role, nil where there is none.
func argument(f *ir.Func, m *models.Func, role string) *ir.Reg {
	i, ok := m.Arg[role]
	if !ok || i >= len(f.Params) {
		return nil
	}
	return f.Params[i]
}

func (pr *program) allocates(f *ir.Func, m *models.Func) {
	size := argument(f, m, "size")
	_, handle := m.Arg["handle"]
	_, src := m.Arg["src"]
	if size == nil || !ir.IsInt(size.Type) || !ir.IsPtr(f.Result) || handle || src {
		return
	}
	bytes := ir.Expr(ir.Cast{X: ir.Use{Reg: size}, T: ir.U64})
	if n := argument(f, m, "count"); n != nil {
		bytes = ir.Binary{Op: "mul", X: bytes, Y: ir.Cast{X: ir.Use{Reg: n}, T: ir.U64}}
	}
	r := &ir.Reg{Name: "object", Type: ir.Ptr{Elem: ir.U8}}
	f.Regs, f.Extern = append(f.Regs, r), false
	f.Blocks = []*ir.Block{{Name: "entry", Instrs: []ir.Instr{&ir.Alloc{Base: ir.Base{Pos: f.Pos}, Dst: r, Elem: ir.U8, Count: bytes, Kind: "heap", Zero: m.Zero, MayFail: m.Ret == "maybe-null"}},
		Term: &ir.Return{Val: ir.Cast{X: ir.Use{Reg: r}, T: f.Result}}}}
}

func (pr *program) frees(f *ir.Func, m *models.Func) {
	p := argument(f, m, "addr")
	if p == nil || !ir.IsPtr(p.Type) || !ir.Equal(f.Result, ir.Void{}) {
		return
	}
	f.Extern = false
	f.Blocks = []*ir.Block{{Name: "entry", Instrs: []ir.Instr{&ir.Free{Base: ir.Base{Pos: f.Pos}, Addr: ir.Use{Reg: p}}}, Term: &ir.Return{}}}
}
