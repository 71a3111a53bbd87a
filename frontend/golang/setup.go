package golang

import (
	"cmp"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/world"
	"whoop/ir"
)

// What users may do before they use a library from several goroutines: switch something
// on, register something, set a member by a function. Exported functions and methods that
// are no entry points are called at the end of the initialisation, any number of times.

// setUp calls these functions, any number of times, with what users may have.
func (x *fn) setUp(fs []*ssa.Function, roots []world.Root) {
	x.usersLook(roots)
	if len(fs) == 0 {
		return
	}
	x.repeat(func() {
		for _, n := range x.Sharing.Sorted() {
			x.exported(n)
		}
		x.AnyOf(len(fs), func(i int) {
			x.Pos = x.lowering.Pos(fs[i].Pos())
			var args irgen.Value
			for _, p := range fs[i].Params {
				args = append(args, x.fromUser(p.Type())...)
			}
			made := x.calledByUser(fs[i], args)
			if x.Sharing != nil && x.Sharing.Makes(fs[i].Signature) {
				x.keepValues(fs[i], made)
				x.startLater(fs[i], made)
			}
			x.useSessions(form.ComponentTypes(fs[i].Signature.Results()), made, true)
			x.handOut(made)
			x.handMembers(fs[i].Signature.Results(), made, 0)
		})
	})
}

// fromUser is a value that users of a library may have: of the types of receivers that is
// the receiver, of others what they made or got.
func (x *fn) fromUser(t types.Type) irgen.Value {
	if g := x.receiverOf(t); g != nil {
		return irgen.Value{ir.GlobalAddr{Global: g}}
	}
	user := x.external("user", nil)
	v := x.fromOutside(t, user)
	if sig, ok := t.Underlying().(*types.Signature); ok && x.Sharing != nil && x.Sharing.C.Given(sig) {
		// users have got such a function
		v = x.either(t, v, irgen.Value{irgen.Typed(user(ir.Ptr{Elem: x.header}), irgen.FuncT)})
	}
	_, number := t.Underlying().(*types.Basic)
	if n, ok := types.Unalias(t).(*types.Named); ok && !number && n.Obj().Pkg() != nil && x.Own[n.Obj().Pkg()] && n.TypeParams().Len() == 0 {
		if mem := x.lay.Of(t).Mem; mem.Size() > 0 && len(v) > 0 { // a copy of one that they have
			p := user(ir.Ptr{Elem: mem})
			dst := x.Zeroed(t)
			x.AssignAll(dst, v)
			x.When(irgen.Not(irgen.IsNil(p)), func() { x.AssignAll(dst, x.Load(t, p, ir.Plain)) })
			return irgen.UseAll(dst)
		}
	}
	return v
}

// handMembers hands out the exported members of what users get that are values of types of
// which two may share something: users call their methods.
func (x *fn) handMembers(t types.Type, v irgen.Value, depth int) {
	if x.Sharing == nil || len(x.Sharing.Shared) == 0 || depth > maxFields || len(v) == 0 {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Tuple, *types.Struct:
		if !x.inParts(t, len(v)) {
			return // a type of a library that is not represented by its members
		}
		at := 0
		for i, m := range membersOf(t) {
			n := len(x.lay.Of(m).Leaves)
			if st, ok := u.(*types.Struct); !ok || st.Field(i).Exported() {
				x.handMembers(m, v[at:at+n], depth)
			}
			at += n
		}
	case *types.Pointer:
		x.handMembersOf(u.Elem(), v[0], depth)
	case *types.Slice:
		x.handMembersOf(u.Elem(), v[0], depth)
	}
}

// inParts reports whether a struct or tuple is represented by its parts, in n scalars.
func (x *fn) inParts(t types.Type, n int) bool {
	for _, m := range membersOf(t) {
		n -= len(x.lay.Of(m).Leaves)
	}
	return n == 0
}

// membersOf lists the types of the parts of a struct or tuple.
func membersOf(t types.Type) []types.Type {
	if tu, ok := t.(*types.Tuple); ok {
		return form.ComponentTypes(tu)
	}
	var out []types.Type
	for f := range t.Underlying().(*types.Struct).Fields() {
		out = append(out, f.Type())
	}
	return out
}

// handMembersOf is handMembers for what a pointer leads to.
func (x *fn) handMembersOf(t types.Type, p ir.Expr, depth int) {
	if a, ok := t.Underlying().(*types.Array); ok {
		t = a.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	s, is := x.lay.Of(t).Mem.(*ir.Struct)
	if _, _, special := x.Special(types.Unalias(t)); special || !ok || !is ||
		len(s.Fields) < st.NumFields() {
		return
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		if !f.Exported() && !f.Embedded() || !x.Sharing.LeadsToShared(f.Type()) {
			continue
		}
		x.When(irgen.Not(irgen.IsNil(p)), func() {
			at := ir.FieldAddr{Base: irgen.Typed(p, ir.Ptr{Elem: s}), S: s, Index: i}
			if form.IsStruct(f.Type()) {
				x.handOut(irgen.Value{at})
				x.handMembersOf(f.Type(), at, depth+1)
			} else {
				x.handMembers(f.Type(), x.Load(f.Type(), at, ir.Plain), depth+1)
			}
		})
	}
}

// usersLook reads what users may read by themselves while goroutines of the initialisation
// run.
func (x *fn) usersLook(roots []world.Root) {
	members, vars := x.SeenAtStart(roots)
	look := func(what string, t types.Type, at ir.Expr) {
		x.Emit(&ir.Touch{Base: x.Base(), Addr: at, Read: true, Named: true, Why: "who reads " + what})
		if !world.IsContents(t) {
			return
		}
		for _, p := range pointersOf(x.Load(t, at, ir.Plain)) {
			x.Emit(&ir.Touch{Base: x.Base(), Addr: p, Read: true, Named: true, Why: "who reads " + what})
		}
	}
	for _, g := range vars {
		x.Pos = x.lowering.Pos(g.Pos())
		look("variable "+g.Name(), form.Deref(g.Type()), ir.GlobalAddr{Global: x.global(g)})
	}
	named := slices.SortedFunc(maps.Keys(members), func(a, b *types.Named) int { return cmp.Compare(a.Obj().Pos(), b.Obj().Pos()) })
	for _, n := range named {
		st := n.Underlying().(*types.Struct)
		mem, ok := x.lay.Of(n).Mem.(*ir.Struct)
		if _, _, special := x.Special(n); special || !ok || len(mem.Fields) < st.NumFields() {
			continue
		}
		p := x.external("user", nil)(ir.Ptr{Elem: mem})
		x.When(irgen.Not(irgen.IsNil(p)), func() {
			for _, i := range members[n] {
				x.Pos = x.lowering.Pos(st.Field(i).Pos())
				look("member "+st.Field(i).Name()+" of a "+x.TypeName(n), st.Field(i).Type(), ir.FieldAddr{Base: p, S: mem, Index: i})
			}
		})
	}
}
