package behind

import (
	"sync"
	"testing"
)

// TestConcurrently calls all methods from two goroutines each, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	facade, ok, derived, cache, list, reg, counter := New(), NewOK(), NewDerived(), NewCache(), NewList(), NewRegistry(), NewCounter()
	for range 2 {
		wg.Go(facade.Inc)
		wg.Go(ok.Inc)
		wg.Go(func() { derived.Put("a") })
		wg.Go(func() { cache.Put("a") })
		wg.Go(list.Inc)
		wg.Go(func() { reg.Get("a").Use(); reg.View().Len() })
		wg.Go(func() { counter.Inc(); counter.N() })
	}
	wg.Wait()
}
