// A method of a library that only hands out what its receiver was given: that is used through what it returned.
package main

import (
	"flag"
	"fmt"
)

type counter struct{ n int }

func (c *counter) Write(p []byte) (int, error) {
	c.n++ // RACE!
	return len(p), nil
}

type usage struct{ shown int }

func main() {
	c, u := &counter{}, &usage{}
	fs := flag.NewFlagSet("x", flag.ContinueOnError)
	fs.SetOutput(c)
	fs.Usage = func() { u.shown++ }
	out := fs.Output() // does not call Usage
	done := make(chan bool)
	go func() {
		fmt.Fprintln(out, "a")
		u.shown++
		done <- true
	}()
	fmt.Fprintln(fs.Output(), "b")
	<-done
}
