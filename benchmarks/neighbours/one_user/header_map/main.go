// WANT: verify | racy | headers of one answer are set by two goroutines
package main

import (
	"net/http"
	"net/http/httptest"
	"sync"
)

func serve(w http.ResponseWriter, r *http.Request) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		w.Header().Set("X-User", r.URL.Query().Get("u")) // RACE!
	}()
	go func() {
		defer wg.Done()
		w.Header().Set("X-Trace", r.RemoteAddr) // RACE!
	}()
	wg.Wait()
	w.WriteHeader(http.StatusOK)
}

func main() {
	serve(httptest.NewRecorder(), httptest.NewRequest("GET", "/?u=1", nil))
}
