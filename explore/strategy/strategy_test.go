package strategy

import (
	"flag"
	"fmt"
	"slices"
	"testing"

	"whoop/internal/randprog"
	"whoop/ir"
	"whoop/trace"
)

var (
	programs = flag.Int("programs", 60, "random programs to explore")
	seed     = flag.Uint64("seed", 0, "seed of the first random program")
)

// bugs are what traces show, in order.
func bugs(r *Result) []string {
	var out []string
	for _, t := range r.Traces {
		places := []trace.Place{t.Bug.At, t.Bug.AtToo}
		slices.SortFunc(places, func(a, b trace.Place) int { return a.Line - b.Line })
		if t.Bug.Kind == "deadlock" {
			places = nil // which of several with the same kind does not matter here
		}
		out = append(out, fmt.Sprint(t.Bug.Kind, places))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestStrategies: on random programs, exhaustive strategies find the same, drawn executions
// show nothing else, and all traces replay (Run checks that).
func TestStrategies(t *testing.T) {
	found, drawn := 0, 0
	for n := *seed; n < *seed+uint64(*programs); n++ {
		p := randprog.Generate(n, randprog.Config{Size: 5 + int(n%4)})
		want := explored(t, p, Options{Strategy: "context-bound", Bound: -1, KeepGoing: true})
		found += len(want)
		for _, s := range []string{"dfs", "source-dpor", "optimal-dpor", "delay:rr", "delay:rtc", "delay:prr"} {
			if got := explored(t, p, Options{Strategy: s, Bound: -1, KeepGoing: true}); !slices.Equal(got, want) {
				t.Fatalf("seed %d: %s finds\n%q, want\n%q\n%s", n, s, got, want, ir.String(p))
			}
		}
		for _, s := range []string{"random", "pct", "pos", "urw", "sample:rr", "sample:rtc", "sample:prr"} {
			got := explored(t, p, Options{Strategy: s, Bound: 4, Seed: n, Executions: 300, KeepGoing: true})
			drawn += len(got)
			for _, b := range got {
				if !slices.Contains(want, b) {
					t.Fatalf("seed %d: %s finds %q, want one of\n%q\n%s", n, s, b, want, ir.String(p))
				}
			}
		}
	}
	t.Logf("seeds %d to %d: %d bugs, %d found by drawing", *seed, *seed+uint64(*programs)-1, found, drawn)
	if drawn < 6*found { // of seven times as many
		t.Errorf("of %d bugs, drawing finds %d in seven ways", found, drawn)
	}
}

func explored(t *testing.T, p *ir.Program, opt Options) []string {
	t.Helper()
	r, err := Run(p, opt)
	if err != nil {
		t.Fatal(err)
	}
	if r.Complete == Samples(opt.Strategy) {
		t.Fatalf("%s: complete: %t, %s\n%s", opt.Strategy, r.Complete, r.Reason, ir.String(p))
	}
	return bugs(r)
}
