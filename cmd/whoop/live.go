package main

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"golang.org/x/term"

	"whoop/internal/live"
)

// How often the line on a terminal changes, and how often a line is written elsewhere
// with --verbose.
const liveStep, liveLog = 250 * time.Millisecond, time.Minute

// display shows a board while engines run: a line that changes on a terminal, and lines
// below each other elsewhere.
type display struct {
	board *live.Board
	w     io.Writer
	every time.Duration
	// rewrite: the line takes the place of the one before.
	rewrite bool
	width   int
	shown   int // characters of the line that is there
	stop    chan struct{}
	done    sync.WaitGroup
}

// watch shows what is done in the context that it returns until the function that it
// returns is called: on a terminal at once, elsewhere where verbose is set.
func watch(ctx context.Context, w io.Writer, verbose bool) (context.Context, func()) {
	d := &display{board: live.New(), w: w, every: liveLog}
	switch {
	case isTerminal(w):
		d.rewrite, d.every, d.width = true, liveStep, terminalWidth(w)
	case !verbose:
		return ctx, func() {}
	}
	return d.start(ctx)
}

// start shows the board from now on.
func (d *display) start(ctx context.Context) (context.Context, func()) {
	d.stop = make(chan struct{})
	d.done.Go(d.run)
	return live.With(ctx, d.board), sync.OnceFunc(func() {
		close(d.stop)
		d.done.Wait()
		d.clear()
	})
}

func (d *display) run() {
	tick := time.NewTicker(d.every)
	defer tick.Stop()
	for {
		select {
		case <-d.stop:
			return
		case <-tick.C:
			d.show(d.board.Line())
		}
	}
}

// show writes a line; of one that is rewritten, as much as fits.
func (d *display) show(line string) {
	if !d.rewrite {
		fmt.Fprintln(d.w, "whoop:", line)
		return
	}
	r := []rune(line)
	if d.width > 1 && len(r) >= d.width {
		r = append(r[:d.width-2], '…')
	}
	fmt.Fprintf(d.w, "\r%-*s", d.shown, string(r))
	d.shown = len(r)
}

// clear removes the line that is there.
func (d *display) clear() {
	if d.shown > 0 {
		fmt.Fprintf(d.w, "\r%*s\r", d.shown, "")
	}
}

// terminalWidth is how many characters a line of a terminal has, 80 where it does not
// tell.
func terminalWidth(w io.Writer) int {
	if f, ok := w.(interface{ Fd() uintptr }); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return 80
}
