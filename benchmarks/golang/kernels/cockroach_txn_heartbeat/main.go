// In the manner of cockroach's transaction coordinator: the heartbeat goroutine reads the transaction's status under the lock, a rollback
// writes it without.
package main

import (
	"sync"
	"time"
)

type txn struct {
	mu     sync.Mutex
	status int
	beats  int
}

func (t *txn) heartbeat(stop chan bool) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(time.Millisecond):
			t.mu.Lock()
			if t.status == 0 { // RACE!
				t.beats++ // NORACE
			}
			t.mu.Unlock()
		}
	}
}

func (t *txn) rollback() {
	t.status = 2 // RACE!
}

func main() {
	t := new(txn)
	stop := make(chan bool)
	go t.heartbeat(stop)
	time.Sleep(3 * time.Millisecond)
	t.rollback()
	time.Sleep(3 * time.Millisecond)
	close(stop)
}
