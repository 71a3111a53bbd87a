// Servers write to the loggers in their fields, clients read their fields, and what a context has for them is called when they like.
package main

import (
	"context"
	"log"
	"net/http"
	"net/http/httptrace"
)

type writer struct{ n int }

func (w *writer) Write(b []byte) (int, error) {
	w.n++ // RACE!
	return len(b), nil
}

var traced int

func main() {
	client := &http.Client{}
	w := &writer{}
	server := &http.Server{ErrorLog: log.New(w, "", 0)}
	httptrace.WithClientTrace(context.Background(), &httptrace.ClientTrace{GetConn: func(string) {
		traced++ // RACE!
	}})
	go server.ListenAndServe()
	go client.Get("http://x") // RACE!
	client.Timeout = 2        // RACE!
	w.n = 2                   // RACE!
	traced = 2                // RACE!
}
