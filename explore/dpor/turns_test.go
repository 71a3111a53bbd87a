package dpor

import (
	"math/rand/v2"
	"testing"

	"whoop/internal/randprog"
	"whoop/ir"
	"whoop/ir/irutil"
	"whoop/ir/vm"
)

// TestTurns: workers that take turns by chance explore what one search does. What comes
// of threads of the operating system is seldom as odd.
func TestTurns(t *testing.T) {
	for n := *seed; n < *seed+uint64(*programs)/4; n++ {
		p := randprog.Generate(n, randprog.Config{Size: sizeOf(n), Workers: int(n % 4)})
		for _, alg := range []Algorithm{Source, Optimal} {
			names := vm.NewNames(nil)
			one := searchBy(t, p, alg, n%2 == 0, 1000, 0, names)
			if one.reason != "" {
				continue
			}
			for k := range uint64(6) {
				o := turns(t, p, alg, n%2 == 0, 2+int(k%3), names, k)
				if why := differs(&o, &one); why != "" {
					t.Fatalf("seed %d, algorithm %d, turns %d: %s\n%s", n, alg, k, why, ir.String(p))
				}
			}
		}
	}
}

// turns explores by workers that take turns.
func turns(t *testing.T, p *ir.Program, alg Algorithm, failures bool, workers int, names *vm.Names, seed uint64) outcome {
	t.Helper()
	c, err := vm.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	var ms []*vm.Machine
	for range workers {
		m, err := vm.New(c, p.FuncByName("main"), vm.Config{Failures: failures, Attempts: irutil.BlocksInside(p) != nil, Names: names})
		if err != nil {
			t.Fatal(err)
		}
		ms = append(ms, m)
	}
	o := outcome{states: map[uint64]int{}, traces: map[uint64]int{}}
	w := NewPool(ms, Options{Algorithm: alg, Ended: func(s *Search) { o.states[s.m.Digest()]++; o.traces[s.Trace()]++ }})
	w.hurry, w.budget = 1, 3
	draw, heads := rand.New(rand.NewPCG(seed, 0)), make([]*head, workers) // heads that were taken
	busy := make([]bool, workers)
	for i, s := range w.searches {
		s.root(&head{state: running})
		busy[i] = i == 0
	}
	for !w.over {
		w.idle = 0
		for i := range busy {
			if !busy[i] && heads[i] == nil {
				w.idle++
			}
		}
		w.count()
		switch i := draw.IntN(workers); {
		case busy[i]:
			busy[i] = w.slice(w.searches[i])
		case heads[i] != nil:
			busy[i] = w.start(w.searches[i], heads[i])
			heads[i] = nil
		case len(w.frontier) > 0:
			heads[i] = w.next()
		}
	}
	o.Counts = w.total()
	return o
}
