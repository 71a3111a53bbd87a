// WANT: verify | race-free | shards by value in an array, each with its lock and map
package stripes_ok

import "sync"

const shards = 8

type shard struct {
	sync.RWMutex
	m map[uint32]int
}

// Map is safe for concurrent use.
type Map struct{ shards [shards]shard }

// New makes a map.
func New() *Map {
	m := &Map{}
	for i := range m.shards {
		m.shards[i].m = make(map[uint32]int)
	}
	return m
}

// Add adds n at k.
func (m *Map) Add(k uint32, n int) {
	s := &m.shards[k%shards]
	s.Lock()
	defer s.Unlock()
	s.m[k] += n // NORACE
}

// Get reads.
func (m *Map) Get(k uint32) int {
	s := &m.shards[k%shards]
	s.RLock()
	defer s.RUnlock()
	return s.m[k] // NORACE
}

// Len counts.
func (m *Map) Len() (n int) {
	for i := range m.shards {
		s := &m.shards[i]
		s.RLock()
		n += len(s.m) // NORACE
		s.RUnlock()
	}
	return n
}
