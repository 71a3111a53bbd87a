package pipeline

import (
	"whoop/diag"
	"whoop/internal/crash"
)

// guarded runs a job. An invariant of ours that does not hold leaves this pair undecided,
// with the reason, and not the others.
func guarded(j *job, run func() (diag.Run, error)) (r diag.Run, err error) {
	defer func() {
		if x := recover(); x != nil {
			r, err = diag.Run{Threads: j.names, CSB: -1, Reason: crash.Error(x).Error()}, nil
		}
	}()
	return run()
}
