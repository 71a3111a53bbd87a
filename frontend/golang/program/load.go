package program

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/version"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa/ssautil"
)

// Read loads the packages that path names, as for Load, and builds their SSA form.
func Read(path string) (*Source, error) { return ReadInput(Input{Paths: []string{path}}) }

// ReadInput is Read for several paths, and with build tags.
func ReadInput(in Input) (*Source, error) { return ReadWith(in, false, false) }

// ReadRooted reads what Options.Root needs: the tests of the packages, and the bodies of
// the library functions that package stdgo knows. One reading does for any number of
// roots.
func ReadRooted(in Input) (*Source, error) { return ReadWith(in, true, true) }

// ReadWith is Read; with tests, the given packages have their test files, and with bodies,
// the library functions that package stdgo knows have theirs.
func ReadWith(in Input, tests, bodies bool) (*Source, error) {
	path := in.String()
	var pkgs []*packages.Package
	var given map[string]bool
	var deps *Dependencies
	req, err := in.request()
	switch {
	case err != nil:
	case in.Tests:
		pkgs, given, deps, err = loadTests(req)
	default:
		pkgs, given, deps, err = loadNamed(req, bodies)
		if err == nil && !tests && !bodies && !slices.ContainsFunc(pkgs, func(p *packages.Package) bool { return len(p.GoFiles) > 0 }) {
			err = errors.New("there is nothing but tests: \"whoop verify --tests\" looks at them, \"whoop bmc --root\" runs one")
		}
	}
	if err == nil && tests {
		pkgs, err = withTests(req, pkgs, given)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, req.explained(err))
	}
	var std *Bodies
	if bodies {
		if std, err = readBodies(pkgs); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	var moved map[*ast.FuncLit]Literal
	files := make([][]*ast.File, len(pkgs))
	for i, p := range pkgs {
		files[i] = p.Syntax
	}
	if !bodies {
		inlineHeldGroups(pkgs)
		moved = inlineStarters(pkgs)
		specialise(pkgs)
	}
	prog, built := ssautil.Packages(pkgs, BuilderMode)
	if std != nil {
		std.create(prog)
	}
	prog.Build()
	src := &Source{Name: path, Prog: prog, Deps: deps, Moved: moved}
	for i, p := range built {
		if p == nil {
			return nil, fmt.Errorf("%s: package %s cannot be built", path, pkgs[i].PkgPath)
		}
		path := p.Pkg.Path()
		src.Packages = append(src.Packages, Package{SSA: p, Files: files[i], Info: pkgs[i].TypesInfo,
			Given: given[path] || path == "command-line-arguments"})
	}
	if std != nil {
		if err := std.add(src); err != nil {
			return nil, fmt.Errorf("%s: %w", src.Name, err)
		}
	}
	return src, nil
}

// loadNamed is load, but a file stands for the package that it belongs to. A file that
// belongs to none, by its build constraints, and one that declares what another file of
// the directory does (several programs in one directory), is loaded alone.
func loadNamed(r request, std bool) ([]*packages.Package, map[string]bool, *Dependencies, error) {
	if filepath.Ext(r.patterns[0]) != ".go" || isImportPath(r.patterns[0]) || !r.inPackage() {
		return load(r, std)
	}
	whole := r
	whole.patterns = []string{"."}
	pkgs, given, deps, err := load(whole, std)
	if err != nil && strings.Contains(err.Error(), "redeclared in this block") {
		return load(r, std)
	}
	return pkgs, given, deps, err
}

// inPackage reports whether the files that are asked for are among those that the package
// in their directory is built of.
func (r request) inPackage() bool {
	pkgs, err := packages.Load(r.config(packages.NeedName|packages.NeedFiles), ".")
	if err != nil || len(pkgs) != 1 || len(pkgs[0].Errors) > 0 {
		return false
	}
	for _, file := range r.patterns {
		if !slices.ContainsFunc(pkgs[0].GoFiles, func(f string) bool { return filepath.Base(f) == file }) {
			return false
		}
	}
	return true
}

