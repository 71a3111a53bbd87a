package main

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"whoop/internal/crash"
	"whoop/internal/live"
)

// lines is a writer for several goroutines that tells when something was written.
type lines struct {
	mu    sync.Mutex
	b     strings.Builder
	wrote chan struct{}
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.wrote <- struct{}{}:
	default:
	}
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// TestDisplay: on a terminal a line takes the place of the one before, no longer than the
// terminal is wide, and is gone in the end; elsewhere there is one below the other.
func TestDisplay(t *testing.T) {
	show := func(d *display) string {
		l := &lines{wrote: make(chan struct{}, 100)}
		d.board, d.w, d.every = live.New(), l, time.Millisecond
		ctx, stop := d.start(context.Background())
		live.On(ctx).Engine("formulas", "at most 2 preemptions")
		<-l.wrote
		<-l.wrote
		stop()
		return l.String()
	}
	on := show(&display{rewrite: true, width: 20})
	for _, s := range strings.Split(on, "\r") {
		if len([]rune(s)) >= 20 {
			t.Errorf("%q does not fit into 20 columns", s)
		}
	}
	if !strings.Contains(on, "\r0s: formulas, at m…") || !strings.HasSuffix(on, " \r") || strings.Contains(on, "\n") {
		t.Errorf("on a terminal: %q", on)
	}
	if off := show(&display{}); !strings.Contains(off, "whoop: 0s: formulas, at most 2 preemptions\nwhoop: 0s: formulas") {
		t.Errorf("elsewhere: %q", off)
	}
}

// TestWatchQuiet: where standard error is no terminal, nothing is shown unless it was
// asked for.
func TestWatchQuiet(t *testing.T) {
	ctx, stop := watch(context.Background(), &lines{}, false)
	defer stop()
	if live.On(ctx) != nil {
		t.Error("there is a board though nobody looks at it")
	}
}

// TestInTime: a run that does not end when its time is up is left alone.
func TestInTime(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	got, err := inTime(ctx, func() (string, error) { return "done", nil }, func() string { return "late" })
	if got != "done" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	cancel()
	hang := make(chan struct{})
	defer close(hang)
	got, err = crash.InTime(ctx, 0, func() (string, error) { <-hang; return "", nil }, func() (string, error) { return "late", nil })
	if got != "late" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}
