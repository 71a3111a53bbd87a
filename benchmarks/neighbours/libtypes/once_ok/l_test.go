package once_ok

import (
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	w := New("a b a")
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { w.Count("a") })
		wg.Go(func() { w.First() })
	}
	wg.Wait()
}
