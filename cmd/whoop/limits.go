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

// inTime runs f, which should end soon after ctx does. Where it does not (a solver that
// cannot be interrupted, a front end that knows of no limit), it is left alone, and the
// answer is that of late. A panic of f is one of the caller's.
func inTime[T any](ctx context.Context, f func() (T, error), late func() T) (T, error) {
	return inTimeWithin(ctx, overtime, f, late)
}

// inTimeWithin is inTime with another time after the end of ctx.
func inTimeWithin[T any](ctx context.Context, after time.Duration, f func() (T, error), late func() T) (T, error) {
	type outcome struct {
		v     T
		err   error
		panic error
	}
	done := make(chan outcome, 1)
	go func() {
		var r outcome
		defer func() {
			if x := recover(); x != nil {
				r.panic = crash.Error(x)
			}
			done <- r
		}()
		r.v, r.err = f()
	}()
	over := make(chan struct{})
	defer context.AfterFunc(ctx, func() { time.AfterFunc(after, func() { close(over) }) })()
	select {
	case r := <-done:
		if r.panic != nil {
			panic(r.panic)
		}
		return r.v, r.err
	case <-over:
		return late(), nil
	}
}
