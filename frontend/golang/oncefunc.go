package golang

import (
	"go/types"
	"strconv"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// onceFunc is what sync.OnceFunc and its like make for a signature: the function, and the
// object that is its value.
type onceFunc struct {
	s    *ir.Struct
	code *ir.Func
	// first is the index of the first result in s; before it are the header, done, the
	// lock, and the function.
	first int
}

// onceFuncOp is sync.OnceFunc, OnceValue or OnceValues: a function that calls the given
// one the first time, as a sync.Once does.
func (x *fn) onceFuncOp(p *irgen.Call) irgen.Value {
	sig := types.NewSignatureType(nil, nil, nil, nil, p.Fn.Signature.Results().At(0).Type().Underlying().(*types.Signature).Results(), false)
	var of *onceFunc
	var obj ir.Expr
	// there is one
	if x.Site != nil && x.Sf != nil && !form.OnCycle(x.Site.Block()) && (x.Sf.Synthetic == "package initializer" || x.once.Runs(x.Sf)) {
		of = x.onceFuncStruct(sig)
		g := x.NewGlobal("once function", of.s, x.Pos)
		obj = ir.GlobalAddr{Global: g}
		x.onceBody(of, sig, obj)
	} else {
		of = x.onceFuncOf(sig)
		r := x.Reg("&once", ir.Ptr{Elem: of.s})
		x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: of.s, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true})
		obj = ir.Use{Reg: r}
	}
	at := func(i int) ir.Expr { return ir.FieldAddr{Base: obj, S: of.s, Index: i} }
	x.putCode(at(0), sig, ir.FuncAddr{Func: of.code})
	x.Emit(&ir.Store{Base: x.Base(), Addr: at(3), Val: p.Args[0][0], Order: ir.Plain})
	return irgen.Value{ir.Cast{X: obj, T: irgen.FuncT}}
}

func (x *fn) onceFuncOf(sig *types.Signature) *onceFunc {
	if of := x.onceFuncs[form.Key(sig)]; of != nil {
		return of
	}
	of := x.onceFuncStruct(sig)
	if x.onceFuncs == nil {
		x.onceFuncs = map[string]*onceFunc{}
	}
	x.onceFuncs[form.Key(sig)] = of
	x.onceBody(of, sig, nil)
	return of
}

// onceFuncStruct makes the object's type and declares the code.
func (x *fn) onceFuncStruct(sig *types.Signature) *onceFunc {
	of := &onceFunc{s: x.lay.NewStruct("once function"), first: 4}
	of.s.Fields = []ir.Field{{Name: "__func", Type: x.header, Const: true}}
	off := x.header.Bytes
	add := func(name string, t ir.Type, fixed bool) {
		off = irgen.RoundUp(off, max(min(t.Size(), 8), 1))
		of.s.Fields = append(of.s.Fields, ir.Field{Name: name, Type: t, Offset: off, Const: fixed})
		off += t.Size()
	}
	add("__done", ir.U32, false)
	add("__mutex", ir.U32, false)
	add("__f", irgen.FuncT, true)
	for i := range sig.Results().Len() {
		add("__r"+strconv.Itoa(i), x.lay.Of(sig.Results().At(i).Type()).Mem, false)
	}
	of.s.Bytes = irgen.RoundUp(off, 8)
	of.code = x.signature("once function", sig)
	x.codes = append(x.codes, of.code)
	return of
}

// onceBody makes the code, for the object self or, where that is nil, the captured one:
// see onceOp.
func (x *fn) onceBody(of *onceFunc, sig *types.Signature, self ir.Expr) {
	y := newFn(x.lowering, nil, of.code)
	y.Pos = x.Pos
	for _, p := range of.code.Params {
		y.Used[p.Name]++
		switch p.Name {
		case "$results":
			y.ret = p
		case ir.Captured:
			if self == nil {
				self = ir.Cast{X: ir.Use{Reg: p}, T: ir.Ptr{Elem: of.s}}
			}
		}
	}
	at := func(i int) ir.Expr { return ir.FieldAddr{Base: self, S: of.s, Index: i} }
	y.Start(y.Block("entry"))
	y.Emit(&ir.Lock{Base: y.Base(), Lock: at(2), Mode: ir.Exclusive, Class: ir.ClassOnce})
	done, f := y.Temp(ir.U32), y.Temp(irgen.FuncT)
	y.Emit(&ir.Load{Base: y.Base(), Dst: done, Addr: at(1), Order: ir.SeqCst})
	y.When(irgen.IsNil(ir.Use{Reg: done}), func() {
		y.Emit(&ir.Load{Base: y.Base(), Dst: f, Addr: at(3), Order: ir.Plain})
		out, n := y.CallDynamic(sig, ir.Use{Reg: f}, nil), 0
		for i := range sig.Results().Len() {
			t := sig.Results().At(i).Type()
			n += len(x.lay.Of(t).Leaves)
			y.Store(t, at(of.first+i), out[n-len(x.lay.Of(t).Leaves):n], ir.Plain)
		}
		y.Emit(&ir.Store{Base: y.Base(), Addr: at(1), Val: ir.IntConst(ir.U32, 1), Order: ir.SeqCst})
	})
	y.Emit(&ir.Unlock{Base: y.Base(), Lock: at(2), Mode: ir.Exclusive, Class: ir.ClassOnce})
	y.Emit(&ir.Lock{Base: y.Base(), Lock: at(2), Mode: ir.Shared, Class: ir.ClassOnce})
	var out irgen.Value
	for i := range sig.Results().Len() {
		out = append(out, y.Load(sig.Results().At(i).Type(), at(of.first+i), ir.Plain)...)
	}
	y.GiveBack(out)
	y.Prune()
}
