package retained

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
)

// FindKeepers finds the library types of which objects keep values of the program.
func (x *Facts) FindKeepers(built []*ssa.Package) {
	x.Keepers, x.PackageKeeps = map[*types.Named]*Keeper{}, map[*types.Package]*Keeper{}
	x.Sources = form.AllFunctions(built)
	var calls []*ssa.Function
	seen, got := map[*ssa.Function]bool{}, gets{}
	for _, f := range x.Sources {
		x.noteGiven(f)
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch in := in.(type) {
				case ssa.CallInstruction:
					g := in.Common().StaticCallee()
					if g == nil || !x.isForeign(g) {
						continue
					}
					got.note(g, in.Common())
					if !seen[g] {
						seen[g] = true
						x.noteStateful(g)
						calls = append(calls, g)
					}
				case *ssa.Store:
					x.noteField(in)
				}
			}
		}
	}
	x.spreadStateful()
	for changed := !x.Exact; changed; {
		changed = false
		for _, g := range calls {
			changed = x.keeps(g, got) || changed
		}
	}
	if !x.Wrapped.Empty() {
		x.findWrapped()
	}
}

// isForeign reports whether a function has no body and no model of its own beyond an
// effect.
func (x *Facts) isForeign(f *ssa.Function) bool {
	if len(form.Body(f).Blocks) > 0 || f.Object() == nil || f.Object().Pkg() == nil || x.Own[f.Object().Pkg()] {
		return false
	}
	m := x.Models.ByName(library.Name(f))
	return m == nil || library.IsEffect(m.Op)
}

// noteField notes that the program puts a function or an interface into a field of a
// library struct.
func (x *Facts) noteField(in *ssa.Store) {
	at, ok := in.Addr.(*ssa.FieldAddr)
	if !ok {
		return
	}
	n, ok := types.Unalias(form.Deref(at.X.Type())).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || x.Own[n.Obj().Pkg()] {
		return
	}
	if x.SetFields == nil {
		x.SetFields = map[*types.Named]map[int]bool{}
	}
	if x.SetFields[n] == nil {
		x.SetFields[n] = map[int]bool{}
	}
	x.SetFields[n][at.Field] = true
}

