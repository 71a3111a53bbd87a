// A handler that counts under its lock; each request is its handler's own.
package main

import (
	"fmt"
	"log"
	"net/http"
	"sync"
)

type pages struct {
	mu   sync.Mutex
	hits map[string]int
}

func (p *pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.ParseForm()
	p.mu.Lock()
	p.hits[r.URL.Path]++
	n := p.hits[r.URL.Path]
	p.mu.Unlock()
	w.Header().Set("X-Hits", "some")
	fmt.Fprintf(w, "%d", n)
}

func main() {
	http.Handle("/", &pages{hits: map[string]int{}})
	log.Fatal(http.ListenAndServe(":8080", nil))
}
