/* want package:"packages" */ // Package locks misuses locks, but has nothing that runs concurrently.
package locks

import "sync"

type box struct {
	mu sync.Mutex
	n  int
}

func copied(b box) int { // want `the parameter b is passed by value, a copy of a box, which contains a sync.Mutex`
	return b.n
}

func held(b *box, c chan int) {
	b.mu.Lock()
	c <- b.n // want `b.mu is held at a send`
	b.mu.Unlock()
	c <- b.n
}
