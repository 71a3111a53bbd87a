package explore

import (
	"flag"
	"slices"
	"testing"

	"whoop/internal/randprog"
	"whoop/internal/testscope"
	"whoop/ir"
	"whoop/ir/interp"
)

var (
	programs = flag.Int("programs", testscope.Count(200, 2000), "random programs to explore")
	seed     = flag.Uint64("seed", uint64(testscope.Seed()), "seed of the first random program")
)

// keys describes findings by instruction and cost.
func keys(r *Result, bound int) []string {
	var out []string
	for _, f := range r.Findings {
		if bound < 0 || f.Preemptions <= bound {
			out = append(out, f.String())
		}
	}
	return out
}

// TestRandom: on random programs, what is found is the same with and without a cache, an
// exploration with a bound finds what one without finds at no greater cost, and all
// findings replay.
func TestRandom(t *testing.T) {
	plain, found := 0, 0
	for n := *seed; n < *seed+uint64(*programs); n++ {
		p := randprog.Generate(n, randprog.Config{Size: 6 + int(n%6)})
		m, err := interp.Compile(p, interp.Config{})
		if err != nil {
			t.Fatalf("seed %d: %v", n, err)
		}
		h := interp.MainOf(p.FuncByName("main"))
		failures := n%2 == 0
		all := explore(t, m, h, Options{Bound: -1, Cache: true, Failures: failures})
		found += len(all.Findings)
		if !all.Complete || all.BoundHit {
			t.Errorf("seed %d: %s, bound hit %t", n, all.Reason, all.BoundHit)
		}
		uncached := explore(t, m, h, Options{Bound: -1, Failures: failures, MaxStates: 10000})
		if uncached.Complete {
			plain++
			if got, want := keys(uncached, -1), keys(all, -1); !slices.Equal(got, want) {
				t.Errorf("seed %d: without a cache %q, with %q", n, got, want)
			}
		}
		bound := int(n % 3)
		r := explore(t, m, h, Options{Bound: bound, Cache: n%4 == 0, Failures: failures, MaxStates: 100000})
		if got, want := keys(r, -1), keys(all, bound); r.Complete && !slices.Equal(got, want) {
			t.Errorf("seed %d: with bound %d %q, want %q", n, bound, got, want)
		}
		if r.Complete && !r.BoundHit && len(r.Findings) != len(all.Findings) {
			t.Errorf("seed %d: bound %d was not hit, but more is found without", n, bound)
		}
		if t.Failed() {
			t.Fatalf("%s", ir.String(p))
		}
	}
	t.Logf("seeds %d to %d: %d findings, %d programs explored without a cache", *seed, *seed+uint64(*programs)-1, found, plain)
	if plain < *programs/2 || found < *programs/2 {
		t.Errorf("the test says little: %d findings, %d programs explored without a cache", found, plain)
	}
}
