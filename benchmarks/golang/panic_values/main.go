// What panic is called with is what recover returns, and a type assertion that fails panics.
package main

import "sync"

type state struct{ n int }

func fail(s *state) (r any) {
	defer func() { r = recover() }()
	panic(s)
}

var asserted int

func assert(v any) {
	defer func() {
		if recover() != nil {
			asserted++ // RACE!
		}
	}()
	_ = v.(string)
}

func main() {
	s := &state{}
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			fail(s).(*state).n++ // RACE!
			assert(i)
		}()
	}
	wg.Wait()
}
