package goanalysis

import (
	"bytes"
	"compress/flate"
	"fmt"
	"go/ast"
	"go/build"
	"go/types"
	"io"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/gcexportdata"
)

// Fact is what is known of a package where others of its module are checked: all that its
// functions do, as source, with the packages of the module that it imports. So a check
// sees which locks these take, and what they start, as "whoop verify" does.
type Fact struct {
	// Packages are the packages of the module, each after those that it imports; the one
	// that the fact is about comes last.
	Packages []Package
	// Types are the declarations of the other packages that these import.
	Types []Declarations
	// Races are the races that are reported in these packages: the places of both
	// accesses. They are not reported again where the packages are used.
	Races []string
}

// Package is the source of a package.
type Package struct {
	Path, GoVersion string
	Files           []File
	// Imports has the paths that differ from those in import declarations.
	Imports map[string]string
}

// File is a source file: its name, and its text, compressed.
type File struct {
	Name string
	Text []byte
}

// Declarations are the exported declarations of a package: export data, compressed.
type Declarations struct {
	Path string
	Data []byte
}

// maxFact bounds a fact: each package repeats what it imports.
const maxFact = 8 << 20

// AFact marks a fact.
func (*Fact) AFact() {}

func (f *Fact) String() string {
	last := f.Packages[len(f.Packages)-1]
	return fmt.Sprintf("%d packages, %d of them with source, for %s", len(f.Packages)+len(f.Types), len(f.Packages), last.Path)
}

// size is about how many bytes a fact takes.
func (f *Fact) size() int {
	n := 0
	for _, p := range f.Packages {
		for _, file := range p.Files {
			n += len(file.Text)
		}
	}
	for _, t := range f.Types {
		n += len(t.Data)
	}
	return n
}

// own reports whether the package belongs to those that facts are made of: to a main
// module, or, where the driver knows of no modules, not to the standard library.
func own(pass *analysis.Pass) bool {
	if m := pass.Module; m != nil && m.Path != "" {
		return m.Version == ""
	}
	file := pass.Fset.File(pass.Files[0].FileStart).Name()
	root := build.Default.GOROOT
	return !strings.HasPrefix(file, "$GOROOT") && (root == "" || !strings.HasPrefix(file, root))
}

// related reports whether two packages are of one module, where the driver does not say:
// their paths start with the same elements, three after a domain.
func related(a, b string) bool {
	n := 1
	if first, _, _ := strings.Cut(a, "/"); strings.Contains(first, ".") {
		n = 3
	}
	p, q := strings.SplitN(a, "/", n+1), strings.SplitN(b, "/", n+1)
	return slices.Equal(p[:min(n, len(p))], q[:min(n, len(q))])
}

// gather makes the fact of the package from its source and the facts of its imports. It
// is nil where it gets too large.
func gather(pass *analysis.Pass) (*Fact, error) {
	out, have := &Fact{}, map[string]bool{}
	for _, p := range pass.Pkg.Imports() {
		var f Fact
		if pass.ImportPackageFact(p, &f) && (pass.Module != nil && pass.Module.Path != "" || related(p.Path(), pass.Pkg.Path())) {
			out.add(&f, have)
		}
	}
	for _, p := range pass.Pkg.Imports() {
		if have[p.Path()] || p == types.Unsafe {
			continue
		}
		have[p.Path()] = true
		data, err := packed(func(w io.Writer) error { return gcexportdata.Write(w, pass.Fset, p) })
		if err != nil {
			return nil, fmt.Errorf("package %s: %w", p.Path(), err)
		}
		out.Types = append(out.Types, Declarations{p.Path(), data})
	}
	this, err := source(pass)
	if err != nil {
		return nil, err
	}
	out.Packages = append(out.Packages, this)
	if out.size() > maxFact {
		return nil, nil
	}
	return out, nil
}

// add adds what another fact has.
func (f *Fact) add(more *Fact, have map[string]bool) {
	for _, p := range more.Packages {
		if !have[p.Path] {
			have[p.Path] = true
			f.Packages = append(f.Packages, p)
		}
	}
	for _, t := range more.Types {
		if !have[t.Path] {
			have[t.Path] = true
			f.Types = append(f.Types, t)
		}
	}
	f.Races = append(f.Races, more.Races...)
	slices.Sort(f.Races)
	f.Races = slices.Compact(f.Races)
}

// source is the source of the package that is checked.
func source(pass *analysis.Pass) (Package, error) {
	out := Package{Path: pass.Pkg.Path(), GoVersion: pass.Pkg.GoVersion(), Imports: map[string]string{}}
	for _, f := range nonTests(pass) {
		name := pass.Fset.File(f.FileStart).Name()
		text, err := pass.ReadFile(name)
		if err != nil {
			return out, err
		}
		data, err := packed(func(w io.Writer) error { _, err := w.Write(text); return err })
		if err != nil {
			return out, err
		}
		out.Files = append(out.Files, File{name, data})
		for _, i := range f.Imports {
			path := strings.Trim(i.Path.Value, "`\"")
			if n := pass.TypesInfo.PkgNameOf(i); n != nil && n.Imported().Path() != path {
				out.Imports[path] = n.Imported().Path()
			}
		}
	}
	return out, nil
}

// nonTests are the files of the package but for tests. A test knows how the package works
// within, and runs with others or without; "whoop verify --tests" looks at tests.
func nonTests(pass *analysis.Pass) []*ast.File {
	return slices.DeleteFunc(slices.Clone(pass.Files), func(f *ast.File) bool {
		return strings.HasSuffix(pass.Fset.File(f.FileStart).Name(), "_test.go")
	})
}

// packed compresses what is written.
func packed(write func(io.Writer) error) ([]byte, error) {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.DefaultCompression)
	if err == nil {
		err = write(w)
	}
	if err == nil {
		err = w.Close()
	}
	return b.Bytes(), err
}

// unpacked is what packed compressed.
func unpacked(data []byte) ([]byte, error) { return io.ReadAll(flate.NewReader(bytes.NewReader(data))) }
