// Package count has the state of another package, and its lock.
package count

import "sync"

// Stat is what is counted.
type Stat struct{ Direct, Noted, Put int }

// Mu protects All.
var Mu sync.Mutex

// All is changed by everybody.
var All Stat

// Note counts.
func Note() {
	Mu.Lock()
	defer Mu.Unlock()
	All.Noted++
}

// Sink takes numbers.
type Sink interface{ Put(int) }

type sum struct{}

func (sum) Put(n int) {
	Mu.Lock()
	defer Mu.Unlock()
	All.Put += n
}

// Default is the sink of all.
func Default() Sink { return sum{} }

// Each calls a function that its caller knows, or its own.
func Each(f func(int)) {
	Mu.Lock()
	defer Mu.Unlock()
	f(1)
}
