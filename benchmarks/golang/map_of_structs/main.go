// Values of a map are pointers to shared objects.
package main

import "sync"

type conn struct{ sent int }

type hub struct {
	mu    sync.Mutex
	conns map[string]*conn
}

func (h *hub) get(k string) *conn {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.conns[k] // NORACE
	if c == nil {
		c = &conn{}
		h.conns[k] = c // NORACE
	}
	return c
}

func main() {
	h := &hub{conns: map[string]*conn{}}
	go func() { h.get("a").sent++ }() // RACE!
	h.get("a").sent++                 // RACE!
}
