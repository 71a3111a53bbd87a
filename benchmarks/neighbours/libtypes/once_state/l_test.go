package once_state

import (
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	d := &DB{}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { d.Query("q") })
	}
	wg.Wait()
}
