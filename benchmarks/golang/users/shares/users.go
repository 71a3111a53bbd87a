// Package shares is a library. Its users may have two shards share their data.
package shares

import "sync"

// Shard has a lock for its data.
type Shard struct {
	mu sync.Mutex
	M  map[string]int
}

// Set is for concurrent use.
func (s *Shard) Set(k string) {
	s.mu.Lock()
	s.M[k]++ // RACE!
	s.mu.Unlock()
}

// Cache has shards.
type Cache struct {
	mu     sync.Mutex
	shards [8]Shard
}

// New makes one.
func New(n int) *Cache {
	c := &Cache{}
	for i := 0; i < 8; i++ {
		c.shards[i].M = map[string]int{}
	}
	return c
}

// Shard returns one.
func (c *Cache) Shard(i int) *Shard { return &c.shards[i] }

// Both sets in two.
func (c *Cache) Both(k string) {
	for i := range c.shards {
		s := &c.shards[i]
		s.Set(k)
	}
}
