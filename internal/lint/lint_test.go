package lint

import (
	"bytes"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// forbidden lists, for a folder, the packages of ours that it may not import (prefixes; "*" for all). See
// docs/architecture.md.
var forbidden = map[string][]string{
	"ir":         {"*"},
	"dataflow":   {"*"},
	"smt":        {"*"},
	"alias":      {"whoop/frontend", "whoop/lockset", "whoop/smt", "whoop/report", "whoop/pipeline"},
	"diag":       {"whoop/frontend", "whoop/lockset", "whoop/smt", "whoop/alias", "whoop/report", "whoop/pipeline"},
	"vcgen":      {"whoop/frontend", "whoop/report", "whoop/pipeline", "whoop/smt/z3", "whoop/lockset"},
	"seqz":       {"whoop/frontend", "whoop/report", "whoop/pipeline", "whoop/smt/z3", "whoop/lockset"},
	"summaries":  {"whoop/frontend", "whoop/report", "whoop/pipeline", "whoop/smt/z3", "whoop/lockset"},
	"lockset":    {"whoop/frontend", "whoop/report", "whoop/pipeline", "whoop/smt/z3"},
	"frontend/c": {"whoop/alias", "whoop/lockset", "whoop/smt", "whoop/report", "whoop/pipeline"},
	"report":     {"whoop/frontend", "whoop/lockset", "whoop/smt", "whoop/alias", "whoop/pipeline"},
}

// sources calls f for every Go file of the repository.
func sources(t *testing.T, f func(path string, src []byte)) {
	t.Helper()
	root := "../.."
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".git") || d.Name() == "bin" || d.Name() == "out") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, ".go") {
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			rel, _ := filepath.Rel(root, path)
			f(filepath.ToSlash(rel), src)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestImports(t *testing.T) {
	sources(t, func(path string, src []byte) {
		if strings.HasSuffix(path, "_test.go") {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, src, parser.ImportsOnly)
		if err != nil {
			t.Error(err)
			return
		}
		dir := filepath.ToSlash(filepath.Dir(path))
		for _, im := range f.Imports {
			p := strings.Trim(im.Path.Value, `"`)
			if !strings.HasPrefix(p, "whoop/") {
				continue
			}
			if strings.HasPrefix(p, "whoop/smt/z3") && dir != "pipeline" {
				t.Errorf("%s: only the pipeline may name the solver", path)
			}
			for _, bad := range forbidden[dir] {
				if bad == "*" || strings.HasPrefix(p, bad) {
					t.Errorf("%s: may not import %s", path, p)
				}
			}
		}
	})
}

func TestPackageComments(t *testing.T) {
	has := map[string]bool{}
	sources(t, func(path string, src []byte) {
		dir := filepath.Dir(path)
		f, err := parser.ParseFile(token.NewFileSet(), path, src, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Error(err)
			return
		}
		has[dir] = has[dir] || f.Doc != nil
	})
	for dir, ok := range has {
		if !ok {
			t.Errorf("%s has no package comment", dir)
		}
	}
}

func TestFormatted(t *testing.T) {
	sources(t, func(path string, src []byte) {
		out, err := format.Source(src)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		} else if !bytes.Equal(out, src) {
			t.Errorf("%s is not gofmt-clean", path)
		}
	})
}
