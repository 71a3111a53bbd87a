// Package served has a method that returns a handler: net/http calls it from several
// goroutines, although the type has no lock.
package served

import "net/http"

// Site counts.
type Site struct{ hits int }

// Handler counts what it serves.
func (s *Site) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.hits++ // RACE!
	})
}
