// The channel that says that a reporter is done lies in a table, too, from which somebody
// else sends to it; and what a template is given has a method that writes.
package main

import (
	"os"
	"text/template"
)

type report struct {
	n    int
	in   chan int
	done chan bool
}

func (r *report) run() {
	for x := range r.in {
		r.n += x // RACE!
	}
	r.done <- true
}

type gauge struct{ n int }

func (g *gauge) Bump() string {
	g.n++ // RACE!
	return ""
}

func main() {
	r := &report{in: make(chan int), done: make(chan bool, 2)}
	table := map[string]chan bool{"a": r.done}
	go r.run()
	go func() {
		for _, c := range table {
			c <- true
		}
	}()
	r.in <- 1
	close(r.in)
	<-r.done
	println(r.n) // RACE!

	g := &gauge{}
	go func() {
		g.n++ // RACE!
	}()
	template.Must(template.New("").Parse("{{.Bump}}")).Execute(os.Stdout, g) // RACE!
}
