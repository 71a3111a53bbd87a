package delay

import (
	"flag"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"whoop/explore/dpor"
	"whoop/internal/randprog"
	"whoop/internal/testscope"
	"whoop/ir"
	"whoop/ir/vm"
)

var (
	programs = flag.Int("programs", testscope.Count(150, 1500), "random programs to explore")
	seed     = flag.Uint64("seed", uint64(testscope.Seed()), "seed of the first random program")
	samples  = flag.Int("samples", 20000, "executions to draw of a program")
)

// explorers are those that the package has.
var explorers = map[string]func() Explorer{"rr": RoundRobin, "rtc": RunToCompletion, "prr": ProbabilisticRoundRobin(7)}

// uncopied hides that an explorer can be copied.
type uncopied struct{ Explorer }

func machine(t testing.TB, p *ir.Program) *vm.Machine {
	t.Helper()
	c, err := vm.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	m, err := vm.New(c, p.FuncByName("main"), vm.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestSound: in each state of random executions with random delays, what an explorer
// chooses after 0, 1, 2 … delays are the threads that can go on, each once (theorem 1).
func TestSound(t *testing.T) {
	states := 0
	for n := *seed; n < *seed+uint64(*programs); n++ {
		p := randprog.Generate(n, randprog.Config{Size: 6 + int(n%15), Workers: int(n % 5)})
		for name, mk := range explorers {
			draw := rand.New(rand.NewPCG(n, 1))
			m := machine(t, p)
			h := history{make: mk}
			d := h.begin(m)
			for range 200 {
				can := h.last.Enabled
				if can == 0 {
					break
				}
				states++
				d2, got := h.copy(d), uint64(0)
				for range bits.OnesCount64(can) {
					if u := d2.Next(); u >= 0 {
						got |= 1 << u
					}
					d2.Delay()
				}
				if got != can {
					t.Fatalf("seed %d: %s chooses %b of %b\n%s", n, name, got, can, ir.String(p))
				}
				for draw.IntN(3) == 0 {
					h.delay(d)
				}
				u := d.Next()
				if !m.Step(u, []int{draw.IntN(2), draw.IntN(2)}) || m.Unsupported() != "" {
					break
				}
				h.tell(d, m, u)
			}
		}
	}
	t.Logf("%d states", states)
}

// TestStrata: without a cache, all executions are explored, each in one stratum: as many
// as there are interleavings; and with one, as many states are visited by all explorers,
// and none twice. Explorers that cannot be copied do the same.
func TestStrata(t *testing.T) {
	explored := 0
	for n := *seed; n < *seed+uint64(*programs); n++ {
		p := randprog.Generate(n, randprog.Config{Size: 4 + int(n%4), Without: randprog.Misuse | randprog.Asserts})
		all := dpor.New(machine(t, p), dpor.Options{Algorithm: dpor.DFS, MaxExecutions: 3000})
		all.Run()
		if all.Incomplete != "" {
			continue
		}
		explored++
		states := int64(0)
		for name, mk := range explorers {
			x := Search(machine(t, p), Options{Make: mk, Bound: -1, Cache: -1})
			if x.Incomplete != "" || all.Stuck == 0 && x.Executions() != all.Executions() {
				t.Fatalf("seed %d: %s explores %d executions, %v, want %d\n%s", n, name, x.Executions(), x.Strata, all.Executions(), ir.String(p))
			}
			y := Search(machine(t, p), Options{Make: mk, Bound: -1})
			if states == 0 {
				states = y.States
			}
			if y.Incomplete != "" || y.States != states {
				t.Fatalf("seed %d: %s visits %d states, others %d\n%s", n, name, y.States, states, ir.String(p))
			}
			z := Search(machine(t, p), Options{Make: func() Explorer { return uncopied{mk()} }, Bound: -1, Cache: -1})
			if z.Executions() != x.Executions() || len(z.Strata) != len(x.Strata) {
				t.Fatalf("seed %d: %s, made again, explores %v, copied %v", n, name, z.Strata, x.Strata)
			}
		}
	}
	t.Logf("%d programs", explored)
	if explored < *programs/2 {
		t.Errorf("the test says little: %d programs", explored)
	}
}

// TestCache: with a bound on the states that are remembered, the same executions end,
// only more often.
func TestCache(t *testing.T) {
	p := randprog.Generate(3, randprog.Config{Size: 8})
	all := Search(machine(t, p), Options{Make: RoundRobin, Bound: -1})
	some := Search(machine(t, p), Options{Make: RoundRobin, Bound: -1, Cache: 20})
	if all.Incomplete+some.Incomplete != "" || some.States < all.States {
		t.Errorf("%d states, with few remembered %d", all.States, some.States)
	}
}

// lazy never delays: it is unsound, and that is noticed.
type lazy struct{ Queue }

func (*lazy) Delay() {}

func TestUnsound(t *testing.T) {
	p := randprog.Generate(1, randprog.Config{Size: 8, Workers: 2})
	if x := Search(machine(t, p), Options{Make: func() Explorer { return &lazy{} }, Bound: -1}); x.Incomplete == "" {
		t.Error("an explorer that never delays passes for sound")
	}
}

// writers is a program of two threads with two writes each to one variable, besides main:
// few executions, which can be listed.
const writers = `program "writers"
global x: i32
func w(i: i32) void {
entry:
  store seq_cst &x, i
  store seq_cst &x, add(i, i32 1)
  return
}
func main() i32 {
entry:
  spawn w(i32 10)
  spawn w(i32 20)
  return i32 0
}
`

// TestSampler: each execution with d delays is drawn as often as the bound of theorem 3
// wants, at least: 1/L^d.
func TestSampler(t *testing.T) {
	p, err := ir.Parse("p.wir", []byte(writers))
	if err != nil {
		t.Fatal(err)
	}
	for name, mk := range explorers {
		for delays := range 4 {
			sampled(t, p, name, mk, delays)
		}
	}
}

// sampled draws executions with so many delays, and holds how often each is drawn against
// the bound.
func sampled(t *testing.T, p *ir.Program, name string, mk func() Explorer, delays int) {
	listed := map[string]bool{}
	list(machine(t, p), mk, delays, listed)
	s := NewSampler(mk, 5, -1)
	s.delays, s.samples = delays, math.MaxInt
	drawn, n, longest := map[string]int{}, 0, 0
	m := machine(t, p)
	for n < *samples {
		path := ""
		mark := m.Mark()
		full := false
		for k := 0; ; k++ {
			ts := m.Enabled(nil)
			if len(ts) == 0 {
				longest = max(longest, k)
				break
			}
			last := -1
			if k > 0 {
				last = int(path[k-1] - '0')
			}
			u := s.Next(m, k, last, ts)
			full = len(s.path) == delays
			m.Step(u, nil)
			path += string(rune('0' + u))
		}
		if full {
			drawn[path]++
			n++
		}
		m.Undo(mark)
	}
	want := 1 / math.Pow(float64(longest), float64(delays))
	for path := range listed {
		// Three and a half deviations of a binomial distribution are left: 99.9%, for all
		// executions together.
		if low := want*float64(n) - 3.5*math.Sqrt(want*float64(n)); float64(drawn[path]) < low {
			t.Errorf("%s: execution %s with %d delays is drawn %d times of %d, want %.1f", name, path, delays, drawn[path], n, want*float64(n))
		}
	}
	for path := range drawn {
		if !listed[path] {
			t.Errorf("%s: execution %s is no one with %d delays", name, path, delays)
		}
	}
}

// list lists the executions with so many delays, by their threads.
func list(m *vm.Machine, mk func() Explorer, delays int, out map[string]bool) {
	h := history{make: mk}
	d := h.begin(m)
	var visit func(d Explorer, path string, left int)
	visit = func(d Explorer, path string, left int) {
		if h.last.Enabled == 0 {
			if left == 0 {
				out[path] = true
			}
			return
		}
		for k := 0; k <= left; k++ {
			d2 := h.copy(d)
			for range k {
				d2.Delay()
			}
			before, mark, u := h.save(), m.Mark(), d2.Next()
			m.Step(u, nil)
			h.tell(d2, m, u)
			visit(d2, path+string(rune('0'+u)), left-k)
			h.restore(before)
			m.Undo(mark)
		}
	}
	visit(d, "", delays)
}
