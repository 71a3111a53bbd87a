package interp_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"whoop/frontend/entry"
	"whoop/frontend/models"
	"whoop/ir/interp"
)

// TestDrivers runs neighbouring pairs of entry points after the drivers' init functions:
// the same schedule and inputs lead to the same end, and no execution panics.
func TestDrivers(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "benchmarks", "drivers", "*.c"))
	if err != nil || len(files) < 10 {
		t.Fatal(len(files), err)
	}
	ms, err := models.Load()
	if err != nil {
		t.Fatal(err)
	}
	ends := map[string]int{}
	for k, f := range files {
		if k%4 > 0 && !*whole {
			continue
		}
		p := load(t, f)
		if err := entry.Infer(p, ms, entry.Options{}); err != nil {
			t.Fatal(err)
		}
		m, err := interp.Compile(p, interp.Config{Callbacks: k % 2})
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		var init, roots []interp.Root
		for _, e := range p.Entries {
			if e.Init {
				init = append(init, interp.RootOf(e))
			} else {
				roots = append(roots, interp.RootOf(e))
			}
		}
		for i := range roots {
			h := interp.Harness{Init: init, Roots: []interp.Root{roots[i], roots[(i+1)%len(roots)]}}
			end := func() string {
				s, races := schedule(m, h, int64(i), 3000)
				if s == nil {
					return "no end"
				}
				ends[s.Status().String()]++
				return fmt.Sprint(s.Status(), s.Err(), len(races), s.Hash())
			}
			if a, b := end(), end(); a != b {
				t.Errorf("%s: %s, again %s", f, a, b)
			}
		}
	}
	t.Log(ends)
}
