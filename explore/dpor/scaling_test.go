package dpor

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"whoop/ir/vm"
)

var large = flag.Bool("large", false, "simulate the programs of docs/scaling.md")

// What things take in virtual time, by a profile of readers 15. An event comes with its
// share of looking for races; what is told and what is taken is done under a lock that
// all workers share.
const (
	costEvent    = 10
	costTold     = 50
	costDisputed = 5  // once to make it, once under the lock
	costTaken    = 50 // and an event for each one that is made again
)

// virtual is a pool whose workers take turns, each with a clock of its own.
type virtual struct {
	*Pool
	clocks []int64
	busy   []bool
	free   int64 // when the lock is free
	now    int64
	done   []int64 // executions since it has told anything
	tells  []bool  // it has explored its head
}

// locked passes time under the lock.
func (v *virtual) locked(i int, cost int64) {
	v.free = max(v.free, v.clocks[i]) + cost
	v.clocks[i] = v.free
}

// run explores all, and tells how long it takes.
func (v *virtual) run() int64 {
	for i, s := range v.searches {
		s.root(&head{state: running})
		v.busy[i] = i == 0
	}
	for !v.over {
		v.assign()
		v.turn(v.first())
	}
	end := int64(0)
	for i, c := range v.clocks {
		if end = max(end, c); v.busy[i] {
			panic("a worker is busy in the end")
		}
	}
	return end
}

// first is the busy worker whose clock is behind those of the others.
func (v *virtual) first() int {
	best := -1
	for i, b := range v.busy {
		if b && (best < 0 || v.clocks[i] < v.clocks[best]) {
			best = i
		}
	}
	return best
}

// assign gives what waits to workers that have nothing to do.
func (v *virtual) assign() {
	for i, s := range v.searches {
		if v.busy[i] || len(v.frontier) == 0 {
			continue
		}
		h := v.next()
		v.clocks[i] = max(v.clocks[i], v.now)
		v.locked(i, costTaken+costEvent*int64(h.node.depth))
		v.busy[i] = v.start(s, h)
	}
	v.idle = 0
	for _, b := range v.busy {
		if !b {
			v.idle++
		}
	}
	v.count()
}

// turn lets a worker explore until it would look whether others have nothing to do.
func (v *virtual) turn(i int) {
	if i < 0 {
		return
	}
	s := v.searches[i]
	v.now = v.clocks[i]
	if v.tells[i] || v.done[i] >= v.budget || v.hungry.Load() > 0 && v.done[i] >= v.hurry {
		v.clocks[i] += costDisputed * int64(len(s.share.disputed))
		v.locked(i, costTold+costDisputed*int64(len(s.share.disputed)))
		v.busy[i] = v.tell(s, v.tells[i], v.done[i])
		v.tells[i], v.done[i] = false, 0
		return
	}
	events, from := s.Events, s.ends()
	v.tells[i] = s.slice(func() bool { return s.ends()-from >= v.hurry })
	v.clocks[i] += costEvent * (s.Events - events)
	v.done[i] += s.ends() - from
}

// simulated explores a program by so many workers in virtual time.
func simulated(t *testing.T, src string, alg Algorithm, workers int) (int64, *Pool) {
	t.Helper()
	p := parsed(t, src)
	c, err := vm.Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	names := vm.NewNames(nil)
	var ms []*vm.Machine
	for range workers {
		m, err := vm.New(c, p.FuncByName("main"), vm.Config{Names: names})
		if err != nil {
			t.Fatal(err)
		}
		ms = append(ms, m)
	}
	v := &virtual{Pool: NewPool(ms, Options{Algorithm: alg}), clocks: make([]int64, workers), busy: make([]bool, workers), tells: make([]bool, workers), done: make([]int64, workers)}
	end := v.run()
	v.Counts = v.total()
	return end, v.Pool
}

// TestScaling simulates up to 64 workers in virtual time: two are 1.7 times as fast as
// one, at least. With -large -v, it logs the tables of docs/scaling.md.
func TestScaling(t *testing.T) {
	programs := []struct {
		name, src string
		want      int64
	}{{"readers 12", readers(12), 4096}, {"lastzero 11", lastzero(11), 7168}}
	if *large {
		programs[0].name, programs[0].src, programs[0].want = "readers 15", readers(15), 1<<15
		programs[1].name, programs[1].src, programs[1].want = "lastzero 15", lastzero(15), 18<<13
		programs = append(programs, struct {
			name, src string
			want      int64
		}{"writers 8", writers(8), 362880})
	}
	for _, x := range programs {
		for _, alg := range []Algorithm{Optimal, Source} {
			if x.name == "lastzero 15" && alg == Source {
				continue
			}
			var b strings.Builder
			one := int64(0)
			for workers := 1; workers <= 64; workers *= 2 {
				end, p := simulated(t, x.src, alg, workers)
				if p.Complete != x.want {
					t.Errorf("%s: %d workers explore %d executions, want %d", x.name, workers, p.Complete, x.want)
				}
				if one == 0 {
					one = end
				}
				speed := float64(one) / float64(end)
				if workers == 2 && speed < 1.7 {
					t.Errorf("%s, algorithm %d: two workers are %.2f times as fast as one", x.name, alg, speed)
				}
				fmt.Fprintf(&b, "| %d | %.2f | %d | %d | %d | %d | %d | %d |\n", workers, speed, p.Blocked,
					p.Stops.Heads+1, p.Stops.Budget, p.Stops.Disputed, p.Stops.Asked, p.Stops.Done)
			}
			t.Logf("%s, algorithm %d\n%s", x.name, alg, &b)
		}
	}
}
