package funcs

import (
	"sync"
	"testing"
)

// TestConcurrently calls the functions, for the race detector.
func TestConcurrently(t *testing.T) {
	one := func() int { return 1 }
	Sum([]int{1, 2, 3})
	First(one, one)
	inc, get := Counter()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { inc(); get() })
	}
	wg.Wait()
}
