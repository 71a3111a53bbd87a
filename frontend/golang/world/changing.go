package world

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
)

// Changing memory: what the functions of the program write in place, in objects that they
// have not made themselves just before. Two values may share what is only read.

// changing is what is written, by types.
type changing struct {
	w *World
	// structs are those with a written member, cells what elements of slices and arrays,
	// and what other pointers lead to, maps those with written elements.
	structs, cells, maps map[string]bool
	// funcs are the function values whose captured variables may lead there, by signature.
	funcs map[string][]*ssa.Function
	known map[string]bool // see leads
	// asserted are the types that values of interface types are taken for, returned the
	// signatures of functions that users get.
	asserted typeutil.Map
	returned map[string]bool
	// fills are the types whose values libraries may write to, with what these lead to.
	fills typeutil.Map
	// invoked are the methods of libraries' interfaces that the program calls.
	invoked map[*types.Func]bool
	// made are the signatures of functions that libraries return.
	made map[string]bool
	// states are the interfaces in which libraries return objects with a state.
	states []types.Type
	got    map[*types.Named]bool
	// lockSet are members with pointers to locks that are set in values that are there.
	lockSet map[*types.Var]bool
}

func (w *World) findChanging() *changing {
	c := &changing{w: w, structs: map[string]bool{}, cells: map[string]bool{}, maps: map[string]bool{},
		funcs: map[string][]*ssa.Function{}, known: map[string]bool{},
		got: map[*types.Named]bool{}, returned: map[string]bool{},
		invoked: map[*types.Func]bool{}, made: map[string]bool{},
		lockSet: map[*types.Var]bool{}}
	c.findReturned()
	for _, f := range w.Sources {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				c.note(in)
			}
		}
	}
	return c
}

func (c *changing) note(in ssa.Instruction) {
	switch in := in.(type) {
	case *ssa.FieldAddr:
		if !form.OnlyReadAt(in) && (!form.JustMade(in.X) || escapes(in)) {
			c.structs[form.OriginKey(form.Deref(in.X.Type()))] = true
			if f := form.MemberAt(in); isLockPointer(f.Type()) {
				c.lockSet[f] = true
			}
		}
	case *ssa.IndexAddr:
		if !form.OnlyReadAt(in) && (!form.JustMade(in.X) || escapes(in)) {
			c.cells[form.OriginKey(form.Deref(in.Type()))] = true
		}
	case *ssa.Store:
		switch in.Addr.(type) {
		case *ssa.FieldAddr, *ssa.IndexAddr, *ssa.Alloc, *ssa.Global:
		default:
			c.written(form.Deref(in.Addr.Type()))
		}
	case *ssa.MapUpdate:
		if !form.JustMade(in.Map) {
			c.maps[form.MapKey(in.Map.Type())] = true
		}
	case *ssa.MakeClosure:
		f := in.Fn.(*ssa.Function)
		k := form.Key(form.PlainSignature(f.Signature))
		c.funcs[k] = append(c.funcs[k], f)
	case *ssa.ChangeType:
		c.alike(in.X.Type(), in.Type())
	case *ssa.Convert:
		c.alike(in.X.Type(), in.Type())
	case *ssa.MultiConvert:
		c.all(in.X.Type(), 0)
		c.all(in.Type(), 0)
	case *ssa.TypeAssert:
		c.asserted.Set(in.AssertedType, true)
	case ssa.CallInstruction:
		c.call(in)
	}
}

// escapes reports whether the address of a part goes elsewhere than to loads and stores
// right there: it may be written as memory of the part's type.
func escapes(addr ssa.Value) bool {
	return slices.ContainsFunc(form.Uses(addr), func(r ssa.Instruction) bool {
		switch r := r.(type) {
		case *ssa.UnOp, *ssa.DebugRef:
			return false
		case *ssa.Store:
			return r.Val == addr
		case *ssa.FieldAddr:
			return escapes(r)
		case *ssa.IndexAddr:
			return r.X != addr || escapes(r)
		}
		return !form.IsSyncType(form.Deref(addr.Type()))
	})
}

