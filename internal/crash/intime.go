package crash

import (
	"context"
	"time"
)

// InTime runs f, which should end soon after ctx does. Where it does not (a solver that
// cannot be interrupted, a front end that knows of no context), it is left alone so long
// after ctx ended: nothing waits for it then, it ends with the process, and the answer is
// that of late. A panic of f is one of the caller's.
func InTime[T any](ctx context.Context, after time.Duration, f func() (T, error), late func() (T, error)) (T, error) {
	if ctx.Done() == nil {
		return f()
	}
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
				r.panic = Error(x)
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
		return late()
	}
}
