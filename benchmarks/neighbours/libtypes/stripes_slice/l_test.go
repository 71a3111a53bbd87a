package stripes_slice

import (
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	s := New(4)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { s.Add("a") })
		wg.Go(s.Reset)
		wg.Go(func() { s.Has("a"); s.Reset() })
	}
	wg.Wait()
}
