// Package plugins gives each plugin a value of its own.
package plugins

// Env has no lock.
type Env struct{ n int }

// Print is called by plugins.
func (e *Env) Print() { e.n++ }

// Plugin is implemented by users.
type Plugin interface{ Run(e *Env) }

var plugins []Plugin

// Register adds one.
func Register(p Plugin) { plugins = append(plugins, p) }

// RunAll gives each its own, and has nothing to do with it afterwards but to read.
func RunAll() int {
	n := 0
	for _, p := range plugins {
		e := &Env{n: 1}
		p.Run(e)
		n += e.n
	}
	go func() {}()
	return n
}
