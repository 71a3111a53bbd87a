// A shard has a copy of a queue that a constructor made: what the queue leads to is
// protected by the lock of the shard.
package main

import "sync"

type queue struct {
	array  []byte
	header []int
	tail   int
}

func newQueue(n int) *queue {
	return &queue{array: make([]byte, n), header: make([]int, 4)}
}

func (q *queue) push(b byte) {
	if q.tail == len(q.array) {
		old := q.array
		q.array = make([]byte, 2*len(old)+1)
		copy(q.array, old) // NORACE
	}
	q.array[q.tail] = b // NORACE
	q.header[0]++       // NORACE
	q.tail++
}

type shard struct {
	mu      sync.RWMutex
	entries queue
	scratch []byte
}

func newShard(n int) *shard {
	return &shard{entries: *newQueue(n), scratch: make([]byte, 4)}
}

func (s *shard) set(b byte) {
	s.mu.Lock()
	s.entries.push(b)
	s.scratch[0] = b // NORACE
	s.mu.Unlock()
}

func (s *shard) get(i int) byte {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.entries.array[i] // NORACE
}

func main() {
	var shards []*shard
	for i := 0; i < 3; i++ {
		shards = append(shards, newShard(i+1))
	}
	for i := 0; i < 9; i++ {
		s := shards[i%3]
		go s.set(byte(i))
		go s.get(0)
	}
}
