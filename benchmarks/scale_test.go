package benchmarks

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"whoop/benchmarks/scale"
	"whoop/diag"
	"whoop/pipeline"
)

// generate writes a driver with n entry points to a file and returns its path and number
// of lines.
func generate(tb testing.TB, n int) (string, int) {
	tb.Helper()
	src := scale.Driver(n)
	path := filepath.Join(tb.TempDir(), fmt.Sprintf("board%d.c", n))
	if err := os.WriteFile(path, []byte(src), 0o666); err != nil {
		tb.Fatal(err)
	}
	return path, strings.Count(src, "\n")
}

// The generated driver follows its locking discipline: every pair is proved.
func TestScaleDriver(t *testing.T) {
	path, _ := generate(t, 3)
	rep, err := pipeline.Verify(context.Background(), path, pipeline.Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	if rep.Verdict != diag.RaceFree || len(rep.Entries) != 4 {
		t.Errorf("%s with %d entry points, want race-free with 4: %+v", rep.Verdict, len(rep.Entries), rep.Races)
	}
}

// peakMemory runs the tool on a file in a process of its own and returns the most memory
// it had, in MiB.
func peakMemory(tb testing.TB, tool, path string) float64 {
	tb.Helper()
	cmd := exec.Command(tool, "verify", path)
	if out, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("%v: %s", err, out)
	}
	use, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return float64(use.Maxrss) / 1024
}

// BenchmarkScale prints the curve of cost against size: entry points, pairs, lines,
// seconds, queries, memory.
func BenchmarkScale(b *testing.B) {
	tool := filepath.Join(b.TempDir(), "whoop")
	if out, err := exec.Command("go", "build", "-o", tool, "whoop/cmd/whoop").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	for _, n := range []int{5, 10, 19, 38} {
		b.Run(fmt.Sprintf("entries=%d", n), func(b *testing.B) {
			path, lines := generate(b, n)
			for i := 0; i < b.N; i++ {
				rep, err := pipeline.Verify(context.Background(), path, pipeline.Options{Jobs: 2})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(float64(lines), "lines")
				b.ReportMetric(float64(len(rep.Pairs)), "pairs")
				b.ReportMetric(float64(rep.Counters.Queries), "queries")
				b.ReportMetric(float64(rep.Counters.Obligations), "obligations")
				b.ReportMetric(float64(len(rep.Entries)), "entries")
				b.ReportMetric(float64(len(rep.Races)), "races")
				b.StopTimer()
				b.ReportMetric(peakMemory(b, tool, path), "MiB")
				b.StartTimer()
			}
		})
	}
}
