// Two shards have copies of one queue.
package main

import "sync"

type queue struct {
	array []byte
	tail  int
}

func newQueue(n int) *queue { return &queue{array: make([]byte, n)} }

func (q *queue) push(b byte) {
	q.array[q.tail%len(q.array)] = b // RACE!
	q.tail++
}

type shard struct {
	mu      sync.RWMutex
	entries queue
}

func newShards(n int) (*shard, *shard) {
	q := newQueue(n)
	return &shard{entries: *q}, &shard{entries: *q}
}

func (s *shard) set(b byte) {
	s.mu.Lock()
	s.entries.push(b)
	s.mu.Unlock()
}

func (s *shard) get(i int) byte {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.entries.array[i] // RACE!
}

func main() {
	one, two := newShards(3)
	go one.set(1)
	go one.get(0)
	go two.set(2)
	go two.get(0)
}
