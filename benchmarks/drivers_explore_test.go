package benchmarks

import (
	"context"
	"strings"
	"testing"

	"whoop/pipeline"
	"whoop/report"
)

// TestExploreDrivers: pair by pair, explore shows races of drivers where lines are marked
// so, and nothing goes wrong in repaired ones. Each pair has a line, and the totals are
// theirs.
func TestExploreDrivers(t *testing.T) {
	for name, most := range map[string]int{"watchdog_misc_racy": 0, "watchdog_misc": 0, "rtc_clock_racy": 1, "rtc_clock": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := driver(t, name)
			want, err := p.Marks()
			if err != nil {
				t.Fatal(err)
			}
			rep, err := pipeline.Explore(context.Background(), p.Path, pipeline.ExploreOptions{Options: options(p, pipeline.Options{Jobs: 1}), Strategy: "portfolio", Bound: -1, Seed: 1, States: 3000, KeepGoing: true})
			if err != nil {
				t.Fatal(err)
			}
			states := int64(0)
			for _, x := range rep.Pairs {
				states += x.States
				if x.Complete || x.Skipped || x.Reason != "" {
					continue
				}
				t.Errorf("%v: it is not said why it is not complete", x.Threads)
			}
			if len(rep.Pairs) < 10 || states != rep.States {
				t.Errorf("%d pairs with %d states, of %d in all", len(rep.Pairs), states, rep.States)
			}
			shown := map[int]bool{}
			for _, b := range rep.Bugs {
				shown[b.Place.Pos.Line], shown[b.Other.Pos.Line] = true, true
				for _, line := range []int{b.Place.Pos.Line, b.Other.Pos.Line} {
					if e := want[line]; !p.Racy() || b.Kind != "race" || e != "RACE!" && e != "RACE" {
						t.Errorf("%s at line %d, which is marked %q:\n%s", b.Kind, line, e, report.Interleaving(b.Execution))
					}
				}
			}
			missed := 0
			for line, e := range want {
				if e == "RACE!" && !shown[line] {
					missed++
				}
			}
			if missed > most {
				t.Errorf("no race is shown at %d lines, %d at most were expected", missed, most)
			}
		})
	}
}

// TestExplorePairs: --pairs leaves out others; what does not work with pairs is said.
func TestExplorePairs(t *testing.T) {
	p := driver(t, "watchdog_misc_racy")
	opt := pipeline.ExploreOptions{Options: options(p, pipeline.Options{Jobs: 1, Pairs: []string{"wdt_tick,wdt_ioctl"}}), Strategy: "context-bound", Bound: 1, Seed: 1, States: 3000}
	rep, err := pipeline.Explore(context.Background(), p.Path, opt)
	if err != nil || len(rep.Pairs) != 1 || len(rep.Bugs) != 1 || rep.Pairs[0].Bugs == nil {
		t.Errorf("%+v %v", rep, err)
	}
	opt.Pairs = []string{"wdt_tick,nobody"}
	if _, err = pipeline.Explore(context.Background(), p.Path, opt); err == nil || !strings.Contains(err.Error(), "no entry point") {
		t.Error(err)
	}
	opt.Pairs, opt.Strategy = nil, "liveness"
	if _, err = pipeline.Explore(context.Background(), p.Path, opt); err == nil || !strings.Contains(err.Error(), "pair by pair") {
		t.Error(err)
	}
}
