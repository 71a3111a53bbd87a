// Package behind has types with synchronisation behind them: in objects that they point to, that they embed, or that an interface holds.
package behind

import "sync"

type state struct {
	mu sync.Mutex
	n  int
}

func (s *state) inc() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.n++
}

// Facade counts calls beside its state.
type Facade struct {
	in    *state
	calls int
}

// New makes one.
func New() *Facade { return &Facade{in: &state{}} }

// Inc counts.
func (f *Facade) Inc() {
	f.calls++ // RACE!
	f.in.inc()
}

// FacadeOK counts nothing.
type FacadeOK struct{ in *state }

// NewOK makes one.
func NewOK() *FacadeOK { return &FacadeOK{in: &state{}} }

// Inc counts.
func (f *FacadeOK) Inc() { f.in.inc() }

type base struct {
	mu  sync.Mutex
	all string
}

func (b *base) put(k string) {
	b.mu.Lock()
	b.all += k
	b.mu.Unlock()
}

// Derived embeds a pointer.
type Derived struct {
	*base
	last string
}

// NewDerived makes one.
func NewDerived() *Derived { return &Derived{base: &base{}} }

// Put puts, and remembers.
func (d *Derived) Put(k string) {
	d.put(k)
	d.last = k // RACE!
}

// store is where a Cache keeps things.
type store interface{ put(k string) }

type memory struct {
	mu   sync.Mutex
	last string
}

func (m *memory) put(k string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last = k
}

// Cache has one.
type Cache struct {
	s store
	n int
}

// NewCache makes one that keeps all in memory.
func NewCache() *Cache { return &Cache{s: &memory{}} }

// Put puts, and counts.
func (c *Cache) Put(k string) {
	c.s.put(k)
	c.n++ // RACE!
}

// List is a list of states.
type List struct {
	states []*state
	next   int
}

// NewList makes one.
func NewList() *List { return &List{states: []*state{{}, {}}} }

// Inc counts in the next one.
func (l *List) Inc() {
	l.states[l.next%2].inc() // RACE!
	l.next++                 // RACE!
}

// Registry has handles.
type Registry struct {
	mu      sync.Mutex
	handles map[string]*Handle
}

// NewRegistry makes one.
func NewRegistry() *Registry { return &Registry{handles: map[string]*Handle{}} }

// Handle is one of them: the same for all who ask for a name. It has a lock of its own behind it.
type Handle struct {
	own  *state
	uses int
}

// Get gives one.
func (r *Registry) Get(k string) *Handle {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.handles[k]
	if h == nil {
		h = &Handle{own: &state{}}
		r.handles[k] = h
	}
	return h
}

// Use uses it.
func (h *Handle) Use() {
	h.uses++ // RACE!
	h.own.inc()
}

// View is made for who asks for it, and looks into the registry under its lock: it has nothing else that synchronises behind it.
type View struct {
	r    *Registry
	seen int
}

// View makes one.
func (r *Registry) View() *View { return &View{r: r} }

// Len looks.
func (v *View) Len() int {
	v.seen++
	v.r.mu.Lock()
	defer v.r.mu.Unlock()
	return len(v.r.handles)
}

// Counter is made by a function, and known by an interface.
type Counter interface {
	Inc()
	N() int
}

type counter struct {
	in *state
	n  int
}

// NewCounter makes one.
func NewCounter() Counter { return &counter{in: &state{}} }

// Inc counts twice.
func (c *counter) Inc() {
	c.in.inc()
	c.n++ // RACE!
}

// N looks.
func (c *counter) N() int {
	return c.n // RACE!
}
