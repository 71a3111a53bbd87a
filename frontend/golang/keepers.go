package golang

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
)

// findKeepers finds the library types of which objects keep values of the program.
func (l *lowering) findKeepers(built []*ssa.Package) {
	l.keepers, l.packageKeeps = map[*types.Named]*keeper{}, map[*types.Package]*keeper{}
	l.Sources = form.AllFunctions(built)
	var calls []*ssa.Function
	seen, got := map[*ssa.Function]bool{}, gets{}
	for _, f := range l.Sources {
		l.noteGiven(f)
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case ssa.CallInstruction:
					g := in.Common().StaticCallee()
					if g == nil || !l.isForeign(g) {
						continue
					}
					got.note(g, in.Common())
					if !seen[g] {
						seen[g] = true
						l.noteStateful(g)
						calls = append(calls, g)
					}
				case *ssa.Store:
					l.noteField(in)
				}
			}
		}
	}
	l.spreadStateful()
	for changed := !l.Exact; changed; {
		changed = false
		for _, g := range calls {
			changed = l.keeps(g, got) || changed
		}
	}
	if !l.wrapped.empty() {
		l.findWrapped()
	}
}

// isForeign reports whether a function has no body and no model of its own beyond an
// effect.
func (l *lowering) isForeign(f *ssa.Function) bool {
	if len(form.Body(f).Blocks) > 0 || f.Object() == nil || f.Object().Pkg() == nil || l.Own[f.Object().Pkg()] {
		return false
	}
	m := l.Models.ByName(library.Name(f))
	return m == nil || library.IsEffect(m.Op)
}

// noteField notes that the program puts a function or an interface into a field of a
// library struct.
func (l *lowering) noteField(in *ssa.Store) {
	at, ok := in.Addr.(*ssa.FieldAddr)
	if !ok {
		return
	}
	n, ok := types.Unalias(form.Deref(at.X.Type())).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || l.Own[n.Obj().Pkg()] {
		return
	}
	if l.setFields == nil {
		l.setFields = map[*types.Named]map[int]bool{}
	}
	if l.setFields[n] == nil {
		l.setFields[n] = map[int]bool{}
	}
	l.setFields[n][at.Field] = true
}

// holdsCallbacks reports whether a library function is given a struct of a library in
// whose fields the program puts what it may call.
func (l *lowering) holdsCallbacks(f *ssa.Function) bool {
	for _, t := range form.ParamTypes(f.Signature) {
		n, ok := types.Unalias(form.Deref(t)).(*types.Named)
		if !ok {
			continue
		}
		st, ok := n.Underlying().(*types.Struct)
		for i := 0; ok && i < st.NumFields(); i++ {
			if !l.setFields[n][i] {
				continue
			}
			switch u := st.Field(i).Type().Underlying().(type) {
			case *types.Signature:
				return true
			case *types.Pointer:
				if l.withFields(u) != nil {
					return true
				}
			case *types.Interface:
				if form.HasMethods(u) {
					return true
				}
			}
		}
	}
	return false
}

// gets are the parameters for which some call of a library function has an argument: one
// that is not nil.
type gets map[*ssa.Function]map[int]bool

// note notes the arguments of a call of f.
func (g gets) note(f *ssa.Function, cc *ssa.CallCommon) {
	if g[f] == nil {
		g[f] = map[int]bool{}
	}
	args := cc.Args
	if f.Signature.Recv() != nil {
		args = args[1:]
	}
	for i, a := range args {
		if c, ok := a.(*ssa.Const); !ok || !c.IsNil() {
			g[f][i] = true
		}
	}
}

