// Package away gives away what it keeps, and writes it in place: who calls its methods reads that without the lock.
package away

import "sync"

// Headers are lists of values.
type Headers struct {
	mu sync.RWMutex
	h  map[string]string
}

// New makes some.
func New() *Headers { return &Headers{h: map[string]string{}} }

// Set sets one.
func (h *Headers) Set(k, v string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.h[k] = v // RACE!
}

// All returns the map.
func (h *Headers) All() map[string]string { // RACE!
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.h
}

// Ring has the last values.
type Ring struct {
	mu  sync.Mutex
	buf [8]int
	n   int
}

// Add adds one.
func (r *Ring) Add(x int) {
	r.mu.Lock()
	r.buf[r.n%8] = x // RACE!
	r.n++
	r.mu.Unlock()
}

// Last returns the array itself.
func (r *Ring) Last() []int { // RACE!
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.buf[:]
}

// Job is one of a queue's.
type Job struct{ State string }

// Queue has jobs.
type Queue struct {
	mu   sync.Mutex
	jobs map[int]*Job
}

// NewQueue makes one.
func NewQueue() *Queue { return &Queue{jobs: map[int]*Job{}} }

// Add adds a job.
func (q *Queue) Add(id int) { q.mu.Lock(); q.jobs[id] = &Job{}; q.mu.Unlock() }

// Get returns a job that stays in the queue.
func (q *Queue) Get(id int) *Job { // RACE!
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.jobs[id]
}

// Fail marks a job.
func (q *Queue) Fail(id int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if j := q.jobs[id]; j != nil {
		j.State = "failed" // RACE!
	}
}

// Info is what a node tells.
type Info struct {
	Name string
	Tags map[string]string
}

// Node has an info.
type Node struct {
	mu   sync.Mutex
	info Info
}

// Info returns a copy, with the same map.
func (n *Node) Info() Info { n.mu.Lock(); defer n.mu.Unlock(); return n.info } // RACE!

// Tag adds one.
func (n *Node) Tag(k, v string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.info.Tags == nil {
		n.info.Tags = map[string]string{}
	}
	n.info.Tags[k] = v // RACE!
}

// Set is a set of anything.
type Set[T comparable] struct {
	mu sync.Mutex
	m  map[T]bool
}

// NewSet makes one.
func NewSet[T comparable]() *Set[T] { return &Set[T]{m: map[T]bool{}} }

// Add adds an element.
func (s *Set[T]) Add(t T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[t] = true // RACE!
}

// Members returns the map.
func (s *Set[T]) Members() map[T]bool { // RACE!
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m
}
