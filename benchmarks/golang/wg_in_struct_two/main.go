// Two values of a type with a WaitGroup: waiting for one is not waiting for the other.
package main

import "sync"

type task struct {
	wg  sync.WaitGroup
	out int
}

func (t *task) start(other *task) {
	t.wg.Add(1)
	go func() {
		defer t.wg.Done()
		other.out = 1 // RACE!
	}()
}

func main() {
	a, b := &task{}, &task{}
	a.start(b)
	b.start(a)
	a.wg.Wait()
	println(a.out) // RACE!
}
