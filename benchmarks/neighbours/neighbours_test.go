package neighbours

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whoop/diag"
	"whoop/internal/testscope"
	"whoop/pipeline"
	"whoop/pipeline/check"
	"whoop/pipeline/confirm"
)

var all = flag.Bool("all", testscope.All(), "ask all questions, not a part")

// question is a line of expected.tsv. Several answers may be right: "FALSE or UNKNOWN",
// "not race-free".
type question struct{ program, about, want, why string }

// questions are those of a kind, or without -all one of so many of them.
func questions(t *testing.T, share int, kind func(about string) bool) []question {
	t.Helper()
	text, err := os.ReadFile("expected.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var out []question
	n := 0
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		f := strings.Split(line, "\t")
		if len(f) < 4 {
			t.Fatalf("%q has not four columns", line)
		}
		if !kind(f[1]) {
			continue
		}
		if n++; *all || n%share == 0 {
			out = append(out, question{filepath.FromSlash(f[0]), f[1], f[2], f[3]})
		}
	}
	return out
}

// limit is what check and bmc have for a program: no answer in time is not wrong, and those
// that have one without -all have it in seconds.
func limit() time.Duration {
	if *all {
		return time.Minute
	}
	return 10 * time.Second
}

// TestNeighbours: no program with a race is called race-free, or without anything
// concurrent.
func TestNeighbours(t *testing.T) {
	right, alarms := 0, 0
	for _, q := range questions(t, 1, func(about string) bool { return about == "verify" }) {
		rep, err := pipeline.Verify(context.Background(), q.program, pipeline.Options{Jobs: 1, Timeout: time.Minute})
		if err != nil {
			t.Errorf("%s: %v", q.program, err)
			continue
		}
		silent := rep.Verdict == diag.RaceFree || rep.Verdict == diag.Nothing
		switch {
		case q.want != "race-free" && silent:
			t.Errorf("%s is %s: %s", q.program, rep.Verdict, q.why)
		case q.want == "race-free" && rep.Verdict == diag.Racy:
			alarms++
			t.Logf("%s is a false alarm: %s", q.program, q.why)
		default:
			right++
		}
	}
	t.Logf("%d as expected, %d false alarms", right, alarms)
}

// byDefault is about what verify says with the executions that it explores.
const byDefault = "default"

// TestDefault: executions prove no program race-free that has a race which others show.
func TestDefault(t *testing.T) {
	for _, q := range questions(t, 1, func(about string) bool { return about == byDefault }) {
		in := pipeline.Options{Jobs: 1, Timeout: time.Minute}
		rep, err := pipeline.Verify(context.Background(), q.program, in)
		if err != nil {
			t.Errorf("%s: %v", q.program, err)
			continue
		}
		confirm.Run(context.Background(), q.program, rep, confirm.Options{Input: in, Executions: 5000})
		if proved := rep.Verdict == diag.RaceFree; proved != (q.want == "race-free") {
			t.Errorf("%s is %s, want %s: %s", q.program, rep.Verdict, q.want, q.why)
		}
	}
}

// TestCheck: no answer of check is wrong. That it has none is counted.
func TestCheck(t *testing.T) {
	right, unknown := 0, 0
	for _, q := range questions(t, 4, func(about string) bool {
		return about != "verify" && about != byDefault && !strings.HasPrefix(about, bounded)
	}) {
		p, err := pipeline.Load(q.program, pipeline.Options{})
		if err != nil {
			t.Errorf("%s: %v", q.program, err)
			continue
		}
		r, err := check.Run(context.Background(), p, check.Options{Property: check.Property(q.about), Timeout: limit()})
		switch {
		case err != nil:
			t.Errorf("%s: %v", q.program, err)
		case strings.Contains(q.want, r.Answer):
			right++
		case r.Answer == "UNKNOWN":
			unknown++
			t.Logf("%s, %s: %s, want %s: %s", q.program, q.about, r.Verdict(), q.want, q.why)
		default:
			t.Errorf("%s, %s: %s, want %s: %s", q.program, q.about, r.Verdict(), q.want, q.why)
		}
	}
	t.Logf("%d as expected, %d without an answer", right, unknown)
}

// bounded is before the property that a question to bmc is about.
const bounded = "bmc:"

// TestBMC: bmc shows no bug where there is none, and where there is one does not say that
// there is none.
func TestBMC(t *testing.T) {
	right, unknown := 0, 0
	for _, q := range questions(t, 4, func(about string) bool { return strings.HasPrefix(about, bounded) }) {
		opt := pipeline.BMCOptions{Options: pipeline.Options{Jobs: 1, Timeout: limit()}, CSB: 2, Unroll: 2, Yields: "mr",
			Properties: []string{strings.TrimPrefix(q.about, bounded)}}
		rep, err := pipeline.BMC(context.Background(), q.program, opt)
		if err != nil {
			t.Errorf("%s: %v", q.program, err)
			continue
		}
		answer := rep.Answer()
		switch {
		case q.want == "bug" && answer == diag.HasBug, q.want == "no bug" && (answer == diag.NoBug || answer == diag.Bounded):
			right++
		case answer == diag.NoBug || answer == diag.Bounded || answer == diag.HasBug:
			t.Errorf("%s, %s: %v, want %s: %s", q.program, q.about, answer, q.want, q.why)
		default:
			unknown++
			t.Logf("%s, %s: %v, want %s: %s", q.program, q.about, answer, q.want, q.why)
		}
	}
	t.Logf("%d as expected, %d without an answer", right, unknown)
}
