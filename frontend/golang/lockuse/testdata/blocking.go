package main

import "sync"

type hub struct {
	mu  sync.RWMutex
	in  chan int
	all []chan int
}

var (
	global sync.Mutex
	locks  [2]sync.Mutex
)

func send(h *hub) {
	h.mu.Lock()
	h.in <- 1 // WANT lock-held-blocking h.mu is held at a send
	h.mu.Unlock()
	h.in <- 1
}

func deferred(h *hub) int {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return <-h.in // WANT lock-held-blocking h.mu is held at a receive
}

func onePath(h *hub, b bool) {
	if b {
		h.mu.Lock()
	}
	<-h.in
	if b {
		h.mu.Unlock()
	}
}

func bothPaths(h *hub, b bool) {
	if b {
		h.mu.Lock()
	} else {
		h.mu.Lock()
		println()
	}
	<-h.in // WANT lock-held-blocking h.mu is held at a receive
	h.mu.Unlock()
}

func selects(h *hub) {
	global.Lock()
	defer global.Unlock()
	select {
	case h.in <- 1:
	default:
	}
	select { // WANT lock-held-blocking global is held at a select
	case h.in <- 1:
	case <-h.in:
	}
	for range h.in { // WANT lock-held-blocking global is held at a receive
	}
}

func waits(wg *sync.WaitGroup) {
	locks[0].Lock()
	locks[1].Lock()
	wg.Wait() // WANT lock-held-blocking locks[0], locks[1] are held at a WaitGroup.Wait
	locks[0].Unlock()
	wg.Wait() // WANT lock-held-blocking locks[1] is held at a WaitGroup.Wait
	locks[1].Unlock()
}

func push(h *hub) { h.in <- 1 }

func indirectly(h *hub) { push(h) }

func calls(h *hub) {
	h.mu.Lock()
	indirectly(h) // WANT lock-held-blocking h.mu is held in a call of indirectly, which may block at a send
	go push(h)
	h.mu.Unlock()
	push(h)
}

// unlocks gives back a lock that its caller took.
func unlocks(h *hub) {
	h.mu.Unlock()
	h.in <- 1
}

func callsUnlocks(h *hub) {
	h.mu.Lock()
	unlocks(h)
	<-h.in
}

func balanced(h *hub) {
	h.mu.Lock()
	h.mu.Unlock()
}

func callsBalanced(h *hub) {
	global.Lock()
	balanced(h)
	<-h.in // WANT lock-held-blocking global is held at a receive
	global.Unlock()
}

func valueOf(h *hub) {
	h.mu.Lock()
	release := h.mu.Unlock
	release()
	<-h.in
}

func otherName(h *hub) {
	g := &h.mu
	g.Lock()
	h.mu.Unlock()
	<-h.in
}

func closures(h *hub) {
	global.Lock()
	func() { <-h.in }() // WANT lock-held-blocking global is held in a call of
	f := func() {
		<-h.in
	}
	global.Unlock()
	f()
	go func() {
		global.Lock()
		<-h.in // WANT lock-held-blocking global is held at a receive
		global.Unlock()
	}()
}

func conditions(c *sync.Cond, m *sync.Mutex) {
	m.Lock()
	c.Wait()
	m.Unlock()
}

func main() {
	h := &hub{in: make(chan int)}
	for _, f := range []func(*hub){send, selects, calls, callsUnlocks, callsBalanced, valueOf, otherName, closures} {
		f(h)
	}
	deferred(h)
	onePath(h, true)
	bothPaths(h, true)
	waits(nil)
	conditions(nil, nil)
}
