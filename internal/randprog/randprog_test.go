package randprog

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"whoop/explore"
	"whoop/internal/testscope"
	"whoop/ir"
	"whoop/ir/interp"
)

var (
	programs = flag.Int("programs", testscope.Count(500, 1000), "random programs to look at")
	seed     = flag.Uint64("seed", uint64(testscope.Seed()), "seed of the first random program")
)

func run(t *testing.T, p *ir.Program, opt explore.Options) *explore.Result {
	t.Helper()
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := explore.Exhaustive(m, interp.MainOf(p.FuncByName("main")), opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestDistribution: programs of all kinds are frequent, and small enough. The package
// comment has the numbers for the seeds from 0 on.
func TestDistribution(t *testing.T) {
	n := map[string]int{}
	for k := range uint64(*programs) {
		r := run(t, Generate(*seed+k, Config{}), explore.Options{Bound: -1, Cache: true, MaxStates: 100000})
		if !r.Complete {
			n["too large"]++
			continue
		}
		if r.Sampled {
			t.Errorf("seed %d: an integer is arbitrary", *seed+k)
		}
		switch {
		case r.States <= 1000:
			n["≤ 1000 states"]++
		case r.States > 10000:
			n["> 10000 states"]++
		}
		if len(r.Findings) == 0 {
			n["nothing"]++
		}
		kinds := map[string]bool{}
		for _, f := range r.Findings {
			kinds[f.Kind] = true
			kinds[fmt.Sprintf("%s at cost %d", f.Kind, f.Preemptions)] = true
		}
		for k := range kinds {
			n[k]++
		}
	}
	t.Logf("of %d programs: %v", *programs, n)
	for what, percent := range map[string]int{"nothing": 20, explore.KindRace: 20, explore.KindDeadlock: 5, "assert": 15,
		"race at cost 2": 2, "≤ 1000 states": 50} {
		if 100*n[what] < percent**programs {
			t.Errorf("%s: %d of %d programs, want %d%%", what, n[what], *programs, percent)
		}
	}
	if n["too large"]*100 > *programs {
		t.Errorf("%d of %d programs are too large to be explored", n["too large"], *programs)
	}
}

// TestGenerate: programs are functions of the seed and the configuration, print as they
// were written, and have an instruction a line, with a thread or two besides main.
func TestGenerate(t *testing.T) {
	for seed := range uint64(200) {
		cfg := Config{Workers: int(seed % 3), Size: int(seed % 17), Without: Features(seed * 0x9e3779b97f4a7c15 >> 40 & uint64(All))}
		p, q := Generate(seed, cfg), Generate(seed, cfg)
		if ir.String(p) != ir.String(q) {
			t.Fatalf("seed %d: two programs", seed)
		}
		lines := map[int]ir.Instr{}
		spawns := 0
		for _, f := range p.Funcs {
			for _, b := range f.Blocks {
				for _, in := range b.Instrs {
					if l := in.At().Line; l == 0 || lines[l] != nil {
						t.Errorf("seed %d: line %d is not that of one instruction", seed, l)
					}
					lines[in.At().Line] = in
					if _, ok := in.(*ir.Spawn); ok {
						spawns++
					}
				}
			}
		}
		if spawns < 1 || spawns > 2 || cfg.Workers > 0 && spawns != cfg.Workers {
			t.Errorf("seed %d: %d threads, want %d", seed, spawns, cfg.Workers)
		}
	}
}

// TestWithout: features that are not wanted are not there.
func TestWithout(t *testing.T) {
	words := map[Features]string{Mutexes: "lock exclusive", TryLocks: "lock exclusive mutex &m0 try", Shared: "lock shared", AtomicSections: "atomic_begin", Awaits: "await",
		Atomics: "seq_cst &x", Conds: "condwait", Sems: "semwait", Calls: "call ", Choices: "havoc", Asserts: "assert", Heap: "alloc",
		Onces: "once &o", Barriers: "barrierwait", Recursive: "recursive",
		Arrays: "&arr, and(", Pointers: "load plain &px", Structs: `field(&s, "node", n)`}
	for f, word := range words {
		all, none := 0, 0
		for seed := range uint64(300) {
			all += strings.Count(text(seed, Config{}), word)
			none += strings.Count(text(seed, Config{Without: f}), word)
		}
		if all == 0 || none > 0 {
			t.Errorf("%q occurs %d times, and %d times without", word, all, none)
		}
	}
}
