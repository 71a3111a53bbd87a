package golang

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/irgen"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// What functions and methods of the program return to the library that calls them is used
// there: the files that an fs.FS opens are read, the connections of a driver asked. And
// it may be what the library function returns: an error, the response of an
// http.RoundTripper.

// maxBack is how deep that is followed.
const maxBack = 2

// repeatCall makes a call of the program by the library any number of times, and notes
// what comes back.
func (x *fn) repeatCall(res *types.Tuple, call func() irgen.Value) {
	wanted := false
	for _, t := range form.ComponentTypes(res) {
		wanted = wanted || x.comesBack(t)
	}
	if !wanted || x.Exact {
		x.repeat(func() { call() })
		return
	}
	dst := x.Zeroed(res)
	x.repeat(func() { x.AssignAll(dst, call()) })
	at, all := 0, irgen.UseAll(dst)
	for _, t := range form.ComponentTypes(res) {
		n := len(x.lay.Of(t).Leaves)
		if x.comesBack(t) {
			x.useBack(given{t: t, v: all[at : at+n]})
		}
		at += n
	}
}

// comesBack reports whether a value of a type that the program returns to the library is
// followed.
func (x *fn) comesBack(t types.Type) bool {
	if form.IsParam(t) || x.backDepth >= maxBack {
		return false
	}
	if types.Identical(t, form.ErrorType) {
		return x.errorsChange()
	}
	if it, ok := t.Underlying().(*types.Interface); ok {
		return it.NumMethods() > 0 && x.ImplementedHere(it)
	}
	return x.WithFields(t) != nil
}

// useBack is what the library does with what it was returned.
func (x *fn) useBack(g given) {
	x.gotBack = append(x.gotBack, g)
	x.backDepth++
	defer func() { x.backDepth-- }()
	if it, ok := g.t.Underlying().(*types.Interface); !ok {
		x.useFields(g.v[0], x.WithFields(g.t))
	} else if library.MayWrap(it) {
		x.methodCallbacks(g.v, g.t, it)
	}
}

// orBack makes a result of a library function possibly be what the program returned to
// it.
func (x *fn) orBack(t types.Type, v irgen.Value, g given) {
	if _, isPtr := t.Underlying().(*types.Pointer); isPtr && types.Identical(t, g.t) {
		copy(v, x.either(t, v, irgen.Value{irgen.Typed(g.v[0], v[0].Type().(ir.Ptr))}))
		return
	}
	x.orGiven(t, v, g)
	x.orWrapped(t, v, g)
}

// errorsChange reports whether errors of the program's types may take part in a race:
// some are written otherwise than where they are made, or lead to more than text and
// errors.
func (l *lowering) errorsChange() bool {
	if l.changingErrors == nil {
		yes := l.findChangingErrors()
		l.changingErrors = &yes
	}
	return *l.changingErrors
}

func (l *lowering) findChangingErrors() bool {
	it := form.ErrorType.Underlying().(*types.Interface)
	errs := map[*types.Named]bool{}
	for _, t := range l.Boxes {
		n, ok := types.Unalias(form.Deref(t)).(*types.Named)
		if !ok || !l.Own[n.Obj().Pkg()] || !types.Implements(t, it) {
			continue
		}
		if st, ok := n.Underlying().(*types.Struct); ok {
			for i := range st.NumFields() {
				if ft := st.Field(i).Type(); !types.Identical(ft, form.ErrorType) && l.hasPointers(ft) {
					return true
				}
			}
		} else if l.hasPointers(n) {
			return true
		}
		if _, isPtr := t.Underlying().(*types.Pointer); isPtr {
			errs[n] = true
		}
	}
	for _, f := range l.Sources {
		for _, b := range f.Blocks {
			made := map[ssa.Value]bool{} // objects that nobody else can have yet
			for _, in := range b.Instrs {
				if a, ok := in.(*ssa.Alloc); ok {
					made[a] = true
				} else if at, ok := in.(*ssa.FieldAddr); ok {
					if isOneOf(at.X.Type(), errs) && !made[at.X] && !form.OnlyLoaded(at) {
						return true
					}
				} else if st, ok := in.(*ssa.Store); ok && isOneOf(st.Addr.Type(), errs) && !made[st.Addr] {
					return true
				} else {
					for _, op := range in.Operands(nil) {
						delete(made, *op)
					}
				}
				if st, ok := in.(*ssa.Store); ok {
					delete(made, st.Val)
				}
			}
		}
	}
	return false
}

func isOneOf(t types.Type, ts map[*types.Named]bool) bool {
	n, ok := types.Unalias(form.Deref(t)).(*types.Named)
	return ok && ts[n]
}
