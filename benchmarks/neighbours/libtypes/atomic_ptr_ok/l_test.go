package atomic_ptr_ok

import (
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	r := &Routes{}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { r.Add("a", "b") })
		wg.Go(func() { r.Lookup("a") })
	}
	wg.Wait()
}
