package pipeline

import (
	"context"
	"testing"
	"time"

	"whoop/diag"
)

// TestShare: no pair gets all of the time while others wait, and the last ones get all
// that is left.
func TestShare(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	for _, c := range []struct {
		left, jobs, shares int
		atLeast, atMost    time.Duration
	}{
		{60, 1, 4, 3 * time.Minute, 4 * time.Minute},
		{60, 2, 4, 7 * time.Minute, 8 * time.Minute},
		{3, 1, 4, 29 * time.Minute, 30 * time.Minute},
		{100_000, 1, 4, leastShare - time.Millisecond, leastShare},
		{2, 2, 4, 59 * time.Minute, time.Hour},
		{1, 1, 1, 59 * time.Minute, time.Hour},
	} {
		own, cancel := share(ctx, c.left, c.jobs, c.shares)
		end, _ := own.Deadline()
		if d := time.Until(end); d < c.atLeast-time.Second/2 || d > c.atMost {
			t.Errorf("%d left, %d at once, %d shares: %v", c.left, c.jobs, c.shares, d)
		}
		cancel()
	}
	own, cancel := share(context.Background(), 10, 1, 4)
	defer cancel()
	if _, ok := own.Deadline(); ok {
		t.Error("a limit where there is none")
	}
}

// TestBetter: a second look at a pair that says less than the first is forgotten.
func TestBetter(t *testing.T) {
	whole := diag.Run{Threads: []string{"a", "b"}, CSB: 2}
	part := diag.Run{Threads: whole.Threads, CSB: 1, Reason: "time is up"}
	bug := diag.Run{Threads: whole.Threads, CSB: 1, Reason: "time is up", Bugs: []diag.Bug{{}}}
	for _, c := range []struct {
		now, before diag.Run
		want        bool
	}{{part, diag.Run{}, true}, {whole, part, true}, {part, whole, false}, {part, bug, false}, {bug, part, true}, {whole, bug, true}} {
		if better(&c.now, &c.before) != c.want {
			t.Errorf("%+v after %+v: %v", c.now, c.before, !c.want)
		}
	}
}
