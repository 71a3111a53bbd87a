package stdgo

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"
	"unsafe"
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

// TestMap: what stands for sync.Map does what that does, with few elements.
func TestMap(t *testing.T) {
	type operations struct {
		load            func(any) (any, bool)
		store           func(any, any)
		swap, loadStore func(any, any) (any, bool)
		loadDelete      func(any) (any, bool)
		cas             func(k, old, new any) bool
		cad             func(k, old any) bool
		visit           func(func(k, v any) bool)
		clear           func()
	}
	said := func(o operations) (out []string) {
		say := func(x ...any) { out = append(out, fmt.Sprint(x...)) }
		pair := func(v any, ok bool) { say(v, ok) }
		pair(o.load(1))
		o.store(1, "a")
		o.store("1", "b")
		pair(o.load(1))
		pair(o.swap(1, "c"))
		pair(o.swap(2, "d"))
		pair(o.loadStore(2, "e"))
		pair(o.loadStore([2]int{3, 4}, "f"))
		pair(o.load([2]int{3, 4}))
		say(o.cas(1, "a", "x"), o.cas(1, "c", "g"), o.cad(1, "c"), o.cas(9, nil, 1))
		pair(o.loadDelete("1"))
		pair(o.loadDelete("1"))
		n, seen := 0, map[any]any{}
		o.visit(func(k, v any) bool { seen[k] = v; return true })
		o.visit(func(k, v any) bool { n++; return n < 2 })
		say(len(seen), seen[1], seen[2], seen[[2]int{3, 4}], n)
		say(o.cad(1, "g"))
		o.clear()
		pair(o.load(2))
		return out
	}
	var ours syncMap
	var theirs sync.Map
	p := (*sync.Map)(unsafe.Pointer(&ours))
	got := said(operations{func(k any) (any, bool) { return mapLoad(p, k) }, func(k, v any) { mapStore(p, k, v) }, func(k, v any) (any, bool) { return mapSwap(p, k, v) },
		func(k, v any) (any, bool) { return mapLoadOrStore(p, k, v) }, func(k any) (any, bool) { return mapLoadAndDelete(p, k) },
		func(k, old, new any) bool { return mapCompareAndSwap(p, k, old, new) }, func(k, old any) bool { return mapCompareAndDelete(p, k, old) },
		func(f func(k, v any) bool) { mapRange(p, f) }, func() { mapClear(p) }})
	want := said(operations{theirs.Load, theirs.Store, theirs.Swap, theirs.LoadOrStore, theirs.LoadAndDelete, theirs.CompareAndSwap, theirs.CompareAndDelete, theirs.Range, theirs.Clear})
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%d: %s, want %s", i, got[i], want[i])
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

// TestTimers: a timer that is stopped before it fires does not, one that has fired is
// stopped no more, and its channel is empty after it was stopped or reset.
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
