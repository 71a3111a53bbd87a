package golang

import (
	"go/types"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/ir"
)

// The program puts functions, interfaces and other things into the fields of library
// structs, of which library functions make use.

// maxFields is how deep library structs are gone through for what the program puts into
// their fields.
const maxFields = 3

// useFields is callAllFields for an object that a library object has, which reads the
// other fields that the program sets, too.
func (x *fn) useFields(p ir.Expr, n *types.Named) {
	x.When(irgen.Not(irgen.IsNil(p)), func() {
		x.readFields(p, n)
		x.callAllFields(p, n)
	})
}

// readFields reads the fields that the program sets of a library struct; in what is in
// them, callFields looks.
func (x *fn) readFields(p ir.Expr, n *types.Named) {
	st, ok := n.Underlying().(*types.Struct)
	if _, _, special := x.Special(n); !ok || special {
		return
	}
	for i := range st.NumFields() {
		if x.SetFields[n][i] {
			x.Load(st.Field(i).Type(), x.Member(p, n, i), ir.Plain)
		}
	}
}

// manyFields is from how many functions in the fields of a struct on their calls are a
// function of their own, not code at each call of the library: a command of a command
// line has half a dozen, and a program prints through it at hundreds of places.
const manyFields = 3

// callAllFields is callFields for a struct that a function is given.
func (x *fn) callAllFields(p ir.Expr, n *types.Named) {
	functions := 0
	if st, ok := n.Underlying().(*types.Struct); ok {
		for i := range x.SetFields[n] {
			if _, ok := st.Field(i).Type().Underlying().(*types.Signature); ok {
				functions++
			}
		}
	}
	if functions < manyFields {
		x.callFields(p, n, 0)
		return
	}
	x.assumeCallback(n)
	x.Emit(&ir.Call{Base: x.Base(), Callee: ir.FuncAddr{Func: x.fieldsUser(n)}, Args: []ir.Expr{irgen.Typed(p, ir.VPtr)}})
}

// fieldsUser is the function that calls what is in the fields of a struct of a type; $at
// is where it lies.
func (l *lowering) fieldsUser(n *types.Named) *ir.Func {
	if f := l.fieldsUsers[n]; f != nil {
		return f
	}
	if l.fieldsUsers == nil {
		l.fieldsUsers = map[*types.Named]*ir.Func{}
	}
	f := &ir.Func{Name: l.Unique("fields of " + l.TypeName(n)), Result: ir.Void{}, Params: []*ir.Reg{{Name: "$at", Type: ir.VPtr}}}
	l.fieldsUsers[n] = f
	l.p.Funcs = append(l.p.Funcs, f)
	x := newFn(l, nil, f)
	x.Used = map[string]int{"$at": 1}
	x.Start(x.Block("entry"))
	at := irgen.Typed(ir.Use{Reg: f.Params[0]}, ir.Ptr{Elem: l.lay.Of(n).Mem})
	x.When(irgen.Not(irgen.IsNil(at)), func() { x.callFields(at, n, 0) })
	x.GiveBack(nil)
	x.Prune()
	return f
}

// assumeCallback says what is taken to happen to the functions in the fields of a struct.
func (x *fn) assumeCallback(n *types.Named) {
	x.p.Assume("callback", x.Pos, "what is in the fields of a %s is called by the functions that are given it, before they return", x.TypeName(n))
}

// callFields calls what the program puts into the exported fields of a library struct,
// and of library structs that it puts there. Those are read.
func (x *fn) callFields(p ir.Expr, n *types.Named, depth int) {
	st, ok := n.Underlying().(*types.Struct)
	if _, _, special := x.Special(n); !ok || special || depth == maxFields {
		return
	}
	if depth > 0 {
		x.readFields(p, n)
	}
	for i := range st.NumFields() {
		if !x.SetFields[n][i] {
			continue
		}
		t := st.Field(i).Type()
		switch u := t.Underlying().(type) {
		case *types.Signature:
			x.assumeCallback(n)
		case *types.Interface:
			if x.MayCall(u) {
				x.assumeCallback(n)
			}
		}
		load := func() irgen.Value { return x.Load(t, x.Member(p, n, i), ir.Plain) }
		switch u := t.Underlying().(type) {
		case *types.Signature:
			f := load()
			x.When(irgen.Not(irgen.IsNil(f[0])), func() {
				x.repeatCall(u.Results(), func() irgen.Value { return x.CallDynamic(u, f[0], x.outside(u.Params())) })
			})
		case *types.Pointer:
			if in := x.WithFields(t); in != nil {
				v := load()
				x.When(irgen.Not(irgen.IsNil(v[0])), func() { x.callFields(v[0], in, depth+1) })
			}
			if in := x.KeepingType(t); in != nil && !x.Keepers[in].Empty() {
				v := load()
				x.When(irgen.Not(irgen.IsNil(v[0])), func() { x.callKeptBy(in, v[0]) })
			}
		case *types.Interface:
			if u.NumMethods() == 0 {
				continue
			}
			v := load()
			x.methodCallbacks(v, t, u)
			x.askedCallbacks(v, u, true)
			done := map[string]bool{}
			for _, b := range x.Boxes {
				if in := x.WithFields(b); in != nil && !done[form.Key(b)] && types.Implements(b, u) {
					done[form.Key(b)] = true
					x.When(irgen.Bin("eq", v[0], x.Tag(b)), func() { x.callFields(x.Unboxed(b, v[1])[0], in, depth+1) })
				}
			}
		}
	}
}

// callKeptBy calls what a library object keeps.
func (x *fn) callKeptBy(n *types.Named, p ir.Expr) {
	if at := x.keptIn(p, n); at != nil {
		x.serialised(n, p, func() { x.callKeptIn(x.keptValue(at), x.Keepers[n], 0) })
	}
}

// callValueFields is callFields for a struct that is no pointer.
func (x *fn) callValueFields(n *types.Named, v irgen.Value) {
	if _, ok := n.Underlying().(*types.Struct); !ok || x.lay.Of(n).Mem.Size() == 0 || len(v) != len(x.lay.Of(n).Leaves) {
		return
	}
	mem := x.lay.Of(n).Mem
	r := x.Temp(ir.Ptr{Elem: mem})
	x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: mem, Count: ir.IntConst(ir.U64, 1), Kind: "stack", Zero: true, Name: "receiver"})
	x.Store(n, ir.Use{Reg: r}, v, ir.Plain)
	x.callFields(ir.Use{Reg: r}, n, 0)
}
