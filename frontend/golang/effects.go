package golang

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// contents lists the slices among the arguments of a function that does nothing to what
// it is given: it reads them.
func (x *fn) contents(p *irgen.Call) irgen.Value {
	var out irgen.Value
	for i, t := range form.ParamTypes(p.Fn.Signature) {
		_, isSlice := t.Underlying().(*types.Slice)
		if isSlice && i < len(p.Args) && (i > 0 || p.Fn.Signature.Recv() == nil) {
			out = append(out, pointersOf(p.Args[i])...)
		}
	}
	return out
}

// effectOnOthers is the access of a method that may be called concurrently to what it is
// given besides its receiver: it reads what that leads to, and fills the slice given to
// Read, or the first one given to Encode and Decode.
func (x *fn) effectOnOthers(p *irgen.Call, name string) {
	recv := p.Fn.Signature.Recv() != nil
	fills := recv && strings.HasPrefix(p.Fn.Name(), "Read")
	first := recv && (p.Fn.Name() == "Encode" || p.Fn.Name() == "Decode")
	touch := func(a ir.Expr, write bool) {
		x.Emit(&ir.Touch{Base: x.Base(), Addr: a, Read: true, Write: write, Borrow: write, Deep: true, Typed: x.Confined() && !x.reflects(p.Fn), Why: name})
	}
	for i, t := range form.ParamTypes(p.Fn.Signature) {
		if i >= len(p.Args) || i == 0 && recv {
			continue
		}
		write := false
		switch u := t.Underlying().(type) {
		case *types.Slice:
			write, first = fills || first, false
		case *types.Interface:
			if u.NumMethods() > 0 {
				continue
			}
			write = fills
		case *types.Pointer, *types.Map:
			if x.Exact {
				continue
			}
		default:
			continue
		}
		for _, a := range pointersOf(p.Args[i]) {
			if x.Exact && write {
				x.Cut("what " + name + " does to what it is given")
				return
			}
			touch(a, write)
		}
	}
	x.readGiven(p, name, false)
	for _, v := range x.Extra[x.Site] {
		for _, a := range pointersOf(x.Val(v)) {
			touch(a, fills)
		}
		x.stringer(p, v)
	}
}

// readGiven is what a function that looks into values of any type reads where users of
// the library have put a pointer to one of its objects into an interface. Pointers to
// values with methods that are entry points are taken not to be printed.
func (x *fn) readGiven(p *irgen.Call, name string, prints bool) {
	if !x.LibraryMode || x.Exact || !x.reflects(p.Fn) || p.Fn.Object() == nil || x.Own[p.Fn.Object().Pkg()] {
		return
	}
	type inside struct {
		it *types.Interface
		v  irgen.Value
	}
	var in []inside
	add := func(t types.Type, v ssa.Value, val irgen.Value) {
		if v = ofInterface(v); v != nil {
			t = v.Type()
		}
		if it, ok := t.Underlying().(*types.Interface); ok {
			in = append(in, inside{it, val})
		}
	}
	elems := x.variadicGifts(p)
	for i, t := range form.ParamTypes(p.Fn.Signature) {
		if i >= len(p.Args) || !library.MayPrint(t) || form.IsParam(t) {
			continue
		}
		if _, known := x.Argument(p, i).(*ssa.MakeInterface); known {
			continue
		}
		if s, ok := t.Underlying().(*types.Slice); ok {
			v := p.Args[i]
			if _, null := v[0].(ir.Null); null { // its elements are taken apart: x.Extra
				continue
			}
			if elems != nil && i == len(p.Args)-1 {
				for _, e := range elems {
					if _, known := e.(*ssa.MakeInterface); !known && types.IsInterface(e.Type()) && !form.IsParam(e.Type()) {
						add(e.Type(), e, x.Val(e))
					}
				}
				continue
			}
			dst := x.Zeroed(s.Elem())
			x.When(irgen.Bin("gt", v[1], ir.IntConst(irgen.IntT, 0)), func() { x.AssignAll(dst, x.Load(s.Elem(), x.Element(v[0], s.Elem(), x.havoc(irgen.IntT)), ir.Plain)) })
			add(s.Elem(), nil, irgen.UseAll(dst))
		} else {
			add(t, x.Argument(p, i), p.Args[i])
		}
	}
	for _, v := range x.Extra[x.Site] {
		if library.MayPrint(v.Type()) && types.IsInterface(v.Type()) && !form.IsParam(v.Type()) {
			add(v.Type(), v, x.Val(v))
		}
	}
	if len(in) > 0 && len(x.ReceiverTypes) > 0 {
		x.p.Assume("type-safe", x.Pos, "%s is given no pointers to values with methods that are entry points", name)
	}
	for _, g := range in {
		for _, t := range x.UsersTypes() {
			if !types.Implements(t, g.it) {
				continue
			}
			x.When(irgen.Bin("eq", g.v[0], x.Tag(t)), func() {
				x.Emit(&ir.Touch{Base: x.Base(), Addr: x.Unboxed(t, g.v[1])[0], Read: true, Deep: true, Named: x.Encodes(p.Fn.Object().Pkg().Path()), Printed: prints, Why: name})
			})
		}
	}
}

