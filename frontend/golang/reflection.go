package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/retained"
	"whoop/ir"
)

// Library functions that print, encode, scan or fill values go through them by
// reflection, and call methods of what they find on the way: String of the elements of a
// slice, MarshalJSON of a struct's members. Such a visit is a function for each type from
// which one gets to methods of the program.

// visit goes through a value as a library function does.
func (x *fn) visit(k library.Visit, t types.Type, v irgen.Value) {
	top := retained.Visitor{Kind: k, T: t, Top: true}
	if x.Exact || !x.LeadsToMethods(top) {
		return
	}
	if form.IsParam(t) {
		x.visitChosen(top)
		return
	}
	if ms := x.VisitedMethods(k, t); len(ms) > 0 {
		x.repeat(func() {
			for _, m := range ms {
				f := x.Method(t, m)
				x.CallFunc(f, append(append(irgen.Value{}, x.receiverFor(f, t, v)...), x.outside(f.Signature.Params())...), nil)
			}
		})
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		x.visitBox(top, v, u)
		return
	case *types.Pointer:
		if p := (retained.Visitor{Kind: k, T: u.Elem(), Top: k != library.Printing}); !x.PrintsItself(top) && x.LeadsToMethods(p) {
			x.When(irgen.Not(irgen.IsNil(v[0])), func() { x.visitAt(p, v[0]) })
		}
		return
	}
	mem := x.lay.Of(t).Mem
	if mem.Size() == 0 {
		return
	}
	r := x.Temp(ir.Ptr{Elem: mem})
	x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: mem, Count: ir.IntConst(ir.U64, 1), Kind: "stack", Zero: true, Name: "visited"})
	x.Store(t, ir.Use{Reg: r}, v, ir.Plain)
	x.visitAt(top, ir.Use{Reg: r})
}

// visitChosen visits a value whose type is a type parameter: users chose the type, which
// may be one of the library's, and the value is one that they have.
func (x *fn) visitChosen(v retained.Visitor) {
	for _, t := range x.Chosen(v) {
		x.When(irgen.Cond(x.havoc(irgen.BoolT)), func() { x.visit(v.Kind, t, x.fromUser(t)) })
	}
}

// visitAt visits what lies at an address.
func (x *fn) visitAt(v retained.Visitor, at ir.Expr) {
	if form.IsParam(v.T) {
		x.visitChosen(v)
		return
	}
	if x.LeadsToMethods(v) {
		x.Emit(&ir.Call{Base: x.Base(), Callee: ir.FuncAddr{Func: x.visitorOf(v)}, Args: []ir.Expr{irgen.Typed(at, ir.VPtr)}})
	}
}

func (l *lowering) visitorOf(v retained.Visitor) *ir.Func {
	if f := l.visitors[v.Key()]; f != nil {
		return f
	}
	if l.visitors == nil {
		l.visitors = map[string]*ir.Func{}
	}
	f := &ir.Func{Name: l.Unique("visit " + l.TypeName(v.T)), Result: ir.Void{}, Params: []*ir.Reg{{Name: "$at", Type: ir.VPtr}}}
	l.visitors[v.Key()] = f
	l.p.Funcs = append(l.p.Funcs, f)
	x := newFn(l, nil, f)
	x.Used = map[string]int{"$at": 1}
	x.Start(x.Block("entry"))
	at := irgen.Typed(ir.Use{Reg: f.Params[0]}, ir.Ptr{Elem: l.lay.Of(v.T).Mem})
	x.repeat(func() { x.visitMethods(v, at) })
	x.visitParts(v, at)
	x.GiveBack(nil)
	x.Prune()
	return f
}

// visitMethods calls the methods of the value itself. Encoders call those of pointers to
// it, too.
func (x *fn) visitMethods(v retained.Visitor, at ir.Expr) {
	for _, m := range x.VisitedMethods(v.Kind, v.T) {
		f := x.Method(v.T, m)
		out := x.CallFunc(f, append(append(irgen.Value{}, x.receiverFor(f, v.T, x.Load(v.T, at, ir.Plain))...), x.outside(f.Signature.Params())...), nil)
		x.keepVisited(v, f, out)
	}
	if p := types.NewPointer(v.T); v.Kind != library.Printing && retained.Addressed(v.T) {
		for _, m := range x.VisitedMethods(v.Kind, p) {
			f := x.Method(p, m)
			out := x.CallFunc(f, append(append(irgen.Value{}, x.receiverFor(f, p, irgen.Value{at})...), x.outside(f.Signature.Params())...), nil)
			x.keepVisited(v, f, out)
		}
	}
}

