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

// Interfaces in which library functions return objects whose methods must not be called
// at the same time, such as hash.Hash and what base64.NewEncoder returns (models,
// stateful), have a dynamic type of their own. Their methods access the state of the
// object.

// stateType is the type of their states.
var stateType = types.NewNamed(types.NewTypeName(token.NoPos, nil, "library object", nil), types.NewStruct([]*types.Var{types.NewField(token.NoPos, nil, "state", types.Typ[types.Uint64], false)}, nil), nil)

// stateful is the dynamic type of such objects: a pointer to their state.
var stateful = types.NewNamed(types.NewTypeName(token.NoPos, nil, "library object", nil), types.NewPointer(stateType), nil)

// outsideOf is what a library function returns: outside, but for such objects.
func (x *fn) outsideOf(p *irgen.Call) irgen.Value {
	sig := p.Fn.Signature
	out := x.outside(sig.Results())
	if x.Exact {
		return out
	}
	at := 0
	for _, t := range form.ComponentTypes(sig.Results()) {
		n := len(x.lay.Of(t).Leaves)
		if it, ok := t.Underlying().(*types.Interface); ok && slices.Contains(x.statefulResults(p.Fn), it) {
			copy(out[at:], x.newStateful())
		}
		at += n
	}
	return out
}

// newStateful is a new object with state in an interface, or nil.
func (x *fn) newStateful() irgen.Value {
	mem := x.lay.Of(stateType).Mem
	r := x.Temp(ir.Ptr{Elem: mem})
	x.Emit(&ir.Alloc{Base: x.Base(), Dst: r, Elem: mem, Count: ir.IntConst(ir.U64, 1), Kind: "heap", Zero: true})
	v := x.Boxed(stateful, irgen.Value{ir.Use{Reg: r}})
	return irgen.Value{x.Hold(ir.Select{C: irgen.Cond(x.havoc(irgen.BoolT)), X: ir.IntConst(ir.U32, 0), Y: v[0]}), v[1]}
}

// statefulGiven is what code outside the program gives as values of an interface that is
// listed as stateful: something with a state of its own, or what it has got; ok is false
// for other types.
func (x *fn) statefulGiven(t types.Type, ext func(ir.Ptr) ir.Expr) (out irgen.Value, ok bool) {
	it, isIface := t.Underlying().(*types.Interface)
	if !isIface || !x.Models.IsStateful(form.Key(t)) || !x.mayBeStateful(it) {
		return nil, false
	}
	out = x.newStateful()
	if ext != nil {
		out = x.either(t, out, x.narrowed(t, x.foreignInterface(ext)))
	}
	return out, true
}

// noteGiven notes the interfaces in which a function of the program may be given such
// objects.
func (l *lowering) noteGiven(f *ssa.Function) {
	for _, t := range form.ComponentTypes(f.Signature.Params()) {
		if it, ok := t.Underlying().(*types.Interface); ok && !l.Exact && l.Models.IsStateful(form.Key(t)) {
			l.addStateful(it)
		}
	}
}

// makesStateful reports whether a library function returns such objects.
func (l *lowering) makesStateful(f *ssa.Function) bool { return len(l.statefulResults(f)) > 0 }

// statefulResults lists the interfaces in which it does.
func (l *lowering) statefulResults(f *ssa.Function) []*types.Interface {
	var out []*types.Interface
	for _, t := range form.ComponentTypes(f.Signature.Results()) {
		it, ok := t.Underlying().(*types.Interface)
		if ok && it.NumMethods() > 0 && !types.Identical(t, form.ErrorType) && (l.Models.IsStateful(form.Key(t)) || l.Models.IsStateful(library.Name(f))) {
			out = append(out, it)
		}
	}
	return out
}

// noteStateful notes in which interfaces a library function that the program calls
// returns such objects.
func (l *lowering) noteStateful(f *ssa.Function) {
	if l.Exact {
		return
	}
	for _, it := range l.statefulResults(f) {
		l.addStateful(it)
	}
}

func (l *lowering) addStateful(it *types.Interface) bool {
	// none of them is an error
	if it.NumMethods() == 0 || types.Identical(it, form.ErrorType.Underlying()) || l.mayBeStateful(it) {
		return false
	}
	l.stateIfaces = append(l.stateIfaces, it)
	return true
}

// spreadStateful finds into which other interfaces the program puts such objects.
func (l *lowering) spreadStateful() {
	if len(l.stateIfaces) > 0 {
		l.spread(l.mayBeStateful, l.addStateful)
	}
}

// spread finds into which interfaces the program puts values that are in some of them to
// begin with: by conversions and type assertions. What is in any may have been put there.
func (l *lowering) spread(has, add func(*types.Interface) bool) {
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

// mayBeStateful reports whether such an object may be behind an interface.
func (l *lowering) mayBeStateful(it *types.Interface) bool {
	return slices.ContainsFunc(l.stateIfaces, func(s *types.Interface) bool { return types.Identical(s, it) })
}

// changeState is what methods of an interface do to such an object in it.
func (x *fn) changeState(it *types.Interface, tag, data ir.Expr, write bool) {
	if !x.mayBeStateful(it) {
		return
	}
	x.When(irgen.Bin("eq", tag, x.Tag(stateful)), func() {
		at := x.Unboxed(stateful, data)[0]
		x.Emit(&ir.Touch{Base: x.Base(), Addr: at, Size: ir.IntConst(ir.U64, x.lay.Of(stateType).Mem.Size()), Read: true, Write: write, Why: "the state of an object of the library"})
	})
}
