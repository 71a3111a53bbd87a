package generic_ok

import (
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	c := &Counters{}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { c.Inc("a"); c.Get("a") })
	}
	wg.Wait()
}
