// Package boxed has values of type parameters behind interfaces, and results whose types
// other packages have, beside a type of which two values share something.
package boxed

import (
	"net/http"
	"net/url"
	"sync"
	"time"
)

// Encoder gets values.
type Encoder interface{ Add(Marshaler) }

// Marshaler encodes itself.
type Marshaler interface{ Marshal(Encoder) }

// MarshalerPtr is a pointer that encodes itself.
type MarshalerPtr[T any] interface {
	*T
	Marshaler
}

// List encodes its elements.
type List[T any, P MarshalerPtr[T]] []T

// Marshal encodes the elements.
func (l List[T, P]) Marshal(e Encoder) {
	for i := range l {
		var p P = &l[i]
		e.Add(p)
	}
}

// Log is safe for concurrent use.
type Log struct {
	mu    sync.Mutex
	lines map[string]int
}

// New returns two logs of the same lines.
func New() (*Log, *Log) {
	m := map[string]int{}
	return &Log{lines: m}, &Log{lines: m}
}

// Add counts a line: the other log has another lock.
func (l *Log) Add(m Marshaler) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines["x"]++ // RACE!
	m.Marshal(l)
}

// Sent says what was sent.
func (l *Log) Sent() (time.Time, url.URL, http.Response, Report) {
	return time.Now(), url.URL{}, http.Response{}, Report{}
}

// Report has members of other packages.
type Report struct {
	At   time.Time
	From url.URL
	Next *Report
}
