// Package lib_pool_buffers_racy gives its users what the next one overwrites.
package lib_pool_buffers_racy

import (
	"bytes"
	"fmt"
	"sync"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// Line makes a line.
func Line(v any) []byte { // RACE!
	b := buffers.Get().(*bytes.Buffer)
	b.Reset()        // RACE!
	fmt.Fprint(b, v) // RACE!
	buffers.Put(b)
	return b.Bytes() // RACE!
}
