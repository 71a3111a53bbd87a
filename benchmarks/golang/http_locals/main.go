// Each request has its own variables and its own lock.
package main

import (
	"net/http"
	"sync"
)

var total int

func handle(w http.ResponseWriter, r *http.Request) {
	var mu sync.Mutex
	count := 0
	mu.Lock()
	total++ // RACE!
	mu.Unlock()
	go func() {
		mu.Lock()
		count++ // NORACE
		mu.Unlock()
	}()
}

func main() {
	http.HandleFunc("/", handle)
	http.ListenAndServe(":8080", nil)
}
