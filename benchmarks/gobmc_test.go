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
	"time"

	"whoop/diag"
	goprogram "whoop/frontend/golang/program"
	"whoop/internal/testscope"
	"whoop/ir/interp"
	"whoop/pipeline"
	"whoop/report"
	"whoop/trace"
)

// goTests reads what the comments above the tests of gobmc want: the test's name, then
// kinds of bugs with the least number of preemptions, or none.
func goTests(t *testing.T) map[string]string {
	t.Helper()
	fs, err := filepath.Glob("gobmc/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range fs {
		r, err := os.Open(f)
		if err != nil {
			t.Fatal(err)
		}
		want := ""
		for s := bufio.NewScanner(r); s.Scan(); {
			if w, ok := strings.CutPrefix(s.Text(), "// want: "); ok {
				want = w
			} else if n, ok := strings.CutPrefix(s.Text(), "func Test"); ok {
				name, _, _ := strings.Cut(n, "(")
				if want == "" {
					t.Errorf("%s: Test%s does not say what is wanted", f, name)
				}
				out["Test"+name], want = want, ""
			}
		}
		r.Close()
	}
	return out
}

// TestGoBMC: bmc finds each bug of the tests in gobmc at its least number of preemptions,
// what it saves replays, and the repaired tests have none.
func TestGoBMC(t *testing.T) {
	wants := goTests(t)
	if len(wants) < 35 {
		t.Fatalf("only %d tests found", len(wants))
	}
	var names []string
	for n := range wants {
		names = append(names, n)
	}
	sort.Strings(names)
	src, err := goprogram.ReadRooted(goprogram.Input{Paths: []string{"gobmc"}})
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range names {
		if !testscope.Every(i, 1) {
			continue
		}
		t.Run(n, func(t *testing.T) { checkGoTest(t, src, n, wants[n], i%8 == 0) })
	}
}

// checkGoTest runs bmc on a test. With again, its replays read the source again, as whoop
// replay does.
func checkGoTest(t *testing.T, src *goprogram.Source, name, want string, again bool) {
	opt := pipeline.BMCOptions{Options: pipeline.Options{Root: name, Rooted: src, Jobs: 1}, CSB: 2, Unroll: 2, Yields: "mr"}
	rep, err := pipeline.BMC(context.Background(), "gobmc", opt)
	if err != nil {
		t.Fatal(err)
	}
	run := &rep.Runs[0]
	least := map[string]int{}
	for _, b := range run.Bugs {
		if c, ok := least[b.Kind]; !ok || b.CSB < c {
			least[b.Kind] = b.CSB
		}
	}
	if len(run.Bugs) > 0 {
		if again {
			opt.Rooted = nil
		}
		replayGo(t, run.Bugs, opt.Options)
	}
	var got []string
	for k, c := range least {
		got = append(got, fmt.Sprintf("%s %d", k, c))
	}
	sort.Strings(got)
	answer := strings.Join(got, ", ")
	if answer == "" {
		answer = "none"
	}
	if answer != want || answer == "none" && run.Answer != diag.NoBug {
		t.Errorf("%s (%s), want %s; %s %v", answer, run.Answer, want, run.Reason, run.Assumptions)
	}
}

// replayGo loads the program again, as replay does, and runs the executions of the bugs.
func replayGo(t *testing.T, bugs []diag.Bug, o pipeline.Options) {
	t.Helper()
	p, err := pipeline.Load("gobmc", o)
	if err != nil {
		t.Fatal(err)
	}
	m, err := interp.Compile(p, interp.Config{})
	if err != nil {
		t.Fatal(err)
	}
	hash := trace.Hash(p)
	for _, b := range bugs {
		if b.Execution == nil {
			t.Errorf("the %s has no execution", b.Kind)
			continue
		}
		tr := b.Execution.Trace
		if hash != tr.Program {
			t.Errorf("the program is lowered in two ways")
		}
		h, err := tr.Harness(p)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := trace.Replay(m, h, tr); err != nil {
			t.Errorf("the %s does not replay: %v", b.Kind, err)
		}
	}
}

// TestGoBMCRoots: a root that there is not is an error that says which there are.
func TestGoBMCRoots(t *testing.T) {
	opt := pipeline.BMCOptions{CSB: 1, Yields: "mr"}
	for root, want := range map[string]string{"TestNothing": "TestLostUpdate", "": "TestLostUpdate", "work": "TestLostUpdate"} {
		opt.Root = root
		_, err := pipeline.BMC(context.Background(), "gobmc", opt)
		if err == nil || !strings.Contains(err.Error(), "--root") {
			t.Errorf("%q: %v, want one that names %s", root, err, want)
		}
	}
}

// TestGoBMCRaces: on the annotated programs, every race that bmc finds is a real one, and
// none is missing where it says that there is no bug. What it finds depends on how far it
// gets in its time, what is wrong does not.
func TestGoBMCRaces(t *testing.T) {
	answers := map[diag.Answer]int{}
	limit := *bmcTimeout
	if testscope.All() {
		limit = 10 * time.Second
	}
	for i, f := range goPrograms(t) {
		if !testscope.Every(i, 8) {
			continue
		}
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "\npackage main\n") {
			continue
		}
		want, err := annotations(f)
		if err != nil {
			t.Fatal(err)
		}
		opt := pipeline.BMCOptions{Options: pipeline.Options{Root: "main", Jobs: 1, Timeout: limit}, CSB: 1, Unroll: 2, Yields: "mr"}
		rep, err := pipeline.BMC(context.Background(), filepath.Dir(f), opt)
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		run := &rep.Runs[0]
		answers[run.Answer]++
		for _, b := range run.Bugs {
			// which may be in the library: Done of a WaitGroup as a function value
			if b.Kind != "race" {
				continue
			}
			line := b.Place.Pos.Line
			if filepath.Base(b.Place.Pos.File) != filepath.Base(f) || filepath.Base(b.Other.Pos.File) != filepath.Base(f) {
				t.Errorf("%s: a race at %s and %s:\n%s", f, b.Place.Pos, b.Other.Pos, report.Interleaving(b.Execution))
				continue
			}
			if src := strings.Split(string(text), "\n"); strings.Contains(src[line-1], ".Wait()") {
				// with an Add from 0, which is a mistake, and no race of the program's
				// own accesses
				continue
			}
			races := func(line int) bool { return want[line] == "RACE!" || want[line] == "UNSEEN" }
			if !races(line) || !races(b.Other.Pos.Line) {
				t.Errorf("%s: a race at lines %d and %d:\n%s", f, line, b.Other.Pos.Line, report.Interleaving(b.Execution))
			}
		}
		racy := false
		for _, w := range want {
			racy = racy || w == "RACE!"
		}
		if racy && run.Answer == diag.NoBug {
			t.Errorf("%s: no bug, but there is a race", f)
		}
		if strings.Contains(run.Reason, "internal error") {
			t.Errorf("%s: %s", f, run.Reason)
		}
		t.Logf("%-22s %s %s", filepath.Base(filepath.Dir(f)), run.Answer, run.Reason)
	}
	t.Log(answers)
}
