package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/world"
	"whoop/ir"
)

// useSessions runs the methods of the session values among what somebody gets: begun says
// that they are results, which he may end.
func (x *fn) useSessions(ts []types.Type, v irgen.Value, begun bool) {
	for _, t := range ts {
		n := len(x.lay.Of(t).Leaves)
		x.useWithin(t, v[:n], begun, 0)
		v = v[n:]
	}
}

// useWithin is useSessions for what one value leads to.
func (x *fn) useWithin(t types.Type, v irgen.Value, begun bool, depth int) {
	if x.IsSessionValue(t) {
		if x.making[x.Sessions[types.Unalias(form.Deref(t)).(*types.Named).Origin()]] {
			return
		}
		p := v
		if !form.IsPointer(t) { // a copy, which the methods get by its address
			mem := x.lay.Of(t).Mem
			elem := irgen.Sized(mem)
			r := x.Temp(ir.Ptr{Elem: elem})
			x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: elem, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true})
			p = irgen.Value{irgen.Typed(ir.Use{Reg: r}, ir.Ptr{Elem: mem})}
			if len(v) > 0 {
				x.Store(t, p[0], v, ir.Plain)
			}
		}
		f := x.sessionFunc(types.Unalias(form.Deref(t)).(*types.Named), p[0].Type(), begun)
		x.When(irgen.Not(irgen.IsNil(p[0])), func() { x.Emit(&ir.Call{Base: x.Base(), Callee: ir.FuncAddr{Func: f}, Args: []ir.Expr{p[0]}}) })
		return
	}
	if !x.HasSessions(t, depth) {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		st := u.Elem().Underlying().(*types.Struct)
		x.When(irgen.Not(irgen.IsNil(v[0])), func() {
			for i := range st.NumFields() {
				if f := st.Field(i).Type(); st.Field(i).Exported() && x.LeadsOn(f, depth+2) {
					x.useWithin(f, x.Load(f, x.Member(v[0], u.Elem(), i), ir.Plain), begun, depth+2)
				}
			}
		})
	case *types.Array:
		if k := len(x.lay.Of(u.Elem()).Leaves); len(v) == 1 && x.lay.Of(t).Leaves[0].Blob != nil {
			x.useWithin(u.Elem(), x.Load(u.Elem(), x.Element(v[0], u.Elem(), x.havoc(irgen.IntT)), ir.Plain), begun, depth+1)
		} else {
			for ; len(v) > 0; v = v[k:] {
				x.useWithin(u.Elem(), v[:k], begun, depth+1)
			}
		}
	case *types.Slice:
		x.When(irgen.Bin("gt", v[1], ir.IntConst(irgen.IntT, 0)), func() {
			x.useWithin(u.Elem(), x.Load(u.Elem(), x.Element(v[0], u.Elem(), x.havoc(irgen.IntT)), ir.Plain), begun, depth+1)
		})
	case *types.Map:
		x.When(irgen.Not(irgen.IsNil(v[0])), func() {
			k, e := x.mapEntry(v[0])
			if x.LeadsOn(u.Key(), depth+1) {
				x.useWithin(u.Key(), x.Load(u.Key(), k, ir.Relaxed), begun, depth+1)
			}
			if x.LeadsOn(u.Elem(), depth+1) {
				x.useWithin(u.Elem(), x.Load(u.Elem(), e, ir.Relaxed), begun, depth+1)
			}
		})
	case *types.Chan:
		x.When(irgen.Not(irgen.IsNil(v[0])), func() { x.useWithin(u.Elem(), x.receive(v[0], u.Elem(), false), begun, depth+1) })
	case *types.Struct:
		at := 0
		for i := range u.NumFields() {
			k := len(x.lay.Of(u.Field(i).Type()).Leaves)
			if u.Field(i).Exported() {
				x.useWithin(u.Field(i).Type(), v[at:at+k], begun, depth+1)
			}
			at += k
		}
	}
}

// sessionOf is a session that somebody began, or was given.
type sessionOf struct {
	of    string // the type, or the instance of a generic one
	begun bool
}

