// Package served is lib_served, repaired.
package served

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
)

// Visits counts requests.
type Visits struct {
	next http.Handler
	mu   sync.Mutex
	seen map[string]int
}

// Count wraps a handler.
func Count(next http.Handler) *Visits { return &Visits{next: next, seen: map[string]int{}} }

// ServeHTTP counts a request.
func (v *Visits) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	v.seen[r.URL.Path]++ // NORACE
	v.mu.Unlock()
	v.next.ServeHTTP(w, r)
}

var last atomic.Pointer[string]

// Home is a handler.
func Home(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path // NORACE
	last.Store(&path)
}

// Pages has methods that are handlers.
type Pages struct{ n atomic.Int64 }

// Index is one.
func (p *Pages) Index(w http.ResponseWriter, r *http.Request) {
	p.n.Add(1)
	fmt.Fprintln(w, "index")
}

// Limit lets the first requests through.
func Limit(next http.Handler) http.Handler {
	var mu sync.Mutex
	left := 100
	take := func() bool {
		mu.Lock()
		defer mu.Unlock()
		if left == 0 { // NORACE
			return false
		}
		left-- // NORACE
		return true
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !take() {
			http.Error(w, "later", http.StatusTooManyRequests)
			return
		}
		next.ServeHTTP(w, r) // RACE: handlers that wrap handlers are one recursive function
	})
}

// Wrapper makes handlers of handlers.
type Wrapper func(http.Handler) http.Handler

// Numbered returns one that counts.
func Numbered() Wrapper {
	var n atomic.Int64
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			n.Add(1)
			next.ServeHTTP(w, r) // RACE: handlers that wrap handlers are one recursive function
		})
	}
}

// Retry is a transport that keeps nothing.
type Retry struct{ Base http.RoundTripper }

// RoundTrip sends a request again.
func (t *Retry) RoundTrip(r *http.Request) (*http.Response, error) {
	for tries := 0; ; tries++ {
		resp, err := t.Base.RoundTrip(r)
		if err == nil || tries > 0 {
			return resp, err
		}
	}
}

// keeper keeps log records; users get it as an interface.
type keeper struct {
	mu      sync.Mutex
	records []slog.Record
}

// NewKeeper makes a handler of log records.
func NewKeeper() slog.Handler { return &keeper{} }

func (k *keeper) Enabled(context.Context, slog.Level) bool { return true }
func (k *keeper) WithGroup(string) slog.Handler            { return k }
func (k *keeper) WithAttrs([]slog.Attr) slog.Handler       { return k }
func (k *keeper) Handle(_ context.Context, r slog.Record) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.records = append(k.records, r) // NORACE
	return nil
}
