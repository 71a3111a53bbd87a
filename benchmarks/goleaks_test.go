package benchmarks

import (
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"whoop/diag"
	goprogram "whoop/frontend/golang/program"
	"whoop/pipeline"
)

// leakTests lists the tests of goleaks.
func leakTests(t *testing.T) []string {
	src, err := os.ReadFile("goleaks/leaks/leaks_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(`).FindAllStringSubmatch(string(src), -1) {
		out = append(out, m[1])
	}
	if len(out) < 12 {
		t.Fatalf("only %d tests", len(out))
	}
	return out
}

// TestGoLeaks: bmc and explore find each goroutine that blocks for good when a test has
// returned, and say nothing of the repaired ones.
func TestGoLeaks(t *testing.T) {
	src, err := goprogram.ReadRooted(goprogram.Input{Paths: []string{"goleaks/leaks"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range leakTests(t) {
		t.Run(name, func(t *testing.T) {
			want := strings.HasSuffix(name, "Leaks")
			in := pipeline.Options{Root: name, Rooted: src, Jobs: 1}
			ctx := context.Background()
			b, err := pipeline.BMC(ctx, "goleaks/leaks", pipeline.BMCOptions{Options: in, CSB: 2, Unroll: 3, Yields: "mr", Properties: []string{pipeline.Leak}})
			if err != nil {
				t.Fatal(err)
			}
			found := slices.ContainsFunc(b.Runs, func(r diag.Run) bool { return len(r.Bugs) > 0 })
			if found != want {
				t.Errorf("bmc: %v, want %v", found, want)
			}
			for _, strategy := range []string{"context-bound", "walk"} {
				o := pipeline.ExploreOptions{Options: in, Strategy: strategy, Bound: 2, LeftBlocked: true, Executions: 2000, Seed: 1}
				if strategy == "walk" {
					o.Bound = -1
				}
				x, err := pipeline.Explore(ctx, "goleaks/leaks", o)
				if err != nil {
					t.Fatal(err)
				}
				if got := len(x.Bugs) > 0; got != want {
					t.Errorf("explore, %s: %v, want %v (complete: %v, %s)", strategy, got, want, x.Complete, x.Reason)
				}
				for _, y := range x.Bugs {
					if y.Kind != pipeline.Leak || y.Execution == nil {
						t.Errorf("explore, %s: %s, execution %v", strategy, y.Kind, y.Execution != nil)
					}
				}
			}
		})
	}
}
