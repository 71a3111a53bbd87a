package dpor

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"testing"

	"whoop/explore"
	"whoop/internal/randprog"
	"whoop/internal/testscope"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/ir/irutil"
	"whoop/ir/vm"
)

var (
	programs = flag.Int("programs", testscope.Count(200, 4000), "random programs to explore")
	verbose  = flag.Bool("unconfirmed", false, "fail where a race is not confirmed")
	seed     = flag.Uint64("seed", uint64(testscope.Seed()), "seed of the first random program")
)

// outcome is what a search has found, and the states in which executions ended.
type outcome struct {
	Counts
	found  []string
	states map[uint64]int
	traces map[uint64]int
	reads  map[uint64]int // by Search.ReadsFrom
	reason string
	stops  Stops
}

func search(t *testing.T, p *ir.Program, alg Algorithm, failures bool, max int64) outcome {
	t.Helper()
	return searchBy(t, p, alg, failures, max, 0, nil)
}

// searchBy is search by so many workers; 0: by none.
func searchBy(t *testing.T, p *ir.Program, alg Algorithm, failures bool, max int64, workers int, names *vm.Names) outcome {
	t.Helper()
	return searchQuiet(t, p, alg, failures, max, workers, names, nil)
}

// searchQuiet is searchBy where quiet accesses are no events.
func searchQuiet(t *testing.T, p *ir.Program, alg Algorithm, failures bool, max int64,
	workers int, names *vm.Names, quiet func(ir.Instr) bool) outcome {
	t.Helper()
	c, err := vm.CompileQuiet(p, quiet)
	if err != nil {
		t.Fatal(err)
	}
	var ms []*vm.Machine
	for range workers + 1 {
		m, err := vm.New(c, p.FuncByName("main"), vm.Config{Failures: failures, Attempts: irutil.BlocksInside(p) != nil, Names: names})
		if err != nil {
			t.Fatal(err)
		}
		ms = append(ms, m)
	}
	ref, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	h := interp.MainOf(p.FuncByName("main"))
	o := outcome{states: map[uint64]int{}, traces: map[uint64]int{}, reads: map[uint64]int{}}
	found, known := map[string]bool{}, map[Key]bool{}
	opt := Options{Algorithm: alg, MaxExecutions: max, Found: func(s *Search, f Found) bool {
		k := s.KeyOf(f)
		if known[k] {
			return true
		}
		x, err := explore.Follow(ref, h, s.Path(f))
		if err != nil {
			if *verbose || f.Failure != nil || f.Deadlock {
				t.Errorf("%v is not confirmed: %v\n%s", f, err, ir.String(p))
			}
			return true
		}
		if err := explore.Replay(ref, h, x); err != nil {
			t.Errorf("%s does not replay: %v\n%s", x, err, ir.String(p))
		}
		known[k], found[x.Key()] = true, true
		return true
	}, Ended: func(s *Search) { o.states[s.m.Digest()]++; o.traces[s.Trace()]++; o.reads[s.ReadsFrom()]++ }}
	if workers == 0 {
		s := New(ms[0], opt)
		s.Run()
		o.Counts, o.reason = s.Counts, s.Incomplete
	} else {
		w := NewPool(ms[1:], opt)
		w.hurry, w.budget = 1, 3
		w.Run()
		o.Counts, o.reason, o.stops = w.Counts, w.Incomplete, w.Stops
	}
	o.found = slices.Sorted(maps.Keys(found))
	return o
}

// TestRandom: on random programs, all algorithms find what the plain exploration of the
// interpreter finds, and end in the same states; optimal-DPOR explores as many executions
// as there are traces.
func TestRandom(t *testing.T) {
	full, taken, redundant := 0, 0, int64(0)
	for n := *seed; n < *seed+uint64(*programs); n++ {
		p := randprog.Generate(n, randprog.Config{Size: sizeOf(n), Workers: int(n % 4)})
		failures := n%2 == 0
		opt := search(t, p, Optimal, failures, 20000)
		if opt.reason != "" {
			t.Logf("seed %d: %s", n, opt.reason)
			continue
		}
		taken++
		redundant += opt.Blocked
		src := search(t, p, Source, failures, 0)
		fail := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("seed %d: %s\n%s", n, fmt.Sprintf(format, args...), ir.String(p))
		}
		if got, want := slices.Sorted(maps.Keys(src.states)), slices.Sorted(maps.Keys(opt.states)); !slices.Equal(got, want) {
			fail("source ends in %d states, optimal in %d", len(got), len(want))
		}
		if !slices.Equal(src.found, opt.found) {
			fail("source finds %q, optimal %q", src.found, opt.found)
		}
		if dfs := search(t, p, DFS, failures, 4000); dfs.reason == "" {
			full++
			if len(dfs.traces) != len(opt.traces) || len(dfs.traces) != len(src.traces) || int(opt.Executions()) != len(dfs.traces) || int(src.Executions()) != len(dfs.traces) {
				fail("DFS sees %d traces, optimal %d in %d executions, source %d in %d", len(dfs.traces), len(opt.traces), opt.Executions(), len(src.traces), src.Executions())
			}
			if len(dfs.reads) != len(opt.reads) || len(dfs.reads) > len(dfs.traces) {
				fail("by what is read, DFS sees %d classes, optimal %d, of %d traces", len(dfs.reads), len(opt.reads), len(dfs.traces))
			}
			if got, want := slices.Sorted(maps.Keys(opt.states)), slices.Sorted(maps.Keys(dfs.states)); !slices.Equal(got, want) {
				fail("optimal ends in %d states, DFS in %d", len(got), len(want))
			}
		}
		if want := reference(t, p, failures); !slices.Equal(opt.found, want) {
			fail("found\n%q, want\n%q", opt.found, want)
		}
	}
	t.Logf("seeds %d to %d: %d explored, %d of them by DFS, too; %d executions were redundant", *seed, *seed+uint64(*programs)-1, taken, full, redundant)
}

// reference is what the plain exploration of the interpreter finds.
func reference(t *testing.T, p *ir.Program, failures bool) []string {
	t.Helper()
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Exhaustive(m, interp.MainOf(p.FuncByName("main")), explore.Options{Bound: -1, Cache: true, Failures: failures})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Complete {
		t.Fatal(r.Reason)
	}
	var want []string
	for _, f := range r.Findings {
		want = append(want, f.Key())
	}
	slices.Sort(want)
	return slices.Compact(want)
}

// sizeOf is the size of the random program of a seed.
func sizeOf(n uint64) int { return 4 + int(n%6) }
