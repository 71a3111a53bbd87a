package own_iface

import (
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	l := NewLog()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 200 {
				l.Print("x")
			}
		})
	}
	wg.Wait()
}
