package world

import (
	"go/types"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/external"
	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
	"whoop/frontend/golang/program"
	"whoop/internal/kept"
)

// modules says what functions of other modules do with the functions, and the values with
// methods, that the program gives them. It is found in their source.
type modules struct {
	World    *external.World
	standard map[string]bool
	// interfaces, with methods, of what functions of other modules return to the program
	Returned []types.Type
}

// FindModules looks at the modules that the program uses; nil where their source is not
// known, or the program gives them nothing.
func FindModules(s *program.Source, m *library.Models, cache *kept.Store) *modules {
	if s.Deps == nil {
		return nil
	}
	standard := map[string]bool{}
	packages.Visit(s.Deps.Roots, nil, func(p *packages.Package) { standard[p.PkgPath] = p.Module == nil })
	own := map[*types.Package]bool{}
	for _, p := range s.Packages {
		own[p.SSA.Pkg] = true
	}
	out := &modules{standard: standard}
	prog := external.Program{Own: map[string]bool{}}
	imports, seen, boxes := map[string]bool{}, map[external.Ref]bool{}, map[string]bool{}
	for _, p := range s.Packages {
		prog.Own[p.SSA.Pkg.Path()] = true
		for _, i := range p.SSA.Pkg.Imports() {
			if !own[i] && out.thirdParty(i) {
				imports[i.Path()] = true
			}
		}
	}
	if len(imports) == 0 {
		return out
	}
	for i := range imports {
		prog.Imports = append(prog.Imports, i)
	}
	sort.Strings(prog.Imports)
	note := func(f *ssa.Function) {
		if len(form.Body(f).Blocks) > 0 || f.Object() == nil || own[f.Object().Pkg()] || !out.thirdParty(f.Object().Pkg()) {
			return
		}
		if r, ok := external.RefOf(f); ok && !seen[r] {
			seen[r] = true
			prog.Calls = append(prog.Calls, r)
			for _, t := range form.ComponentTypes(f.Signature.Results()) {
				if form.HasMethods(t) && !types.Identical(t, form.ErrorType) {
					out.Returned = append(out.Returned, t)
				}
			}
		}
	}
	methods := map[external.Key]bool{}
	for _, f := range form.AllFunctions(program.Built(s.Packages)) {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				for _, op := range in.Operands(nil) {
					if g, ok := (*op).(*ssa.Function); ok {
						note(g)
					}
				}
				switch in := in.(type) {
				case *ssa.MakeInterface:
					if k := form.Key(in.X.Type()); !boxes[k] {
						boxes[k] = true
						prog.Boxes = append(prog.Boxes, external.Methods(in.X.Type())...)
					}
				case ssa.CallInstruction:
					if in.Common().IsInvoke() {
						methods[external.MethodKey(in.Common().Method)] = true
					}
				}
			}
		}
	}
	for k := range methods {
		prog.Methods = append(prog.Methods, k)
	}
	src := external.NewSource(s.Deps.Cfg, s.Deps.Patterns, s.Deps.Roots, external.Options{Library: m, LibraryHash: m.StartsHash(), Cache: cache})
	out.World = external.NewWorld(src, prog)
	return out
}

// thirdParty reports whether a package that is not the program's belongs to another
// module, not to the standard library.
func (m *modules) thirdParty(p *types.Package) bool {
	if m == nil || p == nil {
		return false
	}
	standard, known := m.standard[p.Path()]
	first, _, _ := strings.Cut(p.Path(), "/")
	return known && !standard || !known && strings.Contains(first, ".")
}

// Elsewhere reports whether a package belongs to another module of which the source is
// known.
func (w *World) Elsewhere(p *types.Package) bool {
	return !w.Exact && w.Modules != nil && w.Modules.World != nil && !w.Own[p] && w.Modules.thirdParty(p)
}
