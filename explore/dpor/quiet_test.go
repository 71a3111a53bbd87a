package dpor

import (
	"maps"
	"slices"
	"testing"

	"whoop/explore"
	"whoop/internal/randprog"
	"whoop/ir"
	"whoop/ir/interp"
)

// TestQuiet: where accesses that do not race are no events, random programs end in the
// same states and the same goes wrong, with as many executions or fewer.
func TestQuiet(t *testing.T) {
	fewer, all, events, allEvents := int64(0), int64(0), int64(0), int64(0)
	for n := *seed; n < *seed+uint64(*programs); n++ {
		p := randprog.Generate(n, randprog.Config{Size: sizeOf(n), Workers: int(n % 4)})
		failures := n%2 == 0
		plain := search(t, p, Optimal, failures, 4000)
		if plain.reason != "" {
			continue
		}
		racing := races(t, p, failures)
		quiet := func(in ir.Instr) bool { return !racing[in] }
		for _, alg := range []Algorithm{DFS, Source, Optimal} {
			x := searchQuiet(t, p, alg, failures, 20000, 0, nil, quiet)
			if x.reason != "" {
				continue
			}
			if got, want := slices.Sorted(maps.Keys(x.states)),
				slices.Sorted(maps.Keys(plain.states)); !slices.Equal(got, want) ||
				!slices.Equal(x.found, plain.found) {
				t.Fatalf("seed %d, algorithm %d: %d states and %q, without proofs %d and %q\n%s", n, alg, len(got), x.found, len(want), plain.found, ir.String(p))
			}
			if alg == Optimal {
				events, allEvents = events+x.Events, allEvents+plain.Events
			}
			if alg != DFS {
				continue
			}
			if dfs := search(t, p, DFS, failures, 20000); dfs.reason == "" {
				fewer, all = fewer+x.Executions(), all+dfs.Executions()
			}
		}
	}
	t.Logf("%d executions by DFS in place of %d; %d events by optimal-DPOR in place of %d",
		fewer, all, events, allEvents)
	if fewer > all || events > allEvents {
		t.Error("there are more than without proofs")
	}
}

// races are the instructions of a program's races, by the plain exploration of the
// interpreter.
func races(t *testing.T, p *ir.Program, failures bool) map[ir.Instr]bool {
	t.Helper()
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Exhaustive(m, interp.MainOf(p.FuncByName("main")),
		explore.Options{Bound: -1, Cache: true, Failures: failures})
	if err != nil || !r.Complete {
		t.Fatal(err, r.Reason)
	}
	out := map[ir.Instr]bool{}
	for _, f := range r.Findings {
		if f.Race != nil {
			out[f.Race.First.Instr], out[f.Race.Second.Instr] = true, true
		}
	}
	return out
}
