package retained

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
)

// Wrapper is the dynamic type of such values.
var Wrapper = types.NewNamed(types.NewTypeName(token.NoPos, nil, "wrapping value", nil), library.AnyType, nil)

// findWrapped finds the interfaces in which there may be wrapping values: those in which
// library functions that the program mentions return something, also by way of methods
// that its types have from embedded ones, and those into which it puts what is in them.
func (x *Facts) findWrapped() {
	seen, work := map[*ssa.Function]bool{}, slices.Clone(x.Sources)
	see := func(f *ssa.Function) {
		switch {
		case f == nil || seen[f]:
		case x.isForeign(f):
			x.noteWrapped(f)
		case f.Synthetic != "":
			work = append(work, f)
		}
		seen[f] = true
	}
	for len(work) > 0 {
		f := work[0]
		work = work[1:]
		eachMentioned(x.Prog, f, see)
	}
	x.spread(x.MayHoldWrapped, x.addWrapped)
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
func (x *Facts) noteWrapped(f *ssa.Function) {
	if !x.mayKeepGiven(f) {
		return
	}
	for _, t := range form.ComponentTypes(f.Signature.Results()) {
		if it, ok := t.Underlying().(*types.Interface); ok {
			x.addWrapped(it)
		}
	}
}

// mayKeepGiven reports whether results of a library function may have to do with values
// of the program: it is given something that leads somewhere, or its package keeps
// something.
func (x *Facts) mayKeepGiven(f *ssa.Function) bool {
	return !x.PackageKeeps[f.Object().Pkg()].Empty() || slices.ContainsFunc(form.ParamTypes(f.Signature), func(t types.Type) bool {
		if s, ok := t.Underlying().(*types.Slice); ok {
			t = s.Elem()
		}
		_, basic := t.Underlying().(*types.Basic)
		return !basic
	})
}

func (x *Facts) addWrapped(it *types.Interface) bool {
	if !library.MayWrap(it) || x.MayHoldWrapped(it) {
		return false
	}
	x.wrapIfaces = append(x.wrapIfaces, it)
	return true
}

// MayHoldWrapped reports whether a wrapping value may be behind an interface.
func (x *Facts) MayHoldWrapped(it *types.Interface) bool {
	return slices.ContainsFunc(x.wrapIfaces, func(w *types.Interface) bool { return types.Identical(w, it) })
}
