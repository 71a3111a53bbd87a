package world

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/program"
)

// Instances of a library's generic types. The methods of a generic type S[T] are lowered
// once, for values of a type that nobody knows more about. A library that mentions
// S[int] has values of another type, which lie differently in memory and have methods of
// their own: what the library does to them would be compared with no method.
//
// Rule: where users may have values of an instance with other arguments than type
// parameters, the methods of the instance are entry points as those of the generic type
// are, on all receivers that users can get hold of (findSharing counts such a type among
// those of which two values may share something, since the values of one type have the
// methods of two). An instance that depends on type parameters without being the generic
// type itself (S[*T], S[string, T]) has no methods in SSA form: an entry that is not
// understood stands for them. So does one for methods that a generic type has from what
// is embedded in it, which SSA form does not have either.
//
// Argument. Users call methods on values that they get or make. A value of an instance
// that the library does not mention is touched by the generic code alone, which is
// compared. One that it mentions comes to users by a signature, an exported variable or
// member, or an interface, which this looks through.

// instances are the instances of generic types that users may have values of.
type instances struct {
	w    *World
	seen typeutil.Map
	of   map[*types.Named][]*types.Named // by the generic type
}

// findInstances looks through what users of packages see.
func (w *World) findInstances(pkgs []program.Package) *instances {
	s := &instances{w: w, of: map[*types.Named][]*types.Named{}}
	given := map[*types.Package]bool{}
	for _, p := range pkgs {
		given[p.SSA.Pkg] = program.ProgramOf(p.SSA) == nil
	}
	for _, f := range w.Sources {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				if m, ok := in.(*ssa.MakeInterface); ok && f.Pkg != nil && given[f.Pkg.Pkg] {
					s.visit(m.X.Type(), 0)
				}
			}
		}
	}
	for _, p := range pkgs {
		if given[p.SSA.Pkg] {
			s.members(p.SSA)
		}
	}
	return s
}

func (s *instances) members(p *ssa.Package) {
	for _, n := range form.SortedKeys(p.Members) {
		switch m := p.Members[n].(type) {
		case *ssa.Function:
			if ast.IsExported(n) {
				s.visit(m.Signature, 0)
			}
		case *ssa.Global:
			if ast.IsExported(n) {
				s.visit(form.Deref(m.Type()), 0)
			}
		case *ssa.Type:
			if ast.IsExported(n) {
				s.visit(m.Type(), 0)
			}
			if named, ok := types.Unalias(m.Type()).(*types.Named); ok { // which may be handed out
				s.methods(named)
			}
		}
	}
}

// methods visits what the exported methods of a type take and return.
func (s *instances) methods(t *types.Named) {
	for m := range t.Methods() {
		if m.Exported() {
			s.visit(m.Signature().Params(), 0)
			s.visit(m.Signature().Results(), 0)
		}
	}
}

// visit notes the instances that a value of a type is, or leads to by what users see.
func (s *instances) visit(t types.Type, depth int) {
	t = types.Unalias(t)
	if depth > maxInstanceDepth || s.seen.Set(t, true) != nil {
		return
	}
	depth++
	switch t := t.(type) {
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			s.visit(a, depth)
		}
		if t.Obj().Pkg() == nil || !s.w.Own[t.Obj().Pkg()] {
			return
		}
		if t.TypeArgs().Len() > 0 && form.General(t) == t {
			s.of[t.Origin()] = append(s.of[t.Origin()], t)
			s.methods(t)
		}
		s.visit(t.Underlying(), depth)
	case *types.Signature:
		s.visit(t.Params(), depth)
		s.visit(t.Results(), depth)
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() || f.Embedded() {
				s.visit(f.Type(), depth)
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			s.visit(m.Signature(), depth)
		}
	default:
		for _, e := range form.Parts(t) {
			s.visit(e, depth)
		}
	}
}

// maxInstanceDepth ends the walk through types that nest without end.
const maxInstanceDepth = 12

// instanceRoots adds the methods of the instances of types whose methods are entry
// points.
func (w *World) instanceRoots(roots []Root) []Root {
	done := map[*types.Named]bool{}
	out := roots
	for _, r := range roots {
		n := receiverType(r)
		if r.Kind != MethodRoot || n == nil || done[n] {
			continue
		}
		done[n] = true
		for _, t := range w.instances.of[n] {
			if form.DependsOnParams(t) {
				out = append(out, Root{Fn: r.Fn, Kind: MethodRoot, Pkg: r.Pkg,
					Unknown: "methods of " + w.TypeName(t) + ", which depends on type parameters"})
				continue
			}
			out = append(out, w.instanceMethods(r.Pkg, t)...)
		}
	}
	return distinct(out)
}

// instanceMethods lists the exported methods of an instance.
func (w *World) instanceMethods(p *ssa.Package, t *types.Named) []Root {
	var out []Root
	ms := types.NewMethodSet(types.NewPointer(t))
	for i := range ms.Len() {
		m, ok := ms.At(i).Obj().(*types.Func)
		if !ok || !m.Exported() || w.Models.ByName(library.MethodName(m)) != nil {
			continue
		}
		if f := p.Prog.MethodValue(ms.At(i)); f != nil && len(f.Blocks) > 0 {
			out = append(out, Root{Fn: f, Kind: MethodRoot, Pkg: p})
		}
	}
	return out
}
