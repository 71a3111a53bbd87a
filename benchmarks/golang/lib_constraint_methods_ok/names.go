// Package names calls methods of values whose types its users choose.
package names

import (
	"fmt"
	"sync"
)

// Key has a name.
type Key interface {
	comparable
	fmt.Stringer
}

// Map is by names.
type Map[K Key, V any] struct {
	mu   sync.Mutex
	m    map[string]V
	hits int
}

// New makes one.
func New[K Key, V any]() *Map[K, V] { return &Map[K, V]{m: map[string]V{}} }

// Put takes the lock after it has asked for the name.
func (m *Map[K, V]) Put(k K, v V) {
	name := k.String()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.m[name] = v
}

// Get asks for the name under the lock.
func (m *Map[K, V]) Get(k K) (V, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hits++
	v, ok := m.m[k.String()]
	if !ok {
		return v, fmt.Errorf("no %v", k)
	}
	return v, nil
}
