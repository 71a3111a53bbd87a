package classic

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"whoop/diag"
	"whoop/internal/testscope"
	"whoop/ir"
	"whoop/pipeline"
	"whoop/report"
)

var slow = flag.Bool("slow", testscope.All(), "run bmc on the programs that are marked slow, too, and on others with their deep bounds")

// skipped are programs that the tool cannot check, with the reason.
var skipped = map[string]string{}

// TestClassic holds bmc and the explorer against the answers.
func TestClassic(t *testing.T) {
	files, err := filepath.Glob("programs/*.c")
	if err != nil || len(files) < 50 {
		t.Fatal(len(files), err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".c")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if why := skipped[name]; why != "" {
				t.Skip(why)
			}
			e, err := expectations(f)
			if err != nil {
				t.Fatal(err)
			}
			p, err := pipeline.Load(f, pipeline.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Run("bmc", func(t *testing.T) { testBMC(t, p, e) })
			t.Run("explore", func(t *testing.T) { testExplore(t, name, p, e) })
		})
	}
}

// testBMC: of each expected kind of bug there is one at the expected csb and none below,
// and of other kinds there is none. Every bug was replayed before it came here.
func testBMC(t *testing.T, p *ir.Program, e *expectation) {
	if e.slow && !*slow {
		t.Skip("slow")
	}
	csb := e.csb
	if *slow {
		csb = max(csb, e.deep)
	}
	rep := check(t, p, csb, e.unroll)
	got := map[string]int{}
	for _, b := range rep.Runs[0].Bugs {
		note(got, b.Kind, b.CSB)
		if want := fmt.Sprintf(", %d of them", b.CSB); !strings.Contains(report.Interleaving(b.Execution), want) {
			t.Errorf("%s at csb=%d: the execution shown has another number of preemptions\n%s", b.Kind, b.CSB, report.Interleaving(b.Execution))
		}
		judgePlace(t, &b, e)
	}
	compare(t, got, e.least)
	if a := rep.Answer(); e.all && a != diag.NoBug {
		t.Errorf("the answer is %q, want that there is no bug with any number of preemptions", a)
	}
	if *slow {
		checkBelow(t, p, e)
	}
}

// checkBelow runs bmc with one preemption less than each kind of bug needs. A check with
// more looks for bugs with few first, and says with how many it found one; here is
// another way to see it.
func checkBelow(t *testing.T, p *ir.Program, e *expectation) {
	t.Helper()
	for kind, k := range e.least {
		if k == 0 {
			continue
		}
		for _, b := range check(t, p, k-1, e.unroll).Runs[0].Bugs {
			// Where all schedules can be searched, bugs beyond the bound are found and
			// said to need more.
			if kindOf(b.Kind) == kind && b.CSB < k {
				t.Errorf("a bug with csb=%d already:\n%s", k-1, report.Interleaving(b.Execution))
			}
		}
	}
}

// check runs bmc, which must get to the end of its bounds.
func check(t *testing.T, p *ir.Program, csb, unroll int) *diag.BoundedReport {
	t.Helper()
	opt := pipeline.BMCOptions{Options: pipeline.Options{Jobs: 1}, CSB: csb, Unroll: unroll, Yields: "mr"}
	rep, err := pipeline.CheckProgram(context.Background(), p, opt)
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Runs) != 1 || rep.Runs[0].Reason != "" || rep.Answer() == diag.Undecided {
		t.Fatalf("csb=%d: %s %+v", csb, rep.Answer(), rep.Runs)
	}
	for _, a := range rep.Runs[0].Assumptions {
		t.Errorf("%s: %s: %s", a.Pos, a.Kind, a.Text)
	}
	return rep
}

// judgePlace holds the lines of a bug against the source.
func judgePlace(t *testing.T, b *diag.Bug, e *expectation) {
	t.Helper()
	switch {
	case b.Kind == "race" && !(e.racing[b.Place.Pos.Line] && e.racing[b.Other.Pos.Line]):
		t.Errorf("a race at lines that are not marked so:\n%s", report.Interleaving(b.Execution))
	case kindOf(b.Kind) == "assertion" && !e.asserted[b.Place.Pos.Line]:
		t.Errorf("no assertion is at line %d:\n%s", b.Place.Pos.Line, report.Interleaving(b.Execution))
	}
}

// kindOf is the word of the EXPECT comments for a kind of bug.
func kindOf(kind string) string {
	if kind == "assert" || kind == "reach_error" {
		return "assertion"
	}
	return kind
}

// note keeps the least cost of a kind of bug.
func note(got map[string]int, kind string, cost int) {
	kind = kindOf(kind)
	if c, ok := got[kind]; !ok || cost < c {
		got[kind] = cost
	}
}

// compare holds the kinds of bugs that were found, with their least csb, against the
// wanted ones.
func compare(t *testing.T, got, want map[string]int) {
	t.Helper()
	for kind, k := range want {
		if c, ok := got[kind]; !ok {
			t.Errorf("%s is not found, want csb=%d", kind, k)
		} else if c != k {
			t.Errorf("%s is found with csb=%d, want %d", kind, c, k)
		}
	}
	for kind, c := range got {
		if _, ok := want[kind]; !ok {
			t.Errorf("%s is found with csb=%d, want none", kind, c)
		}
	}
}
