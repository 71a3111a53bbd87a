// In the manner of kubernetes #88331: the number of pods in the queue is asked without the lock under which its goroutine takes pods out.
package main

import (
	"sync"
	"time"
)

type queue struct {
	mu   sync.Mutex
	pods []string
}

func (q *queue) flush() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if n := len(q.pods); n > 0 { // NORACE
		q.pods = q.pods[:n-1] // RACE!
	}
}

func (q *queue) length() int { return len(q.pods) } // RACE!

func main() {
	q := &queue{pods: []string{"a", "b"}}
	stop := make(chan bool)
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
				q.flush()
			}
		}
	}()
	for q.length() > 0 {
		time.Sleep(time.Millisecond)
	}
	close(stop)
}
