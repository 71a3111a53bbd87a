// A gate that lets one goroutine in at a time, the others go away: an atomic flag of the object.
package main

import (
	"sync"
	"sync/atomic"
)

type job struct {
	running atomic.Bool
	runs    int
	last    string
}

func (j *job) run(name string) bool {
	if !j.running.CompareAndSwap(false, true) {
		return false
	}
	defer j.running.Store(false)
	j.runs++ // NORACE
	if name == "" {
		return false
	}
	j.last = name // NORACE
	return true
}

func main() {
	jobs := []*job{new(job), new(job)}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Add(2)
		go func() {
			defer wg.Done()
			j.run("a")
		}()
		go func() {
			defer wg.Done()
			j.run("b")
		}()
	}
	wg.Wait()
	println(jobs[0].runs, jobs[1].last) // NORACE
}
