package stdgo

import "sync"

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

// readLocker is what RLocker returns.
type readLocker struct{ mu *sync.RWMutex }

func (r *readLocker) Lock() { r.mu.RLock() }

func (r *readLocker) Unlock() { r.mu.RUnlock() }

//whoop:for (*sync.RWMutex).RLocker
func rLocker(mu *sync.RWMutex) sync.Locker { return &readLocker{mu} }
