package confirm

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"whoop/diag"
	"whoop/internal/testscope"
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

// TestExplored: a small program is proved by its executions, or one of them shows its race.
func TestExplored(t *testing.T) {
	for path, want := range map[string]diag.Verdict{
		"../../benchmarks/golang/rare/refcount_ok":        diag.RaceFree,
		"../../benchmarks/golang/chan_semaphore":          diag.RaceFree,
		"../../benchmarks/races/owner/swap_ok.c":          diag.RaceFree,
		"../../benchmarks/races/sync/cond_no_loop_racy.c": diag.Racy,
		"../../benchmarks/golang/array_shared":            diag.Racy,
		"../../benchmarks/races/sync/sem_signal_late.c":   diag.Racy,
	} {
		rep, err := pipeline.Verify(context.Background(), path, pipeline.Options{Jobs: 1})
		if err != nil {
			t.Fatal(err)
		}
		if rep.Verdict != diag.Racy {
			t.Fatalf("%s: verify alone says %s: the example does not show what it is to show",
				path, rep.Verdict)
		}
		Run(context.Background(), path, rep, Options{Input: pipeline.Options{Jobs: 1}, Executions: 5000})
		if rep.Verdict != want {
			t.Errorf("%s: %s, want %s", path, rep.Verdict, want)
		}
		proved := slices.ContainsFunc(rep.Pairs,
			func(p diag.Pair) bool { return strings.HasPrefix(p.Reason, "proved by explore") })
		confirmed := slices.ContainsFunc(rep.Races, func(x diag.Race) bool { return x.Confirmed != nil })
		if proved != (want == diag.RaceFree) ||
			confirmed != (want == diag.Racy &&
				!strings.Contains(path, "cond_no_loop")) { // the machine does not wake waiting threads up
			t.Errorf("%s: proved %t, confirmed %t", path, proved, confirmed)
		}
	}
}

// TestExploredCorpus: no program of the corpora that has a race is proved by its
// executions.
func TestExploredCorpus(t *testing.T) {
	for i, path := range corpus(t) {
		if !testscope.Every(i, 12) {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		in := path
		if strings.HasSuffix(path, ".go") {
			in = filepath.Dir(path)
		}
		x, err := explored(context.Background(), in, pipeline.Options{Jobs: 1}, 2000)
		if err == nil && all(x) && strings.Contains(string(src), "RACE!") {
			t.Errorf("%s has a race, and none of %d executions that are all shows it", path, x.Executions)
		}
	}
}

// corpus lists the programs with a main function.
func corpus(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, g := range []string{"golang/*/main.go", "golang/*/*/main.go", "races/*/*.c"} {
		fs, err := filepath.Glob("../../benchmarks/" + g)
		if err != nil || len(fs) == 0 {
			t.Fatalf("%s: %d programs, %v", g, len(fs), err)
		}
		out = append(out, fs...)
	}
	return out
}

// TestNoBudget: without time nothing changes.
func TestNoBudget(t *testing.T) {
	rep := &diag.Report{Pairs: []diag.Pair{{First: "a", Second: "b", Verdict: diag.Racy}}}
	if Run(context.Background(), "no such file", rep, Options{}); rep.Pairs[0].Verdict != diag.Racy {
		t.Errorf("%+v", rep.Pairs)
	}
}

// TestNotRefuted: of a racy program, a race that only another one orders is reported,
// though no execution has its accesses next to each other.
func TestNotRefuted(t *testing.T) {
	const text = `package main

var x, y int

func main() {
	go func() {
		y = 1
		x = 2
	}()
	if x == 2 {
		y = 3
	}
}
`
	path := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	rep, err := pipeline.Verify(context.Background(), path, pipeline.Options{Jobs: 1})
	if err != nil {
		t.Fatal(err)
	}
	Run(context.Background(), path, rep, Options{Input: pipeline.Options{Jobs: 1}, Executions: 5000})
	var got []int
	for _, x := range rep.Races {
		got = append(got, x.First.Pos.Line, x.Second.Pos.Line)
	}
	slices.Sort(got)
	if want := []int{7, 8, 10, 11}; !slices.Equal(slices.Compact(got), want) {
		t.Errorf("races at lines %v, want %v", got, want)
	}
}
