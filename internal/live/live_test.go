package live

import (
	"context"
	"testing"
	"time"
)

// TestLine: the line says who works on what, how much was counted, and for how long.
func TestLine(t *testing.T) {
	b := New()
	b.clock = func() time.Time { return b.start.Add(83 * time.Second) }
	ctx := With(context.Background(), b)
	On(ctx).Engine("formulas", "at most 1 preemption")
	On(ctx).Add("queries", 3)
	On(ctx).Detail("at most 2 preemptions")
	On(ctx).Add("queries", 4)
	if got, want := b.Line(), "1m23s: formulas, at most 2 preemptions, 7 queries"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b.Of("executions", 250, 1000)
	b.Detail("")
	want := "1m23s: formulas, 7 queries, 250 executions of about 1000 (25.0%, 4m9s left)"
	if got := b.Line(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	b.Engine("verify", "")
	b.Set("pairs", 0)
	b.Part("entry points", 2, 5)
	b.Set("queries", 1)
	if got, want := b.Line(), "1m23s: verify, 2 of 5 entry points, 1 query"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestNoBoard: engines write without asking whether anybody looks.
func TestNoBoard(t *testing.T) {
	b := On(context.Background())
	b.Engine("verify", "")
	b.Detail("x")
	b.Add("queries", 1)
	b.Set("queries", 1)
}
