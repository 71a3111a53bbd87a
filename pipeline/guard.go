package pipeline

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"whoop/diag"
)

// guarded runs a job. An invariant of ours that does not hold leaves this pair undecided, with the reason, and not the others.
func guarded(j *job, run func() (diag.Run, error)) (r diag.Run, err error) {
	defer func() {
		if x := recover(); x != nil {
			r, err = diag.Run{Threads: j.names, CSB: -1, Answer: diag.Undecided, Reason: fmt.Sprintf("internal error, please report it with its input: %v%s", x, raisedAt())}, nil
		}
	}()
	return run()
}

// raisedAt is where the panic that is being recovered from was raised: the first of our functions below the runtime's.
func raisedAt() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for raised := false; ; {
		f, more := frames.Next()
		if raised && !strings.HasPrefix(f.Function, "runtime.") {
			return fmt.Sprintf(" (%s:%d)", filepath.Base(f.File), f.Line)
		}
		raised = raised || f.Function == "runtime.gopanic"
		if !more {
			return ""
		}
	}
}
