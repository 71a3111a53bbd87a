package bmc_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"whoop/bmc"
	"whoop/explore"
	"whoop/internal/randprog"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/smt/bv"
	"whoop/smt/z3"
)

// TestRandomIR holds bmc against the reference explorer on random programs with condition
// variables, semaphores and lock misuse: errors, races and deadlocks must be the same,
// with the same least number of preemptions.
func TestRandomIR(t *testing.T) {
	n := *programs / 4
	for s := *seed; s < *seed+int64(n) && !t.Failed(); s++ {
		agree(t, s, randprog.Config{})
	}
}

// TestRandomSizes does that on programs that make objects of unknown size, and copy and
// fill parts of them: invalid accesses must be the same, too.
func TestRandomSizes(t *testing.T) {
	n := *programs / 4
	for s := *seed; s < *seed+int64(n) && !t.Failed(); s++ {
		agree(t, s, randprog.Config{Tails: true, Size: 5})
	}
}

// agree holds the two against each other on the random program of a seed, with a bound
// that depends on it.
func agree(t *testing.T, seed int64, cfg randprog.Config) {
	t.Helper()
	p := randprog.Generate(uint64(seed), cfg)
	csb := int(seed%4) - 1
	if d := differ(t, p, csb); d != "" {
		q := randprog.Shrink(p, func(q *ir.Program) bool {
			return strings.Fields(differ(t, q, csb) + " .")[0] == strings.Fields(d)[0] && strings.Contains(differ(t, q, csb), strings.Fields(d)[1])
		})
		t.Errorf("seed %d csb %d: %s\nshrunk: %s\n%s", seed, csb, d, differ(t, q, csb), ir.String(q))
	}
}

// differ says how the two differ within a bound, or on all executions (-1: bmc then looks
// at all at once, and counts nothing).
func differ(t *testing.T, p *ir.Program, csb int) string {
	if p.FuncByName("main") == nil {
		return ""
	}
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		return err.Error()
	}
	r, err := explore.Exhaustive(m, interp.MainOf(p.FuncByName("main")), explore.Options{Bound: csb, Cache: true, MaxStates: 200_000})
	if err != nil || !r.Complete || r.Sampled {
		return ""
	}
	want := map[string]int{}
	for _, f := range r.Findings {
		k := f.Kind
		switch {
		case k == explore.KindRace:
			k = race(f.Race.First.Instr, f.Race.Second.Instr)
		case f.Err != nil:
			switch f.Err.Kind {
			case interp.ErrAssert, interp.ErrDoubleLock, interp.ErrUnlock, interp.ErrBounds:
			default:
				continue // undefined behaviour ends executions in bmc
			}
			k = fmt.Sprintf("%s %p", f.Err.Kind, f.Err.Instr)
		}
		if c, ok := want[k]; !ok || f.Preemptions < c {
			want[k] = f.Preemptions
		}
	}
	res, err := bmc.Check(context.Background(), p, bmc.Harness{Roots: []bmc.Root{{Func: p.FuncByName("main"), Name: "main"}}, Main: true},
		bmc.Options{CSB: max(csb, 0), Unbounded: csb < 0, Rounds: 14, Unroll: 6, Properties: map[string]bool{"assert": true, "reach_error": true, "race": true, "deadlock": true, "double-lock": true, "unlock-not-held": true, "memory": true}},
		func() (bv.Solver, error) { return z3.NewBits(z3.BitOptions{}) })
	if err != nil {
		return err.Error()
	}
	got := map[string]int{}
	for _, b := range res.Bugs {
		k := fmt.Sprintf("%s %p", b.Kind, b.Instr)
		switch b.Kind {
		case "null-dereference", "use-after-free", "double-free", "invalid-free", "invalid-pointer":
			continue
		case "deadlock":
			k = b.Kind
		case "race":
			k = race(b.Instr, b.OtherIn)
		case "reach_error":
			k = fmt.Sprintf("assert %p", b.Instr)
		}
		if csb < 0 {
			b.CSB = 0 // not counted
		}
		if c, ok := got[k]; b.CSB >= 0 && b.CSB <= max(csb, 0) && (!ok || b.CSB < c) {
			got[k] = b.CSB
		}
	}
	if csb < 0 {
		for k := range want {
			want[k] = 0
		}
	}
	d := diffMaps(want, got)
	if len(res.Unconfirmed) > 0 {
		d += fmt.Sprint(" unconfirmed ", res.Unconfirmed)
	}
	return d
}

// race is a race's key: its two instructions, in no order.
func race(a, b ir.Instr) string {
	x, y := fmt.Sprintf("%p", a), fmt.Sprintf("%p", b)
	if x > y {
		x, y = y, x
	}
	return "race " + x + " " + y
}
