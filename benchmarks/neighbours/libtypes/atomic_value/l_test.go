package atomic_value

import (
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	l := New()
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { l.SetFirst(2) })
		wg.Go(func() { l.Sum() })
	}
	wg.Wait()
}
