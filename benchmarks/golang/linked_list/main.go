// A list under one lock.
package main

import "sync"

type node struct {
	v    int
	next *node
}

type list struct {
	mu   sync.Mutex
	head *node
}

func (l *list) push(v int) {
	l.mu.Lock()
	l.head = &node{v, l.head} // NORACE
	l.mu.Unlock()
}

func (l *list) incAll() {
	l.mu.Lock()
	for n := l.head; n != nil; n = n.next { // NORACE
		n.v++ // NORACE
	}
	l.mu.Unlock()
}

func main() {
	l := &list{}
	go l.push(1)
	go l.incAll()
	l.incAll()
}
