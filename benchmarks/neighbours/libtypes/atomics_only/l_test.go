package atomics_only

import (
	"sync"
	"testing"
	"time"
)

func TestRace(t *testing.T) {
	s := &Stats{}
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() { s.Observe("a", time.Duration(i)); s.Mean() })
		wg.Go(func() { s.Slowest() })
	}
	wg.Wait()
}
