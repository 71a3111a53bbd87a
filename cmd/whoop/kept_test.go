package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestKeptReport: a report is that of an earlier run only where all is as it was then.
func TestKeptReport(t *testing.T) {
	cache, dir := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Chdir(dir)
	defer func(old time.Duration) { leastKept = old }(leastKept)
	leastKept = 0
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const free = "package m\n\nimport \"sync\"\n\ntype T struct {\n\tmu sync.Mutex\n\tn  int\n}\n\nfunc (t *T) Add() {\n\tt.mu.Lock()\n\tt.n++\n\tt.mu.Unlock()\n}\n"
	racy := strings.Replace(free, "\tt.mu.Lock()\n\tt.n++\n\tt.mu.Unlock()\n", "\tt.n++\n", 1)
	verify := func(kept bool, code int, flags ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if got := run(append([]string{"verify", "."}, flags...), &out, &errs); got != code {
			t.Errorf("status %d, want %d: %s%s", got, code, &out, &errs)
		}
		if said := strings.Contains(errs.String(), "nothing has changed since"); said != kept {
			t.Errorf("kept: %t, want %t: %s", said, kept, &errs)
		}
		return out.String()
	}
	write("go.mod", "module m\n\ngo 1.21\n")
	write("a.go", free)
	first := verify(false, 0)
	if again := verify(true, 0); again != first {
		t.Errorf("another report:\n%s\nwas\n%s", again, first)
	}
	verify(false, 0, "--no-cache")
	verify(false, 0, "--format", "json")
	verify(true, 0, "--format", "json")
	write("a.go", racy)
	verify(false, 1)
	verify(true, 1)
	write("a.go", free)
	verify(true, 0) // as it was at first
	write("b.go", "package m\n\nfunc (t *T) Get() int { return t.n }\n")
	verify(false, 3, "--timeout", "1ns")
	verify(false, 1) // nothing that is cut short is kept
	verify(true, 1, "--timeout", "1ns")
	files, err := filepath.Glob(filepath.Join(cache, "whoop", "reports", "*"))
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, f := range files { // as where a disk was full
		if err := os.Truncate(f, 40); err != nil {
			t.Fatal(err)
		}
	}
	verify(false, 1)
}
