package golang

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// What library functions return in interfaces may be a value of the library's that keeps
// what they were given, and calls it when it is used: io.TeeReader and io.NopCloser wrap
// readers, http.FileServer a file system. Such a value has a type of its own here, of
// which the contents are what is kept.

// wrapper is the dynamic type of such values.
var wrapper = types.NewNamed(types.NewTypeName(token.NoPos, nil, "wrapping value", nil), library.AnyType, nil)

// maxWrapped is how deep values that wrap wrapping values are looked into.
const maxWrapped = 3

// findWrapped finds the interfaces in which there may be wrapping values: those in which
// library functions that the program mentions return something, also by way of methods
// that its types have from embedded ones, and those into which it puts what is in them.
func (l *lowering) findWrapped() {
	seen, work := map[*ssa.Function]bool{}, slices.Clone(l.Sources)
	see := func(f *ssa.Function) {
		switch {
		case f == nil || seen[f]:
		case l.isForeign(f):
			l.noteWrapped(f)
		case f.Synthetic != "":
			work = append(work, f)
		}
		seen[f] = true
	}
	for len(work) > 0 {
		f := work[0]
		work = work[1:]
		eachMentioned(l.Prog, f, see)
	}
	l.spread(l.mayHoldWrapped, l.addWrapped)
}

// eachMentioned goes through the functions that one mentions, and the methods of what it
// puts into interfaces.
func eachMentioned(prog *ssa.Program, f *ssa.Function, see func(*ssa.Function)) {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			for _, op := range in.Operands(nil) {
				if g, ok := (*op).(*ssa.Function); ok {
					see(g)
				}
			}
			if m, ok := in.(*ssa.MakeInterface); ok {
				ms := prog.MethodSets.MethodSet(m.X.Type())
				for i := range ms.Len() {
					see(prog.MethodValue(ms.At(i)))
				}
			}
		}
	}
}

// noteWrapped notes in which interfaces a library function may return a wrapping value.
func (l *lowering) noteWrapped(f *ssa.Function) {
	if !l.mayKeepGiven(f) {
		return
	}
	for _, t := range form.ComponentTypes(f.Signature.Results()) {
		if it, ok := t.Underlying().(*types.Interface); ok {
			l.addWrapped(it)
		}
	}
}

// mayKeepGiven reports whether results of a library function may have to do with values
// of the program: it is given something that leads somewhere, or its package keeps
// something.
func (l *lowering) mayKeepGiven(f *ssa.Function) bool {
	return !l.packageKeeps[f.Object().Pkg()].empty() || slices.ContainsFunc(form.ParamTypes(f.Signature), func(t types.Type) bool {
		if s, ok := t.Underlying().(*types.Slice); ok {
			t = s.Elem()
		}
		_, basic := t.Underlying().(*types.Basic)
		return !basic
	})
}

func (l *lowering) addWrapped(it *types.Interface) bool {
	if !library.MayWrap(it) || l.mayHoldWrapped(it) {
		return false
	}
	l.wrapIfaces = append(l.wrapIfaces, it)
	return true
}

// mayHoldWrapped reports whether a wrapping value may be behind an interface.
func (l *lowering) mayHoldWrapped(it *types.Interface) bool {
	return slices.ContainsFunc(l.wrapIfaces, func(w *types.Interface) bool { return types.Identical(w, it) })
}

// orWrapped makes a result of type t possibly wrap g, which is not of that type itself.
func (x *fn) orWrapped(t types.Type, v irgen.Value, g given) {
	it, ok := t.Underlying().(*types.Interface)
	if !ok || form.IsParam(t) || !library.MayWrap(it) || !g.kept && types.Implements(g.t, it) || g.kept && !library.Takes(it) || x.wrapped.empty() {
		return
	}
	if !x.mayHoldWrapped(it) {
		x.Fail("a library function that was not seen to be called returns a %s", t)
	}
	in := g.v
	if !g.kept && !types.IsInterface(g.t) {
		in = x.Boxed(g.t, g.v)
	}
	for i, e := range x.either(t, v, x.Boxed(wrapper, in)) {
		v[i] = e
	}
}

// callWrapped is what a method of a wrapping value does.
func (x *fn) callWrapped(it *types.Interface, tag, data ir.Expr) {
	if x.Exact || x.wrapped.empty() || !x.mayHoldWrapped(it) {
		return
	}
	x.When(irgen.Bin("eq", tag, x.Tag(wrapper)), func() { x.useWrapped(data, 0) })
}

// useWrapped calls a function that calls what a wrapping value keeps, if it keeps
// anything.
func (x *fn) useWrapped(data ir.Expr, depth int) {
	if x.wrappers[depth] == nil {
		f := &ir.Func{Name: x.Unique("use of " + wrapper.Obj().Name()), Result: ir.Void{}, Params: []*ir.Reg{{Name: "$type", Type: ir.U32}, {Name: "$data", Type: ir.VPtr}}}
		x.wrappers[depth] = f
		x.p.Funcs = append(x.p.Funcs, f)
		y := newFn(x.lowering, nil, f)
		y.Used = map[string]int{"$type": 1, "$data": 1}
		y.Start(y.Block("entry"))
		y.callKeptIn(irgen.Value{ir.Use{Reg: f.Params[0]}, ir.Use{Reg: f.Params[1]}}, &x.wrapped, depth+1)
		y.GiveBack(nil)
		y.Prune()
	}
	v := x.Unboxed(wrapper, data)
	x.When(irgen.Not(irgen.IsNil(v[1])), func() {
		x.Emit(&ir.Call{Base: x.Base(), Callee: ir.FuncAddr{Func: x.wrappers[depth]}, Args: []ir.Expr{v[0], irgen.Typed(v[1], ir.VPtr)}})
	})
}
