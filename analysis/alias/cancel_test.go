package alias

import (
	"context"
	"errors"
	"testing"

	"whoop/ir"
)

// TestCancel: a canceled analysis yields its context's error; programs too small to
// notice are analysed.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := newSolver(&ir.Program{}, Options{})
	s.ctx = ctx
	defer func() {
		c, ok := recover().(canceled)
		if !ok || !errors.Is(c.error, context.Canceled) {
			t.Errorf("no panic of type canceled: %v", c)
		}
	}()
	for range 64 {
		s.tick()
	}
}
