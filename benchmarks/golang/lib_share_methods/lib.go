// Package lib_share_methods changes a variable in a method that a library calls.
package lib_share_methods

import (
	"sort"
	"sync"
)

var compared int

type byValue []int

func (v byValue) Len() int { return len(v) }

func (v byValue) Swap(i, j int) { v[i], v[j] = v[j], v[i] }

func (v byValue) Less(i, j int) bool {
	compared++ // RACE!
	return v[i] < v[j]
}

// List is for concurrent use.
type List struct {
	mu sync.Mutex
	v  []int
}

// New makes one.
func New() *List { return &List{v: []int{3, 2, 1}} }

// Sort sorts.
func (l *List) Sort() {
	l.mu.Lock()
	defer l.mu.Unlock()
	sort.Sort(byValue(l.v))
}
