package benchmarks

import (
	"context"
	"testing"

	"whoop/diag"
	"whoop/frontend/c"
	"whoop/pipeline"
)

// TestExamples: the examples of the tutorials get the answers that are shown there.
func TestExamples(t *testing.T) {
	for _, x := range []struct {
		path, define string
		want         diag.Verdict
		pairs, racy  int
	}{
		{"../examples/threads/jobs.c", "RACY", diag.Racy, 2, 2},
		{"../examples/threads/jobs.c", "", diag.RaceFree, 2, 0},
		{"../examples/visits", "", diag.Racy, 4, 2},
		{"../examples/visits/repaired", "", diag.RaceFree, 4, 0},
		{"../examples/driver/logdev_racy.c", "", diag.Racy, 12, 4},
		{"../examples/driver/logdev.c", "", diag.RaceFree, 12, 0},
	} {
		opt := pipeline.Options{Jobs: 2}
		if x.define != "" {
			opt.C = c.Options{Defines: []string{x.define}}
		}
		rep, err := pipeline.Verify(context.Background(), x.path, opt)
		if err != nil {
			t.Fatal(x.path, err)
		}
		racy := 0
		for _, p := range rep.Pairs {
			if p.Verdict == diag.Racy {
				racy++
			}
		}
		if rep.Verdict != x.want || len(rep.Pairs) != x.pairs || racy != x.racy {
			t.Errorf("%s %s: %v, %d pairs, %d racy", x.path, x.define, rep.Verdict,
				len(rep.Pairs), racy)
		}
	}
}
