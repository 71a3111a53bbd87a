// WANT: verify | racy | the channel is taken from the map under the lock, the send comes
// after it; Leave closes under the lock
package map_of_chans

import "sync"

// Rooms is safe for concurrent use.
type Rooms struct {
	mu sync.Mutex
	m  map[string]chan string
}

// Join makes a user's channel.
func (r *Rooms) Join(user string) <-chan string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.m == nil {
		r.m = make(map[string]chan string)
	}
	c := make(chan string, 8)
	r.m[user] = c // NORACE
	return c
}

// Tell sends to one user.
func (r *Rooms) Tell(user, text string) (err any) {
	defer func() { err = recover() }()
	r.mu.Lock()
	c, ok := r.m[user] // NORACE
	r.mu.Unlock()
	if ok {
		c <- text // RACE!
	}
	return nil
}

// Leave closes the user's channel.
func (r *Rooms) Leave(user string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c, ok := r.m[user]; ok {
		delete(r.m, user) // NORACE
		close(c)          // RACE!
	}
}
