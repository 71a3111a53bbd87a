package stdgo

import (
	"context"
	"sync"
	"testing"
	"unsafe"
)

// test is what a testing.T begins with. That of a test that is run by itself is zero at
// first.
//
//whoop:type testing.common
type test struct {
	parent *test
	mu     sync.Mutex
	// parallel are the subtests that go on when the test's function has ended, which
	// closes ended.
	ended    chan struct{}
	parallel sync.WaitGroup
	cleanups *cleanup
	ctx      *ctx // what Context returns, once it was called
	// back is sent to when the test has ended, or goes on beside others: Run returns.
	back   chan struct{}
	beside bool
}

type cleanup struct {
	f    func()
	next *cleanup
}

func testOf(t *testing.T) *test { return (*test)(unsafe.Pointer(t)) }

// run runs a subtest in a goroutine of its own. Where a subtest can neither end itself
// nor go on beside others the front end calls it instead.
//
//whoop:for (*testing.T).Run
func run(t *testing.T, name string, f func(t *testing.T)) bool {
	p := testOf(t)
	p.mu.Lock()
	if p.ended == nil {
		p.ended = make(chan struct{})
	}
	p.mu.Unlock()
	sub := new(testing.T)
	c := testOf(sub)
	c.parent, c.back = p, make(chan struct{}, 1)
	go func() {
		defer c.end()
		f(sub)
	}()
	<-c.back
	return true
}

//whoop:for (*testing.T).Parallel
func parallel(t *testing.T) {
	c := testOf(t)
	if c.beside {
		panic("testing: t.Parallel called multiple times")
	}
	c.beside = true
	if c.parent == nil { // tests are run one by one
		return
	}
	c.parent.parallel.Add(1)
	c.back <- struct{}{}
	<-c.parent.ended
}

//whoop:for (*testing.common).Cleanup
func addCleanup(t *testing.T, f func()) {
	c := testOf(t)
	c.mu.Lock()
	c.cleanups = &cleanup{f, c.cleanups}
	c.mu.Unlock()
}

//whoop:for (*testing.common).Context
func testContext(t *testing.T) context.Context {
	c := testOf(t)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx == nil {
		c.ctx = child(none, nil)
	}
	return c.ctx
}

// end is what comes after a test's function: its parallel subtests, and what it has
// registered to be called then.
func (c *test) end() {
	if c.ended != nil {
		close(c.ended)
		c.parallel.Wait()
	}
	if c.ctx != nil {
		c.ctx.cancel(context.Canceled, nil)
	}
	for c.cleanups != nil {
		f := c.cleanups.f
		c.cleanups = c.cleanups.next
		f()
	}
	switch {
	case c.parent == nil:
	case c.beside:
		c.parent.parallel.Done()
	default:
		c.back <- struct{}{}
	}
}

// endTest ends the test that is run; the front end calls it.
func endTest(t *testing.T) { testOf(t).end() }
