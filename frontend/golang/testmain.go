package golang

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"whoop/frontend/golang/form"
	"whoop/frontend/golang/library"
	"whoop/ir"
)

// Tests as programs: package testing runs the sequential tests of a package one after the
// other, and then the parallel ones at the same time. What it does is added to the
// package as a function in Go, which is the program's main function:
//
//	func runTests() {
//		TestOne(&testing.T{})
//		BenchmarkTwo(&testing.B{})
//		go TestThree(&testing.T{}) // which calls t.Parallel
//	}
//
// With a TestMain, that is called instead, and its m.Run() calls this function. A subtest
// that calls t.Parallel is started where it is made, but does not run beside the function
// that started it: it waits until that returns.

const (
	// testsFunc is the function that runs the tests, mainFunc the one that calls
	// TestMain, and runFunc stands for m.Run.
	testsFunc, mainFunc, runFunc = "whoopRunTests", "whoopTestMain", "whoopRun"
	testsName                    = "tests" // what both are called in reports
	parallelKind                 = "parallel test"
)

// testRoot is the function that runs the tests of a package, or nil.
func testRoot(p *ssa.Package) *ssa.Function {
	if p == nil { // of an instance of a generic function
		return nil
	}
	if f := p.Func(mainFunc); f != nil {
		return f
	}
	return p.Func(testsFunc)
}

// programOf is the function where the program of a package starts: main, or the one that
// runs its tests; nil for a library.
func programOf(p *ssa.Package) *ssa.Function {
	if f := testRoot(p); f != nil || p.Pkg.Name() != "main" {
		return f
	}
	return p.Func("main")
}

// loadTests is load for the tests of packages: given are those that have some, with their
// files of tests.
func loadTests(r request) (pkgs []*packages.Package, given map[string]bool, deps *dependencies, err error) {
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
	deps = &dependencies{cfg: *cfg, patterns: r.patterns, roots: roots}
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
	fmt.Fprintf(&b, "package %s\n\nimport \"testing\"\n\nfunc %s() {\n", d.name, testsFunc)
	for _, c := range d.sequential {
		fmt.Fprintf(&b, "\t%s\n", c)
	}
	for _, c := range d.parallel {
		fmt.Fprintf(&b, "\tgo %s\n", c)
	}
	b.WriteString("}\n")
	switch {
	case d.main && d.runs:
		fmt.Fprintf(&b, "\nfunc %s() { TestMain(&testing.M{}) }\n\nfunc %s(m *testing.M) int {\n\t%s()\n\treturn m.Run()\n}\n", mainFunc, runFunc, testsFunc)
	case d.main:
		fmt.Fprintf(&b, "\nfunc %s() {\n\t%s()\n\tTestMain(&testing.M{})\n}\n", mainFunc, testsFunc)
	}
	return b.Bytes()
}

// laterTest is the model of a call that starts a function of a test which runs when its
// caller has returned, or while that waits; nil for others. Those are b.RunParallel, and
// t.Run of a subtest that calls t.Parallel, or is not known here.
func (x *fn) laterTest(p *prepared) *library.Func {
	if x.exact {
		return nil
	}
	m := &library.Func{Op: "go", Fn: 1, Kind: parallelKind}
	switch library.Name(p.fn) {
	case "(*testing.common).Cleanup":
		x.p.Assume("callback", x.pos, "a function that ends a test runs where it is registered: goroutines that outlive the test do not access what it does")
	case "(*testing.B).RunParallel":
		m.Many = true
		return m
	case "(*testing.T).Run":
		m.Fn = 2
		if f := form.StaticFunc(p.cc.Args[2]); f == nil || parallel(f, 3) {
			return m
		}
	}
	return nil
}

// parallel reports whether a function calls Parallel of a test, by itself or in functions
// that it calls with one.
func parallel(f *ssa.Function, depth int) bool {
	for _, b := range f.Blocks {
		for _, in := range b.Instrs {
			c, ok := in.(ssa.CallInstruction)
			if !ok || c.Common().StaticCallee() == nil {
				continue
			}
			g := c.Common().StaticCallee()
			if library.Name(g) == "(*testing.T).Parallel" {
				return true
			}
			takes := slices.ContainsFunc(c.Common().Args, func(a ssa.Value) bool { return types.TypeString(a.Type(), nil) == "*testing.T" })
			if takes && depth > 0 && parallel(g, depth-1) {
				return true
			}
		}
	}
	return false
}

// waitingTests excludes pairs of what starts a function of a test and that function,
// where it runs once: parallel tests wait until who started them has returned; a
// benchmark waits for what it runs in parallel.
func (l *lowering) waitingTests() {
	starts := map[*ir.Func][]spawned{}
	for _, s := range l.spawns {
		if s.fn != nil {
			starts[s.fn] = append(starts[s.fn], s)
		}
	}
	waits := func(s spawned) bool {
		return s.kind == parallelKind || s.site != nil && s.site.Parent() == testRoot(s.site.Parent().Pkg) || s.site != nil && s.site.Parent().Name() == testsFunc
	}
	for _, e := range l.p.Entries {
		for _, o := range l.p.Entries {
			by := starts[o.Func]
			if e == o || e.Multi || len(by) == 0 || slices.ContainsFunc(by, func(s spawned) bool { return !waits(s) }) {
				continue
			}
			own := e.Kind == "main" && e.Name == testsName // in which all sequential tests run
			if own || !slices.ContainsFunc(by, func(s spawned) bool { return !l.startedBy(s, e) }) {
				l.p.Exclusions = append(l.p.Exclusions, ir.Exclusion{A: e.Name, B: o.Name, Reason: "a parallel test waits until the function that started it has returned"})
			}
		}
	}
}

// startedBy reports whether an entry point's own function contains the call that starts
// something.
func (l *lowering) startedBy(s spawned, e *ir.Entry) bool {
	if s.site == nil || e.Func == nil {
		return false
	}
	f := l.funcs[s.site.Parent()]
	return f != nil && form.PlainName(f.Name) == form.PlainName(e.Func.Name)
}
