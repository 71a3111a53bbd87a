package flag_lock_ok

import (
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	for range 50 {
		tp := &Topic{}
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() { tp.Subscribe() })
			wg.Go(func() { tp.Publish(1) })
			wg.Go(tp.Close)
		}
		wg.Wait()
	}
}
