package vm_test

import (
	"flag"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whoop/internal/testscope"
	"whoop/ir"
	"whoop/pipeline"
)

var (
	schedules = flag.Int("schedules", 1, "random schedules of each C program")
	all       = flag.Bool("all", testscope.All(), "run all C programs of the corpus")
)

// TestCorpus is TestReference for the C programs of the corpus.
func TestCorpus(t *testing.T) {
	ends := map[string]int{}
	dirs := []string{"races/sync", "races/data", "races/library", "classic/programs", "svcomp/condvar", "svcomp/semaphores"}
	if *all {
		dirs = []string{"races", "classic", "svcomp"}
	}
	for _, dir := range dirs {
		root := filepath.Join("..", "..", "benchmarks", dir)
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, ".c") {
				corpus(t, path, ends)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("executions by how they ended: %v", ends)
}

func corpus(t *testing.T, path string, ends map[string]int) {
	p, err := pipeline.Load(path, pipeline.Options{})
	if err != nil {
		return // headers of a set
	}
	if !slices.ContainsFunc(p.Entries, func(e *ir.Entry) bool { return e.Kind == "main" && len(e.Func.Params) == 0 }) {
		return
	}
	for k := range uint64(*schedules) {
		r := newPaired(t, p, rand.New(rand.NewPCG(1, k)), k%2 == 1)
		end, err := r.run()
		if err != nil {
			t.Errorf("%s, schedule %d, after %d events: %v", path, k, r.events, err)
			return
		}
		ends[end]++
	}
}
