// Two kinds of channels of one type: what is sent to those of a table says nothing of the
// one in which a reporter says that it is done. Calls of the library's function variables
// and of templates leave the order alone, too.
package main

import (
	"flag"
	"os"
	"text/template"
)

type report struct {
	n    int
	in   chan int
	done chan bool
}

func (r *report) Run() {
	for x := range r.in {
		r.n += x // NORACE
	}
	r.done <- true
}

type work struct{ rep *report }

func (w *work) Run() {
	w.rep = &report{in: make(chan int), done: make(chan bool, 1)}
	go func() { w.rep.Run() }()
	w.rep.in <- 1
	w.finish()
}

func (w *work) finish() {
	close(w.rep.in)
	<-w.rep.done
	println(w.rep.n) // NORACE
}

type summary struct{ Name string }

func (s summary) Upper() string { return s.Name }

func main() {
	table := map[string]chan bool{"a": make(chan bool, 1)}
	for _, c := range table {
		c <- true
	}
	if len(os.Args) > 9 {
		flag.Usage()
	}
	template.Must(template.New("").Parse("{{.Upper}}")).Execute(os.Stdout, summary{"a"})
	w := &work{}
	w.Run()
}
