package confirm

import (
	"context"
	"strings"
	"testing"
	"time"

	"whoop/diag"
	"whoop/pipeline"
)

// asked is what verify says of a program, with what the other engines add.
func asked(t *testing.T, path string) *diag.Report {
	t.Helper()
	rep, err := pipeline.Verify(context.Background(), path, pipeline.Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	Run(context.Background(), path, rep, Options{Input: pipeline.Options{Jobs: 1}, Budget: 2 * time.Minute})
	return rep
}

// TestProved: what verify cannot prove, and check can, is race-free, with the reason.
func TestProved(t *testing.T) {
	rep := asked(t, "../../benchmarks/races/patterns/peterson_ok.c")
	if rep.Verdict != diag.RaceFree || len(rep.Races) > 0 {
		t.Fatalf("%s with %d races", rep.Verdict, len(rep.Races))
	}
	for _, p := range rep.Pairs {
		if strings.HasPrefix(p.Reason, "proved by check") {
			return
		}
	}
	t.Errorf("no pair says that check proves it: %+v", rep.Pairs)
}

// TestConfirmed: races that executions show have these; others stay what they are.
func TestConfirmed(t *testing.T) {
	for _, path := range []string{"../../benchmarks/races/sync/sem_signal_late.c", "../../examples/driver/logdev_racy.c"} {
		rep := asked(t, path)
		n := 0
		for _, x := range rep.Races {
			if x.Confirmed == nil {
				continue
			}
			n++
			if x.Confirmed.Kind != "race" || x.Confirmed.Execution == nil {
				t.Errorf("%s: confirmed by %+v", path, x.Confirmed)
			}
		}
		if n == 0 || rep.Verdict != diag.Racy {
			t.Errorf("%s: %s, %d of %d races confirmed", path, rep.Verdict, n, len(rep.Races))
		}
	}
}

// TestNoBudget: without time nothing changes.
func TestNoBudget(t *testing.T) {
	rep := &diag.Report{Pairs: []diag.Pair{{First: "a", Second: "b", Verdict: diag.Racy}}}
	if Run(context.Background(), "no such file", rep, Options{}); rep.Pairs[0].Verdict != diag.Racy {
		t.Errorf("%+v", rep.Pairs)
	}
}
