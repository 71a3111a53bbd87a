package explicit

import (
	"context"
	"flag"
	"math/rand/v2"
	"strings"
	"testing"

	"whoop/explore"
	"whoop/internal/randprog"
	"whoop/internal/testscope"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/pipeline"
)

var (
	programs = flag.Int("programs", testscope.Count(40, 400), "how many random programs")
	seed     = flag.Int64("seed", testscope.Seed(), "the first random program")
)

// tally counts what random programs were held against.
type tally struct{ failing, others, proved, unknown int }

// TestRandom: where an assertion fails in some execution, there must be no proof, however
// coarsely states are told apart; some of those in which none fails must be proved.
func TestRandom(t *testing.T) {
	k := map[string]*tally{}
	for s := uint64(*seed); s < uint64(*seed)+uint64(*programs) && !t.Failed(); s++ {
		p := randprog.Generate(s, randprog.Config{Size: 6 + int(s%4)*5, Without: randprog.Awaits})
		against(t, k, s, p, true)
	}
	for name, x := range k {
		t.Logf("%s: %d programs in which assertions fail; %d of %d others proved; %d not followed", name, x.failing, x.proved, x.others, x.unknown)
	}
}

// TestRandomTexts is the same of protocols and of programs without any sense.
func TestRandomTexts(t *testing.T) {
	k := map[string]*tally{}
	for s := uint64(*seed); s < uint64(*seed)+uint64(*programs) && !t.Failed(); s++ {
		for i, src := range []string{randprog.Protocol(s), randprog.Noise(s)} {
			p, err := ir.Parse("p.wir", []byte(src))
			if err != nil {
				t.Fatal(err)
			}
			// sections may be endless
			against(t, k, s, p, i == 0 && !strings.Contains(src, "atomic_begin"))
		}
	}
	for name, x := range k {
		t.Logf("%s: %d programs in which assertions fail; %d of %d others proved; %d not followed", name, x.failing, x.proved, x.others, x.unknown)
	}
}

// failing says where an assertion fails in the first of all executions, or (not whole) in
// some; "" where none does.
func failing(m *interp.Program, s uint64, whole bool) string {
	main := interp.MainOf(m.IR.FuncByName("main"))
	if whole {
		all, err := explore.Exhaustive(m, main, explore.Options{Bound: -1, Cache: true, MaxStates: 2_000})
		if err != nil {
			return err.Error()
		}
		for _, f := range all.Findings {
			if f.Err != nil && f.Err.Kind == interp.ErrAssert {
				return f.String()
			}
		}
		return ""
	}
	for k := range uint64(60) {
		rnd := rand.New(rand.NewPCG(s, k))
		x := m.Start(main, interp.Random(s*100+k))
		for n := 0; x.Status() == interp.Running && n < 300; n++ {
			ts := x.Enabled()
			id := ts[rnd.IntN(len(ts))]
			if k%2 == 0 && rnd.IntN(4) > 0 && x.CanStep(0) { // main runs ahead
				id = 0
			}
			x.Step(id)
		}
		if e := x.Err(); e != nil && e.Kind == interp.ErrAssert {
			return e.Error()
		}
	}
	return ""
}

// against holds what is proved of a program against its executions.
func against(t *testing.T, k map[string]*tally, s uint64, p *ir.Program, whole bool) {
	t.Helper()
	if p.FuncByName("main") == nil {
		return
	}
	m, err := interp.Compile(p, interp.Config{Quiet: 300})
	if err != nil {
		return
	}
	fails := failing(m, s, whole)
	opt := Options{States: 3_000, Wanted: func(*ir.Assert) bool { return true }}
	if s%4 == 0 {
		if facts, err := pipeline.Prove(context.Background(), p, pipeline.Options{Jobs: 1}); err == nil {
			opt.MayRace = pipeline.MayRace(facts)
		}
	}
	for _, c := range []struct {
		name          string
		views, values int
		crowd         bool
	}{{"exact", 0, 1000, false}, {"coarse", 0, 1, false}, {"one", 1, 50, true}, {"two", 2, 50, true}, {"two coarse", 2, 2, true}, {"three", 3, 50, true}, {"rough", 0, 2, false}, {"counted", 1, 50, true}, {"forgotten", 0, 1000, false}} {
		o := opt
		o.Views, o.Values, o.crowd = c.views, c.values, c.crowd
		check := Check
		if c.name == "rough" {
			check = Roughly
		}
		o.Counted, o.Forget = c.name == "counted", c.name == "forgotten"
		r, err := check(context.Background(), p, o)
		x := k[c.name]
		if x == nil {
			x = &tally{}
			k[c.name] = x
		}
		switch {
		case err != nil:
			x.unknown++
		case fails != "" && r.Proved:
			t.Fatalf("seed %d, %s: proved, but: %s\n%s", s, c.name, fails, ir.String(p))
		case fails != "":
			x.failing++
		default:
			x.others++
			if r.Proved {
				x.proved++
			}
		}
	}
}
