package pipeline

import (
	"context"
	"errors"
	"fmt"
	"time"

	"whoop/diag"
	"whoop/internal/crash"
	"whoop/internal/late"
)

// Late is the error of an input that was not read in time.
type Late struct {
	Path string
	Err  error // the cause of the context's end
}

// Error names the input.
func (l *Late) Error() string {
	why := l.Err.Error()
	if errors.Is(l.Err, context.Canceled) {
		why = "interrupted"
	}
	return fmt.Sprintf("%s: it was not read in time, the parser has not ended: %s", l.Path, why)
}

// Unwrap is why there was no more time.
func (l *Late) Unwrap() error { return l.Err }

// unreadInput is the report of verify on an input that was not read in time.
func unreadInput(why *Late) *diag.Report {
	return &diag.Report{Verdict: diag.Unknown, Looked: diag.Looked{Unread: true}, Notes: []string{why.Error()}}
}

// limited is the context of something that an option gives so much time; 0 means no end.
func limited(ctx context.Context, t time.Duration) (context.Context, context.CancelFunc) {
	if t > 0 {
		return late.Watch(context.WithTimeoutCause(ctx, t, &TimeUp{t}))
	}
	return context.WithCancel(ctx)
}

// working is limited without what is left for the report at the end: stages end a little
// after they are told to.
func working(ctx context.Context, t time.Duration) (context.Context, context.CancelFunc) {
	if t > 0 {
		return late.Watch(context.WithTimeoutCause(ctx, t-min(t/16, maxReporting), &TimeUp{t}))
	}
	return context.WithCancel(ctx)
}

// maxReporting is how much of the time of a run is left for its report at most.
const maxReporting = 5 * time.Second

// TimeUp is the cause of the end of a context that a limit has ended; Limit 0: a share of
// the time.
type TimeUp struct{ Limit time.Duration }

// Error names the limit, and how to get another one.
func (t *TimeUp) Error() string {
	if t.Limit == 0 {
		return "its share of the time is up (--timeout gives more)"
	}
	return fmt.Sprintf("the time is up (%s; --timeout sets another limit)", t.Limit)
}

// Unwrap: such a context ends as one with a deadline does.
func (t *TimeUp) Unwrap() error { return context.DeadlineExceeded }

// Ended says in words why a context has ended: by which limit, where that is known.
func Ended(ctx context.Context) string {
	var limit *TimeUp
	switch {
	case errors.As(context.Cause(ctx), &limit):
		return limit.Error()
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "the time is up"
	}
	return "interrupted"
}

// grace is how long a front end may go on when the time is over: most end soon, and what
// they have read can be reported on.
const grace = 2 * time.Second

// inTime runs a front end, which knows of no context, and leaves it alone a little after
// ctx ends.
func inTime[T any](ctx context.Context, path string, f func() (T, error)) (T, error) {
	return crash.InTime(ctx, grace, f, func() (none T, err error) { return none, &Late{path, context.Cause(ctx)} })
}
