package run

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Supervise is the main function of the supervisor: it reads its order from descriptor 3,
// runs the command, answers on descriptor 4, and returns the exit status. When descriptor
// 3 is closed at the other end it ends everything.
func Supervise() int {
	in, out := os.NewFile(3, "orders"), os.NewFile(4, "answers")
	if !isPipe(in) || !isPipe(out) {
		fmt.Fprintln(os.Stderr, HelperArgument+": this is what a run of \"bench\" starts by itself; it is of no use alone")
		return 2
	}
	unix.CloseOnExec(3)
	unix.CloseOnExec(4)
	// Only the closed pipe ends a run. Ignoring the signals instead would be inherited by
	// the command.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	var o order
	orders := bufio.NewReader(in)
	line, err := orders.ReadBytes('\n')
	if err != nil { // nobody is there
		return 2
	}
	var res Result
	if err := json.Unmarshal(line, &o); err != nil {
		res.Problem = fmt.Sprintf("supervisor: its order cannot be read: %v", err)
	} else {
		res = supervise(o, orders)
	}
	if err := json.NewEncoder(out).Encode(res); err != nil {
		return 2
	}
	return 0
}

func isPipe(f *os.File) bool {
	if f == nil {
		return false
	}
	st, err := f.Stat()
	return err == nil && st.Mode()&os.ModeNamedPipe != 0
}

// supervisor is the state of one run.
type supervisor struct {
	order
	group   *cgroup // nil: none
	pid     int     // the command's first process
	start   time.Time
	peak    int64
	known   map[int]bool // descendants at the last scan
	polls   int
	cpu     time.Duration // at the last look
	rss     int64
	firstWS chan syscall.WaitStatus // the status of the first process
	gone    chan struct{}           // closed when no descendant is left
}

// interval is the time between two looks at the processes, and scanEvery how many of them
// pass between two searches for new processes.
const (
	interval  = 25 * time.Millisecond
	scanEvery = 8
)

// supervise runs the command and returns when none of its processes is left.
func supervise(o order, orders io.Reader) Result {
	runtime.LockOSThread() // the child's parent-death signal is about this thread
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return Result{Problem: fmt.Sprintf("supervisor: %v", err)}
	}
	s := &supervisor{order: o, known: map[int]bool{}, firstWS: make(chan syscall.WaitStatus, 1), gone: make(chan struct{})}
	if err := s.launch(); err != nil {
		s.group.remove()
		return Result{Problem: fmt.Sprintf("run %s: %v", o.Command.Args[0], err)}
	}
	go s.reap()
	cancel := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, orders) // returns when the other end is closed
		close(cancel)
	}()
	res := s.watch(cancel)
	left := s.killAll()
	if res.End == Exited || res.End == Signalled {
		res.Left = left
	}
	return s.account(res)
}

// launch starts the command, in a cgroup where that works.
func (s *supervisor) launch() error {
	attr := &syscall.ProcAttr{Dir: s.Command.Dir, Env: s.Command.Env, Files: []uintptr{0, 1, 2},
		Sys: &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}}
	s.group = newCgroup(s.Cgroup, s.Command.Memory)
	if s.group != nil {
		attr.Sys.UseCgroupFD, attr.Sys.CgroupFD = true, s.group.fd()
	}
	s.start = time.Now()
	pid, err := syscall.ForkExec(s.Path, s.Command.Args, attr)
	if err != nil && s.group != nil {
		s.group.remove()
		s.group, attr.Sys.UseCgroupFD = nil, false
		s.start = time.Now()
		pid, err = syscall.ForkExec(s.Path, s.Command.Args, attr)
	}
	if err != nil {
		return err
	}
	s.pid = pid
	s.known[pid] = true
	s.setLimits()
	return nil
}

