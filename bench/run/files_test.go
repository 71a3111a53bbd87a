//go:build linux

package run

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestParseStat(t *testing.T) {
	u, ok := parseStat([]byte("7 (a) S (b) Z 3 7 7 0 -1 4194304 1 2 3 4 10 20 30 40 20 0 1 0 99 1000 25 18446744073709551615 1 1\n"))
	want := usage{parent: 3, cpu: time.Second, rss: 25 * int64(os.Getpagesize()), zombie: true}
	if !ok || u != want {
		t.Errorf("%+v, %v", u, ok)
	}
	for _, s := range []string{"", "7 (a", "7 (a) S 1 2"} {
		if _, ok := parseStat([]byte(s)); ok {
			t.Errorf("%q was read", s)
		}
	}
}

// TestUsableCgroup: the own cgroup where it hands on the memory controller, or the one
// above, or none. The files are ordinary ones here.
func TestUsableCgroup(t *testing.T) {
	dir := t.TempDir()
	proc, root := filepath.Join(dir, "proc"), filepath.Join(dir, "cg")
	own := filepath.Join(root, "a", "b")
	write(t, filepath.Join(proc, "mountinfo"), "30 23 0:26 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n31 23 0:27 / "+root+" rw,nosuid shared:4 - cgroup2 cgroup2 rw\n")
	write(t, filepath.Join(proc, "cgroup"), "1:cpu:/x\n0::/a/b\n")
	write(t, filepath.Join(own, "cgroup.procs"), "")
	write(t, filepath.Join(own, "cgroup.subtree_control"), "cpu\n")
	if got := usableCgroup(proc); got != "" {
		t.Errorf("without a memory controller: %q", got)
	}
	write(t, filepath.Join(root, "a", "cgroup.procs"), "")
	write(t, filepath.Join(root, "a", "cgroup.subtree_control"), "cpu memory pids\n")
	if got := usableCgroup(proc); got != filepath.Join(root, "a") {
		t.Errorf("delegated above: %q", got)
	}
	write(t, filepath.Join(own, "cgroup.subtree_control"), "memory\n")
	if got := usableCgroup(proc); got != own {
		t.Errorf("delegated here: %q", got)
	}
	if got := usableCgroup(filepath.Join(dir, "none")); got != "" {
		t.Errorf("without /proc: %q", got)
	}
}

// TestCgroupFiles: what is written into a cgroup's files and read from them.
func TestCgroupFiles(t *testing.T) {
	parent := t.TempDir()
	g := newCgroup(parent, 1000)
	if g == nil {
		t.Fatal("no cgroup")
	}
	if text, _ := os.ReadFile(filepath.Join(g.dir, "memory.max")); string(text) != "1000" {
		t.Errorf("memory.max %q", text)
	}
	if g.peak() != 0 || g.oom() {
		t.Error("numbers without files")
	}
	write(t, filepath.Join(g.dir, "memory.peak"), "4096\n")
	write(t, filepath.Join(g.dir, "memory.events"), "oom 1\noom_kill 0\n")
	if g.peak() != 4096 || g.oom() {
		t.Errorf("peak %d, oom %v", g.peak(), g.oom())
	}
	write(t, filepath.Join(g.dir, "memory.events"), "oom 1\noom_kill 2\n")
	if !g.oom() {
		t.Error("the kernel's kill is not seen")
	}
	if newCgroup("", 1) != nil || newCgroup(filepath.Join(parent, "none"), 1) != nil {
		t.Error("a cgroup nowhere")
	}
}

// TestCgroupRefused: where the directory is no cgroup the run goes on without.
func TestCgroupRefused(t *testing.T) {
	r := New()
	r.Cgroup = t.TempDir()
	res, err := r.Run(t.Context(), Command{Args: self("exit", "4"), Memory: 1 << 30})
	if err != nil || res.Exit != 4 || res.Method != "rlimit" {
		t.Errorf("%+v, %v", res, err)
	}
}
