package program

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
)

const (
	// TestsFunc is the function that runs the tests, mainFunc the one that calls
	// TestMain, and runFunc stands for m.Run.
	TestsFunc, mainFunc, runFunc = "whoopRunTests", "whoopTestMain", "whoopRun"
	TestsName                    = "tests" // what both are called in reports
	ParallelKind                 = "parallel test"
)

// TestRoot is the function that runs the tests of a package, or nil.
func TestRoot(p *ssa.Package) *ssa.Function {
	if p == nil { // of an instance of a generic function
		return nil
	}
	if f := p.Func(mainFunc); f != nil {
		return f
	}
	return p.Func(TestsFunc)
}

// ProgramOf is the function where the program of a package starts: main, or the one that
// runs its tests; nil for a library.
func ProgramOf(p *ssa.Package) *ssa.Function {
	if f := TestRoot(p); f != nil || p.Pkg.Name() != "main" {
		return f
	}
	return p.Func("main")
}

// loadTests is load for the tests of packages: given are those that have some, with their
// files of tests.
func loadTests(r request) (pkgs []*packages.Package, given map[string]bool, deps *Dependencies, err error) {
	cfg := r.config(packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedFiles | packages.NeedForTest)
	cfg.Tests = true
	roots, err := packages.Load(cfg, r.patterns...)
	if err != nil {
		return nil, nil, nil, err
	}
	patterns, _, err := own(roots, r.patterns, false)
	if err != nil {
		return nil, nil, nil, err
	}
	deps = &Dependencies{Cfg: *cfg, Patterns: r.patterns, Roots: roots}
	overlay, given := map[string][]byte{}, map[string]bool{}
	for _, p := range roots {
		if p.ForTest == "" || strings.HasSuffix(p.ID, ".test") {
			continue
		}
		some, err := addDriver(overlay, p)
		if err != nil {
			return nil, nil, nil, err
		}
		if some {
			given[p.PkgPath] = true
		}
	}
	if len(given) == 0 {
		return nil, nil, nil, errors.New("there are no tests")
	}
	cfg = r.config(packages.NeedName | packages.NeedImports | packages.NeedModule | packages.NeedFiles |
		packages.NeedCompiledGoFiles | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedForTest)
	cfg.Tests, cfg.Overlay = true, overlay
	all, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, nil, nil, err
	}
	tested := map[string]bool{} // packages that there are with their tests
	for _, p := range all {
		tested[p.PkgPath] = tested[p.PkgPath] || p.ForTest == p.PkgPath && given[p.PkgPath]
	}
	for _, p := range all {
		switch {
		case strings.HasSuffix(p.ID, ".test"): // the main package of package testing
		case p.ForTest == "" && tested[p.PkgPath]:
		case p.ForTest != "" && !given[p.PkgPath] && !(p.ForTest == strings.TrimSuffix(p.PkgPath, "_test") && given[p.ForTest]):
		default:
			pkgs = append(pkgs, p)
		}
	}
	return pkgs, given, deps, firstError(pkgs)
}

// driver is what is found out about the tests of a package.
type driver struct {
	name                 string
	sequential, parallel []string // calls
	main                 bool     // there is a TestMain
	runs                 bool     // and it calls m.Run
}

// addDriver adds to the files of a package with its tests what runs them; it reports
// whether there are any.
func addDriver(overlay map[string][]byte, p *packages.Package) (bool, error) {
	d := driver{name: p.Name}
	dir := ""
	for _, file := range p.GoFiles {
		if !strings.HasSuffix(file, "_test.go") {
			continue
		}
		dir = filepath.Dir(file)
		src, err := os.ReadFile(file)
		if err != nil {
			return false, err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, src, parser.SkipObjectResolution)
		if err != nil {
			return false, err
		}
		for _, decl := range f.Decls {
			if fd, ok := decl.(*ast.FuncDecl); ok && fd.Recv == nil && fd.Body != nil {
				if at := d.add(fd); at.IsValid() {
					i := fset.Position(at).Offset
					overlay[file] = bytes.Replace(slices.Clone(src), src[i:], append([]byte(runFunc+"("+fd.Type.Params.List[0].Names[0].Name+")"), src[i+callLength(src[i:]):]...), 1)
				}
			}
		}
	}
	if len(d.sequential)+len(d.parallel) == 0 {
		return false, nil
	}
	overlay[filepath.Join(dir, "whoop_run_"+p.Name+"_test.go")] = d.source()
	return true, nil
}

// callLength is how long the call is that a text starts with.
func callLength(src []byte) int { return bytes.IndexByte(src, ')') + 1 }

// add notes a function of a file of tests; for a TestMain it returns the place of its
// m.Run().
func (d *driver) add(fd *ast.FuncDecl) (run token.Pos) {
	params := fd.Type.Params.List
	if len(params) != 1 || fd.Type.TypeParams != nil || len(params[0].Names) > 1 {
		return token.NoPos
	}
	star, ok := params[0].Type.(*ast.StarExpr)
	if !ok {
		return token.NoPos
	}
	sel, ok := star.X.(*ast.SelectorExpr)
	if !ok {
		return token.NoPos
	}
	name, t := fd.Name.Name, sel.Sel.Name
	for prefix, of := range map[string]string{"Test": "T", "Benchmark": "B", "Fuzz": "F"} {
		if strings.HasPrefix(name, prefix) && t == of {
			call := fmt.Sprintf("%s(&testing.%s{})", name, t)
			if t == "T" && len(params[0].Names) == 1 && callOn(fd.Body, params[0].Names[0].Name, "Parallel").IsValid() {
				d.parallel = append(d.parallel, call)
			} else {
				d.sequential = append(d.sequential, call)
			}
		}
	}
	if name != "TestMain" || t != "M" {
		return token.NoPos
	}
	d.main = true
	if len(params[0].Names) == 1 {
		run = callOn(fd.Body, params[0].Names[0].Name, "Run")
		d.runs = run.IsValid()
	}
	return run
}

// callOn is the place of a call of a method of a variable, outside of functions with a
// parameter of its name.
func callOn(body *ast.BlockStmt, variable, method string) token.Pos {
	at := token.NoPos
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			for _, p := range n.Type.Params.List {
				for _, id := range p.Names {
					if id.Name == variable {
						return false
					}
				}
			}
		case *ast.CallExpr:
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == method {
				if id, ok := sel.X.(*ast.Ident); ok && id.Name == variable {
					at = n.Pos()
				}
			}
		}
		return !at.IsValid()
	})
	return at
}

// source is the file that is added.
func (d *driver) source() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport \"testing\"\n\nfunc %s() {\n", d.name, TestsFunc)
	for _, c := range d.sequential {
		fmt.Fprintf(&b, "\t%s\n", c)
	}
	for _, c := range d.parallel {
		fmt.Fprintf(&b, "\tgo %s\n", c)
	}
	b.WriteString("}\n")
	switch {
	case d.main && d.runs:
		fmt.Fprintf(&b, "\nfunc %s() { TestMain(&testing.M{}) }\n\nfunc %s(m *testing.M) int {\n\t%s()\n\treturn m.Run()\n}\n", mainFunc, runFunc, TestsFunc)
	case d.main:
		fmt.Fprintf(&b, "\nfunc %s() {\n\t%s()\n\tTestMain(&testing.M{})\n}\n", mainFunc, TestsFunc)
	}
	return b.Bytes()
}
