package golang

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/library"
	"whoop/ir"
)

// BuilderMode is how the SSA form that Source holds must be built.
const BuilderMode = ssa.InstantiateGenerics | ssa.GlobalDebug

// Source is a Go program to lower: some packages with their bodies, all others known by
// their types. Read makes it from files; a caller that has syntax and types already (an
// analysis driver) fills it in itself, with Prog built.
type Source struct {
	// Name is the program's name in messages and reports.
	Name     string
	Prog     *ssa.Program
	Packages []Package

	bodies *stdBodies    // nil: none
	deps   *dependencies // nil: other modules are known by their types alone
}

// Package is a package with bodies.
type Package struct {
	SSA   *ssa.Package
	Files []*ast.File
	Info  *types.Info
	// Given: it was asked for, and not only imported; entry points are looked for in such
	// packages alone.
	Given bool
}

// Lowered is a program with the way back to its syntax.
type Lowered struct {
	Program *ir.Program
	// Places has the syntax's position for every source position that occurs in the
	// program.
	Places map[ir.Pos]token.Pos
}

// maxLowered is how often the packages are lowered with more functions that are reached,
// before all count as reached.
const maxLowered = 6

// Lower makes the IR of the packages and finds their entry points; it is an error if
// there are none (ErrNoEntries), with which a program comes that says what was looked at.
func (s *Source) Lower(opts Options) (*Lowered, error) {
	m, err := library.Load(opts.Models)
	if err != nil {
		return nil, err
	}
	var l *lowering
	modules := s.modules(m, opts.Cache)
	reached := alsoReached{more: map[*ssa.Function]bool{}}
	for try := 0; ; try++ {
		reached.all = try == maxLowered
		l = newLowering(s.Prog, m)
		l.p.Name, l.reached, l.root, l.open, l.bodies = s.Name, reached, opts.Root, opts.Open, s.bodies
		l.alone = opts.Alone
		l.modules = modules
		l.setExact()
		err = l.program(s.Packages)
		var narrow *narrowError
		if !errors.As(err, &narrow) {
			break
		}
		for _, f := range narrow.missing {
			reached.more[f] = true
		}
	}
	if err != nil && !errors.Is(err, ErrNoEntries) {
		return nil, fmt.Errorf("%s: %w", s.Name, err)
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", s.Name, err)
	}
	return &Lowered{l.p, l.places}, err
}

// Position is where p lies: relative to the working directory where the file is below it.
func (s *Source) Position(p token.Pos) ir.Pos {
	cwd, _ := os.Getwd() // without one, file names stay absolute
	return position(s.Prog.Fset, cwd, p)
}

func position(fset *token.FileSet, cwd string, p token.Pos) ir.Pos {
	if !p.IsValid() {
		return ir.Pos{}
	}
	x := fset.Position(p)
	if rel, err := filepath.Rel(cwd, x.Filename); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		x.Filename = rel
	}
	return ir.Pos{File: x.Filename, Line: x.Line, Col: x.Column}
}

// builtPackages are the SSA packages with bodies.
func builtPackages(pkgs []Package) []*ssa.Package {
	var out []*ssa.Package
	for _, p := range pkgs {
		out = append(out, p.SSA)
	}
	return out
}

// imports lists the paths that a package's files import, sorted.
func (p Package) imports() []string {
	set := map[string]bool{}
	for _, f := range p.Files {
		for _, i := range f.Imports {
			if path, err := strconv.Unquote(i.Path.Value); err == nil {
				set[path] = true
			}
		}
	}
	out := make([]string, 0, len(set))
	for path := range set {
		out = append(out, path)
	}
	sort.Strings(out)
	return out
}

// start is the position of the package's first file.
func (p Package) start() token.Pos {
	if len(p.Files) == 0 {
		return token.NoPos
	}
	return p.Files[0].Package
}
