// In the manner of istio #16742: an update from the registry replaces the environment's list of services while a push builds the
// configuration of a proxy from it.
package main

import "sync"

type environment struct{ services []string }

type discovery struct {
	env *environment
	mu  sync.Mutex
}

func (d *discovery) update(names []string) {
	d.env.services = names // RACE!
}

func (d *discovery) push() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := 0
	for _, s := range d.env.services { // RACE!
		n += len(s)
	}
	return n
}

func main() {
	d := &discovery{env: &environment{services: []string{"a"}}}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		println(d.push())
	}()
	go func() {
		defer wg.Done()
		d.update([]string{"a", "b"}) // UNSEEN: sequential consistency is assumed, so who finds the list sees what is in it
	}()
	wg.Wait()
}
