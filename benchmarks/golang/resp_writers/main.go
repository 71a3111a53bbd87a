// Handlers that use their ResponseWriter from several goroutines. It is for one at a time.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"
)

func both(w http.ResponseWriter, r *http.Request) {
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			fmt.Fprintln(w, i) // RACE!
		})
	}
	wg.Wait()
}

func late(w http.ResponseWriter, r *http.Request) {
	go func() {
		w.Write([]byte("late")) // RACE!
	}()
	w.WriteHeader(http.StatusOK) // RACE!
}

func helper(w io.Writer) {
	io.WriteString(w, "x") // RACE!
}

func passed(w http.ResponseWriter, r *http.Request) {
	go helper(w)
	helper(w)
}

func ticking(w http.ResponseWriter, r *http.Request) {
	f, ok := w.(http.Flusher)
	if !ok {
		return
	}
	go func() {
		for range 3 {
			time.Sleep(time.Microsecond)
			f.Flush() // RACE!
		}
	}()
	for i := range 10 {
		fmt.Fprint(w, i) // RACE!
	}
}

type method struct{}

// ServeHTTP encodes in a goroutine.
func (method) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	go json.NewEncoder(w).Encode(1) // RACE!
	http.Error(w, "no", 500)        // RACE!
}

func inOrder(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("a", "b")
	w.WriteHeader(http.StatusOK)
	fmt.Fprintln(w, "x")
}

func inTurn(w http.ResponseWriter, r *http.Request) {
	done := make(chan bool)
	go func() {
		fmt.Fprintln(w, 1)
		close(done)
	}()
	<-done
	fmt.Fprintln(w, 2)
}

func collected(w http.ResponseWriter, r *http.Request) {
	ch := make(chan int, 2)
	for i := range 2 {
		go func() { ch <- i }()
	}
	for range 2 {
		fmt.Fprintln(w, <-ch)
	}
}

func locked(w http.ResponseWriter, r *http.Request) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			fmt.Fprintln(w, i) // NORACE
		})
	}
	wg.Wait()
}

type status struct {
	http.ResponseWriter
	code int
}

// WriteHeader remembers.
func (s *status) WriteHeader(code int) {
	s.code = code
	s.ResponseWriter.WriteHeader(code) // RACE: a handler may be given any writer of the program, also one that wraps another
}

var (
	mu    sync.Mutex
	codes = map[int]int{}
)

func counting(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s := &status{ResponseWriter: w}
		next(s, r)
		mu.Lock()
		codes[s.code]++
		mu.Unlock()
	}
}

func main() {
	mux := http.NewServeMux()
	mux.HandleFunc("/a", both)
	mux.HandleFunc("/b", late)
	mux.HandleFunc("/c", passed)
	mux.HandleFunc("/d", ticking)
	mux.HandleFunc("/e", inOrder)
	mux.HandleFunc("/f", inTurn)
	mux.HandleFunc("/g", collected)
	mux.HandleFunc("/h", locked)
	mux.Handle("/i", method{})
	mux.HandleFunc("/j", counting(inOrder))
	s := httptest.NewServer(mux)
	defer s.Close()
	for _, path := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		if res, err := http.Get(s.URL + "/" + path); err == nil {
			res.Body.Close()
		}
	}
}
