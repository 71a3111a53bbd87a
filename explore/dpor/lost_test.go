package dpor

import (
	"math/rand/v2"
	"testing"

	"whoop/internal/randprog"
	"whoop/ir"
	"whoop/ir/irutil"
	"whoop/ir/vm"
)

// losing is a pool of two searches that take turns, and of workers that are lost, each
// with a head, at some time.
type losing struct {
	*Pool
	draw  *rand.Rand
	scout *Search
	busy  [2]bool
	gone  []*head // of workers that will be lost
}

// run explores all.
func (l *losing) run() {
	for i, s := range l.searches {
		s.root(&head{state: running})
		l.busy[i] = i == 0
	}
	l.scout.root(&head{state: running})
	for !l.over {
		l.idle = len(l.frontier) + 1 // branches are given away
		switch i := l.draw.IntN(2); {
		case l.draw.IntN(4) == 0 || !l.busy[0] && !l.busy[1] && len(l.frontier) == 0:
			l.losesOne()
		case len(l.frontier) > 0 && l.draw.IntN(3) == 0:
			if h := l.next(); l.begin(l.scout, h) {
				l.gone = append(l.gone, h)
			}
		case l.busy[i]:
			s := l.searches[i]
			from, most := s.ends(), 1+l.draw.Int64N(6)
			done := s.slice(func() bool { return s.ends()-from >= most })
			l.busy[i] = l.tell(s, done, s.ends()-from)
		case len(l.frontier) > 0:
			l.busy[i] = l.start(l.searches[i], l.next())
		}
	}
}

func (l *losing) losesOne() {
	if n := len(l.gone); n > 0 {
		i := l.draw.IntN(n)
		h := l.gone[i]
		l.gone = append(l.gone[:i], l.gone[i+1:]...)
		l.lose(h)
	}
}

// TestLost: where workers are lost that had a head, each trace is explored once, and none
// is left out: what others find meanwhile was left to them.
func TestLost(t *testing.T) {
	check := func(name string, p *ir.Program, alg Algorithm, seed uint64, want int64) {
		c, err := vm.Compile(p)
		if err != nil {
			t.Fatal(err)
		}
		names := vm.NewNames(nil)
		var ms []*vm.Machine
		for range 3 {
			m, err := vm.New(c, p.FuncByName("main"), vm.Config{Names: names,
				Attempts: irutil.BlocksInside(p) != nil})
			if err != nil {
				t.Fatal(err)
			}
			ms = append(ms, m)
		}
		traces := map[uint64]int{}
		opt := Options{Algorithm: alg, Ended: func(s *Search) { traces[s.Trace()]++ }}
		l := losing{Pool: NewPool(ms[:2], opt), draw: rand.New(rand.NewPCG(seed, 1)),
			scout: New(ms[2], Options{Algorithm: alg})}
		l.run()
		if n := l.total(); n.Executions() != want || int64(len(traces)) != want {
			t.Fatalf("%s, seed %d, algorithm %d: %d executions of %d traces, want %d\n%s", name,
				seed, alg, n.Executions(), len(traces), want, ir.String(p))
		}
	}
	for _, alg := range []Algorithm{Source, Optimal} {
		for seed := range uint64(40) {
			check("lastzero 6", parsed(t, lastzero(6)), alg, seed, 144)
			check("readers 6", parsed(t, readers(6)), alg, seed, 64)
		}
		for n := *seed; n < *seed+uint64(*programs); n++ {
			p := randprog.Generate(n, randprog.Config{Size: sizeOf(n), Workers: int(n % 4)})
			if one := search(t, p, alg, false, 1000); one.reason == "" {
				check("random", p, alg, n, one.Executions())
			}
		}
	}
}
