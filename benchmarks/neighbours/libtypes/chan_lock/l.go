// WANT: verify | racy | a channel of capacity one is the lock; Balance forgets to take it
package chan_lock

import (
	"context"
	"errors"
)

// Account is safe for concurrent use.
type Account struct {
	sem   chan struct{}
	cents int64
}

// NewAccount opens an account.
func NewAccount() *Account { return &Account{sem: make(chan struct{}, 1)} }

// Withdraw takes cents out, waiting until ctx ends.
func (a *Account) Withdraw(ctx context.Context, cents int64) error {
	select {
	case a.sem <- struct{}{}:
		defer func() { <-a.sem }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if a.cents < cents {
		return errors.New("not enough")
	}
	a.cents -= cents // RACE!
	return nil
}

// Deposit puts cents in.
func (a *Account) Deposit(cents int64) {
	a.sem <- struct{}{}
	a.cents += cents // RACE!
	<-a.sem
}

// Balance tells what is there.
func (a *Account) Balance() int64 { return a.cents } // RACE!
