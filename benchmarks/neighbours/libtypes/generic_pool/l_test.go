package generic_pool

import (
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	p := Ints()
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { p.Get() })
		wg.Go(func() { p.Put(nil) })
	}
	wg.Wait()
}
