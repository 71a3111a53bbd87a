// Package decode fills a variable of its own from outside and takes over what it got under the lock.
package decode

import (
	"encoding/json"
	"sync"
)

// Config is a set of options.
type Config struct {
	mu   sync.Mutex
	opts map[string]int
	last []int
}

// New makes a set.
func New() *Config { return &Config{opts: map[string]int{}} }

// Load reads options.
func (c *Config) Load(text []byte) error {
	var xs []int
	if err := json.Unmarshal(text, &xs); err != nil { // NORACE
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, x := range xs { // NORACE
		c.opts[string(rune(i))] = x // NORACE
	}
	return nil
}

// LoadLast reads numbers right into the shared variable.
func (c *Config) LoadLast(text []byte) error {
	return json.Unmarshal(text, &c.last) // RACE!
}

// Len returns the number of numbers.
func (c *Config) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.last) // RACE!
}

// Get returns an option.
func (c *Config) Get(k string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.opts[k] // NORACE
}
