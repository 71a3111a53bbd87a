// Package encode encodes and decodes its own values without their lock: package json gets to the members that it can name.
package encode

import (
	"encoding/json"
	"io"
	"sync"
)

// Hub is encoded.
type Hub struct {
	mu    sync.Mutex
	Limit int
	Inner *Inner
	count int
}

// Inner is part of a hub.
type Inner struct {
	Size int
	size int
}

// New makes a hub.
func New() *Hub { return &Hub{Inner: &Inner{}} }

// Change changes all members; two hubs may have one Inner.
func (h *Hub) Change() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.count++     // NORACE: json does not look there
	h.Limit++     // RACE!
	in := h.Inner // RACE!
	in.Size++     // RACE!
	in.size++     // RACE!
}

// Send writes the hub.
func (h *Hub) Send(w io.Writer) error {
	return json.NewEncoder(w).Encode(h) // RACE!
}

// Read reads it.
func (h *Hub) Read(r io.Reader) error {
	return json.NewDecoder(r).Decode(h) // RACE!
}
