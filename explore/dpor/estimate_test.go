package dpor

import (
	"testing"

	"whoop/ir/vm"
)

// TestEstimate holds estimates, after shares of the executions, against how many there
// were in the end.
func TestEstimate(t *testing.T) {
	for _, x := range []struct {
		name string
		src  string
		alg  Algorithm
		off  float64 // by which factor an estimate may be off after 1%, either way
	}{
		{"readers 6", readers(6), DFS, 2},
		{"writers 6", writers(6), DFS, 2},
		{"lastzero 4", lastzero(4), DFS, 4},
		{"readers 12", readers(12), Optimal, 8},
		{"writers 6", writers(6), Optimal, 8},
		{"lastzero 11", lastzero(11), Optimal, 3.33},
		{"indexer 14", indexer(14), Optimal, 3.33},
	} {
		c, err := vm.Compile(parsed(t, x.src))
		if err != nil {
			t.Fatal(err)
		}
		m, err := vm.New(c, c.IR.FuncByName("main"), vm.Config{})
		if err != nil {
			t.Fatal(err)
		}
		var estimates []float64
		s := New(m, Options{Algorithm: x.alg, Ended: func(s *Search) { estimates = append(estimates, s.Estimate()) }})
		s.Run()
		n, total := len(estimates), float64(s.ends())
		part := func(percent int) float64 { return estimates[n*percent/100] / total }
		t.Logf("%s, algorithm %d: %.0f; after 1%% %.2f of it, 10%% %.2f, 50%% %.2f", x.name, x.alg, total, part(1), part(10), part(50))
		if e := part(1); e > x.off || e < 1/x.off {
			t.Errorf("%s, algorithm %d: after 1%%, %.2f of %.0f executions are expected", x.name, x.alg, e, total)
		}
	}
}
