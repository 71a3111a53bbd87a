// WANT: verify | racy | the type's only synchronisation is a WaitGroup that waits for its
// goroutines; the goroutines count failures without a lock
package waitgroup_only

import "sync"

// Batch runs functions.
type Batch struct {
	wg     sync.WaitGroup
	failed int
}

// Go starts f.
func (b *Batch) Go(f func() error) {
	b.wg.Add(1)
	go func() {
		defer b.wg.Done()
		if f() != nil {
			b.failed++ // RACE!
		}
	}()
}

// Failed waits and tells how many failed.
func (b *Batch) Failed() int {
	b.wg.Wait()
	return b.failed
}
