package bmc

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// The standard library, as frontend/golang/stdgo has it.

type traceKey struct{}

// want: none
func TestContextBelowContext(t *testing.T) {
	top, cancel := context.WithCancel(context.WithValue(context.Background(), traceKey{}, 3))
	sub, stop := context.WithTimeout(top, time.Second)
	defer stop()
	seen := make(chan int)
	go func() {
		<-sub.Done()
		v, _ := sub.Value(traceKey{}).(int)
		seen <- v
	}()
	cancel()
	if v := <-seen; v != 3 {
		t.Fatal("another value")
	}
	if sub.Err() == nil || top.Err() != context.Canceled {
		t.Fatal("it has not ended")
	}
}

// The time of the inner context may be over, the outer one goes on.
// want: assert 1
func TestContextTimedOut(t *testing.T) {
	top, cancel := context.WithCancel(context.Background())
	defer cancel()
	sub, stop := context.WithTimeout(top, time.Second)
	defer stop()
	if top.Err() != nil {
		t.Fatal("the outer one has ended")
	}
	if errors.Is(sub.Err(), context.DeadlineExceeded) {
		t.Fatal("the time is over")
	}
}

// want: none
func TestContextCause(t *testing.T) {
	why := errors.New("why")
	ctx, cancel := context.WithCancelCause(context.Background())
	sub := context.WithoutCancel(ctx)
	go cancel(why)
	<-ctx.Done()
	if context.Cause(ctx) != why || !errors.Is(ctx.Err(), context.Canceled) || sub.Err() != nil {
		t.Fatal("another cause")
	}
}

// What AfterFunc starts is not waited for.
// want: race 1
func TestContextAfterFunc(t *testing.T) {
	n := 0
	ctx, cancel := context.WithCancel(context.Background())
	context.AfterFunc(ctx, func() { n++ })
	cancel()
	n++
}

// want: none
func TestContextAfterFuncStopped(t *testing.T) {
	n := 0
	ctx, cancel := context.WithCancel(context.Background())
	stop := context.AfterFunc(ctx, func() { n++ })
	if !stop() {
		t.Fatal("it has run")
	}
	cancel()
	n++
}

type store struct{ missing bool }

var errMissing = errors.New("missing")

func (s store) get() error {
	if s.missing {
		return fmt.Errorf("get: %w", errMissing)
	}
	return nil
}

type coded struct{ code int }

func (c coded) Error() string { return "code" }

func (c coded) Is(err error) bool { return err == errMissing && c.code == 404 }

// want: none
func TestErrors(t *testing.T) {
	err := store{true}.get()
	both := errors.Join(nil, errors.New("first"), fmt.Errorf("again: %w", err))
	switch {
	case err == errMissing, !errors.Is(err, errMissing), errors.Unwrap(err) != errMissing:
		t.Fatal("what Errorf wraps")
	case !errors.Is(both, errMissing), errors.Is(both, context.Canceled):
		t.Fatal("what Join joins")
	case !errors.Is(coded{404}, errMissing), errors.Is(coded{500}, errMissing), error(coded{1}) != error(coded{1}), error(coded{1}) == error(&coded{1}):
		t.Fatal("an Is of its own")
	case errors.Is(store{}.get(), errMissing), errors.Join(nil, nil) != nil:
		t.Fatal("no error")
	}
}

// A timer that has not fired is stopped, or its function runs.
// want: none
func TestTimerStopped(t *testing.T) {
	n, done := 0, make(chan int)
	timer := time.AfterFunc(time.Second, func() { n++; close(done) })
	if !timer.Stop() {
		<-done
	}
	n++
}

// The function may run after Stop, which does not wait for it.
// want: race 2
func TestTimerNotWaitedFor(t *testing.T) {
	n := 0
	timer := time.AfterFunc(time.Second, func() { n++ })
	timer.Stop()
	n++
}

// As of Go 1.23, nothing is left in the channel of a timer that was stopped.
// want: none
func TestTimerReset(t *testing.T) {
	timer := time.NewTimer(time.Second)
	timer.Stop()
	select {
	case <-timer.C:
		t.Fatal("it was stopped")
	default:
	}
	timer.Reset(time.Second)
	<-timer.C
}

// After the tick that was received there may be another one.
// want: assert 3
func TestTicker(t *testing.T) {
	ticker := time.NewTicker(time.Second)
	<-ticker.C
	select {
	case <-ticker.C:
		t.Fatal("two ticks")
	default:
	}
	ticker.Stop()
}

// want: none
func TestOnceFunc(t *testing.T) {
	n := 0
	f := sync.OnceFunc(func() { n++ })
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(f)
	}
	wg.Wait()
	if n != 1 {
		t.Fatal("not once")
	}
}

// want: race 1
func TestRLocker(t *testing.T) {
	var mu sync.RWMutex
	n := 0
	add := func(l sync.Locker) {
		l.Lock()
		n++
		l.Unlock()
	}
	var wg sync.WaitGroup
	wg.Go(func() { add(mu.RLocker()) })
	wg.Go(func() { add(mu.RLocker()) })
	wg.Wait()
}

type point struct{ at [2]int }

// want: none
func TestEqual(t *testing.T) {
	c := make(chan any, 3)
	c <- point{[2]int{1, 2}}
	c <- [3]string{"a", "b", "c"}
	c <- &point{}
	switch {
	case <-c != any(point{[2]int{1, 2}}), <-c == any([3]string{"a", "b"}), <-c == any(&point{}):
		t.Fatal("not equal")
	}
}