// alike notes that memory of one type may be written as that of another.
func (c *changing) alike(from, to types.Type) {
	if isReference(from) && isReference(to) && form.OriginKey(elementType(from)) != form.OriginKey(elementType(to)) {
		c.all(from, 0)
		c.all(to, 0)
	}
}

func isReference(t types.Type) bool {
	_, ok := t.Underlying().(interface{ Elem() types.Type })
	return ok && !form.IsParam(t)
}

// elementType is what values of a type lead to, or the type.
func elementType(t types.Type) types.Type {
	if e, ok := t.Underlying().(interface{ Elem() types.Type }); ok {
		return e.Elem()
	}
	return t
}

// findReturned finds the types of functions that users may get from exported functions.
func (c *changing) findReturned() {
	seen := map[types.Type]bool{}
	var look func(t types.Type)
	look = func(t types.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
		switch u := t.Underlying().(type) {
		case *types.Struct:
			for f := range u.Fields() {
				if f.Exported() || f.Embedded() {
					look(f.Type())
				}
			}
		case *types.Interface: // of which users may have the methods
			for m := range u.Methods() {
				look(m.Signature().Params())
				look(m.Signature().Results())
			}
		case *types.Signature:
			c.returned[form.Key(form.PlainSignature(u))] = true
			look(u.Results())
			look(u.Params())
		default:
			for _, e := range form.Parts(t) {
				look(e)
			}
		}
	}
	for _, f := range c.w.Sources {
		if f.Object() == nil || !f.Object().Exported() {
			continue
		}
		look(f.Signature.Results())
		for p := range f.Signature.Params().Variables() {
			switch u := p.Type().Underlying().(type) {
			case *types.Signature:
				look(u.Params())
			case *types.Interface:
				look(u)
			}
		}
		if r := f.Signature.Recv(); r != nil { // exported members
			look(r.Type())
		}
	}
}

// looksInto reports whether the program may take a value in an interface for one of a
// type, or call its methods.
func (c *changing) looksInto(u *types.Interface, b types.Type) bool {
	if u.NumMethods() > 0 || c.asserted.At(b) != nil {
		return true
	}
	for _, t := range c.asserted.Keys() {
		it, ok := t.Underlying().(*types.Interface)
		if form.IsParam(t) || ok && it.NumMethods() > 0 && types.Implements(b, it) {
			return true
		}
		if n, ok := types.Unalias(form.Deref(t)).(*types.Named); ok && n.TypeArgs().Len() > 0 &&
			form.OfType(b, n.Origin()) {
			return true
		}
	}
	return false
}

// written notes that a whole value of a type is written by a pointer.
func (c *changing) written(t types.Type) {
	c.cells[form.OriginKey(t)] = true
	if _, ok := t.Underlying().(*types.Struct); ok {
		c.structs[form.OriginKey(t)] = true
	}
}

// call notes what builtins, and functions that are not seen, write.
func (c *changing) call(at ssa.CallInstruction) {
	cc := at.Common()
	if b, ok := cc.Value.(*ssa.Builtin); ok {
		if len(cc.Args) == 0 || form.JustMade(cc.Args[0]) {
			return
		}
		switch b.Name() {
		case "append", "copy", "clear", "delete":
			c.all(cc.Args[0].Type(), 0)
		}
		return
	}
	f := cc.StaticCallee()
	if f != nil && len(form.Body(f).Blocks) > 0 {
		return
	}
	c.noteLibrary(cc, f)
	if f != nil && f.Object() != nil && c.w.onlyReads(f.Object().(*types.Func)) {
		return
	}
	if f == nil && !cc.IsInvoke() { // a function of the program, or of users
		return
	}
	args := cc.Args
	if in, ok := at.(*ssa.Call); ok && cc.Signature().Variadic() && len(args) > 0 {
		if elems, _ := form.VariadicElems(in); len(elems) > 0 {
			args = slices.Concat(args[:len(args)-1], elems)
		}
	}
	for i, a := range args {
		if f != nil && f.Object() != nil && !c.w.Models.WritesArgument(f.Object().(*types.Func), i) {
			continue
		}
		if m, ok := a.(*ssa.MakeInterface); ok {
			a = m.X
		}
		c.filled(a.Type(), form.JustMade(a))
	}
}

