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
	s := New(quiet{}, func(w io.Writer) io.Writer { return w }, func(f func()) { f() }, strings.NewReader("abc"))
	for range 2 {
		wg.Go(func() { s.Add("a"); s.Hit("a") })
		wg.Go(func() { s.Visit("a", func(it *Item) { _ = it.Hits + len(it.Tags) }); s.Log("a") })
		wg.Go(func() { s.Names(func(n []string) { _ = append([]string{}, n...) }); s.Fill() })
		wg.Go(func() { s.Dump([]byte("x")); s.Run() })
	}
	wg.Wait()
}
