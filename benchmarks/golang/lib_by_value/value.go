// Package value has methods by value: who calls one of what a pointer leads to copies it.
package value

import (
	"fmt"
	"sync"
)

// Set is for concurrent use; what it has lies behind pointers.
type Set struct {
	mu *sync.Mutex
	m  map[string]int
}

// New makes a set.
func New() *Set { return &Set{mu: new(sync.Mutex), m: map[string]int{}} }

func (s Set) String() string {
	return fmt.Sprint(s.m) // RACE!
}

// Inc counts a key.
func (s Set) Inc(k string) {
	s.mu.Lock()
	s.m[k]++ // RACE!
	s.mu.Unlock()
}

// Len has the lock.
func (s Set) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.m) // NORACE
}

// Level is for concurrent use.
type Level struct {
	mu *sync.Mutex
	n  int
}

// NewLevel makes one.
func NewLevel() *Level { return &Level{mu: new(sync.Mutex)} }

// N copies the level.
func (l Level) N() int { return l.n } // RACE!

// Up counts.
func (l *Level) Up() {
	l.mu.Lock()
	l.n++ // RACE!
	l.mu.Unlock()
}
