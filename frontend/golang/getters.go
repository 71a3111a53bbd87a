package golang

import (
	"go/types"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// A library method that hands out a part of its receiver, such as
// (*cobra.Command).OutOrStdout, calls nothing that the receiver keeps, and what it
// returns is such a part or what it was given, not something new that wraps them. Which
// methods these are their source says, if it is there: read without types, and only what
// is obviously so counts.

// handsOutPart reports whether a call is one of a getter whose results are interfaces and
// plain values.
func (x *fn) handsOutPart(p *irgen.Call) bool {
	if x.Exact || p.Fn.Object() == nil || x.Own[p.Fn.Object().Pkg()] || !x.LibrarySources.Getter(p.Fn) {
		return false
	}
	for _, t := range form.ComponentTypes(p.Fn.Signature.Results()) {
		if it, ok := t.Underlying().(*types.Interface); form.IsParam(t) || !(ok && it.NumMethods() > 0) && x.hasPointers(t) {
			return false
		}
	}
	return true
}

// part is what such a call returns: it reads its receiver, and what that leads to, where
// it looks there. What objects of libraries without a model are made of is not known: it
// may be whatever they were given.
func (x *fn) part(p *irgen.Call, effect library.Op) irgen.Value {
	if at := p.Args[0][0]; ir.IsPtr(at.Type()) {
		in := &ir.Touch{Base: x.Base(), Addr: at, Read: true, Why: x.FuncName(p.Fn)}
		if in.Deep = x.LibrarySources.SourceOf(p.Fn).LooksFurther(p.Fn.Name()); !in.Deep {
			if in.Size = x.receiverSize(p.Fn.Signature); in.Size != nil {
				in.Addr = firstMember(at)
			}
		}
		x.Emit(in)
	}
	res := p.Fn.Signature.Results()
	switch {
	case effect != library.OpTouch:
		return x.keep(p, x.outside(res))
	case x.Confined():
		return x.keep(p, x.fromOutside(res, x.handsBack(x.FuncName(p.Fn), x.pointers(p))))
	}
	return x.keep(p, x.fromOutside(res, x.external(x.FuncName(p.Fn), x.pointers(p))))
}

// orPart makes a result of type t possibly be what the receiver of a getter keeps, or
// what the program put into one of its fields.
func (x *fn) orPart(p *irgen.Call, t types.Type, v irgen.Value, hs []given) {
	it, ok := t.Underlying().(*types.Interface)
	if !ok || form.IsParam(t) {
		return
	}
	for _, h := range hs {
		if h.kept {
			copy(v, x.either(t, v, h.v))
		}
	}
	n, ok := types.Unalias(form.Deref(p.Fn.Signature.Recv().Type())).(*types.Named)
	if !ok || len(x.SetFields[n]) == 0 || !ir.IsPtr(p.Args[0][0].Type()) {
		return
	}
	st, ok := n.Underlying().(*types.Struct)
	if _, _, special := x.Special(n); !ok || special {
		return
	}
	for i := range st.NumFields() {
		ft := st.Field(i).Type()
		if x.SetFields[n][i] && types.IsInterface(ft) && types.Implements(ft, it) {
			dst := x.Zeroed(t)
			x.When(irgen.Not(irgen.IsNil(p.Args[0][0])), func() { x.AssignAll(dst, x.Load(ft, x.Member(p.Args[0][0], n, i), ir.Plain)) })
			copy(v, x.either(t, v, irgen.UseAll(dst)))
		}
	}
}
