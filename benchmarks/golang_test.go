package benchmarks

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"whoop/benchmarks/expect"
	"whoop/diag"
	"whoop/pipeline"
)

// TestGolang verifies every annotated Go program: no race may be missed, and false alarms
// must be annotated with RACE and their cause.
func TestGolang(t *testing.T) {
	dirs := goPrograms(t)
	if len(dirs) < 80 {
		t.Fatalf("only %d programs found", len(dirs))
	}
	var all []outcome
	for _, f := range dirs {
		t.Run(strings.TrimPrefix(filepath.Dir(f), "golang/"), func(t *testing.T) { all = append(all, checkGo(t, f)) })
	}
	t.Log("\n" + table(all))
}

// TestGoAlarmsAreListed: every Go program with a known false alarm is in
// docs/explanation/go-limits.md, and no other is in its table.
func TestGoAlarmsAreListed(t *testing.T) {
	doc, err := os.ReadFile("../docs/explanation/go-limits.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(doc), "| cause |")
	table, _, _ = strings.Cut(table, "\n\n")
	known := map[string]bool{}
	for _, f := range goPrograms(t) {
		want, err := annotations(f)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(filepath.Dir(f), "golang/")
		known[name] = known[name] || slices.Contains(slices.Collect(maps.Values(want)), expect.Alarm)
	}
	for name, alarm := range known {
		if in := strings.Contains(table, "`"+name+"`"); in != alarm {
			t.Errorf("%s: known false alarm %t, listed in docs/explanation/go-limits.md %t", name, alarm, in)
		}
	}
}

// goPrograms lists the files of the corpus: programs and libraries of one file each,
// without the tests that drive libraries.
func goPrograms(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, g := range []string{"golang/*/*.go", "golang/rare/*/*.go", "golang/kernels/*/*.go", "golang/misuse/*/*.go", "golang/users/*/*.go"} {
		fs, err := filepath.Glob(g)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, slices.DeleteFunc(fs, func(f string) bool { return strings.HasSuffix(f, "_test.go") })...)
	}
	return out
}

// checkGo verifies one program and holds the report against its annotations.
func checkGo(t *testing.T, f string) outcome {
	t.Helper()
	want, err := annotations(f)
	if err != nil {
		t.Fatal(err)
	}
	rep, err := pipeline.Verify(context.Background(), filepath.Dir(f), pipeline.Options{Jobs: 2, Warnings: true})
	if err != nil {
		t.Fatal(err)
	}
	checkMisuse(t, f, rep)
	checkNames(t, rep)
	o := outcome{expect.Compare(want, reported(rep, f)), filepath.Dir(filepath.Dir(f)) + "/x", rep.Seconds}
	if len(o.Missed) > 0 {
		t.Errorf("missed races at lines %v", o.Missed)
	}
	if len(o.Alarms) > 0 {
		t.Errorf("false alarms at lines %v", o.Alarms)
	}
	if len(o.Gone) > 0 {
		t.Errorf("no longer reported, RACE should become NORACE: lines %v", o.Gone)
	}
	if len(o.Seen) > 0 {
		t.Errorf("reported, UNSEEN should become RACE!: lines %v", o.Seen)
	}
	if rep.Verdict == diag.Unknown {
		t.Error(undecided(rep))
	}
	checkRuledOut(t, f, pipeline.Options{Jobs: 2}, rep, o.Outcome, want)
	return o
}

