package c

import (
	"fmt"

	"modernc.org/cc/v4"

	"whoop/ir"
)

// outsideCalls is the name of the constant that refers to the functions that stand for
// those of the kernel that calls through pointers may reach.
const outsideCalls = "$kernel.calls"

// throughPointer makes functions that a call through a pointer passes entry points: it
// may be of a function of the kernel.
func (l *lowerer) throughPointer(x *cc.PostfixExpression, vs []ir.Expr) {
	for _, v := range vs {
		if p, ok := v.Type().(ir.Ptr); ok && l.core() && !isNull(v) {
			if _, fn := p.Elem.(ir.FuncType); fn {
				l.gets(x, "a call through a pointer", v)
			}
		}
	}
}

// standIns adds, for each signature that is called through a pointer, a function that
// does what calls of external functions do. Where the pointer comes from objects of the
// kernel, the call is one of that function, too.
func (pr *program) standIns() {
	g := &ir.Global{Name: outsideCalls, Const: true, Static: true}
	done := map[string]bool{}
	for _, in := range pr.p.Instrs() {
		c, ok := in.(*ir.Call)
		if !ok {
			continue
		}
		p, ok := c.Callee.Type().(ir.Ptr)
		t, isFunc := p.Elem.(ir.FuncType)
		if _, direct := c.Callee.(ir.FuncAddr); direct || !ok || !isFunc || t.Variadic ||
			done[t.String()] {
			continue
		}
		done[t.String()] = true
		pr.p.Assume("extern-call", c.Pos, "calls of %s through pointers that the kernel holds are of functions of the kernel, which do what external functions do", t)
		g.Init = append(g.Init, ir.InitCell{Offset: 8 * int64(len(g.Init)), Type: ir.VPtr,
			Value: ir.FuncAddr{Func: standIn(t, len(g.Init), c.Pos)}, Pos: c.Pos})
	}
	if len(g.Init) == 0 {
		return
	}
	g.Type, g.Pos = ir.Array{Elem: ir.VPtr, Len: int64(len(g.Init))}, g.Init[0].Pos
	pr.p.Globals = append(pr.p.Globals, g)
	for _, c := range g.Init {
		pr.p.Funcs = append(pr.p.Funcs, c.Value.(ir.FuncAddr).Func)
	}
}

// standIn is the function for one signature.
func standIn(t ir.FuncType, n int, at ir.Pos) *ir.Func {
	f := &ir.Func{Name: fmt.Sprintf("%s %d", ir.OutsideFunc, n), Result: t.Result, Pos: at}
	b := &ir.Block{Name: "entry"}
	base := ir.Base{Pos: at}
	for i, q := range t.Params {
		r := &ir.Reg{Name: fmt.Sprintf("p%d", i), Type: q}
		f.Params = append(f.Params, r)
		if p, ok := q.(ir.Ptr); ok {
			if _, fn := p.Elem.(ir.FuncType); !fn {
				b.Instrs = append(b.Instrs, &ir.Touch{Base: base, Addr: ir.Use{Reg: r}, Read: true, Write: true, Deep: true, Core: true, Why: "a function of the kernel"})
			}
		}
	}
	ret := &ir.Return{TermBase: ir.TermBase{Pos: at}}
	if _, void := t.Result.(ir.Void); !void && t.Result != nil {
		r := &ir.Reg{Name: "result", Type: t.Result}
		f.Regs = append(f.Regs, r)
		b.Instrs = append(b.Instrs, &ir.Havoc{Base: base, Dst: r, Outside: ir.IsPtr(t.Result)})
		ret.Val = ir.Use{Reg: r}
	}
	b.Term = ret
	f.Blocks = []*ir.Block{b}
	return f
}
