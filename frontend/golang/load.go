package golang

import (
	"errors"
	"fmt"
	"go/version"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa/ssautil"

	"whoop/ir"
)

// Options configure reading Go.
type Options struct {
	// Models are further model files, of the form of the embedded ones.
	Models []string
	// Root, where not "", is the function that is run: main, a test or another function without parameters. Then the
	// program is lowered for bmc: exactly, up to places where executions end because that is not possible.
	Root string
	// Open says what functions and methods do that are not seen and not known; "" means OpenConfined.
	Open Open
	// Alone: the packages use others of which neither the source nor a model is there. What those do to objects of their own
	// is left out, so that the result is no proof. For a tool that sees one package at a time.
	Alone bool
}

// Load reads the packages that path names, lowers them and finds their entry points. path is a directory, a directory
// followed by "/...", or a .go file.
func Load(path string, opts Options) (*ir.Program, error) {
	src, err := read(path, opts.Root != "" && opts.Root != "main", opts.Root != "")
	if err != nil {
		return nil, err
	}
	low, err := src.Lower(opts)
	if errors.Is(err, errRoot) && opts.Root == "main" { // say which tests there are
		if src, err := read(path, true, false); err == nil {
			if _, err := src.Lower(opts); err != nil {
				return nil, err
			}
		}
	}
	if err != nil {
		return nil, err
	}
	return low.Program, nil
}

// Read loads the packages that path names, as for Load, and builds their SSA form.
func Read(path string) (*Source, error) { return read(path, false, false) }

