package lockuse

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"whoop/analysis/dataflow"
	"whoop/diag"
	"whoop/frontend/golang/program"
)

// find returns the findings of one file as a main package.
func find(t *testing.T, file string) []diag.Finding {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, s := range map[string]string{"go.mod": "module example.com/m\n\ngo 1.26\n", "m.go": string(text)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	src, err := program.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return Find(src)
}

// TestFind: the findings are exactly those of the WANT comments: kind and part of the
// message.
func TestFind(t *testing.T) {
	for _, file := range []string{"testdata/copy.go", "testdata/blocking.go", "testdata/misuse.go"} {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]bool{}
			for i, line := range strings.Split(string(text), "\n") {
				for _, w := range strings.Split(line, "// WANT ")[1:] {
					want[fmt.Sprintf("%d %s", i+1, strings.TrimSpace(w))] = true
				}
			}
			if len(want) < 10 {
				t.Fatalf("only %d expectations", len(want))
			}
			for _, f := range find(t, file) {
				if !met(want, f) {
					t.Errorf("%d: unexpected %s: %s", f.Pos.Line, f.Kind, f.Message)
				}
				if f.Level != diag.Warning || f.Function == "" || f.Subject == "" || f.Kind == ruleBlock && len(f.Related) == 0 {
					t.Errorf("incomplete: %+v", f)
				}
			}
			for w := range want {
				t.Errorf("%s: not found", w)
			}
		})
	}
}

// met takes the expectation out that a finding meets.
func met(want map[string]bool, f diag.Finding) bool {
	for w := range want {
		var line int
		var kind string
		fmt.Sscan(w, &line, &kind)
		_, part, _ := strings.Cut(w, kind+" ")
		if line == f.Pos.Line && kind == f.Kind && strings.Contains(f.Message, part) {
			delete(want, w)
			return true
		}
	}
	return false
}

// TestLattice: the laws hold.
func TestLattice(t *testing.T) {
	a, b := lock{"a", 1}, lock{"b", 2}
	samples := []state{{}, {all: true}, {locks: []lock{a}}, {locks: []lock{b}}, {locks: []lock{a, b}}, {locks: []lock{{"a", 3}}}}
	if err := dataflow.CheckLaws(states{}, samples); err != nil {
		t.Error(err)
	}
	if err := dataflow.CheckMonotone(states{}, samples, func(s state) state {
		if s.all {
			return s
		}
		return s.with(lock{"c", 4}).without("a")
	}); err != nil {
		t.Error(err)
	}
}
