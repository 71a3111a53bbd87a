package program

import (
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ssa"

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

	Bodies *Bodies       // nil: none
	Deps   *Dependencies // nil: other modules are known by their types alone
	// Moved are function literals that are copies of those of other functions, in the place
	// of calls (see inlineStarters).
	Moved map[*ast.FuncLit]Literal
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

// Position is where p lies: relative to the working directory where the file is below it.
func (s *Source) Position(p token.Pos) ir.Pos {
	cwd, _ := os.Getwd() // without one, file names stay absolute
	return Position(s.Prog.Fset, cwd, p)
}

func Position(fset *token.FileSet, cwd string, p token.Pos) ir.Pos {
	if !p.IsValid() {
		return ir.Pos{}
	}
	x := fset.Position(p)
	if rel, err := filepath.Rel(cwd, x.Filename); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		x.Filename = rel
	}
	return ir.Pos{File: x.Filename, Line: x.Line, Col: x.Column}
}

// Built are the SSA packages with bodies.
func Built(pkgs []Package) []*ssa.Package {
	var out []*ssa.Package
	for _, p := range pkgs {
		out = append(out, p.SSA)
	}
	return out
}

// Imports lists the paths that a package's files import, sorted.
func (p Package) Imports() []string {
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

// Start is the position of the package's first file.
func (p Package) Start() token.Pos {
	if len(p.Files) == 0 {
		return token.NoPos
	}
	return p.Files[0].Package
}
