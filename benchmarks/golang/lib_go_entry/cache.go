// Package cache starts functions that its users call, too.
package cache

import (
	"sync"
	"time"
)

// Cache is cleaned in the background.
type Cache struct {
	mu    sync.RWMutex
	items map[string]int
	every time.Duration
	limit int
}

// New sets a member after it has started what reads it.
func New() *Cache {
	c := &Cache{items: map[string]int{}, limit: 3}
	go c.Cleanup()
	c.every = time.Second // RACE!
	return c
}

// Cleanup may be called by users.
func (c *Cache) Cleanup() {
	for {
		time.Sleep(c.every) // RACE!
		c.mu.Lock()
		if len(c.items) > c.limit {
			clear(c.items)
		}
		c.mu.Unlock()
	}
}

var (
	mu     sync.Mutex
	counts = map[string]int{}
	total  int
)

func init() {
	total = 1
	go Refresh()
	counts["a"] = 1 // RACE!
}

// Refresh takes the lock.
func Refresh() int {
	mu.Lock()
	defer mu.Unlock()
	counts["b"]++ // RACE!
	total++
	return total
}

// Job is told what there is.
type Job interface{ Look(*State) } // RACE!

// State is given to jobs.
type State struct{ N int }

// Runner runs a job.
type Runner struct {
	mu  sync.Mutex
	job Job
}

// Run changes what the job looks at.
func (r *Runner) Run() {
	s := &State{}
	go r.Show(s)
	s.N = 1 // RACE!
}

// Show shows it.
func (r *Runner) Show(s *State) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.job.Look(s)
}
