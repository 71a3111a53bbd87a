package benchmarks

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whoop/benchmarks/expect"
	"whoop/diag"
	"whoop/pipeline"
	"whoop/pipeline/confirm"
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

// outcome is how the report on a file, or on those of a folder, compares with its marks.
type outcome struct {
	expect.Outcome
	file    string
	seconds float64
}

// TestCorpus verifies every annotated program: no race may be missed, and no line may be
// reported that is not annotated.
func TestCorpus(t *testing.T) {
	var all []outcome
	for _, p := range corpus(t, "races/*/*.c", "drivers/*.c", "handlers/*.c", "idioms/*.c",
		"../examples/*/*.c") {
		t.Run(strings.TrimPrefix(p.Name, "../"), func(t *testing.T) {
			all = append(all, checkProgram(t, p))
		})
	}
	t.Log("\n" + table(all))
}

// corpus lists the programs in files that match one of the patterns.
func corpus(t *testing.T, patterns ...string) []expect.Program {
	t.Helper()
	ps, err := expect.Programs(patterns...)
	if err != nil || len(ps) < 10 {
		t.Fatalf("%d programs: %v", len(ps), err)
	}
	return ps
}

// driver is the program of that name in drivers.
func driver(t *testing.T, name string) expect.Program {
	t.Helper()
	ps := corpus(t, "drivers/*.c")
	i := slices.IndexFunc(ps, func(p expect.Program) bool { return p.Name == "drivers/"+name })
	if i < 0 {
		t.Fatalf("there is no driver %s", name)
	}
	return ps[i]
}

// options are those with which a program is read.
func options(p expect.Program, o pipeline.Options) pipeline.Options {
	o.C.Defines = p.Defines
	return o
}

// checkProgram verifies one program and holds the report against its annotations.
func checkProgram(t *testing.T, p expect.Program) outcome {
	t.Helper()
	want, err := p.Marks()
	if err != nil {
		t.Fatal(err)
	}
	rep, err := pipeline.Verify(context.Background(), p.Path, options(p, pipeline.Options{Jobs: 2}))
	if err != nil {
		t.Fatal(err)
	}
	o := outcome{expect.Compare(want, reported(rep, p.Path)), p.Path, rep.Seconds}
	if len(o.Missed) > 0 {
		t.Errorf("missed races at lines %v", o.Missed)
	}
	if len(o.Alarms) > 0 {
		t.Errorf("false alarms at lines %v", o.Alarms)
	}
	if len(o.Gone) > 0 {
		t.Logf("no longer reported, RACE should become NORACE: lines %v", o.Gone)
	}
	if rep.Verdict == diag.Unknown {
		t.Error(undecided(rep))
	}
	checkRuledOut(t, p.Path, options(p, pipeline.Options{Jobs: 2}), rep, o.Outcome, want)
	return o
}

// checkRuledOut holds the marks RULED OUT against what verify does by default: it runs the
// executions of small programs.
func checkRuledOut(t *testing.T, file string, in pipeline.Options, rep *diag.Report,
	o expect.Outcome, want map[int]expect.Mark) {
	t.Helper()
	if len(o.Ruled) == 0 {
		return
	}
	path := file
	if strings.HasSuffix(file, ".go") {
		path = filepath.Dir(file)
	}
	confirm.Run(context.Background(), path, rep, confirm.Options{Input: in, Executions: 5000})
	got := reported(rep, file)
	for line, m := range want {
		if m == expect.Ruled && got[line] || m == expect.Race && !got[line] {
			t.Errorf("line %d, %s, with executions: reported %t", line, m, got[line])
		}
	}
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
			s.Add(o.Outcome)
			s.seconds += o.seconds
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-24s %8s %11s %7s %13s %14s %8s\n", "folder", "programs", "racy lines", "missed", "false alarms", "known alarms", "seconds")
	for _, d := range append(dirs, "total") {
		if s := sums[d]; s != nil {
			fmt.Fprintf(&b, "%-24s %8d %11d %7d %13d %14d %8.2f\n", d, count[d], s.Races, len(s.Missed), len(s.Alarms), len(s.Known), s.seconds)
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

// TestKnownAlarmsAreListed: every program with a known false alarm is in
// docs/explanation/precision.md, and no other is.
func TestKnownAlarmsAreListed(t *testing.T) {
	doc, err := os.ReadFile("../docs/explanation/precision.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, p := range corpus(t, "races/*/*.c", "drivers/*.c", "handlers/*.c", "idioms/*.c") {
		want, err := p.Marks()
		if err != nil {
			t.Fatal(err)
		}
		listed[p.Path] = listed[p.Path] || slices.Contains(slices.Collect(maps.Values(want)),
			expect.Alarm)
	}
	for f, known := range listed {
		if in := strings.Contains(string(doc), "`"+f+"`"); in != known {
			t.Errorf("%s: known false alarm %t, listed in docs/explanation/precision.md %t", f, known, in)
		}
	}
}
