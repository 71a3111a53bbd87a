package bench

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whoop/bench/run"
	"whoop/bench/task"
)

func someRun(name, verdict string, cpu float64) Run {
	v, err := task.ParseVerdict(verdict)
	if err != nil {
		panic(err)
	}
	return Run{Task: name, Property: "no-data-race", Verdict: v, CPUSeconds: cpu}
}

func TestCompare(t *testing.T) {
	a := []Run{someRun("a", "TRUE", 8), someRun("b", "FALSE", 1), someRun("c", "TRUE", 2), someRun("d", "TIMEOUT", 60), someRun("e", "TRUE", 1),
		someRun("f", "TRUE", 0), someRun("g", "UNKNOWN", 1), someRun("x", "TRUE", 5)}
	b := []Run{someRun("a", "TRUE", 1), someRun("b", "FALSE(no-data-race)", 1), someRun("c", "FALSE", 2), someRun("d", "TRUE", 3), someRun("e", "UNKNOWN", 1),
		someRun("f", "TRUE", 0), someRun("g", "TIMEOUT", 1), someRun("y", "TRUE", 5)}
	c := Compare("A", a, "B", b)
	if c.Both != 3 || c.Contradicts != 1 || c.OnlyFirst != 1 || c.OnlySecond != 1 || c.Unmatched != 1 || len(c.Pairs) != 7 {
		t.Errorf("%+v", c)
	}
	if c.FirstCPU != 9 || c.SecondCPU != 2 || c.Total != 4.5 || c.Median != 1 || c.GeoMean < 1.999 || c.GeoMean > 2.001 {
		t.Errorf("%+v", c)
	}
	if c := Compare("A", nil, "B", b); c.GeoMean != 0 || c.Median != 0 || c.Total != 0 {
		t.Errorf("nothing to compare: %+v", c)
	}
	var out strings.Builder
	if err := Table(&out, &Results{Complete: true, Comparisons: []Comparison{c}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"CONTRADICTION", "8.00", "decided alike by both: 3; by A alone: 1; by B alone: 1; contradictions: 1; runs without a partner: 1",
		"geometric mean 2.00, median 1.00, of the totals 4.50"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}

const foreign = `<?xml version="1.0"?>
<!DOCTYPE result PUBLIC '+//IDN sosy-lab.org//DTD BenchExec result 2.3//EN' 'https://www.sosy-lab.org/benchexec/result-2.3.dtd'>
<result benchmarkname="b" tool="Other" version="1.2">
  <columns><column title="status"/></columns>
  <run name="../../sv-benchmarks/c/pthread/a.yml" files="[x]" properties="no-data-race" expectedVerdict="true">
    <column title="status" value="true"/><column title="cputime" value="1.5s"/><column title="walltime" value="0.8s"/>
    <column hidden="true" title="category" value="correct"/><column title="memory" value="2000000B"/></run>
  <run name="c/pthread/b.yml" properties="unreach-call"><column title="status" value="false(unreach-call)"/><column title="memUsage" value="77"/></run>
  <run name="c/pthread/c.yml"><column title="status" value="TIMEOUT"/></run>
  <run name="c/pthread/d.yml" properties="unreach-call"><column title="status" value="SEGMENTATION FAULT"/></run>
  <run name="c/pthread/e.yml" properties="unreach-call"/>
  <run name="x/pthread/f.yml" properties="unreach-call"><column title="status" value="true"/></run>
  <run name="y/pthread/f.yml" properties="unreach-call"><column title="status" value="false"/></run>
</result>
`

func TestReadXML(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.xml")
	write(t, path, foreign)
	b, err := ReadBaseline(path)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range b[0].Runs {
		got = append(got, r.Task+" "+r.Property+" "+r.Verdict.String())
	}
	want := "pthread/a no-data-race TRUE; pthread/b unreach-call FALSE(unreach-call); pthread/c  TIMEOUT; " +
		"pthread/d unreach-call ERROR(SEGMENTATION FAULT); pthread/e unreach-call ERROR(no status)"
	if strings.Join(got, "; ") != want {
		t.Errorf("%q", got)
	}
	if a := b[0].Runs[0]; a.CPUSeconds != 1.5 || a.WallSeconds != 0.8 || a.MemoryBytes != 2000000 || b[0].Runs[1].MemoryBytes != 77 {
		t.Errorf("%+v", b[0].Runs[:2])
	}
	if b[0].Name != "Other 1.2" || len(b[0].Notes) != 1 || !strings.Contains(b[0].Notes[0], "pthread/f (unreach-call) is there 2 times") {
		t.Errorf("%q %v", b[0].Name, b[0].Notes)
	}
	own := someRun("pthread/a", "FALSE", 3)
	own.Expected = task.Expected{Known: true, Holds: true}
	lone := someRun("pthread/c", "TRUE", 1)
	res := &Results{Configs: []Config{{Name: "x"}}, Runs: []Run{own, lone}}
	res.Runs[0].Config, res.Runs[1].Config = "x", "x"
	c := res.CompareWith(b)
	if len(c) != 1 || c[0].Contradicts != 1 || c[0].OnlyFirst != 1 || c[0].Pairs[0].Second.Class != task.CorrectTrue {
		t.Errorf("%+v", c)
	}
}

func TestReadBzip2(t *testing.T) {
	b, err := ReadBaseline("testdata/foreign.xml.bz2")
	if err != nil || len(b) != 1 || len(b[0].Runs) != 5 {
		t.Errorf("%v, %v", b, err)
	}
}

func TestBaselineErrors(t *testing.T) {
	dir := t.TempDir()
	head := "task,property,config,verdict,cpu_seconds,wall_seconds,memory_bytes\n"
	for name, c := range map[string][2]string{
		"a.xml":     {"", "not a result of BenchExec"},
		"b.xml":     {"<result>\n<run></result>", "line 2: not a result of BenchExec"},
		"c.xml":     {"<html/>", "no runs"},
		"d.xml":     {`<result><run name="q"><column title="cputime" value="fast"/></run></result>`, `run "q": cputime: "fast" is no number of s`},
		"e.xml.bz2": {"not packed", "bzip2"},
		"a.csv":     {"", "no table of bench"},
		"b.csv":     {"a,b\n", "there is no column task"},
		"c.csv":     {head, "no runs"},
		"d.csv":     {head + "a,b,c,TRUE,1,1,1\na,b,c,MAYBE,1,1,1\n", `line 3: verdict "MAYBE"`},
		"e.csv":     {head + "a,b,c,TRUE,-1,1,1\n", `line 2: "-1" is no number of s`},
		"a.txt":     {"", "want a table of bench"},
	} {
		path := filepath.Join(dir, name)
		write(t, path, c[0])
		if _, err := ReadBaseline(path); err == nil || !strings.Contains(err.Error(), c[1]) {
			t.Errorf("%s: %v, want %q", name, err, c[1])
		}
	}
	if _, err := ReadBaseline(filepath.Join(dir, "none.csv")); err == nil {
		t.Error("a file that is not there")
	}
}

func TestConfigs(t *testing.T) {
	for spec, want := range map[string]string{
		"check":                     "check --property p.prp --data-model ILP32 a.c b.c",
		"check:csb=3":               "check --property p.prp --data-model ILP32 --csb 3 a.c b.c",
		"bmc:mr":                    "check --property p.prp --data-model ILP32 --engine bmc --yields mr a.c b.c",
		"bmc:all:rounds-only:csb=2": "check --property p.prp --data-model ILP32 --engine bmc --yields all --rounds-only --csb 2 a.c b.c",
		"bmc:epp:csb=5":             "check --property p.prp --data-model ILP32 --engine bmc --yields epp --csb 5 a.c b.c",
		"verify":                    "check --property p.prp --data-model ILP32 --engine verify a.c b.c",
	} {
		c, err := ParseConfig(spec)
		if err != nil {
			t.Error(err)
			continue
		}
		tk := task.Task{Inputs: []string{"a.c", "b.c"}, DataModel: "ILP32", Property: task.Property{Name: "no-data-race", File: "p.prp"}}
		if got := strings.Join(c.arguments(&tk, ""), " "); got != want || c.Name != spec {
			t.Errorf("%s: %q, want %q", spec, got, want)
		}
	}
	for spec, want := range map[string]string{"": "unknown engine", "magic": "unknown engine", "bmc:fast": "want all, epp, mr or NAME=VALUE",
		"check:mr": "want NAME=VALUE", "check:=1": "want NAME=VALUE", "check,bmc:mr,check": `"check" a second time`, "check:x={inputs}": "want NAME=VALUE"} {
		if _, err := Configs(spec); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", spec, err, want)
		}
	}
}

// TestEnvironment: runs know the limit of memory, but where the user has set one.
func TestEnvironment(t *testing.T) {
	limited := Limits{Memory: 1000}
	if got := strings.Join(limited.environment([]string{"A=b"}), " "); got != "A=b GOMEMLIMIT=900" {
		t.Errorf("%q", got)
	}
	if got := strings.Join(limited.environment([]string{"GOMEMLIMIT=5"}), " "); got != "GOMEMLIMIT=5" {
		t.Errorf("%q where it is set", got)
	}
	if got := strings.Join(Limits{}.environment([]string{"A=b"}), " "); got != "A=b" {
		t.Errorf("%q without a limit", got)
	}
}

// TestOptionErrors: what keeps a bench run from beginning.
func TestOptionErrors(t *testing.T) {
	_, tasks := corpus(t, map[string][2]string{"f/a": {"say TRUE 0", "true"}})
	for want, change := range map[string]func(*Options){
		"the verifier":         func(o *Options) { o.Tool = "no-such-tool-at-all" },
		"0 jobs":               func(o *Options) { o.Jobs = 0 },
		"want configurations":  func(o *Options) { o.Configs = nil },
		"a limit is negative":  func(o *Options) { o.Limits.Wall = -1 },
		"not a directory":      func(o *Options) { o.Dir = os.Args[0] + "/x" },
		"two tasks of this na": func(o *Options) { tasks = append(tasks, tasks[0]) },
	} {
		o := options(t, t.TempDir(), "check")
		saved := tasks
		change(&o)
		if _, err := Execute(t.Context(), tasks, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		tasks = saved
	}
	o := options(t, t.TempDir(), "check")
	tasks[0].Language = "Java"
	res, err := Execute(t.Context(), tasks, o)
	if err != nil || res.Planned != 0 || len(res.Notes) != 1 || !strings.Contains(res.Notes[0], "written in Java") {
		t.Errorf("%+v, %v", res, err)
	}
	o.Runner = &run.Runner{Helper: []string{"/bin/false"}}
	tasks[0].Language = "C"
	res, err = Execute(t.Context(), tasks, o)
	if err != nil || len(res.Runs) != 1 || res.Runs[0].Verdict.Kind != task.Error || !strings.Contains(res.Notes[0], "will be tried again") {
		t.Errorf("a supervisor that fails: %+v, %v", res, err)
	}
	if n := lines(filepath.Join(o.Dir, JournalName)); n != 1 {
		t.Errorf("the journal has %d lines", n)
	}
}

func FuzzXML(f *testing.F) {
	f.Add([]byte(foreign))
	f.Fuzz(func(t *testing.T, src []byte) {
		b, err := readXML("x", strings.NewReader(string(src)))
		if err == nil && (len(b) != 1 || len(b[0].Runs) == 0) {
			t.Error("no runs and no error")
		}
	})
}

// FuzzJournal: a damaged journal is an error or its runs, never a crash.
func FuzzJournal(f *testing.F) {
	f.Add("{\"schema\":1}\n{\"key\":\"k\",\"run\":{\"verdict\":\"TRUE\",\"class\":\"unknown\",\"expected\":\"\"}}\n")
	f.Fuzz(func(t *testing.T, text string) {
		j := &journal{done: map[string]Run{}}
		if err := j.read("j", []byte(text), header{Schema: 1}); err == nil && len(j.done) > strings.Count(text, "\n") {
			t.Errorf("%d runs", len(j.done))
		}
	})
}

func FuzzCSV(f *testing.F) {
	f.Add("task,property,config,verdict,cpu_seconds,wall_seconds,memory_bytes\na,b,c,TRUE,1,1,1\n")
	f.Fuzz(func(t *testing.T, src string) {
		b, err := readCSV("x", strings.NewReader(src))
		if err == nil && len(b) == 0 {
			t.Error("no runs and no error")
		}
	})
}
