package retained

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
)

// StateType is the type of their states.
var StateType = types.NewNamed(types.NewTypeName(token.NoPos, nil, "library object", nil), types.NewStruct([]*types.Var{types.NewField(token.NoPos, nil, "state", types.Typ[types.Uint64], false)}, nil), nil)

// Stateful is the dynamic type of such objects: a pointer to their state.
var Stateful = types.NewNamed(types.NewTypeName(token.NoPos, nil, "library object", nil), types.NewPointer(StateType), nil)

// noteGiven notes the interfaces in which a function of the program may be given such
// objects.
func (x *Facts) noteGiven(f *ssa.Function) {
	for _, t := range form.ComponentTypes(f.Signature.Params()) {
		if it, ok := t.Underlying().(*types.Interface); ok && !x.Exact && x.Models.IsStateful(form.Key(t)) {
			x.addStateful(it)
		}
	}
}

// MakesStateful reports whether a library function returns such objects.
func (x *Facts) MakesStateful(f *ssa.Function) bool { return len(x.StatefulResults(f)) > 0 }

// StatefulResults lists the interfaces in which it does.
func (x *Facts) StatefulResults(f *ssa.Function) []*types.Interface {
	var out []*types.Interface
	for _, t := range form.ComponentTypes(f.Signature.Results()) {
		it, ok := t.Underlying().(*types.Interface)
		if ok && it.NumMethods() > 0 && !types.Identical(t, form.ErrorType) && (x.Models.IsStateful(form.Key(t)) || x.Models.IsStateful(library.Name(f))) {
			out = append(out, it)
		}
	}
	return out
}

// noteStateful notes in which interfaces a library function that the program calls
// returns such objects.
func (x *Facts) noteStateful(f *ssa.Function) {
	if x.Exact {
		return
	}
	for _, it := range x.StatefulResults(f) {
		x.addStateful(it)
	}
}

func (x *Facts) addStateful(it *types.Interface) bool {
	// none of them is an error
	if it.NumMethods() == 0 || types.Identical(it, form.ErrorType.Underlying()) || x.MayBeStateful(it) {
		return false
	}
	x.stateIfaces = append(x.stateIfaces, it)
	return true
}

// spreadStateful finds into which other interfaces the program puts such objects.
func (x *Facts) spreadStateful() {
	if len(x.stateIfaces) > 0 {
		x.spread(x.MayBeStateful, x.addStateful)
	}
}

// spread finds into which interfaces the program puts values that are in some of them to
// begin with: by conversions and type assertions. What is in any may have been put there.
func (l *Facts) spread(has, add func(*types.Interface) bool) {
	into := func(x ssa.Value, t types.Type) bool {
		from, ok := x.Type().Underlying().(*types.Interface)
		to, is := t.Underlying().(*types.Interface)
		return ok && is && (has(from) || from.NumMethods() == 0) && add(to)
	}
	for changed := true; changed; {
		changed = false
		for _, f := range l.Sources {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					switch in := in.(type) {
					case *ssa.ChangeInterface:
						changed = into(in.X, in.Type()) || changed
					case *ssa.TypeAssert:
						changed = into(in.X, in.AssertedType) || changed
					}
				}
			}
		}
	}
}

// MayBeStateful reports whether such an object may be behind an interface.
func (x *Facts) MayBeStateful(it *types.Interface) bool {
	return slices.ContainsFunc(x.stateIfaces, func(s *types.Interface) bool { return types.Identical(s, it) })
}
