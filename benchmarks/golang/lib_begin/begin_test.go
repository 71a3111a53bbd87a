package begin

import (
	"sync"
	"testing"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	db := &DB{open: true}
	for range 2 {
		wg.Go(func() { db.Update(func(*Tx) error { return nil }) })
	}
	wg.Wait()
	db.Close()
}
