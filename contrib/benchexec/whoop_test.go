package benchexec

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestToolInfo calls the module through a stand-in for BenchExec.
func TestToolInfo(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed")
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-B", filepath.Join("testdata", "try.py"))
	cmd.Env = append(os.Environ(), "PYTHONPATH="+here+string(os.PathListSeparator)+filepath.Join(here, "testdata"))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		var pair [2]any
		if err := json.Unmarshal([]byte(line), &pair); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		text, ok := pair[1].(string)
		if !ok {
			var words []string
			for _, w := range pair[1].([]any) {
				words = append(words, w.(string))
			}
			text = strings.Join(words, " ")
		}
		got[pair[0].(string)] = text
	}
	want := map[string]string{
		"name":        "Whoop",
		"version":     "bin/whoop version whoop ",
		"plain":       "bin/whoop check a.c",
		"all":         "bin/whoop check --engine bmc --property r.prp --data-model ILP32 a.c",
		"no model":    "bin/whoop check --property r.prp a.c",
		"bad model":   "UnsupportedFeatureException",
		"true":        "true",
		"false":       "false(no-data-race)",
		"false alone": "false",
		"unknown":     "unknown",
		"status":      "ERROR (exit status 1 with TRUE)",
		"signal":      "ERROR (exit status None with TRUE)",
		"two":         "ERROR (several answers)",
		"same twice":  "true",
		"none":        "ERROR (no answer)",
		"error":       "ERROR",
		"limit":       "unknown",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
