package flag_atomic

import (
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	for range 200 {
		q := New()
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() { q.Put(nil) })
		}
		wg.Go(q.Close)
		wg.Wait()
	}
}
