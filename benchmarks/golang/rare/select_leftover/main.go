// The owner stops a worker and takes back what is left in the queue. Usually nothing is, as the worker has had time; if something is, the
// owner counts it while the worker still counts what it took.
package main

import "time"

type job struct{ size int }

type worker struct {
	jobs chan job
	quit chan bool
	done chan bool
	sum  int
}

func (w *worker) run() {
	defer close(w.done)
	for {
		select {
		case j := <-w.jobs:
			w.sum += j.size // RACE!
		case <-w.quit:
			return
		}
	}
}

func (w *worker) stop() int {
	close(w.quit)
	select {
	case j := <-w.jobs:
		w.sum += j.size // RACE!
	default:
	}
	<-w.done
	return w.sum // NORACE
}

func main() {
	w := &worker{jobs: make(chan job, 4), quit: make(chan bool), done: make(chan bool)}
	go w.run()
	w.jobs <- job{1}
	w.jobs <- job{2}
	time.Sleep(20 * time.Millisecond)
	println(w.stop())
}
