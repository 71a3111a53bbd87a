package served

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

type broken struct{}

func (broken) RoundTrip(*http.Request) (*http.Response, error) { return nil, errors.New("broken") }

// TestConcurrently serves requests in two goroutines, for the race detector.
func TestConcurrently(t *testing.T) {
	nothing := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
	hs := []http.Handler{Count(nothing), http.HandlerFunc(Home), http.HandlerFunc(new(Pages).Index), Limit(nothing), Numbered()(nothing)}
	tr, log := &Retry{Base: broken{}}, slog.New(NewKeeper())
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for _, h := range hs {
				h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(context.Background(), "GET", "/", nil))
			}
			if _, err := tr.RoundTrip(nil); err == nil {
				t.Error("no error")
			}
			log.Info("done")
		})
	}
	wg.Wait()
}
