// WANT: verify | racy | the handler answers "timeout" while the worker may still write
// the answer
package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"
)

func slow(w http.ResponseWriter, r *http.Request) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		time.Sleep(time.Millisecond)
		fmt.Fprintln(w, "result") // RACE!
	}()
	select {
	case <-done:
	case <-time.After(time.Millisecond):
		w.WriteHeader(http.StatusGatewayTimeout) // RACE!
	}
}

func main() {
	for range 20 {
		slow(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
	}
	http.HandleFunc("/", slow)
	time.Sleep(10 * time.Millisecond)
}
