package chan_lock

import (
	"context"
	"sync"
	"testing"
)

func TestRace(t *testing.T) {
	a := NewAccount()
	a.cents = 1000
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() { a.Deposit(5) })
		wg.Go(func() { a.Balance(); a.Withdraw(context.Background(), 3) })
		wg.Go(func() { a.Withdraw(context.Background(), 3); a.Balance() })
	}
	wg.Wait()
}
