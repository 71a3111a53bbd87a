package keyed_locks

import (
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	f := New()
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() { f.Write("a", []byte{byte(i)}) })
		wg.Go(func() { f.Read("b") })
		wg.Go(func() { f.Read("a") })
	}
	wg.Wait()
}
