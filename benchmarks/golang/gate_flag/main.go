// A flag under a lock says who may go on: of one variable, and of places of a table.
package main

import "sync"

type place struct {
	busy bool
	n    int
}

var (
	mu      sync.Mutex
	running bool
	runs    int
	places  [4]place
)

func begin() bool {
	mu.Lock()
	defer mu.Unlock()
	if running {
		return false
	}
	running = true
	return true
}

func end() {
	mu.Lock()
	running = false
	mu.Unlock()
}

func run() {
	if !begin() {
		return
	}
	runs++ // NORACE
	end()
}

func use() {
	mu.Lock()
	for i := range places {
		p := &places[i]
		if p.busy {
			continue
		}
		p.busy = true
		mu.Unlock()
		p.n++ // NORACE
		mu.Lock()
		p.busy = false
		break
	}
	mu.Unlock()
}

func main() {
	for range 3 {
		go run()
		go use()
	}
}