// setLimits gives the first process the kernel's limits: no core file, and CPU time above
// the limit, for the case that this process is kept from looking. Failure is no harm: the
// process may be gone already.
func (s *supervisor) setLimits() {
	_ = unix.Prlimit(s.pid, unix.RLIMIT_CORE, &unix.Rlimit{}, nil)
	if s.Command.CPU > 0 {
		sec := uint64((s.Command.CPU + time.Second - 1) / time.Second)
		// the kernel's clock of this runs ahead of the one that is looked at where
		// machines are shared
		sec += sec/4 + 1
		_ = unix.Prlimit(s.pid, unix.RLIMIT_CPU, &unix.Rlimit{Cur: sec, Max: sec + 1}, nil)
	}
}

// reap waits for every descendant that becomes our child. Without children left there is
// no descendant.
func (s *supervisor) reap() {
	defer close(s.gone)
	for {
		var ws syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &ws, 0, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return
		case pid == s.pid:
			s.firstWS <- ws
		}
	}
}

// watch looks after the command until it ends or has to.
func (s *supervisor) watch(cancel <-chan struct{}) Result {
	var wall <-chan time.Time
	if s.Command.Wall > 0 {
		wall = time.After(s.Command.Wall)
	}
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		select {
		case ws := <-s.firstWS:
			return ended(ws)
		case <-cancel:
			return Result{End: Cancelled}
		case <-wall:
			return Result{End: WallLimit}
		case <-tick.C:
			if end := s.measure(); end != "" {
				return Result{End: end}
			}
		}
	}
}

// measure looks at the processes and tells which limit is passed, if any. Only what two
// looks in a row show counts: a single one may count twice the time of a child that its
// parent waits for just then, or the memory of a parent whose child has not executed its
// program yet.
func (s *supervisor) measure() End {
	cpu, rss := s.look()
	sure, sureRSS := min(cpu, s.cpu), min(rss, s.rss)
	s.cpu, s.rss = cpu, rss
	s.peak = max(s.peak, sureRSS)
	switch {
	case s.Command.CPU > 0 && sure >= s.Command.CPU:
		return CPULimit
	case s.Command.Memory > 0 && sureRSS > s.Command.Memory:
		return MemoryLimit
	}
	return ""
}

// ended reads a wait status.
func ended(ws syscall.WaitStatus) Result {
	if ws.Signaled() {
		return Result{End: Signalled, Signal: unix.SignalName(ws.Signal())}
	}
	return Result{End: Exited, Exit: ws.ExitStatus()}
}

// killAll ends all descendants, waits until they are gone, and returns how many there
// were at first.
func (s *supervisor) killAll() int {
	for n := -1; ; {
		s.group.kill()
		all := descendants(os.Getpid())
		if n < 0 {
			n = len(all)
		}
		for _, pid := range all {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		select {
		case <-s.gone:
			return n
		case <-time.After(interval):
		}
	}
}

// stopped reports whether it may be the kernel that ended the process for its time, whose
// clock runs ahead of the one that is shown afterwards where machines are shared.
func (r *Result) stopped() bool {
	return r.End == Signalled && (r.Signal == "SIGKILL" || r.Signal == "SIGXCPU")
}

// account adds what the run used, all its processes being gone, and holds that against
// the limits once more: a run that used more than it might counts as one that was
// stopped, however it ended.
func (s *supervisor) account(res Result) Result {
	var ru, self syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_CHILDREN, &ru)
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &self)
	res.Wall = time.Since(s.start)
	res.CPU = time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
	if ru.Maxrss > self.Maxrss || s.peak == 0 {
		// else it is this process's, of before the command was executed
		s.peak = max(s.peak, ru.Maxrss*1024)
	}
	res.Method = "rlimit"
	oom := false
	if s.group != nil {
		res.Method, oom = "cgroup", s.group.oom()
		if p := s.group.peak(); p > 0 {
			s.peak = p
		}
		s.group.remove()
	}
	res.Memory = s.peak
	if res.End == Exited || res.End == Signalled {
		c := &s.Command
		switch {
		case c.Memory > 0 && (s.peak > c.Memory || oom):
			res.End = MemoryLimit
		case c.CPU > 0 && (res.CPU >= c.CPU || res.stopped() && res.CPU >= c.CPU*9/10):
			res.End = CPULimit
		case c.Wall > 0 && res.Wall >= c.Wall:
			res.End = WallLimit
		}
	}
	return res
}
