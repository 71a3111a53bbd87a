package run

import (
	"fmt"
	"time"
)

// HelperArgument is the first argument this program is started again with to supervise a
// command. A main function calls Supervise when it sees it.
const HelperArgument = "internal-limit"

// Command is what to run, and its limits. A limit of zero is none.
type Command struct {
	Args   []string      // the program and its arguments; the program is looked up in PATH
	Dir    string        // where it runs; "" is here
	Env    []string      // its environment, NAME=VALUE; nil is this process's
	CPU    time.Duration // CPU time of all its processes together
	Wall   time.Duration
	Memory int64  // resident memory of all its processes together, in bytes
	Log    string // the file that gets what it prints on both outputs; "" is none
	LogCap int64  // bytes the log may have, after which a note ends it; 0 is 1 MiB
}

// End says how a run ended.
type End string

// The ways a run ends.
const (
	Exited      End = "exited"   // by itself: see Result.Exit
	Signalled   End = "signal"   // by a signal that is not ours: see Result.Signal
	CPULimit    End = "cputime"  // at the limit of CPU time, or having used more
	WallLimit   End = "walltime" // at the limit of wall time
	MemoryLimit End = "memory"   // at the limit of memory, or having used more
	Cancelled   End = "cancelled"
)

// Result is what became of a command.
type Result struct {
	End    End           `json:"end"`
	Exit   int           `json:"exit"`             // the exit status, where End is Exited
	Signal string        `json:"signal,omitempty"` // the signal's name, where End is Signalled
	CPU    time.Duration `json:"cpu"`              // user and system time of all its processes
	Wall   time.Duration `json:"wall"`
	Memory int64         `json:"memory"` // peak in bytes, see the package's text
	// processes that were still there when the first one ended; they were killed
	Left int `json:"left,omitempty"`
	// "cgroup" or "rlimit": how memory was limited and counted
	Method  string `json:"method,omitempty"`
	LogSize int64  `json:"-"`                 // bytes printed in all, whether logged or not
	Stdout  []byte `json:"-"`                 // the last 64 KiB of standard output
	Problem string `json:"problem,omitempty"` // why the command could not be run at all
}

// Runner runs commands. The zero value does not; see New.
type Runner struct {
	// Helper is the program and its first arguments that supervise a run.
	Helper []string
	// Cgroup is the directory below which each run gets a cgroup; "" is none.
	Cgroup string
}

// Accounting says how memory is limited and counted, for people.
func (r *Runner) Accounting() string {
	if r.Cgroup != "" {
		return "cgroup v2 below " + r.Cgroup
	}
	return "rlimits and /proc"
}

// check reports a command that cannot be run.
func (c *Command) check() error {
	switch {
	case len(c.Args) == 0 || c.Args[0] == "":
		return fmt.Errorf("run: no command")
	case c.CPU < 0 || c.Wall < 0 || c.Memory < 0 || c.LogCap < 0:
		return fmt.Errorf("run %s: a limit is negative", c.Args[0])
	}
	return nil
}

// order is what the supervisor is told, as one JSON line.
type order struct {
	Command Command
	Path    string // of the program
	Cgroup  string
}
