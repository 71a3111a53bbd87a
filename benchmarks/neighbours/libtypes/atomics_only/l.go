// WANT: verify | racy | counters are atomic, the name of the slowest request is not
package atomics_only

import (
	"sync/atomic"
	"time"
)

// Stats is safe for concurrent use.
type Stats struct {
	n, nanos atomic.Int64
	worst    atomic.Int64
	slowest  string
}

// Observe adds one request.
func (s *Stats) Observe(name string, d time.Duration) {
	s.n.Add(1)
	s.nanos.Add(int64(d))
	for {
		w := s.worst.Load()
		if int64(d) <= w {
			return
		}
		if s.worst.CompareAndSwap(w, int64(d)) {
			s.slowest = name // RACE!
			return
		}
	}
}

// Mean is the mean time.
func (s *Stats) Mean() time.Duration { return time.Duration(s.nanos.Load() / max(1, s.n.Load())) }

// Slowest is the name of the slowest request.
func (s *Stats) Slowest() string { return s.slowest } // RACE!
