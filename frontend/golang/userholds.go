package golang

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/world"
	"whoop/ir"
)

// What users hold. Rule: a user may read, with no lock of the library, what an entry
// point returned to it and the library still has. Argument: nothing tells the user which
// lock protects it, and the library's locks are seldom exported.
//
// So a method that returns the map, slice or object of a member gets a reader beside it.
// The reader races where the package writes in place: m[k] = v, s[i] = v, j.State = v. A
// package that puts a new one into the member writes nothing that the user holds, and one
// that takes it out of the member (Drain, Pop) has given it away.

// givenAway lists the results of a function that lead to what it keeps, and is written in
// place.
func (l *lowering) givenAway(f *ssa.Function) map[int]bool {
	out := map[int]bool{}
	if f.Pkg == nil || f.Signature.TypeParams().Len() > 0 {
		return out
	}
	w := l.WrittenInPlace(f.Pkg)
	stored := storedIn(f)
	for _, b := range f.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for i := range ret.Results {
			for _, v := range mayBe(ret.Results[i], 0) {
				m := world.MemberOf(v)
				out[i] = out[i] || l.WrapsAway(v, w, stored) ||
					m != nil && !stored[m] &&
						(w.Contents[m] && world.IsContents(v.Type()) || l.HasContents(v.Type(), w)) ||
					l.keptObject(v.Type()) != nil && w.Writes(l.keptObject(v.Type())) && !form.MadeHere(v) && !takes(stored, v.Type())
			}
		}
	}
	return out
}

// storedIn are the members that a function, or one of its package that it names, stores
// to, or deletes from.
func storedIn(f *ssa.Function) map[*types.Var]bool {
	stored := map[*types.Var]bool{}
	form.WithinPackage(f, func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.Store:
			if a, ok := in.Addr.(*ssa.FieldAddr); ok {
				stored[form.MemberAt(a)] = true
			}
		case *ssa.Call:
			if b, ok := in.Call.Value.(*ssa.Builtin); ok && b.Name() == "delete" {
				if m := world.MemberOf(in.Call.Args[0]); m != nil {
					stored[m] = true
				}
			}
		}
		return false
	})
	return stored
}

// mayBe are the values that a result may be: it is a variable where the function has
// deferred something.
func mayBe(v ssa.Value, depth int) []ssa.Value {
	var from []ssa.Value
	switch x := v.(type) {
	case *ssa.Phi:
		from = x.Edges
	case *ssa.UnOp:
		if _, variable := x.X.(*ssa.Alloc); variable && x.Op == token.MUL {
			from, _ = form.KeptIn(x)
		}
	}
	if len(from) == 0 || depth > 4 {
		return []ssa.Value{v}
	}
	var out []ssa.Value
	for _, w := range from {
		out = append(out, mayBe(w, depth+1)...)
	}
	return out
}

// keptObject is the struct that values of a type are pointers to, if that is of the
// program and not for concurrent use by itself; nil for other types.
func (l *lowering) keptObject(t types.Type) *types.Named {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || !l.Own[n.Obj().Pkg()] || l.HoldsLock(n, 0) || l.receiver[l.lay.Of(n).Mem] != nil {
		return nil
	}
	if _, ok = n.Underlying().(*types.Struct); !ok {
		return nil
	}
	return n
}

// takes reports whether a function stores to members, or deletes from maps in them, that
// may have held an object of a type: it has taken that out, as far as this shows.
func takes(stored map[*types.Var]bool, t types.Type) bool {
	for m := range stored {
		u := m.Type()
		for range 4 {
			if types.Identical(u, t) {
				return true
			}
			parts := form.Parts(u)
			if len(parts) == 0 {
				break
			}
			u = parts[len(parts)-1]
		}
	}
	return false
}

// usersRead reads what an entry point has given away and keeps, as users do it.
func (x *fn) usersRead(f *ssa.Function, out irgen.Value) {
	given := x.givenAway(f)
	at := 0
	for i, t := range form.ComponentTypes(f.Signature.Results()) {
		n := len(x.lay.Of(t).Leaves)
		if given[i] || x.returnsPart(f, i, 0) {
			x.readAway(f, t, out[at:at+n])
		}
		if elems := form.Parts(t); len(elems) > 0 && f.Pkg != nil && !form.IsPointer(t) && x.leadsToKept(f, elems[len(elems)-1], 0) {
			x.readElements(f, t, out[at:at+n], 0)
		}
		at += n
	}
}

