package map_of_chans

import (
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	for range 200 {
		r := &Rooms{}
		r.Join("a")
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() { r.Tell("a", "x") })
		}
		wg.Go(func() { r.Leave("a") })
		wg.Wait()
	}
}
