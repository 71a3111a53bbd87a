package stripes_ok

import (
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	m := New()
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() { m.Add(uint32(i%4), 1); m.Get(1) })
		wg.Go(func() { m.Len() })
	}
	wg.Wait()
}
