package lint

import (
	"bytes"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

const root = "../.."

// maxLines is how long a Go file may be; longFiles are the exceptions, each with its
// reason.
const maxLines = 800

var longFiles = map[string]string{}

// machine matches what only exists on one machine: absolute paths of people's
// directories, and the module proxy.
var machine = regexp.MustCompile(`(^|[\s"'(=:])/(work|root|home/[a-z]+|Users/[A-Za-z]+)/|(^|[\s"'(=:])/tmp/[a-z]|GOPROXY=http`)

// walk calls f with each file of the project, relative to the root.
func walk(t *testing.T, f func(path string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if n := d.Name(); rel != "." && (n == "bin" || n == "out" || n == ".git") {
				return filepath.SkipDir
			}
			return nil
		}
		if d.Type().IsRegular() && d.Name() != ".git" { // a file in a linked work tree
			f(rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func goFiles(t *testing.T) []string {
	t.Helper()
	var out []string
	walk(t, func(path string) {
		if strings.HasSuffix(path, ".go") && !strings.Contains(filepath.ToSlash(path), "/testdata/") {
			out = append(out, path)
		}
	})
	return out
}

// TestFiles: formatted, not too long.
func TestFiles(t *testing.T) {
	for _, f := range goFiles(t) {
		src, err := os.ReadFile(filepath.Join(root, f))
		if err != nil {
			t.Fatal(err)
		}
		if out, err := format.Source(src); err != nil || !bytes.Equal(out, src) {
			t.Errorf("%s: not gofmt'd (%v)", f, err)
		}
		if n := bytes.Count(src, []byte("\n")); n > maxLines && longFiles[filepath.ToSlash(f)] == "" {
			t.Errorf("%s has %d lines, more than %d: split it by concern", f, n, maxLines)
		}
	}
}

// TestPackageDocs: every package says what it is for.
func TestPackageDocs(t *testing.T) {
	has := map[string]bool{}
	for _, f := range goFiles(t) {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, f), nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Error(err)
			continue
		}
		dir := filepath.ToSlash(filepath.Dir(f))
		has[dir] = has[dir] || file.Doc != nil
	}
	for dir, ok := range has {
		if !ok {
			t.Errorf("%s has no package comment: say in doc.go what it is for", dir)
		}
	}
}

// TestNoMachineNames: nothing in the repository names a place of the machine it was
// written on.
func TestNoMachineNames(t *testing.T) {
	walk(t, func(path string) {
		if filepath.ToSlash(path) == "internal/lint/files_test.go" {
			return
		}
		src, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range bytes.Split(src, []byte("\n")) {
			if m := machine.Find(line); m != nil {
				t.Errorf("%s:%d names a place of one machine: %q", path, i+1, m)
			}
		}
	})
}
