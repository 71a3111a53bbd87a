// Package reflect tells of types, and hands out what it finds: it writes nothing by that.
package lib

import (
	"compress/flate"
	"errors"
	"io"
	"reflect"
	"strings"
	"sync"
)

// ErrClosed is compared with what is found in settings.
var ErrClosed = errors.New("closed")

var magic = []byte("  V2")

type settings struct {
	Level int `opt:"level"`
	Name  string
	hook  any
}

// Has looks for an option by its tag.
func Has(option string) bool {
	s := &settings{hook: ErrClosed}
	v := reflect.ValueOf(s).Elem()
	t := v.Type()
	for i := range t.NumField() {
		if t.Field(i).Tag.Get("opt") == option && v.Field(i).CanInterface() {
			return v.Field(i).Interface() == any(ErrClosed) // NORACE
		}
	}
	return false
}

var current = &settings{}

// Describe tells of a variable that Set writes under a lock.
func Describe() int {
	v := reflect.ValueOf(current).Elem()
	n := v.NumField() + int(v.Kind())
	if f := v.Field(0); f.CanSet() && f.CanInt() {
		n++
	}
	if s, ok := reflect.ValueOf(current).Interface().(*settings); ok && s == current {
		n++
	}
	if p, ok := v.Field(0).Addr().Interface().(*int); ok && p == &current.Level {
		n++
	}
	return n
}

var guard sync.Mutex

// Set writes the level.
func Set(n int) {
	guard.Lock()
	current.Level = n // NORACE
	guard.Unlock()
}

// Write writes the beginning.
func Write(w io.Writer) error {
	if _, err := w.Write(magic); err != nil { // NORACE
		return ErrClosed // NORACE
	}
	return nil
}

var readers = sync.Pool{New: func() any { return flate.NewReader(nil) }}

// Conn has a limit that its user sets.
type Conn struct {
	mu    sync.Mutex
	limit int64
	from  io.Reader
}

// SetLimit sets it under the lock.
func (c *Conn) SetLimit(n int64) {
	c.mu.Lock()
	c.limit = n // NORACE
	c.mu.Unlock()
}

type part struct{ c *Conn }

func (p *part) Read(b []byte) (int, error) {
	p.c.mu.Lock()
	defer p.c.mu.Unlock()
	if int64(len(b)) > p.c.limit { // NORACE
		return 0, io.EOF
	}
	return p.c.from.Read(b)
}

// Inflate gives a reader to a decompressor, which reads from it, and looks at nothing else.
func (c *Conn) Inflate() io.Reader {
	fr := readers.Get().(io.Reader)
	fr.(flate.Resetter).Reset(io.MultiReader(&part{c}, strings.NewReader("x")), nil) // NORACE
	return fr
}
