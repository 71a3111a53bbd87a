// Package heaps has a generic heap: methods by value of what a pointer in an interface leads to.
package heaps

import (
	"container/heap"
	"sync"
)

type item[K comparable] struct {
	k K
	i int
}

type queue[K comparable] []*item[K]

func (q queue[K]) Len() int           { return len(q) }
func (q queue[K]) Less(i, j int) bool { return q[i].i < q[j].i }
func (q queue[K]) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue[K]) Push(x any)        { *q = append(*q, x.(*item[K])) } // RACE!
func (q *queue[K]) Pop() any {
	old := *q
	n := len(old)
	it := old[n-1]
	*q = old[:n-1] // RACE!
	return it
}

func (q *queue[K]) remove(it *item[K]) { heap.Remove(q, it.i) }

// Cache is for concurrent use.
type Cache[K comparable] struct {
	mu sync.Mutex
	q  queue[K]
}

// Add adds and removes.
func (c *Cache[K]) Add(k K) {
	c.mu.Lock()
	defer c.mu.Unlock()
	it := &item[K]{k: k}
	heap.Push(&c.q, it)
	c.q.remove(it)
}

// First forgets the lock.
func (c *Cache[K]) First() int {
	return len(c.q) // RACE!
}
