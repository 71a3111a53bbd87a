// Package starts has goroutines that its initialisation starts. No exported function or
// type has a lock or starts anything; users run beside these goroutines.
package starts

import "time"

var (
	n     int
	conf  string
	level int
	ticks int
	hooks []func()
)

func init() {
	go func() { n++ }() // RACE!
	n = 2               // RACE!
}

func init() { watch() }

// watch is called by the initialisation, and starts something by a helper.
func watch() {
	go func() {
		conf = "read"   // RACE!
		for level > 0 { // RACE!
			time.Sleep(time.Second)
		}
		for _, h := range hooks { // RACE!
			h()
		}
	}()
}

var _ = time.AfterFunc(time.Hour, tick)

func tick() { ticks++ } // RACE!

// Conf only reads.
func Conf() string { return conf } // RACE!

// View has methods without a lock.
type View struct{}

// Ticks only reads, as a method.
func (View) Ticks() int { return ticks } // RACE!

// SetLevel sets the package up, too late.
func SetLevel(k int) { level = k } // RACE!

// AddHook registers something, too late.
func AddHook(h func()) { hooks = append(hooks, h) } // RACE!
