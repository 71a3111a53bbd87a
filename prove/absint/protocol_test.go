package absint

import (
	"context"
	"fmt"
	"testing"

	"whoop/explore"
	"whoop/internal/randprog"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/smt/bv"
	"whoop/smt/z3"
)

// limited is a solver that gives up after many questions to it and others.
type limited struct {
	bv.Solver
	checks *int
}

func (l *limited) Check(assumptions ...*bv.Term) (bool, error) {
	if *l.checks++; *l.checks > 2000 {
		return false, errTooLarge
	}
	return l.Solver.Check(assumptions...)
}

// TestRandomProtocol: assertions that fail in some execution must be ones that may fail,
// and what is believed of threads must be true in executions. Some of those in which none
// fails must be proved.
func TestRandomProtocol(t *testing.T) {
	k := held{}
	for s := uint64(*seed); s < uint64(*seed)+uint64(*programs)/60 && !t.Failed(); s++ {
		k.program(t, s, randprog.Protocol(s), true)
	}
	t.Log(&k)
}

// TestRandomNoise is the same of programs without any sense.
func TestRandomNoise(t *testing.T) {
	k := held{}
	for s := uint64(*seed); s < uint64(*seed)+uint64(*programs)/6 && !t.Failed(); s++ {
		k.program(t, s, randprog.Noise(s), false)
	}
	t.Log(&k)
}

// held counts what programs were held against.
type held struct {
	unknown, failing, others, proved, only, incomplete, checked int
}

func (k *held) String() string {
	return fmt.Sprintf("%d programs in which assertions fail, %d of the %d others proved (%d by invariants alone); %d not to the end, %d not followed; %d beliefs held against executions",
		k.failing, k.proved, k.others, k.only, k.incomplete, k.unknown, k.checked)
}

// program holds a program against some executions or (whole) the first ones of all.
func (k *held) program(t *testing.T, seed uint64, src string, whole bool) {
	p, err := ir.Parse("p.wir", []byte(src))
	if err == nil {
		err = ir.Validate(p)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	checks := 0
	opt := Options{Solver: func() (bv.Solver, error) {
		z, err := z3.NewBits(z3.BitOptions{})
		return &limited{z, &checks}, err
	}}
	a, r, err := analyze(context.Background(), p, opt)
	if err != nil {
		k.unknown++
		return
	}
	if r.Incomplete != "" {
		k.incomplete++
	}
	sure := len(r.MayMisuse) == 0 && len(r.MayLeave) == 0
	if a.found != nil && sure {
		text, n := violated(a.found, r, seed, 60, 250)
		if text != "" {
			t.Errorf("seed %d: %s\n%s", seed, text, src)
		}
		k.checked += n
	}
	if !whole {
		k.others++
		return
	}
	m, err := interp.Compile(p, interp.Config{Quiet: 300})
	if err != nil {
		t.Fatal(err)
	}
	all, err := explore.Exhaustive(m, interp.MainOf(p.FuncByName("main")), explore.Options{Bound: -1, Cache: true, MaxStates: 3_000})
	if err != nil {
		t.Fatal(err)
	}
	fails := false
	for _, f := range all.Findings {
		if f.Err == nil || f.Err.Kind != interp.ErrAssert {
			continue
		}
		fails = true
		if !r.MayFail[f.Err.Instr] && sure {
			t.Errorf("seed %d: the assertion at %s fails\n%s", seed, f.Err.Instr.At(), src)
		}
	}
	if fails {
		k.failing++
		return
	}
	k.others++
	if len(r.MayFail) == 0 {
		k.proved++
		if q, err := Analyze(context.Background(), p, Options{}); err == nil && len(q.MayFail) > 0 {
			k.only++
		}
	}
}
