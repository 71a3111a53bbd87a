package chan_lock_ok

import (
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	r := New()
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { r.Add("a") })
		wg.Go(func() { r.Names() })
	}
	wg.Wait()
}
