package bmc

import (
	"context"
	"fmt"
	"testing"

	"whoop/internal/randprog"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/smt/bv"
	"whoop/smt/z3"
)

// TestDiscipline holds what is shown thread by thread against the rounds: where the
// threads' discipline says that there is no bug, the search of interleavings finds none,
// and what it says of the bounds is what that finds. The threads are those of random
// programs, without their main function, and races are not looked for.
func TestDiscipline(t *testing.T) {
	answered, bad := 0, 0
	for seed := range uint64(300) {
		p := randprog.Generate(seed, randprog.Config{})
		h := Harness{}
		for i, f := range workers(p) {
			h.Roots = append(h.Roots, Root{Func: f, Name: fmt.Sprint(f.Name, i)})
		}
		if len(h.Roots) < 2 {
			continue
		}
		opt := Options{CSB: 2, Rounds: 8, Unroll: 3, Properties: map[string]bool{"assert": true, "deadlock": true, "double-lock": true, "unlock-not-held": true}}.withDefaults()
		u, err := unfold(context.Background(), p, h, &opt)
		if err != nil {
			continue
		}
		c := &checker{ctx: context.Background(), p: p, h: h, opt: opt, u: u, res: &Result{CSB: -1}, found: map[string]bool{}, ends: &ends{open: true},
			solver: func() (bv.Solver, error) { return z3.NewBits(z3.BitOptions{}) }}
		if c.m, err = interp.Compile(p, interp.Config{}); err != nil {
			t.Fatal(err)
		}
		done, err := c.proved()
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if !done {
			bad++
			continue
		}
		answered++
		opt.LalRepsOnly, opt.MaxVisible = true, opt.Unroll
		res, err := Check(context.Background(), p, h, opt, c.solver)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if len(res.Bugs) > 0 || len(res.Unconfirmed) > 0 {
			t.Errorf("seed %d: no bug, but the rounds find %v %v\n%s", seed, res.Bugs, res.Unconfirmed, ir.String(p))
		}
		if res.AllRounds && res.Exhaustive && c.res.Unrolled && !res.Unrolled {
			t.Errorf("seed %d: all iterations, but the rounds find more\n%s", seed, ir.String(p))
		}
	}
	if answered < 20 {
		t.Errorf("only %d programs were answered thread by thread", answered)
	}
	t.Logf("%d programs answered, %d not", answered, bad)
}

// workers are the functions that a random program's threads run, each twice where there
// is only one.
func workers(p *ir.Program) []*ir.Func {
	var out []*ir.Func
	for _, f := range p.Funcs {
		if f.Name[0] == 'w' && len(f.Name) == 2 {
			out = append(out, f)
		}
	}
	if len(out) == 1 {
		out = append(out, out[0])
	}
	return out
}
