// Package alone has types without locks: they synchronise by one thing alone, which protects a part of them only.
package alone

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// Sem has a channel as a lock.
type Sem struct {
	sem chan struct{}
	n   int
}

// NewSem makes one.
func NewSem() *Sem { return &Sem{sem: make(chan struct{}, 1)} }

// Inc counts.
func (s *Sem) Inc() {
	s.sem <- struct{}{}
	s.n++ // RACE!
	<-s.sem
}

// N does not take it.
func (s *Sem) N() int {
	return s.n // RACE!
}

// Lazy makes its map once, and changes it always.
type Lazy struct {
	once sync.Once
	m    map[string]int
}

// Inc counts.
func (l *Lazy) Inc(k string) {
	l.once.Do(func() { l.m = map[string]int{} })
	l.m[k]++ // RACE!
}

// LazyOK only reads what it has made.
type LazyOK struct {
	once sync.Once
	m    map[string]int
}

// Get looks.
func (l *LazyOK) Get(k string) int {
	l.once.Do(func() { l.m = map[string]int{"a": 1} })
	return l.m[k]
}

// Names has a sync.Map and a plain counter.
type Names struct {
	m sync.Map
	n int
}

// Add adds a name.
func (s *Names) Add(k string) {
	s.m.Store(k, true)
	s.n++ // RACE!
}

// NamesOK has no counter.
type NamesOK struct{ m sync.Map }

// Add adds a name.
func (s *NamesOK) Add(k string) { s.m.Store(k, true) }

// Has looks.
func (s *NamesOK) Has(k string) bool {
	_, ok := s.m.Load(k)
	return ok
}

// Hits counts by a function of package atomic, and remembers plainly.
type Hits struct {
	n    int64
	last string
}

// Hit counts.
func (h *Hits) Hit(who string) {
	atomic.AddInt64(&h.n, 1)
	h.last = who // RACE!
}

// HitsOK remembers nothing.
type HitsOK struct{ n int64 }

// Hit counts.
func (h *HitsOK) Hit() { atomic.AddInt64(&h.n, 1) }

// N reads.
func (h *HitsOK) N() int64 { return atomic.LoadInt64(&h.n) }

// HitsHalf reads plainly what is counted atomically.
type HitsHalf struct{ n int64 }

// Hit counts.
func (h *HitsHalf) Hit() {
	atomic.AddInt64(&h.n, 1) // RACE!
}

// N reads.
func (h *HitsHalf) N() int64 {
	return h.n // RACE!
}

// Buckets counts in a slice.
type Buckets struct {
	n     []uint32
	total uint32
}

// NewBuckets makes some.
func NewBuckets() *Buckets { return &Buckets{n: make([]uint32, 4)} }

// Add counts.
func (b *Buckets) Add(i int) {
	atomic.AddUint32(&b.n[i], 1)
	b.total++ // RACE!
}

// Config is an atomic pointer, with the time of its last change beside it.
type Config struct {
	p  atomic.Pointer[string]
	at time.Time
}

// Set changes it.
func (c *Config) Set(s string) {
	c.p.Store(&s)
	c.at = time.Now() // RACE!
}

// Get reads it.
func (c *Config) Get() string {
	if p := c.p.Load(); p != nil {
		return *p
	}
	return ""
}

// Job has a cancel function.
type Job struct {
	cancel context.CancelFunc
}

// Start starts it.
func (j *Job) Start(ctx context.Context) context.Context {
	ctx, j.cancel = context.WithCancel(ctx) // RACE!
	return ctx
}

// Stop ends it.
func (j *Job) Stop() {
	if j.cancel != nil { // RACE!
		j.cancel() // RACE!
	}
}

// Bufs has a pool.
type Bufs struct {
	p    sync.Pool
	used int
}

// Get takes one.
func (b *Bufs) Get() any {
	b.used++ // RACE!
	return b.p.Get()
}

// Ticks has a timer whose function runs in a goroutine.
type Ticks struct{ n int }

// Start starts it.
func (t *Ticks) Start() {
	time.AfterFunc(time.Millisecond, func() {
		t.n++ // RACE!
	})
}

// N reads.
func (t *Ticks) N() int {
	return t.n // RACE!
}

// Plain is looked at by a goroutine that its constructor starts.
type Plain struct{ stopped bool }

// NewPlain starts the goroutine.
func NewPlain() *Plain {
	p := &Plain{}
	go p.run()
	return p
}

func (p *Plain) run() {
	for range 1000 {
		if p.stopped { // RACE!
			return
		}
	}
}

// Stop says so.
func (p *Plain) Stop() {
	p.stopped = true // RACE!
}
