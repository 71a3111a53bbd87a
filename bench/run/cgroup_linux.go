package run

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// usableCgroup is a cgroup of version 2 below which this process may make cgroups with a
// limit of memory, "" where there is none: its own, or the one above it, as systemd
// delegates them (cgroups(7), "No internal processes"). proc is /proc/self.
func usableCgroup(proc string) string {
	own := ownCgroup(proc)
	if own == "" {
		return ""
	}
	for _, dir := range []string{own, filepath.Dir(own)} {
		control, err := os.ReadFile(filepath.Join(dir, "cgroup.subtree_control"))
		if err != nil || !slices.Contains(strings.Fields(string(control)), "memory") {
			continue
		}
		if unix.Access(filepath.Join(dir, "cgroup.procs"), unix.W_OK) != nil {
			continue
		}
		probe, err := os.MkdirTemp(dir, "whoop-probe-")
		if err == nil && os.Remove(probe) == nil {
			return dir
		}
	}
	return ""
}

// ownCgroup is the directory of this process's cgroup of version 2, or "".
func ownCgroup(proc string) string {
	mounts, err := os.ReadFile(filepath.Join(proc, "mountinfo"))
	if err != nil {
		return ""
	}
	mount := ""
	for _, line := range strings.Split(string(mounts), "\n") {
		before, after, ok := strings.Cut(line, " - ")
		if f := strings.Fields(before); ok && len(f) >= 5 && strings.HasPrefix(after, "cgroup2 ") {
			mount = f[4]
		}
	}
	groups, err := os.ReadFile(filepath.Join(proc, "cgroup"))
	if err != nil || mount == "" {
		return ""
	}
	for _, line := range strings.Split(string(groups), "\n") {
		if path, ok := strings.CutPrefix(line, "0::"); ok {
			return filepath.Join(mount, path)
		}
	}
	return ""
}

// cgroup is the cgroup of one run; all methods do nothing on nil.
type cgroup struct {
	dir  string
	file *os.File
}

// newCgroup makes a cgroup below parent; nil where that does not work, or parent is "".
func newCgroup(parent string, memory int64) *cgroup {
	if parent == "" {
		return nil
	}
	dir := filepath.Join(parent, fmt.Sprintf("whoop-run-%d", os.Getpid()))
	if err := os.Mkdir(dir, 0o755); err != nil {
		return nil
	}
	g := &cgroup{dir: dir}
	if memory > 0 {
		if g.write("memory.max", strconv.FormatInt(memory, 10)) != nil {
			g.remove()
			return nil
		}
		_ = g.write("memory.swap.max", "0")  // not there without swap
		_ = g.write("memory.oom.group", "1") // all or none
	}
	f, err := os.Open(dir)
	if err != nil {
		g.remove()
		return nil
	}
	g.file = f
	return g
}

func (g *cgroup) fd() int { return int(g.file.Fd()) }

func (g *cgroup) write(name, value string) error {
	return os.WriteFile(filepath.Join(g.dir, name), []byte(value), 0o644)
}

// kill ends all processes in the cgroup.
func (g *cgroup) kill() {
	if g != nil {
		_ = g.write("cgroup.kill", "1") // Linux 5.14; without it the processes are found in /proc
	}
}

// peak is the most memory the cgroup ever had, 0 where the kernel does not say (before
// Linux 5.19).
func (g *cgroup) peak() int64 {
	text, err := os.ReadFile(filepath.Join(g.dir, "memory.peak"))
	if err != nil {
		return 0
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

// oom reports whether the kernel ended a process of the cgroup for want of memory.
func (g *cgroup) oom() bool {
	text, err := os.ReadFile(filepath.Join(g.dir, "memory.events"))
	if err != nil {
		return false
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		if f := strings.Fields(lines.Text()); len(f) == 2 && f[0] == "oom_kill" && f[1] != "0" {
			return true
		}
	}
	return false
}

// remove removes the cgroup, which has no processes any more.
func (g *cgroup) remove() {
	if g == nil {
		return
	}
	if g.file != nil {
		g.file.Close()
	}
	for range 20 { // the kernel may take a moment to see that it is empty
		if os.Remove(g.dir) == nil {
			return
		}
		time.Sleep(interval)
	}
}
