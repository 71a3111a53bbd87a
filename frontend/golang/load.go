package golang

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"whoop/ir"
)

// Options configure reading Go.
type Options struct {
	// Models are further model files, of the form of the embedded ones.
	Models []string
}

// Load reads the packages that path names, lowers them and finds their entry points. path is a directory, a directory
// followed by "/...", or a .go file.
func Load(path string, opts Options) (*ir.Program, error) {
	m, err := loadModels(opts.Models)
	if err != nil {
		return nil, err
	}
	dir, pattern := split(path)
	pkgs, given, err := load(dir, pattern)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	prog, ssaPkgs := ssautil.Packages(pkgs, ssa.InstantiateGenerics|ssa.GlobalDebug)
	prog.Build()
	l := newLowering(prog, m)
	l.p.Name = path
	err = l.program(pkgs, ssaPkgs, given)
	if errors.Is(err, errNarrow) {
		l = newLowering(prog, m)
		l.p.Name, l.wide = path, true
		err = l.program(pkgs, ssaPkgs, given)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return l.p, nil
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

// load returns the packages of the pattern, and those of the same module that they import, with syntax; given has the
// paths of the former. All others are known by their types only.
func load(dir, pattern string) (pkgs []*packages.Package, given map[string]bool, err error) {
	if _, err := os.Stat(dir); err != nil {
		return nil, nil, errors.New("no such directory")
	}
	cfg := &packages.Config{Dir: dir, Mode: packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedFiles}
	roots, err := packages.Load(cfg, pattern)
	if err != nil {
		return nil, nil, err
	}
	patterns, given, err := own(roots, pattern)
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

// own lists what to load with syntax: the pattern, and the packages of its modules that it imports.
func own(roots []*packages.Package, pattern string) ([]string, map[string]bool, error) {
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
	var more []string
	packages.Visit(roots, nil, func(p *packages.Package) {
		if p.Module != nil && modules[p.Module.Path] && !given[p.PkgPath] {
			more = append(more, p.PkgPath)
		}
	})
	sort.Strings(more)
	return append([]string{pattern}, more...), given, nil
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
