package absint

import (
	"context"
	"strings"
	"testing"

	"whoop/explore"
	"whoop/internal/randprog"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/smt/bv"
	"whoop/smt/z3"
)

// anyRace is the question about all accesses of all threads.
func anyRace(_, _ string, in ir.Instr) bool {
	switch in.(type) {
	case *ir.Load, *ir.Store, *ir.RMW, *ir.CmpXchg, *ir.MemCopy, *ir.MemSet, *ir.Free:
		return true
	}
	return false
}

// excluded reports whether invariants exclude all races of a program, with a bound on the
// questions (0: none).
func excluded(t *testing.T, p *ir.Program, most int) (free, followed bool) {
	t.Helper()
	checks := 2000 - most
	r, err := Analyze(context.Background(), p, Options{Wanted: func(*ir.Assert) bool { return false }, Races: anyRace, Solver: func() (bv.Solver, error) {
		z, err := z3.NewBits(z3.BitOptions{})
		if most == 0 {
			return z, err
		}
		return &limited{z, &checks}, err
	}})
	if err != nil {
		return false, false
	}
	if r.RaceFree && r.Race != nil {
		t.Errorf("no race, and one between %s and %s", r.Race.First.At(), r.Race.Second.At())
	}
	return r.RaceFree && len(r.MayLeave) == 0 && len(r.MayMisuse) == 0, true
}

// TestRandomRaces: where invariants exclude all races, none shows in any execution.
func TestRandomRaces(t *testing.T) {
	racy, free, proved, unknown := 0, 0, 0, 0
	for s := uint64(*seed); s < uint64(*seed)+uint64(*programs)/12 && !t.Failed(); s++ {
		ps := []*ir.Program{randprog.Generate(s, randprog.Config{Size: 4 + int(s%3)*3})}
		for _, src := range []string{randprog.Protocol(s), randprog.Noise(s)} {
			p, err := ir.Parse("p.wir", []byte(src))
			if err != nil {
				t.Fatal(err)
			}
			ps = append(ps, p)
		}
		for _, p := range ps {
			m, err := interp.Compile(p, interp.Config{Quiet: 300})
			if err != nil {
				t.Fatal(err)
			}
			all, err := explore.Exhaustive(m, interp.MainOf(p.FuncByName("main")), explore.Options{Bound: -1, Cache: true, MaxStates: 3_000})
			if err != nil {
				t.Fatal(err)
			}
			none, followed := excluded(t, p, 600)
			race := ""
			for _, f := range all.Findings {
				if f.Kind == explore.KindRace {
					race = f.String()
				}
			}
			switch {
			case !followed:
				unknown++
			case race != "":
				racy++
				if none {
					t.Errorf("seed %d: all races are excluded, and there is one: %s\n%s", s, race, ir.String(p))
				}
			default:
				free++
				if none {
					proved++
				}
			}
		}
	}
	t.Logf("%d programs with races; %d of %d others proved; %d not followed", racy, proved, free, unknown)
	if *programs >= 60 && (racy == 0 || proved == 0) {
		t.Errorf("the test says little")
	}
}

// TestRaces: data behind locks made of numbers, and parts of an array that belong to who
// drew a number.
func TestRaces(t *testing.T) {
	const drawn = `
global m: u32
global next: i32 = { 0: i32 = i32 1 }
global a: [64]i32
func main() i32 {
  reg h: u64
entry:
  h, _ := spawn w()
  h, _ := spawn w()
  return i32 0
}
func w() void {
  reg n: i32
entry:
  lock exclusive mutex &m
  n := load plain &next
  assume le(n, i32 60)
  store plain &next, add(n, i32 STRIDE)
  unlock exclusive mutex &m
  store plain index(&a, n, 4, *i32), i32 1
  store plain index(&a, add(n, i32 1), 4, *i32), i32 1
  return
}
entry main kind "main"
entry w kind "thread" multi spawned
`
	const section = `
global m: i32
global x: i32
func main() i32 {
  reg h: u64
entry:
  h, _ := spawn w()
  h, _ := spawn w()
  return i32 0
}
func w() void {
  reg n: i32
entry:
  atomic_begin
  n := load plain &m
  assume eq(n, i32 0)
  store plain &m, i32 1
  atomic_end
  n := load plain &x
  store plain &x, add(n, i32 1)
  atomic_begin
  n := load plain &x
  store plain &m, i32 0
  atomic_end
  AFTER
  return
}
entry main kind "main"
entry w kind "thread" multi spawned
`
	for _, c := range []struct {
		name, src string
		want      bool
	}{
		{"pairs of elements", strings.Replace(drawn, "STRIDE", "2", 1), true},
		{"pairs that overlap", strings.Replace(drawn, "STRIDE", "1", 1), false},
		{"a lock of sections", strings.Replace(section, "AFTER", "n := i32 0", 1), true},
		{"a read after it", strings.Replace(section, "AFTER", "n := load plain &x", 1), false},
		{"a read in a section after it", strings.Replace(section, "AFTER", "atomic_begin\n n := load plain &x\n atomic_end", 1), false},
	} {
		p, err := ir.Parse("p.wir", []byte(c.src))
		if err == nil {
			err = ir.Validate(p)
		}
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		r, err := Analyze(context.Background(), p, Options{Wanted: func(*ir.Assert) bool { return false }, Races: anyRace, Solver: func() (bv.Solver, error) { return z3.NewBits(z3.BitOptions{}) }})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if r.RaceFree != c.want {
			t.Errorf("%s: race-free is %v, want %v (%s)", c.name, r.RaceFree, c.want, r.Incomplete)
		}
	}
}
