// Package trace is executions that show a bug: a schedule with input values, saved in a
// file (docs/reference/trace.md), run again in the interpreter, shortened, and printed as
// columns of what the threads do.
//
//	t, err := trace.Read(file)
//	x, err := trace.Replay(m, h, t)       // fails unless the bug shows
//	err = report.Execution(os.Stdout, x, report.ExecutionOptions{})
package trace
