// Package boxes has generic types that keep what they make in interfaces: what one method
// puts there another one finds, although each has type parameters of its own.
package boxes

import "sync"

type node[T any] struct {
	v T
	n int
}

// Box keeps a value.
type Box[V any] struct {
	mu   sync.Mutex
	v    any
	miss int
}

func (b *Box[V]) put(v any) {
	b.mu.Lock()
	b.v = v // NORACE
	b.mu.Unlock()
}

func (b *Box[V]) get() any {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.v // NORACE
}

// PutMap keeps a map.
func (b *Box[V]) PutMap() { b.put(map[int]V{}) }

// PutPointer keeps a pointer.
func (b *Box[V]) PutPointer() { b.put(new(V)) }

// PutSlice keeps a slice.
func (b *Box[V]) PutSlice() { b.put(make([]V, 2)) }

// PutStruct keeps a struct without a name.
func (b *Box[V]) PutStruct() { b.put(&struct{ v V }{}) }

// PutNode keeps a node.
func (b *Box[V]) PutNode() { b.put(&node[[]V]{}) }

// Set writes what was kept.
func (b *Box[V]) Set(v V) {
	switch e := b.get().(type) {
	case map[int]V:
		e[0] = v // RACE!
	case *V:
		*e = v // RACE!
	case []V:
		e[0] = v // RACE!
	case *struct{ v V }:
		e.v = v // RACE!
	case *node[[]V]:
		e.n = 1 // RACE!
	}
}

// Other keeps a value of another type parameter than its Box has.
type Other[W any] struct {
	mu sync.Mutex
	v  any
	n  int
}

// Take takes what a box has.
func (o *Other[W]) Take(v any) {
	b, ok := v.(*Box[string])
	if ok {
		o.mu.Lock()
		o.v = b.get() // NORACE
		o.mu.Unlock()
	}
}

// Has counts values that are not of its type: a map of a Box may be none.
func (o *Other[W]) Has() {
	o.mu.Lock()
	v := o.v // NORACE
	o.mu.Unlock()
	if _, ok := v.(map[int]W); v != nil && !ok {
		o.n++ // RACE!
	}
}