// noteLibrary notes which methods of libraries' interfaces are called, and which functions
// and objects with state libraries return.
func (c *changing) noteLibrary(cc *ssa.CallCommon, f *ssa.Function) {
	if cc.IsInvoke() {
		c.invoked[cc.Method] = true
	}
	for _, t := range form.ComponentTypes(cc.Signature().Results()) {
		switch u := t.Underlying().(type) {
		case *types.Signature:
			c.made[form.Key(form.PlainSignature(u))] = true
		case *types.Interface:
			if u.NumMethods() > 0 && !types.Identical(t, form.ErrorType) &&
				(c.w.Models.IsStateful(form.Key(t)) || f != nil && c.w.Models.IsStateful(library.Name(f))) {
				c.states = append(c.states, t)
			}
		}
	}
}

// mayHaveState reports whether an object of a library that has a state may be behind an
// interface. What users put there may be used by several goroutines
// (foreign-implementation).
func (c *changing) mayHaveState(t types.Type, u *types.Interface) bool {
	if c.w.Models.IsStateful(form.Key(t)) {
		return true
	}
	return !types.Identical(t, form.ErrorType) && slices.ContainsFunc(c.states, func(s types.Type) bool {
		return types.Implements(s, u) && c.looksInto(u, s) ||
			u.NumMethods() > 0 && types.Implements(t, s.Underlying().(*types.Interface))
	})
}

// filled notes that a library may write all that a value of a type leads to. made: the
// value is a pointer to something new, which counts as it is now, and not what it leads to.
func (c *changing) filled(t types.Type, made bool) {
	var walk func(t types.Type, made bool)
	walk = func(t types.Type, made bool) {
		if c.fills.At(t) != nil {
			return
		}
		if !made {
			c.fills.Set(t, true)
			c.all(t, 0)
		}
		if n, ok := types.Unalias(t).(*types.Named); ok && !c.w.Own[n.Obj().Pkg()] && !types.IsInterface(t) {
			return
		}
		if it, ok := t.Underlying().(*types.Interface); ok {
			for _, b := range c.w.Boxes {
				if types.Implements(b, it) {
					walk(b, false)
				}
			}
			return
		}
		if st, ok := t.Underlying().(*types.Struct); ok {
			for f := range st.Fields() {
				walk(f.Type(), false)
			}
		}
		for _, p := range form.Parts(t) {
			walk(p, false)
		}
	}
	walk(t, made)
}

// onlyReads reports whether a library function writes nothing that it is given.
func (w *World) onlyReads(f *types.Func) bool {
	op := w.Models.EffectOf(f)
	if m := w.Models.ByName(library.MethodName(f)); m != nil {
		op = m.Op
	}
	return op == library.OpPure || op == library.OpReads
}

// all notes what a pointer, slice or map leads to directly, or all in a struct.
func (c *changing) all(t types.Type, depth int) {
	if n, ok := types.Unalias(form.Deref(t)).(*types.Named); ok && !c.w.Own[n.Obj().Pkg()] && form.IsStruct(n) {
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		c.written(u.Elem())
	case *types.Slice:
		c.cells[form.OriginKey(u.Elem())] = true
	case *types.Map:
		c.maps[form.MapKey(t)] = true
	case *types.Struct:
		for f := range u.Fields() {
			if depth < 4 {
				c.all(f.Type(), depth+1)
			}
		}
	}
}

// leads reports whether a value of a type may lead to memory that changes.
func (c *changing) leads(t types.Type) bool { return c.ask(t, false) }

// Given is leads for what users have: not values of a type parameter, which generic code
// does not look into, nor those in interfaces of types of which users get none.
func (c *changing) Given(t types.Type) bool { return c.ask(t, true) }

func (c *changing) ask(t types.Type, users bool) bool {
	k := form.Key(t)
	if users {
		k += " of users"
	}
	if r, ok := c.known[k]; ok {
		return r
	}
	r := c.look(t, users, map[types.Type]bool{})
	c.known[k] = r
	return r
}

