// In the manner of kubernetes #81148: a goroutine looks through the pods that could not be scheduled under the queue's lock, while a test makes
// them look old without it.
package main

import (
	"sync"
	"time"
)

type pod struct{ since time.Time }

type queue struct {
	mu            sync.Mutex
	unschedulable map[string]*pod
	moved         int
}

func (q *queue) flushLeftover() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, p := range q.unschedulable {
		if time.Since(p.since) > time.Minute { // RACE!
			q.moved++ // NORACE
		}
	}
}

func main() {
	p := &pod{since: time.Now()}
	q := &queue{unschedulable: map[string]*pod{"p": p}}
	done := make(chan bool)
	go func() {
		for i := 0; i < 3; i++ {
			q.flushLeftover()
			time.Sleep(time.Millisecond)
		}
		close(done)
	}()
	p.since = p.since.Add(-time.Hour) // RACE!
	<-done
}