// keeps notes what a library function may keep; it reports whether that is news.
func (l *lowering) keeps(f *ssa.Function, got gets) bool {
	ks, heirs := l.keepersFor(f)
	changed := false
	sig := f.Signature
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		if !got[f][i] {
			continue
		}
		if _, ok := t.Underlying().(*types.Slice); ok && library.ReadsLater(f) {
			for _, k := range ks {
				if len(k.slices) == 0 {
					k.slices, changed = append(k.slices, t), true
				}
			}
		}
		if s, ok := t.Underlying().(*types.Slice); ok {
			t = s.Elem()
		}
		for _, k := range ks {
			changed = l.note(k, t) || changed
		}
	}
	if m := l.Models.ByName(library.Name(f)); m != nil && m.Keeps != "" {
		for _, k := range ks {
			changed = k.add(&k.data, m.KeptType(sig)) || changed
		}
	}
	for _, t := range form.ParamTypes(sig) {
		if n := l.keepingType(t); n != nil {
			for _, k := range append(heirs, ks...) {
				if k == &l.wrapped && !library.HandsOnInside(sig) {
					continue
				}
				changed = l.inherit(k, l.keepers[n]) || changed
			}
		}
	}
	return changed
}

// keepersFor lists who keeps what a library function is given, and heirs: what its
// results keep is what the objects do that it is given.
func (l *lowering) keepersFor(f *ssa.Function) (ks, heirs []*keeper) {
	sig := f.Signature
	if library.Wraps(sig) {
		ks = append(ks, &l.wrapped)
	}
	keeps := library.IsSetter(f.Name())
	if m := l.Models.ByName(library.Name(f)); m != nil && m.Keeps != "" {
		keeps = true
	}
	var results []*keeper
	for i := range sig.Results().Len() {
		t := sig.Results().At(i).Type()
		_, isPtr := t.Underlying().(*types.Pointer)
		if n := l.keepingType(t); n != nil && isPtr {
			results = append(results, l.keeperOf(n))
		}
	}
	if sig.Recv() == nil {
		if len(results) == 0 && keeps {
			for _, p := range library.KeptWith(f.Object().Pkg(), l.Prog) {
				ks = append(ks, l.packageKeeper(p))
			}
		}
		return append(ks, results...), nil
	}
	if n := l.keepingType(sig.Recv().Type()); n != nil && keeps {
		ks = append(ks, l.keeperOf(n))
		// it may be flag.CommandLine
		if n.Obj().Name() == "FlagSet" && n.Obj().Pkg().Path() == "flag" {
			ks = append(ks, l.packageKeeper(n.Obj().Pkg()))
		}
	}
	return ks, results
}

// inherit adds what objects of one type keep to what those of another do.
func (l *lowering) inherit(k, from *keeper) bool {
	if from.empty() || k == from {
		return false
	}
	changed := false
	for _, t := range slices.Concat(from.ifaces, from.funcs) {
		changed = l.note(k, t) || changed
	}
	for _, t := range from.slices {
		changed = k.add(&k.slices, t) || changed
	}
	for _, t := range from.fields {
		changed = k.add(&k.fields, t) || changed
	}
	for _, t := range from.data {
		changed = k.add(&k.data, t) || changed
	}
	return changed
}

// add adds a type to a list of a keeper; it reports whether that is news.
func (k *keeper) add(list *[]types.Type, t types.Type) bool {
	if slices.ContainsFunc(*list, func(old types.Type) bool { return types.Identical(old, t) }) {
		return false
	}
	*list = append(*list, t)
	return true
}

// note adds a parameter's type to what a keeper keeps.
func (l *lowering) note(k *keeper, t types.Type) bool {
	list := &k.ifaces
	switch u := t.Underlying().(type) {
	case *types.Signature:
		list = &k.funcs
	case *types.Pointer:
		if l.withFields(t) == nil {
			return false
		}
		list = &k.fields
	case *types.Interface:
		if form.IsParam(t) || !l.mayCall(u) && !l.mayChange(u) {
			return false
		}
	default:
		return false
	}
	changed := l.noteWithin(k, t)
	return k.add(list, t) || changed
}

