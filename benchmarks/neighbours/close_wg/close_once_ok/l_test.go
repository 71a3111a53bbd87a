package close_once_ok

import (
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	for range 50 {
		s := New()
		var wg sync.WaitGroup
		wg.Go(func() { s.Write(nil) })
		wg.Go(func() { s.Read() })
		wg.Go(s.Close)
		wg.Go(s.Close)
		wg.Wait()
	}
}
