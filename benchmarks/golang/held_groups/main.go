// WaitGroups, and structs with one, that a variable holds the address of, in functions of which several calls run at once.
package main

import "sync"

type group struct {
	wg   sync.WaitGroup
	name string
	n    int
}

func (g *group) Go(f func()) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		f()
	}()
}

func literal() int {
	wg := &sync.WaitGroup{}
	x := 0
	wg.Add(1)
	go func() {
		defer wg.Done()
		x = 1 // NORACE
	}()
	wg.Wait()
	return x // NORACE
}

func worker(wg *sync.WaitGroup, x *int) {
	defer wg.Done()
	*x = 2 // NORACE
}

func given() int {
	wg := new(sync.WaitGroup)
	x := 0
	wg.Add(1)
	go worker(wg, &x)
	wg.Wait()
	return x // NORACE
}

func inStruct() int {
	var g = &group{n: 2, name: "g"}
	x := 0
	g.Go(func() { x = g.n }) // NORACE
	g.wg.Wait()
	return x // NORACE
}

// again waits for another group than its goroutine is counted in.
func again() int {
	wg := &sync.WaitGroup{}
	x := 0
	wg.Add(1)
	first := wg
	go func() {
		defer first.Done()
		x = 1 // RACE!
	}()
	wg = &sync.WaitGroup{}
	wg.Wait()
	return x // RACE!
}

// each has a group for each iteration, and waits for the last one.
func each() int {
	x := 0
	for i := range 2 {
		wg := new(sync.WaitGroup)
		wg.Add(1)
		go func() {
			defer wg.Done()
			x = i // RACE!
		}()
		if i == 1 {
			wg.Wait()
		}
	}
	return x // RACE!
}

func waits(wg *sync.WaitGroup, x *int) int {
	wg.Wait()
	return *x // RACE!
}

// crossed waits for the group of another goroutine.
func crossed() int {
	one, two := &sync.WaitGroup{}, &sync.WaitGroup{}
	wg := &sync.WaitGroup{}
	other := &group{n: 1}
	x := 0
	wg.Add(1)
	go func() {
		defer wg.Done()
		x = 3 // RACE!
	}()
	_, _ = one, two
	return waits(&other.wg, &x)
}

func main() {
	for range 2 {
		go literal()
		go given()
		go inStruct()
		go again()
		go each()
		go crossed()
	}
}
