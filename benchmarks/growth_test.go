package benchmarks

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"whoop/benchmarks/scale"
	"whoop/diag"
	"whoop/pipeline"
)

// stagesOf verifies a pair of a program and returns what the stages of points-to took, which
// are those of all of it.
func stagesOf(t *testing.T, name, text, pair string) map[string]diag.Stage {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	rep, err := pipeline.Verify(context.Background(), path, pipeline.Options{Jobs: 2, NoCache: true, Pairs: []string{pair}})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]diag.Stage{}
	for _, x := range rep.Stages {
		out[x.Name] = x
	}
	return out
}

// TestGrowth holds the size of the graphs of points-to against that for a program of
// twice the size: by counts, not by time. Sets are explicit: n values that n others print
// are n times n members, and edges, though few (see the bounds).
func TestGrowth(t *testing.T) {
	const n = 40
	const pair = "(*T0).Show,(*T1).Show"
	small := stagesOf(t, "many.go", scale.Types(n), pair)
	large := stagesOf(t, "many.go", scale.Types(2*n), pair)
	if len(small) != 3 {
		t.Fatalf("stages: %v", small)
	}
	for stage, a := range small {
		b := large[stage]
		power := func(x, y int) float64 { return math.Log2(float64(y) / float64(x)) }
		if p := power(a.Nodes, b.Nodes); p > 1.3 {
			t.Errorf("%s: nodes grow with the power %.2f", stage, p)
		}
		if b.Edges > 5*b.Nodes || b.Members > 20*b.Nodes {
			t.Errorf("%s: %d nodes, %d edges, %d members", stage, b.Nodes, b.Edges, b.Members)
		}
		t.Logf("%s: nodes to the power %.2f, edges %.2f, members %.2f", stage, power(a.Nodes, b.Nodes), power(a.Edges, b.Edges), power(a.Members, b.Members))
	}
}
