package program

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Content is what the reading of an input depends on: the go command's settings, and of
// each package that the input leads to, of the standard library, too, all Go files in its
// directory, whatever system they are for, its other files, and its module's go.mod.
type Content struct {
	// Sum is the same for the same content.
	Sum [sha256.Size]byte
	// Stamp is the same while nobody has written to the files.
	Stamp string
}

// Content reads it. There is an error where not all is known that the reading depends on:
// for single files, which stand for the package around them, for packages with C code,
// and for those that do not compile.
func (in Input) Content() (*Content, error) {
	if slices.ContainsFunc(in.Paths, func(p string) bool { return filepath.Ext(p) == ".go" }) {
		return nil, errors.New("single files")
	}
	req, err := in.request()
	if err != nil {
		return nil, err
	}
	cfg := req.config(packages.NeedName | packages.NeedImports | packages.NeedDeps | packages.NeedModule | packages.NeedFiles | packages.NeedEmbedFiles)
	cfg.Tests = in.Tests
	roots, err := packages.Load(cfg, req.patterns...)
	if err != nil {
		return nil, err
	}
	files, dirs, err := filesOf(roots)
	if err != nil {
		return nil, err
	}
	settings, err := settings(req.dir)
	if err != nil {
		return nil, err
	}
	h, stamp := sha256.New(), &strings.Builder{}
	fmt.Fprintf(h, "%s %q %q %t\n", settings, in.Paths, req.flags, in.Tests)
	for _, f := range files {
		if err := addFile(h, stamp, f); err != nil {
			return nil, err
		}
	}
	for _, d := range dirs { // files may come and go
		st, err := os.Stat(d)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(stamp, "%q %s\n", d, changed(st))
	}
	return &Content{Sum: [sha256.Size]byte(h.Sum(nil)), Stamp: stamp.String()}, nil
}

// file is one of a package's, or what is said of the package itself.
type file struct{ of, name string }

// filesOf lists the files, and their directories, in an order that does not depend on that
// of the packages.
func filesOf(roots []*packages.Package) ([]file, []string, error) {
	out, dirs := map[file]bool{}, map[string]bool{}
	var bad error
	packages.Visit(roots, nil, func(p *packages.Package) {
		if len(p.Errors) > 0 {
			bad = p.Errors[0]
		}
		of := fmt.Sprintf("%s %s %s", p.ID, p.PkgPath, p.Name)
		if p.Module != nil {
			of += fmt.Sprintf(" %s %s %s", p.Module.Path, p.Module.Version, p.Module.GoVersion)
			if p.Module.GoMod != "" {
				out[file{of, p.Module.GoMod}] = true
			}
		}
		for _, f := range slices.Concat(p.GoFiles, p.OtherFiles, p.EmbedFiles) {
			out[file{of, f}] = true
			dirs[filepath.Dir(f)] = true
			// what C code is, its headers say
			if e := filepath.Ext(f); p.Module != nil && (e == ".c" || e == ".cc" || e == ".cpp" || e == ".m") {
				bad = errors.New("C code")
			}
		}
		if p.Module != nil && slices.ContainsFunc(p.GoFiles, importsC) {
			bad = errors.New("C code")
		}
	})
	for dir := range dirs {
		all, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			return nil, nil, err
		}
		for _, f := range all {
			out[file{dir, f}] = true
		}
	}
	sorted := slices.SortedFunc(maps.Keys(out), func(a, b file) int {
		return strings.Compare(a.of+"\x00"+a.name, b.of+"\x00"+b.name)
	})
	return sorted, slices.Sorted(maps.Keys(dirs)), bad
}

// importsC reports whether a Go file has C code, or cannot be read.
func importsC(name string) bool {
	f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
	return err != nil || slices.ContainsFunc(f.Imports, func(i *ast.ImportSpec) bool { return i.Path.Value == `"C"` })
}

// settings are those of the go command, without what it makes up for each call.
func settings(dir string) (string, error) {
	cmd := exec.Command("go", "env", "-json")
	cmd.Dir = dir
	text, err := cmd.Output()
	if err != nil {
		return "", err
	}
	var all map[string]string
	if err := json.Unmarshal(text, &all); err != nil {
		return "", err
	}
	delete(all, "GOGCCFLAGS") // names a temporary directory
	out, err := json.Marshal(all)
	return string(out), err
}

// addFile adds a file's content, and when it was written.
func addFile(h io.Writer, stamp io.Writer, f file) error {
	in, err := os.Open(f.name)
	if err != nil {
		return err
	}
	defer in.Close()
	st, err := in.Stat()
	if err != nil {
		return err
	}
	fmt.Fprintf(h, "\n%q %q %d\n", f.of, f.name, st.Size())
	fmt.Fprintf(stamp, "%q %d %s\n", f.name, st.Size(), changed(st))
	n, err := io.Copy(h, in)
	if err == nil && n != st.Size() {
		err = errors.New("changes while it is read")
	}
	return err
}
