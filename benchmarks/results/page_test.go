package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPage: the page counts what the runs' files say, and leaves out tables without a
// run.
func TestPage(t *testing.T) {
	dir := t.TempDir()
	marked := filepath.Join(dir, "a.c")
	files := map[string]string{
		marked: "x // RACE!\ny // RACE!\nz // RACE: why\n",
		filepath.Join(dir, "check", "own", "results.json"): `{"complete": true, "cpu_limit_seconds": 20, "summaries": [
			{"config": "check", "tasks": 3, "correct_true": 1, "correct_false": 1, "unknown": 1, "score": 3, "max_score": 5, "cpu_seconds": 7},
			{"config": "check", "family": "locks", "tasks": 3}]}`,
		filepath.Join(dir, "explore.txt"): "BenchmarkOptimal/readers15-2   1   422594752 ns/op   0.2133 cpu-s/op   153592 executions/cpu-s\n",
	}
	for f, text := range files {
		if err := os.MkdirAll(filepath.Dir(f), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	racy := json.RawMessage(`{"verdict": "racy", "races": [{"field": "f", "accesses": [{"file": "a.c", "line": 1}, {"file": "a.c", "line": 3}]}]}`)
	p := Page{Date: "2000-01-01", Commit: "abc", Machine: "one", Sets: []measured{
		{set{Title: "mine", Command: "verify", Marked: true}, []run{{File: marked, CPU: 1.4, Report: racy}, {File: marked}}},
		{set{Title: "theirs", Command: "verify"}, []run{{Name: "b.i", Error: "no such\nthing"}}},
	}}
	if err := p.read(dir); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	p.write(&b)
	for _, want := range []string{
		"on 2000-01-01, at commit abc.",
		// the program without a report is undecided
		"| mine | 2 | 4 | 1 | 1 | 0 | 1 | 1 |\n",
		"| b | no report: no such |",
		"| own | check | all | 3 | 1 | 1 | 1 | 0 | 3 | 5 | 7 | 20 |\n",
		"| readers15 | 0.2133 | 153592 |\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in the page:\n%s", want, b.String())
		}
	}
	for _, not := range []string{"locks", "## bmc"} {
		if strings.Contains(b.String(), not) {
			t.Errorf("%q is in the page:\n%s", not, b.String())
		}
	}
}

// TestTarget: Go files stand for their packages, and modules for the packages that their
// file names.
func TestTarget(t *testing.T) {
	file := filepath.Join(t.TempDir(), packagesFile)
	if err := os.WriteFile(file, []byte(". ./cmd\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ file, dir, args string }{
		{"a/b.c", "", "a/b.c"}, {"a/b.go", "", "./a"}, {file, filepath.Dir(file), ". ./cmd"},
	} {
		if dir, args := (set{}).target(x.file); dir != x.dir || strings.Join(args, " ") != x.args {
			t.Errorf("%s: %q, %q", x.file, dir, args)
		}
	}
}