// HoldsCallbacks reports whether a library function is given a struct of a library in
// whose fields the program puts what it may call.
func (x *Facts) HoldsCallbacks(f *ssa.Function) bool {
	for _, t := range form.ParamTypes(f.Signature) {
		n, ok := types.Unalias(form.Deref(t)).(*types.Named)
		if !ok {
			continue
		}
		st, ok := n.Underlying().(*types.Struct)
		for i := 0; ok && i < st.NumFields(); i++ {
			if !x.SetFields[n][i] {
				continue
			}
			switch u := st.Field(i).Type().Underlying().(type) {
			case *types.Signature:
				return true
			case *types.Pointer:
				if x.WithFields(u) != nil {
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
func (x *Facts) keeps(f *ssa.Function, got gets) bool {
	ks, heirs := x.keepersFor(f)
	changed := false
	sig := f.Signature
	for i := range sig.Params().Len() {
		t := sig.Params().At(i).Type()
		if !got[f][i] {
			continue
		}
		if _, ok := t.Underlying().(*types.Slice); ok && library.ReadsLater(f) {
			for _, k := range ks {
				if len(k.Slices) == 0 {
					k.Slices, changed = append(k.Slices, t), true
				}
			}
		}
		if s, ok := t.Underlying().(*types.Slice); ok {
			t = s.Elem()
		}
		for _, k := range ks {
			changed = x.note(k, t) || changed
		}
	}
	if m := x.Models.ByName(library.Name(f)); m != nil && m.Keeps != "" {
		for _, k := range ks {
			changed = k.add(&k.Data, m.KeptType(sig)) || changed
		}
	}
	for _, t := range form.ParamTypes(sig) {
		if n := x.KeepingType(t); n != nil {
			for _, k := range append(heirs, ks...) {
				if k == &x.Wrapped && !library.HandsOnInside(sig) {
					continue
				}
				changed = x.inherit(k, x.Keepers[n]) || changed
			}
		}
	}
	return changed
}

// keepersFor lists who keeps what a library function is given, and heirs: what its
// results keep is what the objects do that it is given.
func (x *Facts) keepersFor(f *ssa.Function) (ks, heirs []*Keeper) {
	sig := f.Signature
	if library.Wraps(sig) {
		ks = append(ks, &x.Wrapped)
	}
	keeps := library.IsSetter(f.Name())
	if m := x.Models.ByName(library.Name(f)); m != nil && m.Keeps != "" {
		keeps = true
	}
	var results []*Keeper
	for i := range sig.Results().Len() {
		t := sig.Results().At(i).Type()
		_, isPtr := t.Underlying().(*types.Pointer)
		if n := x.KeepingType(t); n != nil && isPtr {
			results = append(results, x.keeperOf(n))
		}
	}
	if sig.Recv() == nil {
		if len(results) == 0 && keeps {
			for _, p := range library.KeptWith(f.Object().Pkg(), x.Prog) {
				ks = append(ks, x.packageKeeper(p))
			}
		}
		return append(ks, results...), nil
	}
	if n := x.KeepingType(sig.Recv().Type()); n != nil && keeps {
		ks = append(ks, x.keeperOf(n))
		// it may be flag.CommandLine
		if n.Obj().Name() == "FlagSet" && n.Obj().Pkg().Path() == "flag" {
			ks = append(ks, x.packageKeeper(n.Obj().Pkg()))
		}
	}
	return ks, results
}

// inherit adds what objects of one type keep to what those of another do.
func (x *Facts) inherit(k, from *Keeper) bool {
	if from.Empty() || k == from {
		return false
	}
	changed := false
	for _, t := range slices.Concat(from.Ifaces, from.Funcs) {
		changed = x.note(k, t) || changed
	}
	for _, t := range from.Slices {
		changed = k.add(&k.Slices, t) || changed
	}
	for _, t := range from.Fields {
		changed = k.add(&k.Fields, t) || changed
	}
	for _, t := range from.Data {
		changed = k.add(&k.Data, t) || changed
	}
	return changed
}

// add adds a type to a list of a keeper; it reports whether that is news.
func (k *Keeper) add(list *[]types.Type, t types.Type) bool {
	if slices.ContainsFunc(*list, func(old types.Type) bool { return types.Identical(old, t) }) {
		return false
	}
	*list = append(*list, t)
	return true
}

// note adds a parameter's type to what a keeper keeps.
func (x *Facts) note(k *Keeper, t types.Type) bool {
	list := &k.Ifaces
	switch u := t.Underlying().(type) {
	case *types.Signature:
		list = &k.Funcs
	case *types.Pointer:
		if x.WithFields(t) == nil {
			return false
		}
		list = &k.Fields
	case *types.Interface:
		if form.IsParam(t) || !x.MayCall(u) && !x.MayChange(u) {
			return false
		}
	default:
		return false
	}
	changed := x.noteWithin(k, t)
	return k.add(list, t) || changed
}

// noteWithin adds what library objects behind an interface keep themselves: see keepAt.
func (x *Facts) noteWithin(k *Keeper, t types.Type) bool {
	it, ok := t.Underlying().(*types.Interface)
	if !ok {
		return false
	}
	changed := false
	for _, b := range x.Boxes {
		n, ok := types.Unalias(form.Deref(b)).(*types.Named)
		if !ok || x.Keepers[n].Empty() || x.Keepers[n] == k || !types.Implements(b, it) {
			continue
		}
		for _, more := range append(append([]types.Type{}, x.Keepers[n].Ifaces...), x.Keepers[n].Funcs...) {
			if !types.Identical(more, t) && !k.has(more) {
				changed = x.note(k, more) || changed
			}
		}
		for _, t := range x.Keepers[n].Fields {
			changed = k.add(&k.Fields, t) || changed
		}
		for _, t := range x.Keepers[n].Data {
			changed = k.add(&k.Data, t) || changed
		}
	}
	return changed
}

func (k *Keeper) has(t types.Type) bool {
	return slices.ContainsFunc(slices.Concat(k.Ifaces, k.Funcs), func(old types.Type) bool { return types.Identical(old, t) })
}

// KeepingType is the library struct that t is or points to, if objects of it may keep
// something.
func (x *Facts) KeepingType(t types.Type) *types.Named {
	n, ok := types.Unalias(form.Deref(t)).(*types.Named)
	if !ok || n.Obj().Pkg() == nil || x.Own[n.Obj().Pkg()] || n.TypeArgs().Len() > 0 || n.TypeParams().Len() > 0 {
		return nil
	}
	path := n.Obj().Pkg().Path()
	if _, ok := n.Underlying().(*types.Struct); !ok || path == "testing" || path == "sync" || path == "time" || path == "reflect" {
		return nil
	}
	if x.Models.TypeOf(n) != nil {
		return nil
	}
	return n
}

func (x *Facts) keeperOf(n *types.Named) *Keeper {
	k := x.Keepers[n]
	if k == nil {
		k = &Keeper{}
		x.Keepers[n] = k
	}
	return k
}

func (x *Facts) packageKeeper(p *types.Package) *Keeper {
	k := x.PackageKeeps[p]
	if k == nil {
		k = &Keeper{}
		x.PackageKeeps[p] = k
	}
	return k
}

func (k *Keeper) Empty() bool {
	return k == nil || len(k.Ifaces)+len(k.Funcs)+len(k.Slices)+len(k.Fields)+len(k.Data) == 0
}

// MayCall reports whether code of the program may be behind an interface with methods: a
// type of its own, or a library's that keeps or is one of its values.
func (x *Facts) MayCall(it *types.Interface) bool {
	if it.NumMethods() == 0 {
		return false
	}
	if x.ImplementedHere(it) || !x.Wrapped.Empty() && library.MayWrap(it) || x.fromElsewhere(it) {
		return true
	}
	for _, t := range x.Boxes {
		n, ok := types.Unalias(form.Deref(t)).(*types.Named)
		if !ok {
			continue
		}
		_, isFunc := n.Underlying().(*types.Signature)
		if (isFunc || !x.Keepers[n].Empty()) && types.Implements(t, it) {
			return true
		}
	}
	return false
}

// fromElsewhere reports whether a value of another module's type may be behind an
// interface: one that the program puts there, or that a function of such a module returns
// in an interface.
func (x *Facts) fromElsewhere(it *types.Interface) bool {
	if x.Exact || x.Modules == nil || x.Modules.World == nil {
		return false
	}
	for _, t := range x.Boxes {
		if n, ok := types.Unalias(form.Deref(t)).(*types.Named); ok && x.Elsewhere(n.Obj().Pkg()) && types.Implements(t, it) {
			return true
		}
	}
	return slices.ContainsFunc(x.Modules.Returned, func(t types.Type) bool { return types.Implements(t, it) })
}

// MayChange reports whether a library object that its methods change may be behind an
// interface: a bytes.Buffer as an io.Writer.
func (x *Facts) MayChange(it *types.Interface) bool {
	if it.NumMethods() == 0 {
		return false
	}
	if x.MayBeStateful(it) {
		return true
	}
	for _, t := range x.Boxes {
		if _, written := x.BoxedEffect(t, it); written && types.Implements(t, it) {
			return true
		}
	}
	return false
}

// WithFields is the library struct that a type points to, if the program sets fields of
// such structs.
func (x *Facts) WithFields(t types.Type) *types.Named {
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return nil
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	if !ok || len(x.SetFields[n]) == 0 {
		return nil
	}
	return n
}
