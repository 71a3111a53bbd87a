package program

import (
	"go/types"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// Unit is a part of a source that is a program of its own.
type Unit struct {
	*Source
	// Name tells a program from the others: where its packages lie below the directory
	// that all packages have in common. "" for library packages that are one program, and
	// where there is one program alone.
	Name string
	// Main: it has a main function, and is no library.
	Main bool
}

// Units divides a source into programs, which do not run together. A main package is one,
// with what it imports. So are library packages that import one another, or a common
// package of the source; of their users nothing else is known. So a server is not mixed
// with what users of its library may do, nor two libraries that have nothing in common
// with each other. Library packages without an entry point that no others import come
// last, as a program in which nothing runs concurrently.
//
// withEntries says which of some library packages have entry points.
func (s *Source) Units(withEntries func(libs []Package) ([]Package, error)) ([]Unit, error) {
	var mains, libs []Package
	for _, p := range s.Packages {
		switch {
		case !p.Given:
		case ProgramOf(p.SSA) != nil || p.SSA.Pkg.Name() == "main":
			mains = append(mains, p)
		default:
			libs = append(libs, p)
		}
	}
	if len(mains) == 0 && len(libs) == 1 || len(mains) == 1 && len(libs) == 0 {
		return []Unit{{Source: s, Main: len(mains) == 1}}, nil
	}
	concurrent, err := withEntries(libs)
	if err != nil {
		return nil, err
	}
	if len(mains) == 0 && len(concurrent) == 0 {
		return []Unit{{Source: s}}, nil // which says that there are none
	}
	var out []Unit
	common, taken := commonPath(append(libs, mains...)), map[string]bool{}
	name := func(ps []Package) string {
		path := commonPath(ps)
		name := strings.TrimPrefix(strings.TrimPrefix(path, common), "/")
		if name == "" {
			name = filepath.Base(path)
		}
		if taken[name] {
			name = ps[0].SSA.Pkg.Path()
		}
		taken[name] = true
		return name
	}
	together := s.connected(concurrent)
	for _, ps := range together {
		u := Unit{Source: s.only(ps)}
		if len(together) > 1 {
			u.Name = name(ps)
		}
		out = append(out, u)
	}
	for _, m := range mains {
		ps := []Package{m}
		out = append(out, Unit{s.only(ps), name(ps), true})
	}
	// only looked at
	if quiet := s.unused(libs, append(slices.Clone(concurrent), mains...)); len(quiet) > 0 {
		out = append(out, Unit{Source: s.only(quiet)})
	}
	return out, nil
}

// connected divides library packages: two are together where one needs the other, or both
// need a third one of the source.
func (s *Source) connected(libs []Package) [][]Package {
	owner := map[*types.Package]int{} // the group that needs a package
	var groups [][]Package
	for _, p := range libs {
		joined := []Package{p}
		need := needs(p)
		for _, q := range s.Packages {
			g, ok := owner[q.SSA.Pkg]
			if !ok || !need[q.SSA.Pkg] || g == len(groups) {
				continue // of no group, or of one that is joined already
			}
			joined, groups[g] = append(groups[g], joined...), nil
			for r, h := range owner {
				if h == g {
					owner[r] = len(groups)
				}
			}
		}
		for _, q := range s.Packages {
			if need[q.SSA.Pkg] {
				owner[q.SSA.Pkg] = len(groups)
			}
		}
		groups = append(groups, joined)
	}
	return slices.DeleteFunc(groups, func(g []Package) bool { return g == nil })
}

// unused are those of some packages that others do not import, nor are.
func (s *Source) unused(libs, others []Package) []Package {
	used := map[*ssa.Package]bool{}
	for _, p := range s.only(others).Packages {
		used[p.SSA] = true
	}
	return slices.DeleteFunc(slices.Clone(libs), func(p Package) bool { return used[p.SSA] })
}

// only is the source with some of the packages that were asked for, and those that they
// import.
func (s *Source) only(given []Package) *Source {
	need, asked := needs(given...), map[*types.Package]bool{}
	for _, p := range given {
		asked[p.SSA.Pkg] = true
	}
	out := &Source{Name: s.Name, Prog: s.Prog, Bodies: s.Bodies, Moved: s.Moved}
	for _, p := range s.Packages {
		if need[p.SSA.Pkg] {
			p.Given = asked[p.SSA.Pkg]
			out.Packages = append(out.Packages, p)
		}
	}
	return out
}

// needs has some packages with all that they import.
func needs(given ...Package) map[*types.Package]bool {
	need := map[*types.Package]bool{}
	var add func(p *types.Package)
	add = func(p *types.Package) {
		if !need[p] {
			need[p] = true
			for _, q := range p.Imports() {
				add(q)
			}
		}
	}
	for _, p := range given {
		add(p.SSA.Pkg)
	}
	return need
}

// commonPath is the longest path that all packages lie at or below.
func commonPath(ps []Package) string {
	out := ps[0].SSA.Pkg.Path()
	for _, p := range ps[1:] {
		for q := p.SSA.Pkg.Path(); out != "" && q != out && !strings.HasPrefix(q, out+"/"); {
			i := strings.LastIndexByte(out, '/')
			out = out[:max(i, 0)]
		}
	}
	return out
}
