// A logger holds a lock of its own while it writes; who looks at what it writes to does not.
package main

import (
	"bytes"
	"log"
	"sync"
)

type sink struct{ n int }

func (s *sink) Write(b []byte) (int, error) {
	s.n++
	return len(b), nil
}

func main() {
	var seen, unseen bytes.Buffer
	s := &sink{}
	shown, hidden, own := log.New(&seen, "", 0), log.New(&unseen, "", 0), log.New(s, "", 0)
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			shown.Print("x") // RACE!
			hidden.Print("x")
			own.Print("x")
		}()
	}
	_ = seen.Len() // RACE!
	wg.Wait()
}
