package dpor

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"testing"
	"time"

	"whoop/internal/randprog"
	"whoop/ir"
	"whoop/ir/irutil"
	"whoop/ir/vm"
)

// TestWorkers: on random programs, several workers find what one search does, end in the
// same states, and explore each trace once.
func TestWorkers(t *testing.T) {
	var stops Stops
	for n := *seed; n < *seed+uint64(*programs); n++ {
		p := randprog.Generate(n, randprog.Config{Size: sizeOf(n), Workers: int(n % 4)})
		failures := n%2 == 0
		for _, alg := range []Algorithm{DFS, Source, Optimal} {
			names := vm.NewNames(nil)
			one := searchBy(t, p, alg, failures, 3000, 0, names)
			if one.reason != "" {
				continue
			}
			for workers := 1; workers <= 3; workers++ {
				o := searchBy(t, p, alg, failures, 0, workers, names)
				if why := differs(&o, &one); why != "" {
					t.Fatalf("seed %d, algorithm %d, %d workers: %s\n%s", n, alg, workers, why, ir.String(p))
				}
				stops.Heads += o.stops.Heads
				stops.Disputed += o.stops.Disputed
			}
		}
	}
	t.Logf("seeds %d to %d: %+v", *seed, *seed+uint64(*programs)-1, stops)
}

// differs tells in what two searches of a program differ.
func differs(a, b *outcome) string {
	for h, n := range a.traces {
		if n != 1 && b.traces[h] == 1 {
			return fmt.Sprintf("a trace is explored %d times", n)
		}
	}
	switch {
	case a.reason != "":
		return a.reason
	case a.Complete != b.Complete || a.Stuck != b.Stuck || a.Deadlocks != b.Deadlocks || a.Long != b.Long:
		return fmt.Sprintf("%+v, want %+v", a.Counts, b.Counts)
	case !slices.Equal(slices.Sorted(maps.Keys(a.traces)), slices.Sorted(maps.Keys(b.traces))):
		return "other traces"
	case !slices.Equal(slices.Sorted(maps.Keys(a.states)), slices.Sorted(maps.Keys(b.states))):
		return "other states"
	case a.found != nil && !slices.Equal(a.found, b.found):
		return fmt.Sprintf("found %q, want %q", a.found, b.found)
	}
	return ""
}

// TestResume: explorations that are left again and again, and go on from snapshots, are
// those of one search.
func TestResume(t *testing.T) {
	for n := *seed; n < *seed+uint64(*programs)/4; n++ {
		p := randprog.Generate(n, randprog.Config{Size: sizeOf(n), Workers: int(n % 4)})
		for _, alg := range []Algorithm{DFS, Source, Optimal} {
			names := vm.NewNames(nil)
			one := searchBy(t, p, alg, n%2 == 0, 1000, 0, names)
			if one.reason != "" {
				continue
			}
			for _, workers := range []int{1, 2} {
				o := resumed(t, p, alg, n%2 == 0, workers, names)
				if why := differs(&o, &one); why != "" {
					t.Fatalf("seed %d, algorithm %d, %d workers: %s\n%s", n, alg, workers, why, ir.String(p))
				}
			}
		}
	}
}

// resumed explores a few executions at a time.
func resumed(t *testing.T, p *ir.Program, alg Algorithm, failures bool, workers int, names *vm.Names) outcome {
	t.Helper()
	c, err := vm.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	o := outcome{states: map[uint64]int{}, traces: map[uint64]int{}}
	var file *bytes.Buffer
	for step := int64(1); ; step++ {
		var from *Snapshot
		if file != nil {
			from = &Snapshot{}
			if err := gob.NewDecoder(file).Decode(from); err != nil {
				t.Fatal(err)
			}
			names = vm.NewNames(from.Names)
		}
		var ms []*vm.Machine
		for range workers {
			m, err := vm.New(c, p.FuncByName("main"), vm.Config{Failures: failures, Attempts: irutil.BlocksInside(p) != nil, Names: names})
			if err != nil {
				t.Fatal(err)
			}
			ms = append(ms, m)
		}
		w := NewPool(ms, Options{Algorithm: alg, MaxExecutions: 3 * step, Save: func(s *Snapshot) error {
			file = &bytes.Buffer{}
			return gob.NewEncoder(file).Encode(s)
		}, Ended: func(s *Search) { o.states[s.m.Digest()]++; o.traces[s.Trace()]++ }})
		w.hurry, w.budget = 1, 2
		if from != nil {
			w.Resume(from)
		}
		w.Run()
		if w.Incomplete == "" {
			o.Counts = w.Counts
			return o
		}
	}
}

