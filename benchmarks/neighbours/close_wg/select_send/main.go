// WANT: verify | racy | the producer looks at quit only in the same select: it may choose
// the send after both are closed
package main

import "sync"

type feed struct {
	out  chan int
	quit chan struct{}
}

func (f *feed) produce(wg *sync.WaitGroup) {
	defer wg.Done()
	defer func() { _ = recover() }()
	for i := 0; ; i++ {
		select {
		case f.out <- i: // RACE!
		case <-f.quit:
			return
		}
	}
}

func (f *feed) stop() {
	close(f.quit)
	close(f.out) // RACE!
}

func main() {
	f := &feed{out: make(chan int, 4), quit: make(chan struct{})}
	var wg sync.WaitGroup
	wg.Add(1)
	go f.produce(&wg)
	for range 10 {
		<-f.out
	}
	f.stop()
	wg.Wait()
}
