// Package counts_anew_ok is a library. Its users cannot count anew.
package counts_anew_ok

import "sync/atomic"

// next is the next slot.
var next atomic.Int64

var slots [100]int

// Put draws a slot.
func Put(v int) {
	i := next.Add(1)
	if i < 100 {
		slots[i] = v // NORACE
	}
}
