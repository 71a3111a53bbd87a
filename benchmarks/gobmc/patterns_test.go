package bmc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// want: none
func TestProducerConsumer(t *testing.T) {
	c := make(chan int, 1)
	go func() {
		for i := range 2 {
			c <- i
		}
		close(c)
	}()
	next := 0
	for v := range c {
		if v != next {
			t.Fatalf("got %d, want %d", v, next)
		}
		next++
	}
	if next != 2 {
		t.Fatal("some are missing")
	}
}

// want: none
func TestWorkerPool(t *testing.T) {
	jobs, results := make(chan int, 2), make(chan int, 2)
	for range 2 {
		go func() {
			for j := range jobs {
				results <- j * j
			}
		}()
	}
	jobs <- 2
	close(jobs)
	if <-results != 4 {
		t.Error("not the square")
	}
}

// want: deadlock 0
func TestWorkerPoolForgotClose(t *testing.T) {
	jobs, results := make(chan int, 2), make(chan int, 2)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		for j := range jobs {
			results <- j * j
		}
	}()
	jobs <- 1
	wg.Wait()
}

// want: assert 0
func TestTimeout(t *testing.T) {
	c := make(chan int, 1)
	go func() { c <- 1 }()
	select {
	case <-c:
	case <-time.After(time.Second):
		t.Error("timed out")
	}
}

// want: none
func TestDefault(t *testing.T) {
	c := make(chan int, 1)
	sent := 0
	for range 2 {
		select {
		case c <- 1:
			sent++
		default:
		}
	}
	if sent != 1 {
		t.Error("one element fits")
	}
}

// want: panic 1, race 1
func TestDoubleClose(t *testing.T) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	stop := func() {
		select {
		case <-done:
		default:
			close(done)
		}
	}
	wg.Add(1)
	go func() {
		stop()
		wg.Done()
	}()
	stop()
	wg.Wait()
}

// want: none
func TestDoubleCloseRepaired(t *testing.T) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	var once sync.Once
	stop := func() { once.Do(func() { close(done) }) }
	wg.Add(1)
	go func() {
		stop()
		wg.Done()
	}()
	stop()
	wg.Wait()
	<-done
}

type group struct {
	wg   sync.WaitGroup
	once sync.Once
	err  error
}

func (g *group) run(f func() error) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
	}()
}

var errFirst = errors.New("first")

// want: none
func TestFirstError(t *testing.T) {
	g := &group{}
	g.run(func() error { return errFirst })
	g.run(func() error { return nil })
	g.wg.Wait()
	if g.err == nil {
		t.Error("the error is lost")
	}
	if g.err != errFirst {
		t.Error("another error")
	}
}

// want: none
func TestPipeline(t *testing.T) {
	source, squares := make(chan int), make(chan int)
	go func() {
		for i := 1; i <= 2; i++ {
			source <- i
		}
		close(source)
	}()
	go func() {
		for v := range source {
			squares <- v * v
		}
		close(squares)
	}()
	sum := 0
	for s := range squares {
		sum += s
	}
	if sum != 5 {
		t.Error("wrong sum")
	}
}

// want: none
func TestSemaphore(t *testing.T) {
	sem := make(chan struct{}, 1)
	done := make(chan struct{})
	n := 0
	for range 2 {
		go func() {
			sem <- struct{}{}
			n++
			<-sem
			done <- struct{}{}
		}()
	}
	<-done
	<-done
	if n != 2 {
		t.Error("lost an update")
	}
}

// want: none
func TestLeak(t *testing.T) {
	c := make(chan int)
	go func() { c <- 1 }()
}

// want: none
func TestCond(t *testing.T) {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	ready := false
	go func() {
		mu.Lock()
		ready = true
		mu.Unlock()
		cond.Signal()
	}()
	mu.Lock()
	for !ready {
		cond.Wait()
	}
	mu.Unlock()
}

// want: deadlock 1
func TestCondMissed(t *testing.T) {
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	ready := false
	go func() {
		cond.Signal()
		mu.Lock()
		ready = true
		mu.Unlock()
	}()
	mu.Lock()
	for !ready {
		cond.Wait()
	}
	mu.Unlock()
}

// want: deadlock 1
func TestRWMutexTwice(t *testing.T) {
	var mu sync.RWMutex
	done := make(chan bool)
	go func() {
		mu.Lock()
		mu.Unlock()
		done <- true
	}()
	mu.RLock()
	mu.RLock() // a writer that waits keeps new readers out
	mu.RUnlock()
	mu.RUnlock()
	<-done
}

