// WANT: verify | race-free | a parsed template is executed by several goroutines, each
// with a buffer of its own
package main

import (
	"bytes"
	"fmt"
	"sync"
	"text/template"
)

var page = template.Must(template.New("page").Parse("hello {{.}}\n"))

func main() {
	out := make([]bytes.Buffer, 4)
	var wg sync.WaitGroup
	for i := range out {
		wg.Go(func() {
			if err := page.Execute(&out[i], i); err != nil { // NORACE
				panic(err)
			}
		})
	}
	wg.Wait()
	for i := range out {
		fmt.Print(out[i].String()) // NORACE
	}
}
