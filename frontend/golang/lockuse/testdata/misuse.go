// Misuse of WaitGroups and channels; WANT says what is found, all else must not be.
package main

import (
	"sync"
	"sync/atomic"
	"time"
)

type stopper struct {
	drain sync.WaitGroup
	mu    sync.Mutex
	over  bool
}

func (s *stopper) task() {
	s.drain.Add(1) // WANT waitgroup-add s.drain is added to in the goroutine
	time.Sleep(time.Millisecond)
	s.drain.Done()
}

func (s *stopper) guarded() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.over {
		s.drain.Add(1)
		go s.drain.Done()
	}
}

func waitTooEarly() {
	s := new(stopper)
	done := make(chan bool)
	go func() {
		s.task()
		close(done)
	}()
	s.drain.Wait()
	<-done
}

func classic() {
	var wg sync.WaitGroup
	for i := range 3 {
		go func() {
			wg.Add(1) // WANT waitgroup-add wg is added to
			defer wg.Done()
			println(i)
		}()
	}
	wg.Wait()
}

func addByGo() {
	var wg sync.WaitGroup
	go func() {
		wg.Go(func() { println("late") }) // WANT waitgroup-add wg is added to
	}()
	wg.Wait()
}

func addedBefore() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		wg.Add(1)
		go wg.Done()
	}()
	wg.Wait()
}

func startedFirst() {
	var wg sync.WaitGroup
	started := make(chan bool)
	go func() {
		wg.Add(1)
		close(started)
		wg.Done()
	}()
	<-started
	wg.Wait()
}

func underLock() {
	s := new(stopper)
	go s.guarded()
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	s.drain.Wait()
}

func ownGroup() {
	go func() {
		var wg sync.WaitGroup
		wg.Add(1)
		go wg.Done()
		wg.Wait()
	}()
}

func twoGroups() {
	var a, b sync.WaitGroup
	go func() {
		a.Add(1)
		a.Done()
	}()
	b.Wait()
}

type transport struct {
	once   sync.Once
	writes chan int
}

func (t *transport) close() {
	t.once.Do(func() { close(t.writes) }) // WANT close-send t.writes is closed while another
}

func (t *transport) write(n int) { t.writes <- n }

func lateWrite() {
	t := &transport{writes: make(chan int, 4)}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		t.write(1)
	}()
	t.close()
	wg.Wait()
}

func lateWriteOK() {
	t := &transport{writes: make(chan int, 4)}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		t.write(1)
	}()
	wg.Wait()
	t.close()
}

func deferredClose() {
	ch := make(chan int, 1)
	defer close(ch) // WANT close-send ch is closed while another
	go func() { ch <- 1 }()
}

func closeByOther(n int) {
	ch := make(chan int, n)
	go func() {
		for i := range n {
			ch <- i
		}
	}()
	go func() {
		close(ch) // WANT close-send ch is closed
	}()
	<-ch
}

func producer(n int) {
	ch := make(chan int)
	go func() {
		defer close(ch)
		for i := range n {
			ch <- i
		}
	}()
	for range ch {
	}
}

func closeAfterWait(n int) {
	ch := make(chan int)
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			ch <- i
		}()
	}
	go func() {
		wg.Wait()
		close(ch)
	}()
	for range ch {
	}
}

func rendezvous() {
	ch, ready := make(chan int), make(chan bool)
	go func() {
		ready <- true
		close(ch)
	}()
	go func() {
		ch <- 1
		<-ready
	}()
	_ = ch
}

func signalled() {
	ch, done := make(chan int, 1), make(chan bool)
	go func() {
		ch <- 1
		close(done)
	}()
	<-done
	close(ch)
}

func counted(n int) {
	ch := make(chan int, n)
	var left atomic.Int64
	left.Store(int64(n))
	for range n {
		go func() {
			ch <- 1
			if left.Add(-1) == 0 {
				close(ch)
			}
		}()
	}
}

func recovered() {
	ch := make(chan int, 1)
	go func() {
		defer func() { _ = recover() }()
		ch <- 1
	}()
	close(ch)
}

func perRound(n int) {
	for range n {
		ch := make(chan int, 1)
		close(ch)
		other := make(chan int, 1)
		go func() { other <- 1 }()
	}
}

func twice() {
	ch := make(chan int)
	go func() { close(ch) }()
	close(ch) // WANT double-close ch is closed by two goroutines
}

func twiceOnce() {
	ch := make(chan int)
	var once sync.Once
	go func() { once.Do(func() { close(ch) }) }()
	once.Do(func() { close(ch) })
}

func eitherCloses(first bool) {
	ch := make(chan int)
	go func() {
		if first {
			close(ch)
		}
	}()
	if !first {
		close(ch)
	}
}

type Server struct {
	mu                       sync.Mutex
	quit, over, again, other chan bool
	once                     sync.Once
}

func (s *Server) Stop() {
	close(s.quit)
	close(s.again)
	s.end()
	s.once.Do(func() { close(s.other) })
}

func (s *Server) Shutdown() {
	close(s.again)
	s.again = make(chan bool)
	s.end()
	close(s.quit) // WANT double-close s.quit is closed by two methods
}

func (s *Server) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.quit:
	default:
		close(s.quit)
	}
	s.once.Do(func() { close(s.other) })
}

func (s *Server) end() {
	close(s.over)
}

type hub struct {
	in, out chan int
	quit    chan bool
	handed  chan int
}

var never chan int

func newHub() *hub { return &hub{in: make(chan int), quit: nil} }

func fill(p *chan int) { *p = make(chan int) }

func (h *hub) run() {
	fill(&h.handed)
	h.in <- 1
	h.handed <- 1
	h.out <- 1 // WANT nil-channel h.out is never made: a send
	h.out <- 2
	<-h.quit // WANT nil-channel h.quit is never made: a receive
	<-never  // WANT nil-channel never is never made
	select {
	case <-h.out:
	case <-h.in:
	}
	var local chan int
	go func() {
		local <- 1 // WANT nil-channel local is never made
	}()
	var later chan int
	go func() { later <- 1 }()
	later = make(chan int)
}

func main() {
	newHub().run()
	s := &Server{quit: make(chan bool), over: make(chan bool), again: make(chan bool), other: make(chan bool)}
	s.Close()
	waitTooEarly()
	classic()
	addByGo()
	addedBefore()
	startedFirst()
	underLock()
	ownGroup()
	twoGroups()
	lateWrite()
	lateWriteOK()
	deferredClose()
	closeByOther(1)
	producer(1)
	closeAfterWait(1)
	rendezvous()
	signalled()
	counted(1)
	recovered()
	perRound(1)
	twice()
	twiceOnce()
	eitherCloses(true)
}
