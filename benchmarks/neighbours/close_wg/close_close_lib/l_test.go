package close_close_lib

import (
	"sync"
	"testing"
	"time"
)

func TestPanics(t *testing.T) {
	l := New(func() { time.Sleep(time.Millisecond) })
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(l.Close)
	}
	wg.Wait()
}
