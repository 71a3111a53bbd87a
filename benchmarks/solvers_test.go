package benchmarks

import (
	"context"
	"testing"

	"whoop/diag"
	"whoop/internal/testscope"
	"whoop/pipeline"
)

// TestSolversAgree: both bindings to Z3 lead to the same verdicts of the same pairs, and
// to the same races.
func TestSolversAgree(t *testing.T) {
	for i, p := range corpus(t, "drivers/*.c", "idioms/*.c") {
		f := p.Name
		if !testscope.Every(i, 4) {
			continue
		}
		var reps [len(pipeline.Solvers)]*diag.Report
		for k, solver := range pipeline.Solvers {
			var err error
			reps[k], err = pipeline.Verify(context.Background(), p.Path,
				options(p, pipeline.Options{Jobs: 2, Solver: solver}))
			if err != nil {
				t.Fatal(f, err)
			}
		}
		one, other := reps[0], reps[1]
		if len(one.Pairs) != len(other.Pairs) || len(one.Races) != len(other.Races) {
			t.Errorf("%s: %d pairs and %d races, %d and %d", f, len(one.Pairs), len(one.Races),
				len(other.Pairs), len(other.Races))
			continue
		}
		for j, p := range one.Pairs {
			if q := other.Pairs[j]; p.First != q.First || p.Second != q.Second || p.Verdict != q.Verdict {
				t.Errorf("%s: %v, %v", f, p, q)
			}
		}
	}
}
