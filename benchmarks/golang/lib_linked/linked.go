// Package linked makes two values lead to one map, by functions that are no methods, by a
// method of a third value, and by a variable: what the methods then do to it is not
// protected by the lock of one value.
package linked

import "sync"

// Counts may be used concurrently.
type Counts struct {
	mu sync.Mutex
	m  map[string]int
}

// New makes counts.
func New() *Counts { return &Counts{m: map[string]int{}} }

// Add adds one.
func (c *Counts) Add(k string) {
	c.mu.Lock()
	c.m[k]++ // RACE!
	c.mu.Unlock()
}

// Link makes both use the map of the second.
func Link(a, b *Counts) {
	a.mu.Lock()
	defer a.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	a.m = b.m
}

// Levels may be used concurrently.
type Levels struct {
	mu sync.Mutex
	m  map[int]int
}

// NewLevels makes levels.
func NewLevels() *Levels { return &Levels{m: map[int]int{}} }

// Raise raises a level.
func (l *Levels) Raise(k int) {
	l.mu.Lock()
	l.m[k]++ // RACE!
	l.mu.Unlock()
}

func (l *Levels) get() map[int]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.m
}

func (l *Levels) set(m map[int]int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.m = m
}

// Share shares levels, for a reason.
func Share(reason string, to, from *Levels) { to.set(from.get()) }

// Marks may be used concurrently.
type Marks struct {
	mu sync.Mutex
	m  map[int]bool
}

// NewMarks makes marks.
func NewMarks() *Marks { return &Marks{m: map[int]bool{}} }

// Mark marks.
func (m *Marks) Mark(k int) {
	m.mu.Lock()
	m.m[k] = true // RACE!
	m.mu.Unlock()
}

// Equate makes two others use one map.
func (m *Marks) Equate(a, b *Marks) {
	a.mu.Lock()
	defer a.mu.Unlock()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.m = a.m
}

var (
	saving sync.Mutex
	saved  map[string]int
)

// Scores may be used concurrently.
type Scores struct {
	mu sync.Mutex
	m  map[string]int
}

// NewScores makes scores.
func NewScores() *Scores { return &Scores{m: map[string]int{}} }

// Score scores.
func (s *Scores) Score(k string) {
	s.mu.Lock()
	s.m[k]++ // RACE!
	s.mu.Unlock()
}

// Save keeps the scores for others.
func (s *Scores) Save() {
	s.mu.Lock()
	defer s.mu.Unlock()
	saving.Lock()
	defer saving.Unlock()
	saved = s.m
}

// Load takes what another one saved.
func (s *Scores) Load() {
	s.mu.Lock()
	defer s.mu.Unlock()
	saving.Lock()
	defer saving.Unlock()
	if saved != nil {
		s.m = saved
	}
}
