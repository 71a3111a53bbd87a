package world

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
)

// What goroutines write, by kind of place: a member of a struct type, an element or
// variable of a type, a map of a type. A function that reads places of none of these
// kinds, and names no variable that they use, is in no race with them as long as it writes
// nothing. Argument: an access is by an address, and what the address was computed from
// last tells its kind; memory has one kind, but for members, elements and variables that
// are followed as what a pointer to their type leads to, so such a pointer stands for all
// of its type, and they for it. Structs and arrays are their parts.

// places are kinds of places.
type places struct {
	vars    map[*ssa.Global]bool
	locals  map[*ssa.Alloc]bool // variables of functions that nothing has the address of
	members map[*types.Var]bool
	// elems are types of elements, and of maps; derefs of what pointers lead to that are
	// neither of members nor of elements, parts the types of all.
	elems, derefs, parts map[string]bool
	// open: of types that depend on type parameters, or not known.
	open bool
}

func newPlaces() *places {
	return &places{vars: map[*ssa.Global]bool{}, locals: map[*ssa.Alloc]bool{},
		members: map[*types.Var]bool{},
		elems:   map[string]bool{}, derefs: map[string]bool{}, parts: map[string]bool{}}
}

// none reports whether there are no such places.
func (p *places) none() bool {
	return !p.open && len(p.vars)+len(p.locals)+len(p.members)+len(p.elems)+len(p.derefs) == 0
}

// placeKey is the key of a type; "" for one that depends on type parameters.
func placeKey(t types.Type) string {
	k, open := form.OpenKey(t)
	if open {
		return ""
	}
	return k
}

// eachPart visits the members of a struct, also within, or the elements of an array.
func eachPart(t types.Type, member func(*types.Var), elem func(types.Type)) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			member(f.Origin())
			eachPart(f.Type(), member, elem)
		}
	case *types.Array:
		elem(u.Elem())
		eachPart(u.Elem(), member, elem)
	}
}

// maxPlaceDepth is how far addresses are followed; where that does not do, others know them.
const maxPlaceDepth = 6

// placeVisitor visits the places that instructions by themselves write, or read, or of
// which they give the address away.
type placeVisitor struct {
	w      *World
	write  bool
	local  func(*ssa.Alloc)
	member func(*types.Var)
	elem   func(types.Type)
	deref  func(types.Type)
	any    func()
}

// private reports whether an address is that of a variable, or a part of one, which no
// other function of the program gets to know.
func private(addr ssa.Value) bool {
	for range maxPlaceDepth {
		switch a := addr.(type) {
		case *ssa.FieldAddr:
			addr = a.X
			continue
		case *ssa.IndexAddr:
			addr = a.X
			continue
		case *ssa.Alloc:
			return staysHere(a, 0)
		}
		break
	}
	return false
}

// staysHere reports whether an address is followed, or given to libraries, and no more.
func staysHere(addr ssa.Value, depth int) bool {
	return depth < maxPlaceDepth && !slices.ContainsFunc(form.Uses(addr), func(in ssa.Instruction) bool {
		switch in := in.(type) {
		case *ssa.UnOp:
			return in.Op != token.MUL
		case *ssa.Store:
			return in.Val == addr
		case *ssa.FieldAddr:
			return !staysHere(in, depth+1)
		case *ssa.IndexAddr:
			return !staysHere(in, depth+1)
		case *ssa.Call:
			f := in.Call.StaticCallee()
			return f == nil || len(form.Body(f).Blocks) > 0
		}
		return true
	})
}

// at visits the place that an address is of.
func (v *placeVisitor) at(addr ssa.Value) {
	if private(addr) {
		return
	}
	t := form.Deref(addr.Type())
	switch a := addr.(type) {
	case *ssa.FieldAddr:
		v.member(Field(a.X.Type(), a.Field))
	case *ssa.IndexAddr:
		v.elem(t)
	case *ssa.Global:
		return
	default:
		if l := form.LocalVariable(addr); l != nil {
			v.local(l)
			return
		}
		v.deref(t)
	}
	eachPart(t, v.member, v.elem)
}

// visit goes through one instruction.
func (v *placeVisitor) visit(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.Store:
		if v.write {
			v.at(in.Addr)
		}
		v.escaping(in.Val)
	case *ssa.UnOp:
		if in.Op == token.MUL && !v.write {
			v.at(in.X)
		}
	case *ssa.MapUpdate:
		v.elem(in.Map.Type())
		v.escaping(in.Value)
	case *ssa.Lookup:
		if !v.write {
			v.elem(in.X.Type())
		}
	case *ssa.Range:
		if !v.write {
			v.elem(in.X.Type())
		}
	case *ssa.Convert, *ssa.MultiConvert:
		if s, ok := (*in.Operands(nil)[0]).Type().Underlying().(*types.Slice); ok && !v.write {
			v.elem(s.Elem())
		}
	case ssa.CallInstruction:
		v.call(in.Common())
	case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.DebugRef:
	default:
		for _, op := range in.Operands(nil) {
			if *op != nil {
				v.escaping(*op)
			}
		}
	}
}

// escaping visits a place whose address goes elsewhere.
func (v *placeVisitor) escaping(x ssa.Value) {
	switch x.(type) {
	case *ssa.FieldAddr, *ssa.IndexAddr:
		v.at(x)
	}
}

