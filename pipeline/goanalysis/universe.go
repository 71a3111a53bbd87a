package goanalysis

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/program"
)

// universe is the packages of a module, checked again from the source in a fact. The
// driver's own types are left alone: other analyzers read them meanwhile.
type universe struct {
	fset     *token.FileSet
	sizes    types.Sizes
	packages map[string]*types.Package
	built    []program.Package
	text     map[string][]byte // the source, by file names as the driver has them
}

// together is the program of a package with those of its module that it imports.
func together(pass *analysis.Pass, f *Fact) (*universe, *program.Source, error) {
	u := &universe{pass.Fset, pass.TypesSizes, map[string]*types.Package{"unsafe": types.Unsafe}, nil, map[string][]byte{}}
	if err := u.declare(f.Types); err != nil {
		return nil, nil, err
	}
	last := len(f.Packages) - 1
	for i, p := range f.Packages {
		files := nonTests(pass) // the driver's own have the places that it reports
		var err error
		if i < last {
			files, err = u.parse(p)
		}
		if err == nil {
			err = u.check(p, files, i == last)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("package %s: %w", p.Path, err)
		}
	}
	prog := ssa.NewProgram(pass.Fset, program.BuilderMode)
	u.create(prog, f.Packages)
	prog.Build()
	return u, &program.Source{Name: pass.Pkg.Path(), Prog: prog, Packages: u.built}, nil
}

// declare reads the declarations of other packages.
func (u *universe) declare(all []Declarations) error {
	for _, t := range all {
		data, err := unpacked(t.Data)
		if err == nil {
			_, err = gcexportdata.Read(bytes.NewReader(data), u.fset, u.packages, t.Path)
		}
		if err != nil {
			return fmt.Errorf("package %s: %w", t.Path, err)
		}
	}
	return nil
}

// parse parses the files of a package.
func (u *universe) parse(p Package) ([]*ast.File, error) {
	var out []*ast.File
	for _, f := range p.Files {
		text, err := unpacked(f.Text)
		if err != nil {
			return nil, err
		}
		u.text[f.Name] = text
		file, err := parser.ParseFile(u.fset, f.Name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		out = append(out, file)
	}
	return out, nil
}

// check checks the types of a package.
func (u *universe) check(p Package, files []*ast.File, given bool) error {
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{}}
	cfg := types.Config{GoVersion: p.GoVersion, Sizes: u.sizes, Importer: importer(func(path string) (*types.Package, error) {
		if to, ok := p.Imports[path]; ok {
			path = to
		}
		if q := u.packages[path]; q != nil && q.Complete() {
			return q, nil
		}
		return nil, fmt.Errorf("package %s is not known", path)
	})}
	// an incomplete package of this path may have come with the declarations of others
	pkg, err := cfg.Check(p.Path, u.fset, files, info)
	if err != nil {
		return err
	}
	u.packages[p.Path] = pkg
	u.built = append(u.built, program.Package{Files: files, Info: info, Given: given})
	return nil
}

type importer func(path string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }

// create makes the packages in SSA form: those that are checked with bodies, all others
// without.
func (u *universe) create(prog *ssa.Program, checked []Package) {
	seen := map[*types.Package]bool{}
	for i, p := range checked {
		b := &u.built[i]
		seen[u.packages[p.Path]] = true
		b.SSA = prog.CreatePackage(u.packages[p.Path], b.Files, b.Info, !b.Given)
	}
	var add func(p *types.Package)
	add = func(p *types.Package) {
		for _, q := range p.Imports() {
			if !seen[q] {
				seen[q] = true
				prog.CreatePackage(q, nil, nil, true)
				add(q)
			}
		}
	}
	for _, p := range checked {
		add(u.packages[p.Path])
	}
}
