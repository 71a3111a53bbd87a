package strategy

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"whoop/ir"
)

// stores is a program of n threads and main that all store to one variable: (n+1)!
// traces. The last store of main fails an assertion.
func stores(n int) string {
	s := "program \"stores\"\nglobal x: i32\nfunc w(i: i32) void {\nentry:\n  store seq_cst &x, i\n  return\n}\nfunc main() i32 {\nreg r: i32\n"
	for i := range n {
		s += fmt.Sprintf("reg h%d: u64\n", i)
	}
	s += "entry:\n"
	for i := range n {
		s += fmt.Sprintf("  h%d, _ := spawn w(i32 %d)\n", i, i+1)
	}
	s += "  store seq_cst &x, i32 0\n"
	for i := range n {
		s += fmt.Sprintf("  join h%d\n", i)
	}
	return s + "  r := load seq_cst &x\n  assert ne(r, i32 0) tag \"last\"\n  return i32 0\n}\nentry main kind \"main\"\n"
}

// total explores from a checkpoint, and tells what was found in all.
func total(t *testing.T, dir string, workers int) string {
	t.Helper()
	p, err := ir.Parse("stores.wir", []byte(stores(7)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(p, Options{Strategy: "optimal-dpor", KeepGoing: true, Checkpoint: dir, Every: 5 * time.Millisecond, Workers: workers})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("total: %d executions, %d stuck, %d redundant, %d traces, complete: %t %s\n", r.Executions, r.Stuck, r.Redundant,
		len(r.Traces), r.Complete, r.Reason)
}

// killedIn is where the process of TestKilled that is killed has its checkpoint.
const killedIn = "WHOOP_TEST_CHECKPOINT"

// TestKilled: an exploration that is killed again and again, and goes on, comes to the
// same total as one that is not.
func TestKilled(t *testing.T) {
	if dir := os.Getenv(killedIn); dir != "" {
		fmt.Print(total(t, dir, len(filepath.Base(dir))))
		return
	}
	for _, workers := range []string{"1", "22"} { // as many as there are digits
		dir := filepath.Join(t.TempDir(), workers)
		out, kills := "", 0
		for ; !strings.Contains(out, "total: "); kills++ {
			cmd := exec.Command(os.Args[0], "-test.run", "^TestKilled$")
			cmd.Env = append(os.Environ(), killedIn+"="+dir)
			b := &strings.Builder{}
			cmd.Stdout, cmd.Stderr = b, b
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if kills < 10 {
				time.AfterFunc(time.Duration(20+kills*13%50)*time.Millisecond, func() { cmd.Process.Kill() })
			}
			if err := cmd.Wait(); err != nil && kills >= 10 {
				t.Fatalf("%v\n%s", err, b)
			}
			out = b.String()
		}
		line, _, _ := strings.Cut(out[strings.Index(out, "total: "):], "\n")
		if want := "total: 40320 executions, 5040 stuck, 0 redundant, 1 traces, complete: true "; line != want && workers == "1" ||
			!strings.HasPrefix(line, "total: 40320 executions, 5040 stuck") {
			t.Errorf("after %d runs with %s workers:\n%s, want\n%s", kills, workers, line, want)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%v is left", left)
		}
		t.Logf("%d runs", kills)
	}
}

// TestCheckpoint: a checkpoint of another program, with other options, or of another
// format is not used.
func TestCheckpoint(t *testing.T) {
	dir := t.TempDir()
	p, err := ir.Parse("stores.wir", []byte(stores(3)))
	if err != nil {
		t.Fatal(err)
	}
	opt := Options{Strategy: "dfs", KeepGoing: true, Checkpoint: dir, Executions: 3}
	if _, err := Run(p, opt); err != nil {
		t.Fatal(err)
	}
	fails := func(p *ir.Program, opt Options, want string) {
		t.Helper()
		if _, err := Run(p, opt); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	q, err := ir.Parse("stores.wir", []byte(stores(4)))
	if err != nil {
		t.Fatal(err)
	}
	fails(q, opt, "is of another program")
	other := opt
	other.Strategy = "source-dpor"
	fails(p, other, "is of an exploration with --strategy dfs, --max-events 1000, --failures=false")
	if r, err := Run(p, opt); err != nil || len(r.Notes) != 1 || r.Notes[0] != "3 executions were explored before, and are counted" {
		t.Errorf("%v, %+v", err, r)
	}
	if err := os.WriteFile(filepath.Join(dir, checkpointName), []byte("something"), 0o666); err != nil {
		t.Fatal(err)
	}
	fails(p, opt, "is no checkpoint of this version")
}
