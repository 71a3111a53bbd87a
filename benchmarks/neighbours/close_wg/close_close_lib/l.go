// WANT: verify | racy | Close tests and closes without a lock: two callers both close (a
// panic; the detector itself has no word for it)
package close_close_lib

// Lease is given back by Close, by whoever is first.
type Lease struct {
	done  chan struct{}
	flush func()
}

// New makes a lease.
func New(flush func()) *Lease { return &Lease{done: make(chan struct{}), flush: flush} }

// Done is closed by Close.
func (l *Lease) Done() <-chan struct{} { return l.done }

// Close may be called by any goroutine, and again.
func (l *Lease) Close() {
	select {
	case <-l.done:
		return
	default:
	}
	l.flush()
	close(l.done) // RACE!
}
