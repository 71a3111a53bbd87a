package stdgo

import (
	"context"
	"sync"
	"time"
)

// ctx is every context that the package makes.
type ctx struct {
	parent   context.Context // nil: none
	key, val any
	deadline time.Time
	timed    bool
	can      *ctx // the nearest one, itself included, that can be cancelled; nil: none of ours can
	done     <-chan struct{}

	// Of those that can be cancelled themselves:
	mu         sync.Mutex
	end        chan struct{} // is done
	err, cause error
	after      func() // runs once it is cancelled
	children   *ctx
	next       *ctx
}

func (c *ctx) Deadline() (time.Time, bool) { return c.deadline, c.timed }

func (c *ctx) Done() <-chan struct{} { return c.done }

func (c *ctx) Err() error {
	if c.can == nil {
		if c.done != nil { // below one that is not ours
			return c.parent.Err()
		}
		return nil
	}
	c.can.mu.Lock()
	defer c.can.mu.Unlock()
	return c.can.err
}

// nearest is the key of the nearest context that can be cancelled.
type nearest struct{}

func (c *ctx) Value(key any) any {
	if _, ok := key.(*nearest); ok {
		return c.can
	}
	for {
		if c.key != nil && c.key == key {
			return c.val
		}
		if c.parent == nil {
			return nil
		}
		p, ours := c.parent.(*ctx)
		if !ours {
			return c.parent.Value(key)
		}
		c = p
	}
}

// below is a context in another one, which cannot be cancelled by itself.
func below(parent context.Context) *ctx {
	if parent == nil {
		panic("cannot create context from nil parent")
	}
	c := &ctx{parent: parent}
	if p, ours := parent.(*ctx); ours {
		c.deadline, c.timed, c.can, c.done = p.deadline, p.timed, p.can, p.done
	} else {
		c.deadline, c.timed = parent.Deadline()
		c.done = parent.Done()
		if up := canceller(parent); up != nil && up.done == c.done {
			c.can = up
		}
	}
	return c
}

// canceller is the nearest context that can be cancelled, where it is one of ours.
func canceller(c context.Context) *ctx {
	if c, ours := c.(*ctx); ours {
		return c.can
	}
	up, _ := c.Value((*nearest)(nil)).(*ctx)
	return up
}

// child is a context that can be cancelled, and is when its parent is.
func child(parent context.Context, after func()) *ctx {
	c := below(parent)
	up, theirs := c.can, c.done
	c.end = make(chan struct{})
	c.can, c.done, c.after = c, c.end, after
	switch {
	case up != nil:
		up.mu.Lock()
		err, cause := up.err, up.cause
		if err == nil {
			c.next = up.children
			up.children = c
		}
		up.mu.Unlock()
		if err != nil {
			c.cancel(err, cause)
		}
	case theirs != nil:
		go func() {
			select {
			case <-theirs:
				c.cancel(parent.Err(), cause(parent))
			case <-c.end:
			}
		}()
	}
	return c
}

func (c *ctx) cancel(err, cause error) {
	c.mu.Lock()
	if c.err != nil {
		c.mu.Unlock()
		return
	}
	if cause == nil {
		cause = err
	}
	c.err, c.cause = err, cause
	close(c.end)
	for x := c.children; x != nil; x = x.next {
		x.cancel(err, cause)
	}
	c.children = nil
	c.mu.Unlock()
	if c.after != nil {
		go c.after()
	}
}

//whoop:for context.Background
func background() context.Context { return none }

//whoop:for context.TODO
func todo() context.Context { return nothing }

var none, nothing = new(ctx), new(ctx)

//whoop:for context.WithCancel
func withCancel(parent context.Context) (context.Context, context.CancelFunc) {
	c := child(parent, nil)
	return c, func() { c.cancel(context.Canceled, nil) }
}

//whoop:for context.WithCancelCause
func withCancelCause(parent context.Context) (context.Context, context.CancelCauseFunc) {
	c := child(parent, nil)
	return c, func(cause error) { c.cancel(context.Canceled, cause) }
}

//whoop:for context.Cause
func cause(parent context.Context) error {
	c := canceller(parent)
	if c == nil {
		return parent.Err()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cause
}

//whoop:for context.WithTimeout
//whoop:assume timer: the time of a context may be over at any time
func withTimeout(parent context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return withDeadlineCause(parent, time.Now().Add(d), nil)
}

//whoop:for context.WithDeadline
//whoop:assume timer: the time of a context may be over at any time
func withDeadline(parent context.Context, d time.Time) (context.Context, context.CancelFunc) {
	return withDeadlineCause(parent, d, nil)
}

//whoop:for context.WithTimeoutCause
//whoop:assume timer: the time of a context may be over at any time
func withTimeoutCause(parent context.Context, d time.Duration, cause error) (context.Context, context.CancelFunc) {
	return withDeadlineCause(parent, time.Now().Add(d), cause)
}

//whoop:for context.WithDeadlineCause
//whoop:assume timer: the time of a context may be over at any time
func withDeadlineCause(parent context.Context, d time.Time, cause error) (context.Context, context.CancelFunc) {
	c := child(parent, nil)
	c.deadline, c.timed = d, true
	go func() { c.cancel(context.DeadlineExceeded, cause) }()
	return c, func() { c.cancel(context.Canceled, nil) }
}

//whoop:for context.WithValue
func withValue(parent context.Context, key, val any) context.Context {
	c := below(parent)
	if key == nil {
		panic("nil key")
	}
	c.key, c.val = key, val
	return c
}

//whoop:for context.WithoutCancel
func withoutCancel(parent context.Context) context.Context {
	c := below(parent)
	c.can, c.done, c.timed, c.deadline = nil, nil, false, time.Time{}
	return c
}

//whoop:for context.AfterFunc
func afterFunc(parent context.Context, f func()) func() bool {
	c := child(parent, f)
	return func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.err != nil {
			return false
		}
		c.err = context.Canceled
		return true
	}
}
