// WANT: verify | racy | a lock per key behind an accessor; Keys ranges over the data map
// under the wrong lock
package keyed_locks

import "sync"

// Files keeps contents by name.
type Files struct {
	guard sync.Mutex
	locks map[string]*sync.RWMutex
	data  map[string]*[]byte
}

// New makes it.
func New() *Files {
	return &Files{locks: map[string]*sync.RWMutex{}, data: map[string]*[]byte{}}
}

func (f *Files) lock(name string) *sync.RWMutex {
	f.guard.Lock()
	defer f.guard.Unlock()
	l, ok := f.locks[name] // NORACE
	if !ok {
		l = &sync.RWMutex{}
		f.locks[name] = l // NORACE
	}
	return l
}

// Write replaces a file.
func (f *Files) Write(name string, b []byte) {
	l := f.lock(name)
	l.Lock()
	defer l.Unlock()
	f.data[name] = &b // RACE!
}

// Read reads a file.
func (f *Files) Read(name string) []byte {
	l := f.lock(name)
	l.RLock()
	defer l.RUnlock()
	if p := f.data[name]; p != nil { // RACE!
		return *p
	}
	return nil
}