// uncalled lists the pointers among the arguments, without those of interfaces whose
// methods are called instead: callbacks does.
func (x *fn) uncalled(p *irgen.Call) irgen.Value {
	if x.Exact {
		return x.pointers(p)
	}
	q := *p
	q.Args = slices.Clone(p.Args)
	for i, t := range form.ParamTypes(p.Fn.Signature) {
		it, ok := t.Underlying().(*types.Interface)
		if !ok || i >= len(q.Args) || i == 0 && p.Fn.Signature.Recv() != nil || form.IsParam(t) {
			continue
		}
		if x.MayCall(it) || x.changesItself(p, i, it) {
			q.Args[i] = nil
		}
	}
	return x.pointers(&q)
}

// changesItself reports whether an argument is an object of a library that leads nowhere
// and has an effect of its own on what its methods are called on (changeBoxed).
func (x *fn) changesItself(p *irgen.Call, i int, it *types.Interface) bool {
	m, ok := x.Argument(p, i).(*ssa.MakeInterface)
	if !ok || it.NumMethods() == 0 || !form.IsPointer(m.X.Type()) {
		return false
	}
	n, ok := types.Unalias(form.Deref(m.X.Type())).(*types.Named)
	return ok && lockless[n.String()] && x.lay.Of(n).Mem.Size() > 0
}

// printed lists the pointers that a function which prints a value follows: package fmt
// prints what a pointer leads to only where the value itself is a pointer to a struct,
// array, slice or map, and of others, and for %p, the address.
func (x *fn) printed(p *irgen.Call, v ssa.Value) irgen.Value {
	if said := x.Said(p); strings.Contains(said, "%p") || strings.Contains(said, "%T") {
		return nil
	}
	if library.HasFormatter(v.Type()) { // the method prints it
		if x.Formatter(v.Type()) == nil {
			x.printedUnseen(v.Type())
			return pointersOf(x.Val(v))
		}
		return nil
	}
	if x.formatsWithin(v.Type(), 4) {
		x.Cut("the methods by which parts of a value are printed")
	}
	if types.IsInterface(v.Type()) && !form.IsParam(v.Type()) {
		x.printedBox(p, v)
		return nil
	}
	x.mayPrintMore(v.Type())
	if library.FollowedByPrint(v.Type()) {
		return pointersOf(x.Val(v))
	}
	return nil
}

// PrintsExact is what a call that prints its variadic arguments does to them.
func (x *fn) PrintsExact(p *irgen.Call) {
	for _, v := range x.Extra[x.Site] {
		for _, a := range x.printed(p, v) {
			x.Emit(&ir.Touch{Base: x.Base(), Addr: a, Read: true, Why: x.FuncName(p.Fn)})
		}
		x.stringer(p, v)
	}
}

