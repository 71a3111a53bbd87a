// WANT: verify | racy | a debouncer: the time.Timer itself may be reset by anybody, the
// field that holds it may not
package main

import (
	"fmt"
	"sync"
	"time"
)

type debouncer struct {
	t    *time.Timer
	wait time.Duration
	hits int
}

func (d *debouncer) touch() {
	if d.t == nil { // RACE!
		d.t = time.AfterFunc(d.wait, d.fire) // RACE!
		return
	}
	d.t.Reset(d.wait) // RACE!
}

func (d *debouncer) fire() { fmt.Println("fire") }

func main() {
	d := &debouncer{wait: time.Millisecond}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(d.touch)
	}
	wg.Wait()
	time.Sleep(3 * time.Millisecond)
}
