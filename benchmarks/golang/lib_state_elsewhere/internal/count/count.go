// Package count has the state of another package.
package count

// Stat is what is counted.
type Stat struct{ Direct, Noted, Put int }

// All is changed by everybody.
var All Stat

// Note counts.
func Note() { All.Noted++ }

// Sink takes numbers.
type Sink interface{ Put(int) }

type sum struct{}

func (sum) Put(n int) { All.Put += n }

// Default is the sink of all.
func Default() Sink { return sum{} }

// Each calls a function that its caller knows, or its own.
func Each(f func(int)) { f(1) }
