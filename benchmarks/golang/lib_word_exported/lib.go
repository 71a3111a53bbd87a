// Package job has two gates: one that users of the package can open, and one that they cannot.
package job

import "sync/atomic"

// Job may be used by several goroutines.
type Job struct {
	Busy atomic.Bool
	own  atomic.Bool
	n, m int
}

// Run runs the job, unless it runs already.
func (j *Job) Run() {
	if j.Busy.CompareAndSwap(false, true) {
		j.n++ // RACE!
		j.Busy.Store(false)
	}
}

// Once is Run with the gate that is the job's own.
func (j *Job) Once() {
	if j.own.CompareAndSwap(false, true) {
		j.m++ // NORACE
		j.own.Store(false)
	}
}
