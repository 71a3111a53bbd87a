package program

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/stdgo"
)

// Bodies of library functions, for bmc: package stdgo says in Go what they do. The
// program is made to call those instead.

// Bodies are the functions of the library that package stdgo has bodies for.
type Bodies struct {
	checked *types.Package
	Pkg     *ssa.Package
	files   []*ast.File
	info    *types.Info
	// Assumes are the assumptions of a function's use: kind and text. names are those of
	// the functions that they stand for.
	Assumes map[*ssa.Function][][2]string
	Names   map[*ssa.Function]string
	// Types are those that values of the library's types are laid out as, by the names of
	// these, and typeAssumes what it is assumed of them.
	Types       map[string]*types.Named
	TypeAssumes map[string][][2]string
}

// stdPackage is the path of package stdgo in programs.
const stdPackage = "whoop/frontend/golang/stdgo"

// readBodies reads package stdgo, as far as a program can get to the packages that its
// files stand for: before the SSA form of the program is made, since what the files
// import may be known in part until now. nil: there is nothing to read.
func readBodies(pkgs []*packages.Package) (*Bodies, error) {
	known := map[string]*types.Package{}
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		if p.Types != nil {
			known[p.PkgPath] = p.Types
		}
	})
	if !subtests(pkgs) {
		delete(known, "testing")
	}
	fset := pkgs[0].Fset
	b, err := parseBodies(fset, known, old(pkgs))
	if err != nil || len(b.files) == 0 {
		return nil, err
	}
	if err := complete(fset, known, b.files); err != nil {
		return nil, err
	}
	b.info = &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Instances: map[*ast.Ident]types.Instance{}, Scopes: map[ast.Node]*types.Scope{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, FileVersions: map[*ast.File]string{}}
	cfg := types.Config{Importer: importer(known), GoVersion: "go1.23", Sizes: types.SizesFor("gc", "amd64")}
	if b.checked, err = cfg.Check(stdPackage, fset, b.files, b.info); err != nil {
		return nil, fmt.Errorf("package stdgo: %w", err)
	}
	b.giveGeneric(pkgs, known)
	return b, nil
}

// giveGeneric makes packages use the bodies of generic functions that the directives
// name, before their SSA form is made: that has an instance for each use.
func (b *Bodies) giveGeneric(pkgs []*packages.Package, known map[string]*types.Package) {
	instead := map[types.Object]types.Object{}
	for _, file := range b.files {
		for _, d := range file.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Doc == nil || fd.Type.TypeParams == nil {
				continue
			}
			for _, c := range fd.Doc.List {
				if name, ok := strings.CutPrefix(c.Text, "//whoop:for "); ok {
					i := strings.LastIndex(name, ".")
					if o := known[name[:i]].Scope().Lookup(name[i+1:]); o != nil {
						instead[o] = b.info.Defs[fd.Name]
					}
				}
			}
		}
	}
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		if p.TypesInfo == nil {
			return
		}
		for id, o := range p.TypesInfo.Uses {
			if n := instead[o]; n != nil {
				p.TypesInfo.Uses[id] = n
			}
		}
	})
}

// create makes the package in a program's SSA form.
func (b *Bodies) create(prog *ssa.Program) {
	for _, p := range b.checked.Imports() {
		if prog.ImportedPackage(p.Path()) == nil {
			prog.CreatePackage(p, nil, nil, true)
		}
	}
	b.Pkg = prog.CreatePackage(b.checked, b.files, b.info, false)
}

// add adds package stdgo to a program, which is made to call it.
func (b *Bodies) add(s *Source) error {
	b.Pkg.Build()
	s.Bodies = b
	s.Packages = append(s.Packages, Package{SSA: b.Pkg, Files: b.files, Info: b.info})
	return b.give(s)
}

type importer map[string]*types.Package

func (m importer) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := m[path]; p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("package %s is not known", path)
}

// parseBodies parses the files that stand for known packages.
func parseBodies(fset *token.FileSet, known map[string]*types.Package, old bool) (*Bodies, error) {
	b := &Bodies{Assumes: map[*ssa.Function][][2]string{}, Names: map[*ssa.Function]string{}, Types: map[string]*types.Named{}, TypeAssumes: map[string][][2]string{}}
	dir, err := stdgo.Sources.ReadDir(".")
	if err != nil {
		return nil, err
	}
	for _, e := range dir {
		if known[strings.TrimSuffix(e.Name(), ".go")] == nil {
			continue
		}
		text, err := stdgo.Sources.ReadFile(e.Name())
		if err != nil {
			return nil, err
		}
		src := string(text)
		if old {
			src = strings.Replace(src, "asyncTimers = false", "asyncTimers = true", 1)
		}
		f, err := parser.ParseFile(fset, "stdgo/"+e.Name(), src, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		b.files = append(b.files, f)
	}
	return b, nil
}

// complete adds the packages that the files import, of which those of the program may
// know some of their objects only: what is missing is read from their export data into
// the same packages.
func complete(fset *token.FileSet, known map[string]*types.Package, files []*ast.File) error {
	var missing []string
	for _, f := range files {
		for _, i := range f.Imports {
			path, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			if p := known[path]; path != "unsafe" && (p == nil || !p.Complete()) && !slices.Contains(missing, path) {
				missing = append(missing, path)
			}
		}
	}
	if len(missing) == 0 {
		return nil
	}
	sort.Strings(missing)
	pkgs, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedExportFile}, missing...)
	if err != nil {
		return err
	}
	for _, p := range pkgs {
		if err := readExport(fset, known, p); err != nil {
			return fmt.Errorf("package %s: %w", p.PkgPath, err)
		}
	}
	return nil
}

