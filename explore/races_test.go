package explore

import (
	"math/rand/v2"
	"slices"
	"testing"

	"whoop/internal/randprog"
	"whoop/ir"
	"whoop/ir/interp"
)

// pair is two instructions, in no order.
type pair [2]ir.Instr

func (p pair) in(set map[pair]bool) bool { return set[p] || set[pair{p[1], p[0]}] }

// seqCst makes all atomic accesses of a program sequentially consistent.
func seqCst(p *ir.Program) {
	strong := func(o *ir.Order) {
		if o.Atomic() {
			*o = ir.SeqCst
		}
	}
	for _, f := range p.Funcs {
		for _, b := range f.Blocks {
			for _, in := range b.Instrs {
				switch i := in.(type) {
				case *ir.Load:
					strong(&i.Order)
				case *ir.Store:
					strong(&i.Order)
				case *ir.RMW:
					strong(&i.Order)
				case *ir.CmpXchg:
					strong(&i.Order)
				}
			}
		}
	}
}

// firstRace runs one execution with a random schedule and random inputs, instruction by
// instruction, and returns the races by happens-before of the first access that has any
// (of an exchange, whether it writes depends on what it reads).
func firstRace(m *interp.Program, h interp.Harness, seed uint64) []interp.Race {
	r := rand.New(rand.NewPCG(seed, 1))
	s := m.Start(h, interp.Random(seed))
	d := interp.NewRaces()
	stay := 1 + r.IntN(12)
	last := interp.ThreadID(0)
	for s.Status() == interp.Running {
		ts := s.Enabled()
		t := ts[r.IntN(len(ts))]
		if r.IntN(stay) > 0 && s.CanStep(last) {
			t = last
		}
		last = t
		if races := d.Observe(s.Step(t)); len(races) > 0 {
			return slices.DeleteFunc(races, func(r interp.Race) bool { return r.Second.Write != races[0].Second.Write })
		}
	}
	return nil
}

// TestAgainstHappensBefore: where all atomics are sequentially consistent and nothing
// depends on whether a lock is held, the first race by happens-before of an execution is
// one of two accesses that can be made at the same time (all that happens before either
// of them can be executed without both). So the explorer finds it.
func TestAgainstHappensBefore(t *testing.T) {
	races, programs := 0, 0
	for n := range uint64(250) {
		p := randprog.Generate(n, randprog.Config{Without: randprog.TryLocks | randprog.Sems | randprog.Conds | randprog.Awaits})
		seqCst(p)
		m, err := interp.Compile(p, interp.Config{})
		if err != nil {
			t.Fatal(err)
		}
		h := interp.MainOf(p.FuncByName("main"))
		r := explore(t, m, h, Options{Bound: -1, Cache: true, Failures: true})
		found := map[pair]bool{}
		for _, f := range r.Findings {
			if f.Race != nil {
				found[pair{f.Race.First.Instr, f.Race.Second.Instr}] = true
			}
		}
		if len(found) > 0 {
			programs++
		}
		for run := range uint64(60) {
			for _, x := range firstRace(m, h, run) {
				races++
				if !(pair{x.First.Instr, x.Second.Instr}).in(found) {
					t.Fatalf("seed %d, run %d: not found: %s\n%s", n, run, &x, ir.String(p))
				}
			}
		}
	}
	t.Logf("%d programs with races, %d races seen", programs, races)
	if programs < 50 || races < 1000 {
		t.Errorf("the test says little: %d programs with races, %d races seen", programs, races)
	}
}

// stepwise makes the macro step of t in s instruction by instruction, for a race
// detector; to tells where it ends.
func stepwise(t *testing.T, s *interp.State, d *interp.Races, th interp.ThreadID) []interp.Race {
	t.Helper()
	to := s.Snapshot()
	makeStep(to, th)
	var out []interp.Race
	for n := 0; s.Inputs() != to.Inputs() || s.Hash() != to.Hash(); n++ {
		if n == 1000 {
			t.Fatal("the macro step does not end")
		}
		out = append(out, d.Observe(s.Step(th))...)
	}
	return out
}

// TestRacesByHappensBefore: when the second thread goes on just after the first access of
// a race that was found, the detector by happens-before sees it.
func TestRacesByHappensBefore(t *testing.T) {
	races := 0
	for n := range uint64(250) {
		// what an Await reads may be written in its section
		p := randprog.Generate(n, randprog.Config{Without: randprog.Choices | randprog.Awaits})
		m, err := interp.Compile(p, interp.Config{})
		if err != nil {
			t.Fatal(err)
		}
		h := interp.MainOf(p.FuncByName("main"))
		for _, f := range explore(t, m, h, Options{Bound: 3, Cache: true}).Findings {
			if f.Race == nil {
				continue
			}
			s, d := m.Start(h, interp.List(f.Inputs)), interp.NewRaces()
			order := append(slices.Clone(f.Schedule), f.Race.First.Thread, f.Race.Second.Thread)
			if f.Race.Section { // the first access was made
				order = append(f.Schedule[:len(f.Schedule):len(f.Schedule)], f.Race.Second.Thread)
			}
			// the detector names the last of several accesses of a section to the same
			// bytes
			seen := false
			for i, th := range order {
				for _, x := range stepwise(t, s, d, th) {
					seen = seen || i == len(order)-1 && x.Second.Instr == f.Race.Second.Instr &&
						(x.First.Instr == f.Race.First.Instr || f.Race.Section)
				}
			}
			if s.Status() == interp.Failed || s.Status() == interp.Infeasible {
				continue // by the rest of the section: the second access is not made any more
			}
			races++
			if !seen {
				t.Fatalf("seed %d: not seen: %s\n%s", n, f, ir.String(p))
			}
		}
	}
	if races < 100 {
		t.Errorf("only %d races", races)
	}
}
