package benchmarks

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"whoop/diag"
	"whoop/pipeline"
)

// expectation is the annotation of a line: RACE! (must be reported), RACE (reported by a known imprecision) or NORACE.
type expectation string

// annotations reads the expectations of a file, by line.
func annotations(path string) (map[int]expectation, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := map[int]expectation{}
	sc := bufio.NewScanner(f)
	for n := 1; sc.Scan(); n++ {
		_, c, ok := strings.Cut(sc.Text(), "// ")
		if !ok {
			continue
		}
		for _, e := range []expectation{"RACE!", "NORACE", "RACE"} {
			if strings.HasPrefix(c, string(e)) {
				out[n] = e
				break
			}
		}
	}
	return out, sc.Err()
}

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

// judge compares a report with the annotations: what is missed (unsound), what is a false alarm that is not known.
func judge(want map[int]expectation, got map[int]bool) (missed, alarms []int) {
	for line, e := range want {
		if e == "RACE!" && !got[line] {
			missed = append(missed, line)
		}
	}
	for line := range got {
		if e := want[line]; e != "RACE!" && e != "RACE" {
			alarms = append(alarms, line)
		}
	}
	sort.Ints(missed)
	sort.Ints(alarms)
	return missed, alarms
}

// TestCorpus verifies every annotated program: no race may be missed, and no line may be reported that is not annotated.
func TestCorpus(t *testing.T) {
	var files []string
	for _, g := range []string{"races/*/*.c", "drivers/*.c", "../examples/*/*.c"} {
		fs, err := filepath.Glob(g)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, fs...)
	}
	if len(files) < 10 {
		t.Fatalf("only %d programs found", len(files))
	}
	total, decided := 0, 0
	for _, f := range files {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(f, "../"), ".c"), func(t *testing.T) {
			rep, err := pipeline.Verify(context.Background(), f, pipeline.Options{Jobs: 2})
			if err != nil {
				t.Fatal(err)
			}
			want, err := annotations(f)
			if err != nil {
				t.Fatal(err)
			}
			total++
			missed, alarms := judge(want, reported(rep, f))
			if len(missed) > 0 {
				t.Errorf("missed races at lines %v", missed)
			}
			if len(alarms) > 0 {
				t.Errorf("false alarms at lines %v", alarms)
			}
			if rep.Verdict != diag.Unknown {
				decided++
			} else {
				t.Error(undecided(rep))
			}
		})
	}
	t.Logf("%d programs, %d decided", total, decided)
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
