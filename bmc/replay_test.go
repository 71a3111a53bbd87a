package bmc

import (
	"context"
	"errors"
	"testing"

	"whoop/ir/interp"
)

// TestReplayEnds: an execution that the interpreter follows without the model, which may be without end, is given up, and so is any when the time is up.
func TestReplayEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	run := func(r *replayer) (n int, err error) {
		for ; err == nil && n <= 2*interp.MaxInvisible; n++ {
			err = r.onPath()
		}
		return n, err
	}
	r := &replayer{u: &unfolding{ctx: ctx}}
	if n, err := run(r); !errors.Is(err, errOff) || n < interp.MaxInvisible {
		t.Errorf("after %d steps: %v", n, err)
	}
	cancel()
	r.off = 0
	if n, err := run(r); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled, after %d steps: %v", n, err)
	}
}
