// In the manner of grpc's stream tracing: a stream ends when its context is done, on a goroutine of its own, and takes the trace away
// from under the sender, which looks at it without the lock.
package main

import (
	"context"
	"sync"
	"time"
)

type trace struct{ events int }

type stream struct {
	mu sync.Mutex
	tr *trace
}

func (s *stream) finish() {
	s.mu.Lock()
	s.tr = nil // RACE!
	s.mu.Unlock()
}

func (s *stream) send() {
	if s.tr != nil { // RACE!
		time.Sleep(10 * time.Microsecond)
	}
}

func main() {
	ctx, cancel := context.WithCancel(context.Background())
	s := &stream{tr: new(trace)}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		<-ctx.Done()
		s.finish()
	}()
	cancel()
	s.send()
	wg.Wait()
}
