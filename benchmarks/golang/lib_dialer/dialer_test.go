package dialer

import (
	"sync"
	"testing"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	d := &Dialer{}
	for range 4 {
		wg.Go(func() { d.Dial("http://a") })
	}
	wg.Wait()
}
