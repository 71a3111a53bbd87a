package kept

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"
)

// Answers are small answers, many in one file: those that the last run on an input has
// used or found. They are not the input's: each has a key of its own, made from all that
// it depends on, and the input says only which file to look into. Where two runs write the
// file, one of them is as if it had never been.
type Answers struct {
	store *Store
	file  Key
	mu    sync.Mutex
	old   map[Key][]int
	used  map[Key][]int
	more  bool // something is in used that is not in old
}

// Answers returns those of an input, by a name for it.
func (s *Store) Answers(input string) *Answers {
	a := &Answers{store: s, file: sha256.Sum256([]byte(input)), old: map[Key][]int{}, used: map[Key][]int{}}
	data, ok := s.Read(a.file)
	for ok && len(data) > 0 {
		var k Key
		var at []int
		if k, at, data, ok = entry(data); ok {
			a.old[k] = at
		}
	}
	return a
}

// entry reads one answer; data is what comes after it.
func entry(in []byte) (k Key, at []int, data []byte, ok bool) {
	if len(in) < len(k) {
		return k, nil, nil, false
	}
	data = in[copy(k[:], in):]
	number := func() (n int) {
		x, size := binary.Uvarint(data)
		if size <= 0 || x > 1<<31 {
			ok, size = false, len(data)
		}
		data = data[size:]
		return int(x)
	}
	ok = true
	for n := number(); ok && n > 0; n-- {
		at = append(at, number())
	}
	return k, at, data, ok
}

// Get returns an answer.
func (a *Answers) Get(k Key) ([]int, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	at, ok := a.used[k]
	if !ok {
		if at, ok = a.old[k]; ok {
			a.used[k] = at
		}
	}
	return at, ok
}

// Put adds one. It must not be changed after that.
func (a *Answers) Put(k Key, at []int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.used[k], a.more = at, true
}

// Save keeps the answers that were used or added, if some were added. Those of earlier
// runs that were not used are kept, too, unless the run asked all that it had to.
func (a *Answers) Save(whole bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.more {
		return
	}
	for k, at := range a.old {
		if _, used := a.used[k]; !used && !whole {
			a.used[k] = at
		}
	}
	var data []byte
	for k, at := range a.used {
		data = binary.AppendUvarint(append(data, k[:]...), uint64(len(at)))
		for _, i := range at {
			data = binary.AppendUvarint(data, uint64(i))
		}
	}
	a.store.Write(a.file, data)
}
