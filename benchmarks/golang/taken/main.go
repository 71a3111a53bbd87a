// Jobs that workers take out of a queue under its lock.
package main

import "sync"

type job struct {
	n    int
	next *job
}

type queue struct {
	mu          sync.Mutex
	first, last *job
}

func (q *queue) add(j *job) {
	q.mu.Lock()
	defer q.mu.Unlock()
	j.next = nil
	if q.first == nil {
		q.first = j
	} else {
		q.last.next = j
	}
	q.last = j
}

func (q *queue) take() *job {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.first == nil {
		return nil
	}
	j := q.first
	q.first = q.first.next
	return j
}

func work(q *queue, wg *sync.WaitGroup) {
	defer wg.Done()
	for j := q.take(); j != nil; j = q.take() {
		j.n++ // NORACE
		if j.n < 9 {
			q.add(j)
		}
	}
}

func main() {
	q := &queue{}
	var wg sync.WaitGroup
	for i := range 9 {
		q.add(&job{n: i})
	}
	for range 2 {
		wg.Add(1)
		go work(q, &wg)
	}
	wg.Wait()
}
