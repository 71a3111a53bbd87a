package run

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"time"
)

// usage is what /proc says about a process.
type usage struct {
	parent int
	cpu    time.Duration // its own and that of its children that it waited for
	rss    int64         // bytes
	zombie bool
}

// clockTick is the unit of times in /proc: a hundredth of a second on all of Linux's
// architectures that Go knows.
const clockTick = 10 * time.Millisecond

// readUsage reads /proc/PID/stat; false when there is no such process.
func readUsage(pid int) (usage, bool) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return usage{}, false
	}
	return parseStat(text)
}

// parseStat reads the text of a stat file (proc_pid_stat(5)). The name, in parentheses,
// may have any byte in it.
func parseStat(text []byte) (usage, bool) {
	i := bytes.LastIndexByte(text, ')')
	if i < 0 {
		return usage{}, false
	}
	f := bytes.Fields(text[i+1:]) // f[0] is field 3, the state
	if len(f) < 22 {
		return usage{}, false
	}
	num := func(field int) int64 {
		n, err := strconv.ParseInt(string(f[field-3]), 10, 64)
		if err != nil {
			return 0
		}
		return n
	}
	return usage{
		parent: int(num(4)),
		cpu:    time.Duration(num(14)+num(15)+num(16)+num(17)) * clockTick,
		rss:    num(24) * int64(os.Getpagesize()),
		zombie: len(f[0]) == 1 && (f[0][0] == 'Z' || f[0][0] == 'X'),
	}, true
}

// descendants are the processes below a process, itself not included, in no order.
func descendants(root int) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	children := map[int][]int{}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if u, ok := readUsage(pid); ok && !u.zombie {
			children[u.parent] = append(children[u.parent], pid)
		} else if ok {
			// not to be signalled, but it may have children in other threads
			children[u.parent] = append(children[u.parent], -pid)
		}
	}
	var out []int
	work := append([]int(nil), children[root]...)
	for len(work) > 0 {
		pid := work[len(work)-1]
		work = work[:len(work)-1]
		if pid > 0 {
			out = append(out, pid)
		} else {
			pid = -pid
		}
		work = append(work, children[pid]...)
	}
	return out
}

// look sums up the CPU time and the memory of the run's processes. New processes are
// searched for now and then.
func (s *supervisor) look() (cpu time.Duration, rss int64) {
	s.polls++
	if s.polls%scanEvery == 1 || len(s.known) == 0 {
		s.scan()
	}
	var ru syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_CHILDREN, &ru)
	cpu = time.Duration(ru.Utime.Nano() + ru.Stime.Nano())
	for pid := range s.known {
		u, ok := readUsage(pid)
		if !ok {
			delete(s.known, pid)
			continue
		}
		cpu += u.cpu
		rss += u.rss
	}
	return cpu, rss
}

func (s *supervisor) scan() {
	clear(s.known)
	for _, pid := range descendants(os.Getpid()) {
		s.known[pid] = true
	}
}
