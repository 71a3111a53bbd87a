package vm

import "sync"

// Names are the numbers of threads. Machines that share them give the same number to the
// same thread, whatever their executions; they may do so at the same time.
type Names struct {
	mu    sync.Mutex
	of    map[Name]int
	names []Name // of thread 1 and further ones
	ask   func(Name) int
}

// Name is who has started a thread, and how many threads that one had started before.
type Name struct{ Parent, K int32 }

// NewNames makes names of which some are given: those of thread 1, 2, …
func NewNames(given []Name) *Names {
	n := &Names{of: map[Name]int{}}
	for _, x := range given {
		n.number(x)
	}
	return n
}

// AskedNames makes names of which the numbers are asked for: another process has them.
func AskedNames(ask func(Name) int) *Names { return &Names{of: map[Name]int{}, ask: ask} }

// Number is the number of a thread.
func (n *Names) Number(x Name) int { return n.number(x) }

// Given are the names of thread 1, 2, … so far.
func (n *Names) Given() []Name {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]Name{}, n.names...)
}

// number is the number of a thread, a new one where it has none.
func (n *Names) number(x Name) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	t, ok := n.of[x]
	if !ok && n.ask != nil {
		t = n.ask(x)
		n.of[x] = t
		return t
	}
	if !ok {
		n.names = append(n.names, x)
		t = len(n.names)
		n.of[x] = t
	}
	return t
}
