package main

import (
	"context"
	"time"

	"whoop/internal/crash"
	"whoop/pipeline"
)

// How long bmc and check take at most where --timeout says nothing else. It bounds the
// whole, and is shared out to no engine, so that answers within it do not depend on the
// machine.
const defaultBMC, defaultCheck = 5 * time.Minute, 15 * time.Minute

// overtime is how long a run may go on when its context has ended, to report what it
// knows.
const overtime = 10 * time.Second

// within is a context that a limit ends; 0: it has none.
func within(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, limit, &pipeline.TimeUp{Limit: limit})
}

// inTime runs f, which should end soon after ctx does; else the answer is that of late.
func inTime[T any](ctx context.Context, f func() (T, error), late func() T) (T, error) {
	return crash.InTime(ctx, overtime, f, func() (T, error) { return late(), nil })
}