// sessionFunc is the function that stands for what a goroutine does with a session value.
// One that it began it may end.
func (l *lowering) sessionFunc(n *types.Named, t ir.Type, begun bool) *ir.Func {
	s, name := l.Sessions[n.Origin()], "use of "
	if begun {
		name = "session of "
	}
	key := sessionOf{form.Key(form.General(n)), begun}
	if f := l.sessionFuncs[key]; f != nil {
		return f
	}
	uses, ends, unknown := s.UsesOf(n)
	p := &ir.Reg{Name: "session", Type: t}
	f := &ir.Func{Name: l.Unique(name + l.TypeName(n)), Params: []*ir.Reg{p}, Result: ir.Void{}, Pos: l.Pos(n.Obj().Pos())}
	l.sessionFuncs[key] = f
	if unknown != "" {
		l.p.Funcs = append(l.p.Funcs, f)
		l.giveUp(f, f.Pos, unknown)
		return f
	}
	l.making[s] = true
	defer func() { l.making[s] = false }()
	l.p.Funcs = append(l.p.Funcs, f)
	x := newFn(l, nil, f)
	x.Used[p.Name]++
	x.Start(x.Block("entry"))
	have := x.sessionValues(uses)
	x.repeat(func() { x.useSession(s, uses, ir.Use{Reg: p}, have) })
	if begun {
		x.useSession(s, ends, ir.Use{Reg: p}, have)
	}
	x.GiveBack(nil)
	x.Prune()
	return f
}

// sessionValues makes a variable for each type of which the methods of a session return
// pointers: what they returned is what they are given.
func (x *fn) sessionValues(uses []*ssa.Function) map[types.Type]*ir.Reg {
	have := map[types.Type]*ir.Reg{}
	for _, f := range uses {
		for _, t := range form.ComponentTypes(f.Signature.Results()) {
			n, ok := types.Unalias(form.Deref(t)).(*types.Named)
			if _, isPtr := t.Underlying().(*types.Pointer); ok && isPtr && x.Own[n.Obj().Pkg()] && have[n.Origin()] == nil {
				r := x.Temp(x.lay.Of(t).Leaves[0].T)
				x.Assign(r, ir.Null{T: r.Type.(ir.Ptr)})
				have[n.Origin()] = r
			}
		}
	}
	return have
}

// useSession calls one of the functions, or none.
func (x *fn) useSession(s *world.Session, fs []*ssa.Function, recv ir.Expr, have map[types.Type]*ir.Reg) {
	x.AnyOf(len(fs), func(i int) {
		f := fs[i]
		x.Pos = x.lowering.Pos(f.Pos())
		var args irgen.Value
		for j, p := range f.Params {
			t := p.Type()
			n, ok := types.Unalias(form.Deref(t)).(*types.Named)
			switch {
			case j == s.At(f) && form.IsPointer(t):
				args = append(args, recv)
			case j == s.At(f):
				args = append(args, x.Load(t, irgen.Typed(recv, ir.Ptr{Elem: x.lay.Of(t).Mem}), ir.Plain)...)
			case ok && form.IsPointer(t) && have[n.Origin()] != nil:
				r := have[n.Origin()]
				x.Emit(&ir.Assume{Base: x.Base(), Cond: irgen.Not(irgen.IsNil(ir.Use{Reg: r}))})
				args = append(args, ir.Use{Reg: r})
			default:
				args = append(args, x.outside(t)...)
			}
		}
		out := x.calledByUser(f, args)
		x.usersRead(f, out)
		x.useSessions(form.ComponentTypes(f.Signature.Results()), out, false)
		for _, t := range form.ComponentTypes(f.Signature.Results()) {
			n, ok := types.Unalias(form.Deref(t)).(*types.Named)
			if ok && form.IsPointer(t) && have[n.Origin()] != nil {
				kept := out[0]
				x.When(irgen.Cond(x.havoc(irgen.BoolT)), func() { x.Assign(have[n.Origin()], irgen.Typed(kept, have[n.Origin()].Type.(ir.Ptr))) })
			}
			out = out[len(x.lay.Of(t).Leaves):]
		}
	})
}
