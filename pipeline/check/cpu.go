package check

import (
	"context"
	"sync/atomic"
	"syscall"
	"time"
)

// Where there is no timeout, parts of the work are bounded by the processor time that
// they take, so that answers do not depend on what else the machine does.

// worked is the processor time of the process so far.
func worked() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// A working is a context that ends, as if its deadline had passed, when the process has
// worked for some time.
type working struct {
	context.Context
	over atomic.Bool
}

// Err is that of a passed deadline where the time was used up.
func (w *working) Err() error {
	if w.over.Load() {
		return context.DeadlineExceeded
	}
	return w.Context.Err()
}

// slack is how much longer than the processor time the work may take.
const slack = 6

// withWork bounds what is done by the processor time of the process, and by a multiple of
// it.
func withWork(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	inner, cancel := context.WithTimeout(ctx, slack*limit)
	w := &working{Context: inner}
	end := worked() + limit
	tick := time.NewTicker(20 * time.Millisecond)
	go func() {
		defer tick.Stop()
		for {
			select {
			case <-inner.Done():
				return
			case <-tick.C:
				if worked() >= end {
					w.over.Store(true)
					cancel()
					return
				}
			}
		}
	}()
	return w, cancel
}

// limited bounds a part of the work: by time where there is a timeout, else by processor
// time.
func (r *run) limited(limit time.Duration) (context.Context, context.CancelFunc) {
	if r.opt.Timeout > 0 {
		return context.WithTimeout(r.ctx, limit)
	}
	return withWork(r.ctx, limit)
}
