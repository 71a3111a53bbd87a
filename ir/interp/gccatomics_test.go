package interp_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"whoop/ir/interp"
)

// TestPreprocessedAtomics: what gcc makes of its own <stdatomic.h> is the same program.
func TestPreprocessedAtomics(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	file := filepath.Join(t.TempDir(), "atomics.i")
	if out, err := exec.Command(gcc, "-E", "-o", file, filepath.Join("testdata", "atomics.c")).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p := load(t, file)
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	if got := result(m, p.FuncByName("main")); got != "0" {
		t.Errorf("line %s: a check fails", got)
	}
}
