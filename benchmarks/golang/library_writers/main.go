// Compressors of libraries write to the program's writer, in whatever goroutine uses them.
package main

import (
	"compress/flate"
	"compress/gzip"
	"sync"
)

type counter struct{ n int }

// Write counts.
func (c *counter) Write(p []byte) (int, error) {
	c.n += len(p) // RACE!
	return len(p), nil
}

type guarded struct {
	mu sync.Mutex
	n  int
}

// Write counts under a lock.
func (g *guarded) Write(p []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.n += len(p) // NORACE
	return len(p), nil
}

func main() {
	c, g := &counter{}, &guarded{}
	var mu sync.Mutex
	done := make(chan bool)
	z, _ := flate.NewWriter(g, 1)
	for range 2 {
		go func() {
			own := gzip.NewWriter(c)
			own.Write([]byte("a")) // NORACE: its own
			own.Close()            // NORACE
			z.Write([]byte("b"))   // RACE!
			mu.Lock()
			z.Flush() // RACE!
			mu.Unlock()
			done <- true
		}()
	}
	<-done
	<-done
}
