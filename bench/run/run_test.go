//go:build linux

package run

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain makes this test program the supervisor and the commands of its own tests.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == HelperArgument:
		os.Exit(Supervise())
	case len(os.Args) > 1 && os.Args[1] == "child":
		os.Exit(child(os.Args[2:]))
	}
	// else the race detector lets each process sleep for a second at its end
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0")
	os.Exit(m.Run())
}

// child is what the commands do.
func child(args []string) int {
	switch args[0] {
	case "exit":
		n, _ := strconv.Atoi(args[1])
		return n
	case "signal":
		_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
		time.Sleep(time.Minute)
	case "burn": // uses CPU time: for so long, or for ever
		d, err := time.ParseDuration(args[1])
		for start := cpuTime(); err != nil || cpuTime()-start < d; {
		}
	case "sleep":
		time.Sleep(time.Minute)
	case "eat": // takes so many MiB and holds them
		n, _ := strconv.Atoi(args[1])
		b := make([]byte, n<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		time.Sleep(300 * time.Millisecond)
		runtime.KeepAlive(b)
	case "print":
		n, _ := strconv.Atoi(args[1])
		for range n {
			fmt.Println("0123456789")
		}
		fmt.Fprintln(os.Stderr, "to stderr")
		fmt.Println("TRUE")
	case "spawn": // starts a child in a group of its own; waits for it when told to
		cmd := exec.Command("/proc/self/exe", append([]string{"child"}, args[2:]...)...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			return 9
		}
		fmt.Println(cmd.Process.Pid)
		if args[1] == "wait" {
			_ = cmd.Wait()
		}
	case "env":
		wd, _ := os.Getwd()
		fmt.Println(os.Getenv("WHOOP_TEST"), wd)
	}
	return 0
}

func cpuTime() time.Duration {
	var ru syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &ru)
	return time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
}

func self(args ...string) []string { return append([]string{"/proc/self/exe", "child"}, args...) }