// TestGolangSessionFlag: the transactions that are begun with one value of a flag are
// looked at apart from the others, so those that write are proved to hold their lock
// until the end.
func TestGolangSessionFlag(t *testing.T) {
	rep, err := pipeline.Verify(context.Background(), "golang/lib_session_walk", pipeline.Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	const writes = "(*Store).Begin(writable=true)"
	for _, p := range rep.Pairs {
		if p.First == writes && p.Second == writes {
			if p.Verdict != diag.RaceFree {
				t.Errorf("%s against itself is %s", writes, p.Verdict)
			}
			return
		}
	}
	t.Errorf("no entry point %s", writes)
}

// TestGolangReuse: that a WaitGroup is used again too early is a kind of its own.
func TestGolangReuse(t *testing.T) {
	rep, err := pipeline.Verify(context.Background(), "golang/misuse/wait_reuse", pipeline.Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rep.Races {
		if r.Kind != diag.WaitReuse {
			t.Errorf("%v and %v: %s", r.First.Pos, r.Second.Pos, r.Kind)
		}
	}
}

// TestGolangGiven: a function without a name is named by whom it is given to, and where.
func TestGolangGiven(t *testing.T) {
	rep, err := pipeline.Verify(context.Background(), "golang/handler_given", pipeline.Options{Jobs: 2})
	if err != nil {
		t.Fatal(err)
	}
	const name = "function given to http.HandleFunc at main.go:19"
	if !slices.ContainsFunc(rep.Pairs, func(p diag.Pair) bool { return p.First == name && p.Second == name }) {
		t.Errorf("no entry point %q", name)
	}
}

// checkMisuse holds the warnings about WaitGroups and channels against the lines that
// have "WARN: kind" in their comment.
func checkMisuse(t *testing.T, f string, rep *diag.Report) {
	t.Helper()
	text, err := os.ReadFile(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	want := strings.Count(string(text), "WARN: ")
	for _, w := range rep.Findings {
		switch {
		case !slices.Contains([]string{"waitgroup-add", "close-send", "double-close", "nil-channel"}, w.Kind):
		case strings.Contains(lines[w.Pos.Line-1], "WARN: "+w.Kind):
			want--
		default:
			t.Errorf("line %d: false %s: %s", w.Pos.Line, w.Kind, w.Message)
		}
	}
	if want != 0 {
		t.Errorf("%d warnings are missing", want)
	}
}

// checkNames: reports do not name what the lowering made up: members that begin with two
// underscores, and locks for orders, such as a WaitGroup's.
func checkNames(t *testing.T, rep *diag.Report) {
	t.Helper()
	var names []string
	for _, c := range rep.Orders {
		names = append(names, c.First.Held, c.First.Wanted)
	}
	for _, r := range rep.Races {
		names = append(names, r.Region)
		for _, l := range slices.Concat(r.First.Locks, r.Second.Locks) {
			if l, _, _ := strings.Cut(l, " ("); l == "wg" || strings.HasSuffix(l, ".wg") {
				t.Errorf("a WaitGroup is no lock: %s", l)
			}
			names = append(names, l)
		}
	}
	for _, n := range names {
		if strings.Contains(n, ".__") {
			t.Errorf("the program has no %s", n)
		}
	}
}

// TestGolangCauses: every known false alarm and every race that is not seen says why it
// is there.
func TestGolangCauses(t *testing.T) {
	for _, f := range goPrograms(t) {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			for _, mark := range []string{"// RACE", "// UNSEEN"} {
				_, c, ok := strings.Cut(line, mark)
				if ok && !strings.HasPrefix(c, "!") && !strings.HasPrefix(c, ": ") {
					t.Errorf("%s:%d: a known false alarm, or an unseen race, without its cause", f, i+1)
				}
			}
		}
	}
}

// TestGolangBMC: bmc confirms races of programs, and finds none where they are repaired.
func TestGolangBMC(t *testing.T) {
	opt := pipeline.BMCOptions{CSB: 2, Yields: "mr"}
	for dir, want := range map[string]diag.Answer{"two_mutexes": diag.HasBug, "wg_done_early": diag.HasBug, "counter_mutex": diag.NoBug, "chan_done": diag.NoBug, "double_checked": diag.HasBug} {
		rep, err := pipeline.BMC(context.Background(), "golang/"+dir, opt)
		if err != nil {
			t.Errorf("%s: %v", dir, err)
			continue
		}
		if got := rep.Runs[0].Answer; got != want {
			t.Errorf("%s: %s, want %s", dir, got, want)
		}
	}
}

// TestGolangModule: the corpus can be read as one module, as a user has it who asks for
// "./...": as one program, and as one program for each of its parts, which have nothing
// in common.
func TestGolangModule(t *testing.T) {
	if _, err := pipeline.Load("./golang/...", pipeline.Options{}); err != nil {
		t.Errorf("as one program: %v", err)
	}
	const pair = "lib_cache: (*Cache[K, V]).Get,lib_cache: (*Cache[K, V]).Set"
	rep, err := pipeline.Verify(context.Background(), "./golang/...", pipeline.Options{Jobs: 2, Pairs: []string{pair}})
	if err != nil || len(rep.Pairs) != 1 || rep.Verdict == diag.Unknown {
		t.Errorf("%v, %v", rep, err)
	}
}
