package bmc_test

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"whoop/pipeline"
)

// TestYieldsOfEachMode: a run counts the points of switching of every mode, as a run in
// that mode does.
func TestYieldsOfEachMode(t *testing.T) {
	const locks = "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x, y;\n"
	const locked = "pthread_mutex_lock(&m); x++; x++; pthread_mutex_unlock(&m);"
	for _, c := range []struct {
		name, src  string
		epp, fewer bool // epp leaves out as much as mr; mr leaves out some
	}{
		{"race-free", "void f(void) { " + locked + " } void g(void) { " + locked + " }", true, true},
		{"some race", "void f(void) { " + locked + " y++; } void g(void) { " + locked + " y++; }", false, true},
		{"all race", "void f(void) { y++; } void g(void) { y++; }", false, false},
	} {
		dir := t.TempDir()
		path, entries := filepath.Join(dir, "p.c"), filepath.Join(dir, "ep.yaml")
		for name, text := range map[string]string{path: "#include <pthread.h>\n" + locks + c.src, entries: pairEntries} {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		var first map[string]int
		for _, y := range pipeline.Yields {
			r, err := pipeline.BMC(context.Background(), path, pipeline.BMCOptions{CSB: 1, Unroll: 2, Yields: y, FormulasOnly: true,
				Options: pipeline.Options{Jobs: 1, EntryPoints: entries, Pairs: []string{"f,g"}}})
			if err != nil {
				t.Fatal(err)
			}
			n := r.Runs[0].YieldsBy
			if first == nil {
				first = n
			}
			if !maps.Equal(n, first) || len(n) != 3 || n[y] != r.Runs[0].Yields {
				t.Errorf("%s: %s counts %v and has %d, all counts %v", c.name, y, n, r.Runs[0].Yields, first)
			}
		}
		if (first["mr"] < first["all"]) != c.fewer || first["mr"] > first["all"] || c.epp && first["epp"] != first["mr"] || !c.epp && first["epp"] != first["all"] {
			t.Errorf("%s: %v", c.name, first)
		}
	}
	// of the run with --yields all
	_, rep := check(t, "int x; int main(void) { x = 1; assert(x); return 0; }", 1, 1)
	if n := rep.Runs[0].YieldsBy; len(n) != 1 {
		t.Errorf("a program with main, without proofs: %v", n)
	}
}
