// Package lib_pool_buffers has a pool of buffers of a library, which users never see.
package lib_pool_buffers

import (
	"bytes"
	"fmt"
	"sync"
)

var buffers = sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, 64)) }}

// Line makes a line.
func Line(name string, v any) string {
	b := buffers.Get().(*bytes.Buffer)
	defer func() {
		b.Reset() // NORACE
		buffers.Put(b)
	}()
	b.WriteString(name)        // NORACE
	fmt.Fprintf(b, "=%v\n", v) // NORACE
	return b.String()          // NORACE
}

// Len is the length of a line.
func Len(name string, v any) int {
	b := buffers.Get().(*bytes.Buffer)
	fmt.Fprint(b, name, v) // NORACE
	n := b.Len()           // NORACE
	buffers.Put(b)
	return n
}
