// In the manner of serving #3148: a test adds a reaction to the fake client while the reconcilers that it has started go through the
// reactions under the lock.
package main

import "sync"

type reactor func(verb string) bool

type fake struct {
	mu    sync.RWMutex
	chain []reactor
}

func (f *fake) prepend(r reactor) {
	f.chain = append([]reactor{r}, f.chain...) // RACE!
}

func (f *fake) invokes(verb string) bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	for _, r := range f.chain { // RACE!
		if r(verb) {
			return true
		}
	}
	return false
}

func main() {
	f := &fake{chain: []reactor{func(verb string) bool { return verb == "get" }}}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		f.invokes("create")
	}()
	go func() {
		defer wg.Done()
		f.invokes("get")
	}()
	f.prepend(func(verb string) bool { return verb == "create" })
	wg.Wait()
}
