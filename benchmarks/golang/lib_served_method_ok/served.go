// Package served has a method that returns a handler, which counts atomically.
package served

import (
	"net/http"
	"sync/atomic"
)

// Site counts.
type Site struct{ hits atomic.Int64 }

// Handler counts what it serves.
func (s *Site) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.hits.Add(1) })
}

// Logger has no lock, and needs none.
type Logger struct{ log func(string) }

// NewLogger makes one.
func NewLogger(log func(string)) *Logger { return &Logger{log: log} }

// Wrap is a middleware.
func (l *Logger) Wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.log(r.URL.Path)
		next.ServeHTTP(w, r)
	})
}