// read is Read; with tests, the given packages have their test files, and with bodies, the library functions that package stdgo knows have theirs.
func read(path string, tests, bodies bool) (*Source, error) {
	dir, pattern := split(path)
	pkgs, given, err := loadNamed(dir, pattern, bodies)
	if err == nil && tests {
		pkgs, err = withTests(dir, pattern, pkgs, given)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var std *stdBodies
	if bodies {
		if std, err = readBodies(pkgs); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	prog, built := ssautil.Packages(pkgs, BuilderMode)
	if std != nil {
		std.create(prog)
	}
	prog.Build()
	src := &Source{Name: path, Prog: prog}
	for i, p := range built {
		if p == nil {
			return nil, fmt.Errorf("%s: package %s cannot be built", path, pkgs[i].PkgPath)
		}
		path := p.Pkg.Path()
		src.Packages = append(src.Packages, Package{SSA: p, Files: pkgs[i].Syntax, Info: pkgs[i].TypesInfo,
			Given: given[path] || path == "command-line-arguments"})
	}
	if std != nil {
		if err := std.add(src); err != nil {
			return nil, fmt.Errorf("%s: %w", src.Name, err)
		}
	}
	return src, nil
}

// Is reports whether path names Go packages: a pattern with "...", a .go file, or a directory with Go files.
func Is(path string) bool {
	if strings.HasSuffix(path, "...") || filepath.Ext(path) == ".go" {
		return true
	}
	fs, err := filepath.Glob(filepath.Join(path, "*.go"))
	return err == nil && len(fs) > 0
}

// split returns the directory to load from and the pattern there.
func split(path string) (dir, pattern string) {
	if rest, ok := strings.CutSuffix(path, "..."); ok {
		rest = strings.TrimSuffix(rest, "/")
		if rest == "" {
			rest = "."
		}
		return rest, "./..."
	}
	if filepath.Ext(path) == ".go" {
		return filepath.Dir(path), filepath.Base(path)
	}
	return path, "."
}

// loadNamed is load, but a file stands for the package that it belongs to. A file that belongs to none, by its build
// constraints, and one that declares what another file of the directory does (several programs in one directory), is
// loaded alone.
func loadNamed(dir, pattern string, std bool) ([]*packages.Package, map[string]bool, error) {
	if filepath.Ext(pattern) != ".go" || !inPackage(dir, pattern) {
		return load(dir, pattern, std)
	}
	pkgs, given, err := load(dir, ".", std)
	if err != nil && strings.Contains(err.Error(), "redeclared in this block") {
		return load(dir, pattern, std)
	}
	return pkgs, given, err
}

// inPackage reports whether a file is one of those that the package in its directory is built of.
func inPackage(dir, file string) bool {
	cfg := &packages.Config{Dir: dir, Mode: packages.NeedName | packages.NeedFiles}
	pkgs, err := packages.Load(cfg, ".")
	return err == nil && len(pkgs) == 1 && len(pkgs[0].Errors) == 0 &&
		slices.ContainsFunc(pkgs[0].GoFiles, func(f string) bool { return filepath.Base(f) == file })
}

// followedStd are packages of the standard library that consist of plain Go, with those that they need: for bmc they are read like the program's own. Each comes
// with what it needs.
var followedStd = map[string][]string{
	"slices": {"cmp", "math/bits"}, "maps": {"slices", "cmp", "math/bits"}, "cmp": nil, "sort": {"slices", "cmp", "math/bits"}, "math/bits": nil,
	"container/heap": {"sort", "slices", "cmp", "math/bits"}, "container/list": nil, "container/ring": nil,
}

// load returns the packages of the pattern, and those of the same module that they import, with syntax; given has the
// paths of the former. All others are known by their types only, but where std is set for packages of followedStd.
func load(dir, pattern string, std bool) (pkgs []*packages.Package, given map[string]bool, err error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, nil, errors.New("no such directory")
	}
	cfg := &packages.Config{Dir: dir, Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedFiles}
	roots, err := packages.Load(cfg, pattern)
	if err != nil {
		return nil, nil, err
	}
	patterns, given, err := own(roots, pattern, std)
	if err != nil {
		return nil, nil, err
	}
	cfg.Mode = packages.NeedName | packages.NeedImports | packages.NeedModule | packages.NeedFiles | packages.NeedCompiledGoFiles |
		packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo
	pkgs, err = packages.Load(cfg, patterns...)
	if err != nil {
		return nil, nil, err
	}
	return pkgs, given, firstError(pkgs)
}

// withTests replaces the given packages by those with test files, and adds the packages of external tests.
func withTests(dir, pattern string, pkgs []*packages.Package, given map[string]bool) ([]*packages.Package, error) {
	cfg := &packages.Config{Dir: dir, Tests: true, Mode: packages.NeedName | packages.NeedImports | packages.NeedModule | packages.NeedFiles |
		packages.NeedCompiledGoFiles | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedForTest}
	patterns := []string{pattern}
	for _, p := range pkgs {
		if !given[p.PkgPath] && p.PkgPath != "command-line-arguments" {
			patterns = append(patterns, p.PkgPath)
		}
	}
	files, err := packages.Load(&packages.Config{Dir: dir, Tests: true, Mode: packages.NeedName | packages.NeedImports}, pattern)
	if err != nil {
		return nil, err
	}
	for _, p := range files {
		patterns = append(patterns, stdOf(p)...)
	}
	sort.Strings(patterns[1:])
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

// own lists what to load with syntax: the pattern, and the packages of the same author that it imports (sameAuthor).
func own(roots []*packages.Package, pattern string, std bool) ([]string, map[string]bool, error) {
	if len(roots) == 0 {
		return nil, nil, errors.New("no packages")
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
	return append([]string{pattern}, more...), given, nil
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
		if len(p.Errors) > 0 {
			return fmt.Errorf("package %s: %v; it must compile", p.PkgPath, p.Errors[0])
		}
	}
	return nil
}

// old reports whether the packages are of a module that is written for a Go before 1.23.
func old(pkgs []*packages.Package) bool {
	return slices.ContainsFunc(pkgs, func(p *packages.Package) bool {
		return p.Module != nil && p.Module.GoVersion != "" && version.Compare("go"+p.Module.GoVersion, "go1.23") < 0
	})
}