// printedBox reads what is printed of a value in an interface.
func (x *fn) printedBox(p *irgen.Call, v ssa.Value) {
	in, done := x.Val(v), map[string]bool{}
	// libraries' own values, such as new errors, lead to nothing that changes
	other := irgen.Bin("land", irgen.Bin("ne", in[0], ir.IntConst(ir.U32, 0)), irgen.Bin("ne", in[0], x.Tag(irgen.Foreign)))
	for _, t := range x.Boxes {
		if done[form.Key(t)] || !types.Implements(t, v.Type().Underlying().(*types.Interface)) {
			continue
		}
		done[form.Key(t)] = true
		other = irgen.Bin("land", other, irgen.Bin("ne", in[0], x.Tag(t)))
		if f := x.Formatter(t); f != nil {
			x.When(irgen.Bin("eq", in[0], x.Tag(t)), func() { x.CallFunc(f, x.receiverFor(f, t, x.Unboxed(t, in[1])), nil) })
		} else if library.HasFormatter(t) {
			x.When(irgen.Bin("eq", in[0], x.Tag(t)), func() {
				x.printedUnseen(t)
				for _, a := range pointersOf(x.Unboxed(t, in[1])) {
					x.Emit(&ir.Touch{Base: x.Base(), Addr: a, Read: true, Why: x.FuncName(p.Fn)})
				}
			})
		} else if x.hasPointers(t) {
			x.When(irgen.Bin("eq", in[0], x.Tag(t)), func() {
				x.mayPrintMore(t)
				if library.FollowedByPrint(t) {
					x.Emit(&ir.Touch{Base: x.Base(), Addr: x.Unboxed(t, in[1])[0], Read: true, Why: x.FuncName(p.Fn)})
				}
			})
		}
	}
	x.When(other, func() { x.Cut("what is printed of a value whose type is not seen") })
}

// printedUnseen notes that a method of a library prints a value, which reads more than the
// value itself, and may call the program's: some executions end here then.
func (x *fn) printedUnseen(t types.Type) {
	if x.hasPointers(t) {
		x.Choose(nil, func() { x.Cut("what a method of " + x.TypeName(t) + " prints") }, nil)
	}
}

// mayPrintMore notes that printing a value may read memory beyond what the value itself
// leads to: some executions end here then.
func (x *fn) mayPrintMore(t types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if !library.FollowedByPrint(t) {
			return
		}
		t = u.Elem()
		if _, array := t.Underlying().(*types.Array); !array && library.FollowedByPrint(t) || x.printsWithin(t) {
			break
		}
		return
	default:
		if !x.printsWithin(t) {
			return
		}
	}
	x.Choose(nil, func() { x.Cut("all that is printed of a value") }, nil)
}

// printsWithin reports whether there is something in a value, or in what it is, to which
// printing follows pointers.
func (x *fn) printsWithin(t types.Type) bool {
	part := func(t types.Type) bool {
		switch t.Underlying().(type) {
		case *types.Slice, *types.Map, *types.Interface:
			return true
		}
		return x.printsWithin(t)
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if part(u.Field(i).Type()) {
				return true
			}
		}
	case *types.Array:
		return part(u.Elem())
	case *types.Slice:
		return part(u.Elem())
	case *types.Map:
		return part(u.Key()) || part(u.Elem())
	}
	return false
}

// stringer calls the methods by which a value that a library function gets is turned into
// text.
func (x *fn) stringer(p *irgen.Call, v ssa.Value) {
	v = ofParam(v)
	if !x.Exact {
		v = ofInterface(v)
		x.visit(library.VisitOf(p.Fn), v.Type(), x.Val(v))
		return
	}
	t := v.Type()
	for i, name := range library.Formatters {
		sel := x.Prog.MethodSets.MethodSet(t).Lookup(nil, name)
		if sel == nil {
			continue
		}
		m := sel.Obj().(*types.Func)
		sig := m.Type().(*types.Signature)
		if i < 2 && sig.Params().Len() != 0 {
			continue
		}
		if types.IsInterface(t) {
			d := x.dispatcherOf(t, m)
			x.irCall(ir.FuncAddr{Func: d.f}, sig, append(append(irgen.Value{}, x.boxed(v)...), x.outside(sig.Params())...), nil)
		} else if f := x.Prog.MethodValue(sel); f != nil && len(f.Blocks) > 0 {
			x.CallFunc(f, append(append(irgen.Value{}, x.Val(v)...), x.outside(sig.Params())...), nil)
		}
		return
	}
}

