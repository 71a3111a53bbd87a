package wg_server_ok

import (
	"sync"
	"testing"
	"time"
)

func TestRace(t *testing.T) {
	for range 200 {
		s := &Server{}
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() { s.Handle(func() { time.Sleep(time.Millisecond) }) })
		}
		wg.Go(s.Shutdown)
		wg.Wait()
	}
}
