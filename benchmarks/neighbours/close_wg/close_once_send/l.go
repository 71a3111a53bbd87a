// WANT: verify | racy | the Once keeps two closes apart, but not the close from the send
package close_once_send

import "sync"

// Notifier is safe for concurrent use.
type Notifier struct {
	once sync.Once
	c    chan string
}

// New makes a notifier.
func New() *Notifier { return &Notifier{c: make(chan string, 16)} }

// Notify drops what does not fit.
func (n *Notifier) Notify(s string) {
	defer func() { _ = recover() }()
	select {
	case n.c <- s: // RACE!
	default:
	}
}

// C is where the messages come out.
func (n *Notifier) C() <-chan string { return n.c }

// Stop ends the channel.
func (n *Notifier) Stop() {
	n.once.Do(func() {
		close(n.c) // RACE!
	})
}
