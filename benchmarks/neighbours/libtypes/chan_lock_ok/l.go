// WANT: verify | race-free | the state itself lies in a channel of capacity one: who took
// it out may change it
package chan_lock_ok

type state struct {
	names []string
	hits  int
}

// Registry is safe for concurrent use.
type Registry struct{ state chan *state }

// New makes a registry.
func New() *Registry {
	r := &Registry{state: make(chan *state, 1)}
	r.state <- &state{}
	return r
}

// Add adds a name.
func (r *Registry) Add(n string) {
	s := <-r.state
	s.names = append(s.names, n) // NORACE
	s.hits++                     // NORACE
	r.state <- s
}

// Names is a copy of all names.
func (r *Registry) Names() []string {
	s := <-r.state
	defer func() { r.state <- s }()
	s.hits++                                 // NORACE
	return append([]string(nil), s.names...) // NORACE
}
