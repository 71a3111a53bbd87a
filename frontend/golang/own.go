package golang

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
)

// markOwn marks the hidden fields of the struct types that only functions change of which
// the IR program has all runs: users of a library cannot call them with other arguments
// than entry points and the initialisation do.
func (l *lowering) markOwn(built []*ssa.Package, roots []root) {
	open := &typeSet{}
	for _, f := range l.runByUsers(built, roots) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				l.changes(in, open)
			}
		}
	}
	for _, f := range form.AllFunctions(built) {
		if l.callable(f) {
			givenByValue(f.Signature, open)
		}
	}
	for s, t := range l.lay.gostructs {
		if open.has(t) || l.ofStranger(t) {
			continue
		}
		for i := range s.Fields {
			s.Fields[i].Own = s.Fields[i].Hidden
		}
	}
}

// givenByValue notes the struct types of which a function returns values: who gets one has
// an object of its own with what the program has put there.
func givenByValue(sig *types.Signature, open *typeSet) {
	for r := range sig.Results().Variables() {
		open.addValue(r.Type())
	}
}

// runByUsers lists the functions that users of the packages may run in ways that the IR
// program has not: exported ones that are neither entry points nor run in the
// initialisation, and what they mention. What users set up with is run there, with all
// that they may have (setup.go), but for the types of receivers, of which it gets one.
func (l *lowering) runByUsers(built []*ssa.Package, roots []root) []*ssa.Function {
	known := l.runAnyway(roots)
	for _, f := range l.settings {
		known[f] = known[f] || !slices.ContainsFunc(f.Params, func(p *ssa.Parameter) bool {
			n, ok := types.Unalias(form.Deref(p.Type())).(*types.Named)
			return ok && l.receiverTypes[n.Origin()] && l.receiver[l.lay.of(n).mem] != nil
		})
	}
	r := &reach{l: l, seen: map[*ssa.Function]bool{}}
	for _, f := range form.AllFunctions(built) {
		if !known[f] && l.callable(f) {
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

// runAnyway are the entry points, the constructors that are known already, and the other
// functions that make what users get.
func (l *lowering) runAnyway(roots []root) map[*ssa.Function]bool {
	out := map[*ssa.Function]bool{}
	for _, r := range roots {
		out[r.fn] = true
	}
	for _, fs := range l.ctors {
		for _, f := range fs {
			out[f] = true
		}
	}
	for _, f := range l.makerFuncs(roots) {
		out[f] = true
	}
	return out
}

// callable reports whether users can name a function: an exported one, or an exported
// method of an exported type.
func (l *lowering) callable(f *ssa.Function) bool {
	o := f.Object()
	if o == nil || !o.Exported() || f.Parent() != nil {
		return false
	}
	recv := f.Signature.Recv()
	if recv == nil {
		return true
	}
	n, ok := types.Unalias(form.Deref(recv.Type())).(*types.Named)
	return !ok || n.Obj().Exported()
}

// changes notes the struct types that an instruction may make or change values of.
func (l *lowering) changes(in ssa.Instruction, open *typeSet) {
	switch in := in.(type) {
	case *ssa.Alloc:
		open.addAll(form.Deref(in.Type()))
	case *ssa.MakeSlice:
		open.addAll(in.Type())
	case *ssa.ChangeType:
		open.addAll(in.Type())
	case *ssa.Convert:
		open.addAll(in.Type())
	case *ssa.Store:
		open.addAll(in.Val.Type())
	case *ssa.FieldAddr:
		t := form.Deref(in.X.Type())
		f := t.Underlying().(*types.Struct).Field(in.Field)
		if l.lay.hidden(f) && !form.FieldOnlyRead(in) {
			open.add(t)
		}
	}
}

// typeSet is a set of types, generic ones by their origin.
type typeSet struct{ names map[string]bool }

func (s *typeSet) add(t types.Type) {
	if s.names == nil {
		s.names = map[string]bool{}
	}
	s.names[form.OriginKey(t)] = true
}

func (s *typeSet) has(t types.Type) bool { return s.names[form.OriginKey(t)] }

// addAll adds a type and the structs in its values.
func (s *typeSet) addAll(t types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if s.has(t) {
			return
		}
		s.add(t)
		for i := range u.NumFields() {
			s.addAll(u.Field(i).Type())
		}
	case *types.Array:
		s.addAll(u.Elem())
	case *types.Slice:
		s.addAll(u.Elem())
	case *types.Pointer:
		if _, ok := u.Elem().Underlying().(*types.Struct); ok {
			s.addAll(u.Elem())
		}
	}
}

// addValue adds the structs that a value of a type consists of, elements of slices among
// them, and not those that it only leads to.
func (s *typeSet) addValue(t types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if s.has(t) {
			return
		}
		s.add(t)
		for f := range u.Fields() {
			s.addValue(f.Type())
		}
	case *types.Array:
		s.addValue(u.Elem())
	case *types.Slice:
		s.addValue(u.Elem())
	}
}
