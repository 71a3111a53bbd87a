package pipeline

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"whoop/diag"
	"whoop/internal/testscope"
)

// TestTiers: programs are answered in tiers as they are at once, pair by pair, with the
// same races.
func TestTiers(t *testing.T) {
	dirs, err := filepath.Glob("../benchmarks/golang/*/main.go")
	if err != nil || len(dirs) == 0 {
		t.Fatalf("%d programs, %v", len(dirs), err)
	}
	libs, err := filepath.Glob("../benchmarks/golang/lib_*")
	if err != nil || len(libs) == 0 {
		t.Fatalf("%d libraries, %v", len(libs), err)
	}
	for i, path := range append(dirs, libs...) {
		if !testscope.Every(i, 10) {
			continue
		}
		if filepath.Base(path) == "main.go" {
			path = filepath.Dir(path)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			once, err := Verify(context.Background(), path, Options{})
			if err != nil {
				t.Skip(err)
			}
			inTiers, err := Verify(context.Background(), path, Options{tiers: true})
			if err != nil {
				t.Fatal(err)
			}
			if a, b := said(once), said(inTiers); !maps.Equal(a, b) {
				for _, k := range slices.Sorted(maps.Keys(a)) {
					if a[k] != b[k] {
						t.Errorf("%s: %s at once, %q in tiers", k, a[k], b[k])
					}
				}
				for _, k := range slices.Sorted(maps.Keys(b)) {
					if a[k] == "" {
						t.Errorf("%s: %s in tiers alone", k, b[k])
					}
				}
			}
		})
	}
}

// said is what a report says of pairs, and which races there are.
func said(rep *diag.Report) map[string]string {
	out := map[string]string{}
	for _, p := range rep.Pairs {
		out[p.First+","+p.Second] = string(p.Verdict)
	}
	for _, r := range rep.Races {
		out[fmt.Sprintf("%s %s %s", r.Kind, r.First.Pos, r.Second.Pos)] = "race"
	}
	return out
}
