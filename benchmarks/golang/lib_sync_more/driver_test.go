package more

import (
	"sync"
	"testing"
)

// TestConcurrently calls all methods from two goroutines each, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	deep, lazy, with, actor, embedded, pair := NewDeep(), NewLazy(), NewWith(), NewActor(), NewEmbedded(), NewPair()
	built := new(Builder).Build()
	for range 2 {
		wg.Go(deep.Inc)
		wg.Go(built.Inc)
		wg.Go(func() { lazy.Get() })
		wg.Go(func() { with.N() })
		wg.Go(func() { actor.Inc(); actor.N() })
		wg.Go(func() { embedded.N() })
		wg.Go(func() { pair.Inc("a"); pair.Get("a") })
	}
	wg.Wait()
}
