package parts

import (
	"sync"
	"testing"
)

// TestConcurrently calls all methods from two goroutines each, for the race detector.
func TestConcurrently(t *testing.T) {
	var wg sync.WaitGroup
	var striped Striped
	var ok StripedOK
	var slots Slots
	var slotsOK SlotsOK
	row, keyed, table, tableOK, guarded, locked := NewRow(2), NewKeyed(), NewTable(), NewTableOK(), NewGuarded(), NewLocked()
	for i := range 2 {
		wg.Go(func() { striped.Add(uint(i)); striped.Sum() })
		wg.Go(func() { ok.Add(1) })
		wg.Go(func() { row.Set(i); row.Last(i) })
		wg.Go(func() { keyed.Inc([]string{"a", "b"}[i]) })
		wg.Go(func() { table.Inc(0); table.Get(0) })
		wg.Go(func() { tableOK.Inc(0); tableOK.Get(0) })
		wg.Go(func() { guarded.Inc(); guarded.N() })
		wg.Go(func() { locked.Inc(); locked.N() })
		wg.Go(func() { slots.Inc(0); slots.N(0) })
		wg.Go(func() { slotsOK.Inc(0); slotsOK.N(0) })
	}
	wg.Wait()
}
