// The member that is written by another name is not the lock.
package main

import "sync"

type task struct {
	mu sync.Mutex
	n  int
}

type job task

func main() {
	t := &task{}
	go func() {
		t.mu.Lock()
		t.n++
		t.mu.Unlock()
	}()
	j := (*job)(t)
	j.mu.Lock()
	j.n++
	j.mu.Unlock()
}
