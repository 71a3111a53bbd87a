// Each account has its own lock.
package main

import "sync"

type acct struct {
	mu  sync.Mutex
	bal int
}

func (a *acct) add(n int) {
	a.mu.Lock()
	a.bal += n // NORACE
	a.mu.Unlock()
}

func main() {
	var accts []*acct
	for i := 0; i < 3; i++ {
		accts = append(accts, &acct{})
	}
	for _, a := range accts {
		go a.add(1)
	}
	accts[0].add(2)
}
