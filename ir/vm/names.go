package vm

import "sync"

// Names are the numbers of threads. Machines that share them give the same number to the
// same thread, whatever their executions; they may do so at the same time.
type Names struct {
	mu    sync.Mutex
	of    map[Name]int
	names []Name // of thread 1 and further ones
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
	if !ok {
		n.names = append(n.names, x)
		t = len(n.names)
		n.of[x] = t
	}
	return t
}