// followedStd are packages of the standard library that consist of plain Go, with those
// that they need: for bmc they are read like the program's own. Each comes with what it
// needs.
var followedStd = map[string][]string{
	"slices": {"cmp", "math/bits"}, "maps": {"slices", "cmp", "math/bits"}, "cmp": nil, "sort": {"slices", "cmp", "math/bits"}, "math/bits": nil,
	"container/heap": {"sort", "slices", "cmp", "math/bits"}, "container/list": nil, "container/ring": nil,
}

// load returns the packages of the patterns, and those of the same module that they
// import, with syntax; given has the paths of the former. All others are known by their
// types only, but where std is set for packages of followedStd.
func load(r request, std bool) (pkgs []*packages.Package, given map[string]bool, deps *Dependencies, err error) {
	cfg := r.config(packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedFiles)
	roots, err := packages.Load(cfg, r.patterns...)
	if err != nil {
		return nil, nil, nil, err
	}
	patterns, given, err := own(roots, r.patterns, std)
	if err != nil {
		return nil, nil, nil, err
	}
	deps = &Dependencies{Cfg: *cfg, Patterns: r.patterns, Roots: roots}
	cfg.Mode = packages.NeedName | packages.NeedImports | packages.NeedModule | packages.NeedFiles | packages.NeedCompiledGoFiles |
		packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo
	pkgs, err = packages.Load(cfg, patterns...)
	if err != nil {
		return nil, nil, nil, err
	}
	return pkgs, given, deps, firstError(pkgs)
}

// withTests replaces the given packages by those with test files, and adds the packages
// of external tests.
func withTests(r request, pkgs []*packages.Package, given map[string]bool) ([]*packages.Package, error) {
	cfg := r.config(packages.NeedName | packages.NeedImports | packages.NeedModule | packages.NeedFiles |
		packages.NeedCompiledGoFiles | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedForTest)
	cfg.Tests = true
	patterns := slices.Clone(r.patterns)
	for _, p := range pkgs {
		if !given[p.PkgPath] && p.PkgPath != "command-line-arguments" {
			patterns = append(patterns, p.PkgPath)
		}
	}
	names := r.config(packages.NeedName | packages.NeedImports)
	names.Tests = true
	files, err := packages.Load(names, r.patterns...)
	if err != nil {
		return nil, err
	}
	for _, p := range files {
		patterns = append(patterns, stdOf(p)...)
	}
	sort.Strings(patterns[len(r.patterns):])
	all, err := packages.Load(cfg, slices.Compact(patterns)...)
	if err != nil {
		return nil, err
	}
	tested := map[string]bool{}
	for _, p := range all {
		tested[p.PkgPath] = tested[p.PkgPath] || p.ForTest == p.PkgPath
	}
	var out []*packages.Package
	for _, p := range all {
		switch {
		case strings.HasSuffix(p.ID, ".test"): // the main package that runs the tests
		case p.ForTest != "" && !given[p.ForTest]:
		case p.ForTest == "" && given[p.PkgPath] && tested[p.PkgPath]:
		default:
			if p.ForTest != "" {
				given[p.PkgPath] = true
			}
			out = append(out, p)
		}
	}
	return out, firstError(out)
}

// own lists what to load with syntax: the patterns, and the packages of the same author
// that it imports (sameAuthor).
func own(roots []*packages.Package, patterns []string, std bool) ([]string, map[string]bool, error) {
	if len(roots) == 0 {
		return nil, nil, errNothing
	}
	if err := firstError(roots); err != nil {
		return nil, nil, err
	}
	modules, given := map[string]bool{}, map[string]bool{}
	for _, r := range roots {
		given[r.PkgPath] = true
		if r.Module != nil {
			modules[r.Module.Path] = true
		}
	}
	packages.Visit(roots, nil, func(p *packages.Package) {
		if p.Module != nil && p.Module.Main {
			modules[p.Module.Path] = true
		}
	})
	var more []string
	packages.Visit(roots, nil, func(p *packages.Package) {
		ours := sameAuthor(p, modules)
		if ours && !given[p.PkgPath] {
			more = append(more, p.PkgPath)
		}
		if std && (ours || given[p.PkgPath]) {
			more = append(more, stdOf(p)...)
		}
	})
	sort.Strings(more)
	more = slices.Compact(more)
	return append(slices.Clone(patterns), more...), given, nil
}

