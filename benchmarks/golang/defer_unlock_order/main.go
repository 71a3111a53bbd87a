// A deferred closure writes after the explicit unlock.
package main

import "sync"

var mu sync.Mutex
var total, logged int

func work() {
	defer func() {
		logged++ // RACE!
	}()
	mu.Lock()
	total++ // NORACE
	mu.Unlock()
}

func main() {
	go work()
	work()
}
