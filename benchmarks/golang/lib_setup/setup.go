// Package setup has functions that users call before they use it from several goroutines: what they set is set.
package setup

import (
	"encoding/json"
	"fmt"
	"sync"
)

var (
	debug   bool
	loaded  struct{ On bool }
	scanned bool
	drivers = map[string]func(){}
	ticks   int
	deep    bool
	again   = func() { deep = true }
	mode    bool
	cfg     config
	regs    [4]struct{ On bool }
	nested  struct{ Verbose bool }
	given   config
)

// config has members that users could write if they had one.
type config struct{ Level int }

// Builder changes what nobody else sees.
type Builder struct{ c *config }

// NewBuilder makes one.
func NewBuilder() *Builder { return &Builder{&cfg} }

// With sets the level.
func (b *Builder) With(n int) *Builder {
	b.c.Level = n
	return b
}

// Enable switches one on.
func Enable(i int) { regs[i].On = true }

// SetVerbose is to be called first.
func SetVerbose(on bool) { nested.Verbose = on }

// same is what users do not call.
func same(c *config) *config { return c }

// Give sets the level of what it is given itself.
func Give() { same(&given).Level = 1 }

// Adjust writes what users may write as well.
func Adjust(s *Server, o *Options) {
	func() { o.Level = 1 }()
	s.Options(o).Level = 2
}

type tracer struct{ n int }

// Up and Down call each other.
func Up(n int) {
	if n > 0 {
		Down(n - 1)
	}
	mode = true
}

// Down is the other.
func Down(n int) {
	if n > 0 {
		Up(n - 1)
	}
}

// Trigger calls a function that is kept.
func Trigger() { again() }

// Options are kept.
type Options struct {
	Trace *tracer
	Level int
}

// Opts are the options.
var Opts Options

// Trace switches tracing on: what it stores users cannot make.
func Trace(o *Options) { o.Trace = &tracer{} }

// SetDebug is to be called first.
func SetDebug(on bool) { debug = on }

// Load reads the configuration.
func Load(b []byte) error { return json.Unmarshal(b, &loaded) }

// Scan reads a flag.
func Scan(s string) { fmt.Sscan(s, &scanned) }

// Register adds a driver, in functions called init.
func Register(name string, f func()) { drivers[name] = f }

// Start counts in the background.
func Start() {
	go func() {
		ticks++ // RACE!
	}()
}

// Server is safe for concurrent use.
type Server struct {
	mu                      sync.Mutex
	debugs, loads, scans, n int
	deeps, modes            int
	levels, regd, verbose   int
	gave                    int
	hook                    func()
}

// Configure sets a hook, before the first use.
func Configure(s *Server, f func()) *Server {
	s.hook = f
	return s
}

// Serve counts.
func (s *Server) Serve() {
	if debug {
		s.debugs++ // RACE!
	}
	if loaded.On {
		s.loads++ // RACE!
	}
	if scanned {
		s.scans++ // RACE!
	}
}

// More counts.
func (s *Server) More() {
	if deep {
		s.deeps++ // RACE!
	}
	if mode {
		s.modes++ // RACE!
	}
	if Opts.Trace != nil {
		Opts.Trace.n++ // RACE!
	}
}

// Drive counts.
func (s *Server) Drive(name string) {
	if drivers[name] != nil || s.hook != nil {
		s.n++ // RACE!
	}
}

// Ticks reads.
func (s *Server) Ticks() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return ticks // RACE!
}

// Options gives what it is given.
func (s *Server) Options(o *Options) *Options { return o }

// Tell counts.
func (s *Server) Tell() {
	if cfg.Level > 0 {
		s.levels++ // RACE!
	}
	if regs[3].On {
		s.regd++ // RACE!
	}
	if nested.Verbose {
		s.verbose++ // RACE!
	}
	if given.Level > 0 {
		s.gave++ // RACE!
	}
}
