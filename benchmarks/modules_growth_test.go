package benchmarks

import (
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"whoop/benchmarks/scale"
	"whoop/diag"
	"whoop/internal/testscope"
	"whoop/pipeline"
)

// moduleIn writes a generated Go module of about so many lines into a directory, and
// returns how many it has.
func moduleIn(tb testing.TB, dir, kind string, lines int) int {
	tb.Helper()
	text := scale.Modules[kind](lines)
	for name, text := range map[string]string{"go.mod": "module many\n\ngo 1.22\n", "many.go": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			tb.Fatal(err)
		}
	}
	return strings.Count(text, "\n")
}

// TestGeneratedModules: the generated modules follow their locking discipline.
func TestGeneratedModules(t *testing.T) {
	for _, kind := range []string{"locks", "chains"} {
		dir := t.TempDir()
		moduleIn(t, dir, kind, 400)
		rep, err := pipeline.Verify(context.Background(), dir, pipeline.Options{Jobs: 2, NoCache: true})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Verdict != diag.RaceFree || len(rep.Pairs) < 50 {
			t.Errorf("%s: %s with %d pairs: %+v", kind, rep.Verdict, len(rep.Pairs), rep.Races)
		}
	}
}

// BenchmarkModules prints how the cost of Go modules grows, stage by stage: what each
// takes for modules of a kind, and to which power of the lines it has grown since the size
// before.
func BenchmarkModules(b *testing.B) {
	sizes := []int{1000, 2000, 4000}
	if testscope.All() {
		sizes = []int{1000, 3000, 10_000, 30_000, 100_000}
	}
	for _, kind := range slices.Sorted(maps.Keys(scale.Modules)) {
		before, linesBefore := map[string]float64{}, 0
		for _, size := range sizes {
			b.Run(fmt.Sprintf("%s/lines=%d", kind, size), func(b *testing.B) {
				dir := b.TempDir()
				lines := moduleIn(b, dir, kind, size)
				var took map[string]float64
				for b.Loop() {
					took = secondsOf(b, dir)
				}
				b.ReportMetric(float64(lines), "lines")
				for stage, s := range took {
					b.ReportMetric(s*1000, stage+"-ms")
					if old := before[stage]; old > 0.05 { // less is noise
						b.ReportMetric(math.Log(s/old)/math.Log(float64(lines)/float64(linesBefore)), stage+"-power")
					}
				}
				before, linesBefore = took, lines
			})
		}
	}
}

// secondsOf is what the stages of verify take on Go packages: reading, points-to, and all
// that comes after it.
func secondsOf(tb testing.TB, dir string) map[string]float64 {
	tb.Helper()
	opt := pipeline.Options{Jobs: 2, NoCache: true}
	start := time.Now()
	p, err := pipeline.Load(dir, opt)
	if err != nil {
		tb.Fatal(err)
	}
	out := map[string]float64{"reading": time.Since(start).Seconds()}
	start = time.Now()
	rep, err := pipeline.Prove(context.Background(), p, opt)
	if err != nil {
		tb.Fatal(err)
	}
	all, points := time.Since(start), time.Duration(0)
	for _, s := range rep.Stages {
		points += s.Time
	}
	out["points-to"], out["locks"] = points.Seconds(), (all - points).Seconds()
	return out
}
