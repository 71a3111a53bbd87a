// Package sum waits for goroutines that a helper of its own starts.
package sum

import "sync"

// group starts functions and waits for them.
type group struct {
	wg sync.WaitGroup
	n  int
}

// Go starts f.
func (g *group) Go(f func()) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		f()
	}()
}

// Named starts f, which has a name.
func (g *group) Named(name string, f func()) {
	if name != "" {
		g.n++
	}
	g.Go(f)
}

// Wait waits for all.
func (g *group) Wait() { g.wg.Wait() }

// Sum adds numbers.
func Sum(xs []int) int {
	var g group
	var mu sync.Mutex
	n := 0
	for _, x := range xs {
		g.Go(func() {
			mu.Lock()
			n += x
			mu.Unlock()
		})
	}
	g.Wait()
	return n
}

// Both runs two functions at once.
func Both(a, b int) (int, int) {
	var g group
	x, y := 0, 0
	g.Named("a", func() { x = a })
	g.Named("b", func() { y = b })
	g.Wait()
	return x, y
}

// Server has goroutines that its maker starts.
type Server struct {
	wg   sync.WaitGroup
	in   chan int
	a, b int
}

func (s *Server) start(f func()) {
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		f()
	}()
}

// New makes a server.
func New() *Server {
	s := &Server{in: make(chan int)}
	s.start(s.first)
	s.start(s.second)
	return s
}

func (s *Server) first() {
	for x := range s.in {
		s.a += x
	}
}

func (s *Server) second() {
	for x := range s.in {
		s.b += x
	}
}

// Put gives a number to a goroutine.
func (s *Server) Put(x int) { s.in <- x }
