package corral

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"whoop/diag"
	"whoop/pipeline"
)

// cases are those that Corral was measured on: k is its rounds, seconds its processor
// time with Z3 4.8.12.
var cases = []struct {
	kind    string
	m, k    int
	bug     bool
	seconds float64
}{
	{"atomic", 10, 3, false, 5.0}, {"atomic", 4, 5, false, 5.3}, {"atomic", 5, 5, false, 14}, {"atomic", 2, 9, false, 7.1},
	{"locked", 20, 2, false, 7.1}, {"locked", 8, 3, false, 22}, {"locked", 3, 5, false, 14}, {"locked", 1, 9, false, 6.4},
	{"fibonacci", 10, 3, false, 13}, {"fibonacci", 5, 5, true, 9.3},
}

func run(tb testing.TB, kind string, m, k int) *diag.BoundedReport {
	src, err := Program(kind, m)
	if err != nil {
		tb.Fatal(err)
	}
	path := filepath.Join(tb.TempDir(), "p.c")
	if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
		tb.Fatal(err)
	}
	rep, err := pipeline.BMC(context.Background(), path, pipeline.BMCOptions{Options: pipeline.Options{Jobs: 1}, CSB: 2 * k, Rounds: k + 1, Unroll: 2, FirstBug: true,
		Yields: "mr", Properties: []string{"assert"}})
	if err != nil {
		tb.Fatal(err)
	}
	return rep
}

// TestPrograms: the small ones have the answers they should have. Rounds count main's
// turns, so there is one more than Corral's.
func TestPrograms(t *testing.T) {
	for _, c := range []struct {
		kind string
		m, k int
		bug  bool
	}{{"atomic", 2, 3, false}, {"locked", 2, 2, false}, {"fibonacci", 3, 2, false}, {"fibonacci", 2, 3, true}} {
		rep := run(t, c.kind, c.m, c.k)
		if got := rep.Answer() == diag.HasBug; got != c.bug {
			t.Errorf("%s M=%d k=%d: %s", c.kind, c.m, c.k, rep.Answer())
		}
	}
}

// processorTime is what this process has used so far, solver included.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkCorral prints seconds and how many times faster than Corral that is, on the
// programs it was measured on.
func BenchmarkCorral(b *testing.B) {
	for _, c := range cases {
		b.Run(fmt.Sprintf("%s/M=%d/k=%d", c.kind, c.m, c.k), func(b *testing.B) {
			for b.Loop() {
				start := processorTime()
				rep := run(b, c.kind, c.m, c.k)
				took := processorTime() - start
				b.ReportMetric(took.Seconds(), "cpu-s")
				b.ReportMetric(c.seconds/took.Seconds(), "times-faster")
				bug := 0.0
				if rep.Answer() == diag.HasBug {
					bug = 1
				}
				b.ReportMetric(bug, "bugs")
			}
		})
	}
}
