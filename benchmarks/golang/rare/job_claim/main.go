// Two workers look for jobs without an owner, and note themselves as the owner in a second critical section: if they cross, both do
// the job and write its result. The second worker comes milliseconds later and finds the job taken.
package main

import (
	"sync"
	"time"
)

type job struct {
	mu     sync.Mutex
	owner  int
	result int
}

func (j *job) work(id int) {
	j.mu.Lock()
	taken := j.owner != 0 // NORACE
	j.mu.Unlock()
	if taken {
		return
	}
	j.mu.Lock()
	j.owner = id // NORACE
	j.mu.Unlock()
	j.result = id * 10 // RACE!
}

func main() {
	j := new(job)
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		j.work(1)
	}()
	go func() {
		defer wg.Done()
		time.Sleep(5 * time.Millisecond)
		j.work(2)
	}()
	wg.Wait()
	println(j.result) // NORACE
}
