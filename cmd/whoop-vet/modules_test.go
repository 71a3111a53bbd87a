package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"whoop/internal/testscope"
)

// Modules of others, correct ones of several packages: with mutexes, atomics and channels.
// They are inputs, taken from the module proxy where they are not there.
const (
	puddle = "github.com/jackc/puddle/v2@v2.2.2"
	ants   = "github.com/panjf2000/ants/v2@v2.11.0"
	xsync  = "golang.org/x/sync@v0.10.0"
)

// seeds are changes of these modules that make a race, each with a part of its report.
var seeds = []struct{ module, file, old, new, want string }{
	{puddle, "pool.go", "func (p *Pool[T]) Stat() *Stat {\n\tp.mux.Lock()\n\tdefer p.mux.Unlock()\n", "func (p *Pool[T]) Stat() *Stat {\n", "acquireCount"},
	{puddle, "pool.go", "\tp.mux.Lock()\n\tdefer p.mux.Unlock()\n\n\tp.emptyAcquireCount += 1\n", "\tp.emptyAcquireCount += 1\n", "emptyAcquireCount"},
	{ants, "ants.go", "return int(atomic.LoadInt32(&p.capacity))", "return int(p.capacity)", "on capacity"},
	{ants, "ants.go", "atomic.AddInt32(&p.waiting, int32(delta))", "p.waiting += int32(delta)", "on waiting"},
	{ants, "ants.go", "return int(atomic.LoadInt32(&p.running))", "return int(p.running)", "on running"},
	{ants, "ants.go", "atomic.StoreInt32(&p.capacity, int32(size))", "p.capacity = int32(size)", "on capacity"},
	{xsync, "singleflight/singleflight.go", "\tg.mu.Lock()\n\tdelete(g.m, key)\n\tg.mu.Unlock()\n", "\tdelete(g.m, key)\n", "Group.m"},
	{xsync, "semaphore/semaphore.go", "Release(n int64) {\n\ts.mu.Lock()\n\ts.cur -= n\n", "Release(n int64) {\n\ts.cur -= n\n\ts.mu.Lock()\n", "Weighted.cur"},
	{xsync, "semaphore/semaphore.go", "\ts.mu.Lock()\n\tsuccess :=", "\tif s.size > s.cur {\n\t\ts.cur += n\n\t\treturn true\n\t}\n\ts.mu.Lock()\n\tsuccess :=", "Weighted.cur"},
	{xsync, "errgroup/errgroup.go", "\t\t\tg.errOnce.Do(func() {\n\t\t\t\tg.err = err\n\t\t\t\tif g.cancel != nil {\n\t\t\t\t\tg.cancel(g.err)\n\t\t\t\t}\n\t\t\t})\n", "\t\t\tg.err = err\n", "Group.err"},
	{xsync, "singleflight/singleflight.go", "\t\tg.mu.Lock()\n\t\tdefer g.mu.Unlock()\n\t\tc.wg.Done()", "\t\tc.wg.Done()", "Group.m"},
}

// TestModules: correct modules of several packages get no report, and races that are put
// into copies of them get one.
func TestModules(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "whoop-vet")
	if out, err := exec.Command("go", "build", "-o", tool, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, m := range []string{puddle, ants, xsync} {
		t.Run(m, func(t *testing.T) {
			if said := vet(t, tool, module(t, m)); said != "" {
				t.Error(said)
			}
		})
	}
	for i, s := range seeds {
		if !testscope.Every(i, 5) {
			continue
		}
		t.Run(s.module+"/"+s.want, func(t *testing.T) {
			dir := module(t, s.module)
			file := filepath.Join(dir, filepath.FromSlash(s.file))
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(text), s.old) {
				t.Fatalf("%s has no %q", s.file, s.old)
			}
			if err := os.WriteFile(file, []byte(strings.Replace(string(text), s.old, s.new, 1)), 0o666); err != nil {
				t.Fatal(err)
			}
			if said := vet(t, tool, dir); !strings.Contains(said, "data race") || !strings.Contains(said, s.want) {
				t.Errorf("want a race with %s: %s", s.want, said)
			}
		})
	}
}

// module is a copy of a module.
func module(t *testing.T, name string) string {
	t.Helper()
	out, err := exec.Command("go", "mod", "download", "-json", name).Output()
	if err != nil {
		t.Skipf("%s is not there: %v", name, err)
	}
	var at struct{ Dir string }
	if err := json.Unmarshal(out, &at); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "module")
	if err := os.CopyFS(dir, os.DirFS(at.Dir)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// vet is what go vet says of a module's packages.
func vet(t *testing.T, tool, dir string) string {
	t.Helper()
	c := exec.Command("go", "vet", "-vettool="+tool, "./...")
	c.Dir = dir
	out, err := c.CombinedOutput()
	if _, failed := err.(*exec.ExitError); err != nil && !failed {
		t.Fatal(err)
	}
	var said []string
	for _, line := range strings.Split(string(out), "\n") {
		if line != "" && !strings.HasPrefix(line, "go: downloading") {
			said = append(said, line)
		}
	}
	return strings.Join(said, "\n")
}
