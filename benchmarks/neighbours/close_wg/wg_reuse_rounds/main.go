// WANT: verify | racy | a second waiter may still be in Wait when the next round adds
package main

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

type rounds struct {
	wg   sync.WaitGroup
	done atomic.Int64
}

func (r *rounds) run(n int) {
	r.wg.Add(n) // RACE!
	for range n {
		go func() {
			defer r.wg.Done()
			time.Sleep(100 * time.Microsecond)
			r.done.Add(1)
		}()
	}
	r.wg.Wait()
}

func main() {
	r := &rounds{}
	end := make(chan struct{})
	go func() {
		defer close(end)
		for range 50 {
			r.wg.Wait() // RACE!
		}
	}()
	for range 50 {
		r.run(2)
		time.Sleep(200 * time.Microsecond)
	}
	<-end
	fmt.Println(r.done.Load())
}
