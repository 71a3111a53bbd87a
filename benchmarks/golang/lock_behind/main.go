// As lock_behind_ok, but the locks are not one, or none.
package main

import "sync"

type queue struct {
	mu, other sync.Mutex
	cond      *sync.Cond
	n         int
}

func otherLock() {
	q := &queue{}
	q.cond = sync.NewCond(&q.other)
	go func() {
		q.cond.L.Lock()
		q.n++ // RACE!
		q.cond.L.Unlock()
	}()
	q.mu.Lock()
	q.n++ // RACE!
	q.mu.Unlock()
}

type readers struct {
	l sync.Locker
	n int
}

func (b *readers) inc() {
	b.l.Lock()
	b.n++ // RACE!
	b.l.Unlock()
}

func onlyReaders() {
	var rw sync.RWMutex
	b := &readers{l: rw.RLocker()}
	go b.inc()
	b.inc()
}

type locker interface {
	Lock()
	Unlock()
}

type none struct{ x int }

func (*none) Lock()   {}
func (*none) Unlock() {}

type own struct {
	l locker
	n int
}

func (o *own) inc() {
	o.l.Lock()
	o.n++ // RACE!
	o.l.Unlock()
}

func noLock() {
	o := &own{l: new(none)}
	go o.inc()
	o.inc()
}

type each struct {
	l sync.Locker
	n *int
}

func (e *each) inc() {
	e.l.Lock()
	*e.n++ // RACE!
	e.l.Unlock()
}

func newEach(n *int) *each { return &each{l: new(sync.Mutex), n: n} }

func oneEach() {
	n := 0
	a, b := newEach(&n), newEach(&n)
	go a.inc()
	b.inc()
}

func main() {
	otherLock()
	onlyReaders()
	noLock()
	oneEach()
}
