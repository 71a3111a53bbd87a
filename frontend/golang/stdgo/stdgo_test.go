package stdgo

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

// contexts is package context, or what stands for it.
type contexts struct {
	background  func() context.Context
	withCancel  func(context.Context) (context.Context, context.CancelFunc)
	withCause   func(context.Context) (context.Context, context.CancelCauseFunc)
	cause       func(context.Context) error
	withTimeout func(context.Context, time.Duration) (context.Context, context.CancelFunc)
	withValue   func(context.Context, any, any) context.Context
	without     func(context.Context) context.Context
	afterFunc   func(context.Context, func()) func() bool
}

// other is a context that neither made.
type other struct{ context.Context }

// said is what contexts of all kinds say, in a fixed order.
func said(c contexts) (out []string) {
	why := errors.New("why")
	say := func(x context.Context) {
		done := false
		select {
		case <-x.Done():
			done = true
		default:
		}
		_, timed := x.Deadline()
		out = append(out, fmt.Sprint(done, x.Err(), c.cause(x), x.Done() == nil, timed, x.Value("k"), x.Value("l")))
	}
	top, cancel := c.withCause(c.withValue(c.background(), "k", 1))
	below, stop := c.withCancel(c.withValue(top, "l", 2))
	free := c.without(below)
	long, end := c.withTimeout(other{below}, time.Hour)
	ran := make(chan int, 1)
	unregister := c.afterFunc(c.withValue(below, "k", 3), func() { ran <- 1 })
	late := c.afterFunc(free, func() { ran <- 2 })
	for _, x := range []context.Context{c.background(), top, below, free} {
		say(x)
	}
	cancel(why)
	<-long.Done()
	out = append(out, fmt.Sprint(<-ran, unregister(), late()))
	after, stopAfter := c.withCancel(below)
	for _, x := range []context.Context{top, below, free, long, after, c.withValue(after, "l", 4)} {
		say(x)
	}
	cancel(nil)
	stop()
	end()
	stopAfter()
	one, two := c.withCancel(c.background())
	two()
	say(one)
	return out
}

// TestContexts: what stands for package context does what that does.
func TestContexts(t *testing.T) {
	ours := said(contexts{background, withCancel, withCancelCause, cause, func(c context.Context, d time.Duration) (context.Context, context.CancelFunc) {
		x := child(c, nil) // of which the time is not over
		x.timed = true
		return x, func() { x.cancel(context.Canceled, nil) }
	}, withValue, withoutCancel, afterFunc})
	theirs := said(contexts{context.Background, context.WithCancel, context.WithCancelCause, context.Cause, context.WithTimeout, context.WithValue, context.WithoutCancel, context.AfterFunc})
	for i := range theirs {
		if ours[i] != theirs[i] {
			t.Errorf("%d: %s, want %s", i, ours[i], theirs[i])
		}
	}
}

type coded int

func (c coded) Error() string { return "code" }

func (c coded) Is(err error) bool { return err == errors.ErrUnsupported && c == 1 }

// TestErrors: errors are found in others as package errors finds them.
func TestErrors(t *testing.T) {
	a, b := errors.New("a"), errors.New("b")
	errs := []error{nil, a, b, coded(1), coded(2), errors.ErrUnsupported, fmt.Errorf("x: %w", a), fmt.Errorf("x: %w %w", b, coded(1)), errors.Join(a, fmt.Errorf("y: %w", b)), join(nil, b, wrap(a)), wrap(coded(1))}
	for i, e := range errs {
		for k, target := range errs[:6] {
			if got, want := is(e, target), errors.Is(e, target); got != want {
				t.Errorf("is %d %d: %v, want %v", i, k, got, want)
			}
		}
		if got, want := unwrap(e), errors.Unwrap(e); got != want {
			t.Errorf("unwrap %d: %v, want %v", i, got, want)
		}
	}
	if join(nil, nil) != nil {
		t.Error("nothing is joined to nothing")
	}
}

// TestTimers: a timer that is stopped before it fires does not, one that has fired is stopped no more, and its channel is empty after it was stopped or reset.
func TestTimers(t *testing.T) {
	c := make(chan int, 9)
	x := newTimer(0)
	<-x.C
	if stop(x) || reset(x, 0) {
		t.Error("it has fired")
	}
	<-x.C
	f := afterTime(0, func() { c <- 1 })
	if !stop(f) {
		<-c
	}
	if stop(f) || reset(f, 0) {
		t.Error("it was stopped")
	}
	<-c
	y := newTicker(1)
	<-y.C
	<-y.C
	stopTicker(y)
	select {
	case <-y.C:
		t.Error("it ticks on")
	default:
	}
	n := 0
	g := onceFunc(func() { n++ })
	g()
	g()
	if n != 1 {
		t.Error("not once")
	}
}
