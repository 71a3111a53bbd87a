package external

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"whoop/internal/kept"
)

// Source is where the packages are that a program imports.
type Source struct {
	cfg      packages.Config
	patterns []string
	pkgs     map[string]*packages.Package // by path, as the program's packages import them
	lib      Library
	libHash  string
	cache    *kept.Store

	exported *exports // nil: not needed yet
	hashes   map[string]string
}

// exports are the files to load packages from.
type exports struct {
	fset  *token.FileSet
	files map[string]string // of export data
	from  map[string][]string
	known map[string]*types.Package
}

// Options configure where facts come from.
type Options struct {
	// Library is about the standard library; LibraryHash changes when it does.
	Library     Library
	LibraryHash string
	// Cache is where facts are kept between runs, nil for nowhere.
	Cache *kept.Store
}

// NewSource returns the source of the packages to which roots lead, as packages.Load has
// returned them for a configuration and patterns, with names, files, modules and imports.
func NewSource(cfg packages.Config, patterns []string, roots []*packages.Package, o Options) *Source {
	s := &Source{cfg: cfg, patterns: patterns, pkgs: map[string]*packages.Package{}, lib: o.Library, libHash: o.LibraryHash, cache: o.Cache,
		hashes: map[string]string{}}
	packages.Visit(roots, nil, func(p *packages.Package) { s.pkgs[p.PkgPath] = p })
	return s
}

// standard reports whether a package is one of the standard library.
func (s *Source) standard(path string) bool {
	p := s.pkgs[path]
	if p != nil {
		return p.Module == nil
	}
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// facts returns the facts of a package: from the cache, or from its source.
func (s *Source) facts(path string) *Package {
	self, known := kept.Self()
	key := kept.Key(sha256.Sum256(fmt.Appendf(nil, "%x %s", self, s.hash(path))))
	if text, ok := s.cache.Read(key); ok && known {
		p := &Package{}
		if json.Unmarshal(text, p) == nil && p.Path == path {
			return p
		}
	}
	p, err := s.fresh(path)
	if err != nil {
		return &Package{Path: path, Unknown: err.Error()}
	}
	if text, err := json.Marshal(p); err == nil && known {
		s.cache.Write(key, text)
	}
	return p
}

// fresh extracts the facts of a package.
func (s *Source) fresh(path string) (p *Package, err error) {
	defer func() {
		if r := recover(); r != nil { // package ssa panics on code that it does not know
			err = fmt.Errorf("package %s cannot be built: %v", path, r)
		}
	}()
	if err := s.export(); err != nil {
		return nil, err
	}
	from := s.exported.from[path]
	if len(from) == 0 {
		return nil, errors.New("no source of package " + path)
	}
	var files []*ast.File
	for _, f := range from {
		if filepath.Ext(f) != ".go" {
			continue
		}
		parsed, err := parser.ParseFile(s.exported.fset, f, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, parsed)
	}
	cfg := &types.Config{Importer: s.exported, Sizes: types.SizesFor("gc", runtime.GOARCH)}
	built, _, err := ssautil.BuildPackage(cfg, s.exported.fset, types.NewPackage(path, ""), files, ssa.BuilderMode(0))
	if err != nil {
		return nil, err
	}
	return extract(built, s.lib, s.standard), nil
}

// export finds the files of all packages.
func (s *Source) export() error {
	if s.exported != nil {
		return nil
	}
	cfg := s.cfg
	cfg.Mode = packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedCompiledGoFiles | packages.NeedExportFile
	roots, err := packages.Load(&cfg, s.patterns...)
	if err != nil {
		return err
	}
	e := &exports{fset: token.NewFileSet(), files: map[string]string{}, from: map[string][]string{}, known: map[string]*types.Package{}}
	packages.Visit(roots, nil, func(p *packages.Package) { e.files[p.PkgPath], e.from[p.PkgPath] = p.ExportFile, p.CompiledGoFiles })
	s.exported = e
	return nil
}

// Import reads the types of a package.
func (e *exports) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if p := e.known[path]; p != nil && p.Complete() {
		return p, nil
	}
	name := e.files[path]
	if name == "" && e.files["vendor/"+path] != "" { // of the standard library
		name = e.files["vendor/"+path]
	}
	if name == "" {
		return nil, errors.New("no export data of package " + path)
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return nil, err
	}
	return gcexportdata.Read(r, e.fset, e.known, path)
}

// hash tells packages apart: by their files, and those of what they import.
func (s *Source) hash(path string) string {
	if h, ok := s.hashes[path]; ok {
		return h
	}
	p := s.pkgs[path]
	if p == nil || s.standard(path) {
		return path
	}
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version(), os.Getenv("GOOS"), os.Getenv("GOARCH"), s.libHash, path)
	if p.Module != nil {
		fmt.Fprintln(h, p.Module.Path, p.Module.Version)
	}
	for _, f := range slices.Sorted(slices.Values(p.GoFiles)) {
		in, err := os.Open(f)
		if err != nil {
			fmt.Fprintln(h, err)
			continue
		}
		fmt.Fprintln(h, filepath.Base(f))
		io.Copy(h, in) //nolint: what cannot be read makes another hash
		in.Close()
	}
	imports := make([]string, 0, len(p.Imports))
	for i := range p.Imports {
		imports = append(imports, i)
	}
	sort.Strings(imports)
	for _, i := range imports {
		fmt.Fprintln(h, i, s.hash(p.Imports[i].PkgPath))
	}
	out := hex.EncodeToString(h.Sum(nil))
	s.hashes[path] = out
	return out
}
