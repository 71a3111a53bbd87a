// What a store's own memory leads to is protected by the lock of the store: arrays that
// grow and shrink, rows of a table, lists and trees, maps of pointers.
package main

import "sync"

type item struct {
	n    int
	next *item
}

type queue struct {
	size int
	data []int
	ring []int
}

func newQueue(n int) *queue {
	q := &queue{}
	q.ring = make([]int, n)
	return q
}

func (q *queue) push(v int) {
	q.size++
	q.data = append(q.data, v)
	q.ring[q.size%len(q.ring)] = v
}

func (q *queue) pop() int {
	if len(q.data) == 0 {
		return 0
	}
	v := q.data[0]
	q.data = q.data[1:]
	return v
}

type tree struct {
	key         int
	left, right *tree
}

func insert(t *tree, key int) *tree {
	if t == nil {
		return &tree{key: key}
	}
	if key < t.key {
		t.left = insert(t.left, key)
	} else {
		t.right = insert(t.right, key)
	}
	return t
}

func (t *tree) sum() int {
	if t == nil {
		return 0
	}
	t.key++
	return t.key + t.left.sum() + t.right.sum()
}

type store struct {
	mu    sync.Mutex
	q     *queue
	items map[string]*item
	rows  [][]int
	list  []*item
	head  *item
	root  *tree
}

func newStore() *store {
	return &store{q: newQueue(8), items: map[string]*item{}}
}

func (s *store) queued() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.q.push(1)
	s.q.pop()
}

func (s *store) count(k string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	it := s.items[k]
	if it == nil {
		it = &item{}
		s.items[k] = it
	}
	it.n++
	for _, it := range s.items {
		it.n++
	}
}

func (s *store) row(i int) {
	s.mu.Lock()
	s.rows = append(s.rows, make([]int, 3))
	s.rows[i][1]++
	s.rows[i] = append(s.rows[i], 4)
	s.mu.Unlock()
}

func (s *store) each() {
	s.mu.Lock()
	s.list = append(s.list, &item{})
	for _, it := range s.list {
		it.n++
	}
	for k := range s.list {
		s.list[k].n++
	}
	s.mu.Unlock()
}

func (s *store) linked() {
	s.mu.Lock()
	s.head = &item{next: s.head}
	for it := s.head; it != nil; it = it.next {
		it.n++
	}
	s.mu.Unlock()
}

func (s *store) sorted() {
	s.mu.Lock()
	s.root = insert(s.root, 3)
	s.root.sum()
	s.mu.Unlock()
}

func main() {
	for _, s := range []*store{newStore(), newStore()} {
		for i := 0; i < 2; i++ {
			go s.queued()
			go s.count("a")
			go s.row(0)
			go s.each()
			go s.linked()
			go s.sorted()
		}
	}
}
