package benchmarks

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whoop/diag"
	"whoop/internal/testscope"
	"whoop/pipeline"
	"whoop/report"
)

// TestExploreDrivers: pair by pair, explore shows races of drivers where lines are marked
// so, and nothing goes wrong in repaired ones. Each pair has a line, and the totals are
// theirs.
func TestExploreDrivers(t *testing.T) {
	for name, most := range map[string]int{"watchdog_misc_racy": 0, "watchdog_misc": 0,
		"rtc_clock_racy": 1, "rtc_clock": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := driver(t, name)
			want, err := p.Marks()
			if err != nil {
				t.Fatal(err)
			}
			rep, err := pipeline.Explore(context.Background(), p.Path,
				pipeline.ExploreOptions{Options: options(p, pipeline.Options{Jobs: 1}),
					Strategy: "portfolio", Bound: -1, Seed: 1, States: 3000, KeepGoing: true})
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
						t.Errorf("%s at line %d, which is marked %q:\n%s", b.Kind, line, e,
							report.Interleaving(b.Execution))
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
	opt := pipeline.ExploreOptions{Options: options(p,
		pipeline.Options{Jobs: 1, Pairs: []string{"wdt_tick,wdt_ioctl"}}),
		Strategy: "context-bound", Bound: 1, Seed: 1, States: 3000}
	rep, err := pipeline.Explore(context.Background(), p.Path, opt)
	if err != nil || len(rep.Pairs) != 1 || len(rep.Bugs) != 1 || rep.Pairs[0].Bugs == nil {
		t.Errorf("%+v %v", rep, err)
	}
	opt.Pairs = []string{"wdt_tick,nobody"}
	if _, err = pipeline.Explore(context.Background(), p.Path, opt); err == nil ||
		!strings.Contains(err.Error(), "no entry point") {
		t.Error(err)
	}
	opt.Pairs, opt.Strategy = nil, "liveness"
	if _, err = pipeline.Explore(context.Background(), p.Path, opt); err == nil ||
		!strings.Contains(err.Error(), "pair by pair") {
		t.Error(err)
	}
}

// TestExploreProofs: with what verify proves, the same goes wrong in fewer executions, or
// in as many with fewer events.
func TestExploreProofs(t *testing.T) {
	for name, fewer := range map[string]bool{"bounded_buffer": true,
		"bounded_buffer_if": true, "barrier_generation": true, "barrier_no_generation": true,
		"lazy_list": true, "double_checked_plain": true, "chase_lev": false, "handshake": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var runs [2]*diag.Exploration
			for i, strategy := range []string{"dfs", "optimal-dpor"} {
				for k := range runs {
					var err error
					runs[k], err = pipeline.Explore(context.Background(),
						"classic/programs/"+name+".c",
						pipeline.ExploreOptions{Options: pipeline.Options{Jobs: 1},
							Strategy: strategy,
							Bound:    -1, Seed: 1, Executions: 5000, KeepGoing: true, Proofs: k == 1})
					if err != nil {
						t.Fatal(err)
					}
				}
				plain, proofs := runs[0], runs[1]
				if !proofs.Complete || !slices.Equal(bugsOf(plain), bugsOf(proofs)) {
					t.Errorf("%s: complete %t: %v, without proofs %v", strategy,
						proofs.Complete, bugsOf(proofs), bugsOf(plain))
				}
				switch less := proofs.Events < plain.Events; {
				case less != fewer, i == 0 &&
					fewer != (proofs.Executions < plain.Executions), i == 1 &&
					proofs.Executions != plain.Executions:
					t.Errorf("%s: %d executions with %d events, without proofs %d with %d",
						strategy, proofs.Executions, proofs.Events, plain.Executions,
						plain.Events)
				}
			}
		})
	}
}

// bugsOf are an exploration's bugs by kind and places.
func bugsOf(x *diag.Exploration) []string {
	var out []string
	for _, b := range x.Bugs {
		places := []string{b.Place.Pos.String(), b.Other.Pos.String()}
		slices.Sort(places)
		out = append(out, fmt.Sprint(b.Kind, places))
	}
	slices.Sort(out)
	return out
}

// TestRushHour: in the puzzle, who of three workers comes first is all that differs, level
// by level: 6^4 executions where the second car has moved out of the way, else 6^6.
func TestRushHour(t *testing.T) {
	for _, x := range []struct {
		name    string
		defines []string
		want    int64
	}{{"four", []string{"MOVES=4", "START=138"}, 1296}, {"six", nil, 46656}} {
		t.Run(x.name, func(t *testing.T) {
			if x.defines == nil {
				testscope.Long(t, "46656 executions")
			}
			t.Parallel()
			in := pipeline.Options{Jobs: 1}
			in.C.Defines = x.defines
			rep, err := pipeline.Explore(context.Background(), "counts/programs/rushhour.c",
				pipeline.ExploreOptions{Options: in, Strategy: "optimal-dpor",
					Bound: -1, Seed: 1, MaxEvents: 5000, Proofs: true})
			if err != nil || !rep.Complete || rep.Executions != x.want || rep.Redundant > 0 ||
				len(rep.Bugs) > 0 {
				t.Errorf("%d executions, complete %t %s, %d bugs: %v; want %d",
					rep.Executions, rep.Complete, rep.Reason, len(rep.Bugs), err, x.want)
			}
		})
	}
}

// TestExploreHandlerEnds: what free_irq waits for has no race with what comes behind it,
// and begins no more; where it comes too late, the race is shown. So it is with bmc.
func TestExploreHandlerEnds(t *testing.T) {
	const src = `#include <linux/module.h>
#include <linux/interrupt.h>
#include <linux/slab.h>
static int *count;
static irqreturn_t handler(int irq, void *data) { int *c = data; (*c)++; return IRQ_HANDLED; }
static int __init start(void)
{
	count = kzalloc(sizeof *count, GFP_KERNEL);
	if (!count)
		return -ENOMEM;
	return request_irq(3, handler, 0, "count", count);
}
static void __exit stop(void)
{
	FIRST
	*count = 0;
	LAST
}
module_init(start);
module_exit(stop);
`
	for i, order := range [][2]string{{"free_irq(3, count);", ""}, {"", "free_irq(3, count);"}} {
		file := filepath.Join(t.TempDir(), "d.c")
		text := strings.NewReplacer("FIRST", order[0], "LAST", order[1]).Replace(src)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, s := range []string{"portfolio", "context-bound"} {
			rep, err := pipeline.Explore(context.Background(), file, pipeline.ExploreOptions{
				Options: pipeline.Options{Jobs: 1}, Strategy: s, Bound: 3, Seed: 1, KeepGoing: true})
			if err != nil || len(rep.Bugs) != i {
				t.Errorf("%s, %q: %v, %d bugs", s, order, err, len(rep.Bugs))
			}
		}
		bmc, err := pipeline.BMC(context.Background(), file, pipeline.BMCOptions{
			Options: pipeline.Options{Jobs: 1}, CSB: 3, Unroll: 2, Yields: "all", Before: -1,
			Properties: pipeline.Properties})
		if err != nil || len(bmc.Runs) == 0 {
			t.Fatal(err)
		}
		found := 0
		for _, r := range bmc.Runs {
			found += len(r.Bugs)
		}
		if found != i {
			t.Errorf("bmc, %q: %d bugs", order, found)
		}
	}
}
