package dpor

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"whoop/explore"
	"whoop/internal/randprog"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/ir/irutil"
	"whoop/ir/vm"
)

// observed explores a program with observers.
func observed(t *testing.T, p *ir.Program, alg Algorithm, failures bool, max int64) outcome {
	t.Helper()
	c, err := vm.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	m, err := vm.New(c, p.FuncByName("main"), vm.Config{Failures: failures,
		Attempts: irutil.BlocksInside(p) != nil})
	if err != nil {
		t.Fatal(err)
	}
	ref, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	h := interp.MainOf(p.FuncByName("main"))
	o := outcome{states: map[uint64]int{}, traces: map[uint64]int{}}
	found, known := map[string]bool{}, map[Key]bool{}
	s := New(m, Options{Algorithm: alg, MaxExecutions: max, Observers: true,
		Found: func(s *Search, f Found) bool {
			k := s.KeyOf(f)
			if known[k] {
				return true
			}
			if x, err := explore.Follow(ref, h, s.Path(f)); err == nil {
				known[k], found[x.Key()] = true, true
			}
			return true
		}, Ended: func(s *Search) { o.states[s.m.Digest()]++; o.traces[s.Trace()]++ }})
	s.Run()
	o.Counts, o.reason = s.Counts, s.Incomplete
	o.found = slices.Sorted(maps.Keys(found))
	return o
}

// TestObserversCounts: of writes that nobody reads, the last one counts; where each cell
// has one writer, nothing is saved.
func TestObserversCounts(t *testing.T) {
	for _, x := range []struct {
		name, src string
		complete  int64
	}{
		{"writers 4", writers(4), 5}, {"writers 8", writers(8), 9},
		{"readers 8", readers(8), 256}, {"lastzero 7", lastzero(7), 320},
		{"indexer 13", indexer(13), 64},
	} {
		for _, alg := range []Algorithm{Source, Optimal} {
			o := observed(t, parsed(t, x.src), alg, false, 0)
			if o.Complete != x.complete || o.Stuck+o.Deadlocks != 0 {
				t.Errorf("%s, algorithm %d: %d executions, want %d", x.name, alg, o.Complete, x.complete)
			}
			t.Logf("%s, algorithm %d: %+v", x.name, alg, o.Counts)
		}
	}
}

// sameObserved holds a program's exploration with observers against that without, and
// adds how many executions there are by optimal-DPOR. It reports whether it was looked at.
func sameObserved(t *testing.T, n uint64, p *ir.Program, failures bool, before, after, cut *int64) int {
	t.Helper()
	want := search(t, p, Source, failures, 3000)
	if want.reason != "" {
		return 0
	}
	for _, alg := range []Algorithm{Source, Optimal} {
		o := observed(t, p, alg, failures, 0)
		got, all := slices.Sorted(maps.Keys(o.states)), slices.Sorted(maps.Keys(want.states))
		switch {
		case o.reason != "":
			t.Errorf("seed %d, algorithm %d: %s", n, alg, o.reason)
		case !slices.Equal(got, all):
			t.Errorf("seed %d, algorithm %d: it ends in %d states of %d", n, alg, len(got), len(all))
		case !slices.Equal(o.found, want.found):
			t.Errorf("seed %d, algorithm %d: found\n%q, want\n%q", n, alg, o.found, want.found)
		case o.Executions() > want.Executions():
			t.Errorf("seed %d, algorithm %d: %d executions instead of %d", n, alg, o.Executions(), want.Executions())
		}
		if t.Failed() {
			t.Log(ir.String(p))
			return 0
		}
		if alg == Optimal {
			*before, *after, *cut = *before+want.Executions(), *after+o.Executions(), *cut+o.Blocked
		}
	}
	return 1
}

