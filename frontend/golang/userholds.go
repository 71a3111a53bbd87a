package golang

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
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

// inPlace is what a package writes of what members of its structs lead to.
type inPlace struct {
	// contents are the members with a map, slice or array of which elements are written;
	// objects those that lead to objects of which exported members are.
	contents, objects map[*types.Var]bool
}

// writtenInPlace finds that for the package of a function.
func (l *lowering) writtenInPlace(p *ssa.Package) *inPlace {
	if w := l.inPlace[p]; w != nil {
		return w
	}
	w := &inPlace{contents: map[*types.Var]bool{}, objects: map[*types.Var]bool{}}
	note := func(to map[*types.Var]bool, v ssa.Value) {
		if f := memberOf(v); f != nil {
			to[f] = true
		}
	}
	for _, f := range form.AllFunctions([]*ssa.Package{p}) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case *ssa.MapUpdate:
					note(w.contents, in.Map)
				case *ssa.Store:
					switch at := in.Addr.(type) {
					case *ssa.IndexAddr:
						note(w.contents, at.X)
					case *ssa.FieldAddr:
						if form.MemberAt(at).Exported() {
							note(w.objects, containerOf(at.X))
						}
					}
				case *ssa.Call:
					if b, ok := in.Call.Value.(*ssa.Builtin); ok && (b.Name() == "delete" || b.Name() == "clear" || b.Name() == "copy") {
						note(w.contents, in.Call.Args[0])
					}
				}
			}
		}
	}
	if l.inPlace == nil {
		l.inPlace = map[*ssa.Package]*inPlace{}
	}
	l.inPlace[p] = w
	return w
}

// memberOf is the member that a map or slice was loaded from, or that an array is; nil
// where that is not seen, or the struct was made here.
func memberOf(v ssa.Value) *types.Var {
	for range 20 {
		switch x := v.(type) {
		case *ssa.UnOp:
			if x.Op != token.MUL {
				return nil
			}
			v = x.X
		case *ssa.Slice:
			v = x.X
		case *ssa.FieldAddr:
			if form.MadeHere(x.X) {
				return nil
			}
			return form.MemberAt(x)
		default:
			return nil
		}
	}
	return nil
}

// containerOf is the map or slice that a pointer was found in, or the pointer.
func containerOf(v ssa.Value) ssa.Value {
	switch x := v.(type) {
	case *ssa.Extract:
		return containerOf(x.Tuple)
	case *ssa.Lookup:
		return x.X
	case *ssa.UnOp:
		if i, ok := x.X.(*ssa.IndexAddr); ok && x.Op == token.MUL {
			return i.X
		}
	}
	return v
}

// givenAway lists the results of a function that lead to what it keeps, and is written in
// place.
func (l *lowering) givenAway(f *ssa.Function) map[int]bool {
	out := map[int]bool{}
	if f.Pkg == nil || f.Signature.TypeParams().Len() > 0 {
		return out
	}
	w := l.writtenInPlace(f.Pkg)
	stored := map[*types.Var]bool{}
	form.WithinPackage(f, func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.Store:
			if a, ok := in.Addr.(*ssa.FieldAddr); ok {
				stored[form.MemberAt(a)] = true
			}
		case *ssa.Call:
			if b, ok := in.Call.Value.(*ssa.Builtin); ok && b.Name() == "delete" {
				if m := memberOf(in.Call.Args[0]); m != nil {
					stored[m] = true
				}
			}
		}
		return false
	})
	for _, b := range f.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		for i := range ret.Results {
			for _, v := range mayBe(ret.Results[i], 0) {
				m, in := memberOf(v), memberOf(containerOf(v))
				out[i] = out[i] || l.wrapsAway(v, w, stored) ||
					m != nil && !stored[m] &&
						(w.contents[m] && isContents(v.Type()) || l.hasContents(v.Type(), w)) ||
					in != nil && !stored[in] && w.objects[in] && l.plainObject(v.Type())
			}
		}
	}
	return out
}

// wrapsAway reports whether a result is a struct that was made here, or a pointer to one,
// with what the package keeps in an exported member.
func (l *lowering) wrapsAway(v ssa.Value, w *inPlace, stored map[*types.Var]bool) bool {
	if u, ok := v.(*ssa.UnOp); ok && u.Op == token.MUL {
		v = u.X
	}
	made, ok := v.(*ssa.Alloc)
	if !ok {
		return false
	}
	for _, r := range form.Uses(made) {
		at, ok := r.(*ssa.FieldAddr)
		if !ok || !form.MemberAt(at).Exported() {
			continue
		}
		for _, r := range form.Uses(at) {
			st, ok := r.(*ssa.Store)
			if !ok || st.Addr != at || !isContents(st.Val.Type()) {
				continue
			}
			if m := memberOf(st.Val); m != nil && !stored[m] && w.contents[m] {
				return true
			}
		}
	}
	return false
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

func isContents(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Map, *types.Slice:
		return true
	}
	return false
}

// hasContents reports whether a struct has an exported member of which elements are
// written; w is nil: of which there are elements.
func (l *lowering) hasContents(t types.Type, w *inPlace) bool {
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if f.Exported() && (w == nil || w.contents[f.Origin()]) && isContents(f.Type()) {
			return true
		}
	}
	return false
}

// plainObject reports whether values of a type are pointers to structs that are not for
// concurrent use by themselves.
func (l *lowering) plainObject(t types.Type) bool {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return false
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || !l.own[n.Obj().Pkg()] || l.holdsLock(n, 0) || l.receiver[l.lay.of(n).mem] != nil {
		return false
	}
	_, ok = n.Underlying().(*types.Struct)
	return ok
}

// usersRead reads what an entry point has given away and keeps, as users do it.
func (x *fn) usersRead(f *ssa.Function, out value) {
	given := x.givenAway(f)
	at := 0
	for i, t := range form.ComponentTypes(f.Signature.Results()) {
		n := len(x.lay.of(t).leaves)
		if given[i] {
			x.readAway(f, t, out[at:at+n])
		}
		at += n
	}
}

func (x *fn) readAway(f *ssa.Function, t types.Type, v value) {
	if p, ok := t.Underlying().(*types.Pointer); ok && x.hasContents(p.Elem(), nil) {
		x.when(not(isNil(v[0])), func() { x.readAway(f, p.Elem(), x.load(p.Elem(), v[0], ir.Relaxed)) })
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok {
		for _, p := range pointersOf(v) {
			x.emit(&ir.Touch{Base: x.base(), Addr: p, Read: true, Named: true, Why: "who calls " + x.funcName(f)})
		}
		return
	}
	at := 0
	for m := range st.Fields() {
		n := len(x.lay.of(m.Type()).leaves)
		if m.Exported() && isContents(m.Type()) {
			x.readAway(f, m.Type(), v[at:at+n])
		}
		at += n
	}
}
