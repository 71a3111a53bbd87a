// A goroutine closes a channel of another run of the function that starts it, which waits for one of its own.
package main

import (
	"sync"
	"time"
)

func child(done chan int, data *int) {
	time.Sleep(time.Duration(*data+1) * time.Millisecond) // RACE!
	*data++                                               // RACE!
	close(done)                                           // RACE: that each run closes a channel of its own is not known
}

// run waits for the child of the run that it has started.
func run(prev chan int, depth int) {
	ch := make(chan int)
	if depth > 0 {
		go run(ch, depth-1)
	}
	x := new(int)
	go child(prev, x)
	<-ch
	*x++ // RACE!
}

func closer(wg *sync.WaitGroup, out chan int) {
	wg.Wait()
	close(out) // RACE: that each run closes a channel of its own is not known
}

// gather has its channel closed when the goroutines of the next run are done.
func gather(prev chan int, depth int) {
	var wg sync.WaitGroup
	out := make(chan int)
	if depth == 0 {
		return
	}
	go gather(out, depth-1)
	x := 0
	wg.Add(1)
	go func() {
		defer wg.Done()
		if depth == 3 {
			time.Sleep(5 * time.Millisecond)
		}
		x++ // RACE!
	}()
	go closer(&wg, prev)
	for range out {
	}
	x++ // RACE!
}

func main() {
	c := make(chan int)
	go run(c, 3)
	<-c
	gather(make(chan int), 3)
	time.Sleep(10 * time.Millisecond)
}
