// Package convention has no lock and promises nothing. Its functions may be called by several goroutines, by the convention
// of Go's doc comments; those that only set something up come before.
package convention

import (
	"fmt"
	"strings"
)

var (
	seq    int
	cache  = map[string]string{}
	table  []string
	prefix string
	hits   = 0
	draws  int
)

// SetPrefix sets the package up.
func SetPrefix(p string) { prefix = p } // NORACE

// NewID returns a new name.
func NewID() string {
	seq++                                    // RACE!
	return prefix + fmt.Sprintf("id%d", seq) // RACE!
}

// Slug is slow, and remembers.
func Slug(s string) string {
	if v, ok := cache[s]; ok { // RACE!
		return v
	}
	v := strings.ToLower(s)
	cache[s] = v // RACE!
	return v
}

// Lookup makes the table when it is first used.
func Lookup(i int) string {
	if table == nil { // RACE!
		table = []string{"a", "b"} // RACE!
	}
	hits++          // RACE!
	return table[i] // RACE!
}

// Hits counts.
func Hits() int { return hits } // RACE!

// Draw must not be called from several goroutines.
func Draw() int {
	draws++ // NORACE
	return draws
}

// Memo returns a function that several goroutines may call.
func Memo(f func(int) int) func(int) int {
	known := map[int]int{}
	return func(k int) int {
		if v, ok := known[k]; ok { // RACE!
			return v
		}
		v := f(k)
		known[k] = v // RACE!
		return v
	}
}
