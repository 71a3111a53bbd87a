package golang

import (
	"go/types"
	"path/filepath"
	"strings"
)

// Unit is a part of a source that is a program of its own.
type Unit struct {
	*Source
	// Name tells a program from the others: where its main package lies below the directory that all packages have in common. "" for library
	// packages, and where there is one program alone.
	Name string
}

// Units divides a source: a main package, with what it imports, is a program, which runs with no other one; the packages that are none are one program
// together, of which users know nothing else. So a server is not mixed with what users of its library may do. Of the latter those are left out in which
// no entry point lies, and which the others do not import, as long as there are others.
func (s *Source) Units(opts Options) ([]Unit, error) {
	var mains, libs []Package
	for _, p := range s.Packages {
		switch {
		case !p.Given:
		case p.SSA.Pkg.Name() == "main":
			mains = append(mains, p)
		default:
			libs = append(libs, p)
		}
	}
	if len(mains) == 0 || len(mains) == 1 && len(libs) == 0 {
		return []Unit{{Source: s}}, nil
	}
	var out []Unit
	concurrent, err := s.withEntries(libs, opts)
	if err != nil {
		return nil, err
	}
	if len(concurrent) > 0 {
		out = append(out, Unit{Source: s.only(concurrent)})
	}
	common := commonPath(append(libs, mains...))
	for _, m := range mains {
		name := strings.TrimPrefix(strings.TrimPrefix(m.SSA.Pkg.Path(), common), "/")
		if name == "" {
			name = filepath.Base(m.SSA.Pkg.Path())
		}
		out = append(out, Unit{s.only([]Package{m}), name})
	}
	return out, nil
}

// withEntries are those of some library packages in which entry points lie.
func (s *Source) withEntries(libs []Package, opts Options) ([]Package, error) {
	m, err := loadModels(opts.Models)
	if err != nil {
		return nil, err
	}
	l := newLowering(s.Prog, m)
	l.p.Name = s.Name
	l.look(s.Packages)
	var out []Package
	for _, p := range libs {
		if len(l.library(p.SSA, p.Files)) > 0 {
			out = append(out, p)
		}
	}
	return out, nil
}

// only is the source with some of the packages that were asked for, and those that they import.
func (s *Source) only(given []Package) *Source {
	need := map[*types.Package]bool{}
	work := []*types.Package{}
	add := func(p *types.Package) {
		if !need[p] {
			need[p] = true
			work = append(work, p)
		}
	}
	asked := map[*types.Package]bool{}
	for _, p := range given {
		asked[p.SSA.Pkg] = true
		add(p.SSA.Pkg)
	}
	for len(work) > 0 {
		p := work[0]
		work = work[1:]
		for _, q := range p.Imports() {
			add(q)
		}
	}
	out := &Source{Name: s.Name, Prog: s.Prog, bodies: s.bodies}
	for _, p := range s.Packages {
		if need[p.SSA.Pkg] {
			p.Given = asked[p.SSA.Pkg]
			out.Packages = append(out.Packages, p)
		}
	}
	return out
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
