// Package page takes bytes for structs, and structs for bytes.
package page

import (
	"bytes"
	"sync"
	"unsafe"
)

type header struct {
	id    uint32
	count uint32
}

// File is safe for concurrent use, but for the methods that say otherwise.
type File struct {
	mu    sync.Mutex
	data  *[4096]byte
	buf   bytes.Buffer
	dirty bool
}

// Open makes a file of a page.
func Open(b []byte) *File {
	return &File{data: (*[4096]byte)(unsafe.Pointer(&b[0]))}
}

func (f *File) at(n int) *header { return (*header)(unsafe.Pointer(&f.data[n])) }

// Add counts.
func (f *File) Add() {
	f.mu.Lock()
	f.at(16).count++ // RACE!
	f.mu.Unlock()
}

// Poke writes a byte of the page without the lock.
func (f *File) Poke() { f.data[20] = 1 } // RACE!

// Mark writes a member by a pointer to bytes, without the lock.
func (f *File) Mark() {
	*(*byte)(unsafe.Pointer(&f.dirty)) = 1 // RACE!
}

// Dirty reads it.
func (f *File) Dirty() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.dirty // RACE!
}

// First changes the first byte of what was written, which lies in the buffer.
func (f *File) First() {
	f.mu.Lock()
	b := f.buf.Bytes() // RACE!
	f.mu.Unlock()
	if len(b) > 0 {
		b[0] = 'x' // RACE!
	}
}

// Write is under the lock.
func (f *File) Write(s string) {
	f.mu.Lock()
	f.buf.WriteString(s) // RACE!
	f.mu.Unlock()
}
