// WANT: verify | race-free | gob.Encoder is documented as safe for concurrent use; the
// pipe behind it is too
package main

import (
	"encoding/gob"
	"fmt"
	"net"
	"sync"
)

func main() {
	a, b := net.Pipe()
	enc, dec := gob.NewEncoder(a), gob.NewDecoder(b)
	sum, done := 0, make(chan struct{})
	go func() {
		defer close(done)
		for range 20 {
			var v int
			if dec.Decode(&v) != nil {
				return
			}
			sum += v // NORACE
		}
	}()
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i := range 10 {
				enc.Encode(i) // NORACE
			}
		})
	}
	wg.Wait()
	<-done
	fmt.Println(sum) // NORACE
}
