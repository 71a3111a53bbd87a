// Flags keep pointers to what Parse writes, and functions that it calls; templates keep functions; scanners keep their buffer.
package main

import (
	"bufio"
	"flag"
	"io"
	"strings"
	"sync"
	"text/template"
)

type level struct{ n int }

func (l *level) String() string { return "" }

func (l *level) Set(string) error {
	l.n++ // RACE!
	return nil
}

var calls, seen int

func main() {
	set := flag.NewFlagSet("set", flag.ContinueOnError)
	port := set.Int("port", 1, "")
	var name string
	set.StringVar(&name, "name", "", "")
	l := &level{}
	set.Var(l, "level", "")
	set.Func("call", "", func(string) error {
		calls++ // RACE!
		return nil
	})
	t := template.Must(template.New("x").Funcs(template.FuncMap{"next": func() int {
		seen++      // RACE!
		return seen // RACE!
	}}).Parse("{{next}}"))
	buf := make([]byte, 10)
	s := bufio.NewScanner(strings.NewReader("x"))
	s.Buffer(buf, 10)

	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		defer wg.Done()
		set.Parse([]string{"-port", "2"}) // RACE!
		t.Execute(io.Discard, nil)
		s.Scan() // RACE!
	}()
	*port = 2  // RACE!
	name = "x" // RACE!
	l.n = 2    // RACE!
	calls = 2  // RACE!
	seen = 2   // RACE!
	buf[0] = 1 // RACE!
	wg.Wait()
}
