// WANT: verify | racy | a template may be executed by many, but Parse and Delims change
// it
package main

import (
	"io"
	"sync"
	"text/template"
)

var page = template.Must(template.New("page").Parse("hello {{.}}\n"))

func reload(text string) error {
	_, err := page.Parse(text) // RACE!
	return err
}

func main() {
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 50 {
			page.Execute(io.Discard, "bob") // RACE!
		}
	})
	wg.Go(func() {
		for range 50 {
			page = page.Delims("{{", "}}") // RACE!
			reload("bye {{.}}\n")
		}
	})
	wg.Wait()
}
