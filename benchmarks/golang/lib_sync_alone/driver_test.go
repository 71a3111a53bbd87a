package alone

import (
	"context"
	"sync"
	"testing"
	"time"
)

// TestConcurrently calls all methods from two goroutines each, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	sem, buckets, plain := NewSem(), NewBuckets(), NewPlain()
	var lazy Lazy
	var lazyOK LazyOK
	var names Names
	var namesOK NamesOK
	var hits Hits
	var hitsOK HitsOK
	var half HitsHalf
	var config Config
	var job Job
	var bufs Bufs
	var ticks Ticks
	for range 2 {
		wg.Go(func() { sem.Inc(); sem.N() })
		wg.Go(func() { lazy.Inc("a") })
		wg.Go(func() { lazyOK.Get("a") })
		wg.Go(func() { names.Add("a") })
		wg.Go(func() { namesOK.Add("a"); namesOK.Has("a") })
		wg.Go(func() { hits.Hit("a") })
		wg.Go(func() { hitsOK.Hit(); hitsOK.N() })
		wg.Go(func() { half.Hit(); half.N() })
		wg.Go(func() { buckets.Add(0) })
		wg.Go(func() { config.Set("a"); config.Get() })
		wg.Go(func() { job.Start(context.Background()); job.Stop() })
		wg.Go(func() { bufs.Get() })
		wg.Go(func() { ticks.Start(); ticks.N() })
		wg.Go(func() { plain.Stop() })
	}
	wg.Wait()
	time.Sleep(5 * time.Millisecond)
}