// do runs a command and checks that no process of ours is left.
func do(t *testing.T, ctx context.Context, c Command) Result {
	t.Helper()
	res, err := New().Run(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	if left := descendants(os.Getpid()); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
	return res
}

func TestExit(t *testing.T) {
	for _, n := range []int{0, 1, 3, 77} {
		if res := do(t, t.Context(), Command{Args: self("exit", strconv.Itoa(n))}); res.End != Exited || res.Exit != n || res.Left != 0 {
			t.Errorf("exit %d: %+v", n, res)
		}
	}
	if res := do(t, t.Context(), Command{Args: self("signal"), CPU: time.Minute}); res.End != Signalled || res.Signal != "SIGTERM" {
		t.Errorf("signal: %+v", res)
	}
}

func TestEnvironment(t *testing.T) {
	dir := t.TempDir()
	res := do(t, t.Context(), Command{Args: self("env"), Dir: dir, Env: []string{"WHOOP_TEST=7"}})
	if got := strings.TrimSpace(string(res.Stdout)); got != "7 "+dir {
		t.Errorf("%q", got)
	}
	if _, err := New().Run(t.Context(), Command{Args: []string{"no-such-program-at-all"}}); err == nil {
		t.Error("a program that is not there was run")
	}
	if _, err := New().Run(t.Context(), Command{Args: self("exit", "0"), Dir: filepath.Join(dir, "none")}); err == nil {
		t.Error("a directory that is not there was used")
	}
	if _, err := New().Run(t.Context(), Command{}); err == nil {
		t.Error("nothing was run")
	}
	if _, err := New().Run(t.Context(), Command{Args: self("exit", "0"), Log: filepath.Join(dir, "none", "log")}); err == nil {
		t.Error("a log that cannot be written was")
	}
}

// TestCPU: the time of a process, of a child it waits for, and of one that nobody waits
// for, and the limit.
func TestCPU(t *testing.T) {
	for _, args := range [][]string{{"burn", "200ms"}, {"spawn", "wait", "burn", "200ms"}, {"spawn", "wait", "spawn", "wait", "burn", "200ms"}} {
		if res := do(t, t.Context(), Command{Args: self(args...), CPU: time.Minute}); res.End != Exited || res.CPU < 200*time.Millisecond || res.CPU > 5*time.Second {
			t.Errorf("%v: %+v", args, res)
		}
	}
	for _, args := range [][]string{{"burn", "-"}, {"spawn", "wait", "burn", "-"}} {
		if res := do(t, t.Context(), Command{Args: self(args...), CPU: 300 * time.Millisecond}); res.End != CPULimit || res.CPU < 300*time.Millisecond {
			t.Errorf("%v: %+v", args, res)
		}
	}
	if res := do(t, t.Context(), Command{Args: self("burn", "200ms"), CPU: time.Millisecond}); res.End != CPULimit {
		t.Errorf("a run that used more than it might: %+v", res)
	}
}

func TestWall(t *testing.T) {
	res := do(t, t.Context(), Command{Args: self("sleep"), Wall: 200 * time.Millisecond})
	if res.End != WallLimit || res.Wall < 200*time.Millisecond || res.CPU > 10*time.Second {
		t.Errorf("%+v", res)
	}
}

func TestMemory(t *testing.T) {
	const mb = 1 << 20
	if res := do(t, t.Context(), Command{Args: self("eat", "100"), Memory: 400 * mb}); res.End != Exited || res.Memory < 100*mb || res.Memory > 300*mb {
		t.Errorf("100 MiB of 400: %+v", res)
	}
	for _, args := range [][]string{{"eat", "200"}, {"spawn", "wait", "eat", "200"}} {
		if res := do(t, t.Context(), Command{Args: self(args...), Memory: 100 * mb}); res.End != MemoryLimit || res.Memory < 100*mb {
			t.Errorf("%v of 100: %+v", args, res)
		}
	}
}

// TestGrandchildren: a process that leaves the group and loses its parent is ended with
// the run, and said.
func TestGrandchildren(t *testing.T) {
	res := do(t, t.Context(), Command{Args: self("spawn", "leave", "sleep")})
	pid, err := strconv.Atoi(strings.TrimSpace(string(res.Stdout)))
	if err != nil || res.End != Exited || res.Left != 1 {
		t.Fatalf("%+v, %v", res, err)
	}
	if u, ok := readUsage(pid); ok && !u.zombie {
		t.Errorf("process %d lives", pid)
	}
	res = do(t, t.Context(), Command{Args: self("spawn", "wait", "spawn", "leave", "burn", "-"), Wall: 500 * time.Millisecond})
	if res.Left+len(res.Signal) == 0 && res.End != WallLimit {
		t.Errorf("%+v", res)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	before := runtime.NumGoroutine()
	if res := do(t, ctx, Command{Args: self("spawn", "wait", "sleep"), Wall: time.Minute}); res.End != Cancelled {
		t.Errorf("%+v", res)
	}
	if res := do(t, ctx, Command{Args: self("sleep")}); res.End != Cancelled {
		t.Errorf("%+v", res)
	}
	for range 100 { // goroutines that have nothing more to do need a moment to end
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	buf := make([]byte, 1<<16)
	t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
}

// TestParentDies: when the program that wanted the run is killed, nothing stays.
func TestParentDies(t *testing.T) {
	// The outer run is "the program": it starts an inner supervisor as Run would, and is
	// killed by its wall limit.
	orders, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r, answers, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/proc/self/exe", HelperArgument)
	cmd.ExtraFiles = []*os.File{orders, answers}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	orders.Close()
	answers.Close()
	fmt.Fprintf(w, `{"Command":{"Args":["x","child","spawn","wait","sleep"]},"Path":"/proc/self/exe"}`+"\n")
	for len(descendants(cmd.Process.Pid)) < 2 {
		time.Sleep(10 * time.Millisecond)
	}
	w.Close() // as the kernel does when a process ends
	res, err := readAnswer(r)
	if err != nil || res.End != Cancelled {
		t.Errorf("%+v, %v", res, err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if left := descendants(os.Getpid()); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
}

func TestLog(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	res := do(t, t.Context(), Command{Args: self("print", "3"), Log: log})
	text, err := os.ReadFile(log)
	if err != nil || strings.Count(string(text), "0123456789\n") != 3 || !strings.Contains(string(text), "to stderr\n") || res.LogSize != int64(len(text)) {
		t.Errorf("%q, %v, %d", text, err, res.LogSize)
	}
	if want := strings.Repeat("0123456789\n", 3) + "TRUE\n"; string(res.Stdout) != want {
		t.Errorf("stdout %q", res.Stdout)
	}
	res = do(t, t.Context(), Command{Args: self("print", "100000"), Log: log, LogCap: 1000})
	text, err = os.ReadFile(log)
	note := fmt.Sprintf("\n[the log ends here: %d bytes more were printed]\n", res.LogSize-1000)
	if err != nil || len(text) != 1000+len(note) || !strings.HasSuffix(string(text), note) {
		t.Errorf("a log of %d bytes, %v, ends in %q", len(text), err, text[max(0, len(text)-80):])
	}
	if len(res.Stdout) != tailSize || !strings.HasSuffix(string(res.Stdout), "9\nTRUE\n") {
		t.Errorf("%d bytes of standard output", len(res.Stdout))
	}
}

func TestSuperviseAlone(t *testing.T) {
	out, err := exec.Command("/proc/self/exe", HelperArgument).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "of no use alone") {
		t.Errorf("%q, %v", out, err)
	}
}