// want: none
func TestSort(t *testing.T) {
	xs := []int{3, 1, 2}
	done := make(chan bool)
	go func() {
		sort.Ints(xs)
		close(done)
	}()
	<-done
	names := []string{"b", "a"}
	ages := map[string]int{"a": 2, "b": 1}
	sort.Slice(names, func(i, j int) bool { return ages[names[i]] < ages[names[j]] })
	keys := slices.Sorted(maps.Values(ages))
	slices.SortFunc(xs[:2], func(a, b int) int { return b - a })
	if !slices.Equal(xs, []int{2, 1, 3}) || names[0] != "b" || keys[0] != 1 || slices.Index(xs, 3) != 2 || slices.Max(xs) != 3 {
		t.Fatal("not sorted")
	}
}

// Who sorts while another one reads.
// want: race 1
func TestSortRace(t *testing.T) {
	xs := []int{2, 1}
	go slices.Sort(xs)
	_ = xs[0]
}

// want: none
func TestTextLength(t *testing.T) {
	c := make(chan string, 2)
	go func() {
		c <- "one"
		c <- ""
	}()
	s := <-c
	if len(s) != 3 || s[2] != 'e' || len(<-c) != 0 {
		t.Fatal("another text")
	}
}

// want: panic 0
func TestTextIndex(t *testing.T) {
	c := make(chan string, 1)
	c <- "one"
	if s := <-c; s[len(s)] == 'e' {
		t.Fatal("there is no such byte")
	}
}

// want: none
func TestSyncMap(t *testing.T) {
	var m sync.Map
	var wg sync.WaitGroup
	n := 0
	for i := range 2 {
		wg.Go(func() {
			if _, loaded := m.LoadOrStore("key", i); !loaded {
				n++
			}
		})
	}
	wg.Wait()
	if n != 1 {
		t.Fatal("stored twice")
	}
}

// want: assert 1
func TestSyncMapCheckThenAct(t *testing.T) {
	var m sync.Map
	done := make(chan bool, 2)
	for range 2 {
		go func() {
			_, found := m.Load(1)
			if !found {
				m.Store(1, 2)
			}
			done <- !found
		}()
	}
	if <-done && <-done {
		t.Fatal("both have stored")
	}
}

type buffer struct{ n int }

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// want: none
func TestPool(t *testing.T) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			b := buffers.Get().(*buffer)
			b.n++
			buffers.Put(b)
		})
	}
	wg.Wait()
}

// Who puts a buffer back has no business with it any more.
// want: race 1
func TestPoolUsedAfterPut(t *testing.T) {
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			b := buffers.Get().(*buffer)
			buffers.Put(b)
			b.n++
		})
	}
	wg.Wait()
}

// want: none
func TestOnceValue(t *testing.T) {
	n := 0
	get := sync.OnceValue(func() int { n++; return n })
	both := sync.OnceValues(func() (int, error) { n++; return n, nil })
	done := make(chan int)
	go func() { done <- get() }()
	if a, b := get(), <-done; a != b {
		t.Error("called twice")
	}
	if v, err := both(); v != 2 || err != nil || get() != 1 {
		t.Error("not what it returned")
	}
}

// What is called once races with what it does not order.
// want: race 1
func TestOnceValueRaces(t *testing.T) {
	n := 0
	get := sync.OnceValue(func() int { n++; return n })
	go get()
	n++
}

// want: none
func TestSyncMapRange(t *testing.T) {
	var m sync.Map
	done := make(chan bool)
	go func() { m.Store(1, 1); done <- true }()
	m.Range(func(k, v any) bool { return k == v })
	<-done
}

type shown struct{ n int }

func show(v any) { fmt.Sprintln("shown", v) }

// What is printed may be in an interface.
// want: race 1
func TestPrintedInInterface(t *testing.T) {
	s := &shown{}
	done := make(chan bool)
	go func() {
		show(s)
		close(done)
	}()
	s.n = 2
	<-done
}

// want: none
func TestPrintedInInterfaceRepaired(t *testing.T) {
	s := &shown{}
	done := make(chan bool)
	go func() {
		show(s)
		close(done)
	}()
	<-done
	s.n = 2
}

type counted struct{ n int }

func (c *counted) Error() string {
	c.n++
	return ""
}

// fmt.Errorf asks an error what it says.
// want: race 1
func TestErrorfCallsError(t *testing.T) {
	c := &counted{}
	done := make(chan bool)
	go func() {
		_ = fmt.Errorf("again: %v", c)
		close(done)
	}()
	_ = fmt.Errorf("again: %v", c)
	<-done
}

// An append that must grow copies the elements.
// want: race 1
func TestAppendGrows(t *testing.T) {
	xs := []int{3}
	done := make(chan bool)
	go func() {
		xs = append(xs, 1)
		close(done)
	}()
	if len(xs) > 5 {
		t.Log("many")
	}
	<-done
}

// A slice in an interface is no key.
// want: panic 0
func TestUnhashableKey(t *testing.T) {
	m := map[any]int{}
	var k any = []int{1}
	m[k] = 1
}

var atomics [3]atomic.Int32 // of four bytes each

func setAtomic(i int, v int32) { atomics[i].Store(v) }

// want: none
func TestArrayOfAtomics(t *testing.T) {
	done := make(chan int)
	go func() {
		setAtomic(2, 5)
		done <- 1
	}()
	setAtomic(1, 7)
	<-done
	if atomics[0].Load() != 0 || atomics[1].Load() != 7 || atomics[2].Load() != 5 {
		t.Fatal("an element is another one")
	}
}
