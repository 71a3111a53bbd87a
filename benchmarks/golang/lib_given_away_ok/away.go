// Package away is lib_given_away, repaired: it gives away copies, what it replaces by something new, or what it takes out.
package away

import (
	"maps"
	"sync"
)

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
	h.h[k] = v // NORACE
}

// All returns a copy.
func (h *Headers) All() map[string]string { // NORACE
	h.mu.RLock()
	defer h.mu.RUnlock()
	return maps.Clone(h.h)
}

// Drain returns the map, and keeps another one.
func (h *Headers) Drain() map[string]string { // NORACE
	h.mu.Lock()
	defer h.mu.Unlock()
	old := h.h
	h.h = map[string]string{}
	return old
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
	r.buf[r.n%8] = x // NORACE
	r.n++
	r.mu.Unlock()
}

// Last returns a copy.
func (r *Ring) Last() []int { // NORACE
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]int(nil), r.buf[:]...)
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

// Get returns a copy of a job.
func (q *Queue) Get(id int) Job { // NORACE
	q.mu.Lock()
	defer q.mu.Unlock()
	if j := q.jobs[id]; j != nil {
		return *j
	}
	return Job{}
}

// Take takes a job out.
func (q *Queue) Take(id int) *Job { // NORACE
	q.mu.Lock()
	defer q.mu.Unlock()
	j := q.jobs[id]
	delete(q.jobs, id)
	return j
}

// Fail marks a job.
func (q *Queue) Fail(id int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if j := q.jobs[id]; j != nil {
		j.State = "failed" // NORACE
	}
}

// Info is what a node tells; nobody writes the list in place.
type Info struct {
	Name string
	Tags []string
}

// Node has an info.
type Node struct {
	mu   sync.Mutex
	info Info
}

// Info returns a copy, with the same list.
func (n *Node) Info() Info { n.mu.Lock(); defer n.mu.Unlock(); return n.info } // NORACE

// Tag makes a new list.
func (n *Node) Tag(k string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.info.Tags = append(append([]string(nil), n.info.Tags...), k) // NORACE
}