// TestObservers: on random programs, the states in which executions end and what is found
// are those without observers.
func TestObservers(t *testing.T) {
	taken, before, after, cut := 0, int64(0), int64(0), int64(0)
	for n := *seed; n < *seed+uint64(*programs); n++ {
		p := randprog.Generate(n, randprog.Config{Size: sizeOf(n), Workers: int(n % 4)})
		if taken += sameObserved(t, n, p, n%2 == 0, &before, &after, &cut); t.Failed() {
			return
		}
	}
	t.Logf("%d programs: %d executions and %d that are cut off, instead of %d", taken, after, cut, before)
}

// writesMuch is a random program whose threads mostly write few cells.
func writesMuch(seed uint64) string {
	draw := rand.New(rand.NewPCG(seed, 2))
	var b strings.Builder
	b.WriteString("program \"p\"\nglobal c: [3]i32\nglobal d: i32\nglobal m: u32\n")
	threads := 2 + draw.IntN(3)
	for t := range threads {
		fmt.Fprintf(&b, "func w%d() void {\nreg r, s: i32\nreg ok: bool\nentry:\n", t)
		for k := range 1 + draw.IntN(6-threads+1) {
			at := fmt.Sprintf("index(&c, i32 %d, 4, *i32)", draw.IntN(1+draw.IntN(3)))
			v := draw.IntN(3)
			order := []string{"seq_cst", "plain"}[draw.IntN(8)/7]
			switch draw.IntN(14) {
			case 0, 1, 2, 3, 4, 5:
				fmt.Fprintf(&b, "store %s %s, i32 %d\n", order, at, v)
			case 6, 7:
				fmt.Fprintf(&b, "r := load %s %s\n", order, at)
			case 8:
				fmt.Fprintf(&b, "r := load seq_cst %s\nstore seq_cst &d, r\n", at)
			case 9:
				fmt.Fprintf(&b, "r := rmw add seq_cst %s, i32 1\n", at)
			case 10:
				fmt.Fprintf(&b, "s, ok := cmpxchg seq_cst %s, i32 %d, i32 %d\n", at, v, draw.IntN(3))
			case 11:
				fmt.Fprintf(&b, "await r := %s until ge(r, i32 %d)\nstore seq_cst &d, i32 %d\natomic_end\n", at, v, v)
			case 12:
				fmt.Fprintf(&b, "lock exclusive mutex &m\nstore seq_cst %s, i32 %d\nunlock exclusive mutex &m\n", at, v)
			case 13:
				fmt.Fprintf(&b, "r := load seq_cst %s\nif eq(r, i32 %d) then a%d else b%d\na%d:\nstore seq_cst &d, i32 %d\ngoto b%d\nb%d:\n",
					at, v, k, k, k, k, k, k)
			}
		}
		b.WriteString("return\n}\n")
	}
	b.WriteString("func main() i32 {\nreg r: i32\n")
	for t := range threads {
		fmt.Fprintf(&b, "reg h%d: u64\n", t)
	}
	b.WriteString("entry:\n")
	for t := range threads {
		fmt.Fprintf(&b, "h%d, _ := spawn w%d()\n", t, t)
	}
	if draw.IntN(2) == 0 {
		for t := range threads {
			fmt.Fprintf(&b, "join h%d\n", t)
		}
	}
	if draw.IntN(2) == 0 {
		b.WriteString("r := load seq_cst index(&c, i32 0, 4, *i32)\nassert ne(r, i32 2) tag \"end\"\n")
	}
	b.WriteString("return i32 0\n}\n")
	return b.String()
}

// TestObserversWrites is TestObservers, of programs that write much.
func TestObserversWrites(t *testing.T) {
	taken, before, after, cut := 0, int64(0), int64(0), int64(0)
	for n := *seed; n < *seed+3*uint64(*programs); n++ {
		p := parsed(t, writesMuch(n))
		if taken += sameObserved(t, n, p, false, &before, &after, &cut); t.Failed() {
			return
		}
	}
	t.Logf("%d programs: %d executions and %d that are cut off, instead of %d", taken, after, cut, before)
}
