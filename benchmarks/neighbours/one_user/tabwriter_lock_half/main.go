// WANT: verify | racy | writers lock, Flush by the reporter does not
package main

import (
	"fmt"
	"io"
	"sync"
	"text/tabwriter"
)

type table struct {
	mu sync.Mutex
	tw *tabwriter.Writer
}

func (t *table) row(cells ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	fmt.Fprintln(t.tw, cells...) // RACE!
}

func (t *table) flush() error { return t.tw.Flush() } // RACE!

func main() {
	t := &table{tw: tabwriter.NewWriter(io.Discard, 0, 8, 1, ' ', 0)}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() { t.row("a\t", i) })
		wg.Go(func() { t.flush() })
	}
	wg.Wait()
}
