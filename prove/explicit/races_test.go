package explicit

import (
	"context"
	"strings"
	"testing"

	"whoop/explore"
	"whoop/internal/randprog"
	"whoop/ir"
	"whoop/ir/interp"
)

// racing says what races in some execution; "" where nothing was found.
func racing(m *interp.Program) string {
	all, err := explore.Exhaustive(m, interp.MainOf(m.IR.FuncByName("main")), explore.Options{Bound: -1, Cache: true, MaxStates: 2_000})
	if err != nil {
		return ""
	}
	for _, f := range all.Findings {
		if f.Kind == explore.KindRace {
			return f.String()
		}
	}
	return ""
}

// TestRandomRaces: where two accesses race in some execution, there must be no proof that
// none do.
func TestRandomRaces(t *testing.T) {
	k := map[string]*tally{}
	for s := uint64(*seed); s < uint64(*seed)+uint64(*programs) && !t.Failed(); s++ {
		ps := []*ir.Program{randprog.Generate(s, randprog.Config{Size: 6 + int(s%4)*5, Without: randprog.Awaits})}
		// sections may be endless
		if src := randprog.Protocol(s); !strings.Contains(src, "atomic_begin") {
			p, err := ir.Parse("p.wir", []byte(src))
			if err != nil {
				t.Fatal(err)
			}
			ps = append(ps, p)
		}
		for _, p := range ps {
			againstRaces(t, k, s, p)
		}
	}
	for name, x := range k {
		t.Logf("%s: %d programs with races; %d of %d others proved; %d not followed", name, x.failing, x.proved, x.others, x.unknown)
		if *programs >= 60 && (x.failing == 0 || x.proved == 0) {
			t.Errorf("%s: the test says little", name)
		}
	}
}

func againstRaces(t *testing.T, k map[string]*tally, s uint64, p *ir.Program) {
	t.Helper()
	if p.FuncByName("main") == nil {
		return
	}
	m, err := interp.Compile(p, interp.Config{Quiet: 300})
	if err != nil {
		return
	}
	race := racing(m)
	for _, c := range []struct {
		name          string
		views, values int
	}{{"exact", 0, 1000}, {"coarse", 0, 1}, {"two", 2, 50}, {"two coarse", 2, 2}, {"three", 3, 50}} {
		o := Options{States: 3_000, Wanted: func(*ir.Assert) bool { return false }, Views: c.views, Values: c.values, crowd: c.views > 0}
		o.Races = func(in ir.Instr) bool { _, spawn := in.(*ir.Spawn); return !spawn }
		r, err := Check(context.Background(), p, o)
		x := k[c.name]
		if x == nil {
			x = &tally{}
			k[c.name] = x
		}
		switch {
		case err != nil:
			x.unknown++
		case race != "" && r.Proved:
			t.Fatalf("seed %d, %s: proved, but: %s\n%s", s, c.name, race, ir.String(p))
		case race != "":
			x.failing++
		default:
			x.others++
			if r.Proved {
				x.proved++
			}
		}
	}
}
