// As word_gate_ok, but stop opens the gate while a run is under way.
package main

import (
	"sync"
	"sync/atomic"
)

type job struct {
	running atomic.Bool
	runs    int
}

func (j *job) run() bool {
	if !j.running.CompareAndSwap(false, true) {
		return false
	}
	defer j.running.Store(false)
	j.runs++ // RACE!
	return true
}

func (j *job) stop() { j.running.Store(false) }

func main() {
	j := new(job)
	var wg sync.WaitGroup
	wg.Add(3)
	go func() {
		defer wg.Done()
		j.run()
	}()
	go func() {
		defer wg.Done()
		j.run()
	}()
	go func() {
		defer wg.Done()
		j.stop()
	}()
	wg.Wait()
	println(j.runs) // NORACE
}
