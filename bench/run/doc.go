// Package run runs one command at a time under limits of CPU time, wall time and memory,
// and says exactly what it used. In goes a Command; out comes a Result: how it ended, CPU
// seconds of it and of all processes it started, peak memory, and the end of what it
// printed. Everything printed goes to a log file, up to a size.
//
//	res, err := run.New().Run(ctx, run.Command{
//		Args: []string{"whoop", "check", "prog.c"}, CPU: time.Minute, Memory: 2 << 30, Log: "out/prog.log"})
//	if res.End == run.CPULimit { … }
//
// # How
//
// Each command has a supervisor of its own: this program, started again with the argument
// HelperArgument, so main must hand that over to Supervise. The supervisor makes itself
// the reaper of all its descendants (PR_SET_CHILD_SUBREAPER): a process that loses its
// parent, or leaves the process group, becomes the supervisor's child. Hence it can end
// them all, and the kernel's count of its children's time is complete when none is left.
// When the program that wanted the run dies, however it does, a pipe closes and the
// supervisor ends everything.
//
// Limits are held by looking at /proc every few hundredths of a second: the sum of the
// CPU time and of the resident memory of all descendants. The address space is not
// limited, since Go programs reserve much more than they use. The kernel's RLIMIT_CPU on
// the command's first process stands behind this. Where a cgroup of version 2 may be
// written and has the memory controller, a new one holds each run, and the kernel limits
// and counts the memory exactly (Accounting tells which is in use).
//
// Pages that processes share are counted for each of them without a cgroup, and a peak
// shorter than the interval is seen for single processes only. Peaks below some 20 MB are
// the supervisor's own and mean nothing.
//
// Only Linux is supported; elsewhere Run returns an error.
package run
