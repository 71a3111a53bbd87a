// Objects are handed on through channels: each is the maker's until he sends it, and then the receiver's.
package main

import (
	"sync"
	"time"
)

type job struct {
	in, out int
	text    string
}

func newJob(n int) *job {
	j := &job{in: n}
	j.text = "new" // NORACE
	return j
}

func (j *job) work() { j.out = j.in * j.in } // NORACE

// workers get jobs and hand them on.
func workers() int {
	jobs, results := make(chan *job), make(chan *job, 4)
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range jobs {
				j.work()
				j.text += "!" // NORACE
				results <- j
			}
		}()
	}
	go func() {
		for i := 0; i < 9; i++ {
			jobs <- newJob(i)
		}
		close(jobs)
	}()
	go func() {
		wg.Wait()
		close(results)
	}()
	sum := 0
	for j := range results {
		sum += j.out // NORACE
		j.out = 0    // NORACE
	}
	return sum
}

type packet struct{ hops, size int }

// stages hand packets on, one looks whether it should stop, and sends some back.
func stages(quit chan struct{}) {
	first, second := make(chan *packet, 8), make(chan *packet)
	go func() {
		for {
			select {
			case p, ok := <-first:
				if !ok {
					return
				}
				p.hops++ // NORACE
				if p.hops < 3 && p.size > 10 {
					first <- p
				} else {
					second <- p
				}
			case <-quit:
				return
			}
		}
	}()
	go func() {
		for p := range second {
			p.size-- // NORACE
			forward(p, first, quit)
		}
	}()
	for i := range 4 {
		p := new(packet)
		p.size = i // NORACE
		select {
		case first <- p:
		case <-quit:
			p.size = -1 // NORACE
			return
		}
	}
}

func forward(p *packet, to chan<- *packet, quit <-chan struct{}) {
	p.hops += 10 // NORACE
	select {
	case to <- p:
	case <-quit:
	}
}

type request struct {
	question int
	answer   int
	reply    chan *request
	at       time.Time
}

// serve answers who asks, on the channel that is in the request.
func serve(in <-chan *request) {
	for r := range in {
		r.answer = r.question + 1 // NORACE
		r.at = time.Now()         // NORACE
		r.reply <- r
	}
}

func ask(to chan<- *request, q int) int {
	r := &request{question: q, reply: make(chan *request)}
	reply := r.reply // NORACE
	to <- r
	r = <-reply
	return r.answer // NORACE
}

func main() {
	quit := make(chan struct{})
	stages(quit)
	in := make(chan *request)
	go serve(in)
	go serve(in)
	go ask(in, 1)
	println(workers(), ask(in, 2))
	close(quit)
}