// want: none
func TestRWMutexCache(t *testing.T) {
	var mu sync.RWMutex
	cache := map[string]int{"a": 1}
	done := make(chan bool)
	go func() {
		mu.Lock()
		cache["b"] = 2
		mu.Unlock()
		close(done)
	}()
	mu.RLock()
	if v, ok := cache["a"]; !ok || v != 1 {
		t.Error("a is lost")
	}
	mu.RUnlock()
	<-done
	sum := 0
	for _, v := range cache {
		sum += v
	}
	if sum != 3 || len(cache) != 2 {
		t.Error("wrong sum")
	}
}

// want: race 1
func TestMapRace(t *testing.T) {
	m := map[int]int{}
	go func() { m[1] = 1 }()
	m[2] = 2
}

// want: panic 0
func TestNegativeCounter(t *testing.T) {
	var wg sync.WaitGroup
	wg.Add(1)
	wg.Done()
	wg.Done()
}

// want: panic 0
func TestUnlockUnlocked(t *testing.T) {
	var mu sync.Mutex
	mu.Lock()
	mu.Unlock()
	mu.Unlock()
}

// want: none
func TestHandedOver(t *testing.T) {
	var mu sync.Mutex
	mu.Lock()
	go mu.Unlock()
	mu.Lock()
}

// want: panic 0
func TestNilMap(t *testing.T) {
	var m map[string]int
	m["a"] = 1
}

// want: panic 0
func TestIndex(t *testing.T) {
	s := []int{1, 2}
	for i := 0; i <= len(s); i++ {
		s[i]++
	}
}

// want: none
func TestSelectSend(t *testing.T) {
	c, quit := make(chan int), make(chan struct{})
	go func() {
		defer close(c)
		for i := 0; ; i++ {
			select {
			case c <- i:
			case <-quit:
				return
			}
		}
	}()
	if <-c != 0 {
		t.Error("not the first")
	}
	close(quit)
}

// want: none
func TestGo(t *testing.T) {
	var wg sync.WaitGroup
	var n atomic.Int32
	wg.Go(func() { n.Add(1) })
	wg.Go(func() { n.Add(1) })
	wg.Wait()
	if n.Load() != 2 {
		t.Error("lost an update")
	}
}

func work(i int) (string, error) {
	if i > 1 {
		return "", fmt.Errorf("too large: %d", i)
	}
	return fmt.Sprintf("%d", i), nil
}

// want: none
func TestResults(t *testing.T) {
	type result struct {
		s   string
		err error
	}
	c := make(chan result, 2)
	for i := 1; i <= 2; i++ {
		go func() {
			s, err := work(i)
			c <- result{s, err}
		}()
	}
	failed := 0
	for range 2 {
		if r := <-c; r.err != nil {
			failed++
		}
	}
	if failed != 1 {
		t.Errorf("%d failed", failed)
	}
}

// want: none
func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	c := make(chan int)
	done := make(chan bool)
	go func() {
		defer close(done)
		for {
			select {
			case <-c:
			case <-ctx.Done():
				return
			}
		}
	}()
	c <- 1
	cancel()
	<-done
	if ctx.Err() != context.Canceled {
		t.Error("another error")
	}
}

// want: deadlock 0
func TestContextNotWatched(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 1)
	defer cancel()
	c := make(chan int)
	go func() {
		<-ctx.Done()
	}()
	c <- 1
}

// want: none
func TestTexts(t *testing.T) {
	var b strings.Builder
	err := io.EOF
	done := make(chan string)
	go func() {
		b.WriteString("x")
		done <- ""
	}()
	if s := <-done; s != "" || err != io.EOF {
		t.Error("another text")
	}
	fmt.Fprintln(os.Stderr, b.String())
}

// want: assert 0
func TestTimerNotYet(t *testing.T) {
	select {
	case <-time.After(time.Second):
	default:
		t.Error("not yet")
	}
}

// want: assert 1
func TestAfterFunc(t *testing.T) {
	var fired atomic.Bool
	time.AfterFunc(time.Second, func() { fired.Store(true) })
	if fired.Load() {
		t.Error("fired")
	}
}

// want: assert 0
func TestRandom(t *testing.T) {
	start := time.Now()
	if n := rand.Intn(3); n == 2 {
		t.Errorf("two, after %v", time.Since(start))
	}
}
