package benchmarks

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"whoop/benchmarks/expect"
	"whoop/diag"
	"whoop/pipeline"
)

// expectation is the annotation of a line.
type expectation = expect.Mark

// annotations reads the expectations of a file, by line.
func annotations(path string) (map[int]expectation, error) { return expect.Read(path) }

// reported lists the lines of a file that some race names.
func reported(r *diag.Report, path string) map[int]bool {
	out := map[int]bool{}
	for _, x := range r.Races {
		for _, a := range []diag.Access{x.First, x.Second} {
			if filepath.Base(a.Pos.File) == filepath.Base(path) {
				out[a.Pos.Line] = true
			}
		}
	}
	return out
}

// outcome is how a report compares with the annotations, by lines.
type outcome struct {
	file string
	// missed: RACE! but not reported, unsound. alarms: reported without RACE! or RACE, a false alarm that is not known.
	// known: RACE and reported; gone: RACE and no longer reported, so the annotation should go.
	// seen: UNSEEN but reported, so it should become RACE!.
	missed, alarms, known, gone, seen []int
	races                             int // lines with RACE!
	seconds                           float64
}

// judge compares a report with the annotations.
func judge(want map[int]expectation, got map[int]bool) outcome {
	var o outcome
	for line, e := range want {
		switch {
		case e == "RACE!":
			o.races++
			if !got[line] {
				o.missed = append(o.missed, line)
			}
		case e == "RACE" && got[line]:
			o.known = append(o.known, line)
		case e == "RACE":
			o.gone = append(o.gone, line)
		}
	}
	for line := range got {
		switch e := want[line]; {
		case e == expect.Unseen:
			o.seen = append(o.seen, line)
		case e != "RACE!" && e != "RACE":
			o.alarms = append(o.alarms, line)
		}
	}
	for _, l := range [][]int{o.missed, o.alarms, o.known, o.gone, o.seen} {
		sort.Ints(l)
	}
	return o
}

// TestJudge: each expectation is told from the others.
func TestJudge(t *testing.T) {
	want := map[int]expectation{1: "RACE!", 2: "RACE!", 3: "RACE", 4: "RACE", 5: "NORACE", 6: "NORACE", 8: "UNSEEN", 9: "UNSEEN"}
	o := judge(want, map[int]bool{1: true, 3: true, 5: true, 7: true, 8: true})
	got := fmt.Sprint(o.missed, o.alarms, o.known, o.gone, o.seen, o.races)
	if got != "[2] [5 7] [3] [4] [8] 2" {
		t.Errorf("got %s", got)
	}
}

// TestCorpus verifies every annotated program: no race may be missed, and no line may be reported that is not annotated.
func TestCorpus(t *testing.T) {
	var files []string
	for _, g := range []string{"races/*/*.c", "drivers/*.c", "handlers/*.c", "idioms/*.c", "../examples/*/*.c"} {
		fs, err := filepath.Glob(g)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, fs...)
	}
	if len(files) < 10 {
		t.Fatalf("only %d programs found", len(files))
	}
	var all []outcome
	for _, f := range files {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(f, "../"), ".c"), func(t *testing.T) {
			all = append(all, checkProgram(t, f))
		})
	}
	t.Log("\n" + table(all))
}

// checkProgram verifies one program and holds the report against its annotations.
func checkProgram(t *testing.T, f string) outcome {
	t.Helper()
	want, err := annotations(f)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := pipeline.Verify(context.Background(), f, pipeline.Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	o := judge(want, reported(rep, f))
	o.file, o.seconds = f, rep.Seconds
	if len(o.missed) > 0 {
		t.Errorf("missed races at lines %v", o.missed)
	}
	if len(o.alarms) > 0 {
		t.Errorf("false alarms at lines %v", o.alarms)
	}
	if len(o.gone) > 0 {
		t.Logf("no longer reported, RACE should become NORACE: lines %v", o.gone)
	}
	if rep.Verdict == diag.Unknown {
		t.Error(undecided(rep))
	}
	return o
}

// table sums the outcomes up by folder.
func table(all []outcome) string {
	sums, dirs := map[string]*outcome{}, []string{}
	count := map[string]int{}
	for _, o := range all {
		for _, d := range []string{filepath.Dir(o.file), "total"} {
			if sums[d] == nil {
				sums[d] = &outcome{file: d}
				if d != "total" {
					dirs = append(dirs, d)
				}
			}
			s := sums[d]
			count[d]++
			s.missed, s.alarms = append(s.missed, o.missed...), append(s.alarms, o.alarms...)
			s.known, s.gone = append(s.known, o.known...), append(s.gone, o.gone...)
			s.races += o.races
			s.seconds += o.seconds
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-24s %8s %11s %7s %13s %14s %8s\n", "folder", "programs", "racy lines", "missed", "false alarms", "known alarms", "seconds")
	for _, d := range append(dirs, "total") {
		if s := sums[d]; s != nil {
			fmt.Fprintf(&b, "%-24s %8d %11d %7d %13d %14d %8.2f\n", d, count[d], s.races, len(s.missed), len(s.alarms), len(s.known), s.seconds)
		}
	}
	return b.String()
}

// undecided gives the first reason of an unknown verdict.
func undecided(r *diag.Report) string {
	for _, p := range r.Pairs {
		if p.Verdict == diag.Unknown {
			return fmt.Sprintf("%s and %s: unknown: %s", p.First, p.Second, p.Reason)
		}
	}
	return "unknown"
}

// TestKnownAlarmsAreListed: every program with a known false alarm is in docs/explanation/precision.md, and no other is.
func TestKnownAlarmsAreListed(t *testing.T) {
	doc, err := os.ReadFile("../docs/explanation/precision.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range []string{"races/*/*.c", "drivers/*.c", "handlers/*.c", "idioms/*.c"} {
		fs, err := filepath.Glob(g)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range fs {
			want, err := annotations(f)
			if err != nil {
				t.Fatal(err)
			}
			known := false
			for _, e := range want {
				known = known || e == "RACE"
			}
			if listed := strings.Contains(string(doc), "`"+f+"`"); listed != known {
				t.Errorf("%s: known false alarm %t, listed in docs/explanation/precision.md %t", f, known, listed)
			}
		}
	}
}
