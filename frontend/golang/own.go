package golang

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/world"
)

// markOwn marks the hidden fields of the struct types that only functions change of which
// the IR program has all runs: users of a library cannot call them with other arguments
// than entry points and the initialisation do.
func (l *lowering) markOwn(built []*ssa.Package, roots []world.Root) {
	open := &world.TypeSet{}
	for _, f := range l.runByUsers(built, roots) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				l.changes(in, open)
			}
		}
	}
	for _, f := range form.AllFunctions(built) {
		if l.Callable(f) {
			givenByValue(f.Signature, open)
		}
	}
	for s, t := range l.lay.Gostructs {
		if open.Has(t) || l.ofStranger(t) {
			continue
		}
		for i := range s.Fields {
			s.Fields[i].Own = s.Fields[i].Hidden
		}
	}
}

// givenByValue notes the struct types of which a function returns values: who gets one has
// an object of its own with what the program has put there.
func givenByValue(sig *types.Signature, open *world.TypeSet) {
	for r := range sig.Results().Variables() {
		open.AddValue(r.Type())
	}
}

// runByUsers lists the functions that users of the packages may run in ways that the IR
// program has not: exported ones that are neither entry points nor run in the
// initialisation, and what they mention. What users set up with is run there, with all
// that they may have (setup.go), but for the types of receivers, of which it gets one.
func (l *lowering) runByUsers(built []*ssa.Package, roots []world.Root) []*ssa.Function {
	known := l.RunAnyway(roots)
	for _, f := range l.Settings {
		known[f] = known[f] || !slices.ContainsFunc(f.Params, func(p *ssa.Parameter) bool {
			n, ok := types.Unalias(form.Deref(p.Type())).(*types.Named)
			return ok && l.ReceiverTypes[n.Origin()] && l.receiver[l.lay.Of(n).Mem] != nil
		})
	}
	r := &reach{l: l, seen: map[*ssa.Function]bool{}}
	for _, f := range form.AllFunctions(built) {
		if !known[f] && l.Callable(f) {
			r.add(f)
		}
	}
	var out []*ssa.Function
	for len(r.work) > 0 {
		f := r.work[0]
		r.work = r.work[1:]
		out = append(out, f)
		r.mentions(f)
	}
	return out
}

// changes notes the struct types that an instruction may make or change values of.
func (l *lowering) changes(in ssa.Instruction, open *world.TypeSet) {
	switch in := in.(type) {
	case *ssa.Alloc:
		open.AddAll(form.Deref(in.Type()))
	case *ssa.MakeSlice:
		open.AddAll(in.Type())
	case *ssa.ChangeType:
		open.AddAll(in.Type())
	case *ssa.Convert:
		open.AddAll(in.Type())
	case *ssa.Store:
		open.AddAll(in.Val.Type())
	case *ssa.FieldAddr:
		t := form.Deref(in.X.Type())
		f := t.Underlying().(*types.Struct).Field(in.Field)
		if l.lay.Hidden(f) && !form.FieldOnlyRead(in) {
			open.Add(t)
		}
	}
}
