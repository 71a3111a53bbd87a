package reach

import (
	"context"
	"flag"
	"testing"
	"time"

	"whoop/explore"
	"whoop/internal/randprog"
	"whoop/ir"
	"whoop/ir/interp"
	"whoop/pipeline"
)

var (
	programs = flag.Int("programs", 300, "how many random programs")
	seed     = flag.Int64("seed", 1, "the first random program")
)

// tally counts what random programs were held against.
type tally struct{ failing, others, proved, unknown int }

// TestRandom: where an assertion fails in some execution, there must be no proof, however coarsely states are told apart; some of those in which none fails
// must be proved.
func TestRandom(t *testing.T) {
	k := map[string]*tally{}
	for s := uint64(*seed); s < uint64(*seed)+uint64(*programs) && !t.Failed(); s++ {
		p := randprog.Generate(s, randprog.Config{Size: 6 + int(s%4)*5, Without: randprog.Awaits})
		against(t, k, s, p, s%4 == 0)
	}
	for name, x := range k {
		t.Logf("%s: %d programs in which assertions fail; %d of %d others proved; %d not followed", name, x.failing, x.proved, x.others, x.unknown)
	}
}

// TestRandomTexts is the same of protocols and of programs without any sense.
func TestRandomTexts(t *testing.T) {
	k := map[string]*tally{}
	for s := uint64(*seed); s < uint64(*seed)+uint64(*programs) && !t.Failed(); s++ {
		for _, src := range []string{randprog.Protocol(s), randprog.Noise(s)} {
			p, err := ir.Parse("p.wir", []byte(src))
			if err != nil {
				t.Fatal(err)
			}
			against(t, k, s, p, s%4 == 0)
		}
	}
	for name, x := range k {
		t.Logf("%s: %d programs in which assertions fail; %d of %d others proved; %d not followed", name, x.failing, x.proved, x.others, x.unknown)
	}
}

// against holds what is proved of a program against its executions.
func against(t *testing.T, k map[string]*tally, s uint64, p *ir.Program, reduced bool) {
	t.Helper()
	main := p.FuncByName("main")
	if main == nil {
		return
	}
	m, err := interp.Compile(p, interp.Config{Quiet: 300})
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second) // what is found until then counts
	defer cancel()
	all, err := explore.Exhaustive(m, interp.MainOf(main), explore.Options{Bound: -1, Cache: true, MaxStates: 2_000, Context: ctx})
	if err != nil {
		t.Fatal(err)
	}
	fails := false
	for _, f := range all.Findings {
		fails = fails || f.Err != nil && f.Err.Kind == interp.ErrAssert
	}
	opt := Options{States: 3_000, Wanted: func(*ir.Assert) bool { return true }}
	if reduced {
		if facts, err := pipeline.Prove(context.Background(), p, pipeline.Options{Jobs: 1}); err == nil {
			opt.MayRace = pipeline.MayRace(facts)
		}
	}
	for _, c := range []struct {
		name          string
		views, values int
		crowd         bool
	}{{"exact", 0, 1000, false}, {"coarse", 0, 1, false}, {"one", 1, 50, true}, {"two", 2, 50, true}, {"two coarse", 2, 2, true}, {"three", 3, 50, true}} {
		o := opt
		o.Views, o.Values, o.crowd = c.views, c.values, c.crowd
		r, err := Check(context.Background(), p, o)
		x := k[c.name]
		if x == nil {
			x = &tally{}
			k[c.name] = x
		}
		switch {
		case err != nil:
			x.unknown++
		case fails && r.Proved:
			t.Fatalf("seed %d, %s: proved, but: %v\n%s", s, c.name, all.Findings, ir.String(p))
		case fails:
			x.failing++
		default:
			x.others++
			if r.Proved {
				x.proved++
			}
		}
	}
}