func readExport(fset *token.FileSet, known map[string]*types.Package, p *packages.Package) error {
	f, err := os.Open(p.ExportFile)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := gcexportdata.NewReader(io.Reader(f))
	if err != nil {
		return err
	}
	_, err = gcexportdata.Read(r, fset, known, p.PkgPath)
	return err
}

// give makes the program call the bodies where it calls the functions that the directives
// name.
func (b *Bodies) give(s *Source) error {
	instead := map[*ssa.Function]*ssa.Function{}
	for _, file := range b.files {
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE && g.Doc != nil {
				b.giveType(g)
			}
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Doc == nil {
				continue
			}
			from := b.Pkg.Func(fd.Name.Name)
			for _, c := range fd.Doc.List {
				if name, ok := strings.CutPrefix(c.Text, "//whoop:for "); ok {
					b.Names[from] = strings.NewReplacer("(*", "", ")", "").Replace(name)
					// nil in an older version of the library
					if to := libraryFunc(s.Prog, name); to != nil && fd.Type.TypeParams == nil {
						instead[to] = from
					}
				}
				if a, ok := assumed(c); ok {
					b.Assumes[from] = append(b.Assumes[from], a)
				}
			}
		}
	}
	for _, f := range form.AllFunctions(Built(s.Packages)) {
		for _, bl := range f.Blocks {
			for _, in := range bl.Instrs {
				for _, op := range in.Operands(nil) {
					if g, ok := (*op).(*ssa.Function); ok && instead[g] != nil {
						*op = instead[g]
					}
				}
			}
		}
	}
	return nil
}

// giveType notes the directives of a type.
func (b *Bodies) giveType(g *ast.GenDecl) {
	name := ""
	for _, c := range g.Doc.List {
		if n, ok := strings.CutPrefix(c.Text, "//whoop:type "); ok {
			name = n
			b.Types[n] = b.checked.Scope().Lookup(g.Specs[0].(*ast.TypeSpec).Name.Name).Type().(*types.Named)
		}
		if a, ok := assumed(c); ok && name != "" {
			b.TypeAssumes[name] = append(b.TypeAssumes[name], a)
		}
	}
}

// assumed is the assumption that a directive states: its kind and text.
func assumed(c *ast.Comment) ([2]string, bool) {
	what, ok := strings.CutPrefix(c.Text, "//whoop:assume ")
	kind, text, _ := strings.Cut(what, ": ")
	return [2]string{kind, text}, ok
}

// libraryFunc is the function of a name as models have it: sync.OnceFunc,
// (*time.Timer).Stop.
func libraryFunc(prog *ssa.Program, name string) *ssa.Function {
	recv, method, isMethod := strings.Cut(strings.TrimPrefix(name, "(*"), ").")
	if !isMethod {
		i := strings.LastIndex(name, ".")
		if p := prog.ImportedPackage(name[:i]); p != nil {
			return p.Func(name[i+1:])
		}
		return nil
	}
	i := strings.LastIndex(recv, ".")
	p := prog.ImportedPackage(recv[:i])
	if p == nil {
		return nil
	}
	t := p.Type(recv[i+1:])
	if t == nil {
		return nil
	}
	sel := prog.MethodSets.MethodSet(types.NewPointer(t.Type())).Lookup(p.Pkg, method)
	if sel == nil {
		return nil
	}
	return prog.MethodValue(sel)
}

// besideTests are the methods of tests because of which there is more to a test than its
// function.
var besideTests = []string{"Run", "Parallel", "Cleanup", "Context"}

// subtests reports whether packages have tests that use these.
func subtests(pkgs []*packages.Package) bool {
	found := false
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		if p.TypesInfo == nil {
			return
		}
		for _, o := range p.TypesInfo.Uses {
			f, ok := o.(*types.Func)
			found = found || ok && f.Pkg() != nil && f.Pkg().Path() == "testing" && slices.Contains(besideTests, f.Name())
		}
	})
	return found
}

// GoesOn reports whether f is one of these methods.
func (b *Bodies) GoesOn(f *ssa.Function) bool {
	return b != nil && (f == b.Pkg.Func("run") || f == b.Pkg.Func("parallel") || f == b.Pkg.Func("addCleanup") || f == b.Pkg.Func("testContext"))
}
