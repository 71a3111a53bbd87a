// Values with a method ServeHTTP are handlers, too; those that the library wraps are called through what wraps them.
package main

import "net/http"

type counter struct{ n int }

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.n++ // RACE!
}

type total struct{ n *int }

func (t total) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	*t.n++ // RACE!
}

var logged int

func logging(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		logged++ // RACE!
		next.ServeHTTP(w, r)
	})
}

func main() {
	http.Handle("/a", &counter{})
	http.Handle("/b", total{new(int)})
	http.ListenAndServe(":8080", logging(http.NotFoundHandler()))
}
