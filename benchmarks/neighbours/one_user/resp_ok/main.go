// WANT: verify | race-free | workers send their parts to the handler's goroutine, which
// alone writes the answer
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
)

func fan(w http.ResponseWriter, r *http.Request) {
	parts := make(chan string)
	for i := range 3 {
		go func() { parts <- fmt.Sprint("part ", i) }()
	}
	for range 3 {
		fmt.Fprintln(w, <-parts) // NORACE
	}
}

func main() {
	http.HandleFunc("/", fan)
	fan(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
}
