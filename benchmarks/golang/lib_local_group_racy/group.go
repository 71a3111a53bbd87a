// Package group: WaitGroups of their own that order too little.
package group

import "sync"

// Pool may be used by several goroutines at once.
type Pool struct {
	mu   sync.Mutex
	last *int
}

// Early reads before it has waited. It is safe for concurrent use.
func (p *Pool) Early() int {
	a := 0
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		a = 1 // RACE!
		wg.Done()
	}()
	b := a // RACE!
	wg.Wait()
	return b
}

// After goes on after Done. It is safe for concurrent use.
func (p *Pool) After() int {
	a := 0
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		wg.Done()
		a = 1 // RACE!
	}()
	wg.Wait()
	return a // RACE!
}

// Fewer waits for one of two. It is safe for concurrent use.
func (p *Pool) Fewer() int {
	a := 0
	var wg sync.WaitGroup
	wg.Add(1)
	for range 2 {
		go func() {
			defer func() { recover() }()
			a++ // RACE!
			wg.Done()
		}()
	}
	wg.Wait()
	return a // RACE!
}

// Both start two that share a variable. It is safe for concurrent use.
func (p *Pool) Both() int {
	a := 0
	var wg sync.WaitGroup
	wg.Add(2)
	go func() { a++; wg.Done() }() // RACE!
	go func() { a--; wg.Done() }() // RACE!
	wg.Wait()
	return a // NORACE
}

// Loop starts one function in a loop. It is safe for concurrent use.
func (p *Pool) Loop(n int) int {
	a := 0
	var wg sync.WaitGroup
	for range n {
		wg.Add(1)
		go func() {
			a++ // RACE!
			wg.Done()
		}()
	}
	wg.Wait()
	return a // NORACE
}

// Fewer2 takes off what was counted. It is safe for concurrent use.
func (p *Pool) Fewer2(d int) int {
	a := 0
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer func() { recover() }()
		a = 1 // RACE!
		wg.Done()
	}()
	go func() {
		defer func() { recover() }()
		wg.Done()
	}()
	wg.Add(d)
	wg.Wait()
	return a // RACE!
}

// Again starts another one meanwhile. It is safe for concurrent use.
func (p *Pool) Again() int {
	a := 0
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		a = 2 // NORACE
		wg.Done()
	}()
	wg.Wait()
	wg.Add(1)
	go func() {
		a = 3 // RACE!
		wg.Done()
	}()
	a++ // RACE!
	wg.Wait()
	return a
}

// Out lets the goroutine's variable out. It is safe for concurrent use.
func (p *Pool) Out() {
	a := 0
	var wg sync.WaitGroup
	wg.Add(1)
	p.mu.Lock()
	p.last = &a
	p.mu.Unlock()
	go func() {
		a++ // RACE!
		wg.Done()
	}()
	wg.Wait()
}

// Last changes what Out has let out. It is safe for concurrent use.
func (p *Pool) Last() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.last != nil {
		*p.last = 7 // RACE!
	}
}

// Rec runs itself with a function that changes what the outer run has. It is safe for concurrent use.
func (p *Pool) Rec(n int) { p.rec(n, nil) }

func (p *Pool) rec(n int, outer func()) {
	a := 0
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		if outer != nil {
			outer()
		}
		a++ // RACE!
		wg.Done()
	}()
	if n > 0 {
		p.rec(n-1, func() { a++ }) // RACE!
	}
	wg.Wait()
}
