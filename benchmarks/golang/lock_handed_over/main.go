// A goroutine starts while its starter holds the lock; it does not hold it itself.
package main

import "sync"

var mu sync.Mutex
var n int

func main() {
	mu.Lock()
	go func() {
		n++ // RACE!
	}()
	n++ // RACE!
	mu.Unlock()
}
