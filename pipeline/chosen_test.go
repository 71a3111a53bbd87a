package pipeline_test

import (
	"context"
	"testing"

	"whoop/diag"
	"whoop/pipeline"
)

// TestChosenPairs: what keeps two entry points apart is void whoever violates it, also
// where no pair of that one is asked for.
func TestChosenPairs(t *testing.T) {
	for name, pair := range map[string]string{
		"own/drawn_elsewhere":        "worker,worker",
		"atomics/refcount_elsewhere": "user,user",
	} {
		for twin, want := range map[string]diag.Verdict{"_racy.c": diag.Racy, "_ok.c": diag.RaceFree} {
			file := "../benchmarks/races/" + name + twin
			rep, err := pipeline.Verify(context.Background(), file,
				pipeline.Options{Jobs: 1, Pairs: []string{pair}})
			if err != nil {
				t.Fatal(err)
			}
			if rep.Verdict != want {
				t.Errorf("%s, %s: %s, want %s", file, pair, rep.Verdict, want)
			}
		}
	}
}
