package stdgo

import (
	"sync"
	"unsafe"
)

//whoop:for sync.OnceFunc
func onceFunc(f func()) func() {
	var once sync.Once
	ok := false
	return func() {
		once.Do(func() {
			f()
			ok = true
		})
		if !ok {
			panic("the function of a OnceFunc has panicked before")
		}
	}
}

//whoop:for sync.OnceValue
func onceValue[T any](f func() T) func() T {
	var v T
	once := onceFunc(func() { v = f() })
	return func() T {
		once()
		return v
	}
}

//whoop:for sync.OnceValues
func onceValues[T1, T2 any](f func() (T1, T2)) func() (T1, T2) {
	var v1 T1
	var v2 T2
	once := onceFunc(func() { v1, v2 = f() })
	return func() (T1, T2) {
		once()
		return v1, v2
	}
}

// readLocker is what RLocker returns.
type readLocker struct{ mu *sync.RWMutex }

func (r *readLocker) Lock() { r.mu.RLock() }

func (r *readLocker) Unlock() { r.mu.RUnlock() }

//whoop:for (*sync.RWMutex).RLocker
func rLocker(mu *sync.RWMutex) sync.Locker { return &readLocker{mu} }

// either is an arbitrary choice: the front end knows it.
func either() bool { return false }

// tooMany ends executions in which a sync.Map has more elements than are followed: the
// front end knows it.
func tooMany() {}

// syncMap is a sync.Map.
//
//whoop:type sync.Map
//whoop:assume weak-order: every two operations of a sync.Map are ordered; races that rest on their not being so are not looked for
type syncMap struct {
	mu sync.Mutex
	e  [4]element
}

type element struct {
	used     bool
	key, val any
}

func mapOf(m *sync.Map) *syncMap { return (*syncMap)(unsafe.Pointer(m)) }

// find is the element with a key, or nil. It is called with the lock held, as put is.
func (s *syncMap) find(key any) *element {
	for i := range s.e {
		if e := &s.e[i]; e.used && e.key == key {
			return e
		}
	}
	return nil
}

// put adds an element with a key that is not there.
func (s *syncMap) put(key, val any) {
	for i := range s.e {
		if e := &s.e[i]; !e.used {
			e.used, e.key, e.val = true, key, val
			return
		}
	}
	tooMany()
}

//whoop:for (*sync.Map).Load
func mapLoad(m *sync.Map, key any) (value any, ok bool) {
	s := mapOf(m)
	s.mu.Lock()
	if e := s.find(key); e != nil {
		value, ok = e.val, true
	}
	s.mu.Unlock()
	return value, ok
}

//whoop:for (*sync.Map).Store
func mapStore(m *sync.Map, key, value any) { mapSwap(m, key, value) }

//whoop:for (*sync.Map).Swap
func mapSwap(m *sync.Map, key, value any) (previous any, loaded bool) {
	s := mapOf(m)
	s.mu.Lock()
	if e := s.find(key); e != nil {
		previous, loaded = e.val, true
		e.val = value
	} else {
		s.put(key, value)
	}
	s.mu.Unlock()
	return previous, loaded
}

//whoop:for (*sync.Map).LoadOrStore
func mapLoadOrStore(m *sync.Map, key, value any) (actual any, loaded bool) {
	s := mapOf(m)
	s.mu.Lock()
	actual = value
	if e := s.find(key); e != nil {
		actual, loaded = e.val, true
	} else {
		s.put(key, value)
	}
	s.mu.Unlock()
	return actual, loaded
}

//whoop:for (*sync.Map).LoadAndDelete
func mapLoadAndDelete(m *sync.Map, key any) (value any, loaded bool) {
	s := mapOf(m)
	s.mu.Lock()
	if e := s.find(key); e != nil {
		value, loaded = e.val, true
		*e = element{}
	}
	s.mu.Unlock()
	return value, loaded
}

//whoop:for (*sync.Map).Delete
func mapDelete(m *sync.Map, key any) { mapLoadAndDelete(m, key) }

//whoop:for (*sync.Map).CompareAndSwap
func mapCompareAndSwap(m *sync.Map, key, old, new any) bool {
	s := mapOf(m)
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.find(key)
	if e == nil || e.val != old {
		return false
	}
	e.val = new
	return true
}

//whoop:for (*sync.Map).CompareAndDelete
func mapCompareAndDelete(m *sync.Map, key, old any) bool {
	s := mapOf(m)
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.find(key)
	if e == nil || e.val != old {
		return false
	}
	*e = element{}
	return true
}

//whoop:for (*sync.Map).Clear
func mapClear(m *sync.Map) {
	s := mapOf(m)
	s.mu.Lock()
	s.e = [4]element{}
	s.mu.Unlock()
}

//whoop:for (*sync.Map).Range
func mapRange(m *sync.Map, f func(key, value any) bool) {
	s := mapOf(m)
	back := either() // in another order
	for i := range s.e {
		if back {
			i = len(s.e) - 1 - i
		}
		s.mu.Lock()
		e := s.e[i]
		s.mu.Unlock()
		if e.used && !f(e.key, e.val) {
			return
		}
	}
}

// pool is a sync.Pool, with that one's fields first.
//
//whoop:type sync.Pool
//whoop:assume weak-order: every two operations of a sync.Pool are ordered; races that rest on their not being so are not looked for
type pool struct {
	_     uint32
	_, _  uintptr
	_, _  uintptr
	New   func() any
	mu    sync.Mutex
	items *pooled
}

type pooled struct {
	item any
	next *pooled
}

//whoop:for (*sync.Pool).Get
func poolGet(p *sync.Pool) any {
	s := (*pool)(unsafe.Pointer(p))
	s.mu.Lock()
	if x := s.items; x != nil && either() {
		s.items = x.next
		s.mu.Unlock()
		return x.item
	}
	s.mu.Unlock()
	if s.New == nil {
		return nil
	}
	return s.New()
}

//whoop:for (*sync.Pool).Put
func poolPut(p *sync.Pool, x any) {
	if x == nil {
		return
	}
	s := (*pool)(unsafe.Pointer(p))
	s.mu.Lock()
	s.items = &pooled{x, s.items}
	s.mu.Unlock()
}
