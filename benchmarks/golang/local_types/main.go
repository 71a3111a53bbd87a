// Types that functions declare are different types, though they have one name: maps of them
// hold different things, and they have the methods of what is embedded in them.
package main

import (
	"errors"
	"io"
)

type quiet struct{ n int }

func (*quiet) Error() string { return "" }

func (*quiet) Is(error) bool { return false }

type counting struct{ n int }

func (*counting) Error() string { return "" }

func (c *counting) Is(error) bool {
	c.n++ // RACE!
	return false
}

func first(q *quiet) error {
	type wrapped struct{ *quiet }
	return wrapped{q}
}

func second(c *counting) error {
	type wrapped struct{ *counting }
	return wrapped{c}
}

func reads(p *int) {
	type entry struct{ p *int }
	entries := map[int]entry{1: {p}}
	go func() { println(*entries[1].p) }()
}

func writes(p *int) {
	type entry struct {
		n int
		p *int
	}
	entries := map[int]entry{1: {1, p}}
	go func() {
		*entries[1].p = 1 // RACE!
	}()
}

func main() {
	c := &counting{}
	a, b := first(&quiet{}), second(c)
	errors.Is(a, io.EOF)
	go errors.Is(b, io.EOF)
	c.n = 2 // RACE!

	p := new(int)
	reads(new(int))
	writes(p)
	*p = 2 // RACE!
}
