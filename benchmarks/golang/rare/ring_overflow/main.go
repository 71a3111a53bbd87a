// A ring buffer between one producer and one consumer, ordered by its atomic positions. If it is full, the producer drops the oldest
// element by writing over it, while the consumer may be reading it. The consumer must fall 16 elements, 16 milliseconds, behind.
package main

import (
	"sync"
	"sync/atomic"
	"time"
)

const (
	size = 16
	last = 25
)

type ring struct {
	slots      [size]int
	head, tail int64
}

func (r *ring) push(n int) {
	t := atomic.LoadInt64(&r.tail)
	if t-atomic.LoadInt64(&r.head) == size {
		atomic.AddInt64(&r.head, 1)
	}
	r.slots[t%size] = n // RACE!
	atomic.StoreInt64(&r.tail, t+1)
}

func (r *ring) pop() (int, bool) {
	h := atomic.LoadInt64(&r.head)
	if h == atomic.LoadInt64(&r.tail) {
		return 0, false
	}
	n := r.slots[h%size] // RACE!
	return n, atomic.CompareAndSwapInt64(&r.head, h, h+1)
}

func main() {
	r := new(ring)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for n, ok := r.pop(); !ok || n != last; n, ok = r.pop() {
			time.Sleep(100 * time.Microsecond)
		}
	}()
	for i := 1; i <= last; i++ {
		r.push(i)
		time.Sleep(time.Millisecond)
	}
	wg.Wait()
}
