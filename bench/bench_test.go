package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"whoop/bench/run"
	"whoop/bench/task"
	"whoop/internal/testscope"
)

// TestMain makes this test program also the supervisor, the verifier, and a bench run to
// be killed.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case run.HelperArgument:
			os.Exit(run.Supervise())
		case "check":
			os.Exit(fakeCheck(os.Args[2:]))
		case "bench-to-be-killed":
			os.Exit(benchChild(os.Args[2], os.Args[3]))
		}
	}
	// else the race detector lets each process sleep for a second at its end
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0")
	os.Exit(m.Run())
}

// fakeCheck is a verifier that does what the program's first line says.
func fakeCheck(args []string) int {
	text, err := os.ReadFile(args[len(args)-1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	line, _, _ := strings.Cut(string(text), "\n")
	word, rest, _ := strings.Cut(strings.TrimPrefix(line, "// "), " ")
	fmt.Fprintln(os.Stderr, "fake verifier:", strings.Join(args, " "))
	if i := slices.Index(args, "--witness"); i >= 0 {
		_ = os.WriteFile(args[i+1], []byte("witness\n"), 0o666)
	}
	switch word {
	case "say": // ANSWER STATUS
		answer, status, _ := strings.Cut(rest, " ")
		fmt.Println(answer)
		n, _ := strconv.Atoi(status)
		return n
	case "twice":
		fmt.Println("TRUE\nFALSE(no-data-race)")
		return 0
	case "burn":
		for {
		}
	case "sleep":
		time.Sleep(time.Minute)
	case "eat":
		b := make([]byte, 300<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		time.Sleep(time.Second)
		fmt.Println(len(b))
	case "crash":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		time.Sleep(time.Second)
	}
	return 0
}

// corpus writes tasks about races, one for each first line and expected verdict, and
// loads them.
func corpus(t *testing.T, programs map[string][2]string) (string, []task.Task) {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "race.prp"), "CHECK( init(main()), LTL(G ! data-race) )\n")
	for name, p := range programs {
		write(t, filepath.Join(dir, name+".c"), "// "+p[0]+"\n")
		yml := "format_version: '2.0'\ninput_files: " + filepath.Base(name) + ".c\nproperties:\n  - property_file: ../race.prp\n"
		if p[1] != "" {
			yml += "    expected_verdict: " + p[1] + "\n"
		}
		write(t, filepath.Join(dir, name+".yml"), yml)
	}
	s, err := task.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir, s.Tasks()
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// options are those of most tests.
func options(t *testing.T, dir, configs string) Options {
	t.Helper()
	o, err := makeOptions(dir, configs)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func makeOptions(dir, configs string) (Options, error) {
	c, err := Configs(configs)
	if err != nil {
		return Options{}, err
	}
	self, err := os.Executable()
	return Options{Tool: self, Version: "test", Configs: c, Jobs: 2, Dir: dir, Runner: run.New(),
		Limits: Limits{CPU: 20 * time.Second, Wall: time.Minute, Memory: 1 << 30}}, err
}

// TestExecute: every way a run can end, what it is classified as, and what is written.
func TestExecute(t *testing.T) {
	_, tasks := corpus(t, map[string][2]string{
		"f/ok": {"say TRUE 0", "true"}, "f/missed": {"say TRUE 0", "false"}, "f/found": {"say FALSE(no-data-race) 1", "false"},
		"f/alarm": {"say FALSE(no-data-race) 1", "true"}, "f/open": {"say UNKNOWN(loop) 3", "true"}, "f/other": {"say FALSE(unreach-call) 1", "true"},
		"g/crash": {"crash", "true"}, "g/burn": {"burn", "true"}, "g/sleep": {"sleep", "true"}, "g/eat": {"eat", "false"},
		"g/silent": {"nothing", "true"}, "g/status": {"say TRUE 1", "true"}, "g/two": {"twice", "true"}, "g/bad": {"say oops 2", "true"},
		"g/free": {"say TRUE 0", ""},
	})
	o := options(t, t.TempDir(), "check")
	o.Limits = Limits{CPU: time.Second, Wall: 4 * time.Second, Memory: 200 << 20}
	last := 0
	o.Progress = func(done, total int, r *Run) {
		if done != last+1 || total != len(tasks) || r == nil {
			t.Errorf("progress %d of %d after %d", done, total, last)
		}
		last = done
	}
	res, err := Execute(t.Context(), tasks, o)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"f/ok": "TRUE, correct true, 2", "f/missed": "TRUE, wrong true, -32", "f/found": "FALSE(no-data-race), correct false, 1",
		"f/alarm": "FALSE(no-data-race), wrong false, -16", "f/open": "UNKNOWN(loop), unknown, 0", "f/other": "FALSE(unreach-call), unknown, 0",
		"g/crash": "ERROR(SIGKILL), unknown, 0", "g/burn": "TIMEOUT, unknown, 0", "g/sleep": "TIMEOUT, unknown, 0", "g/eat": "OUT OF MEMORY, unknown, 0",
		"g/silent": "ERROR(no answer), unknown, 0", "g/status": "ERROR(exit status 1, but the answer TRUE), unknown, 0",
		"g/two": "ERROR(several answers: TRUE and FALSE(no-data-race)), unknown, 0", "g/bad": "ERROR(exit status 2), unknown, 0",
		"g/free": "TRUE, no expectation, 0"}
	got := map[string]string{}
	for _, r := range res.Runs {
		got[r.Task] = fmt.Sprintf("%s, %s, %d", r.Verdict, r.Class, r.Score)
		log, err := os.ReadFile(filepath.Join(o.Dir, r.Log))
		if err != nil || !strings.Contains(string(log), "--data-model LP64") {
			t.Errorf("%s: log %q, %v", r.Task, log, err)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	checkSummary(t, res)
	checkFiles(t, o.Dir, res)
}

func checkSummary(t *testing.T, res *Results) {
	t.Helper()
	all := res.Overall()
	if len(all) != 1 || !res.Complete || res.Wrong() != 2 {
		t.Fatalf("%+v", all)
	}
	s := all[0]
	s.CPUSeconds, s.WallSeconds, s.MaxMemory, s.Share = 0, 0, 0, 0
	want := Summary{Config: "check", Tasks: 15, CorrectTrue: 1, CorrectFalse: 1, Unknown: 10, Timeouts: 2, OutOfMemory: 1, Errors: 5,
		WrongTrue: 1, WrongFalse: 1, Missing: 1, Score: -45, MaxScore: 11*2 + 3*1}
	if diff := cmp.Diff(want, s); diff != "" {
		t.Error(diff)
	}
	sum := 0
	for _, s := range res.Summaries {
		if s.Family != "" {
			sum += s.Tasks
		}
	}
	if sum != s.Tasks {
		t.Errorf("%d tasks in families, %d in all", sum, s.Tasks)
	}
}

// checkFiles writes the files and reads them back.
func checkFiles(t *testing.T, dir string, res *Results) {
	t.Helper()
	if err := WriteFiles(dir, res); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "results.json"))
	if err != nil {
		t.Fatal(err)
	}
	var back Results
	if err := json.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(res, &back); diff != "" {
		t.Error(diff)
	}
	base, err := ReadBaseline(filepath.Join(dir, "results.csv"))
	if err != nil || len(base) != 1 || base[0].Config != "check" || len(base[0].Runs) != len(res.Runs) {
		t.Fatalf("%v, %v", base, err)
	}
	c := res.CompareWith(base)
	if len(c) != 1 || c[0].Contradicts != 0 || c[0].Unmatched != 0 || c[0].Both != 6 {
		t.Errorf("%+v", c)
	}
	table, err := os.ReadFile(filepath.Join(dir, "table.txt"))
	for _, want := range []string{"WRONG: f/missed (no-data-race) under check: TRUE, expected false, see logs/check/f/missed.no-data-race.log",
		"2 timeouts, 1 out of memory, 5 errors, 2 others; 1 answers that nothing is expected for", "max score"} {
		if err != nil || !strings.Contains(string(table), want) {
			t.Errorf("table.txt has no %q:\n%s", want, table)
		}
	}
}

// many is tasks of all answers, in three families.
func many(n int) map[string][2]string {
	out := map[string][2]string{}
	for i := range n {
		p := [][2]string{{"say TRUE 0", "true"}, {"say FALSE(no-data-race) 1", "false"}, {"say UNKNOWN(n) 3", "true"}, {"crash", "false"}, {"say TRUE 0", "false"}}[i%5]
		out[fmt.Sprintf("f%d/t%03d", i%3, i)] = p
	}
	return out
}

// untimed is results without what differs from run to run.
func untimed(r *Results) *Results {
	text, _ := json.Marshal(r)
	var c Results
	_ = json.Unmarshal(text, &c)
	for i := range c.Runs {
		c.Runs[i].CPUSeconds, c.Runs[i].WallSeconds, c.Runs[i].MemoryBytes = 0, 0, 0
	}
	for i := range c.Summaries {
		c.Summaries[i].CPUSeconds, c.Summaries[i].WallSeconds, c.Summaries[i].MaxMemory = 0, 0, 0
	}
	return &c
}

// benchChild runs tasks until it is killed.
func benchChild(tasks, out string) int {
	s, err := task.Load(tasks)
	if err != nil {
		return 2
	}
	o, err := makeOptions(out, "check")
	if err != nil {
		return 2
	}
	if _, err := Execute(context.Background(), s.Tasks(), o); err != nil {
		return 2
	}
	return 0
}

// lines is how many whole lines a file has.
func lines(path string) int {
	text, _ := os.ReadFile(path)
	return strings.Count(string(text), "\n")
}

// TestResume: 150 tasks, or fewer, killed half-way, then interrupted, then resumed: the
// results are those of one run.
func TestResume(t *testing.T) {
	n := max(testscope.Fewer(testscope.Count(60, 150)), 30)
	dir, tasks := corpus(t, many(n))
	plain, err := Execute(t.Context(), tasks, options(t, t.TempDir(), "check"))
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out")
	journal := filepath.Join(out, JournalName)
	self, _ := os.Executable()
	cmd := exec.Command(self, "bench-to-be-killed", dir, out)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines(journal) < n*2/5 {
		time.Sleep(5 * time.Millisecond)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	f, err := os.OpenFile(journal, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, `{"key":"half a li`)
	f.Close()
	killed := lines(journal) - 1
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	o := options(t, out, "check")
	first := 0
	o.Progress = func(done, total int, r *Run) {
		if r == nil {
			first = done
		}
		if done >= killed+n/8 {
			cancel()
		}
	}
	part, err := Execute(ctx, tasks, o)
	if err != nil || part.Complete || len(part.Runs) < killed+n/8 || first != killed {
		t.Fatalf("interrupted: %d runs, %d of them taken over, %d were there, %v", len(part.Runs), first, killed, err)
	}
	res, err := Execute(t.Context(), tasks, options(t, out, "check"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(untimed(plain), untimed(res)); diff != "" {
		t.Error(diff)
	}
	if l := lines(journal); l != n+1 {
		t.Errorf("the journal has %d lines", l)
	}
	o = options(t, out, "check")
	o.Progress = func(_, _ int, r *Run) {
		if r != nil {
			t.Errorf("%s was run again", r.Task)
		}
	}
	if again, err := Execute(t.Context(), tasks, o); err != nil || !cmp.Equal(res, again) {
		t.Errorf("nothing to do, but other results: %v", err)
	}
}

// TestJournal: what a journal is refused for, and what of it counts.
func TestJournal(t *testing.T) {
	dir, tasks := corpus(t, many(5))
	out := t.TempDir()
	if _, err := Execute(t.Context(), tasks, options(t, out, "check")); err != nil {
		t.Fatal(err)
	}
	refused := func(change func(*Options), want string) {
		t.Helper()
		o := options(t, out, "check")
		change(&o)
		if _, err := Execute(t.Context(), tasks, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	refused(func(o *Options) { o.Limits.CPU = time.Minute }, "CPU limit (s) 20, now 60")
	refused(func(o *Options) { o.Limits.Memory = 7 }, "memory limit (bytes) 1073741824, now 7")
	refused(func(o *Options) { o.Configs[0].Args = []string{"{inputs}"} }, "command lines")
	refused(func(o *Options) { o.Configs, _ = Configs("bmc:mr,bmc:all") }, "configurations check, now bmc:mr,bmc:all")
	refused(func(o *Options) { o.Tool = "/bin/true" }, "another build of the verifier")
	// A changed program is run again, a changed expectation is not.
	write(t, filepath.Join(dir, "f0", "t000.c"), "// say UNKNOWN(new) 3\n")
	tasks[1].Expected = task.Expected{Known: true, Holds: false}
	o := options(t, out, "check")
	var ran []string
	o.Progress = func(_, _ int, r *Run) {
		if r != nil {
			ran = append(ran, r.Task)
		}
	}
	res, err := Execute(t.Context(), tasks, o)
	if err != nil || strings.Join(ran, " ") != "f0/t000" {
		t.Fatalf("ran %v, %v", ran, err)
	}
	if res.Runs[1].Expected != tasks[1].Expected || len(res.Notes) != 1 || !strings.Contains(res.Notes[0], "1 runs in the journal") {
		t.Errorf("%+v, %v", res.Runs[1], res.Notes)
	}
	j, err := openJournal(out, header{}, true)
	if err != nil {
		t.Fatal(err)
	}
	refused(func(o *Options) {}, "is in use")
	if err := j.close(); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(out, JournalName), "hello\n")
	refused(func(o *Options) {}, "journal.jsonl:1: not a journal")
	o.Fresh = true
	if _, err := Execute(t.Context(), tasks, o); err != nil {
		t.Error(err)
	}
	text, _ := os.ReadFile(filepath.Join(out, JournalName))
	head, rest, _ := strings.Cut(string(text), "\n")
	write(t, filepath.Join(out, JournalName), head+"\n{broken\n"+rest)
	refused(func(o *Options) {}, "journal.jsonl:2: not a run")
}

// TestCompareConfigs: both configurations on a task one after the other, and the
// comparison.
func TestCompareConfigs(t *testing.T) {
	_, tasks := corpus(t, map[string][2]string{"f/a": {"say TRUE 0", "true"}, "f/b": {"say FALSE(no-data-race) 1", "false"}, "f/c": {"crash", "true"}})
	o := options(t, t.TempDir(), "bmc:all,bmc:mr")
	o.Jobs = 1
	for i := range o.Configs {
		o.Configs[i] = o.Configs[i].WithWitness()
	}
	var order []string
	o.Progress = func(_, _ int, r *Run) { order = append(order, r.Task+" "+r.Config) }
	res, err := Execute(t.Context(), tasks, o)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(order, ", "); got != "f/a bmc:all, f/a bmc:mr, f/b bmc:all, f/b bmc:mr, f/c bmc:all, f/c bmc:mr" {
		t.Error(got)
	}
	if len(res.Comparisons) != 1 || res.Comparisons[0].Both != 2 || len(res.Comparisons[0].Pairs) != 3 {
		t.Errorf("%+v", res.Comparisons)
	}
	for _, r := range res.Runs {
		if text, err := os.ReadFile(filepath.Join(o.Dir, r.Witness)); err != nil || string(text) != "witness\n" {
			t.Errorf("%s: witness %q: %v", r.Task, r.Witness, err)
		}
	}
}
