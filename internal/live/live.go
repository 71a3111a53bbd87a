// Package live carries what a run is doing from the engines to whoever shows it.
//
// The command puts a Board into the context that it runs engines with. Engines write on
// it: which of them works, within which bound, and what it counts. Nothing that they
// decide depends on it, and where the context has no board, nothing is written.
package live

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Board is what a run is doing. A nil *Board takes everything and shows nothing.
type Board struct {
	mu     sync.Mutex
	start  time.Time
	engine string
	detail string
	counts []count
	clock  func() time.Time
}

// count is a number of things with their name; of how many in all, where that can be
// estimated (0: it cannot).
type count struct {
	name  string
	n     int64
	total float64
	exact bool // total is no estimate
}

// New is a board on which nothing is written.
func New() *Board { return &Board{start: time.Now(), clock: time.Now} }

type key struct{}

// With puts a board into a context.
func With(ctx context.Context, b *Board) context.Context { return context.WithValue(ctx, key{}, b) }

// On is the board of a context; nil where there is none.
func On(ctx context.Context) *Board {
	b, _ := ctx.Value(key{}).(*Board)
	return b
}

// Engine says which engine works from now on, and on what, "" where nothing is to be said
// of that. What was counted so far is forgotten.
func (b *Board) Engine(name, detail string) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.engine, b.detail, b.counts = name, detail, nil
}

// Detail says what the engine works on from now on; the counts stay.
func (b *Board) Detail(detail string) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.detail = detail
}

// Add counts n further things of a name: "queries", "executions".
func (b *Board) Add(name string, n int64) {
	if b != nil {
		b.count(name, func(old int64) int64 { return old + n })
	}
}

// Set says how many things of a name there are.
func (b *Board) Set(name string, n int64) {
	if b != nil {
		b.count(name, func(int64) int64 { return n })
	}
}

// Of says how many things of a name there are, and an estimate of their total (0: not
// known).
func (b *Board) Of(name string, n int64, total float64) {
	b.of(name, n, total, false)
}

// Part says that n of so many things of a name are done.
func (b *Board) Part(name string, n, total int) {
	b.of(name, int64(n), float64(total), true)
}

func (b *Board) of(name string, n int64, total float64, exact bool) {
	if b == nil {
		return
	}
	b.Set(name, n)
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.counts {
		if c := &b.counts[i]; c.name == name {
			c.total, c.exact = total, exact
		}
	}
}

func (b *Board) count(name string, next func(int64) int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.counts {
		if b.counts[i].name == name {
			b.counts[i].n = next(b.counts[i].n)
			return
		}
	}
	b.counts = append(b.counts, count{name: name, n: next(0)})
}

// Line is the board in one line: "12s: formulas, at most 2 preemptions, 31 queries".
func (b *Board) Line() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var parts []string
	for _, s := range []string{b.engine, b.detail} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	spent := b.clock().Sub(b.start)
	for _, c := range b.counts {
		if c.n > 0 {
			parts = append(parts, c.String()+c.estimate(spent))
		}
	}
	return spent.Round(time.Second).String() + ": " + strings.Join(parts, ", ")
}

// estimate says of a count with a total which share is done, and how long the rest takes
// at this rate.
func (c count) estimate(spent time.Duration) string {
	if c.exact || c.total <= 0 || float64(c.n) > c.total {
		return ""
	}
	left := time.Duration((c.total/float64(c.n) - 1) * float64(spent))
	when := left.Round(time.Second).String()
	if left > 24*time.Hour || left < 0 {
		when = "more than a day"
	}
	return fmt.Sprintf(" of about %s (%.1f%%, %s left)", about(c.total), 100*float64(c.n)/c.total, when)
}

// about is an estimate with three digits: as people write it, where it is not too long.
func about(x float64) string {
	s := fmt.Sprintf("%.3g", x)
	if y, err := strconv.ParseFloat(s, 64); err == nil && y < 1e9 {
		return fmt.Sprintf("%.0f", y)
	}
	return s
}

// String is the count without an estimate.
func (c count) String() string {
	name := c.name
	if c.exact {
		return fmt.Sprintf("%d of %.0f %s", c.n, c.total, name)
	}
	if c.n == 1 {
		one, plural := strings.CutSuffix(name, "ies")
		if name = strings.TrimSuffix(name, "s"); plural {
			name = one + "y"
		}
	}
	return fmt.Sprintf("%d %s", c.n, name)
}
