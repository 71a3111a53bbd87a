// Package main: pages that are made of bytes, written under a lock: the repaired twin of unsafe_pages.
package main

import (
	"sync"
	"unsafe"
)

type page struct {
	id    uint64
	flags uint16
	count uint16
}

type element struct{ pos, size uint32 }

type store struct {
	mu   sync.Mutex
	data []byte
	busy int
}

func (s *store) page(n int) *page { return (*page)(unsafe.Pointer(&s.data[n*4096])) }

func (p *page) element(i uint16) *element {
	at := unsafe.Pointer(uintptr(unsafe.Pointer(p)) + unsafe.Sizeof(*p) + uintptr(i)*unsafe.Sizeof(element{}))
	return (*element)(at)
}

func (s *store) grow(id uint64) {
	s.mu.Lock()
	p := s.page(0)
	p.id = id           // NORACE
	p.element(0).size++ // NORACE
	s.busy++            // NORACE
	s.mu.Unlock()
}

func main() {
	s := &store{data: make([]byte, 8192)}
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		s.grow(1)
		wg.Done()
	}()
	go func() {
		s.grow(2)
		wg.Done()
	}()
	wg.Wait()
}
