//go:build !linux

package run

import (
	"context"
	"errors"
)

// New is a runner that cannot run anything: only Linux is supported.
func New() *Runner { return &Runner{} }

// Run returns an error: only Linux is supported.
func (r *Runner) Run(context.Context, Command) (Result, error) {
	return Result{}, errors.New("run: limits of time and memory are supported on Linux only")
}

// Supervise returns 2: only Linux is supported.
func Supervise() int { return 2 }
