package stdgo

import (
	"iter"
	"runtime"
	"sync/atomic"
)

// coroutine is an iterator that runs when next wants a value: it and its user hand each
// other the turn.
type coroutine[V any] struct {
	started, done, over bool
	v                   V
	ok                  bool
	failed              any
	exited              bool
	uses                int         // written by next and stop, which are not for concurrent use
	running             atomic.Bool // the iterator has the turn
	resume, back        chan struct{}
}

//whoop:for iter.Pull
func pull[V any](seq iter.Seq[V]) (next func() (V, bool), stop func()) {
	c := &coroutine[V]{resume: make(chan struct{}), back: make(chan struct{})}
	next = func() (V, bool) {
		c.uses++
		var none V
		if c.done || c.over {
			return none, false
		}
		c.v, c.ok = none, false
		c.turn(seq)
		return c.v, c.ok
	}
	stop = func() {
		c.uses++
		if c.done {
			return
		}
		c.done = true
		if c.started && !c.over {
			c.turn(seq)
		}
	}
	return next, stop
}

// turn lets the iterator run until it yields or ends.
func (c *coroutine[V]) turn(seq iter.Seq[V]) {
	if !c.running.CompareAndSwap(false, true) {
		panic("iter.Pull: next called again before yield")
	}
	if c.over {
		c.running.Store(false)
		return
	}
	if c.started {
		c.resume <- struct{}{}
	} else {
		c.started = true
		go c.run(seq)
	}
	<-c.back
	c.running.Store(false)
	if f := c.failed; f != nil {
		c.failed = nil
		panic(f)
	}
	if c.exited {
		c.exited = false
		runtime.Goexit()
	}
}

func (c *coroutine[V]) run(seq iter.Seq[V]) {
	returned := false
	defer func() {
		if !returned {
			c.failed = recover()
			c.exited = c.failed == nil
		}
		c.over = true
		c.back <- struct{}{}
	}()
	seq(c.yield)
	returned = true
}

func (c *coroutine[V]) yield(v V) bool {
	if c.done {
		return false
	}
	c.v, c.ok = v, true
	c.back <- struct{}{}
	<-c.resume
	return !c.done
}

// pair is what an iterator with two values yields.
type pair[K, V any] struct {
	k K
	v V
}

//whoop:for iter.Pull2
func pull2[K, V any](seq iter.Seq2[K, V]) (next func() (K, V, bool), stop func()) {
	one, stop := pull(func(yield func(pair[K, V]) bool) {
		seq(func(k K, v V) bool { return yield(pair[K, V]{k, v}) })
	})
	return func() (K, V, bool) {
		p, ok := one()
		return p.k, p.v, ok
	}, stop
}
