package wg_server

import (
	"sync"
	"testing"
	"time"
)

func TestRace(t *testing.T) {
	for range 200 {
		s := &Server{}
		var wg sync.WaitGroup
		wg.Go(func() { s.Handle(func() { time.Sleep(time.Millisecond) }) })
		wg.Go(s.Shutdown)
		wg.Wait()
	}
}
