package golang

import (
	"go/types"
	"strconv"

	"whoop/frontend/golang/form"
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
func (x *fn) onceFuncOp(p *prepared) value {
	sig := types.NewSignatureType(nil, nil, nil, nil, p.fn.Signature.Results().At(0).Type().Underlying().(*types.Signature).Results(), false)
	var of *onceFunc
	var obj ir.Expr
	// there is one
	if x.site != nil && x.sf != nil && !form.OnCycle(x.site.Block()) && (x.sf.Synthetic == "package initializer" || x.once.Runs(x.sf)) {
		of = x.onceFuncStruct(sig)
		g := x.newGlobal("once function", of.s, x.pos)
		obj = ir.GlobalAddr{Global: g}
		x.onceBody(of, sig, obj)
	} else {
		of = x.onceFuncOf(sig)
		r := x.reg("&once", ir.Ptr{Elem: of.s})
		x.emit(&ir.Alloc{Base: x.base(), Dst: r, Elem: of.s, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true})
		obj = ir.Use{Reg: r}
	}
	at := func(i int) ir.Expr { return ir.FieldAddr{Base: obj, S: of.s, Index: i} }
	x.putCode(at(0), sig, ir.FuncAddr{Func: of.code})
	x.emit(&ir.Store{Base: x.base(), Addr: at(3), Val: p.args[0][0], Order: ir.Plain})
	return value{ir.Cast{X: obj, T: funcT}}
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
	of := &onceFunc{s: x.lay.newStruct("once function"), first: 4}
	of.s.Fields = []ir.Field{{Name: "__func", Type: x.header, Const: true}}
	off := x.header.Bytes
	add := func(name string, t ir.Type, fixed bool) {
		off = roundUp(off, max(min(t.Size(), 8), 1))
		of.s.Fields = append(of.s.Fields, ir.Field{Name: name, Type: t, Offset: off, Const: fixed})
		off += t.Size()
	}
	add("__done", ir.U32, false)
	add("__mutex", ir.U32, false)
	add("__f", funcT, true)
	for i := range sig.Results().Len() {
		add("__r"+strconv.Itoa(i), x.lay.of(sig.Results().At(i).Type()).mem, false)
	}
	of.s.Bytes = roundUp(off, 8)
	of.code = x.signature("once function", sig)
	x.codes = append(x.codes, of.code)
	return of
}

// onceBody makes the code, for the object self or, where that is nil, the captured one:
// see onceOp.
func (x *fn) onceBody(of *onceFunc, sig *types.Signature, self ir.Expr) {
	y := newFn(x.lowering, nil, of.code)
	y.pos = x.pos
	for _, p := range of.code.Params {
		y.used[p.Name]++
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
	y.start(y.block("entry"))
	y.emit(&ir.Lock{Base: y.base(), Lock: at(2), Mode: ir.Exclusive, Class: "once"})
	done, f := y.temp(ir.U32), y.temp(funcT)
	y.emit(&ir.Load{Base: y.base(), Dst: done, Addr: at(1), Order: ir.SeqCst})
	y.when(isNil(ir.Use{Reg: done}), func() {
		y.emit(&ir.Load{Base: y.base(), Dst: f, Addr: at(3), Order: ir.Plain})
		out, n := y.callDynamic(sig, ir.Use{Reg: f}, nil), 0
		for i := range sig.Results().Len() {
			t := sig.Results().At(i).Type()
			n += len(x.lay.of(t).leaves)
			y.store(t, at(of.first+i), out[n-len(x.lay.of(t).leaves):n], ir.Plain)
		}
		y.emit(&ir.Store{Base: y.base(), Addr: at(1), Val: ir.IntConst(ir.U32, 1), Order: ir.SeqCst})
	})
	y.emit(&ir.Unlock{Base: y.base(), Lock: at(2), Mode: ir.Exclusive, Class: "once"})
	y.emit(&ir.Lock{Base: y.base(), Lock: at(2), Mode: ir.Shared, Class: "once"})
	var out value
	for i := range sig.Results().Len() {
		out = append(out, y.load(sig.Results().At(i).Type(), at(of.first+i), ir.Plain)...)
	}
	y.giveBack(out)
	y.prune()
}