// keepVisited keeps what a method returned that may have been called by reflect's Call.
func (x *fn) keepVisited(v retained.Visitor, f *ssa.Function, out irgen.Value) {
	if v.Kind == library.Templating {
		x.keepReflected(f.Signature, out)
	}
}

// visitParts visits what the value consists of, as far as it can be named from outside.
func (x *fn) visitParts(v retained.Visitor, at ir.Expr) {
	if x.PrintsItself(v) {
		return
	}
	part := func(t types.Type) retained.Visitor {
		return retained.Visitor{Kind: v.Kind, T: t, Top: v.Kind != library.Printing}
	}
	switch u := v.T.Underlying().(type) {
	case *types.Struct:
		s, ok := x.lay.Of(v.T).Mem.(*ir.Struct)
		if _, _, special := x.Special(types.Unalias(v.T)); special || !ok || len(s.Fields) < u.NumFields() {
			return
		}
		for i := range u.NumFields() {
			if f := u.Field(i); (f.Exported() || f.Embedded()) && x.lay.Of(f.Type()).Mem.Size() > 0 {
				x.visitAt(part(f.Type()), ir.FieldAddr{Base: at, S: s, Index: i})
			}
		}
	case *types.Pointer:
		if v.Kind == library.Printing && !v.Top {
			return
		}
		p := x.Load(v.T, at, ir.Plain)[0]
		x.When(irgen.Not(irgen.IsNil(p)), func() { x.visitAt(part(u.Elem()), p) })
	case *types.Slice:
		if p := part(u.Elem()); x.LeadsToMethods(p) {
			s := x.Load(v.T, at, ir.Plain)
			x.When(irgen.Bin("gt", s[1], ir.IntConst(irgen.IntT, 0)), func() { x.visitAt(p, x.Element(s[0], u.Elem(), x.havoc(irgen.IntT))) })
		}
	case *types.Array:
		x.visitAt(part(u.Elem()), x.Element(at, u.Elem(), x.havoc(irgen.IntT)))
	case *types.Map:
		m := x.Load(v.T, at, ir.Plain)[0]
		x.When(irgen.Not(irgen.IsNil(m)), func() {
			k, e := x.mapEntry(m)
			x.visitAt(part(u.Key()), k)
			x.visitAt(part(u.Elem()), e)
		})
	case *types.Interface:
		x.visitBox(v, x.Load(v.T, at, ir.Plain), u)
	case *types.Signature:
		if v.Kind == library.Templating {
			f := x.Load(v.T, at, ir.Plain)[0]
			x.When(irgen.Not(irgen.IsNil(f)), func() { x.repeat(func() { x.keepReflected(u, x.CallDynamic(u, f, x.outside(u.Params()))) }) })
		}
	}
}

// visitBox visits what is in an interface. Where that may be of many types, a function
// does it: places times types are many.
func (x *fn) visitBox(v retained.Visitor, in irgen.Value, it *types.Interface) {
	ts := x.visitedIn(v, it)
	if len(ts) <= fewBoxes {
		x.visitTypes(v, ts, in)
		return
	}
	id := "visit " + retained.Visitor{Kind: v.Kind, T: it, Top: v.Top}.Key()
	f := x.outlined(id, "visit what is in an interface", func(y *fn, in irgen.Value) {
		y.Pos = ir.Pos{}
		y.visitTypes(v, ts, in)
	})
	x.Emit(&ir.Call{Base: x.Base(), Callee: ir.FuncAddr{Func: f}, Args: []ir.Expr{in[0], irgen.Typed(in[1], ir.VPtr)}})
}

// visitedIn lists the types of what may be in an interface that a visit looks at.
func (x *fn) visitedIn(v retained.Visitor, it *types.Interface) []types.Type {
	var out []types.Type
	done := map[string]bool{}
	for _, t := range x.MayBeIn(it) {
		k := form.Key(t)
		if done[k] || !types.Implements(t, it) || !x.LeadsToMethods(retained.Visitor{Kind: v.Kind, T: t, Top: v.Top}) {
			continue
		}
		done[k] = true
		out = append(out, t)
	}
	return out
}

// visitTypes visits what is in an interface that is of one of these types.
func (x *fn) visitTypes(v retained.Visitor, ts []types.Type, in irgen.Value) {
	for _, t := range ts {
		p := retained.Visitor{Kind: v.Kind, T: t, Top: v.Top}
		x.When(irgen.Bin("eq", in[0], x.Tag(t)), func() {
			x.visitAt(p, ir.FieldAddr{Base: ir.Cast{X: in[1], T: ir.Ptr{Elem: x.box}}, S: x.box, Index: x.boxMember(t)})
		})
	}
}
