// A handler in a field of http.Server is started by the server.
package main

import "net/http"

type pages struct{ hits int }

func (p *pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p.hits++ // RACE!
}

func main() {
	s := &http.Server{Addr: ":8080", Handler: &pages{}}
	s.ListenAndServe()
}
