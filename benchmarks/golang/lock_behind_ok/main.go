// Locks behind pointers and interfaces that are read from memory, and always lead to one lock.
package main

import "sync"

type queue struct {
	mu   sync.Mutex
	cond *sync.Cond
	n    int
}

func mixed() {
	q := &queue{}
	q.cond = sync.NewCond(&q.mu)
	go func() {
		q.cond.L.Lock()
		q.n++ // NORACE
		q.cond.L.Unlock()
		q.cond.Signal()
	}()
	q.mu.Lock()
	for q.n == 0 { // NORACE
		q.cond.Wait()
	}
	println(q.n) // NORACE
	q.mu.Unlock()
}

type box struct {
	l sync.Locker
	n int
}

func (b *box) inc() {
	b.l.Lock()
	b.n++ // NORACE
	b.l.Unlock()
}

func field() {
	b := &box{l: new(sync.Mutex)}
	go b.inc()
	b.inc()
}

type locker interface {
	Lock()
	Unlock()
}

type twice struct{ first, second sync.Mutex }

func (t *twice) Lock()   { t.first.Lock(); t.second.Lock() }
func (t *twice) Unlock() { t.second.Unlock(); t.first.Unlock() }

type own struct {
	l locker
	n int
}

func (o *own) inc() {
	o.l.Lock()
	defer o.l.Unlock()
	o.n++ // NORACE
}

func ownType() {
	o := &own{l: &twice{}}
	go o.inc()
	o.inc()
}

var (
	mu    sync.Mutex
	held  sync.Locker = &mu
	count int
)

func variable() {
	go func() {
		held.Lock()
		count++ // NORACE
		held.Unlock()
	}()
	mu.Lock()
	count++ // NORACE
	mu.Unlock()
}

func main() {
	mixed()
	field()
	ownType()
	variable()
}
