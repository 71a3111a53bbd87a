package twins

import (
	"context"
	"log/slog"
	"sync"
	"testing"
)

// TestConcurrently uses two values of each type in two goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	var ms [2]Meter
	var ls [2]List
	os := [2]*Options{{}, {}}
	os[0].Set("a", "b")
	os[1].Set("a", "b")
	cs := [2]*Config{NewConfig(), NewConfig()}
	s, h := Root(), NewHandler()
	ss, hs := [2]*Scope{s, s.Child()}, [2]slog.Handler{h, h.WithAttrs(nil)}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() {
			ms[i].Add(1)
			cs[i].Put("size", i)
			ss[i].Inc("a")
			if err := hs[i].Handle(context.Background(), slog.Record{}); err != nil {
				t.Error(err)
			}
			ls[1].Push(1)
			if i == 0 {
				SameLength(&ls[0], &ls[1])
				os[0].Merge(os[1])
			} else {
				os[1].Set("c", "d")
			}
		})
	}
	wg.Wait()
}
