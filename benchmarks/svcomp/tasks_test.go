package svcomp_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"whoop/internal/testscope"
)

// task is a task definition, as far as ours use the format. Pointers tell what is
// missing.
type task struct {
	Format     string     `yaml:"format_version"`
	Input      string     `yaml:"input_files"`
	Properties []property `yaml:"properties"`
	Options    struct {
		Language  string `yaml:"language"`
		DataModel string `yaml:"data_model"`
	} `yaml:"options"`
}

type property struct {
	File        string `yaml:"property_file"`
	Verdict     *bool  `yaml:"expected_verdict"`
	Subproperty string `yaml:"subproperty"`
}

// name is the property's name, which is that of its file.
func (p property) name() string { return strings.TrimSuffix(filepath.Base(p.File), ".prp") }

// glob is filepath.Glob, sorted and never empty.
func glob(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no file %s", pattern)
	}
	slices.Sort(files)
	return files
}

func readTask(t *testing.T, file string) task {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var k task
	dec := yaml.NewDecoder(f)
	dec.KnownFields(true)
	if err := dec.Decode(&k); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return k
}

// TestEveryProgramHasATask: programs and task definitions come in pairs, and there are
// enough of them.
func TestEveryProgramHasATask(t *testing.T) {
	programs, tasks := glob(t, "*/*.c"), glob(t, "*/*.yml")
	if len(programs) < 150 {
		t.Errorf("%d programs, at least 150 wanted", len(programs))
	}
	for _, c := range programs {
		if y := strings.TrimSuffix(c, ".c") + ".yml"; !slices.Contains(tasks, y) {
			t.Errorf("%s has no %s", c, y)
		}
	}
}

// TestDefinitions: the files of a task exist, its verdicts are booleans, each property is
// named once.
func TestDefinitions(t *testing.T) {
	for _, y := range glob(t, "*/*.yml") {
		k := readTask(t, y)
		if k.Format != "2.0" || k.Options.Language != "C" || k.Options.DataModel != "LP64" && k.Options.DataModel != "ILP32" {
			t.Errorf("%s: format %q, options %v", y, k.Format, k.Options)
		}
		if want := strings.TrimSuffix(filepath.Base(y), ".yml") + ".c"; k.Input != want {
			t.Errorf("%s: input file %q, want %q", y, k.Input, want)
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(y), k.Input)); err != nil {
			t.Errorf("%s: %v", y, err)
		}
		checkProperties(t, y, k)
	}
}

func checkProperties(t *testing.T, y string, k task) {
	t.Helper()
	seen := map[string]bool{}
	for _, p := range k.Properties {
		if _, err := os.Stat(filepath.Join(filepath.Dir(y), p.File)); err != nil {
			t.Errorf("%s: %v", y, err)
		}
		if p.Verdict == nil {
			t.Errorf("%s: %s has no verdict", y, p.File)
			continue
		}
		if seen[p.name()] {
			t.Errorf("%s: %s twice", y, p.name())
		}
		seen[p.name()] = true
		parts := []string{"valid-free", "valid-deref", "valid-memtrack"}
		if needs := p.name() == "valid-memsafety" && !*p.Verdict; needs != slices.Contains(parts, p.Subproperty) {
			t.Errorf("%s: subproperty %q of %s: %v", y, p.Subproperty, p.name(), *p.Verdict)
		}
	}
	if len(seen) == 0 {
		t.Errorf("%s: no property", y)
	}
}

// reason is a line of the first comment that gives a verdict.
var reason = regexp.MustCompile(`(?m)^ \* (unreach-call|no-[a-z-]+|valid-memsafety|valid-memcleanup|termination): (true|false)(?: \(([a-z-]+)\))?, \S`)

// TestReasons: a program begins with a comment, which says what the program does and
// gives the verdicts of the definition with reasons.
func TestReasons(t *testing.T) {
	for _, y := range glob(t, "*/*.yml") {
		c := strings.TrimSuffix(y, ".yml") + ".c"
		text, err := os.ReadFile(c)
		if err != nil {
			t.Error(err)
			continue
		}
		comment, _, closed := strings.Cut(string(text), "*/")
		if !closed || !strings.HasPrefix(comment, "/*\n * ") {
			t.Errorf("%s does not begin with a comment", c)
			continue
		}
		var said, defined []string
		for _, m := range reason.FindAllStringSubmatch(comment, -1) {
			said = append(said, fmt.Sprintf("%s: %s (%s)", m[1], m[2], m[3]))
		}
		for _, p := range readTask(t, y).Properties {
			if p.Verdict != nil {
				defined = append(defined, fmt.Sprintf("%s: %t (%s)", p.name(), *p.Verdict, p.Subproperty))
			}
		}
		if !slices.Equal(said, defined) {
			t.Errorf("%s: the comment says %q, the definition %q", c, said, defined)
		}
	}
}

// TestSets: each family has a set of all its tasks, and all.set has all families.
func TestSets(t *testing.T) {
	listed := map[string][]string{}
	for _, set := range glob(t, "*.set") {
		text, err := os.ReadFile(set)
		if err != nil {
			t.Fatal(err)
		}
		for _, pattern := range strings.Fields(string(text)) {
			listed[set] = append(listed[set], glob(t, pattern)...)
		}
		slices.Sort(listed[set])
	}
	families := map[string][]string{"all.set": glob(t, "*/*.yml")}
	for _, y := range families["all.set"] {
		set := filepath.Dir(y) + ".set"
		families[set] = append(families[set], y)
	}
	for set, want := range families {
		if !slices.Equal(listed[set], want) {
			t.Errorf("%s lists %d tasks, want the %d of its family", set, len(listed[set]), len(want))
		}
	}
	for set := range listed {
		if families[set] == nil {
			t.Errorf("%s is the set of no family", set)
		}
	}
}

// TestBalance: every family has tasks of either verdict.
func TestBalance(t *testing.T) {
	count := map[string]map[bool]int{}
	for _, y := range glob(t, "*/*.yml") {
		buggy := false
		for _, p := range readTask(t, y).Properties {
			buggy = buggy || p.Verdict != nil && !*p.Verdict
		}
		family := filepath.Dir(y)
		if count[family] == nil {
			count[family] = map[bool]int{}
		}
		count[family][buggy]++
	}
	for family, n := range count {
		if total := n[true] + n[false]; total < 10 || 4*n[true] < total || 4*n[false] < total {
			t.Errorf("%s: %d tasks with a bug, %d without", family, n[true], n[false])
		}
	}
}

// TestPrograms: the C compiler takes every program without a warning.
func TestPrograms(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	testscope.Brief(t, "it runs gcc")
	args := append([]string{"-fsyntax-only", "-Wall", "-Werror"}, glob(t, "*/*.c")...)
	if out, err := exec.Command(gcc, args...).CombinedOutput(); err != nil {
		t.Errorf("gcc: %v\n%s", err, out)
	}
}
