// Package pool runs functions in goroutines with values of two type parameters, of which
// one stands for nothing.
package pool

// Counter is safe for concurrent use, it says.
type Counter[T any] struct {
	started, last int
}

// start runs f in a goroutine.
func start[K, U any](k K, u U, f func(K, U)) { go f(k, u) }

// Start counts in a goroutine.
func (c *Counter[T]) Start(x T) {
	start(x, struct{}{}, func(T, struct{}) {
		c.started++ // RACE!
	})
}

// find returns what f finds.
func find[K, U any](k K, f func(K) (U, *int)) *int {
	_, p := f(k)
	return p
}

// Find counts what it finds.
func (c *Counter[T]) Find(x T) {
	p := find(x, func(T) (struct{}, *int) { return struct{}{}, &c.last })
	*p++ // RACE!
}
