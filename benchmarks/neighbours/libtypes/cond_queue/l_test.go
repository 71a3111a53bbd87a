package cond_queue

import (
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	q := New()
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { q.Push("a") })
		wg.Go(func() { q.Peek(); q.Pop() })
		wg.Go(func() { q.Peek() })
	}
	wg.Wait()
}