// maxKeptDepth is how deep in maps and slices objects are looked for that users hold.
const maxKeptDepth = 3

// leadsToKept reports whether a type is one of pointers to objects of which the package
// writes members, or of maps and slices of such, and the function takes none out.
func (x *fn) leadsToKept(f *ssa.Function, t types.Type, depth int) bool {
	if n := x.keptObject(t); n != nil {
		return x.WrittenInPlace(f.Pkg).Writes(n) && !takes(storedIn(f), t)
	}
	if elems := form.Parts(t); len(elems) > 0 && !form.IsPointer(t) && depth < maxKeptDepth {
		return x.leadsToKept(f, elems[len(elems)-1], depth+1)
	}
	return false
}

// readElements reads the objects in a map or slice that may be a copy of what the library
// has: they are none.
func (x *fn) readElements(f *ssa.Function, t types.Type, v irgen.Value, depth int) {
	read := func(elem types.Type, e irgen.Value) {
		if x.keptObject(elem) != nil {
			x.Emit(&ir.Touch{Base: x.Base(), Addr: e[0], Read: true, Named: true, Why: "who calls " + x.FuncName(f)})
		} else if depth < maxKeptDepth {
			x.readElements(f, elem, e, depth+1)
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		x.When(irgen.Bin("gt", v[1], ir.IntConst(irgen.IntT, 0)), func() {
			read(u.Elem(), x.Load(u.Elem(), x.Element(v[0], u.Elem(), x.havoc(irgen.IntT)), ir.Relaxed))
		})
	case *types.Map:
		x.When(irgen.Not(irgen.IsNil(v[0])), func() {
			_, e := x.mapEntry(v[0])
			read(u.Elem(), x.Load(u.Elem(), e, ir.Relaxed))
		})
	}
}

// maxPartDepth is how deep in calls the objects are looked for that results are parts of.
const maxPartDepth = 4

// returnsPart reports whether a result of a function may be a part of a library's object,
// such as what (*bytes.Buffer).Bytes returns.
func (x *fn) returnsPart(f *ssa.Function, at, depth int) bool {
	isPart := func(v ssa.Value) bool {
		for {
			s, ok := v.(*ssa.Slice)
			if !ok {
				break
			}
			v = s.X
		}
		i := 0
		if e, ok := v.(*ssa.Extract); ok {
			v, i = e.Tuple, e.Index
		}
		c, ok := v.(*ssa.Call)
		if !ok || c.Call.StaticCallee() == nil {
			return false
		}
		g := form.Body(c.Call.StaticCallee())
		if m := x.Models.Model(g); m != nil {
			return m.Op == library.OpPart || m.Op == library.OpWithin
		}
		return depth < maxPartDepth && len(g.Blocks) > 0 && x.returnsPart(g, i, depth+1)
	}
	return slices.ContainsFunc(f.Blocks, func(b *ssa.BasicBlock) bool {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		return ok && at < len(ret.Results) && world.IsContents(ret.Results[at].Type()) &&
			slices.ContainsFunc(mayBe(ret.Results[at], 0), isPart)
	})
}

func (x *fn) readAway(f *ssa.Function, t types.Type, v irgen.Value) {
	if p, ok := t.Underlying().(*types.Pointer); ok && x.HasContents(p.Elem(), nil) {
		x.When(irgen.Not(irgen.IsNil(v[0])), func() { x.readAway(f, p.Elem(), x.Load(p.Elem(), v[0], ir.Relaxed)) })
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		for _, p := range pointersOf(v) {
			x.Emit(&ir.Touch{Base: x.Base(), Addr: p, Read: true, Named: true, Why: "who calls " + x.FuncName(f)})
		}
		return
	}
	at := 0
	for m := range st.Fields() {
		n := len(x.lay.Of(m.Type()).Leaves)
		if m.Exported() && world.IsContents(m.Type()) {
			x.readAway(f, m.Type(), v[at:at+n])
		}
		at += n
	}
}
