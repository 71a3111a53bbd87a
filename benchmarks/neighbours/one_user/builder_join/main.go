// WANT: verify | racy | a strings.Builder filled by goroutines of an HTTP handler
package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
)

func page(w http.ResponseWriter, r *http.Request) {
	var sb strings.Builder
	var wg sync.WaitGroup
	for _, part := range strings.Split(r.URL.Path, "/") {
		wg.Add(1)
		go func(p string) {
			defer wg.Done()
			sb.WriteString("<li>" + p + "</li>") // RACE!
		}(part)
	}
	wg.Wait()
	io.WriteString(w, sb.String()) // NORACE
}

func main() {
	page(httptest.NewRecorder(), httptest.NewRequest("GET", "/a/b/c/d", nil))
}
