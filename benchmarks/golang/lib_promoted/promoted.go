// Package promoted has a type with a lock that has methods of what is embedded in it, and a function in a member: users call these, too.
package promoted

import "sync"

type counter[T any] struct{ n int }

// Inc counts.
func (c *counter[T]) Inc() {
	c.n++ // RACE!
}

// Gauge is one by itself.
type Gauge struct{ level int }

// Raise raises it.
func (g *Gauge) Raise() {
	g.level++ // RACE!
}

// Stepper steps.
type Stepper interface{ Step() }

type steps struct{ n int }

func (s *steps) Step() {
	s.n++ // RACE!
}

// Meter is safe for concurrent use.
type Meter struct {
	mu sync.Mutex
	counter[int]
	*Gauge
	Stepper
	Reset  func()
	resets int
}

// New makes a meter.
func New() *Meter {
	m := &Meter{Gauge: &Gauge{}, Stepper: &steps{}}
	m.Reset = func() {
		m.resets++ // RACE!
	}
	return m
}

// Sum has the lock.
func (m *Meter) Sum() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return 1
}
