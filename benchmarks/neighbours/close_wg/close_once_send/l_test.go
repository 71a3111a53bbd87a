package close_once_send

import (
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	for range 50 {
		n := New()
		var wg sync.WaitGroup
		wg.Go(func() { n.Notify("a") })
		wg.Go(n.Stop)
		wg.Go(n.Stop)
		wg.Wait()
	}
}
