// The lock of another object of the same type.
package main

import "sync"

type acct struct {
	mu  sync.Mutex
	bal int
}

func move(from, to *acct) {
	from.mu.Lock()
	defer from.mu.Unlock()
	from.bal-- // RACE!
	to.bal++   // RACE!
}

func main() {
	a, b := &acct{}, &acct{}
	go move(a, b)
	move(b, a)
}