// noteWithin adds what library objects behind an interface keep themselves: see keepAt.
func (l *lowering) noteWithin(k *keeper, t types.Type) bool {
	it, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	changed := false
	for _, b := range l.Boxes {
		n, ok := types.Unalias(form.Deref(b)).(*types.Named)
		if !ok || l.keepers[n].empty() || l.keepers[n] == k || !types.Implements(b, it) {
			continue
		}
		for _, more := range append(append([]types.Type{}, l.keepers[n].ifaces...), l.keepers[n].funcs...) {
			if !types.Identical(more, t) && !k.has(more) {
				changed = l.note(k, more) || changed
			}
		}
		for _, t := range l.keepers[n].fields {
			changed = k.add(&k.fields, t) || changed
		}
		for _, t := range l.keepers[n].data {
			changed = k.add(&k.data, t) || changed
		}
	}
	return changed
}

func (k *keeper) has(t types.Type) bool {
	return slices.ContainsFunc(slices.Concat(k.ifaces, k.funcs), func(old types.Type) bool { return types.Identical(old, t) })
}

// keepingType is the library struct that t is or points to, if objects of it may keep
// something.
func (l *lowering) keepingType(t types.Type) *types.Named {
	n, ok := types.Unalias(form.Deref(t)).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || l.Own[n.Obj().Pkg()] || n.TypeArgs().Len() > 0 || n.TypeParams().Len() > 0 {
		return nil
	}
	path := n.Obj().Pkg().Path()
	if _, ok := n.Underlying().(*types.Struct); !ok || path == "testing" || path == "sync" || path == "time" || path == "reflect" {
		return nil
	}
	if l.Models.TypeOf(n) != nil {
		return nil
	}
	return n
}

func (l *lowering) keeperOf(n *types.Named) *keeper {
	k := l.keepers[n]
	if k == nil {
		k = &keeper{}
		l.keepers[n] = k
	}
	return k
}

func (l *lowering) packageKeeper(p *types.Package) *keeper {
	k := l.packageKeeps[p]
	if k == nil {
		k = &keeper{}
		l.packageKeeps[p] = k
	}
	return k
}

func (k *keeper) empty() bool {
	return k == nil || len(k.ifaces)+len(k.funcs)+len(k.slices)+len(k.fields)+len(k.data) == 0
}

// mayCall reports whether code of the program may be behind an interface with methods: a
// type of its own, or a library's that keeps or is one of its values.
func (l *lowering) mayCall(it *types.Interface) bool {
	if it.NumMethods() == 0 {
		return false
	}
	if l.implementedHere(it) || !l.wrapped.empty() && library.MayWrap(it) || l.fromElsewhere(it) {
		return true
	}
	for _, t := range l.Boxes {
		n, ok := types.Unalias(form.Deref(t)).(*types.Named)
		if !ok {
			continue
		}
		_, isFunc := n.Underlying().(*types.Signature)
		if (isFunc || !l.keepers[n].empty()) && types.Implements(t, it) {
			return true
		}
	}
	return false
}

// fromElsewhere reports whether a value of another module's type may be behind an
// interface: one that the program puts there, or that a function of such a module returns
// in an interface.
func (l *lowering) fromElsewhere(it *types.Interface) bool {
	if l.Exact || l.Modules == nil || l.Modules.World == nil {
		return false
	}
	for _, t := range l.Boxes {
		if n, ok := types.Unalias(form.Deref(t)).(*types.Named); ok && l.Elsewhere(n.Obj().Pkg()) && types.Implements(t, it) {
			return true
		}
	}
	return slices.ContainsFunc(l.Modules.Returned, func(t types.Type) bool { return types.Implements(t, it) })
}

// mayChange reports whether a library object that its methods change may be behind an
// interface: a bytes.Buffer as an io.Writer.
func (l *lowering) mayChange(it *types.Interface) bool {
	if it.NumMethods() == 0 {
		return false
	}
	if l.mayBeStateful(it) {
		return true
	}
	for _, t := range l.Boxes {
		if _, written := l.boxedEffect(t, it); written && types.Implements(t, it) {
			return true
		}
	}
	return false
}
