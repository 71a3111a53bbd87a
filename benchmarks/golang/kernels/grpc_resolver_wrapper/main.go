// In the manner of grpc #3090: building a resolver starts goroutines that ask it to resolve, through the wrapper's field that is
// assigned only when the building has returned.
package main

import "sync"

type resolver struct{ asked int }

func (r *resolver) resolveNow() { r.asked++ }

type wrapper struct {
	mu  sync.Mutex
	res *resolver
	wg  sync.WaitGroup
}

func (w *wrapper) resolveNow() {
	w.mu.Lock()
	if w.res != nil { // RACE!
		w.res.resolveNow() // RACE!
	}
	w.mu.Unlock()
}

func build(w *wrapper) *resolver {
	r := new(resolver)
	w.wg.Add(1)
	go func() {
		defer w.wg.Done()
		w.resolveNow()
	}()
	return r
}

func main() {
	w := new(wrapper)
	w.res = build(w) // RACE!
	w.wg.Wait()
}
