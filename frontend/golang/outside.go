package golang

import (
	"go/types"

	"whoop/ir"
)

// unknownFunc is a function value that comes from outside: calling it reads and writes whatever it is given leads to.
func (l *lowering) unknownFunc(sig *types.Signature) ir.Expr {
	sig = types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	k := key(sig)
	g := l.unknown[k]
	if g == nil {
		g = l.newGlobal("func from outside", l.header, ir.Pos{})
		g.Const = true
		l.unknown[k] = g
		code := l.outsideBody(sig)
		g.Init = []ir.InitCell{{Type: codePtr, Value: ir.FuncAddr{Func: code}}}
		l.mention(g)
	}
	return ir.Cast{X: ir.GlobalAddr{Global: g}, T: funcT}
}

// mention makes a function value known in the initialisation of libraries: values from outside may be it.
func (l *lowering) mention(g *ir.Global) {
	if l.initFunc == nil {
		return
	}
	r := &ir.Reg{Name: "outside#" + itoa(len(l.initFunc.Regs)), Type: funcT}
	l.initFunc.Regs = append(l.initFunc.Regs, r)
	first := l.initFunc.Blocks[0]
	first.Instrs = append(first.Instrs, &ir.Assign{Dst: r, X: ir.Cast{X: ir.GlobalAddr{Global: g}, T: funcT}})
}

// outsideBody is the code of a function from outside.
func (l *lowering) outsideBody(sig *types.Signature) *ir.Func {
	f := &ir.Func{Name: l.unique("function from outside")}
	x := newFn(l, nil, f)
	var args value
	for i, t := range paramTypes(sig) {
		for _, lf := range l.lay.of(t).leaves {
			r := &ir.Reg{Name: join("p"+itoa(i), lf.name), Type: lf.t}
			f.Params = append(f.Params, r)
			args = append(args, ir.Use{Reg: r})
		}
	}
	var ret *ir.Struct
	f.Result, ret = l.results(sig)
	if ret != nil {
		x.ret = &ir.Reg{Name: "$results", Type: ir.Ptr{Elem: ret}}
		f.Params = append(f.Params, x.ret)
	}
	f.Params = append(f.Params, &ir.Reg{Name: "$captured", Type: funcT})
	for _, p := range f.Params {
		x.used[p.Name]++
	}
	l.p.Funcs = append(l.p.Funcs, f)
	x.start(x.block("entry"))
	given := pointersOf(args)
	if len(given) == 0 {
		x.giveBack(x.outside(sig.Results()))
	} else {
		ext := x.external(f.Name+" (body)", given)
		ext(ir.VPtr)
		x.giveBack(x.fromOutside(sig.Results(), ext))
	}
	x.prune()
	return f
}
