package c_test

import (
	"os"
	"path/filepath"
	"testing"

	"whoop/frontend/c"
	"whoop/frontend/models"
	"whoop/ir"
)

// load lowers a file, validates the result and checks that it prints and parses back.
func load(t *testing.T, path string) *ir.Program {
	t.Helper()
	m, err := models.Load()
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Load(path, m, c.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := ir.Validate(p); err != nil {
		t.Errorf("%s: %v", path, err)
	}
	return p
}

// Files named on the command line by WHOOP_C are lowered and printed: a debugging aid.
func TestShow(t *testing.T) {
	path := os.Getenv("WHOOP_C")
	if path == "" {
		t.Skip("WHOOP_C is not set")
	}
	ir.Print(os.Stdout, load(t, path))
}

// Every program of the corpus lowers without an unknown function.
func TestCorpus(t *testing.T) {
	for _, glob := range []string{"../../benchmarks/races/*/*.c", "../../benchmarks/drivers/*.c", "../../examples/*/*.c", "testdata/*.c"} {
		files, err := filepath.Glob(glob)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			p := load(t, f)
			for _, fn := range p.Funcs {
				if fn.Unknown != "" {
					t.Errorf("%s: %s is not understood: %s", f, fn.Name, fn.Unknown)
				}
			}
		}
	}
}
