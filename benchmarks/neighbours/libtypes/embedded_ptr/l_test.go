package embedded_ptr

import (
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	tb := NewTable()
	v := tb.View(0)
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { tb.Append(1) })
		wg.Go(func() { v.Empty() })
		wg.Go(func() { tb.Append(2); v.Empty() })
	}
	wg.Wait()
}
