// Functions call what the program puts into the fields of their structs, and of structs in there.
package main

import (
	"context"
	"net"
	"net/http"
	"os/exec"
	"runtime"
	"sync"
)

type sink struct{ n int }

func (s *sink) Write(b []byte) (int, error) { s.n++; return len(b), nil } // RACE!

func main() {
	dials := 0
	client := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		dials++ // RACE!
		return nil, nil
	}}}
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			_, _ = client.Get("http://localhost")
		}()
	}
	wg.Wait()

	s := &sink{}
	cmd := exec.Command("true")
	cmd.Stdout = s
	wg.Add(1)
	go func() {
		defer wg.Done()
		_ = cmd.Run()
	}()
	s.n++ // RACE!
	wg.Wait()

	cleaned := 0
	runtime.AddCleanup(s, func(n *int) {
		*n = 1 // RACE!
	}, &cleaned)
	cleaned = 2 // RACE!
}
