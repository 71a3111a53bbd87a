// Package convention is lib_convention, repaired.
package convention

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
)

var (
	seq    atomic.Int64
	mu     sync.Mutex
	cache  = map[string]string{}
	table  = sync.OnceValue(func() []string { return []string{"a", "b"} })
	prefix string
)

func init() { prefix = "x" }

// NewID returns a new name.
func NewID() string { return prefix + fmt.Sprintf("id%d", seq.Add(1)) } // NORACE

// Slug is slow, and remembers.
func Slug(s string) string {
	mu.Lock()
	defer mu.Unlock()
	if v, ok := cache[s]; ok { // NORACE
		return v
	}
	v := strings.ToLower(s)
	cache[s] = v // NORACE
	return v
}

// Lookup makes the table when it is first used.
func Lookup(i int) string { return table()[i] } // NORACE

// Memo returns a function that several goroutines may call.
func Memo(f func(int) int) func(int) int {
	var mu sync.Mutex
	known := map[int]int{}
	return func(k int) int {
		v := f(k)
		mu.Lock()
		defer mu.Unlock()
		known[k] = v // NORACE
		return v
	}
}