// stdOf lists the packages of followedStd that a package imports, with what they need.
func stdOf(p *packages.Package) []string {
	var out []string
	for path := range p.Imports {
		if needs, ok := followedStd[path]; ok {
			out = append(append(out, path), needs...)
		}
	}
	return out
}

// firstError is what keeps the packages from being analysed, or nil.
func firstError(pkgs []*packages.Package) error {
	for _, p := range pkgs {
		if len(p.Errors) > 0 && strings.Contains(p.Errors[0].Msg, "is not in std") {
			return errors.New("there is no file, directory or package of that name")
		}
		if len(p.Errors) > 0 && listHint(p.Errors[0].Msg) != "" {
			return fmt.Errorf("%s%s", p.Errors[0].Msg, listHint(p.Errors[0].Msg))
		}
		if len(p.Errors) > 0 {
			return fmt.Errorf("%s not compile\n%s", subject(p), strings.Join(compilerErrors(p.Errors), "\n"))
		}
	}
	return nil
}

// subject is how errors of a package begin. Files that are named are no package for the
// user, though they are one for the go command.
func subject(p *packages.Package) string {
	if p.PkgPath == "command-line-arguments" {
		return "it does"
	}
	return "package " + p.PkgPath + " does"
}

// maxErrors is how many errors of a package are shown, as many as the compiler shows.
const maxErrors = 10

// compilerErrors are the errors of a package as the compiler prints them, a line each:
// those of its types and syntax where there are any, else what the go command says.
func compilerErrors(errs []packages.Error) []string {
	var out []string
	errs = slices.SortedStableFunc(slices.Values(errs), byPlace)
	for _, e := range errs {
		if e.Kind == packages.TypeError || e.Kind == packages.ParseError {
			out = append(out, near(e.Pos)+": "+e.Msg)
		}
	}
	if len(out) == 0 {
		for _, line := range strings.Split(errs[0].Msg, "\n") {
			if !strings.HasPrefix(line, "# ") {
				out = append(out, line)
			}
		}
		if p := errs[0].Pos; p != "" && p != "-" {
			out[0] = near(p) + ": " + out[0]
		}
	}
	if len(out) > maxErrors {
		out = append(out[:maxErrors], "too many errors")
	}
	return slices.Compact(out)
}

// byPlace orders errors of one kind as the compiler does.
func byPlace(a, b packages.Error) int {
	at := func(e packages.Error) (file string, line, col int) {
		parts := strings.Split(e.Pos, ":")
		if n := len(parts); n > 2 {
			file = strings.Join(parts[:n-2], ":")
			line, _ = strconv.Atoi(parts[n-2]) // 0 where there is none
			col, _ = strconv.Atoi(parts[n-1])
		}
		return
	}
	f, l, c := at(a)
	g, m, d := at(b)
	return cmp.Or(int(a.Kind)-int(b.Kind), strings.Compare(f, g), l-m, c-d)
}

// near is a place with its file's name as it is called from the working directory, where
// that is at or above it.
func near(place string) string {
	wd, err := os.Getwd()
	if err != nil {
		return place
	}
	if rel, err := filepath.Rel(wd, place); err == nil && filepath.IsAbs(place) && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return place
}

// listHint says what to do about an error of the go command; "" for others.
func listHint(msg string) string {
	switch {
	case strings.Contains(msg, "outside main module"), strings.Contains(msg, "outside modules listed"):
		return ": give the packages of one module, or of one workspace (go.work)"
	case strings.Contains(msg, "no required module provides"):
		return ": run whoop in a module that requires it"
	}
	return ""
}

// old reports whether the packages are of a module that is written for a Go before 1.23.
func old(pkgs []*packages.Package) bool {
	return slices.ContainsFunc(pkgs, func(p *packages.Package) bool {
		return p.Module != nil && p.Module.GoVersion != "" && version.Compare("go"+p.Module.GoVersion, "go1.23") < 0
	})
}

// Dependencies are the packages that a program imports, as they were loaded.
type Dependencies struct {
	Cfg      packages.Config
	Patterns []string
	Roots    []*packages.Package
}