// pooled explores a program by workers; 0: by one search.
func pooled(t testing.TB, src string, alg Algorithm, workers int) (Counts, Stops) {
	t.Helper()
	p := parsed(t, src)
	c, err := vm.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	names := vm.NewNames(nil)
	var ms []*vm.Machine
	for range max(workers, 1) {
		m, err := vm.New(c, p.FuncByName("main"), vm.Config{Names: names})
		if err != nil {
			t.Fatal(err)
		}
		ms = append(ms, m)
	}
	if workers == 0 {
		s := New(ms[0], Options{Algorithm: alg})
		s.Run()
		return s.Counts, Stops{}
	}
	w := NewPool(ms, Options{Algorithm: alg})
	w.Run()
	if w.Incomplete != "" {
		t.Fatal(w.Incomplete)
	}
	return w.Counts, w.Stops
}

// TestWorkerCounts holds the numbers of executions of several workers against closed
// forms.
func TestWorkerCounts(t *testing.T) {
	for _, x := range []struct {
		name, src string
		complete  int64
	}{
		{"readers 12", readers(12), 4096}, {"writers 6", writers(6), 5040}, {"lastzero 11", lastzero(11), 7168}, {"indexer 14", indexer(14), 512},
	} {
		for _, workers := range []int{1, 2, 5} {
			for _, alg := range []Algorithm{Source, Optimal} {
				c, stops := pooled(t, x.src, alg, workers)
				if c.Complete != x.complete || c.Stuck+c.Deadlocks != 0 {
					t.Errorf("%s: %d workers explore %d executions, want %d", x.name, workers, c.Complete, x.complete)
				}
				t.Logf("%s, algorithm %d, %d workers: %d redundant, %+v", x.name, alg, workers, c.Blocked, stops)
			}
		}
	}
}

// BenchmarkWorkers compares workers with one search; the repetitions are interleaved. The
// speed-up is that of the best repetitions; where the machine is busy, the processor time
// says more.
func BenchmarkWorkers(b *testing.B) {
	for _, x := range []struct{ name, src string }{{"readers15", readers(15)}, {"lastzero15", lastzero(15)}} {
		b.Run(x.name, func(b *testing.B) {
			best, cpu := map[int]time.Duration{}, map[int]time.Duration{}
			for range b.N {
				for range 5 {
					for _, workers := range []int{0, 1, 2} {
						runtime.GC()
						start, used := time.Now(), processor()
						pooled(b, x.src, Optimal, workers)
						keep := func(m map[int]time.Duration, d time.Duration) {
							if m[workers] == 0 || d < m[workers] {
								m[workers] = d
							}
						}
						keep(best, time.Since(start))
						keep(cpu, processor()-used)
					}
				}
			}
			b.ReportMetric(best[0].Seconds(), "s/search")
			b.ReportMetric(best[1].Seconds()/best[0].Seconds(), "1worker/search")
			b.ReportMetric(best[0].Seconds()/best[2].Seconds(), "speedup2")
			b.ReportMetric(cpu[1].Seconds()/cpu[0].Seconds(), "1worker/search-cpu")
			b.ReportMetric(cpu[2].Seconds()/cpu[0].Seconds(), "2workers/search-cpu")
		})
	}
}
