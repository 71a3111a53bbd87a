// Package counter starts goroutines by helpers that return something: who calls these is
// as good as one that has the go statement.
package counter

func spawn(f func()) (ok bool) {
	go f()
	return true
}

func all(fs ...func()) {
	for _, f := range fs {
		go f()
	}
}

// Counter counts in the background.
type Counter struct{ n int }

// Start counts later.
func (c *Counter) Start() { spawn(func() { c.n++ }) } // RACE!

// Get is what it has counted.
func (c *Counter) Get() int { return c.n } // RACE!

// Gauge measures in the background.
type Gauge struct{ n int }

// Start measures later.
func (g *Gauge) Start() {
	all(
		func() { g.n++ }, // RACE!
		func() { g.n-- }, // RACE!
	)
}
