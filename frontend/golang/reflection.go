package golang

import (
	"go/types"
	"slices"
	"strconv"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// Library functions that print, encode, scan or fill values go through them by
// reflection, and call methods of what they find on the way: String of the elements of a
// slice, MarshalJSON of a struct's members. Such a visit is a function for each type from
// which one gets to methods of the program.

// visitor is the function that visits memory of a type; $at is where it lies.
type visitor struct {
	kind library.Visit
	t    types.Type
	top  bool // what a printed value is, not a part of it: there, pointers are followed
}

func (v visitor) key() string {
	return strconv.Itoa(int(v.kind)) + " " + boolName(v.top) + " " + form.Key(v.t)
}

func boolName(b bool) string {
	if b {
		return "top"
	}
	return "part"
}

// visit goes through a value as a library function does.
func (x *fn) visit(k library.Visit, t types.Type, v irgen.Value) {
	top := visitor{k, t, true}
	if x.Exact || !x.leadsToMethods(top, map[string]bool{}) {
		return
	}
	if ms := x.visitedMethods(k, t); len(ms) > 0 {
		x.repeat(func() {
			for _, m := range ms {
				f := x.method(t, m)
				x.CallFunc(f, append(append(irgen.Value{}, x.receiverFor(f, t, v)...), x.outside(f.Signature.Params())...), nil)
			}
		})
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		x.visitBox(top, v, u)
		return
	case *types.Pointer:
		if p := (visitor{k, u.Elem(), k != library.Printing}); !x.printsItself(top) && x.leadsToMethods(p, map[string]bool{}) {
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

// printsItself reports whether a printed value has a method for that: then its parts are
// not gone through.
func (l *lowering) printsItself(v visitor) bool {
	return v.kind == library.Printing && slices.ContainsFunc(l.visitedMethods(v.kind, v.t), func(m *types.Selection) bool {
		return slices.Contains(library.Formatters[:2], m.Obj().Name()) || m.Obj().Name() == "Format"
	})
}

// visitAt visits what lies at an address.
func (x *fn) visitAt(v visitor, at ir.Expr) {
	if x.leadsToMethods(v, map[string]bool{}) {
		x.Emit(&ir.Call{Base: x.Base(), Callee: ir.FuncAddr{Func: x.visitorOf(v)}, Args: []ir.Expr{irgen.Typed(at, ir.VPtr)}})
	}
}

func (l *lowering) visitorOf(v visitor) *ir.Func {
	if f := l.visitors[v.key()]; f != nil {
		return f
	}
	if l.visitors == nil {
		l.visitors = map[string]*ir.Func{}
	}
	f := &ir.Func{Name: l.Unique("visit " + l.TypeName(v.t)), Result: ir.Void{}, Params: []*ir.Reg{{Name: "$at", Type: ir.VPtr}}}
	l.visitors[v.key()] = f
	l.p.Funcs = append(l.p.Funcs, f)
	x := newFn(l, nil, f)
	x.Used = map[string]int{"$at": 1}
	x.Start(x.Block("entry"))
	at := irgen.Typed(ir.Use{Reg: f.Params[0]}, ir.Ptr{Elem: l.lay.Of(v.t).Mem})
	x.repeat(func() { x.visitMethods(v, at) })
	x.visitParts(v, at)
	x.GiveBack(nil)
	x.Prune()
	return f
}

// visitMethods calls the methods of the value itself. Encoders call those of pointers to
// it, too.
func (x *fn) visitMethods(v visitor, at ir.Expr) {
	for _, m := range x.visitedMethods(v.kind, v.t) {
		f := x.method(v.t, m)
		x.CallFunc(f, append(append(irgen.Value{}, x.receiverFor(f, v.t, x.Load(v.t, at, ir.Plain))...), x.outside(f.Signature.Params())...), nil)
	}
	if p := types.NewPointer(v.t); v.kind != library.Printing && addressed(v.t) {
		for _, m := range x.visitedMethods(v.kind, p) {
			f := x.method(p, m)
			x.CallFunc(f, append(append(irgen.Value{}, x.receiverFor(f, p, irgen.Value{at})...), x.outside(f.Signature.Params())...), nil)
		}
	}
}

// addressed reports whether methods of pointers to a type are methods of its own.
func addressed(t types.Type) bool {
	_, named := types.Unalias(t).(*types.Named)
	return named && !types.IsInterface(t)
}

// visitedMethods lists the methods of a type with bodies that a visit calls.
func (l *lowering) visitedMethods(k library.Visit, t types.Type) []*types.Selection {
	if types.IsInterface(t) || form.IsParam(t) {
		return nil
	}
	n, ok := types.Unalias(form.Deref(t)).(*types.Named)
	if _, anonymous := types.Unalias(form.Deref(t)).(*types.Struct); !ok && !anonymous || ok && !l.Own[n.Obj().Pkg()] {
		return nil
	}
	var out []*types.Selection
	ms := l.Prog.MethodSets.MethodSet(t)
	for i := range ms.Len() {
		sel := ms.At(i)
		m := sel.Obj().(*types.Func)
		if !m.Exported() || !k.Visited(m.Name()) {
			continue
		}
		if (m.Name() == "Error" || m.Name() == "String") && m.Type().(*types.Signature).Params().Len() != 0 && k != library.Templating {
			continue
		}
		if f := l.method(t, sel); f != nil && len(f.Blocks) > 0 {
			out = append(out, sel)
		}
	}
	return out
}

// visitParts visits what the value consists of, as far as it can be named from outside.
func (x *fn) visitParts(v visitor, at ir.Expr) {
	if x.printsItself(v) {
		return
	}
	part := func(t types.Type) visitor { return visitor{v.kind, t, v.kind != library.Printing} }
	switch u := v.t.Underlying().(type) {
	case *types.Struct:
		s, ok := x.lay.Of(v.t).Mem.(*ir.Struct)
		if _, _, special := x.Special(types.Unalias(v.t)); special || !ok || len(s.Fields) < u.NumFields() {
			return
		}
		for i := range u.NumFields() {
			if f := u.Field(i); (f.Exported() || f.Embedded()) && x.lay.Of(f.Type()).Mem.Size() > 0 {
				x.visitAt(part(f.Type()), ir.FieldAddr{Base: at, S: s, Index: i})
			}
		}
	case *types.Pointer:
		if v.kind == library.Printing && !v.top {
			return
		}
		p := x.Load(v.t, at, ir.Plain)[0]
		x.When(irgen.Not(irgen.IsNil(p)), func() { x.visitAt(part(u.Elem()), p) })
	case *types.Slice:
		if p := part(u.Elem()); x.leadsToMethods(p, map[string]bool{}) {
			s := x.Load(v.t, at, ir.Plain)
			x.When(irgen.Bin("gt", s[1], ir.IntConst(irgen.IntT, 0)), func() { x.visitAt(p, x.Element(s[0], u.Elem(), x.havoc(irgen.IntT))) })
		}
	case *types.Array:
		x.visitAt(part(u.Elem()), x.Element(at, u.Elem(), x.havoc(irgen.IntT)))
	case *types.Map:
		m := x.Load(v.t, at, ir.Plain)[0]
		x.When(irgen.Not(irgen.IsNil(m)), func() {
			k, e := x.mapEntry(m)
			x.visitAt(part(u.Key()), k)
			x.visitAt(part(u.Elem()), e)
		})
	case *types.Interface:
		x.visitBox(v, x.Load(v.t, at, ir.Plain), u)
	case *types.Signature:
		if v.kind == library.Templating {
			f := x.Load(v.t, at, ir.Plain)[0]
			x.When(irgen.Not(irgen.IsNil(f)), func() { x.repeat(func() { x.CallDynamic(u, f, x.outside(u.Params())) }) })
		}
	}
}

// visitBox visits what is in an interface.
func (x *fn) visitBox(v visitor, in irgen.Value, it *types.Interface) {
	done := map[string]bool{}
	for _, t := range x.mayBeIn(it) {
		p := visitor{v.kind, t, v.top}
		if done[form.Key(t)] || !types.Implements(t, it) || !x.leadsToMethods(p, map[string]bool{}) {
			continue
		}
		done[form.Key(t)] = true
		x.When(irgen.Bin("eq", in[0], x.Tag(t)), func() {
			x.visitAt(p, ir.FieldAddr{Base: ir.Cast{X: in[1], T: ir.Ptr{Elem: x.box}}, S: x.box, Index: x.boxMember(t)})
		})
	}
}

// mayBeIn lists the types of values that may be in an interface: those that the program
// puts into interfaces, and where it has no methods those that users of a library do.
func (l *lowering) mayBeIn(it *types.Interface) []types.Type {
	if !l.LibraryMode || it.NumMethods() > 0 {
		return l.Boxes
	}
	return append(slices.Clone(l.Boxes), l.usersTypes()...)
}

// leadsToMethods reports whether a visit may call methods of the program, or, in
// templates, its functions.
func (l *lowering) leadsToMethods(v visitor, seen map[string]bool) bool {
	if form.IsParam(v.t) || seen[v.key()] {
		return false
	}
	seen[v.key()] = true
	if len(l.visitedMethods(v.kind, v.t)) > 0 || v.kind != library.Printing && addressed(v.t) && len(l.visitedMethods(v.kind, types.NewPointer(v.t))) > 0 {
		return true
	}
	part := func(t types.Type) bool { return l.leadsToMethods(visitor{v.kind, t, v.kind != library.Printing}, seen) }
	switch u := v.t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if f := u.Field(i); (f.Exported() || f.Embedded()) && part(f.Type()) {
				return true
			}
		}
	case *types.Pointer:
		return (v.kind != library.Printing || v.top) && part(u.Elem())
	case *types.Slice:
		return part(u.Elem())
	case *types.Array:
		return part(u.Elem())
	case *types.Map:
		return part(u.Key()) || part(u.Elem())
	case *types.Interface:
		for _, t := range l.mayBeIn(u) {
			if types.Implements(t, u) && l.leadsToMethods(visitor{v.kind, t, v.top}, seen) {
				return true
			}
		}
	case *types.Signature:
		return v.kind == library.Templating
	}
	return false
}
