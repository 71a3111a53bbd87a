// Package late notes in a context that a part of a run ended for want of time: another
// run, with more time or on a faster machine, may find out more.
//
//	ctx = late.With(ctx)
//	within, cancel := late.Watch(context.WithTimeout(ctx, limit)) // within the run
//	if late.Is(ctx) { … }                                         // at its end
package late

import (
	"context"
	"errors"
	"slices"
	"sync"
)

// note is what a run notes.
type note struct {
	mu      sync.Mutex
	is      bool
	watched []context.Context
}

type key struct{}

// With returns a context in which is noted what is late.
func With(ctx context.Context) context.Context { return context.WithValue(ctx, key{}, &note{}) }

func on(ctx context.Context) *note {
	n, _ := ctx.Value(key{}).(*note)
	return n
}

// Watch watches a limited part of a run. It takes and returns what context.WithTimeout
// returns.
func Watch(ctx context.Context, cancel context.CancelFunc) (context.Context, context.CancelFunc) {
	if n := on(ctx); n != nil {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.watched = append(n.watched, ctx)
	}
	return ctx, cancel
}

// Set notes that something was given up.
func Set(ctx context.Context) {
	if n := on(ctx); n != nil {
		n.mu.Lock()
		defer n.mu.Unlock()
		n.is = true
	}
}

// Is reports whether something was given up, or the time of a part that is watched was up
// before the part was over.
func Is(ctx context.Context) bool {
	n := on(ctx)
	if n == nil {
		return false
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.is || slices.ContainsFunc(n.watched, func(c context.Context) bool {
		return errors.Is(c.Err(), context.DeadlineExceeded)
	})
}
