package benchmarks

import (
	"context"
	"path/filepath"
	"testing"

	"whoop/benchmarks/expect"
	"whoop/diag"
	"whoop/internal/testscope"
	"whoop/pipeline"
	"whoop/report"
)

// bounded are programs of handlers/ of which bmc does not say that they have no bug, with
// the reason.
var bounded = map[string]string{}

// TestHandlers runs bmc on every pair of the drivers in handlers/, with and without
// verify's proofs: each line that races is in a race that it shows, none else is, and
// repaired drivers have no bug at all.
func TestHandlers(t *testing.T) {
	for _, p := range corpus(t, "handlers/*.c") {
		for _, yields := range []string{"all", "mr"} {
			t.Run(filepath.Base(p.Name)+"/"+yields, func(t *testing.T) {
				want, err := p.Marks()
				if err != nil {
					t.Fatal(err)
				}
				rep, err := pipeline.BMC(context.Background(), p.Path,
					pipeline.BMCOptions{Options: options(p, pipeline.Options{Jobs: 1}),
						CSB: 2, Unroll: 2, Yields: yields, Properties: []string{"race"}})
				if err != nil {
					t.Fatal(err)
				}
				judgeHandlers(t, p, want, rep)
			})
		}
	}
}

// judgeHandlers holds the bugs of all pairs against the annotations.
func judgeHandlers(t *testing.T, program expect.Program, want map[int]expectation,
	rep *diag.BoundedReport) {
	shown := map[int]bool{}
	for _, r := range rep.Runs {
		if r.Reason != "" {
			t.Errorf("%v: %s", r.Threads, r.Reason)
		}
		for _, b := range r.Bugs {
			for _, p := range []diag.BugPlace{b.Place, b.Other} {
				shown[p.Pos.Line] = true
				if want[p.Pos.Line] != "RACE!" {
					t.Errorf("bmc shows a race at line %d, which is marked %q\n%s", p.Pos.Line, want[p.Pos.Line], report.Interleaving(b.Execution))
				}
			}
		}
		if !program.Racy() && (r.Answer != diag.NoBug && bounded[program.Name] == "" || len(r.Bugs) > 0) {
			t.Errorf("%v: %s %v", r.Threads, r.Answer, r.Assumptions)
		}
	}
	for line, e := range want {
		if e == "RACE!" && !shown[line] {
			t.Errorf("bmc does not show the race at line %d", line)
		}
	}
}

// linkedByModel are drivers whose races bmc does not show: it has kernel functions that a
// model describes link nothing, and takes what takes back one object to take back all.
var linkedByModel = map[string]string{
	"linked_by_effects_racy": "__skb_queue_tail",
	"linked_by_model_racy":   "skb_queue_tail",
	"objects_in_loop_racy":   "misc_deregister",
}

// TestIdioms runs bmc on every pair of the drivers in idioms/: what it shows races,
// repaired drivers have no bug, and where a race is not shown, not all of the answers are
// that there is none.
func TestIdioms(t *testing.T) {
	for i, p := range corpus(t, "idioms/*.c") {
		if !testscope.Every(i, 3) { // racy and repaired ones take turns
			continue
		}
		t.Run(filepath.Base(p.Name), func(t *testing.T) {
			want, err := p.Marks()
			if err != nil {
				t.Fatal(err)
			}
			rep, err := pipeline.BMC(context.Background(), p.Path,
				pipeline.BMCOptions{Options: options(p, pipeline.Options{Jobs: 1}), CSB: 1,
					Unroll: 2, Yields: "mr", Properties: []string{"race"}})
			if err != nil {
				t.Fatal(err)
			}
			shown, all := map[int]bool{}, true
			for _, r := range rep.Runs {
				all = all && r.Answer == diag.NoBug
				for _, b := range r.Bugs {
					for _, at := range []diag.BugPlace{b.Place, b.Other} {
						shown[at.Pos.Line] = true
						if want[at.Pos.Line] != "RACE!" {
							t.Errorf("bmc shows a race at line %d, which is marked %q\n%s",
								at.Pos.Line, want[at.Pos.Line], report.Interleaving(b.Execution))
						}
					}
				}
			}
			for line, e := range want {
				if e == "RACE!" && !shown[line] && all && linkedByModel[filepath.Base(p.Name)] == "" {
					t.Errorf("bmc says that there is no race at line %d", line)
				}
			}
		})
	}
}
