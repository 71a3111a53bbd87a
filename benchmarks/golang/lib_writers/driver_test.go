package writers

import (
	"bytes"
	"strings"
	"sync"
	"testing"
)

// TestConcurrently calls all methods from two goroutines each, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	log, ok, source := NewLog(new(bytes.Buffer)), NewLogOK(new(bytes.Buffer)), NewSource(strings.NewReader("abc"))
	for range 2 {
		wg.Go(func() { log.Print("a") })
		wg.Go(func() { ok.Print("a") })
		wg.Go(func() { source.Next() })
	}
	wg.Wait()
}
