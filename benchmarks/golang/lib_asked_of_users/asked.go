// Package asked finds types of its own in interfaces of others, which only users can have
// put there.
package asked

import "sync"

// Fault is an error.
type Fault struct{ n, seen int }

// Error says which.
func (f *Fault) Error() string { return "fault" }

func (f *Fault) note() {
	f.seen++ // RACE!
}

type noter interface{ note() }

// Plain has no methods.
type Plain struct{ n int }

// Log keeps what it is given.
type Log struct {
	mu   sync.Mutex
	err  error
	last any
}

// Keep keeps an error.
func (l *Log) Keep(err error) {
	l.mu.Lock()
	l.err = err // NORACE
	l.mu.Unlock()
}

// Run keeps what a function of the user's returns.
func (l *Log) Run(f func() any) {
	v := f()
	l.mu.Lock()
	l.last = v // NORACE
	l.mu.Unlock()
}

func (l *Log) both() (error, any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err, l.last // NORACE
}

// Count writes the errors of its own type.
func (l *Log) Count() {
	err, v := l.both()
	if f, ok := err.(*Fault); ok {
		f.n++ // RACE!
	}
	if p, ok := v.(*Plain); ok {
		p.n++ // RACE!
	}
}

// Note asks for a method.
func (l *Log) Note() {
	if err, _ := l.both(); err != nil {
		if n, ok := err.(noter); ok {
			n.note()
		}
	}
}

// Table keeps values of its users' type.
type Table[V any] struct {
	mu sync.Mutex
	v  any
}

// Put keeps one.
func (t *Table[V]) Put(v V) {
	t.mu.Lock()
	t.v = v // NORACE
	t.mu.Unlock()
}

// Touch writes it, if it is of a type of this package.
func (t *Table[V]) Touch() {
	t.mu.Lock()
	p, ok := t.v.(*Plain) // NORACE
	t.mu.Unlock()
	if ok {
		p.n++ // RACE!
	}
}

// Source has values.
type Source interface{ Each(func(any)) }

// Gather keeps what a source has.
func (l *Log) Gather(s Source) {
	s.Each(func(v any) {
		l.mu.Lock()
		l.last = v // NORACE
		l.mu.Unlock()
	})
}