// ofParam is the value of a type parameter's type that was made an interface with the same
// methods as its constraint, or v itself.
func ofParam(v ssa.Value) ssa.Value {
	switch c := v.(type) {
	case *ssa.ChangeType:
		if form.IsParam(c.X.Type()) {
			return c.X
		}
	case *ssa.ChangeInterface:
		if form.IsParam(c.X.Type()) {
			return c.X
		}
	}
	return v
}

// ofInterface is the interface of which a value is another one: it says more of what may
// be in it. An error that is printed has the method Error, though what prints it takes any.
func ofInterface(v ssa.Value) ssa.Value {
	for {
		c, ok := v.(*ssa.ChangeInterface)
		if !ok || form.IsParam(c.X.Type()) {
			return v
		}
		v = c.X
	}
}

// formatted calls the methods by which the values that a library function gets as any are
// turned into text.
func (x *fn) formatted(p *irgen.Call) {
	if x.Exact || p.Fn.Object() == nil || x.Own[p.Fn.Object().Pkg()] {
		return
	}
	elems := x.variadicGifts(p)
	for i, t := range form.ParamTypes(p.Fn.Signature) {
		if i >= len(p.Args) || !library.MayPrint(t) || form.IsParam(t) {
			continue
		}
		if _, null := p.Args[i][0].(ir.Null); null { // nothing, or taken apart: x.Extra
			continue
		}
		if _, slice := t.Underlying().(*types.Slice); slice && elems != nil && i == len(p.Args)-1 {
			for _, e := range elems {
				x.stringer(p, e)
			}
			continue
		}
		if v := ofParam(x.Argument(p, i)); v != nil && form.IsParam(v.Type()) {
			x.visit(library.VisitOf(p.Fn), v.Type(), x.Val(v))
		} else if mk, ok := v.(*ssa.MakeInterface); ok {
			if _, isConst := mk.X.(*ssa.Const); !isConst || x.Prog.MethodSets.MethodSet(mk.X.Type()).Len() > 0 {
				x.visit(library.VisitOf(p.Fn), mk.X.Type(), x.Val(mk.X))
			}
		} else {
			if v = ofInterface(v); v != nil {
				t = v.Type()
			}
			x.visit(library.VisitOf(p.Fn), t, p.Args[i])
		}
	}
}

// formatsWithin reports whether parts of a value of type t may have methods of the
// program by which they are printed.
func (x *fn) formatsWithin(t types.Type, depth int) bool {
	part := func(t types.Type) bool {
		if n, ok := types.Unalias(form.Deref(t)).(*types.Named); ok && x.Own[n.Obj().Pkg()] {
			for _, name := range library.Formatters {
				if x.Prog.MethodSets.MethodSet(t).Lookup(nil, name) != nil {
					return true
				}
			}
		}
		return depth == 0 || x.formatsWithin(t, depth-1)
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if part(u.Field(i).Type()) {
				return true
			}
		}
	case *types.Pointer:
		return depth == 4 && x.formatsWithin(u.Elem(), 3)
	case *types.Slice:
		return part(u.Elem())
	case *types.Array:
		return part(u.Elem())
	case *types.Map:
		return part(u.Key()) || part(u.Elem())
	case *types.Interface:
		return depth < 4 && len(x.Boxes) > 0 && x.formatsBoxes()
	}
	return false
}

// formatsBoxes reports whether types of the program that become interfaces have methods
// by which they are printed.
func (x *fn) formatsBoxes() bool {
	for _, t := range x.Boxes {
		if n, ok := types.Unalias(form.Deref(t)).(*types.Named); ok && x.Own[n.Obj().Pkg()] {
			for _, name := range library.Formatters {
				if x.Prog.MethodSets.MethodSet(t).Lookup(nil, name) != nil {
					return true
				}
			}
		}
	}
	return false
}

// markPrints marks the structs with methods, of their own, by which values are turned
// into text or bytes. Those of embedded structs are theirs.
func (l *lowering) markPrints() {
	for s, t := range l.lay.Gostructs {
		s.Prints = library.Formatted(t)
	}
}