func (c *changing) look(t types.Type, users bool, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	if form.IsParam(t) {
		return !users || t.Underlying().(*types.Interface).NumMethods() > 0
	}
	in := func(t types.Type) bool { return c.look(t, users, seen) }
	if n, ok := types.Unalias(t).(*types.Named); ok && !c.w.Own[n.Obj().Pkg()] &&
		!types.IsInterface(n) {
		for i := range n.TypeArgs().Len() { // it may have a pointer to one, as an atomic.Pointer
			if a := n.TypeArgs().At(i); in(a) || !form.IsParam(a) && in(types.NewPointer(a)) {
				return true
			}
		}
		return form.IsReference(n)
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Pointer:
		e := u.Elem()
		if n, ok := types.Unalias(e).(*types.Named); ok && !c.w.Own[n.Obj().Pkg()] &&
			!types.IsInterface(n) {
			return !c.w.Models.SafeType(n)
		}
		if a, ok := e.Underlying().(*types.Array); ok && c.cells[form.OriginKey(a.Elem())] {
			return true
		}
		return c.structs[form.OriginKey(e)] || c.cells[form.OriginKey(e)] || in(e)
	case *types.Slice:
		return c.cells[form.OriginKey(u.Elem())] || form.IsParam(u.Elem()) ||
			c.structs[form.OriginKey(u.Elem())] || in(u.Elem())
	case *types.Array:
		return in(u.Elem())
	case *types.Map:
		return c.maps[form.MapKey(t)] || c.maps["any"] || form.MapKey(t) == "any" && len(c.maps) > 0 ||
			in(u.Key()) || in(u.Elem())
	case *types.Chan:
		return in(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			if in(f.Type()) {
				return true
			}
		}
	case *types.Tuple:
		for v := range u.Variables() {
			if in(v.Type()) {
				return true
			}
		}
	case *types.Interface:
		if !users && c.mayHaveState(t, u) {
			return true
		}
		for m := range u.Methods() { // what it gives, as the Value of a context
			if c.invoked[m] && !c.w.Own[m.Pkg()] && in(m.Signature().Results()) {
				return true
			}
		}
		for _, b := range slices.Concat(c.w.Boxes, c.boxable(t)) {
			n, ok := types.Unalias(form.Deref(b)).(*types.Named)
			if (!ok || !users || c.w.Own[n.Obj().Pkg()] && c.usersGet(n.Origin())) &&
				types.Implements(b, u) &&
				c.looksInto(u, b) && in(b) {
				return true
			}
		}
	case *types.Signature:
		if users && !c.returned[form.Key(form.PlainSignature(u))] {
			return false
		}
		k := form.Key(form.PlainSignature(u))
		if c.made[k] && in(u.Results()) { // what it gives, as a sync.OnceValue
			return true
		}
		for _, f := range c.funcs[k] {
			for _, v := range f.FreeVars {
				if in(v.Type()) {
					return true
				}
			}
		}
	}
	return false
}

// boxable lists the types of values that users may put into an interface and that the
// program knows: those that it takes such values for, and for its own interfaces its types
// that have the methods. What is in the interface of a library is asked by its exported
// methods only, which lock by themselves, and keeps nothing of what it is given.
func (c *changing) boxable(t types.Type) []types.Type {
	out := c.asserted.Keys()
	named, ok := types.Unalias(t).(*types.Named)
	if ok && !c.w.Own[named.Obj().Pkg()] || t.Underlying().(*types.Interface).NumMethods() == 0 {
		return out
	}
	for p := range c.w.Own {
		for _, name := range p.Scope().Names() {
			n, ok := p.Scope().Lookup(name).Type().(*types.Named)
			if ok && n.TypeParams().Len() == 0 && !types.IsInterface(n) {
				out = append(out, types.NewPointer(n), n)
			}
		}
	}
	return out
}

// usersGet reports whether users may have values of a type of the program.
func (c *changing) usersGet(n *types.Named) bool {
	if n.Obj().Exported() {
		return true
	}
	r, ok := c.got[n]
	if !ok {
		p := c.w.Prog.Package(n.Obj().Pkg())
		h := handed{any: true}
		if p != nil {
			h = c.w.handedOut(p, n)
		}
		r = h.surely || h.any
		c.got[n] = r
	}
	return r
}
