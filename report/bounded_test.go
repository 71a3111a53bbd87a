package report

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"whoop/diag"
	"whoop/ir"
	"whoop/trace"
)

// bounded has a race in two pairs, a deadlock in one, and a pair that was not checked to
// the end.
func bounded() *diag.BoundedReport {
	race := diag.Bug{Kind: "race", CSB: 1, Place: diag.BugPlace{Thread: "dev_read (T1)", Function: "dev_read", Pos: at(11, 9)},
		Other: diag.BugPlace{Thread: "dev_write (T2)", Pos: at(4, 2)}, Execution: &trace.Execution{Trace: &trace.Trace{Bug: trace.Bug{Kind: "race", Other: 1}}, Threads: []string{"dev_read (T1)", "dev_write (T2)"}, Switches: 1, Preemptions: 1}, Trace: "trace.json"}
	turned := race
	turned.Place, turned.Other, turned.Trace, turned.Guesses = race.Other, race.Place, "", []ir.Pos{at(25, 2)}
	wait := diag.BugWait{BugPlace: diag.BugPlace{Thread: "dev_write (T1)", Function: "dev_write", Pos: at(17, 2)},
		Does: "waits for the lock dev.lock, held by dev_read (T0), which has ended (taken at testdata/sample.c:10:2)", Held: []trace.Held{{Lock: "rtnl", Pos: at(16, 2)}}}
	dead := diag.Bug{Kind: "deadlock", CSB: 0, Message: wait.Thread + " " + wait.Does, Place: wait.BugPlace, Waits: []diag.BugWait{wait}, Execution: &trace.Execution{Trace: &trace.Trace{Bug: trace.Bug{Kind: "deadlock"}}}}
	all := func(a, e, m int) map[string]int { return map[string]int{"all": a, "epp": e, "mr": m} }
	return &diag.BoundedReport{Tool: "whoop", Version: "0", Command: "bmc", Input: "testdata/sample.c", Yields: "mr", CSB: 2, Unroll: 2, Properties: []string{"race", "deadlock"},
		Runs: []diag.Run{
			{Threads: []string{"dev_read", "dev_write"}, Answer: diag.HasBug, Bugs: []diag.Bug{race, dead}, CSB: 2, Rounds: 3, AllRounds: true, Exhaustive: true, Unrolled: true,
				Yields: 7, YieldsBy: all(9, 9, 7), Counters: map[string]int{"yields": 7}, Phases: map[string]time.Duration{"solve": time.Second / 4}, Seconds: 0.5},
			{Threads: []string{"dev_irq", "dev_write"}, Answer: diag.HasBug, Bugs: []diag.Bug{turned}, CSB: 2, Rounds: 3, Yields: 5, YieldsBy: all(8, 8, 5), Seconds: 0.25},
			{Threads: []string{"dev_irq", "dev_read"}, Answer: diag.Undecided, CSB: -1, Proved: true, Reason: "context deadline exceeded (no bound was checked to the end)",
				Yields: 4, YieldsBy: map[string]int{"all": 6}, Seconds: 0.25}},
		Assumptions: []ir.Assumption{{Kind: "memory-safety", Text: "pointers stay within their objects"}}, VerifySeconds: 0.25, Seconds: 1.25}
}

// TestBounded: what bmc prints, and its JSON.
func TestBounded(t *testing.T) {
	var text, js, none bytes.Buffer
	if err := BoundedText(&text, bounded(), Options{}); err != nil {
		t.Fatal(err)
	}
	golden(t, "bounded.txt", text.Bytes())
	if err := BoundedJSON(&js, bounded()); err != nil {
		t.Fatal(err)
	}
	golden(t, "bounded.json", js.Bytes())
	if err := BoundedJSON(&none, &diag.BoundedReport{Runs: []diag.Run{{Bugs: []diag.Bug{{}}}}}); err != nil {
		t.Fatal(err)
	}
	var v struct{ Runs []map[string]any }
	if err := json.Unmarshal(none.Bytes(), &v); err != nil || strings.Contains(none.String(), `"waits": null`) || strings.Contains(none.String(), `"yields_by_mode": null`) {
		t.Errorf("%v\n%s", err, none.String())
	}
}
