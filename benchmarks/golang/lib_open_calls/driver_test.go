package open

import (
	"io"
	"strings"
	"sync"
	"testing"
)

type quiet struct{}

func (quiet) Logf(string, ...any) {}
func (quiet) Seen(*Item)          {}

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	s := New(quiet{}, func(string, *Options) *Item { return &Item{} }, func(w io.Writer) io.Writer { return w }, func(f func()) { f() })
	for range 2 {
		wg.Go(func() { s.Get("a"); s.Hit("a") })
		wg.Go(func() { s.Visit(func(it *Item) { _ = it.Hits }) })
		wg.Go(func() { s.Dump([]byte(strings.Repeat("x", 3))); s.Run() })
	}
	wg.Wait()
}
