package syncmap_entries

import (
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	s := &Sessions{}
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() { s.Touch("a", "bob") })
		wg.Go(func() { s.Busiest() })
	}
	wg.Wait()
}
