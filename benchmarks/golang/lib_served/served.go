// Package served has nothing that synchronises. What net/http and log/slog call in several goroutines is for
// concurrent use all the same: their documentation says so.
package served

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
)

// Visits counts requests.
type Visits struct {
	next http.Handler
	seen map[string]int
}

// Count wraps a handler.
func Count(next http.Handler) *Visits { return &Visits{next: next, seen: map[string]int{}} }

// ServeHTTP counts a request.
func (v *Visits) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v.seen[r.URL.Path]++ // RACE!
	v.next.ServeHTTP(w, r)
}

// Once is a method of another interface, or of none: users call it before they serve.
func (v *Visits) Once() { v.seen = map[string]int{} } // NORACE

var last string

// Home is a handler.
func Home(w http.ResponseWriter, r *http.Request) {
	last = r.URL.Path // RACE!
}

// Pages has methods that are handlers.
type Pages struct{ n int }

// Index is one.
func (p *Pages) Index(w http.ResponseWriter, r *http.Request) {
	p.n++ // RACE!
	fmt.Fprintln(w, "index")
}

// Limit lets the first requests through.
func Limit(next http.Handler) http.Handler {
	left := 100
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if left == 0 { // RACE!
			http.Error(w, "later", http.StatusTooManyRequests)
			return
		}
		left--               // RACE!
		next.ServeHTTP(w, r) // RACE: handlers that wrap handlers are one recursive function
	})
}

// Wrapper makes handlers of handlers.
type Wrapper func(http.Handler) http.Handler

// Numbered returns one that counts.
func Numbered() Wrapper {
	n := 0
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n++                  // RACE!
			next.ServeHTTP(w, r) // RACE: handlers that wrap handlers are one recursive function
		})
	}
}

// Retry is a transport.
type Retry struct {
	Base  http.RoundTripper
	tries int
}

// RoundTrip sends a request again.
func (t *Retry) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := t.Base.RoundTrip(r)
	if err != nil {
		t.tries++ // RACE!
		return t.Base.RoundTrip(r)
	}
	return resp, nil
}

// keeper keeps log records; users get it as an interface.
type keeper struct{ records []slog.Record }

// NewKeeper makes a handler of log records.
func NewKeeper() slog.Handler { return &keeper{} }

func (k *keeper) Enabled(context.Context, slog.Level) bool { return true }
func (k *keeper) WithGroup(string) slog.Handler            { return k }
func (k *keeper) WithAttrs([]slog.Attr) slog.Handler       { return k }
func (k *keeper) Handle(_ context.Context, r slog.Record) error {
	k.records = append(k.records, r) // RACE!
	return nil
}
