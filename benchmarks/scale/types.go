package scale

import (
	"fmt"
	"strings"
)

// Types is a Go library with n types behind one interface, each with a method that prints
// the values of the others through any, under a lock, and one place that knows them all.
func Types(n int) string {
	var b strings.Builder
	b.WriteString(`package many

import (
	"fmt"
	"sync"
)

type Shape interface{ Show(others []any) string }

type All struct {
	mu     sync.Mutex
	shapes []Shape
}

func New() *All { return &All{} }

func (a *All) Show(others ...any) (out string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, s := range a.shapes {
		out += s.Show(others)
	}
	return out
}
`)
	for i := range n {
		fmt.Fprintf(&b, `
type T%d struct {
	mu    sync.Mutex
	name  string
	last  any
	count int
}

func (t *T%[1]d) Show(others []any) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.count++
	for _, o := range others {
		if x, ok := o.(*T%[2]d); ok {
			t.last = x
		}
	}
	return fmt.Sprint(t.name, t.count, t.last)
}

func (a *All) Add%[1]d(name string) {
	t := &T%[1]d{name: name}
	a.mu.Lock()
	a.shapes = append(a.shapes, t)
	a.mu.Unlock()
}
`, i, (i+1)%n)
	}
	return b.String()
}
