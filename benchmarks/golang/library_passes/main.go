// What functions are given they hand on: to functions that they call, and in what they return.
package main

import (
	"bytes"
	"maps"
	"slices"
	"sort"
	"sync"
)

type item struct{ n int }

func main() {
	a, b, c, d := &item{}, &item{}, &item{}, &item{}
	list, table := []*item{a}, map[string]*item{"c": c}
	each := slices.Values([]*item{b})
	text := []byte("a,b")
	fields := bytes.Split(text, []byte(","))
	order := []int{2, 1}
	kept := []*item{d}
	var mu sync.Mutex
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		slices.IndexFunc(list, func(it *item) bool {
			it.n++ // RACE!
			return true
		})
		for it := range each {
			it.n++ // RACE!
		}
		for _, it := range slices.Collect(maps.Values(table)) {
			it.n++ // RACE!
		}
		fields[0][0] = 'c'                                                    // RACE!
		sort.Slice(order, func(i, k int) bool { return order[i] < order[k] }) // RACE!
		mu.Lock()
		slices.IndexFunc(kept, func(it *item) bool { it.n++; return false })
		mu.Unlock()
	}()
	a.n++         // RACE!
	b.n++         // RACE!
	c.n++         // RACE!
	text[0] = 'b' // RACE!
	order[0] = 3  // RACE!
	mu.Lock()
	d.n++
	mu.Unlock()
	wg.Wait()
}
