package dpor

import (
	"encoding/gob"
	"net"
	"runtime"
	"sync"
	"testing"

	"whoop/internal/randprog"
	"whoop/ir"
	"whoop/ir/irutil"
	"whoop/ir/vm"
)

// joined is a pool with a worker of its own and others that it reaches by connections
// alone; each has a machine of its own.
func joined(t *testing.T, p *ir.Program, alg Algorithm, failures bool, others int,
	far func(Far) bool) (pool *Pool, conns []net.Conn, wait func()) {
	t.Helper()
	c, err := vm.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	machine := func(names *vm.Names) *vm.Machine {
		m, err := vm.New(c, p.FuncByName("main"),
			vm.Config{Failures: failures, Attempts: irutil.BlocksInside(p) != nil, Names: names})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	names := vm.NewNames(nil)
	found := func(s *Search, f Found) bool {
		return far(Far{Key: s.KeyOf(f), Sure: f.Failure != nil || f.Deadlock, Path: s.Path(f)})
	}
	pool = NewPool([]*vm.Machine{machine(names)}, Options{Algorithm: alg, Found: found, Far: far})
	pool.hurry, pool.budget = 1, 5
	pool.searches[0].opt.Ended = yielding(pool, others)
	var all sync.WaitGroup
	for range others {
		here, there := net.Pipe()
		conns = append(conns, there)
		pool.Join(here, machine(names))
		all.Go(func() {
			a := NewAsking(gob.NewEncoder(there), gob.NewDecoder(there), c)
			Serve(machine(vm.AskedNames(a.Number)), Setup{Algorithm: alg}, a)
			there.Close()
		})
	}
	return pool, conns, all.Wait
}

// yielding lets the pool's own search wait at the end of its first execution until the
// others have nothing to do, so that they get a part of what is left.
func yielding(pool *Pool, others int) func(*Search) {
	first := true
	return func(*Search) {
		for first && int(pool.hungry.Load()) < others {
			runtime.Gosched()
		}
		first = false
	}
}

// TestProcessesShare: a worker gets its part, whoever is faster. The pool's own search
// stays in its second execution until the others have explored something.
func TestProcessesShare(t *testing.T) {
	for _, alg := range []Algorithm{Source, Optimal, DFS} {
		pool, _, wait := joined(t, parsed(t, writers(4)), alg, false, 2, func(Far) bool { return true })
		yields, n := pool.searches[0].opt.Ended, 0
		pool.searches[0].opt.Ended = func(s *Search) {
			yields(s)
			for n++; n == 2 && pool.Made() == 0; {
				runtime.Gosched()
			}
		}
		pool.Run()
		wait()
		if pool.Complete != 120 || pool.Incomplete != "" || pool.kept.Counts.Complete == 0 {
			t.Errorf("algorithm %d: %d executions %s, want 120; %d by others", alg, pool.Complete,
				pool.Incomplete, pool.kept.Counts.Complete)
		}
	}
}

// TestProcesses: workers that share nothing but a connection explore the same executions
// as one search, and find the same.
func TestProcesses(t *testing.T) {
	for n := *seed; n < *seed+uint64(*programs); n++ {
		p := randprog.Generate(n, randprog.Config{Size: sizeOf(n), Workers: int(n % 4)})
		for _, alg := range []Algorithm{Source, Optimal} {
			one := search(t, p, alg, n%2 == 0, 3000)
			if one.reason != "" {
				continue
			}
			keys := map[[2]any]bool{}
			pool, _, wait := joined(t, p, alg, n%2 == 0, 2, func(f Far) bool {
				keys[[2]any{f.Key.At, f.Key.At2}] = true
				return true
			})
			pool.Run()
			wait()
			if pool.Incomplete != "" || pool.Executions() != one.Executions() ||
				pool.Deadlocks != one.Deadlocks || pool.Stuck != one.Stuck {
				t.Fatalf("seed %d, algorithm %d: %+v %s, one search has %+v\n%s", n, alg,
					pool.Counts, pool.Incomplete, one.Counts, ir.String(p))
			}
			if len(one.found) > 0 && len(keys) == 0 {
				t.Fatalf("seed %d, algorithm %d: nothing is found, one search finds %q", n, alg, one.found)
			}
		}
	}
}

// TestLostWorkers: where connections end at any time, the total is the same.
func TestLostWorkers(t *testing.T) {
	for _, x := range []struct {
		name string
		src  string
		alg  Algorithm
		want int64
	}{{"lastzero 9", lastzero(9), Optimal, 1536}, {"lastzero 9", lastzero(9), Source, 1536},
		{"writers 5", writers(5), Optimal, 720}, {"readers 9", readers(9), Optimal, 512},
		{"writers 4", writers(4), DFS, 120}} {
		for lost := range 6 {
			pool, conns, wait := joined(t, parsed(t, x.src), x.alg, false, 2, func(Far) bool { return true })
			made, yields := 0, pool.searches[0].opt.Ended
			pool.searches[0].opt.Ended = func(s *Search) {
				yields(s)
				if made++; made == 1+20*lost {
					conns[lost%2].Close()
				}
			}
			pool.Run()
			for _, c := range conns {
				c.Close()
			}
			wait()
			if pool.Complete != x.want || pool.Incomplete != "" {
				t.Errorf("%s, algorithm %d, lost after %d: %d executions %s, want %d", x.name,
					x.alg, 1+20*lost, pool.Complete, pool.Incomplete, x.want)
			}
			t.Logf("%s: %d of %d by others", x.name, pool.kept.Counts.Complete, pool.Complete)
		}
	}
}
