// Package main is the server visits without its race: it counts the pages under the lock.
package main

import (
	"fmt"
	"log"
	"net/http"
	"sync"
	"time"
)

type counter struct {
	mu     sync.Mutex
	visits map[string]int
}

// ServeHTTP runs in a goroutine of its own for each request.
func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	c.visits[r.URL.Path]++
	n, pages := c.visits[r.URL.Path], len(c.visits)
	c.mu.Unlock()
	fmt.Fprintf(w, "%s was visited %d times; there are %d pages\n", r.URL.Path, n, pages)
}

func (c *counter) forget() {
	for range time.Tick(time.Hour) {
		c.mu.Lock()
		c.visits = map[string]int{}
		c.mu.Unlock()
	}
}

func main() {
	c := &counter{visits: map[string]int{}}
	go c.forget()
	http.Handle("/", c)
	log.Fatal(http.ListenAndServe("localhost:8080", nil))
}
