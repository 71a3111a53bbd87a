// Two stores lead to the same memory, each with a lock of its own, or memory is used after
// the lock was given back.
package main

import "sync"

type item struct{ n int }

type store struct {
	mu   sync.Mutex
	list []*item
}

func (s *store) each() {
	s.mu.Lock()
	for _, it := range s.list {
		it.n++ // RACE!
	}
	s.mu.Unlock()
}

type rows struct {
	mu   sync.Mutex
	data []int
}

func (r *rows) add() {
	r.mu.Lock()
	r.data = append(r.data, 1) // RACE!
	r.mu.Unlock()
}

type table struct {
	mu sync.Mutex
	m  map[string]*entry
}

type entry struct{ n int }

func (t *table) get(k string) *entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.m[k]
	if e == nil {
		e = &entry{}
		t.m[k] = e
	}
	return e
}

func (t *table) use(k string) {
	t.get(k).n++ // RACE!
}

type view struct {
	mu   sync.Mutex
	data []int
}

func (v *view) snapshot() []int {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.data
}

func (v *view) fill() {
	v.mu.Lock()
	for i := range v.data {
		v.data[i] = 2 // RACE!
	}
	v.mu.Unlock()
}

func (v *view) sum() (n int) {
	for _, x := range v.snapshot() { // RACE!
		n += x
	}
	return n
}

func main() {
	it := &item{}
	a, b := &store{}, &store{}
	a.list = append(a.list, it)
	b.list = append(b.list, it)
	go a.each()
	go b.each()

	c := &rows{data: make([]int, 2, 10)}
	d := &rows{data: c.data[:1]}
	go c.add()
	go d.add()

	t := &table{m: map[string]*entry{}}
	go t.use("a")
	go t.use("a")

	v := &view{data: make([]int, 3)}
	go v.fill()
	go v.sum()
}