// call visits what a call accesses by itself, if its function has no body.
func (v *placeVisitor) call(c *ssa.CallCommon) {
	for _, a := range c.Args {
		v.escaping(a)
	}
	if b, ok := c.Value.(*ssa.Builtin); ok {
		v.builtin(b.Name(), c.Args)
		return
	}
	f := c.StaticCallee()
	var o *types.Func
	switch {
	case c.IsInvoke():
		o = c.Method
	case f == nil || len(form.Body(f).Blocks) > 0:
		return
	default:
		o, _ = f.Object().(*types.Func)
	}
	if o == nil || v.w.Own[o.Pkg()] {
		return
	}
	op := v.w.Models.EffectOf(o)
	if m := v.w.Models.ByName(library.MethodName(o)); m != nil {
		op = m.Op
	}
	switch op {
	case library.OpLock, library.OpUnlock, library.OpTryLock, library.OpAdd, library.OpDone, library.OpWait, library.OpLoad:
		return
	case library.OpPure, library.OpReads:
		if v.write {
			return
		}
	}
	for i, a := range c.Args {
		if !v.write || c.IsInvoke() || v.w.Models.WritesArgument(o, i) {
			v.behind(a)
		}
	}
}

// builtin visits what a built-in function accesses.
func (v *placeVisitor) builtin(name string, args []ssa.Value) {
	elems := func(x ssa.Value) {
		switch u := x.Type().Underlying().(type) {
		case *types.Slice:
			v.elem(u.Elem())
			eachPart(u.Elem(), v.member, v.elem)
		case *types.Map:
			v.elem(x.Type())
		}
	}
	switch name {
	case "append", "copy":
		if v.write {
			elems(args[0])
		} else {
			elems(args[len(args)-1])
		}
	case "clear", "delete":
		elems(args[0])
	case "len":
		if _, is := args[0].Type().Underlying().(*types.Map); is && !v.write {
			elems(args[0])
		}
	}
}

// behind visits all that a library may find from a value.
func (v *placeVisitor) behind(x ssa.Value) {
	switch m := x.(type) {
	case *ssa.MakeInterface:
		v.behind(m.X)
		return
	case *ssa.Const:
		return
	case *ssa.Alloc:
		if staysHere(m, 0) {
			return
		}
	}
	seen := map[types.Type]bool{}
	var walk func(t types.Type)
	walk = func(t types.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		if n, ok := types.Unalias(t).(*types.Named); ok && n.Obj().Pkg() != nil && !v.w.Own[n.Obj().Pkg()] && !types.IsInterface(t) {
			return
		}
		switch u := t.Underlying().(type) {
		case *types.Pointer:
			v.deref(u.Elem())
			walk(u.Elem())
		case *types.Slice:
			v.elem(u.Elem())
			walk(u.Elem())
		case *types.Array:
			v.elem(u.Elem())
			walk(u.Elem())
		case *types.Map:
			v.elem(t)
			walk(u.Key())
			walk(u.Elem())
		case *types.Struct:
			for f := range u.Fields() {
				v.member(f.Origin())
				walk(f.Type())
			}
		case *types.Interface:
			for _, b := range v.w.Boxes {
				if types.Implements(b, u) {
					walk(b)
				}
			}
		case *types.TypeParam:
			v.any()
		}
	}
	// the value itself is a copy
	walk(x.Type())
}

// contents reports whether a type is one of slices or maps of which elements are written.
func (p *places) contents(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return p.elems[placeKey(u.Elem())]
	case *types.Map:
		return p.elems[placeKey(t)]
	}
	return false
}

// addWritten adds what a function by itself writes, or gives away the addresses of.
func (p *places) addWritten(w *World, f *ssa.Function) {
	v := &placeVisitor{w: w, write: true, any: func() { p.open = true }}
	v.local = func(l *ssa.Alloc) { p.locals[l] = true }
	v.member = func(m *types.Var) {
		if !form.IsSyncType(m.Type()) {
			p.members[m] = true
			p.parts[placeKey(m.Type())] = true
		}
	}
	v.elem = func(t types.Type) { p.elems[placeKey(t)], p.parts[placeKey(t)] = true, true }
	v.deref = func(t types.Type) { p.derefs[placeKey(t)] = true }
	eachInstruction(f, v.visit)
}

// readBy reports whether a function by itself reads places of these kinds.
func (p *places) readBy(w *World, f *ssa.Function) bool {
	found := false
	v := &placeVisitor{w: w, any: func() { found = true }}
	is := func(in map[string]bool, t types.Type) bool {
		k := placeKey(t)
		return in[k] || in[""] || k == "" && len(in) > 0
	}
	v.local = func(l *ssa.Alloc) { found = found || p.locals[l] }
	v.member = func(m *types.Var) {
		found = found || p.members[m] || !form.IsSyncType(m.Type()) && is(p.derefs, m.Type())
	}
	v.elem = func(t types.Type) { found = found || is(p.elems, t) || is(p.derefs, t) }
	v.deref = func(t types.Type) { found = found || is(p.derefs, t) || is(p.parts, t) }
	eachInstruction(f, func(in ssa.Instruction) {
		found = found || slices.ContainsFunc(in.Operands(nil), func(op *ssa.Value) bool {
			g, ok := (*op).(*ssa.Global)
			return ok && p.vars[g]
		})
		if !found {
			v.visit(in)
		}
	})
	return found || p.open
}
