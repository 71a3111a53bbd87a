// Package receiver is a library. Its users have accounts of their own, though the package calls the methods with one alone.
package receiver

import "sync"

// Account is meant to be shared.
type Account struct {
	mu  sync.Mutex
	sum int
}

var house Account

// Give takes the lock of the other account only.
func (a *Account) Give(b *Account) {
	b.mu.Lock()
	defer b.mu.Unlock()
	a.sum-- // RACE!
	b.sum++ // RACE!
}

// Reset works on the house.
func Reset() { house.Give(&house) }
