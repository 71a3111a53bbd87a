package store

import (
	"sync"
	"testing"
)

// TestConcurrently calls the package from several goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	db := Open()
	for range 4 {
		wg.Go(func() { db.Add() })
		wg.Go(func() { db.Adds() })
		wg.Go(func() { db.Dump() })
	}
	wg.Wait()
}
